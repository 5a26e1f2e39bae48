"""USD: a UsdSkel skeleton, with UsdPhysics bodies and joints. Needs usd-core.

Positions and rotations of the skeleton and the bodies are doubles. UsdPhysics attributes are
single precision and its joints have no rotate order, so every joint also stores the exact ranges
of the limits in ``customData["jointlimits"]``. A UsdPhysics joint has a frame on either body and
rotates the second in the first: the body turns by ``frame0 J frame1^-1`` relative to its parent.
So Maya's rotations before and after the rotate channels are the two frames, and ``J`` is the
channels. Angles are degrees. https://openusd.org/release/api/usd_physics_page_front.html and
https://openusd.org/release/api/_usd_skel__schemas.html.
"""

from __future__ import annotations

import importlib
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

import numpy as np

from ..base.errors import MissingPackageError
from ..base.text import number, printable, unique_names
from ..geometry.arrays import Floats
from ..geometry.euler import CHANNELS, axes_of
from ..geometry.quaternion import (
    IDENTITY,
    conjugate,
    multiply,
    quaternion_between_vectors,
    quaternion_from_axis_angle,
    rotated,
)
from ..limits.limit_set import JointLimit, LimitSet
from ..motion.skeleton import Skeleton
from . import joint_models
from .figure import BoneShape, Figure, FigureJoint, bone_shapes, figure_of
from .formats import ExportOptions
from .losses import Exported, Loss, common_losses, losses_of, only_in_json

TURN_DEG = 360.0
LETTERS = "XYZ"
ONE_SIDED_DEG = 1e6
"""Degrees written for a missing limit where the other end is limited: UsdPhysics' own parser takes
a revolute joint with an infinite limit for one without limits."""
WIDEST_CONE_DEG = 179.9
"""Half angle in degrees above which no cone is written; it excludes under a millionth."""
Bounds = tuple[float, float]
LOCKED: Bounds = (1.0, -1.0)
"""Lower limit above the upper one: how the format locks a direction."""


@dataclass(frozen=True, eq=False)
class UsdJoint:
    """A UsdPhysics joint.

    `kind`: "fixed", "revolute", "spherical" or "d6". `frame0`, `frame1`, shape (4,): rotations of
    its frames in the parent body and in the body. `axis`: "X", "Y" or "Z", for a revolute or
    spherical joint. `limits_deg`: low and high by axis letter, both infinite without limits: for
    the axis of a revolute joint, for those axes of a D6 that do not turn freely; for a spherical
    joint, half the opening angle of its cone. `moved`: whether ranges are on another full turn
    than the limits.
    """

    kind: str
    frame0: Floats
    frame1: Floats
    axis: str = "X"
    limits_deg: dict[str, Bounds] = field(default_factory=dict)
    moved: bool = False

    @property
    def cone_deg(self) -> float | None:
        """Half the opening angle of the cone of a spherical joint; None without one."""
        bounds = self.limits_deg.get(self.axis) if self.kind == "spherical" else None
        return None if bounds is None else bounds[0]


def usd_joint(
    joint: FigureJoint, turning: joint_models.BodyJoints, bone: Floats
) -> UsdJoint | None:
    """Return the UsdPhysics joint of a joint.

    `bone`, shape (3,): direction of its bone in joint coordinates; zero if it has none. Returns
    None for a body that moves freely.
    """
    if turning.free:
        return None
    if turning.ball is not None:
        return _spherical(joint, turning, bone)
    if not turning.hinges:
        return UsdJoint("fixed", turning.turn, IDENTITY)
    return _revolute(joint, turning) if len(turning.hinges) == 1 else _d6(joint, turning)


def rest_turn(turning: joint_models.BodyJoints) -> Floats:
    """Rotation of a body relative to its parent in the rest pose, shape (4,)."""
    if turning.ball is not None:
        w, x, y, z = turning.rest
        return multiply(turning.turn, np.array([x, y, z, w]))
    turn = turning.turn
    for hinge, angle in zip(turning.hinges, turning.rest):
        turn = multiply(turn, quaternion_from_axis_angle(hinge.axis, np.asarray(angle)))
    return turn


