"""Two-bone ikRPsolver and one-bone ikSCsolver, as poses that Maya stored in scenes show them.

The pole vector is a direction from the start joint in the handle's parent space. The plane of the
chain's preferred pose is turned into the half plane of the handle line and the pole, and the middle
joint bends in that plane; the start joint follows from both, within 1e-6 degrees. Where the
preferred angle is not about one axis of that plane, the middle joint's channels move on a straight
line from the preferred angle to a straight pose. No stored number settles the twist of that pose
about the bone: bending in the plane is then off by up to 3.4 degrees, 0.16 in the start joint.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import TYPE_CHECKING

import numpy as np

from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.matrices import Matrix, euler_angles, inverse, product, rotation
from tests.maya_standin.nodes import Node, Plug

if TYPE_CHECKING:
    from tests.maya_standin.graph import Scene

Array = np.ndarray
Triple = tuple[float, float, float]
NO_ANGLES: Triple = (0.0, 0.0, 0.0)
FLAT = 1e-12
"""Sine of the angle between two directions below which they have no common normal."""


@dataclass(frozen=True)
class Joint:
    """What a joint of a chain has besides its solution; lengths of the scene, angles in radians."""

    translate: Triple
    joint_orient: Triple = NO_ANGLES
    rotate_axis: Triple = NO_ANGLES
    rotate_order: int = 0
    preferred_angle: Triple = NO_ANGLES

    def turned(self, rotate: Triple) -> Array:
        """Rotation of the joint, for row vectors, with these values in its channels."""
        factors = rotation(self.rotate_axis), rotation(rotate, self.rotate_order)
        return _square(product(*factors, rotation(self.joint_orient)))

    def channels(self, turned: Array, near: Triple = NO_ANGLES) -> Triple:
        """Channels that give a rotation: of all equivalent triples the one nearest to another."""
        flat = product(
            inverse(rotation(self.rotate_axis)),
            _matrix(turned),
            inverse(rotation(self.joint_orient)),
        )
        angles = euler_angles(flat, self.rotate_order)
        middle = (1, 2, 0, 2, 0, 1)[self.rotate_order]
        other = [pi - angle if axis == middle else angle + pi for axis, angle in enumerate(angles)]
        triples = [_within_half_a_turn(one, near) for one in (angles, other)]
        return min(triples, key=lambda one: sum(abs(a - b) for a, b in zip(one, near)))


def two_bones(
    start: Joint,
    middle: Joint,
    effector: Triple,
    handle: Array,
    pole: Array,
    straight: Triple | None = None,
) -> tuple[Triple, Triple]:
    """Rotate channels of the start and the middle joint, in radians.

    `effector`: its translate in the middle joint. `handle`, `pole`: place of the handle and
    direction of the pole in the space of the start joint's parent. `straight`: channels of the
    middle joint in the straight pose, where they are known.
    """
    distance = float(np.linalg.norm(np.asarray(handle, float) - start.translate))
    upper, lower = np.array(middle.translate, float), np.array(effector, float)
    normal = _normal(upper, lower @ middle.turned(middle.preferred_angle))
    if straight is None:
        angles = in_plane(middle, upper, lower, normal, distance)
    else:
        angles = on_line(middle, upper, lower, distance, straight)
    reach = upper + lower @ middle.turned(angles)
    return aimed(start, reach, normal, handle, pole), angles


def aimed(start: Joint, reach: Array, normal: Array, handle: Array, pole: Array) -> Triple:
    """Channels of the start joint: the chain's end at the handle, its plane towards the pole.

    `reach`: end of the chain. `normal`: of the preferred pose's plane, even where the middle joint
    has left that plane.
    """
    goal = np.asarray(handle, float) - start.translate
    found = _frame(reach, np.cross(reach, normal))
    return start.channels(found.T @ _frame(goal, np.asarray(pole, float)))


def one_bone(joint: Joint, effector: Triple, handle: Array, rotate: Triple) -> Triple:
    """Channels that point a bone at the handle by the shortest turn from those it has."""
    goal, now = np.asarray(handle, float) - joint.translate, joint.turned(rotate)
    return joint.channels(now @ _shortest(np.asarray(effector, float) @ now, goal), rotate)


def in_plane(middle: Joint, upper: Array, lower: Array, normal: Array, distance: float) -> Triple:
    """Channels of the middle joint, turned from its preferred pose about the plane's normal."""
    pose = middle.turned(middle.preferred_angle)
    bend = bend_for(distance, *(float(np.linalg.norm(bone)) for bone in (upper, lower)))
    turn = _about(normal, bend - _angle_about(normal, upper, lower @ pose))
    return middle.channels(pose @ turn, middle.preferred_angle)


