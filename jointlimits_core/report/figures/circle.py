"""Angles on dials and bars: arcs, ticks and spikes, pieces of a range, sample counts.

Zero is on the right and angles grow anticlockwise, as in the paper's figure 6. Radii are in drawing
units.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...geometry.arrays import Floats, Integers
from ...limits import limit_set, ranges, vocabulary

BIN_DEG = 2
RING, LABELS = 72.0, 109.0
"""Radii of the range and of the degree labels."""
SPIKE_START, SPIKE_LENGTH = 80.0, 18.0
QUARTERS = ((0, "0°"), (90, "90°"), (180, "180°"), (270, f"{vocabulary.MINUS}90°"))
END_MARK = (RING - 8.0, RING + 7.0)
"""Inner and outer radius of the mark at a limit."""

RadialLine = tuple[float, float, float]
"""Angle, inner radius and outer radius."""


def point_at(angle_deg: float, radius: float) -> tuple[float, float]:
    """Point on a circle around the origin; y points down, as on screens."""
    angle = math.radians(angle_deg)
    return radius * math.cos(angle), -radius * math.sin(angle)


def dial_ticks() -> list[RadialLine]:
    """Marks every 30 degrees, longer at each quarter turn."""
    return [(angle, 59.0 if angle % 90 else 55.0, 64.0) for angle in range(0, 360, 30)]


def spikes(counts: Integers) -> list[RadialLine]:
    """One spike for each bin of the circle with samples; more samples make it longer.

    Length grows with the cube root of the count, so that one sample in ten thousand is visible.
    """
    shares = np.maximum(np.cbrt(counts / max(int(counts.max(initial=0)), 1)), 0.25)
    ends = SPIKE_START + SPIKE_LENGTH * shares
    return [
        (float(piece) * 360.0 / len(counts), SPIKE_START, float(ends[piece]))
        for piece in np.flatnonzero(counts)
    ]


def dial_arcs(
    axis: limit_set.AxisLimit, bands: Sequence[tuple[float, float]]
) -> list[tuple[str, float, float]]:
    """Arcs of a range and its bands, from back to front: kind, start and end in degrees.

    Only "free" for a channel that lacks a minimum or maximum; otherwise "gap", "band" and
    "interval", unless they are empty.
    """
    span = ranges.span_of(axis)
    if span is None:
        return [("free", 0.0, 360.0)]
    arcs = [] if span[1] - span[0] >= 360.0 else [("gap", span[1], span[0] + 360.0)]
    arcs += [("band", *band) for band in bands]
    return [*arcs, ("interval", *span)] if span[1] > span[0] else arcs


def limit_angles(axis: limit_set.AxisLimit) -> tuple[float, ...]:
    """Angles of a channel's limits: two, one or none."""
    single = vocabulary.single_limit(axis)
    return (ranges.span_of(axis) or ()) if single is None else single[1:]


def bar_segments(
    low_deg: float, high_deg: float, least: float = 0.0
) -> tuple[tuple[float, float], ...]:
    """Starts and lengths, in percent, of a range's pieces on a scale from -180 to 180 degrees.

    The range may be on any branch. Past the end of the scale it continues at the start; a range of
    a full turn or more covers the whole scale. Pieces shorter than `least` are widened to it.
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
    found = []
    for begin, extent in pieces:
        at, length = begin / 3.6, extent / 3.6
        if length < least:
            at, length = min(max(at + 0.5 * (length - least), 0.0), 100.0 - least), least
        found.append((at, length))
    return tuple(found)


def counts_on_circle(angles_deg: Floats, bin_deg: int = BIN_DEG) -> Integers:
    """Number of angles per bin of the circle, (360 / bin_deg,); the first is centred on zero."""
    bins = 360 // bin_deg
    which = np.floor(np.asarray(angles_deg) / bin_deg + 0.5).astype(np.int64) % bins
    return np.bincount(which, minlength=bins)