def _revolute(joint: FigureJoint, turning: joint_models.BodyJoints) -> UsdJoint:
    (hinge,) = turning.hinges
    letter = "X" if hinge.channel == joint_models.OWN_AXIS else LETTERS[hinge.channel]
    unit = np.eye(3)[LETTERS.index(letter)]
    onto = quaternion_between_vectors(unit, hinge.axis)
    if hinge.channel == joint_models.OWN_AXIS:
        bounds, moved = _bounds_deg(hinge.low or 0.0, hinge.high or 0.0)
    else:
        bounds, moved = _bounds_deg(*_channel_bounds(joint, hinge.channel))
    frame0 = multiply(turning.turn, onto)
    return UsdJoint("revolute", frame0, onto, letter, {letter: bounds}, moved)


def _d6(joint: FigureJoint, turning: joint_models.BodyJoints) -> UsdJoint:
    """All three channels; fixed ones are locked at their value."""
    moving = {hinge.channel for hinge in turning.hinges}
    limits: dict[str, Bounds] = {}
    any_moved = False
    for channel, letter in enumerate(LETTERS):
        if channel not in moving:
            still = float(np.degrees(joint.held[channel]))
            bounds, moved = _bounds_deg(np.radians(still), np.radians(still))
            limits[letter] = LOCKED if still == 0.0 else bounds
        else:
            bounds, moved = _bounds_deg(*_channel_bounds(joint, channel))
            if np.isfinite(bounds).any():
                limits[letter] = bounds
        any_moved |= moved
    frame0, frame1 = _outer(joint), conjugate(joint.box.rotate_axis)
    return UsdJoint("d6", frame0, frame1, limits_deg=limits, moved=any_moved)


def _spherical(joint: FigureJoint, turning: joint_models.BodyJoints, bone: Floats) -> UsdJoint:
    """Joint whose X axis lies along the bone and stays in a cone."""
    ball = turning.ball
    assert ball is not None
    unit = np.eye(3)[0]
    length = float(np.linalg.norm(bone))
    if length < 1e-12:
        first = np.eye(3)[axes_of(joint.box.rotate_order)[0]]
        along, length = rotated(conjugate(joint.box.rotate_axis), first), 1.0
    else:
        along = bone / length
    frame1 = quaternion_between_vectors(unit, along)
    if ball.radius >= joint_models.ALL_ROUND and not np.isfinite(joint.box.low).all():
        return UsdJoint("spherical", multiply(turning.turn, frame1), frame1)
    box = joint.box
    cone = joint_models.cone_range(
        box.low, box.high, box.rotate_order, rotated(joint.box.rotate_axis, along)
    )
    middle = rotated(_outer(joint), cone.middle)
    # The frames coincide where the joint is in the middle of its range.
    at_middle = rotated(turning.turn, along)
    onto = multiply(quaternion_between_vectors(at_middle, middle), turning.turn)
    radius = float(np.degrees(cone.radius))
    limits = {"X": (radius, radius)} if radius < WIDEST_CONE_DEG else {}
    return UsdJoint("spherical", multiply(onto, frame1), frame1, "X", limits)


def _outer(joint: FigureJoint) -> Floats:
    return multiply(joint.before, joint.box.joint_orient)


def _channel_bounds(joint: FigureJoint, channel: int) -> Bounds:
    return float(joint.box.low[channel]), float(joint.box.high[channel])


def _bounds_deg(low: float, high: float) -> tuple[Bounds, bool]:
    """Degrees on the turn around zero, and whether they were on another turn."""
    ends = [value for value in (low, high) if np.isfinite(value)]
    turns = round(sum(np.degrees(ends)) / len(ends) / TURN_DEG) if ends else 0
    shift = TURN_DEG * turns
    if not ends:
        return (low, high), False
    least = max(float(np.degrees(low)) - shift, -ONE_SIDED_DEG)
    return (least, min(float(np.degrees(high)) - shift, ONE_SIDED_DEG)), turns != 0


WATER = 1000.0
"""Kilograms per cubic metre."""
BLUE = (0.35, 0.5, 0.68)
KEY = "jointlimits"
"""Key in customData of the exact limits."""


@dataclass(frozen=True, eq=False)
class UsdFigure:
    """Everything written for a figure, as parallel sequences over the joints."""

    figure: Figure
    turning: tuple[joint_models.BodyJoints, ...]
    joints: tuple[UsdJoint | None, ...]
    names: tuple[str, ...]

    def rest_places(self) -> tuple[Floats, Floats]:
        """Positions (joints, 3) and rotations (joints, 4) of the bodies in the world."""
        places, turns = np.zeros((len(self.names), 3)), np.zeros((len(self.names), 4))
        for joint, one in zip(self.figure.joints, self.turning):
            index, parent = joint.index, joint.parent
            turns[index], places[index] = rest_turn(one), joint.place
            if parent >= 0:
                turns[index] = multiply(turns[parent], turns[index])
                places[index] = places[parent] + rotated(turns[parent], joint.place)
        return places, turns


