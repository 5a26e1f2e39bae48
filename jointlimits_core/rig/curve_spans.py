"""Values of one span of an animation curve: Hermite cubics and Bezier curves in time and value.

The rules are those of Autodesk's open evaluator "animx".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..geometry.arrays import Booleans, Floats

_MAX_STRAIGHT_SHARE = 2e-7
"""A span counts as straight if its tangents stay this close to the chord, as a share of it."""
_MAX_SLOPE = 1e100
"""A steeper tangent counts as vertical, since its slope may overflow."""
_MIN_MARGIN_SHARE = 1e-10
"""Margin that keeps handles off the border where time would run backwards."""
_MAX_UNEVEN_SHARE = 1e-6
"""Time runs evenly if handles differ from a third of the span by no more than this."""


def inner_roots(first: Floats, middle: Floats, last: Floats) -> tuple[Floats, Floats]:
    """Parameters inside a Bezier span at which its slope is 0; NaN for roots outside.

    `first`, `middle`, `last`: differences of neighbouring control values, the Bernstein
    coefficients of the slope.
    """
    square, half = first - 2.0 * middle + last, middle - first
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        root = np.sqrt(half**2 - square * first)
        # Each root has two forms; use the one without cancellation.
        sum_ = -(half + np.copysign(root, half))
        parts = sum_ / square, first / sum_
        one, other = (np.where((part > 0.0) & (part < 1.0), part, np.nan) for part in parts)
    return one, other


def bernstein(parameter: Floats, c1: Floats, c2: Floats, c3: Any, c0: Any) -> Floats:
    """Cubic with the Bernstein coefficients c0 to c3; exact at both ends."""
    rest = 1.0 - parameter
    return np.asarray(
        c0 * rest**3
        + 3.0 * c1 * rest**2 * parameter
        + 3.0 * c2 * rest * parameter**2
        + c3 * parameter**3
    )


def hermite_spans(
    fraction: Floats, start: Floats, end: Floats, x0: Floats, y0: Floats, x1: Floats, y1: Floats
) -> Floats:
    """Hermite cubics in time, from end values and tangents whose x is a share of the span."""
    rise = end - start
    m0, m1 = hermite_slopes(start, end, x0, y0, x1, y1)
    cubic, square = m0 + m1 - 2.0 * rise, 3.0 * rise - 2.0 * m0 - m1
    return np.asarray(start + fraction * (m0 + fraction * (square + fraction * cubic)))


def hermite_slopes(
    start: Floats, end: Floats, x0: Floats, y0: Floats, x1: Floats, y1: Floats
) -> tuple[Floats, Floats]:
    """Slopes at both ends, per span; those of the chord if both tangents lie on it."""
    rise = end - start
    straight = (np.abs(y0 - rise * x0) <= _MAX_STRAIGHT_SHARE * np.abs(y0)) & (
        np.abs(y1 - rise * x1) <= _MAX_STRAIGHT_SHARE * np.abs(y1)
    )
    slopes = []
    for x, y in ((x0, y0), (x1, y1)):
        # A vertical tangent counts as flat.
        upright = np.abs(x) <= np.abs(y) / _MAX_SLOPE
        slope = np.where(upright, 0.0, y / np.where(upright, 1.0, x))
        slopes.append(np.where(straight, rise, slope))
    return slopes[0], slopes[1]


def bezier_spans(
    fraction: Floats, start: Floats, end: Floats, x0: Floats, y0: Floats, x1: Floats, y1: Floats
) -> Floats:
    """Values of Bezier spans, shape (...).

    `fraction`: time, as the part of the span that has passed, in [0, 1]. `start`, `end`: values at
    the two keys. `x0`, `y0`, `x1`, `y1`: tangents that leave the first key and enter the second, x
    as parts of the span; the handles are a third as long. Handles so long that time would run
    backwards are shortened along their direction, preferably the second one, as in Maya.
    """
    reach0, reach1, up0, up1 = bezier_handles(x0, y0, x1, y1)
    parameter = _parameter_at(fraction, reach0, reach1)
    return bernstein(parameter, start + up0, end - up1, end, start)


def bezier_handles(x0: Floats, y0: Floats, x1: Floats, y1: Floats) -> tuple[Floats, ...]:
    """Lengths in time of both handles of Bezier spans, as shares of the span, and their rises."""
    reach0, reach1 = _cut_reaches(x0 / 3.0, x1 / 3.0)
    up0, up1 = _cut_rise(y0 / 3.0, x0 / 3.0, reach0), _cut_rise(y1 / 3.0, x1 / 3.0, reach1)
    return reach0, reach1, up0, up1


def _cut_rise(rise: Floats, reach: Floats, allowed: Floats) -> Floats:
    """Rise of handles that were shortened in time."""
    upright: Booleans = np.abs(reach) <= _MIN_MARGIN_SHARE
    return rise * np.where(upright, 1.0, allowed / np.where(upright, 1.0, reach))


def _cut_reaches(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Shorten both handles so that time never runs backwards.

    Reaches a and b are allowed inside the unit square and, beyond it, inside the ellipse
    a^2 + b^2 + ab - 2a - 2b + 1 = 0, which touches a = 4/3 at b = 1/3.
    """
    a, b = np.maximum(first, 0.0), np.maximum(second, 0.0)
    outside = a * (a + b - 2.0) + b * (b - 2.0) + 1.0 > -_MIN_MARGIN_SHARE
    correct = ((a > 1.0) | (b > 1.0)) & outside
    inner = np.minimum(a, 4.0 / 3.0)
    root = np.sqrt(np.maximum((inner - 2.0) ** 2 - 4.0 * (inner - 1.0) ** 2, 0.0))
    upper, lower = (2.0 - inner + root) / 2.0, (2.0 - inner - root) / 2.0
    nearest = np.where(
        b + _MIN_MARGIN_SHARE > upper,
        upper - _MIN_MARGIN_SHARE,
        np.maximum(b, lower + _MIN_MARGIN_SHARE),
    )
    too_long = a + _MIN_MARGIN_SHARE >= 4.0 / 3.0
    a_cut = np.where(too_long, 4.0 / 3.0 - _MIN_MARGIN_SHARE, a)
    b_cut = np.where(too_long, 1.0 / 3.0 - _MIN_MARGIN_SHARE, nearest)
    return np.where(correct, a_cut, a), np.where(correct, b_cut, b)


