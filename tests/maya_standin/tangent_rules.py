"""Tangents that a scene names without storing their numbers.

Sources: maya.md 7 for flat, linear and the automatic ones; the help of the keyTangent command for
spline, clamped and plateau in words. What no source settles is marked.
"""

from __future__ import annotations

from collections.abc import Sequence

Tangent = tuple[float, float]

#: Codes in files (maya.md 8).
FIXED, LINEAR, FLAT, STEP, SLOW, FAST, SPLINE, CLAMPED = 1, 2, 3, 5, 6, 7, 9, 10
PLATEAU, STEP_NEXT, AUTO, AUTO_MIX, AUTO_EASE, AUTO_CUSTOM = 16, 17, 18, 27, 28, 29
CODES = (
    *(FIXED, LINEAR, FLAT, STEP, SLOW, FAST, SPLINE, CLAMPED),
    *(PLATEAU, STEP_NEXT, AUTO, AUTO_MIX, AUTO_EASE, AUTO_CUSTOM),
)

#: guess: tangent-clamped-close (what "very close" means, in internal units of the value)
CLOSE = 0.05


def computed_tangent(
    times: Sequence[float],
    values: Sequence[float],
    index: int,
    kind: int,
    incoming: bool,
    weighted: bool,
) -> Tangent:
    """Tangent of one key on one side, as (x, y) in seconds and units of the values.

    Unit length on curves without weights (maya.md 7), three times the handle on those with them:
    then x is the whole span.
    """
    if kind in (STEP, STEP_NEXT):
        return 0.0, 0.0
    span = _span(times, index, incoming)
    slope = _slope(times, values, index, kind, incoming)
    if weighted:
        return span, slope * span
    length = (1.0 + slope * slope) ** 0.5
    return 1.0 / length, slope / length


def _span(times: Sequence[float], index: int, incoming: bool) -> float:
    """Length of the span that the tangent points into; beyond the ends that of the last span."""
    if len(times) < 2:
        return 1.0
    left = index - 1 if incoming else index
    left = min(max(left, 0), len(times) - 2)
    return times[left + 1] - times[left]


def _slope(
    times: Sequence[float], values: Sequence[float], index: int, kind: int, incoming: bool
) -> float:
    before = _chord(times, values, index - 1)
    after = _chord(times, values, index)
    if kind in (LINEAR, SLOW, FAST):
        # guess: tangent-slow-fast (both are read as lying on the chord)
        # guess: tangent-linear-end (the line goes on where it points out of the curve)
        chord = before if incoming else after
        if chord is None:
            chord = after if incoming else before
        return chord or 0.0
    if kind in (SPLINE, CLAMPED):
        return _spline_slope(times, values, index, kind == CLAMPED)
    if before is None or after is None or kind in (FIXED, FLAT):
        return 0.0
    if kind in (PLATEAU, AUTO, AUTO_MIX, AUTO_EASE, AUTO_CUSTOM):
        wished = _wished_slope(times, index, before, after, kind)
        held = _held_back(wished, before, after)
        # guess: tangent-plateau (flat where an automatic tangent would be held back)
        return held if kind != PLATEAU or held == wished else 0.0
    # guess: tangent-unknown-code (flat)
    return 0.0


def _chord(times: Sequence[float], values: Sequence[float], left: int) -> float | None:
    """Slope from one key to the next; None beyond the ends."""
    if left < 0 or left + 1 >= len(times):
        return None
    return (values[left + 1] - values[left]) / (times[left + 1] - times[left])


def _spline_slope(
    times: Sequence[float], values: Sequence[float], index: int, clamped: bool
) -> float:
    """Parallel to the line between the neighbours; along the only chord at the ends."""
    first, last = max(index - 1, 0), min(index + 1, len(times) - 1)
    if first == last:
        return 0.0
    if clamped:
        # guess: tangent-clamped-close (flat, rather than linear, beside a neighbour that is close)
        near = (abs(values[other] - values[index]) for other in {first, last} - {index})
        if min(near) <= CLOSE:
            return 0.0
    return (values[last] - values[first]) / (times[last] - times[first])


def _wished_slope(
    times: Sequence[float], index: int, before: float, after: float, kind: int
) -> float:
    """Slope of an automatic tangent before it is held back (maya.md 7)."""
    part = (times[index] - times[index - 1]) / (times[index + 1] - times[index - 1])
    if kind == AUTO_MIX:
        return before + part * (after - before)
    if kind == AUTO_EASE:
        # The cubic through (0, 0), (1/2, 1/2) and (1, 1) whose slope in the middle is 1 + c.
        middle, c = part - 0.5, -0.5
        return before + (0.5 + (1.0 + c) * middle - 4.0 * c * middle**3) * (after - before)
    # guess: tangent-auto-custom (read as auto)
    return part * before + (1.0 - part) * after


def _held_back(slope: float, before: float, after: float) -> float:
    """Flat at turns, and at most three times as steep as either neighbour (maya.md 7)."""
    if before * after <= 0.0:
        return 0.0
    steepest = 3.0 * min(abs(before), abs(after))
    return max(-steepest, min(steepest, slope))