def stage_content(drawn: UsdFigure, character: str, unit: float, ending: str) -> str | bytes:
    """Text or bytes of the file. `unit`: metres per unit of length. `ending`: "usda" for text."""
    from pxr import Usd

    stage = Usd.Stage.CreateInMemory()
    _StageWriter(stage, drawn, unit).write(character)
    layer = stage.GetRootLayer()
    if ending == "usda":
        text: str = layer.ExportToString()
        return text
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "figure.usdc")
        layer.Export(path)
        return Path(path).read_bytes()


class _StageWriter:
    def __init__(self, stage: Any, drawn: UsdFigure, unit: float) -> None:
        self.stage, self.drawn, self.unit = stage, drawn, unit
        self.root = "/Character"

    def write(self, character: str) -> None:
        from pxr import UsdGeom, UsdPhysics, UsdSkel

        UsdGeom.SetStageUpAxis(self.stage, UsdGeom.Tokens.y)
        UsdGeom.SetStageMetersPerUnit(self.stage, self.unit)
        UsdPhysics.SetStageKilogramsPerUnit(self.stage, 1.0)
        root = UsdSkel.Root.Define(self.stage, self.root).GetPrim()
        root.SetCustomDataByKey(f"{KEY}:character", _text(character))
        self.stage.SetDefaultPrim(root)
        UsdPhysics.Scene.Define(self.stage, "/PhysicsScene")
        self._skeleton()
        UsdGeom.Xform.Define(self.stage, f"{self.root}/Bodies")
        UsdGeom.Scope.Define(self.stage, f"{self.root}/Joints")
        places, turns = self.drawn.rest_places()
        children = self.drawn.figure.children()
        for joint in self.drawn.figure.joints:
            bones = [self.drawn.figure.joints[child].place for child in children[joint.index]]
            self._body(joint, places[joint.index], turns[joint.index], bones)
            self._joint(joint)

    def _skeleton(self) -> None:
        from pxr import Gf, UsdSkel, Vt

        figure = self.drawn.figure
        paths: list[str] = []
        for joint, name in zip(figure.joints, self.drawn.names):
            paths.append(name if joint.parent < 0 else f"{paths[joint.parent]}/{name}")
        world = figure.skeleton.rest_world_matrices()
        rest = [
            matrix if joint.parent < 0 else np.linalg.solve(world[joint.parent], matrix)
            for joint, matrix in zip(figure.joints, world)
        ]
        skeleton = UsdSkel.Skeleton.Define(self.stage, f"{self.root}/Skeleton")
        skeleton.CreateJointsAttr(paths)
        skeleton.CreateJointNamesAttr([_text(joint.name) for joint in figure.joints])
        # USD multiplies row vectors by matrices, this package matrices by column vectors.
        for attribute, matrices in (
            (skeleton.CreateBindTransformsAttr(), world),
            (skeleton.CreateRestTransformsAttr(), rest),
        ):
            rows = [Gf.Matrix4d(*matrix.T.ravel().tolist()) for matrix in matrices]
            attribute.Set(Vt.Matrix4dArray(rows))

    def _body(self, joint: FigureJoint, place: Floats, turn: Floats, bones: list[Floats]) -> None:
        from pxr import Gf, UsdGeom, UsdPhysics

        path = f"{self.root}/Bodies/{self.drawn.names[joint.index]}"
        body = UsdGeom.Xform.Define(self.stage, path)
        body.AddTranslateOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Vec3d(*place.tolist()))
        body.AddOrientOp(UsdGeom.XformOp.PrecisionDouble).Set(_quaternion(turn, Gf.Quatd))
        UsdPhysics.RigidBodyAPI.Apply(body.GetPrim())
        shapes = bone_shapes(bones, self.drawn.figure.height())
        for index, shape in enumerate(shapes):
            _draw(UsdGeom.Capsule.Define(self.stage, f"{path}/bone{index}"), shape)
        volumes = [shape.volume() for shape in shapes]
        mass = UsdPhysics.MassAPI.Apply(body.GetPrim())
        mass.CreateMassAttr(sum(volumes) * self.unit**3 * WATER)
        centre = np.average([0.5 * shape.bone for shape in shapes], axis=0, weights=volumes)
        mass.CreateCenterOfMassAttr(Gf.Vec3f(*centre.tolist()))
        if joint.parent < 0 and self.drawn.joints[joint.index] is None:
            UsdPhysics.ArticulationRootAPI.Apply(body.GetPrim())
            _record(body.GetPrim(), joint)

    def _joint(self, joint: FigureJoint) -> None:
        from pxr import Gf, UsdPhysics

        one = self.drawn.joints[joint.index]
        if one is None:
            return
        schemas = {
            "fixed": UsdPhysics.FixedJoint,
            "revolute": UsdPhysics.RevoluteJoint,
            "spherical": UsdPhysics.SphericalJoint,
            "d6": UsdPhysics.Joint,
        }
        name = self.drawn.names[joint.index]
        made = schemas[one.kind].Define(self.stage, f"{self.root}/Joints/{name}")
        bodies = f"{self.root}/Bodies"
        if joint.parent >= 0:
            made.CreateBody0Rel().SetTargets([f"{bodies}/{self.drawn.names[joint.parent]}"])
        made.CreateBody1Rel().SetTargets([f"{bodies}/{name}"])
        made.CreateLocalPos0Attr(Gf.Vec3f(*joint.place.tolist()))
        made.CreateLocalRot0Attr(_quaternion(one.frame0, Gf.Quatf))
        made.CreateLocalPos1Attr(Gf.Vec3f(0.0))
        made.CreateLocalRot1Attr(_quaternion(one.frame1, Gf.Quatf))
        _write_limits(made, one)
        if joint.parent < 0:
            UsdPhysics.ArticulationRootAPI.Apply(made.GetPrim())
        _record(made.GetPrim(), joint)


