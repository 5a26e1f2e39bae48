"""Angle dial: its content, its layout in pixels, and dragging of a limit."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from jointlimits_core.limits.limit_set import AxisLimit
from jointlimits_core.report.figures.circle import RING, gap_arc, point_at


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


MIN, MAX = "min", "max"
SNAP_PIXELS = 6.0
_UNIT = 204.0
QUARTER_RADIUS = 90.0
"""Radius of the degree labels, in units of the drawing: among the spikes."""
_KNOB, _KNOB_SMALLEST = 8.5, 6.0
_GRIP_PIXELS = 3.0


@dataclass(frozen=True)
class ChannelState:
    """One channel in a dial or a bar, besides its samples; in degrees."""

    label: str = ""
    """Letter of the channel, "X"."""
    state: str = "free"
    """One of "free", "limited" or "locked"."""
    low: float | None = None
    high: float | None = None
    """The range; None for an open end."""
    rest: float | None = None
    pose: float | None = None
    """Rest pose and current pose, on any branch."""
    ghost: tuple[float, float] | None = None
    """Measured range where the artist edited it, (low, high)."""
    bands: tuple[tuple[float, float], ...] = ()
    """Intervals beyond the range that more motion may add to it, each (start, end)."""
    low_words: str = ""
    high_words: str = ""
    """Source of each limit, for its tool tip."""
    editable: bool = True

    @property
    def range(self) -> tuple[float, float] | None:
        """Minimum and maximum; None if an end is open."""
        if self.state == "free" or self.low is None or self.high is None:
            return None
        return self.low, self.high

    @property
    def axis(self) -> AxisLimit:
        """State and range as a limit."""
        return AxisLimit(self.state, self.low, self.high)

    @property
    def gap(self) -> tuple[float, float] | None:
        """Part of the circle outside the range; None if there is none."""
        return None if self.range is None else gap_arc(*self.range)

    def bound(self, which: str) -> float | None:
        """The minimum or the maximum."""
        ends = self.range
        return None if ends is None else ends[which == MAX]

    def with_bound(self, which: str, value: float) -> ChannelState:
        """Copy with another minimum or maximum."""
        return replace(self, low=value) if which == MIN else replace(self, high=value)

    def outside(self, angle_deg: float) -> float:
        """Degrees by which an angle, on its nearest branch, is outside the range; 0 inside."""
        if self.range is None:
            return 0.0
        low, high = self.range
        value = turned_near(angle_deg, 0.5 * (low + high))
        return max(low - value, value - high, 0.0)


@dataclass(frozen=True)
class DialLayout:
    """Circles of a dial, in pixels."""

    x: float
    y: float
    """Centre."""
    scale: float
    """Pixels per unit of the drawing, whose side is 204 units."""

    @property
    def ring(self) -> float:
        """Radius of the range arc."""
        return RING * self.scale

    @property
    def knob(self) -> float:
        """Radius of a handle."""
        return max(_KNOB * self.scale, _KNOB_SMALLEST)

    @property
    def knob_ring(self) -> float:
        """Radius at which the handles sit."""
        return self.ring - 6.0 * self.scale - self.knob

    def point(self, angle_deg: float, radius: float) -> tuple[float, float]:
        """Pixel of an angle at a radius."""
        x, y = point_at(angle_deg, radius)
        return self.x + x, self.y + y

    def angle(self, x: float, y: float) -> float:
        """Angle of a pixel, degrees in (-180, 180]."""
        return angle_at(x - self.x, y - self.y)

    def radius(self, x: float, y: float) -> float:
        """Distance of a pixel from the centre."""
        return math.hypot(x - self.x, y - self.y)

    def degrees_of(self, pixels: float) -> float:
        """Degrees that a distance in pixels covers along the ring."""
        return math.degrees(pixels / max(self.ring, 1.0))


def layout_for(width: float, height: float) -> DialLayout:
    """Largest dial that fits a size."""
    return DialLayout(0.5 * width, 0.5 * height, min(width, height) / _UNIT)


def knob_angle(layout: DialLayout, state: ChannelState, which: str) -> float | None:
    """Angle of the centre of a handle.

    A handle touches its limit from outside the range, so that the handles of a narrow range do not
    overlap; where the gap has no room for both, they touch from inside.
    """
    ends = state.range
    if ends is None:
        return None
    beside = math.degrees((layout.knob + 1.5) / max(layout.knob_ring, 1.0))
    has_room = 360.0 - (ends[1] - ends[0]) >= 4.5 * beside
    outward = (1.0 if has_room else -1.0) * (1.0 if which == MAX else -1.0)
    return ends[which == MAX] + outward * beside


def handle_at(layout: DialLayout, state: ChannelState, x: float, y: float) -> str:
    """Limit whose handle is at a pixel: "min", "max" or ""."""
    if not state.editable or state.range is None:
        return ""
    reach = {}
    for which in (MIN, MAX):
        angle = knob_angle(layout, state, which)
        knob = layout.point(angle or 0.0, layout.knob_ring)
        end = layout.point(state.bound(which) or 0.0, layout.ring)
        on_knob = math.hypot(x - knob[0], y - knob[1]) - layout.knob
        on_ring = math.hypot(x - end[0], y - end[1]) - 5.0
        reach[which] = min(on_knob, on_ring)
    which = min(reach, key=lambda name: reach[name])
    return which if reach[which] <= _GRIP_PIXELS else ""


def moved_bound(state: ChannelState, which: str, value: float) -> float:
    """New value of a limit, clamped so that the minimum stays below the maximum."""
    low, high = state.range or (value, value)
    return min(value, high) if which == MIN else max(value, low)


def snapped(layout: DialLayout, value: float, targets: Iterable[float]) -> float:
    """Target within a few pixels along the ring, otherwise the nearest whole degree."""
    found = nearest(value, targets, layout.degrees_of(SNAP_PIXELS))
    return float(round(value)) if found is None else found


def next_target(value: float, targets: Iterable[float], up: bool) -> float | None:
    """Nearest target above or below a value; None if there is none."""
    if up:
        return min((target for target in targets if target > value + 1e-6), default=None)
    return max((target for target in targets if target < value - 1e-6), default=None)
