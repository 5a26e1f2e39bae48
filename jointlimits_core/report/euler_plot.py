"""Euler samples before and after the contiguous analysis (the paper's figure 7)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Floats, Integers
from ..limits.limit_set import JointLimit
from ..wording import channel_letter
from .clips import ClipColours, point_colours
from .samples import JointSamples, shown_indices
from .space import add_space, box_edges, cube_around, lines, scatter
from .style import FIGURE_INCHES, INTERVAL, new_figure, png_address

SMALLEST_EDGE_DEG = 10.0


@dataclass(frozen=True)
class EulerPlot:
    """Contents of the two diagrams, in degrees.

    Parameters
    ----------
    raw, contiguous : array, shapes (shown, 3)
        The same samples, wrapped to [-180, 180), and on the branch of the limits.
    shown : array of int, shape (shown,)
        Indices of the samples shown.
    low, high : array, shapes (3,)
        The box; a channel without a limit has the range of its samples.
    bounded : bool
        False if no channel has a limit, so that there is no box.
    """

    raw: Floats
    contiguous: Floats
    shown: Integers
    low: Floats
    high: Floats
    bounded: bool
    labels: tuple[str, ...]


def euler_plot_of(samples: JointSamples, limit: JointLimit) -> EulerPlot | None:
    """Compute both diagrams; None for a joint without three channels or without samples."""
    if len(samples.channels) != 3 or len(samples) == 0:
        return None
    low, high = samples.contiguous.min(axis=0), samples.contiguous.max(axis=0)
    bounded = False
    for position, channel in enumerate(samples.channels):
        bound = limit.limits.get(channel)
        if bound is not None and bound.min_deg is not None and bound.max_deg is not None:
            low[position], high[position] = bound.min_deg, bound.max_deg
            bounded = True
    shown = shown_indices(np.concatenate([samples.raw, samples.contiguous], axis=1))
    labels = tuple(f"{channel_letter(channel)} (°)" for channel in samples.channels)
    return EulerPlot(
        samples.raw[shown], samples.contiguous[shown], shown, low, high, bounded, labels
    )


def euler_image(plot: EulerPlot, samples: JointSamples, clips: ClipColours) -> str:
    """Draw both diagrams side by side; return the address of an embedded image."""
    width, height = FIGURE_INCHES
    figure = new_figure(2.0 * width, height)
    colours = point_colours(samples, plot.shown, clips)
    before = add_space(figure, (1, 2, 1), plot.labels, np.zeros(3), 180.0)
    scatter(before, plot.raw, colours, -180.0)
    edges = box_edges(plot.low, plot.high) if plot.bounded else np.zeros((0, 2, 3))
    extent = np.concatenate([plot.contiguous, edges.reshape(-1, 3)])
    centre, half = cube_around(extent, SMALLEST_EDGE_DEG)
    after = add_space(figure, (1, 2, 2), plot.labels, centre, half)
    scatter(after, plot.contiguous, colours, centre[2] - half)
    # A box with a single open channel is a line: drawn thin, so that samples stay visible.
    is_line = np.count_nonzero(plot.high - plot.low > 1.0) < 2
    lines(after, edges, INTERVAL, 0.6 if is_line else 1.8)
    figure.subplots_adjust(left=0.0, right=0.96, bottom=0.05, top=1.04, wspace=0.1)
    return png_address(figure)