def _draw(capsule: Any, shape: BoneShape) -> None:
    """Shape a capsule like a bone: along its own X, moved and rotated."""
    from pxr import Gf, UsdGeom

    unit = np.eye(3)[0]
    reach = shape.radius + 0.5 * shape.length
    capsule.CreateAxisAttr(UsdGeom.Tokens.x)
    capsule.CreateRadiusAttr(shape.radius)
    capsule.CreateHeightAttr(shape.length)
    corner = Gf.Vec3f(reach, shape.radius, shape.radius)
    capsule.CreateExtentAttr([-corner, corner])
    capsule.CreateDisplayColorAttr([BLUE])
    middle = (0.5 * shape.bone).tolist()
    capsule.AddTranslateOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Vec3d(*middle))
    turn = quaternion_between_vectors(unit, shape.bone if shape.length > 0.0 else unit)
    capsule.AddOrientOp(UsdGeom.XformOp.PrecisionDouble).Set(_quaternion(turn, Gf.Quatd))


def _write_limits(made: Any, one: UsdJoint) -> None:
    from pxr import UsdPhysics

    if one.kind in ("revolute", "spherical"):
        made.CreateAxisAttr(one.axis)
    if one.kind == "revolute":
        low, high = one.limits_deg[one.axis]
        made.CreateLowerLimitAttr(low)
        made.CreateUpperLimitAttr(high)
    if one.kind == "spherical" and one.limits_deg:
        half_angle, _ = one.limits_deg[one.axis]
        made.CreateConeAngle0LimitAttr(half_angle)
        made.CreateConeAngle1LimitAttr(half_angle)
    if one.kind == "d6":
        directions = {f"trans{letter}": LOCKED for letter in LETTERS}
        directions.update((f"rot{letter}", ends) for letter, ends in one.limits_deg.items())
        for direction, (low, high) in directions.items():
            limit = UsdPhysics.LimitAPI.Apply(made.GetPrim(), direction)
            limit.CreateLowAttr(low)
            limit.CreateHighAttr(high)


def _text(text: str) -> str:
    """Text that USD can hold, with control characters and terminators escaped."""
    whole = text.replace("\0", "\\x00")
    return whole.encode("utf-8", "backslashreplace").decode("utf-8")


def _quaternion(quaternion: Floats, kind: Any) -> Any:
    x, y, z, w = quaternion.tolist()
    return kind(w, x, y, z)


