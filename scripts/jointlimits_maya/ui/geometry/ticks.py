"""Round numbers on an axis."""

from __future__ import annotations

import math

_STEPS = (1.0, 2.0, 5.0, 10.0)
_ANGLE_STEPS = (15.0, 30.0, 45.0, 90.0, 180.0)


def step_for(span: float, most: int, smallest: float = 0.0) -> float:
    """Round step (1, 2 or 5 times a power of ten) that cuts a span into at most `most` pieces.

    Parameters
    ----------
    span : float
        Must be above zero.
    most : int
        At least 1.
    smallest : float
        Lower limit of the step; 1 for whole frames.
    """
    rough = max(span / most, 1e-9)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * step for step in _STEPS if power * step >= rough * (1.0 - 1e-9))
    return max(step, smallest)


def angle_step_for(span_deg: float, most: int) -> float:
    """Step in degrees: a part of a right angle where one fits, otherwise as :func:`step_for`."""
    rough = span_deg / most
    if rough <= 10.0:
        return step_for(span_deg, most)
    return next((step for step in _ANGLE_STEPS if step >= rough), 360.0)


def ticks_within(low: float, high: float, step: float) -> list[float]:
    """Multiples of a step from `low` to `high`, both included."""
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]
