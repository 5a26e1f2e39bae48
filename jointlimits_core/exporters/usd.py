"""USD: a UsdSkel skeleton, with UsdPhysics bodies and joints. Needs usd-core.

Positions and rotations of the skeleton and the bodies are doubles. UsdPhysics attributes are
single precision, and UsdPhysics joints have no rotate order, so every joint also stores its exact
limits in ``customData["jointlimits"]``. A UsdPhysics joint has a frame on each body: the second
body turns by ``frame0 J frame1^-1`` relative to the first, its parent. So the two frames are Maya's
rotations before and after the rotate channels, and ``J`` is the channels. Angles are in degrees.
See https://openusd.org/release/api/usd_physics_page_front.html and
https://openusd.org/release/api/_usd_skel__schemas.html.
"""

from __future__ import annotations

import importlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

import numpy as np

from ..base.errors import MissingPackageError
from ..base.text import identifier, number, printable, unique_names
from ..geometry import quaternion
from ..geometry.arrays import Floats
from ..geometry.euler import CHANNELS, axes_of
from ..limits.limit_set import LimitSet
from ..motion.skeleton import Skeleton
from . import formats, joint_models
from .figure import DENSITY_KG_PER_M3, BoneShape, Figure, FigureJoint, bone_shapes
from .losses import Exported, Loss

TURN_DEG = 360.0
LETTERS = "XYZ"
ONE_SIDED_DEG = 1e6
"""Degrees written for a missing limit if the other end has a limit: UsdPhysics' own parser treats a
revolute joint with an infinite limit as having no limits."""
MAX_CONE_DEG = 179.9
"""Maximum half angle of a cone, degrees; wider ones exclude under a millionth of all directions."""
Bounds = tuple[float, float]
LOCKED: Bounds = (1.0, -1.0)
"""Lower limit above the upper limit, which is how the format locks a direction."""


@dataclass(frozen=True, eq=False)
class UsdJoint:
    """A UsdPhysics joint.

    `kind`: "fixed", "revolute", "spherical" or "d6". `frame0`, `frame1`, shape (4,): rotations of
    its frames in the parent body and in the body. `limits_deg`: low and high by axis letter, for a
    revolute joint's axis (both infinite if it has no limits) and for the axes of a D6 that do not
    turn freely. `cone_deg`: half the opening angle of the cone around a spherical joint's X axis,
    or None. `moved`: whether ranges were moved by full turns.
    """

    kind: str
    frame0: Floats
    frame1: Floats
    limits_deg: dict[str, Bounds] = field(default_factory=dict)
    cone_deg: float | None = None
    moved: bool = False


def usd_joint(
    joint: FigureJoint, turning: joint_models.BodyJoints, bone: Floats
) -> UsdJoint | None:
    """Return the UsdPhysics joint for a figure joint.

    `bone`, shape (3,): direction of its bone in joint coordinates; zero if it has none. Returns
    None for a body that moves freely.
    """
    if turning.free:
        return None
    if turning.ball is not None:
        return _spherical(joint, turning.turn, turning.ball, bone)
    if not turning.hinges:
        return UsdJoint("fixed", turning.turn, quaternion.IDENTITY)
    if len(turning.hinges) > 1:
        return _d6(joint, turning)
    hinge, is_own = turning.hinges[0], turning.is_on_own_axis
    axis = 0 if is_own else hinge.channel
    onto = quaternion.quaternion_between_vectors(np.eye(3)[axis], hinge.axis)
    ends = (hinge.low or 0.0, hinge.high or 0.0)
    bounds, moved = _bounds_deg(*(ends if is_own else (joint.box.low[axis], joint.box.high[axis])))
    frame0 = quaternion.multiply(turning.turn, onto)
    return UsdJoint("revolute", frame0, onto, {LETTERS[axis]: bounds}, moved=moved)


def _d6(joint: FigureJoint, turning: joint_models.BodyJoints) -> UsdJoint:
    """D6 joint with all three channels; channels that do not move are locked at their value."""
    moving = {hinge.channel for hinge in turning.hinges}
    limits: dict[str, Bounds] = {}
    any_moved = False
    for channel, letter in enumerate(LETTERS):
        if channel not in moving:
            still = float(np.degrees(joint.clamped_rest[channel]))
            bounds, moved = _bounds_deg(np.radians(still), np.radians(still))
            limits[letter] = LOCKED if still == 0.0 else bounds
        else:
            bounds, moved = _bounds_deg(joint.box.low[channel], joint.box.high[channel])
            if np.isfinite(bounds).any():
                limits[letter] = bounds
        any_moved |= moved
    frame0 = quaternion.multiply(joint.before, joint.box.joint_orient)
    frame1 = quaternion.conjugate(joint.box.rotate_axis)
    return UsdJoint("d6", frame0, frame1, limits, moved=any_moved)


