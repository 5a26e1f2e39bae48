"""Joints of an FBX scene, and how their transforms become those of Maya joints.

A transform is ``T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1`` for column vectors; in Maya's
terms, Rpre is jointOrient and Rpost^-1 is rotateAxis. Pivots and offsets only move a joint, so
they go into its translation. Geometric transforms move meshes, never children.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base import errors, text
from ...geometry import arrays, euler, quaternion
from ...motion import joint_names, skeleton
from ...rig.matrices import linear, scale_matrix, translation_matrix
from ...rig.rest_pose import RigJoint
from . import curves, nodes
from .scene import ROTATION, SCALING, TRANSLATION, FbxModel, FbxScene

ROTATE_ORDERS = ("xyz", "xzy", "yzx", "yxz", "zxy", "zyx", "xyz")
"""Rotate orders by RotationOrder; the last, "SphericXYZ", is read as "xyz"."""
COMPENSATING_TYPE = 2
"""InheritType of a joint that does not inherit the scale of its parent."""
GROUPS = frozenset(["Null", "Marker"])
"""Kinds of models that count as joints if a file has no joints."""


@dataclass(frozen=True, eq=False)
class FbxJoint:
    """A joint and its place: index of the parent joint, and the models between the two."""

    model: FbxModel
    name: str
    parent: int
    between: tuple[FbxModel, ...]


def fbx_joints(scene: FbxScene, turning: frozenset[FbxModel]) -> tuple[list[FbxJoint], list[str]]:
    """Joints of a scene, parents first, and the names that several joints share.

    Joints are models of a joint kind, models that a skin follows, and animated models between them;
    if a file has none of these, animated groups and the groups above them. `turning`: models with
    animated rotation. Raises FbxError if there are no joints, too many, or too many levels.
    """
    budget = scene.document.budget
    chosen = _choose_models(scene, turning)
    found: list[tuple[FbxModel, int, tuple[FbxModel, ...]]] = []
    todo: list[tuple[FbxModel, int, int, tuple[FbxModel, ...]]] = [
        (model, 0, -1, ()) for model in reversed(scene.models) if model.parent is None
    ]
    while todo:
        model, depth, parent, between = todo.pop()
        if depth > budget.limits.max_depth:
            raise budget.fail(budget.limits.refusal("max_depth", "levels", subject="has"))
        if model in chosen:
            found.append((model, parent, between))
            parent, between = len(found) - 1, ()
        else:
            between = (*between, model)
        if len(found) > budget.limits.max_joints:
            raise budget.fail(budget.limits.refusal("max_joints", "joints", subject="has"))
        todo += [(child, depth + 1, parent, between) for child in reversed(model.children)]
    if len(found) < len(chosen):
        raise budget.fail(f"has {text.plural(len(chosen) - len(found), 'joint')} in parent loops")
    if not found:
        words = "has no skeleton: neither joints nor animated groups; export it with a skeleton"
        raise errors.without_skeleton(budget.fail(words))
    names = [model.name or "joint" for model, _, _ in found]
    try:
        unique, repeated = joint_names.joint_paths(names, [parent for _, parent, _ in found])
    except ValueError as error:
        raise budget.fail(str(error)) from None
    return [FbxJoint(m, name, p, b) for name, (m, p, b) in zip(unique, found)], repeated


def _choose_models(scene: FbxScene, turning: frozenset[FbxModel]) -> set[FbxModel]:
    chosen = {model for model in scene.models if model.is_joint}
    if not chosen:
        groups = [model for model in turning if model.kind in GROUPS]
        return {one for one in _with_ancestors(groups) if one.kind in GROUPS}
    above = _with_ancestors([model.parent for model in chosen if model.parent is not None])
    below, todo = set(chosen), list(chosen)
    while todo:
        new = [child for child in todo.pop().children if child not in below]
        below.update(new)
        todo += new
    return chosen | (turning & above & below)


def _with_ancestors(models: Sequence[FbxModel]) -> set[FbxModel]:
    found: set[FbxModel] = set()
    for model in models:
        above: FbxModel | None = model
        while above is not None and above not in found:
            found.add(above)
            above = above.parent
    return found


@dataclass(frozen=True, eq=False)
class Orientation:
    """Orientation of a model: jointOrient and rotateAxis as quaternions, and the rotate order."""

    orient: arrays.Floats
    axis: arrays.Floats
    order: str


def orientation(model: FbxModel) -> Orientation:
    """Orientation of a model; inactive rotations and orders are ignored."""
    if not _is_oriented(model):
        return Orientation(np.array(quaternion.IDENTITY), np.array(quaternion.IDENTITY), "xyz")
    before, after = (
        euler.quaternion_from_euler(np.radians(model.vector(name)))
        for name in ("PreRotation", "PostRotation")
    )
    number = int(model.number("RotationOrder")) if has_rotate_order(model) else 0
    return Orientation(before, quaternion.conjugate(after), ROTATE_ORDERS[number])


def has_rotate_order(model: FbxModel) -> bool:
    """Whether the rotate order of a model is valid in FBX, or ignored."""
    return not _is_oriented(model) or model.number("RotationOrder") in range(len(ROTATE_ORDERS))


def moving_orientation(model: FbxModel, properties: curves.LayeredProperties) -> str | None:
    """Name of an animated property that :func:`orientation` reads only once, or None."""
    names = ("PreRotation", "PostRotation", "RotationOrder") if _is_oriented(model) else ()
    names = (*names, "RotationActive")
    return next((name for name in names if properties.moves(model, name)), None)


def _is_active(model: FbxModel) -> bool:
    return bool(model.number("RotationActive", 1.0))


def _is_oriented(model: FbxModel) -> bool:
    return _is_active(model) and not model.number("RotationSpaceForLimitOnly")


@dataclass(frozen=True, eq=False)
class Placement:
    """A model over time: rotate in radians (times, 3); translate and scale (times or 1, 3)."""

    rotate: arrays.Floats
    translate: arrays.Floats
    scale: arrays.Floats
    rotation: arrays.Floats
    """Local rotation, (times or 1, 4)."""

    def matrices(self) -> arrays.Floats:
        """Local matrices, shape (times or 1, 4, 4)."""
        turn = linear(quaternion.matrix_from_quaternion(self.rotation))
        return np.asarray(translation_matrix(self.translate) @ turn @ scale_matrix(self.scale))


def placement(
    model: FbxModel, properties: curves.LayeredProperties, seconds: arrays.Floats, unit: float
) -> Placement:
    """Placement of a model at the given times; `unit`: centimetres per unit of length."""
    place, angles, scale = (
        properties.values(model, name, seconds) for name in (TRANSLATION, ROTATION, SCALING)
    )
    turns, rotate = orientation(model), np.radians(angles)
    turn = euler.local_from_rotate(rotate, turns.orient, turns.axis, turns.order)
    offset, pivot, scale_offset, scale_pivot = (
        model.vector(name)
        for name in ("RotationOffset", "RotationPivot", "ScalingOffset", "ScalingPivot")
    )
    arm = scale_offset + scale_pivot - pivot - scale * scale_pivot
    place = place + offset + pivot
    if np.any(arm != 0.0):
        place = place + quaternion.rotate(turn, arm)
    return Placement(rotate, place * unit, scale, turn)


def rig_joint(joint: FbxJoint) -> RigJoint:
    """Joint in Maya's terms."""
    model, turns = joint.model, orientation(joint.model)
    return RigJoint(
        key=model,
        name=joint.name,
        parent=joint.parent,
        between=joint.between,
        rotate_order=turns.order,
        joint_orient=euler.euler_from_quaternion(turns.orient),
        rotate_axis=euler.euler_from_quaternion(turns.axis),
        compensates_scale=joint.parent >= 0
        and not joint.between
        and model.number("InheritType") == COMPENSATING_TYPE,
        declaration=_declaration(model),
    )


def _declaration(model: FbxModel) -> skeleton.Declaration:
    """Active limits of a model, for channels whose limits are switched on."""
    if not _is_active(model):
        return skeleton.Declaration()
    low, high = model.vector("RotationMin"), model.vector("RotationMax")
    limits: dict[str, tuple[float | None, float | None]] = {}
    for index, (axis, channel) in enumerate(zip(nodes.AXES, euler.CHANNELS)):
        ends = [
            float(end[index]) if model.number(f"Rotation{name}{axis}") else None
            for name, end in (("Min", low), ("Max", high))
        ]
        if ends != [None, None] and np.isfinite([end or 0.0 for end in ends]).all():
            limits[channel] = (ends[0], ends[1])
    return skeleton.Declaration(limits_deg=limits)
