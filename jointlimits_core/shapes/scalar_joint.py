"""Projection of one joint's rotate channels into a coupled limit, without numpy where possible.

Shapes contain the joint's rotation relative to its parent, which is ``JO * R * RO`` (see
:mod:`jointlimits_core.geometry.euler`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite, sin, tanh
from typing import Any

from ..scalar import regions, rotation
from .validation import raise_first_problem, shape_problems

Project = Callable[[rotation.Four], rotation.Four]
"""Maps a unit quaternion (x, y, z, w) to an allowed one; returns the same object if allowed."""


def compact_text(data: object) -> str:
    """JSON of a shape on one line without spaces, because referenced scenes may strip them.

    Raises ValueError for data that JSON cannot represent.
    """
    try:
        return json.dumps(data, separators=(",", ":"), allow_nan=False)
    except (TypeError, RecursionError) as error:
        raise ValueError(f"not a valid shape: {error}") from None


@lru_cache(maxsize=512)
def project_from_text(text: str) -> Project:
    """Projection onto the shape in a JSON text from :func:`compact_text`; cached by text.

    Raises ValueError with the problem if the text is invalid, and ImportError if the shape needs
    numpy but it is not installed.
    """

    def reject(number: str) -> float:
        raise ValueError(f"{number} is not allowed in a shape")

    try:
        return scalar_project(json.loads(text, parse_constant=reject))
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error}") from None
    except RecursionError:
        raise ValueError("not a valid shape: nested too deeply") from None


def scalar_project(data: Mapping[str, Any]) -> Project:
    """Projection onto a shape, in plain Python where possible, else with numpy.

    `data`: a shape's ``to_dict``. Raises ValueError with the place of the error.
    """
    raise_first_problem(shape_problems(data))
    nearest = regions.scalar_nearest(data["region"])
    chart = rotation.scalar_chart(data["coordinates"])
    if nearest is None or chart is None:
        return _numpy_project(data)
    to_bounds = regions.box_nearest(*regions.bounds_of(nearest))

    def project(q: rotation.Four) -> rotation.Four:
        point = chart.coordinates(q)
        best = nearest(point)
        if best is point:
            return q
        least = _square(best, point)
        for other in chart.others(point):
            # A point is at least as far from the region as from its bounds.
            if _square(to_bounds(other), other) < least:
                found = nearest(other)
                if _square(found, other) < least:
                    best, least = found, _square(found, other)
        return chart.rotation(best) if least > 0.0 else q

    return project


def _square(a: rotation.Three, b: rotation.Three) -> float:
    x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    return x * x + y * y + z * z


def _numpy_project(data: Mapping[str, Any]) -> Project:
    """Projection by the shape itself, one rotation per call."""
    from .fitting import shape_from_dict

    shape = shape_from_dict(data)

    def project(q: rotation.Four) -> rotation.Four:
        x, y, z, w = shape.project(q).tolist()
        return q if (x, y, z, w) == q else (x, y, z, w)

    return project


NONE: rotation.Three = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Orientation:
    """Orientation of a joint: rotate order, jointOrient and rotateAxis.

    `order` is Maya's number for the rotate order; `joint_orient` and `rotate_axis` are unit
    quaternions, (x, y, z, w).
    """

    order: int
    joint_orient: rotation.Four
    rotate_axis: rotation.Four

    def local(self, rotate: rotation.Three) -> rotation.Four:
        """Rotation relative to the parent."""
        turn = rotation.product(rotation.quaternion_of(rotate, self.order), self.rotate_axis)
        return rotation.product(self.joint_orient, turn)

    def rotate(self, local: rotation.Four, reference: rotation.Three) -> rotation.Three:
        """Rotate channels for a rotation, on the branch nearest to `reference`."""
        return rotation.euler_near(self.turn(local), reference, self.order)

    def turn(self, local: rotation.Four) -> rotation.Four:
        """Rotation of the rotate channels alone."""
        turn = rotation.product(local, rotation.inverse(self.rotate_axis))
        return rotation.product(rotation.inverse(self.joint_orient), turn)


@lru_cache(maxsize=4096)
def frame_of(
    order: int, joint_orient: rotation.Three = NONE, rotate_axis: rotation.Three = NONE
) -> Orientation:
    """Orientation from the angles of a joint's attributes, radians."""
    orient, axis = (rotation.quaternion_of(angles, 0) for angles in (joint_orient, rotate_axis))
    return Orientation(order, orient, axis)


def projected_rotate(
    project: Project,
    frame: Orientation,
    rotate: rotation.Three,
    softness: float = 0.0,
    falloff: float = 1.0,
) -> tuple[rotation.Three, float]:
    """Project rotate channels into a shape.

    `rotate`: radians, on any branch. `softness`: maximum distance beyond the shape, radians; 0 for
    a hard limit. `falloff`: initial share of the softness used per radian outside, 1 / radian.
    Returns the channels, unchanged if they are allowed or not finite, else on the nearest branch;
    and the angle from the given rotation to its projection, radians.
    """
    if not isfinite(rotate[0] + rotate[1] + rotate[2]):
        return rotate, 0.0
    local = frame.local(rotate)
    allowed = project(local)
    if allowed is local:
        return rotate, 0.0
    outside = rotation.angle_between(local, allowed)
    if softness > 0.0 and falloff > 0.0 and outside > 0.0:
        back = min(softness * tanh(falloff * outside), outside)
        allowed = _interpolate(allowed, local, back, outside)
    return frame.rotate(allowed, rotate), outside


def _interpolate(
    start: rotation.Four, end: rotation.Four, way: float, whole: float
) -> rotation.Four:
    """Rotation at angle `way` from `start` towards `end`, which are `whole` radians apart."""
    if sum(a * b for a, b in zip(start, end)) < 0.0:
        end = (-end[0], -end[1], -end[2], -end[3])
    sine = sin(0.5 * whole)
    a, b = sin(0.5 * (whole - way)) / sine, sin(0.5 * way) / sine
    x, y, z, w = (a * p + b * q for p, q in zip(start, end))
    return (x, y, z, w)