def _spherical(
    joint: FigureJoint, turn: Floats, ball: joint_models.BallRange, bone: Floats
) -> UsdJoint:
    """Spherical joint whose X axis lies along the bone and stays in a cone."""
    box, length = joint.box, float(np.linalg.norm(bone))
    if length < 1e-12:
        first = np.eye(3)[axes_of(box.rotate_order)[0]]
        along = quaternion.rotate(quaternion.conjugate(box.rotate_axis), first)
    else:
        along = bone / length
    frame1 = quaternion.quaternion_between_vectors(np.eye(3)[0], along)
    if ball.radius >= joint_models.MAX_TURN_RAD and not np.isfinite(box.low).all():
        return UsdJoint("spherical", quaternion.multiply(turn, frame1), frame1)
    around = quaternion.rotate(box.rotate_axis, along)
    cone = joint_models.cone_range(box.low, box.high, box.rotate_order, around)
    middle = quaternion.rotate(quaternion.multiply(joint.before, box.joint_orient), cone.middle)
    # The frames coincide when the joint is in the middle of its range.
    between = quaternion.quaternion_between_vectors(quaternion.rotate(turn, along), middle)
    frame0 = quaternion.multiply(quaternion.multiply(between, turn), frame1)
    radius = float(np.degrees(cone.radius))
    cone_deg = radius if radius < MAX_CONE_DEG else None
    return UsdJoint("spherical", frame0, frame1, cone_deg=cone_deg)


def _bounds_deg(low: float, high: float) -> tuple[Bounds, bool]:
    """Limits in degrees, moved by full turns to lie around zero, and whether they were moved."""
    ends = [float(np.degrees(value)) for value in (low, high)]
    known = [end for end in ends if np.isfinite(end)]
    if not known:
        return (float(low), float(high)), False
    turns = round(sum(known) / len(known) / TURN_DEG)
    least, most = (end - TURN_DEG * turns for end in ends)
    return (max(least, -ONE_SIDED_DEG), min(most, ONE_SIDED_DEG)), turns != 0


BLUE = (0.35, 0.5, 0.68)
KEY = "jointlimits"
"""customData key for the exact limits."""


