"""Numbers of many characters in a few: median, quartiles, ends, and which lie far out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles

FEWEST = 4
"""With fewer there is no telling which one is odd."""
FAR, MAD_TO_SIGMA = 3.5, 1.4826
"""Modified z-score above which a value lies far out: Iglewicz and Hoaglin, "How to Detect and
Handle Outliers" (1993), chapter 3."""
TELL_DEG = 15.0
"""Less is no news, however much alike the others are."""


@dataclass(frozen=True)
class Spread:
    """Values of one kind.

    Parameters
    ----------
    median, low, high : float
        The middle, and the lower and upper quartile.
    """

    count: int
    median: float
    low: float
    high: float
    least: float
    most: float


def spread_of(values: Sequence[float]) -> Spread:
    """Spread of one value or more."""
    low, high = values[0], values[0]
    if len(values) > 1:
        low, _, high = quantiles(values, n=4, method="inclusive")
    return Spread(len(values), median(values), low, high, min(values), max(values))


def far_out(values: Sequence[float]) -> list[int]:
    """Positions of values that lie far from the median, measured by the median deviation.

    Half of the values can be anything without hiding the others.

    Parameters
    ----------
    values : sequence of float
        Degrees.

    Returns
    -------
    list of int
        None of them if there are fewer than :data:`FEWEST` values.
    """
    if len(values) < FEWEST:
        return []
    middle = median(values)
    apart = [abs(value - middle) for value in values]
    least = max(TELL_DEG, FAR * MAD_TO_SIGMA * median(apart))
    return [place for place, distance in enumerate(apart) if distance > least]
