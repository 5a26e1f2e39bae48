"""Robust statistics of many characters: median, quartiles, extremes and outliers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles

FEWEST = 4
"""Fewest values for finding outliers."""
FAR, MAD_TO_SIGMA = 3.5, 1.4826
"""Modified z-score above which a value is an outlier: Iglewicz and Hoaglin, "How to Detect and
Handle Outliers" (1993), chapter 3."""
TELL_DEG = 15.0
"""Smallest deviation worth reporting, however alike the others are."""


@dataclass(frozen=True)
class Spread:
    """Distribution of values.

    Parameters
    ----------
    median, low, high : float
        Median, lower and upper quartile.
    """

    count: int
    median: float
    low: float
    high: float
    least: float
    most: float


def spread_of(values: Sequence[float]) -> Spread:
    """Spread of one or more values."""
    low, high = values[0], values[0]
    if len(values) > 1:
        low, _, high = quantiles(values, n=4, method="inclusive")
    return Spread(len(values), median(values), low, high, min(values), max(values))


def far_out(values: Sequence[float]) -> list[int]:
    """Positions of values far from the median, measured by the median absolute deviation.

    Up to half of the values can be anything without hiding the others.

    Parameters
    ----------
    values : sequence of float
        Degrees.

    Returns
    -------
    list of int
        Empty if there are fewer than :data:`FEWEST` values.
    """
    if len(values) < FEWEST:
        return []
    middle = median(values)
    apart = [abs(value - middle) for value in values]
    least = max(TELL_DEG, FAR * MAD_TO_SIGMA * median(apart))
    return [place for place, distance in enumerate(apart) if distance > least]