class _StageWriter(joint_models.BodyModel):
    """Writer of a figure; sequences have one item per joint."""

    root = "/Character"

    def write(self) -> None:
        """Write the whole stage."""
        from pxr import Usd, UsdGeom, UsdPhysics, UsdSkel

        self.stage = Usd.Stage.CreateInMemory()
        figure = self.figure
        self.joints = [usd_joint(*e) for e in zip(figure.joints, self.turning, bones_of(figure))]
        self.names = unique_names((joint.name for joint in figure.joints), usd_name)
        UsdGeom.SetStageUpAxis(self.stage, UsdGeom.Tokens.y)
        UsdGeom.SetStageMetersPerUnit(self.stage, self.unit)
        UsdPhysics.SetStageKilogramsPerUnit(self.stage, 1.0)
        root = UsdSkel.Root.Define(self.stage, self.root).GetPrim()
        root.SetCustomDataByKey(f"{KEY}:character", _text(self.limit_set.character))
        self.stage.SetDefaultPrim(root)
        UsdPhysics.Scene.Define(self.stage, "/PhysicsScene")
        self._write_skeleton()
        UsdGeom.Xform.Define(self.stage, f"{self.root}/Bodies")
        UsdGeom.Scope.Define(self.stage, f"{self.root}/Joints")
        places, turns = self._rest_places()
        for joint in self.figure.joints:
            bones = [self.figure.joints[child].place for child in self.children[joint.index]]
            self._write_body(joint, places[joint.index], turns[joint.index], bones)
            self._write_joint(joint)

    def content(self, ending: str) -> str | bytes:
        """Text of the file for "usda", else its bytes."""
        layer: Any = self.stage.GetRootLayer()
        if ending == "usda":
            return str(layer.ExportToString())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "figure.usdc")
            layer.Export(path)
            return Path(path).read_bytes()

    def _rest_places(self) -> tuple[Floats, Floats]:
        """Positions (joints, 3) and rotations (joints, 4) of the bodies in the world at rest."""
        places, turns = np.zeros((len(self.names), 3)), np.zeros((len(self.names), 4))
        for joint, one in zip(self.figure.joints, self.turning):
            index, parent, turn = joint.index, joint.parent, one.turn
            if one.ball is not None:
                turn = quaternion.multiply(turn, np.roll(one.rest, -1))
            for hinge, angle in zip(one.hinges, one.rest):
                about = quaternion.quaternion_from_axis_angle(hinge.axis, np.asarray(angle))
                turn = quaternion.multiply(turn, about)
            turns[index], places[index] = turn, joint.place
            if parent >= 0:
                turns[index] = quaternion.multiply(turns[parent], turn)
                places[index] = places[parent] + quaternion.rotate(turns[parent], joint.place)
        return places, turns

    def _write_skeleton(self) -> None:
        from pxr import Gf, UsdSkel, Vt

        figure = self.figure
        paths: list[str] = []
        for joint, name in zip(figure.joints, self.names):
            paths.append(name if joint.parent < 0 else f"{paths[joint.parent]}/{name}")
        world = figure.skeleton.rest_world_matrices()
        rest = [
            matrix if joint.parent < 0 else np.linalg.solve(world[joint.parent], matrix)
            for joint, matrix in zip(figure.joints, world)
        ]
        skeleton = UsdSkel.Skeleton.Define(self.stage, f"{self.root}/Skeleton")
        skeleton.CreateJointsAttr(paths)
        skeleton.CreateJointNamesAttr([_text(joint.name) for joint in figure.joints])
        # USD multiplies row vectors by matrices; this package multiplies matrices by columns.
        bind, at_rest = skeleton.CreateBindTransformsAttr(), skeleton.CreateRestTransformsAttr()
        for attribute, matrices in ((bind, world), (at_rest, rest)):
            rows = [Gf.Matrix4d(*matrix.T.ravel().tolist()) for matrix in matrices]
            attribute.Set(Vt.Matrix4dArray(rows))

    def _write_body(
        self, joint: FigureJoint, place: Floats, turn: Floats, bones: list[Floats]
    ) -> None:
        from pxr import Gf, UsdGeom, UsdPhysics

        path = f"{self.root}/Bodies/{self.names[joint.index]}"
        body = UsdGeom.Xform.Define(self.stage, path)
        _place(body, place, turn)
        UsdPhysics.RigidBodyAPI.Apply(body.GetPrim())
        shapes = bone_shapes(bones, self.figure.height())
        for index, shape in enumerate(shapes):
            _draw(UsdGeom.Capsule.Define(self.stage, f"{path}/bone{index}"), shape)
        volumes = [shape.volume() for shape in shapes]
        mass = UsdPhysics.MassAPI.Apply(body.GetPrim())
        mass.CreateMassAttr(sum(volumes) * self.unit**3 * DENSITY_KG_PER_M3)
        centre = np.average([0.5 * shape.bone for shape in shapes], axis=0, weights=volumes)
        mass.CreateCenterOfMassAttr(Gf.Vec3f(*centre.tolist()))
        if joint.parent < 0 and self.joints[joint.index] is None:
            UsdPhysics.ArticulationRootAPI.Apply(body.GetPrim())
            _record(body.GetPrim(), joint)

    def _write_joint(self, joint: FigureJoint) -> None:
        from pxr import Gf, UsdPhysics

        one = self.joints[joint.index]
        if one is None:
            return
        schemas = {
            "fixed": UsdPhysics.FixedJoint,
            "revolute": UsdPhysics.RevoluteJoint,
            "spherical": UsdPhysics.SphericalJoint,
            "d6": UsdPhysics.Joint,
        }
        name, bodies = self.names[joint.index], f"{self.root}/Bodies"
        made = schemas[one.kind].Define(self.stage, f"{self.root}/Joints/{name}")
        if joint.parent >= 0:
            made.CreateBody0Rel().SetTargets([f"{bodies}/{self.names[joint.parent]}"])
        made.CreateBody1Rel().SetTargets([f"{bodies}/{name}"])
        made.CreateLocalPos0Attr(Gf.Vec3f(*joint.place.tolist()))
        made.CreateLocalRot0Attr(Gf.Quatf(*quaternion.w_first(one.frame0)))
        made.CreateLocalPos1Attr(Gf.Vec3f(0.0))
        made.CreateLocalRot1Attr(Gf.Quatf(*quaternion.w_first(one.frame1)))
        _write_limits(made, one)
        if joint.parent < 0:
            UsdPhysics.ArticulationRootAPI.Apply(made.GetPrim())
        _record(made.GetPrim(), joint)


