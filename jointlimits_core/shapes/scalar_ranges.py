"""Ranges of one joint that depend on other joints, in plain Python, for a rig node.

The counterpart for many rotations at once is :mod:`jointlimits_core.ik.dependent_ranges`.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import degrees, inf, isfinite, pi, radians
from typing import Any

from ..scalar.rotation import AXES, Four, Three, euler_of
from .scalar_joint import Orientation, Project, frame_of

MAX_ROUNDS = 50
INWARD_DEG = 0.01
"""Distance, in degrees, inside the ends of its range at which a clamped channel is placed."""
MAX_SETTLED_DEG = 1e-6
"""Largest excess, in degrees, that counts as inside."""

Side = tuple[Sequence[float], Sequence[float]]
"""Increasing values of a driver's channel, and the end of the range at each; degrees."""


@dataclass(frozen=True)
class ScalarBox:
    """A joint's orientation, and the limits that choose the branch of its channels, degrees."""

    frame: Orientation
    limits: Sequence[tuple[float, float]]

    def channels_deg(self, rotation: Four) -> Sequence[float]:
        """Rotate channels, degrees."""
        first = euler_of(self.frame.turn(rotation), self.frame.order)
        found = self._into(first)
        if found[0] <= MAX_SETTLED_DEG:
            return found[1]
        second = [value + pi for value in first]
        second[AXES[self.frame.order][1]] = pi - first[AXES[self.frame.order][1]]
        return min(found, self._into(second), key=lambda one: one[0])[1]

    def _into(self, angles: Sequence[float]) -> tuple[float, Sequence[float]]:
        """Distance from the limits, and the channels, moved nearest to them by full turns."""
        moved, most = [], MAX_SETTLED_DEG
        for value, (low, high) in zip(map(degrees, angles), self.limits):
            if isfinite(low + high) and not low <= value <= high:
                value -= 360.0 * round((value - 0.5 * (low + high)) / 360.0)
            moved.append(value)
            most = max(most, low - value, value - high)
        return most, moved


@dataclass(frozen=True)
class ScalarRanges:
    """All ranges of a joint that depend on other joints.

    `drivers`: names of these joints, and their boxes. `ties`: channel, 0 to 2; number of the
    driver, -1 for the joint itself; its channel; minimum and maximum.
    """

    box: ScalarBox
    drivers: Sequence[tuple[str, ScalarBox]]
    ties: Sequence[tuple[int, int, int, Side, Side]]

    def project_within(self, project: Project, rotations: Sequence[Four | None]) -> Project:
        """Projection into a shape and the ranges; if no rotation is in both, into the shape.

        `rotations`: those of the drivers; None for a missing driver, whose ranges do not apply.
        """
        boxes = (box for _, box in self.drivers)
        seen = [one and box.channels_deg(one) for box, one in zip(boxes, rotations)]
        is_own = any(tie[1] == -1 for tie in self.ties)

        def project_both(rotation: Four) -> Four:
            ends = self._ends_deg([*seen, self.box.channels_deg(rotation) if is_own else None])
            now = shaped = project(rotation)
            for _ in range(MAX_ROUNDS + 1):
                values = self.box.channels_deg(now)
                beyond = (max(low - v, v - high) for v, (low, high) in zip(values, ends))
                if max(beyond) <= MAX_SETTLED_DEG:
                    return now
                x, y, z = (radians(_clamped(*pair)) for pair in zip(values, ends))
                now = project(self.box.frame.local((x, y, z)))
            return shaped

        return project_both

    def _ends_deg(self, seen: Sequence[Sequence[float] | None]) -> Sequence[tuple[float, float]]:
        """Minimum and maximum of each channel; the middle of the gap if ranges do not overlap."""
        ends = [(-inf, inf)] * 3
        for axis, driver, on_axis, low, high in self.ties:
            channels = seen[driver]
            if channels is not None:
                at, (a, b) = channels[on_axis], ends[axis]
                ends[axis] = (max(a, _value_at(at, low)), min(b, _value_at(at, high)))
        return [(a, b) if a <= b else (0.5 * (a + b), 0.5 * (a + b)) for a, b in ends]


def _clamped(value: float, ends: tuple[float, float]) -> float:
    inward = min(INWARD_DEG, 0.5 * (ends[1] - ends[0]))
    return min(max(value, ends[0] + inward), ends[1] - inward)


def _value_at(at: float, side: Side) -> float:
    """Linear interpolation; before and after the positions, the value at the nearest one."""
    positions, values = side
    n = min(max(bisect_right(positions, at), 1), len(positions) - 1)
    share = (at - positions[n - 1]) / ((positions[n] - positions[n - 1]) or 1.0)
    return values[n - 1] + min(max(share, 0.0), 1.0) * (values[n] - values[n - 1])


@lru_cache(maxsize=512)
def ranges_from_text(text: str) -> ScalarRanges | None:
    """Ranges from JSON of :func:`~jointlimits_core.ik.dependent_ranges.ranges_data`.

    None for an empty text. Raises ValueError if the text is invalid.
    """
    try:
        data = json.loads(text or "null")
        if data is None:
            return None
        drivers = [(str(name), _box(box)) for name, box in data["drivers"]]
        ties = [(*numbers, _side(low), _side(high)) for *numbers, low, high in data["ties"]]
        ranges = ScalarRanges(_box(data["box"]), drivers, ties)
        # Every tie is tried once here, as nothing may fail in the rig.
        none: Three = (0.0, 0.0, 0.0)
        for turns in ([frame_of(0).local(none)] * len(drivers), [None] * len(drivers)):
            ranges.project_within(lambda rotation: rotation, turns)(frame_of(0).local(none))
        return ranges
    except (LookupError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise ValueError(f"not ranges that depend on other joints: {error!r}") from None


def _box(data: Mapping[str, Any]) -> ScalarBox:
    orient, axis = (
        (radians(x), radians(y), radians(z))
        for x, y, z in map(_finite, (data["joint_orient_deg"], data["rotate_axis_deg"]))
    )
    x, y, z = (
        (-inf if low is None else float(low), inf if high is None else float(high))
        for low, high in data["limits_deg"]
    )
    _finite([end for pair in data["limits_deg"] for end in pair if end is not None])
    return ScalarBox(frame_of(data["order"], orient, axis), (x, y, z))


def _side(data: Sequence[Sequence[float]]) -> Side:
    positions, values = map(_finite, data)
    if len(positions) != len(values):
        raise ValueError("there must be as many ends as positions")
    return positions, values


def _finite(values: Sequence[float]) -> Sequence[float]:
    if not all(map(isfinite, values)):
        raise ValueError("numbers must be finite")
    return values
