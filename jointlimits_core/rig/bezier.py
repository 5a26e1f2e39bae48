"""Curve spans with weighted tangents: Bezier curves in time and value."""

from __future__ import annotations

import numpy as np

from ..geometry import Booleans, Floats

#: How far handles are kept from the border beyond which time would run backwards.
_MARGIN = 1e-10
#: Handles this near to thirds of the span make time run evenly.
_EVEN = 1e-6


def bezier_spans(
    fraction: Floats, start: Floats, end: Floats, x0: Floats, y0: Floats, x1: Floats, y1: Floats
) -> Floats:
    """Values of Bezier spans.

    Shape (...). `fraction`, shape (...): time, as the part of the span that has passed, in [0, 1].
    `start`, `end`, shape (...): values at the two keys. `x0`, `y0`, `x1`, `y1`, shape (...):
    tangent that leaves the first key and tangent that enters the second: x as parts of the span, y
    in units of the values. The handles reach a third of them.

    Notes
    -----
    Handles so long that time would run backwards are shortened along their direction, the first
    of the two being preferred, as Maya does.
    """
    reach0, reach1 = _monotonic(x0 / 3.0, x1 / 3.0)
    up0, up1 = _shortened(y0 / 3.0, x0 / 3.0, reach0), _shortened(y1 / 3.0, x1 / 3.0, reach1)
    parameter = _parameter_at(fraction, reach0, reach1)
    rest = 1.0 - parameter
    # Bernstein form: exact at both ends, and no large numbers cancel.
    return np.asarray(
        start * rest**3
        + 3.0 * (start + up0) * rest**2 * parameter
        + 3.0 * (end - up1) * rest * parameter**2
        + end * parameter**3
    )


def _shortened(rise: Floats, reach: Floats, allowed: Floats) -> Floats:
    """Rise of handles whose reach in time has been cut."""
    upright: Booleans = np.abs(reach) <= _MARGIN
    return rise * np.where(upright, 1.0, allowed / np.where(upright, 1.0, reach))


def _monotonic(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Reaches of the two handles for which time never runs backwards.

    With reaches a and b that holds inside the unit square and, beyond it, inside the ellipse
    a^2 + b^2 + ab - 2a - 2b + 1 = 0, which touches a = 4/3 at b = 1/3.
    """
    a, b = np.maximum(first, 0.0), np.maximum(second, 0.0)
    outside = a * (a + b - 2.0) + b * (b - 2.0) + 1.0 > -_MARGIN
    correct = ((a > 1.0) | (b > 1.0)) & outside
    inner = np.minimum(a, 4.0 / 3.0)
    root = np.sqrt(np.maximum((inner - 2.0) ** 2 - 4.0 * (inner - 1.0) ** 2, 0.0))
    upper, lower = (2.0 - inner + root) / 2.0, (2.0 - inner - root) / 2.0
    nearest = np.where(b + _MARGIN > upper, upper - _MARGIN, np.maximum(b, lower + _MARGIN))
    too_long = a + _MARGIN >= 4.0 / 3.0
    a_cut = np.where(too_long, 4.0 / 3.0 - _MARGIN, a)
    b_cut = np.where(too_long, 1.0 / 3.0 - _MARGIN, nearest)
    return np.where(correct, a_cut, a), np.where(correct, b_cut, b)


def _parameter_at(fraction: Floats, reach0: Floats, reach1: Floats) -> Floats:
    """Solve the monotonic cubic of time for the curve's parameter.

    Newton's method, kept inside a bracket that every step narrows: where the curve is upright in
    time (a double root) it falls back to halving, so it always ends.
    """
    low, high = np.zeros_like(fraction), np.ones_like(fraction)
    slope0, square, cubic = _time_coefficients(reach0, reach1)
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
    even = (np.abs(reach0 - 1.0 / 3.0) <= _EVEN) & (np.abs(reach1 - 1.0 / 3.0) <= _EVEN)
    return np.where(even, fraction, guess)


def _time_coefficients(reach0: Floats, reach1: Floats) -> tuple[Floats, Floats, Floats]:
    """Of parameter, its square and its cube, for control points 0, reach0, 1 - reach1, 1."""
    return (
        3.0 * reach0,
        3.0 * (1.0 - reach1 - 2.0 * reach0),
        1.0 + 3.0 * (reach0 + reach1) - 3.0,
    )
