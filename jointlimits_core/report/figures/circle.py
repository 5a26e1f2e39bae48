"""Angles on a circle and on a bar: points, gaps, pieces of a range, counts of samples.

Zero is on the right and angles grow anticlockwise, as in the paper's figure 6.
"""

from __future__ import annotations

import math

import numpy as np

from ...geometry import Floats, Integers

BIN_DEG = 2


def point_at(angle_deg: float, radius: float) -> tuple[float, float]:
    """Point on a circle about the origin; y points down, as on screens."""
    angle = math.radians(angle_deg)
    return radius * math.cos(angle), -radius * math.sin(angle)


def gap_arc(low_deg: float, high_deg: float) -> tuple[float, float] | None:
    """Start and end of the empty stretch, anticlockwise; None if the interval is a full turn."""
    if high_deg - low_deg >= 360.0:
        return None
    return high_deg, low_deg + 360.0


def bar_segments(low_deg: float, high_deg: float) -> tuple[tuple[float, float], ...]:
    """Pieces of the scale from -180 to 180 covered by a range.

    Parameters
    ----------
    low_deg, high_deg : float
        On any branch, `high_deg` not smaller.

    Returns
    -------
    tuple of (start, length)
        In percent of the scale. A range past the end of the scale continues at its start; one of
        a turn or more covers all of it.
    """
    span = high_deg - low_deg
    if span >= 360.0:
        return ((0.0, 100.0),)
    start = (low_deg + 180.0) % 360.0
    # A range that ends at exactly 180 must not wrap, and 360 % 360 is 0.
    first = min(span, 360.0 - start)
    pieces = [(start, first)]
    if span > first:
        pieces.append((0.0, span - first))
    return tuple((begin / 3.6, length / 3.6) for begin, length in pieces)


def counts_on_circle(angles_deg: Floats, bin_deg: int = BIN_DEG) -> Integers:
    """Number of angles in each piece of the circle.

    Parameters
    ----------
    angles_deg : array, shape (samples,)
        Any number of turns.
    bin_deg : int
        Size of a piece; divides 360. The first is centred on zero.

    Returns
    -------
    array of int, shape (360 / bin_deg,)
    """
    bins = 360 // bin_deg
    which = np.floor(np.asarray(angles_deg) / bin_deg + 0.5).astype(np.int64) % bins
    return np.bincount(which, minlength=bins)
