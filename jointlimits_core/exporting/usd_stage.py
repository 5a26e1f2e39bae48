"""USD stage of a figure: skeleton, bodies and joints. Needs usd-core."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..arrays import Floats
from ..joint_frame import CHANNELS
from ..limits.limit_set import JointLimit
from ..rotation import multiply, quaternion_between_vectors, rotated
from .body_joints import BodyJoints
from .bone_shapes import BoneShape, bone_shapes
from .figure import Figure, FigureJoint
from .usd_joint import LETTERS, LOCKED, UsdJoint, rest_turn

WATER = 1000.0
"""Kilograms per cubic metre."""
BLUE = (0.35, 0.5, 0.68)
KEY = "jointlimits"
"""Key in customData of the exact limits."""


@dataclass(frozen=True, eq=False)
class UsdFigure:
    """Everything written for a figure, as parallel sequences over the joints.

    Parameters
    ----------
    joints : tuple of UsdJoint or None
    names : tuple of str
        Prim names.
    """

    figure: Figure
    turning: tuple[BodyJoints, ...]
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
    """Text or bytes of the file.

    Parameters
    ----------
    unit : float
        Metres per unit of length.
    ending : str
        "usda" for text.
    """
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
        for number, shape in enumerate(shapes):
            _draw(UsdGeom.Capsule.Define(self.stage, f"{path}/bone{number}"), shape)
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
