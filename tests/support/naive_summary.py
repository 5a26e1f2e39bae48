"""What clips say of their extremes, one channel and one frame at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

DEGREE = math.radians(1.0)
ROUNDING_RAD = 1e-9  # equal angles on two branches may differ by so much


@dataclass
class NaiveReach:
    value: float
    visits: int
    longest: int
    stop: str
    steady: float
    steady_frame: float


def naive_upper_reach(
    values: Sequence[float], frames: Sequence[float], frame_rate: float
) -> NaiveReach:
    """Upper end of one channel, radians."""
    value = max(values)
    visits, longest = _visits(values, value)
    steady, frame = _steady(values, frames)
    return NaiveReach(value, visits, longest, _stop(values, longest, frame_rate), steady, frame)


def naive_lower_reach(
    values: Sequence[float], frames: Sequence[float], frame_rate: float
) -> NaiveReach:
    """Lower end of one channel, radians."""
    found = naive_upper_reach([-value for value in values], frames, frame_rate)
    found.value, found.steady = -found.value, -found.steady
    return found


def _visits(values: Sequence[float], extreme: float) -> tuple[int, int]:
    visits = longest = length = 0
    for value in values:
        if value >= extreme - DEGREE - ROUNDING_RAD:
            length += 1
            visits += length == 1
            longest = max(longest, length)
        else:
            length = 0
    return visits, longest


def _stop(values: Sequence[float], longest: int, frame_rate: float) -> str:
    if len(values) == 1:
        return "cut"
    extreme, still = max(values) - ROUNDING_RAD, math.radians(0.01) + ROUNDING_RAD
    if values[0] >= extreme and values[0] - values[1] > still:
        return "cut"
    if values[-1] >= extreme and values[-1] - values[-2] > still:
        return "cut"
    return "held" if longest >= 3 and longest >= 0.1 * frame_rate else "turned"


def _steady(values: Sequence[float], frames: Sequence[float]) -> tuple[float, float]:
    width = min(3, len(values))
    best, at = -math.inf, 0.0
    for start in range(len(values) - width + 1):
        held = min(values[start : start + width])
        if held > best:
            best, at = held, frames[start + list(values[start : start + width]).index(held)]
    return best, at


def without_short_stays(values: Sequence[float]) -> tuple[float, float]:
    """Range of the values without what fewer than three frames in a row reach."""
    lows = [max(values[n : n + 3]) for n in range(len(values) - 2)]
    highs = [min(values[n : n + 3]) for n in range(len(values) - 2)]
    return min(lows), max(highs)