def _place(shape: Any, place: Floats, turn: Floats) -> None:
    from pxr import Gf, UsdGeom

    double = UsdGeom.XformOp.PrecisionDouble
    shape.AddTranslateOp(double).Set(Gf.Vec3d(*place.tolist()))
    shape.AddOrientOp(double).Set(Gf.Quatd(*quaternion.w_first(turn)))


def _draw(capsule: Any, shape: BoneShape) -> None:
    """Give a capsule along its own X axis the size, position and rotation of a bone."""
    from pxr import Gf, UsdGeom

    unit = np.eye(3)[0]
    capsule.CreateAxisAttr(UsdGeom.Tokens.x)
    capsule.CreateRadiusAttr(shape.radius)
    capsule.CreateHeightAttr(shape.length)
    corner = Gf.Vec3f(shape.radius + 0.5 * shape.length, shape.radius, shape.radius)
    capsule.CreateExtentAttr([-corner, corner])
    capsule.CreateDisplayColorAttr([BLUE])
    turn = quaternion.quaternion_between_vectors(unit, shape.bone if shape.length > 0.0 else unit)
    _place(capsule, 0.5 * shape.bone, turn)


def _write_limits(made: Any, one: UsdJoint) -> None:
    from pxr import UsdPhysics

    if one.kind == "revolute":
        ((letter, (low, high)),) = one.limits_deg.items()
        made.CreateAxisAttr(letter)
        made.CreateLowerLimitAttr(low)
        made.CreateUpperLimitAttr(high)
    elif one.kind == "spherical":
        made.CreateAxisAttr("X")
        if one.cone_deg is not None:
            made.CreateConeAngle0LimitAttr(one.cone_deg)
            made.CreateConeAngle1LimitAttr(one.cone_deg)
    elif one.kind == "d6":
        directions = {f"trans{letter}": LOCKED for letter in LETTERS}
        directions.update((f"rot{letter}", ends) for letter, ends in one.limits_deg.items())
        for direction, (low, high) in directions.items():
            limit = UsdPhysics.LimitAPI.Apply(made.GetPrim(), direction)
            limit.CreateLowAttr(low)
            limit.CreateHighAttr(high)


def _text(text: str) -> str:
    """Text that USD can hold, with null characters and lone surrogates escaped."""
    whole = text.replace("\0", "\\x00")
    return whole.encode("utf-8", "backslashreplace").decode("utf-8")


def _record(prim: Any, joint: FigureJoint) -> None:
    """Store a joint's limits in customData with full precision."""
    from pxr import Gf

    found: dict[str, Any] = {"joint": _text(joint.name)}
    limit = joint.limit
    if limit is not None:
        found |= {
            "type": limit.type,
            "rotateOrder": limit.orientation.rotate_order,
            "jointOrientDeg": Gf.Vec3d(*limit.orientation.joint_orient_deg),
            "rotateAxisDeg": Gf.Vec3d(*limit.orientation.rotate_axis_deg),
            "restDeg": Gf.Vec3d(*limit.rest.rotate_deg),
            "preferredDeg": Gf.Vec3d(*limit.preferred_deg),
        }
        for channel in CHANNELS:
            axis = limit.limits[channel]
            found[f"{channel}:state"] = axis.state
            for side, bound in (("minDeg", axis.min_deg), ("maxDeg", axis.max_deg)):
                if bound is not None:
                    found[f"{channel}:{side}"] = float(bound)
    for key, value in found.items():
        prim.SetCustomDataByKey(f"{KEY}:{key}", value)


def export(
    limit_set: LimitSet, skeleton: Skeleton | None, options: formats.ExportOptions
) -> Exported:
    """Write a stage.

    The file ending selects text ("usda") or binary ("usdc" and "usd"). Raises MissingPackageError
    if usd-core is not installed; the message says how to install it.
    """
    assert skeleton is not None
    try:
        importlib.import_module("pxr.UsdPhysics")
    except ImportError as error:
        raise MissingPackageError(
            "USD export needs usd-core, which is not installed; install it with: "
            f"pip install usd-core ({error})"
        ) from error
    writer = _StageWriter(limit_set, skeleton, options, "USD")
    writer.write()
    bodies = list(zip(writer.figure.joints, writer.turning, writer.joints, writer.names))
    rules = _joints_by_loss(bodies)
    losses = writer.losses(
        *_ALWAYS_LOST, unit="metres were written", messages=_MESSAGES, own_rules=rules
    )
    return Exported(writer.content(options.ending), losses, tuple(_notes(bodies)))


