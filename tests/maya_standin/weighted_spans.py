"""Spans of curves with weighted tangents: Bezier curves in time and value (maya.md 7)."""

from __future__ import annotations

from .tangent_rules import Tangent

#: Handles end this far inside the border beyond which time would run backwards.
_INSIDE = 1e-12
#: A handle shorter than this, as part of the span, is upright: it keeps its rise.
_UPRIGHT = 1e-10


def weighted_value(
    part: float, span: float, start: float, end: float, leave: Tangent, enter: Tangent
) -> float:
    """Value where `part` of the span has passed; handles reach a third of the tangents."""
    wished = leave[0] / (3.0 * span), enter[0] / (3.0 * span)
    reach = _allowed_handles(max(wished[0], 0.0), max(wished[1], 0.0))
    rises = [
        tangent[1] / 3.0 * (allowed / wish if wish > _UPRIGHT else 1.0)
        for tangent, allowed, wish in zip((leave, enter), reach, wished)
    ]
    at = _parameter(part, *reach)
    return _bernstein(at, start, start + rises[0], end - rises[1], end)


def _bernstein(at: float, first: float, second: float, third: float, fourth: float) -> float:
    rest = 1.0 - at
    return (
        first * rest**3
        + second * 3.0 * rest * rest * at
        + third * 3.0 * rest * at * at
        + fourth * at**3
    )


def _allowed_handles(first: float, second: float) -> tuple[float, float]:
    """Reaches, as parts of the span, for which time does not run backwards.

    Time is monotonic up to a reach of 1 on both sides and, beyond, inside the ellipse
    a^2 + ab + b^2 - 2a - 2b + 1 = 0. The first handle keeps its length up to 4/3; the second is
    brought onto the ellipse.
    """
    if (first <= 1.0 and second <= 1.0) or _ellipse(first, second) < 0.0:
        return first, second
    if first >= 4.0 / 3.0:
        return 4.0 / 3.0, 1.0 / 3.0
    middle = (2.0 - first) / 2.0
    half = max(first * (4.0 - 3.0 * first), 0.0) ** 0.5 / 2.0
    lower, upper = middle - half, middle + half
    return first, min(max(second, lower + _INSIDE), upper - _INSIDE)


def _ellipse(a: float, b: float) -> float:
    """Negative inside."""
    return a * a + a * b + b * b - 2.0 * (a + b) + 1.0


def _parameter(part: float, first: float, second: float) -> float:
    """Parameter at which time has come to `part`, by halving: time never runs backwards."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        if _bernstein(middle, 0.0, first, 1.0 - second, 1.0) < part:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)