def _parameter_at(fraction: Floats, reach0: Floats, reach1: Floats) -> Floats:
    """Solve the monotonic cubic of time for the curve's parameter.

    Uses Newton's method inside a bracket that every step narrows. Where the curve is vertical in
    time (a double root), the bracket is halved instead, so the search always ends.
    """
    low, high = np.zeros_like(fraction), np.ones_like(fraction)
    # Control points of time are 0, reach0, 1 - reach1, 1.
    slope0, square = 3.0 * reach0, 3.0 * (1.0 - reach1 - 2.0 * reach0)
    cubic = 1.0 + 3.0 * (reach0 + reach1) - 3.0
    guess = fraction.copy()
    for _ in range(100):
        error = guess * (slope0 + guess * (square + guess * cubic)) - fraction
        low, high = np.where(error <= 0.0, guess, low), np.where(error >= 0.0, guess, high)
        speed = slope0 + guess * (2.0 * square + guess * 3.0 * cubic)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            newton = guess - error / speed
        usable = (newton > low) & (newton < high)
        step = np.where(usable, newton, 0.5 * (low + high)) - guess
        guess = guess + np.where(error == 0.0, 0.0, step)
        if not np.any(np.abs(step) > 1e-16):
            break
    even = (np.abs(reach0 - 1.0 / 3.0) <= _MAX_UNEVEN_SHARE) & (
        np.abs(reach1 - 1.0 / 3.0) <= _MAX_UNEVEN_SHARE
    )
    return np.where(even, fraction, guess)
