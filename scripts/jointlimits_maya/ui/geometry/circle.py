"""Angles on a circle as in figure 6 of the paper: zero at the right, anticlockwise positive."""

from __future__ import annotations

import math
from collections.abc import Iterable

from jointlimits_core.report.dial import point_at

__all__ = ["angle_at", "nearest", "point_at", "turn_between", "turned_near"]


def angle_at(x: float, y: float) -> float:
    """Angle of a point about the origin, with y pointing down; degrees in (-180, 180]."""
    angle = math.degrees(math.atan2(-y, x))
    return 180.0 if angle == -180.0 else angle


def turn_between(start_deg: float, end_deg: float) -> float:
    """Shorter turn from one angle to another, in degrees in [-180, 180)."""
    return (end_deg - start_deg + 180.0) % 360.0 - 180.0


def turned_near(angle_deg: float, near_deg: float) -> float:
    """The same direction on the branch nearest to another angle."""
    return near_deg + turn_between(near_deg, angle_deg)


def nearest(value: float, targets: Iterable[float], within: float) -> float | None:
    """Target nearest to a value, or None if none is within `within`."""
    best = min(targets, key=lambda target: abs(target - value), default=None)
    return best if best is not None and abs(best - value) <= within else None
