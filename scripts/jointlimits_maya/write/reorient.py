"""Re-orientation of joints in the open scene, without moving anything.

Changes and obstacles come from the same code that writes copies of .ma files; here they become an
edit.
"""

from __future__ import annotations

from collections.abc import (
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field
from typing import Any

import maya.api.OpenMaya as om
import numpy as np

from jointlimits_core.motion import FrameAdvice
from jointlimits_core.rig import (
    RADIANS,
    Change,
    Checks,
    FramePlan,
    FramePlanner,
    NewKeys,
    Node,
    OrderChange,
    TripleChange,
    is_turned,
    rotate_order_name,
)

from ..base import SceneError
from ..scene import (
    Attributes,
    Backup,
    ReorientResult,
    SceneEdit,
    backup_on,
    current_frame,
    is_same,
    joint_names,
    node_name,
)
from .clamping import Rotates
from .keys import add_places, copy_matrix, put_keys
from .reorient_records import FrameRecords, others_changes, place_of
from .scene_graph import OpenDrivers, OpenScene

LABEL = "Re-orient Joints"


@dataclass
class ReorientPlan:
    """A planned re-orientation.

    Parameters
    ----------
    rotates : mapping of joint name to Rotates
        Channels of the re-oriented joints in their new orientation.
    frames : mapping of joint name to mapping
        Orientation of the re-oriented joints "before" and the one "given" (jointOrient and
        rotateAxis in radians, rotateOrder), and the "advised" one.
    backups : mapping of full node name to (MObject, Backup)
        Record for every node that changes.
    """

    edit: SceneEdit
    result: ReorientResult
    rotates: dict[str, Rotates] = field(default_factory=dict)
    frames: dict[str, dict[str, Any]] = field(default_factory=dict)
    backups: dict[str, tuple[om.MObject, Backup]] = field(default_factory=dict)


def plan_reorient(
    advice: Mapping[str, FrameAdvice],
    joints: Sequence[om.MDagPath],
    mode: str,
    *,
    replaces_limits: frozenset[str] = frozenset(),
    branches_deg: Mapping[str, tuple[float, float, float]] | None = None,
) -> ReorientPlan:
    """Plan the changes that give joints their advised orientation.

    Parameters
    ----------
    advice : mapping of joint name to FrameAdvice
    joints : sequence of MDagPath
        Joints with these names.
    mode : str
        "R" to use rotateAxis, "C" to keep it zero and counter-rotate the joint's children.
    replaces_limits : set of str
        Joints that get limits in their new orientation; other joints with limits are skipped.
    branches_deg : mapping of joint name to (x, y, z), optional
        The keys use the Euler branch whose medians are nearest to these; default: zero.

    Returns
    -------
    ReorientPlan
        The world pose of everything stays the same at every whole frame and every old key.

    Raises
    ------
    SceneError
        For an unknown mode.
    """
    if mode not in ("R", "C"):
        raise SceneError(f"re-orient mode must be R or C, not {mode!r}")
    picture = OpenScene()
    paths = dict(zip(joint_names(joints), joints))
    nodes = {name: picture.joint(paths[name].node()) for name in advice if name in paths}
    followed = {name: one.in_mode(mode) for name, one in advice.items()}
    plan = _planned(picture, nodes, followed, replaces_limits, branches_deg or {})
    turned = {nodes[name] for name in plan.joints if is_turned(followed[name].frame_turn)}
    backups = dict(_backups(picture, plan, turned))
    frames = {name: _frames(picture, plan, nodes[name], advice[name], mode) for name in plan.joints}
    return ReorientPlan(
        _edit(picture, plan, backups.values()),
        _result(plan, mode),
        {
            name: _rotates(keys, _frame_given(plan, picture, nodes[name])["rotateOrder"])
            for name, keys in plan.keys.items()
        },
        frames,
        {name: (picture.object(node), backup) for name, (node, backup) in backups.items()},
    )


def _planned(
    picture: OpenScene,
    nodes: Mapping[str, Node],
    followed: Mapping[str, FrameAdvice],
    replaces_limits: frozenset[str],
    branches_deg: Mapping[str, tuple[float, float, float]],
) -> FramePlan:
    """Plan the advice joint by joint."""
    checks = Checks(picture.scene, picture, OpenDrivers(picture))
    planner = FramePlanner(picture.scene, checks)
    for name, one in followed.items():
        branch, replaces = branches_deg.get(name), name in replaces_limits
        planner.take(name, nodes.get(name), one, branch=branch, replaces_limits=replaces)
    return planner.finish()


def _frames(
    picture: OpenScene, plan: FramePlan, node: Node, advice: FrameAdvice, mode: str
) -> dict[str, Any]:
    """Orientations of one joint, as in :class:`ReorientPlan`."""
    return {
        "before": frame_of(picture.object(node)),
        "given": _frame_given(plan, picture, node),
        "advised": advised_key(advice, mode),
    }


def _edit(picture: OpenScene, plan: FramePlan, backups: Iterable[tuple[Node, Backup]]) -> SceneEdit:
    """Edit that keeps the originals and then makes all changes."""
    edit = SceneEdit(LABEL)
    _keep_originals(edit, picture, backups)
    for change in plan.changes:
        _put(edit, picture, change)
    return edit


def _backups(
    picture: OpenScene, plan: FramePlan, turned: set[Node]
) -> Iterator[tuple[str, tuple[Node, Backup]]]:
    """Records of all nodes that change, including their original values."""
    for node, backup in FrameRecords(picture, plan.changes).backups(turned):
        thing = picture.object(node)
        old = backup_on(thing)
        if old is not None:
            backup = old.followed_by(backup, bool(others_changes(picture, node, old)))
        yield node_name(thing), (node, backup)


def _keep_originals(
    edit: SceneEdit, picture: OpenScene, backups: Iterable[tuple[Node, Backup]]
) -> None:
    """Add attributes for old curves, and copies of old matrices before they change, to an edit."""
    for node, backup in backups:
        thing = picture.object(node)
        old = backup_on(thing) or Backup()
        add_places(edit, thing, bool(backup.aside), bool(backup.matrices))
        for place, (where, _) in enumerate(backup.matrices[len(old.matrices) :], len(old.matrices)):
            plug = place_of(picture, node, where)
            assert plug is not None, "the plan changes it"
            copy_matrix(edit, thing, place, plug)


def is_in_place(
    node: om.MObject, frame: Mapping[str, Any] | None, one: FrameAdvice, mode: str
) -> bool:
    """Whether a joint still has the orientation that it got for the same advice.

    In mode C, advice is relative to the parent's old orientation, so it cannot be compared with the
    joint alone once the parent was re-oriented as well.

    Parameters
    ----------
    frame : mapping, optional
        As in :class:`ReorientPlan`, from the joint's record.
    """
    if frame is None or frame.get("advised") != advised_key(one, mode):
        return False
    given, now = frame.get("given", {}), frame_of(node)
    numbers = [*_numbers(given)]
    return len(numbers) == 7 and all(map(is_same, _numbers(now), numbers))


def _numbers(frame: Mapping[str, Any]) -> Iterator[float]:
    for name in ("jointOrient", "rotateAxis"):
        yield from frame.get(name, ())
    yield frame.get("rotateOrder", -1)


def advised_key(advice: FrameAdvice, mode: str) -> list[Any]:
    """Advice as plain data, for comparison."""
    one = advice.in_mode(mode)
    angles = (*one.joint_orient_deg, *one.rotate_axis_deg, *one.frame_turn_deg)
    return [one.mode, one.rotate_order, *angles]


def frame_of(node: om.MObject) -> dict[str, Any]:
    """Orientation of a joint as plain data, radians."""
    joint = Attributes(node)
    return {
        "jointOrient": joint.vector("jointOrient").tolist(),
        "rotateAxis": joint.vector("rotateAxis").tolist(),
        "rotateOrder": int(joint.plug("rotateOrder").asInt()),
    }


def _frame_given(plan: FramePlan, picture: OpenScene, node: Node) -> dict[str, Any]:
    frame = frame_of(picture.object(node))
    for change in plan.changes:
        if isinstance(change, TripleChange) and change.node is node:
            frame[change.compound] = change.angles.tolist()
        elif isinstance(change, OrderChange) and change.node is node:
            frame["rotateOrder"] = change.number
    return frame


def _result(plan: FramePlan, mode: str) -> ReorientResult:
    return ReorientResult(
        mode,
        plan.joints,
        plan.compensated,
        {name: len(keys.times) for name, keys in plan.keys.items()},
        tuple(plan.unchanged),
        tuple(plan.skipped),
    )


def _rotates(keys: NewKeys, order: int) -> Rotates:
    """New channels over time, and their interpolated values at the current frame."""
    now = np.array([np.interp(current_frame(), keys.times, values) for values in keys.values])
    keyed = keys.keyed(RADIANS["degree"])
    return Rotates(keys.times, keys.values, keyed, now, rotate_order_name(order))


def _put(edit: SceneEdit, picture: OpenScene, change: Change) -> None:
    if isinstance(change, NewKeys):
        recorded = backup_on(picture.object(change.channels.node)) or Backup()
        put_keys(edit, picture, change, recorded.channels)
        return
    node = Attributes(picture.object(change.node))
    if isinstance(change, TripleChange):
        for plug, angle in zip(node.plugs(change.compound), change.angles.tolist()):
            if plug.asDouble() != angle:
                edit.set_angle(plug, angle)
    elif isinstance(change, OrderChange):
        edit.set_int(node.plug("rotateOrder"), change.number)
    else:
        plug = node.plug(change.attribute)
        if change.index is not None:
            plug = plug.elementByLogicalIndex(change.index)
        # live check: dag-pose-plain-matrix
        edit.set_matrix(plug, om.MMatrix(change.values.tolist()))
