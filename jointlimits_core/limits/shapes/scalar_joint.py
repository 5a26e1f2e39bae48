"""Projection of one joint's rotate channels into a coupled limit, in plain Python.

The joint's rotation relative to its parent is ``JO * R * RO`` (see
:mod:`jointlimits_core.joint_frame`), which is what shapes contain.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import isfinite, sin, tanh

from .scalar_euler import euler_near, quaternion_of
from .scalar_rotation import Four, Three, angle_between, inverse, product
from .scalar_shape import Project

NONE: Three = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Frame:
    """Orientation of a joint: rotate order, jointOrient and rotateAxis.

    Parameters
    ----------
    order : int
        Maya's number of the rotate order.
    joint_orient, rotate_axis : quaternion
        Unit, (x, y, z, w).
    """

    order: int
    joint_orient: Four
    rotate_axis: Four

    def local(self, rotate: Three) -> Four:
        """Rotation relative to the parent."""
        turn = product(quaternion_of(rotate, self.order), self.rotate_axis)
        return product(self.joint_orient, turn)

    def rotate(self, local: Four, reference: Three) -> Three:
        """Rotate channels of a rotation, on the branch nearest to a reference."""
        turn = product(local, inverse(self.rotate_axis))
        return euler_near(product(inverse(self.joint_orient), turn), reference, self.order)


@lru_cache(maxsize=4096)
def frame_of(order: int, joint_orient: Three = NONE, rotate_axis: Three = NONE) -> Frame:
    """Orientation from angles in radians, as in a joint's attributes."""
    return Frame(order, quaternion_of(joint_orient, 0), quaternion_of(rotate_axis, 0))


def projected_rotate(
    project: Project, frame: Frame, rotate: Three, softness: float = 0.0, falloff: float = 1.0
) -> tuple[Three, float]:
    """Project rotate channels into a shape.

    Parameters
    ----------
    project : callable
    rotate : tuple of 3 float
        Radians, on any branch.
    softness : float
        Maximum distance beyond the shape, radians; 0 for a hard limit.
    falloff : float
        Initial share of the softness used per radian outside, 1 / radian.

    Returns
    -------
    rotate : tuple of 3 float
        Identical where they are allowed or not finite; else on the nearest branch.
    outside : float
        Angle from the given rotation to the nearest allowed one, radians.
    """
    if not isfinite(rotate[0] + rotate[1] + rotate[2]):
        return rotate, 0.0
    local = frame.local(rotate)
    allowed = project(local)
    if allowed is local:
        return rotate, 0.0
    outside = angle_between(local, allowed)
    if softness > 0.0 and falloff > 0.0 and outside > 0.0:
        back = min(softness * tanh(falloff * outside), outside)
        allowed = _between(allowed, local, back, outside)
    return frame.rotate(allowed, rotate), outside


def _between(start: Four, end: Four, way: float, whole: float) -> Four:
    """Rotation at the angle `way` from one to another, `whole` radians apart."""
    if sum(a * b for a, b in zip(start, end)) < 0.0:
        end = (-end[0], -end[1], -end[2], -end[3])
    sine = sin(0.5 * whole)
    a, b = sin(0.5 * (whole - way)) / sine, sin(0.5 * way) / sine
    x, y, z, w = (a * p + b * q for p, q in zip(start, end))
    return (x, y, z, w)