def _record(prim: Any, joint: FigureJoint) -> None:
    """Exact limits of a joint, with all digits."""
    prim.SetCustomDataByKey(f"{KEY}:joint", _text(joint.name))
    if joint.limit is not None:
        for key, value in _limit_record(joint.limit).items():
            prim.SetCustomDataByKey(f"{KEY}:{key}", value)


def _limit_record(limit: JointLimit) -> dict[str, Any]:
    from pxr import Gf

    found: dict[str, Any] = {
        "type": limit.type,
        "rotateOrder": limit.frame.rotate_order,
        "jointOrientDeg": Gf.Vec3d(*limit.frame.joint_orient_deg),
        "rotateAxisDeg": Gf.Vec3d(*limit.frame.rotate_axis_deg),
        "restDeg": Gf.Vec3d(*limit.rest.rotate_deg),
        "preferredDeg": Gf.Vec3d(*limit.preferred_deg),
    }
    for channel in CHANNELS:
        axis = limit.limits[channel]
        found[f"{channel}:state"] = axis.state
        for side, bound in (("minDeg", axis.min_deg), ("maxDeg", axis.max_deg)):
            if bound is not None:
                found[f"{channel}:{side}"] = float(bound)
    return found


def export(limit_set: LimitSet, skeleton: Skeleton | None, options: ExportOptions) -> Exported:
    """Write a stage.

    The ending decides: "usda" is text, "usdc" and "usd" are binary. Raises MissingPackageError if
    usd-core is not installed; the message says how to install it.
    """
    assert skeleton is not None
    require_usd()

    figure = figure_of(limit_set, skeleton)
    turning = [joint_models.body_joints(joint, options) for joint in figure.joints]
    bones = bones_of(figure)
    joints = [usd_joint(*each) for each in zip(figure.joints, turning, bones)]
    names = unique_names((joint.name for joint in figure.joints), usd_name)
    drawn = UsdFigure(figure, tuple(turning), tuple(joints), tuple(names))
    unit = figure.unit(options)
    content = stage_content(drawn, limit_set.character, unit, options.ending)
    triples = list(zip(figure.joints, turning, joints))
    losses = (*figure.losses, *_losses(limit_set, figure, triples, names, options))
    kinds = [made.kind for _, _, made in triples if made is not None]
    words = {"revolute": "revolute", "spherical": "spherical", "d6": "D6", "fixed": "fixed"}
    counted = [f"{kinds.count(kind)} {word}" for kind, word in words.items() if kind in kinds]
    notes = [f"{len(triples)} bodies; joints: {', '.join(counted) or 'none'}"]
    for joint, one, made in triples:
        if made is not None and one.ball is not None:
            notes.append(f"{printable(joint.name)}: {_cone_words(one.ball, made.cone_deg)}")
    return Exported(content, losses, tuple(notes))


def require_usd() -> None:
    """Check that usd-core is available; raises MissingPackageError, saying what to install."""
    try:
        importlib.import_module("pxr.UsdPhysics")
    except ImportError as error:
        raise MissingPackageError(
            "USD export needs usd-core, which is not installed; install it with: "
            f"pip install usd-core ({error})"
        ) from error


def usd_name(name: str) -> str:
    """Valid prim name: characters other than letters, digits and ``_`` become ``_``."""
    plain = re.sub(r"\W", "_", name.lstrip("|"), flags=re.ASCII)
    return f"_{plain}" if plain[:1].isdigit() else plain


def _cone_words(ball: joint_models.BallRange, half_deg: float | None) -> str:
    """Width of a cone, and the share of all rotations that it and the channels allow."""
    box = f"its channels allow {number(100.0 * ball.box_share, 2)} %"
    if half_deg is None:
        return f"no cone, all rotations; {box}"
    # The twist is free, so the share is that of the directions.
    share = 0.5 - 0.5 * float(np.cos(np.radians(half_deg)))
    return (
        f"a cone of {number(half_deg)} degrees around its middle, {number(100.0 * share, 2)} % of "
        f"all rotations; {box}"
    )


