"""The humanoid: where its joints are, how they are oriented, and what each may truly do.

Y is up, the character looks along +Z, its left is +X, lengths are centimeters. The trunk has
world-aligned joints. The limbs are oriented as riggers do it: X runs down the bone and Y points to
the front (for the feet: up). The right side is the left one mirrored with its axes reversed, so
that equal values on both sides are mirrored poses and left and right have the same limits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from jointlimits_core.geometry.arrays import ArrayLike, Floats
from jointlimits_core.geometry.euler import euler_from_quaternion, quaternion_from_euler
from jointlimits_core.geometry.quaternion import conjugate, multiply, quaternion_from_matrix, rotate
from jointlimits_core.motion.skeleton import Skeleton

Bounds = Mapping[str, tuple[float, float]]
Point = tuple[float, float, float]

FRONT, UP = (0.0, 0.0, 1.0), (0.0, 1.0, 0.0)


@dataclass(frozen=True)
class Joint:
    """One joint and its truth.

    Parameters
    ----------
    name, parent : str
        The root has the parent "".
    position : (x, y, z)
        In the world at rest.
    bounds : mapping of "x", "y" or "z" to (min, max)
        Degrees that each moving rotate channel reaches; one for a hinge, none for a fixed joint.
    tip : (x, y, z), optional
        What the joint's X axis points to; None for a world-aligned joint.
    front : (x, y, z)
        What the joint's Y axis points to, as far as X lets it.
    rotate_order : str
        In the Maya scene.
    bvh_order : str
        Rotate order of the joint's BVH channels, in Maya's way of naming.
    hinge_axis : (x, y, z), optional
        In the joint's own frame, where a hinge does not turn about one of the channels.
    tangents : "auto", "flat" or "linear"
        Of the animation curves.
    """

    name: str
    parent: str
    position: Point
    bounds: Bounds = field(default_factory=dict)
    tip: Point | None = None
    front: Point = FRONT
    rotate_order: str = "xyz"
    bvh_order: str = "yxz"
    hinge_axis: Point | None = None
    tangents: str = "auto"

    @property
    def kind(self) -> str:
        """The true joint type: one of fixed, hinge, universal and ball."""
        return ("fixed", "hinge", "universal", "ball")[len(self.bounds)]

    @property
    def side(self) -> str:
        """One of Left, Right, and nothing for the trunk."""
        return next((side for side in ("Left", "Right") if self.name.startswith(side)), "")


TRUNK = (
    Joint(
        "Hips",
        "",
        (0, 96, 0),
        {"x": (-25, 30), "y": (-70, 70), "z": (-20, 20)},
        rotate_order="zxy",
        bvh_order="zxy",
        tangents="linear",
    ),
    Joint(
        "Spine",
        "Hips",
        (0, 106, 0),
        {"x": (-25, 60), "y": (-40, 40), "z": (-30, 30)},
        bvh_order="yzx",
    ),
    Joint("Chest", "Spine", (0, 124, -1)),
    Joint(
        "Neck",
        "Chest",
        (0, 148, -1),
        {"x": (-40, 45), "y": (-65, 65), "z": (-35, 35)},
        rotate_order="yxz",
        tangents="linear",
    ),
    Joint("Head", "Neck", (0, 158, 1)),
)

LEFT_ARM = (
    Joint(
        "LeftClavicle",
        "Chest",
        (2.5, 143, 0),
        {"y": (-15, 35), "z": (-25, 30)},
        tip=(17, 144.5, -2),
        bvh_order="zxy",
    ),
    Joint(
        "LeftShoulder",
        "LeftClavicle",
        (17, 144.5, -2),
        {"x": (-70, 60), "y": (-45, 70), "z": (-40, 105)},
        tip=(40, 128, -3),
        bvh_order="xyz",
    ),
    # Turns exactly about its own Z.
    Joint(
        "LeftElbow",
        "LeftShoulder",
        (40, 128, -3),
        {"z": (0, 145)},
        tip=(61, 115, 0),
        rotate_order="zxy",
        bvh_order="zxy",
        tangents="flat",
    ),
    Joint(
        "LeftWrist",
        "LeftElbow",
        (61, 115, 0),
        {"y": (-70, 60), "z": (-35, 25)},
        tip=(76, 106, 2),
        rotate_order="xzy",
        bvh_order="zxy",
    ),
)

LEFT_LEG = (
    Joint(
        "LeftHip",
        "Hips",
        (9, 93, 0),
        {"x": (-40, 35), "y": (-25, 45), "z": (-25, 110)},
        tip=(10.5, 51, 1),
        bvh_order="zyx",
    ),
    # Turns about an axis 13 degrees off its Z: a rig whose joint was oriented along the bone.
    Joint(
        "LeftKnee",
        "LeftHip",
        (10.5, 51, 1),
        {"z": (0, 140)},
        tip=(11, 9.5, -2),
        bvh_order="xyz",
        hinge_axis=(0.18, -0.13, -0.975),
        tangents="linear",
    ),
    Joint(
        "LeftAnkle",
        "LeftKnee",
        (11, 9.5, -2),
        {"x": (-20, 35), "z": (-45, 25)},
        tip=(12.5, 2.5, 10),
        front=UP,
        rotate_order="zyx",
        bvh_order="xyz",
    ),
    Joint(
        "LeftToe",
        "LeftAnkle",
        (12.5, 2.5, 10),
        {"z": (-30, 60)},
        tip=(13.2, 1, 17),
        front=UP,
        bvh_order="xyz",
    ),
)


def _mirrored(point: Point) -> Point:
    return (-point[0], point[1], point[2])


def _right(limb: tuple[Joint, ...]) -> tuple[Joint, ...]:
    return tuple(
        replace(
            joint,
            name=joint.name.replace("Left", "Right"),
            parent=joint.parent.replace("Left", "Right"),
            position=_mirrored(joint.position),
            tip=None if joint.tip is None else _mirrored(joint.tip),
        )
        for joint in limb
    )


JOINTS = TRUNK + LEFT_ARM + _right(LEFT_ARM) + LEFT_LEG + _right(LEFT_LEG)
"""All 21, depth first."""


def _unit(vector: ArrayLike) -> Floats:
    v = np.asarray(vector, dtype=np.float64)
    return np.asarray(v / np.linalg.norm(v))


def unit_axis(joint: Joint) -> Floats:
    """Axis of a hinge in the joint's own frame, unit length, shape (3,)."""
    if joint.hinge_axis is not None:
        return _unit(joint.hinge_axis)
    return np.asarray(np.eye(3)["xyz".index(next(iter(joint.bounds)))])


