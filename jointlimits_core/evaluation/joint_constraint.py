"""What inverse kinematics needs of a joint's limit, whatever the limit is made of.

A solver asks three things: where is the nearest rotation that is allowed, in which directions can
the joint turn at all, and which direction is blocked because the joint stands at a bound. The last
lets clamped degrees of freedom leave the system (Baerlocher and Boulic, 2004), instead of being
asked for again and thrown away in every step, which stalls.

Directions are rotation vectors in the joint's own frame: a joint at q that turns by a direction d
comes to ``q exp(d)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..arrays import ArrayLike, Floats
from ..estimation.interval import into_interval
from ..limits.shapes.charts import Chart
from ..limits.shapes.shape import CoupledShape, Shape
from ..rotation import (
    IDENTITY,
    conjugate,
    multiply,
    quaternion_between_vectors,
    quaternion_from_axis_angle,
    quaternion_from_rotation_vector,
    rotated,
    rotation_vector_from_quaternion,
)

AT_BOUND = 1e-6
"""Radians; nearer than this to its bound an angle stands at it."""
PROBE = 1e-3
"""Radians of the small turn that tries whether a shape gives way."""
GIVES_WAY = 0.02
"""A probe of which a smaller share is taken back is not blocked."""
TURN = 2.0 * np.pi


class JointConstraint(Protocol):
    """A limit of one joint, for any number of rotations at once, shape (..., 4).

    Constraints of one kind can be stacked for several joints at once (:mod:`.stacked_limits`);
    their rotations then have the shape (..., joints, 4).
    """

    def middle(self) -> Floats:
        """A rotation in the middle of what is allowed, or the identity where nothing says one."""

    def project(self, rotation: Floats) -> Floats:
        """Allowed rotation near each, shape (..., 4); an allowed one stays what it is."""

    def movable(self, rotation: Floats) -> Floats:
        """Orthogonal projectors on the directions that the joint's type has, (..., 3, 3)."""

    def blocked(self, rotation: Floats, step: Floats) -> Floats:
        """Unit directions in which `step` leaves the limits at once, (..., 3); else zero.

        One is given at a time. A solver takes it out and asks again with what remains.
        """


@dataclass(frozen=True)
class FreeJoint:
    """No limit at all."""

    def middle(self) -> Floats:
        """See :class:`JointConstraint`."""
        return np.array(IDENTITY)

    def project(self, rotation: Floats) -> Floats:
        """See :class:`JointConstraint`."""
        return rotation

    def movable(self, rotation: Floats) -> Floats:
        """See :class:`JointConstraint`."""
        return np.broadcast_to(np.eye(3), (*rotation.shape[:-1], 3, 3))

    def blocked(self, rotation: Floats, step: Floats) -> Floats:
        """See :class:`JointConstraint`."""
        return np.zeros(step.shape)


@dataclass(frozen=True, eq=False)
class FixedJoint:
    """A joint that does not turn.

    Parameters
    ----------
    rotation : array, shape (4,)
        The one that it always has.
    """

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

    def blocked(self, rotation: Floats, step: Floats) -> Floats:
        """See :class:`JointConstraint`."""
        return np.zeros(step.shape)


@dataclass(frozen=True, eq=False)
class HingeJoint:
    """A joint that turns about one axis, within an interval or freely.

    Parameters
    ----------
    axis : array, shape (3,) or (joints, 3)
        Unit, in the joint's own frame.
    reference : array, shape (4,) or (joints, 4)
        The rotation of which the angle is zero.
    low, high : float or array, shape (joints,)
        Radians about the axis; infinite, or a full turn apart, for no limit.
    """

    axis: Floats
    reference: Floats
    low: ArrayLike = -np.inf
    high: ArrayLike = np.inf

    @property
    def _ends(self) -> tuple[Floats, Floats]:
        """The interval; infinite where every angle is allowed."""
        low, high = np.asarray(self.low, np.float64), np.asarray(self.high, np.float64)
        limited = high - low < TURN
        return np.where(limited, low, -np.inf), np.where(limited, high, np.inf)

    def middle(self) -> Floats:
        """See :class:`JointConstraint`."""
        low, high = self._ends
        limited = np.isfinite(high - low)
        middle = 0.5 * (np.where(limited, low, 0.0) + np.where(limited, high, 0.0))
        return multiply(self.reference, quaternion_from_axis_angle(self.axis, middle))

    def angle(self, rotation: Floats) -> Floats:
        """Signed angle of the nearest rotation about the axis, radians, nearest to the interval."""
        seen = multiply(conjugate(self.reference), rotation)
        along = np.sum(seen[..., :3] * self.axis, axis=-1)
        flip = np.where(seen[..., 3] < 0.0, -1.0, 1.0)
        angle = 2.0 * np.arctan2(flip * along, flip * seen[..., 3])
        low, high = self._ends
        limited = np.isfinite(high - low)
        begin, end = np.where(limited, low, 0.0), np.where(limited, high, 0.0)
        return np.where(limited, into_interval(angle, begin, end), angle)

    def project(self, rotation: Floats) -> Floats:
        """See :class:`JointConstraint`; the nearest there is."""
        angle = np.clip(self.angle(rotation), *self._ends)
        return multiply(self.reference, quaternion_from_axis_angle(self.axis, angle))

    def movable(self, rotation: Floats) -> Floats:
        """See :class:`JointConstraint`."""
        outer = self.axis[..., :, None] * self.axis[..., None, :]
        return np.broadcast_to(outer, (*rotation.shape[:-1], 3, 3))

    def blocked(self, rotation: Floats, step: Floats) -> Floats:
        """See :class:`JointConstraint`."""
        low, high = self._ends
        angle, rate = self.angle(rotation), np.sum(step * self.axis, axis=-1)
        up = (angle > high - AT_BOUND) & (rate > 0.0)
        down = (angle < low + AT_BOUND) & (rate < 0.0)
        return np.asarray((up * 1.0 - down * 1.0)[..., None] * self.axis)


