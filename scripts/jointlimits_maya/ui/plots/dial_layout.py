"""Content and layout of the angle dial, and rules for dragging a limit."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from jointlimits_core.base.text import channel_letter
from jointlimits_core.limits.limit_set import AxisLimit
from jointlimits_core.limits.ranges import span_of
from jointlimits_core.limits.vocabulary import band_stretches
from jointlimits_core.report.figures import circle

MIN, MAX = "min", "max"
MIN_MOVE_DEG = 1e-6
"""Smaller differences from the measured limits are rounding errors, not edits."""
SNAP_PIXELS = 6.0
SIDE, KNOB = 204.0, 8.5
"""Side of a dial and radius of a handle, in drawing units."""
MIN_KNOB_PIXELS, GRIP_PIXELS = 6.0, 3.0


@dataclass(frozen=True)
class ChannelState:
    """Content of one channel in a dial or a bar, without its samples; angles in degrees."""

    label: str = ""
    """Letter of the channel, "X"."""
    state: str = "free"
    """State of the channel: "free", "limited" or "locked"."""
    low: float | None = None
    high: float | None = None
    """The range; None for an open end."""
    rest: float | None = None
    pose: float | None = None
    """Rest pose and current pose, on any branch."""
    ghost: tuple[float, float] | None = None
    """Measured range, (low, high), if the artist edited the limits."""
    bands: tuple[tuple[float, float], ...] = ()
    """Intervals, each (start, end), by which more motion might extend the range."""
    low_words: str = ""
    high_words: str = ""
    """Source of each limit, for its tool tip."""

    @property
    def range(self) -> tuple[float, float] | None:
        """Minimum and maximum; None if either end is open."""
        if self.state == "free" or self.low is None or self.high is None:
            return None
        return self.low, self.high

    @property
    def axis(self) -> AxisLimit:
        """State and range as a limit."""
        return AxisLimit(self.state, self.low, self.high)

    def bound_deg(self, which: str) -> float | None:
        """The minimum or the maximum of the range."""
        ends = self.range
        return None if ends is None else ends[which == MAX]

    def move_bound(self, which: str, value: float) -> ChannelState:
        """Copy with a new minimum or maximum."""
        return replace(self, low=value) if which == MIN else replace(self, high=value)

    def clamp(self, which: str, value: float) -> float:
        """Value for a limit, clamped so that the minimum does not exceed the maximum."""
        low, high = self.range or (value, value)
        return min(value, high) if which == MIN else max(value, low)

    def degrees_outside(self, angle_deg: float) -> float:
        """Degrees by which an angle, on its nearest turn, is outside the range; 0 inside."""
        if self.range is None:
            return 0.0
        low, high = self.range
        middle = 0.5 * (low + high)
        value = middle + turn_between(middle, angle_deg)
        return max(low - value, value - high, 0.0)


def channel_state(
    channel: str, axis: AxisLimit, measured: AxisLimit, widest_deg: float | None
) -> ChannelState:
    """Content for a channel, from its current and its measured limits; without poses.

    `widest_deg`: widest anatomical range of the joint, if known.
    """
    span, before = span_of(axis), span_of(measured)
    is_moved = before is not None
    if span is not None and before is not None:
        is_moved = max(abs(a - b) for a, b in zip(span, before)) > MIN_MOVE_DEG
    low, high = span or (axis.min_deg, axis.max_deg)
    ghost, bands = before if is_moved else None, band_stretches(axis, widest_deg)
    return ChannelState(channel_letter(channel), axis.state, low, high, ghost=ghost, bands=bands)


def turn_between(start_deg: float, end_deg: float) -> float:
    """Shorter rotation from one angle to another, in [-180, 180) degrees."""
    return (end_deg - start_deg + 180.0) % 360.0 - 180.0


class DialLayout:
    """Layout of the largest dial that fits, centred on (`x`, `y`), in pixels.

    `scale`: pixels per drawing unit. `ring`: radius of the range arc. `knob`: radius of a handle.
    `knob_ring`: radius at which the handles sit.
    """

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.x, self.y = 0.5 * width, 0.5 * height
        self.scale = min(width, height) / SIDE
        self.ring = circle.RING * self.scale
        self.knob = max(KNOB * self.scale, MIN_KNOB_PIXELS)
        self.knob_ring = self.ring - 6.0 * self.scale - self.knob

    def point(self, angle_deg: float, radius: float) -> tuple[float, float]:
        """Pixel at an angle and a radius."""
        x, y = circle.point_at(angle_deg, radius)
        return self.x + x, self.y + y

    def angle(self, x: float, y: float) -> float:
        """Angle of a pixel, degrees from -180 to 180; y points down."""
        return math.degrees(math.atan2(self.y - y, x - self.x))

    def knob_angle(self, state: ChannelState, which: str) -> float | None:
        """Angle of the centre of a handle.

        A handle touches its limit from outside the range, so that the handles of a narrow range do
        not overlap; if the gap has no room for both, they touch their limits from inside.
        """
        ends = state.range
        if ends is None:
            return None
        beside = math.degrees((self.knob + 1.5) / max(self.knob_ring, 1.0))
        has_room = 360.0 - (ends[1] - ends[0]) >= 4.5 * beside
        outward = (1.0 if has_room else -1.0) * (1.0 if which == MAX else -1.0)
        return ends[which == MAX] + outward * beside

    def handle_at(self, state: ChannelState, x: float, y: float) -> str:
        """Limit whose handle is at a pixel: "min", "max" or ""."""
        if state.range is None:
            return ""
        reach = {}
        for which in (MIN, MAX):
            knob = self.point(self.knob_angle(state, which) or 0.0, self.knob_ring)
            end = self.point(state.bound_deg(which) or 0.0, self.ring)
            reach[which] = min(math.dist((x, y), knob) - self.knob, math.dist((x, y), end) - 5.0)
        which = min(reach, key=lambda name: reach[name])
        return which if reach[which] <= GRIP_PIXELS else ""

    def snap(self, value: float, targets: Iterable[float]) -> float:
        """Nearest target within a few pixels along the ring, otherwise the nearest whole degree."""
        found = min(targets, key=lambda target: abs(target - value), default=math.inf)
        within = math.degrees(SNAP_PIXELS / max(self.ring, 1.0))
        return found if abs(found - value) <= within else float(round(value))