def on_line(middle: Joint, upper: Array, lower: Array, distance: float, straight: Triple) -> Triple:
    """Channels of the middle joint between its preferred angle and the straight pose."""
    preferred, low, high = np.array(middle.preferred_angle), 0.0, 1.0
    for _ in range(100):
        part = 0.5 * (low + high)
        along = lower @ middle.turned(tuple(preferred + part * (straight - preferred)))
        short = float(np.linalg.norm(upper + along)) < distance
        low, high = (part, high) if short else (low, part)
    return tuple(preferred + low * (straight - preferred))


def bend_for(distance: float, upper: float, lower: float) -> float:
    """Angle between two bones (0: straight) that end this far from their start."""
    cosine = (distance**2 - upper**2 - lower**2) / (2.0 * upper * lower)
    return float(np.arccos(np.clip(cosine, -1.0, 1.0)))


def follow(scene: Scene, handle: Node) -> None:
    """Let the joints of a two-bone chain follow their handle, as a solver that nothing connects."""
    start, middle, effector = _chain(scene, handle)

    def solved(seconds: float) -> tuple[Triple, Triple]:
        at = scene.evaluator.at
        into = inverse(at(start, "parentMatrix[0]"))
        place = _square(product(at(handle, "worldMatrix[0]"), into), 4)[3, :3]
        space = _square(product(at(handle, "parentMatrix[0]"), into))
        joints = [_joint(scene, node) for node in (start, middle)]
        pole = np.array(at(handle, "poleVector")) @ space
        return two_bones(*joints, at(effector, "translate"), place, pole)

    for number, node in enumerate((start, middle)):
        for axis, letter in enumerate("XYZ"):
            channel = Plug(node, f"rotate{letter}")
            scene.script(channel, lambda seconds, n=number, a=axis: solved(seconds)[n][a])


def _chain(scene: Scene, handle: Node) -> tuple[Node, Node, Node]:
    """Start joint, middle joint and effector of a handle."""
    start = scene.connections[Plug(handle, "startJoint")].node
    effector = scene.connections[Plug(handle, "endEffector")].node
    middle = effector.parent
    if middle is None or middle.parent is not start:
        raise NotModelledError(f"{handle.name}: chains of other than two bones are not modelled")
    return start, middle, effector


def _joint(scene: Scene, node: Node) -> Joint:
    names = ("translate", "jointOrient", "rotateAxis", "rotateOrder", "preferredAngle")
    return Joint(*(scene.evaluator.at(node, name) for name in names))


def _square(matrix: Matrix, size: int = 3) -> Array:
    return np.array(matrix).reshape(4, 4)[:size, :size]


def _matrix(turned: Array) -> Matrix:
    whole = np.eye(4)
    whole[:3, :3] = turned
    return tuple(whole.ravel().tolist())


def _within_half_a_turn(angles: Triple, near: Triple) -> Triple:
    pairs = zip(angles, near)
    x, y, z = (a + 2.0 * pi * round((goal - a) / (2.0 * pi)) for a, goal in pairs)
    return x, y, z


def _frame(along: Array, beside: Array) -> Array:
    """Rows: direction, the part of the other one at right angles, and their normal."""
    first = along / np.linalg.norm(along)
    second = beside - first * (beside @ first)
    second = second / np.linalg.norm(second)
    return np.array([first, second, np.cross(first, second)])


def _normal(one: Array, other: Array) -> Array:
    normal = np.cross(one, other)
    length = float(np.linalg.norm(normal))
    if length < FLAT * float(np.linalg.norm(one) * np.linalg.norm(other)):
        raise NotModelledError("the plane of a chain that is straight at its preferred angle")
    return np.asarray(normal / length)


def _angle_about(normal: Array, one: Array, other: Array) -> float:
    return float(np.arctan2(np.cross(one, other) @ normal, one @ other))


def _about(axis: Array, angle: float) -> Array:
    """Rotation of row vectors about an axis."""
    x, y, z = axis
    skew = np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])
    return np.asarray(np.eye(3) + np.sin(angle) * skew + (1.0 - np.cos(angle)) * skew @ skew)


def _shortest(one: Array, other: Array) -> Array:
    """Shortest rotation of row vectors that turns one direction into another."""
    normal = np.cross(one, other)
    length = float(np.linalg.norm(normal))
    if length < FLAT * float(np.linalg.norm(one) * np.linalg.norm(other)):
        return np.eye(3)
    return _about(normal / length, float(np.arctan2(length, one @ other)))