def _oriented(joint: Joint) -> Floats:
    """World rotation of the joint at rest, before its numbers are rounded for the file."""
    if joint.tip is None:
        return np.array([0.0, 0.0, 0.0, 1.0])
    sign = -1.0 if joint.side == "Right" else 1.0
    x = sign * _unit(np.subtract(joint.tip, joint.position))
    z = _unit(np.cross(x, sign * np.array(joint.front)))
    return quaternion_from_matrix(np.stack([x, np.cross(z, x), z], axis=1))


def _rounded(values: ArrayLike, decimals: int = 6) -> Floats:
    return np.asarray(np.round(np.asarray(values, dtype=np.float64), decimals) + 0.0)


def maya_skeleton() -> Skeleton:
    """Skeleton of the Maya scene; its rest pose has all rotate channels at 0.

    Joint orients are whole millionths of a degree and offsets of a centimeter, so that the scene
    holds exactly the numbers that the motion is computed with.
    """
    names = [joint.name for joint in JOINTS]
    parents = [names.index(joint.parent) if joint.parent else -1 for joint in JOINTS]
    orients, offsets = np.empty((2, len(JOINTS), 4)), np.empty((len(JOINTS), 3))
    local, world = orients
    for index, (joint, parent) in enumerate(zip(JOINTS, parents)):
        above = np.array([0.0, 0.0, 0.0, 1.0]) if parent < 0 else world[parent]
        origin = np.zeros(3) if parent < 0 else np.array(JOINTS[parent].position)
        wanted = euler_from_quaternion(multiply(conjugate(above), _oriented(joint)))
        local[index] = quaternion_from_euler(np.radians(_rounded(np.degrees(wanted))))
        world[index] = multiply(above, local[index])
        offsets[index] = _rounded(rotate(conjugate(above), np.array(joint.position) - origin))
    return Skeleton(
        names=tuple(names),
        parents=np.array(parents),
        offsets=offsets,
        rest_rotations=local,
        rest_source="bind",
        rotate_orders=tuple(joint.rotate_order for joint in JOINTS),
        joint_orients=local,
        name="Humanoid",
        meters_per_unit=0.01,
    )


def joint_orients_deg(skeleton: Skeleton) -> Floats:
    """Values of the jointOrient attributes, shape (joints, 3)."""
    return _rounded(np.degrees(euler_from_quaternion(skeleton.joint_orients)))


def rest_frames(skeleton: Skeleton) -> Floats:
    """World rotation of every joint at rest, shape (joints, 4)."""
    return quaternion_from_matrix(skeleton.rest_world_matrices()[:, :3, :3])


def bvh_skeleton(skeleton: Skeleton) -> Skeleton:
    """Give the same joints at the same places, all world-aligned at rest: BVH has no jointOrient.

    The root's offset is zero; its position channels place it.
    """
    places = skeleton.rest_world_matrices()[:, :3, 3]
    parents = np.maximum(skeleton.parents, 0)
    return Skeleton(
        names=skeleton.names,
        parents=skeleton.parents,
        offsets=_rounded(places - places[parents]),
        rotate_orders=tuple(joint.bvh_order for joint in JOINTS),
        name=skeleton.name,
    )


def bone_end(joint: Joint) -> Floats:
    """End of a bone relative to its joint in the world at rest, shape (3,)."""
    if joint.tip is None:
        return np.array([0.0, 18.0, 0.0])
    return _rounded(np.subtract(joint.tip, joint.position))
