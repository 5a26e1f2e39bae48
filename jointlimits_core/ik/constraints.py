"""Joint limits of every kind as constraints for inverse kinematics.

A solver needs the nearest allowed rotation, the directions in which the joint can turn at all, and
the direction that is blocked because the joint is at a limit. A solver that ignores blocked
directions uses clamped degrees of freedom in every step, and stalls (Baerlocher and Boulic, 2004).
Directions are rotation vectors in the joint's own space: turning by d takes q to ``q exp(d)``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..geometry import quaternion
from ..geometry.arrays import ArrayLike, Floats
from ..geometry.circle import into_box, middle_of_box
from ..geometry.euler import TURN
from ..shapes.shape import CoupledShape

AT_LIMIT_RAD = 1e-6
"""An angle this close to a limit, in radians, counts as at the limit."""
PROBE_RAD = 1e-3
"""Size of the small turn that tests whether a shape blocks a direction."""
MIN_BLOCKED_SHARE = 0.02
"""Smallest share of a probe that is pushed back if its direction is blocked."""


class JointConstraint:
    """Limit of one joint, for rotations of shape (..., 4); this base class has no limit.

    Constraints of one kind can be stacked for several joints at once (:func:`.stacked_by_kind`);
    their rotations then have the shape (..., joints, 4).
    """

    drivers: tuple[int, ...] = ()
    """Joints that drive the limit, if any; rotations are then the drivers' and its own."""

    def middle(self) -> Floats:
        """Rotation in the middle of the allowed range, or the identity if undefined."""
        return np.array(quaternion.IDENTITY)

    def project(self, rotation: Floats) -> Floats:
        """Nearby allowed rotations, shape (..., 4); rotations inside the limits are unchanged."""
        return rotation

    def movable(self, rotation: Floats) -> Floats:
        """Orthogonal projectors onto the free directions of the joint's type, (..., 3, 3)."""
        return np.broadcast_to(np.eye(3), (*rotation.shape[:-1], 3, 3))

    def blocked_direction(self, rotation: Floats, step: Floats) -> Floats:
        """Unit direction in which each `step` leaves the limits immediately, (..., 3), or zero.

        A solver removes this direction, then asks again for the remaining step.
        """
        return np.zeros(step.shape)


@dataclass(frozen=True, eq=False)
class FixedJoint(JointConstraint):
    """A joint that has only one rotation, shape (4,)."""

    rotation: Floats

    def middle(self) -> Floats:
        """See :class:`JointConstraint`."""
        return self.rotation

    def project(self, rotation: Floats) -> Floats:
        """See :class:`JointConstraint`."""
        return np.broadcast_to(self.rotation, rotation.shape)

    def movable(self, rotation: Floats) -> Floats:
        """See :class:`JointConstraint`."""
        return np.zeros((*rotation.shape[:-1], 3, 3))


@dataclass(frozen=True, eq=False)
class HingeJoint(JointConstraint):
    """A joint that turns about one axis, within a range or freely."""

    axis: Floats
    """Unit vector in the joint's own space, shape (3,) or (joints, 3)."""
    reference: Floats
    """Rotation at angle zero, shape (4,) or (joints, 4)."""
    low: ArrayLike = -np.inf
    high: ArrayLike = np.inf
    """Range about the axis, radians, shape (joints,); free if infinite, or a full turn wide."""

    @property
    def _ends(self) -> tuple[Floats, Floats]:
        """Ends of the range; infinite where every angle is allowed."""
        low, high = np.asarray(self.low, np.float64), np.asarray(self.high, np.float64)
        limited = high - low < TURN
        return np.where(limited, low, -np.inf), np.where(limited, high, np.inf)

    def middle(self) -> Floats:
        """See :class:`JointConstraint`."""
        low, high = self._ends
        middle = middle_of_box(low, high)
        return quaternion.multiply(
            self.reference, quaternion.quaternion_from_axis_angle(self.axis, middle)
        )

    def angle(self, rotation: Floats) -> Floats:
        """Signed angle about the axis, radians, on the turn that is nearest to the range."""
        relative = quaternion.multiply(quaternion.conjugate(self.reference), rotation)
        along = np.sum(relative[..., :3] * self.axis, axis=-1)
        flip = np.where(relative[..., 3] < 0.0, -1.0, 1.0)
        angle = 2.0 * np.arctan2(flip * along, flip * relative[..., 3])
        return into_box(angle, *self._ends)

    def project(self, rotation: Floats) -> Floats:
        """See :class:`JointConstraint`; the result is exactly the nearest rotation."""
        angle = np.clip(self.angle(rotation), *self._ends)
        return quaternion.multiply(
            self.reference, quaternion.quaternion_from_axis_angle(self.axis, angle)
        )

    def movable(self, rotation: Floats) -> Floats:
        """See :class:`JointConstraint`."""
        outer = self.axis[..., :, None] * self.axis[..., None, :]
        return np.broadcast_to(outer, (*rotation.shape[:-1], 3, 3))

    def blocked_direction(self, rotation: Floats, step: Floats) -> Floats:
        """See :class:`JointConstraint`."""
        low, high = self._ends
        angle, rate = self.angle(rotation), np.sum(step * self.axis, axis=-1)
        up = (angle > high - AT_LIMIT_RAD) & (rate > 0.0)
        down = (angle < low + AT_LIMIT_RAD) & (rate < 0.0)
        return np.asarray((up * 1.0 - down * 1.0)[..., None] * self.axis)


