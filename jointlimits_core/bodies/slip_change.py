"""Rigid change of a sensor by a slip, from its joints and its jump.

A sensor with rotation R and place t that slips by a turn D and a shift d, both in its own axes
before, has rotation R D and place t + R d. A joint at c before is at D' (c - d) after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..rotation import matrix_from_quaternion, multiply, quaternion_from_rotation_vector
from ..rotation import rotation_vector_from_quaternion as rotation_vector
from .slip_moment import Jump

UNTOLD = np.radians(5.0)
"""Standard deviation of rotations that leave no visible jump."""
TOLD = np.radians(3.0)
"""Standard deviation up to which a rotation counts as known."""
ROUNDS = 10


@dataclass(frozen=True, eq=False)
class JointSides:
    """Place of a joint in a sensor before and after its slip.

    Parameters
    ----------
    before, after : array, shape (3,)
        In the sensor's own frame, metres.
    covariance : array, shape (6, 6)
        Of both together.
    """

    before: Floats
    after: Floats
    covariance: Floats


@dataclass(frozen=True, eq=False)
class SlipChange:
    """The rigid change of a sensor.

    Parameters
    ----------
    turn : array, shape (4,)
        Unit quaternion (x, y, z, w).
    shift : array, shape (3,)
        Metres.
    turn_told : bool
        Whether the rotation is known; otherwise it is assumed to be small.
    """

    turn: Floats
    shift: Floats
    turn_told: bool

    @property
    def distance_m(self) -> float:
        """Distance that the sensor's origin moved."""
        return float(np.linalg.norm(self.shift))

    @property
    def angle_deg(self) -> float:
        """Rotation angle; NaN if unknown."""
        angle = float(np.degrees(np.linalg.norm(rotation_vector(self.turn))))
        return angle if self.turn_told else float("nan")


def slip_change(joints: Sequence[JointSides], jump: Jump | None) -> SlipChange:
    """The change that fits best (generalised least squares, Gauss-Newton).

    Parameters
    ----------
    joints : sequence of JointSides
        Of all joints of the sensor; at least one.
    jump : Jump, optional
        Jump in its own track, if distinct.
    """
    seen, deviation = (np.zeros(3), UNTOLD) if jump is None else (jump.turn, jump.deviation)
    turn, shift = quaternion_from_rotation_vector(seen), np.zeros(3)
    normal = np.zeros((6, 6))
    for _ in range(ROUNDS):
        rows = [_joint_rows(joint, turn, shift) for joint in joints]
        normal = np.sum([design.T @ design for design, _ in rows], axis=0)
        right = np.sum([design.T @ value for design, value in rows], axis=0)
        normal[:3, :3] += np.eye(3) / deviation**2
        right[:3] += (seen - rotation_vector(turn)) / deviation**2
        step = np.linalg.solve(normal, right)
        turn = multiply(quaternion_from_rotation_vector(step[:3]), turn)
        shift = shift + step[3:]
    return SlipChange(turn, shift, _turn_is_told(normal))


def _joint_rows(joint: JointSides, turn: Floats, shift: Floats) -> tuple[Floats, Floats]:
    """Equations for small changes of turn and shift, each of deviation 1."""
    matrix = matrix_from_quaternion(turn)
    x, y, z = turned = matrix @ joint.after
    both = np.concatenate([np.eye(3), -matrix], axis=1)
    root = np.linalg.cholesky(both @ joint.covariance @ both.T)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    design = np.concatenate([-cross, np.eye(3)], axis=1)
    left: Floats = joint.before - turned - shift
    return np.linalg.solve(root, design), np.asarray(np.linalg.solve(root, left), np.float64)


def _turn_is_told(normal: Floats) -> bool:
    """Whether the rotation is known in all directions, whatever the shift."""
    covariance = np.linalg.inv(normal)[:3, :3]
    return bool(np.linalg.eigvalsh(covariance)[-1] <= TOLD**2)