@dataclass(frozen=True, eq=False)
class UniversalJoint:
    """A joint that turns about two axes at right angles, one in the parent and one of its own.

    Parameters
    ----------
    parent_axis, child_axis : array, shapes (3,)
        Unit; ``parent_axis . (R child_axis) = 0`` for every rotation R that is allowed.
    """

    parent_axis: Floats
    child_axis: Floats

    def middle(self) -> Floats:
        """See :class:`JointConstraint`; the allowed rotation that turns least."""
        return self.project(np.array(IDENTITY))

    def project(self, rotation: Floats) -> Floats:
        """See :class:`JointConstraint`; the nearest there is.

        The child's axis goes the shortest way into the plane across the parent's.
        """
        carried = rotated(rotation, self.child_axis)
        along = carried @ self.parent_axis
        flat = carried - along[..., None] * self.parent_axis
        length = np.linalg.norm(flat, axis=-1, keepdims=True)
        # Along the parent's axis every way into the plane is as short.
        aside = np.cross(self.parent_axis, np.eye(3)[np.argmin(np.abs(self.parent_axis))])
        aside = aside / np.linalg.norm(aside)
        goal = np.where(length > 1e-9, flat / np.maximum(length, 1e-9), aside)
        return multiply(quaternion_between_vectors(carried, goal), rotation)

    def movable(self, rotation: Floats) -> Floats:
        """See :class:`JointConstraint`."""
        across = np.cross(self.child_axis, rotated(conjugate(rotation), self.parent_axis))
        return without(np.broadcast_to(np.eye(3), (*rotation.shape[:-1], 3, 3)), across)

    def blocked(self, rotation: Floats, step: Floats) -> Floats:
        """See :class:`JointConstraint`."""
        return np.zeros(step.shape)


@dataclass(frozen=True, eq=False)
class ShapeLimit:
    """A coupled limit."""

    shape: Shape

    def middle(self) -> Floats:
        """See :class:`JointConstraint`."""
        centre = self.shape.chart.centre if isinstance(self.shape, CoupledShape) else IDENTITY
        return self.shape.project(centre)

    def project(self, rotation: Floats) -> Floats:
        """See :class:`JointConstraint`."""
        return self.shape.project(rotation)

    def movable(self, rotation: Floats) -> Floats:
        """See :class:`JointConstraint`; what a flat shape takes away, its probes find."""
        return np.broadcast_to(np.eye(3), (*rotation.shape[:-1], 3, 3))

    def blocked(self, rotation: Floats, step: Floats) -> Floats:
        """See :class:`JointConstraint`.

        A small turn along the step is projected; what is taken back says which way is out.
        """
        length = np.linalg.norm(step, axis=-1, keepdims=True)
        probe = PROBE * step / np.where(length > 0.0, length, 1.0)
        tried = multiply(rotation, quaternion_from_rotation_vector(probe))
        kept = self.shape.project(tried)
        back = rotation_vector_from_quaternion(multiply(conjugate(kept), tried))
        outward = _unit_or_zero(back, GIVES_WAY * PROBE)
        blocked = outward.any(axis=-1)
        if isinstance(self.shape, CoupledShape) and blocked.any():
            outward[blocked] = _outward(self.shape.chart, kept[blocked], tried[blocked])
        return outward


def _outward(chart: Chart, kept: Floats, tried: Floats) -> Floats:
    """Unit directions in which rotations leave a region fastest, shape (rotations, 3).

    Nearest points are so in the chart, which is no even map of rotations: a normal n of the region
    is the direction ``J^T n``, J the derivative of the coordinates.
    """
    here = chart.coordinates(kept)
    normal = chart.coordinates(tried) - here
    small = quaternion_from_rotation_vector(PROBE * np.eye(3))
    around = chart.coordinates(multiply(kept[:, None], small)) - here[:, None]
    out = np.sum(around * normal[:, None], axis=-1)
    return _unit_or_zero(out, 0.0)


def without(projector: Floats, direction: Floats) -> Floats:
    """Orthogonal projectors (..., 3, 3) from which directions (..., 3) are taken out, too.

    A direction need not be unit; zero, or one that is out already, takes out nothing.
    """
    left = (projector @ direction[..., None])[..., 0]
    unit = _unit_or_zero(left, 1e-6)
    return np.asarray(projector - unit[..., :, None] * unit[..., None, :])


def _unit_or_zero(vector: Floats, smallest: float) -> Floats:
    length = np.linalg.norm(vector, axis=-1, keepdims=True)
    long = length > smallest
    return np.asarray(np.where(long, vector / np.where(long, length, 1.0), 0.0))