@dataclass(frozen=True, eq=False)
class UniversalJoint(JointConstraint):
    """A joint with two perpendicular axes, one fixed in the parent and one in the joint.

    `parent_axis` and `child_axis` have shape (3,): unit; ``parent_axis . (R child_axis) = 0`` for
    every allowed rotation R.
    """

    parent_axis: Floats
    child_axis: Floats

    def middle(self) -> Floats:
        """See :class:`JointConstraint`; the smallest allowed rotation."""
        return self.project(np.array(quaternion.IDENTITY))

    def project(self, rotation: Floats) -> Floats:
        """See :class:`JointConstraint`; the result is exactly the nearest rotation.

        The child's axis takes the shortest way into the plane perpendicular to the parent's axis.
        """
        carried = quaternion.rotate(rotation, self.child_axis)
        along = carried @ self.parent_axis
        flat = carried - along[..., None] * self.parent_axis
        length = np.linalg.norm(flat, axis=-1, keepdims=True)
        # From the parent's axis, all paths into the plane are equally short.
        aside = np.cross(self.parent_axis, np.eye(3)[np.argmin(np.abs(self.parent_axis))])
        aside = aside / np.linalg.norm(aside)
        goal = np.where(length > 1e-9, flat / np.maximum(length, 1e-9), aside)
        return quaternion.multiply(quaternion.quaternion_between_vectors(carried, goal), rotation)

    def movable(self, rotation: Floats) -> Floats:
        """See :class:`JointConstraint`."""
        across = np.cross(
            self.child_axis, quaternion.rotate(quaternion.conjugate(rotation), self.parent_axis)
        )
        return remove_direction(super().movable(rotation), across)


@dataclass(frozen=True, eq=False)
class ShapeLimit(JointConstraint):
    """Coupled limit as a constraint."""

    shape: CoupledShape

    def middle(self) -> Floats:
        """See :class:`JointConstraint`."""
        return self.shape.project(self.shape.chart.centre)

    def project(self, rotation: Floats) -> Floats:
        """See :class:`JointConstraint`."""
        return self.shape.project(rotation)

    def blocked_direction(self, rotation: Floats, step: Floats) -> Floats:
        """See :class:`JointConstraint`.

        A small turn along the step is projected; the part that is pushed back points outwards.
        """
        length = np.linalg.norm(step, axis=-1, keepdims=True)
        probe = PROBE_RAD * step / np.where(length > 0.0, length, 1.0)
        tried = quaternion.multiply(rotation, quaternion.quaternion_from_rotation_vector(probe))
        kept = self.shape.project(tried)
        back = quaternion.rotation_vector_from_quaternion(
            quaternion.multiply(quaternion.conjugate(kept), tried)
        )
        outward = _unit_or_zero(back, MIN_BLOCKED_SHARE * PROBE_RAD)
        blocked = outward.any(axis=-1)
        if isinstance(self.shape, CoupledShape) and blocked.any():
            # Points are projected in the shape's chart, which distorts rotations: with J the
            # derivative of the coordinates, a normal n of the region is the direction ``J^T n``.
            chart, some = self.shape.chart, kept[blocked]
            here = chart.coordinates(some)
            normal = chart.coordinates(tried[blocked]) - here
            small = quaternion.quaternion_from_rotation_vector(PROBE_RAD * np.eye(3))
            around = chart.coordinates(quaternion.multiply(some[:, None], small)) - here[:, None]
            outward[blocked] = _unit_or_zero(np.sum(around * normal[:, None], axis=-1), 0.0)
        return outward


def remove_direction(projector: Floats, direction: Floats) -> Floats:
    """Orthogonal projectors, (..., 3, 3), that also remove the directions (..., 3).

    Directions need not be unit vectors; zero or an already removed direction changes nothing.
    """
    left = (projector @ direction[..., None])[..., 0]
    unit = _unit_or_zero(left, 1e-6)
    return np.asarray(projector - unit[..., :, None] * unit[..., None, :])


def _unit_or_zero(vector: Floats, smallest: float) -> Floats:
    length = np.linalg.norm(vector, axis=-1, keepdims=True)
    long = length > smallest
    return np.asarray(np.where(long, vector / np.where(long, length, 1.0), 0.0))