_Body = tuple[FigureJoint, joint_models.BodyJoints, Optional[UsdJoint], str]


def _joints_by_loss(bodies: Sequence[_Body]) -> dict[str, list[str]]:
    made = [(joint, one) for joint, _, one, _ in bodies if one is not None]
    balls = [(joint, one) for joint, one in made if one.kind == "spherical"]
    ranged = [joint for joint, one in made if one.kind in ("revolute", "d6")]
    return {
        "rotate-order": [joint.name for joint, one in made if one.kind == "d6"],
        "cone": [joint.name for joint, one in balls if one.cone_deg is not None],
        "no-cone": [j.name for j, one in balls if one.cone_deg is None and j.is_limited],
        "other-turn": [joint.name for joint, one in made if one.moved],
        "one-sided": [joint.name for joint in ranged if joint.is_one_sided],
        "root-limits": [j.name for j, body, *_ in bodies if body.free and j.limit is not None],
        "other-name": [joint.name for joint, *_, name in bodies if joint.name != name],
    }


def _notes(bodies: Sequence[_Body]) -> Iterator[str]:
    """Counts of bodies and joints, and the cone of each ball joint."""
    kinds = [one.kind.replace("d6", "D6") for _, _, one, _ in bodies if one is not None]
    shown = ("revolute", "spherical", "D6", "fixed")
    counted = [f"{kinds.count(kind)} {kind}" for kind in shown if kind in kinds]
    yield f"{len(bodies)} bodies; joints: {', '.join(counted) or 'none'}"
    for joint, body, one, _ in bodies:
        if one is not None and body.ball is not None:
            words = "no cone, all rotations"
            if one.cone_deg is not None:
                # The twist is free, so directions and rotations have the same share.
                share = number(50.0 - 50.0 * float(np.cos(np.radians(one.cone_deg))), 2)
                cone = f"a cone of {number(one.cone_deg)} degrees around its middle"
                words = f"{cone}, {share} % of all rotations"
            box = number(100.0 * body.ball.box_share, 2)
            yield f"{printable(joint.name)}: {words}; its channels allow {box} %"


def usd_name(name: str) -> str:
    """Valid prim name: characters other than letters, digits and ``_`` become ``_``."""
    return identifier(name.lstrip("|"))


_MESSAGES = {
    "rotate-order": "a D6 joint has three angles but no rotate order, and programs apply them in "
    "different orders; the ranges of the three channels were written, and the rotate order is "
    "in customData",
    "cone": "a spherical joint keeps the bone in a cone and does not limit its twist; the cone "
    "that contains everything the channels allow was written, and it allows more (--joints-as "
    "channels writes the channels)",
    "no-cone": "a spherical joint only has a cone for its bone, and the channels let the bone "
    "point anywhere; no limit was written (--joints-as channels writes the channels)",
    "own-axis": joint_models.MESSAGES["own-axis"],
    "locked-channel": joint_models.MESSAGES["locked-channel"],
    "other-turn": "ranges on another full turn were moved to the turn around zero, since few "
    "programs support joints that wind up; customData has the originals",
    "one-sided": "few programs support one-sided ranges; the missing limit was written as a "
    "million degrees",
    "rest-outside": "the rest pose is outside the limits; Bodies are in the nearest pose inside, "
    "Skeleton is in the rest pose",
    "root-limits": "a free body has no limits; the root's limits are only in customData "
    "(to write them: --root-joint hinges)",
    "other-name": "the name is not valid for a USD prim; letters, digits and _ were written, and "
    "the original name is in customData",
}


_ALWAYS_LOST = (
    Loss(
        "single-precision",
        "UsdPhysics stores joint positions, orientations and limits in single precision, "
        "about seven digits; customData has all digits",
    ),
    Loss(
        "masses",
        "limits contain no bodies: capsules with the density of water were written along the "
        "bones; moments of inertia are left to the program, and collisions are off",
    ),
    Loss("up-axis", "the source does not state its up axis; Y was written, Maya's default"),
)


def bones_of(figure: Figure) -> list[Floats]:
    """Direction from every joint to its first child at a different position; zero if none."""
    least = 1e-9 * figure.height()
    found = [np.zeros(3) for _ in figure.joints]
    for joint in reversed(figure.joints):
        if joint.parent >= 0 and float(np.linalg.norm(joint.place)) > least:
            found[joint.parent] = joint.place
    return found