_MESSAGES = {
    "rotate-order": "a D6 joint has three angles but no rotate order, and programs apply them in "
    "different orders; the ranges of the three channels were written, the rotate order is in "
    "customData",
    "cone": "a spherical joint keeps the bone in a cone and does not limit its twist; the cone "
    "that contains everything the channels allow was written, which allows more (--joints-as "
    "channels writes the channels)",
    "no-cone": "a spherical joint only has a cone for its bone, and the channels let the bone "
    "point anywhere; no limit was written (--joints-as channels writes the channels)",
    "own-axis": "one hinge about the joint's own axis was written, with the range measured about "
    "it (--joints-as channels writes the channels)",
    "locked-channel": "locked channels are fixed at the rest pose (--locked range writes the "
    "narrow range measured)",
    "other-turn": "ranges on another full turn were moved to the one around zero, since few "
    "programs support joints that wind up; customData has the originals",
    "one-sided": "few programs support one-sided ranges; a million degrees stand for the missing "
    "limit",
    "rest-outside": "the rest pose is outside the limits; Bodies are in the nearest pose inside, "
    "Skeleton is in the rest pose",
    "root-limits": "a free body has no limits; the root's limits are only in customData "
    "(--root-joint hinges writes them)",
    "other-name": "the name is not valid for a USD prim; letters, digits and _ were written, the "
    "original name is in customData",
}
Triple = tuple[FigureJoint, joint_models.BodyJoints, Optional[UsdJoint]]


def _losses(
    limit_set: LimitSet,
    figure: Figure,
    triples: Sequence[Triple],
    names: list[str],
    options: ExportOptions,
) -> Iterator[Loss]:
    own = {joint.limit_name for joint, one, _ in triples if one.is_on_own_axis}
    yield from common_losses(limit_set, "USD", figure.limited_names(), own)
    yield from losses_of(_MESSAGES, _rule_joints(triples, own, options))
    renamed = [joint.name for joint, name in zip(figure.joints, names) if joint.name != name]
    yield from losses_of(_MESSAGES, {"other-name": renamed})
    if options.meters_per_unit is None and figure.skeleton.meters_per_unit is None:
        yield Loss(
            "unknown-unit",
            "the source does not state its length unit; metres were written, so the figure is "
            f"{number(figure.height(), 2)} m in size (--meters-per-unit 0.01 if they are "
            "centimetres)",
        )
    yield Loss(
        "single-precision",
        "UsdPhysics stores positions, orientations and limits of joints in single precision, "
        "about seven digits; customData has all digits",
    )
    yield Loss(
        "masses",
        "limits contain no bodies: capsules along the bones were written with the mass of water; "
        "moments of inertia are left to the program, and collisions are off",
    )
    yield Loss("up-axis", "the source does not state its up axis; Y was written, Maya's default")
    yield from only_in_json(limit_set)


def _rule_joints(
    triples: Sequence[Triple], own: set[str], options: ExportOptions
) -> dict[str, list[str]]:
    """Joints that each rule concerns."""
    made = [(joint, one) for joint, _, one in triples if one is not None]
    balls = [(joint, one) for joint, one in made if one.kind == "spherical"]
    ranged = [joint for joint, one in made if one.kind in ("revolute", "d6")]
    return {
        "rotate-order": [joint.name for joint, one in made if one.kind == "d6"],
        "cone": [joint.name for joint, one in balls if one.cone_deg is not None],
        "no-cone": [j.name for j, one in balls if one.cone_deg is None and j.is_limited],
        "own-axis": [joint.name for joint, _, _ in triples if joint.limit_name in own],
        "locked-channel": [j.name for j, one, _ in triples if _is_held(j, one, own, options)],
        "other-turn": [joint.name for joint, one in made if one.moved],
        "one-sided": [joint.name for joint in ranged if joint.is_one_sided],
        "rest-outside": [
            joint.name for joint, one, _ in triples if joint_models.rests_outside(joint, one)
        ],
        "root-limits": [j.name for j, one, _ in triples if one.free and j.limit is not None],
    }


def _is_held(
    joint: FigureJoint, one: joint_models.BodyJoints, own: set[str], options: ExportOptions
) -> bool:
    """Whether a locked channel with a range is fixed."""
    if one.free or options.locked != "hold" or joint.limit_name in own:
        return False
    return bool((joint.box.high > joint.box.low)[list(joint.locked)].any())


def bones_of(figure: Figure) -> list[Floats]:
    """Direction from every joint to its first child at another position, or zero."""
    least = 1e-9 * figure.height()
    found = [np.zeros(3) for _ in figure.joints]
    for joint in reversed(figure.joints):
        if joint.parent >= 0 and float(np.linalg.norm(joint.place)) > least:
            found[joint.parent] = joint.place
    return found
