"""Diagrams of a joint's samples: rotation vectors, and Euler angles (the paper's figures 4 and 7).

In the cloud of rotation vectors, a point's direction is the axis and its distance from the centre
the angle in degrees, both relative to the mean rotation: a hinge gives a line, a universal joint a
sheet, a ball a volume.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base import channel_letter, plural
from ...geometry import AnyArray, Floats, Integers
from ...limits import JointLimit
from ...motion import Motion
from ..figures import (
    SMALLEST_EDGE_DEG,
    JointSamples,
    axis_lines,
    box_edges,
    cube_around,
    mean_rotation,
    relative_rotation_vectors,
    rest_rotation,
    shape_lines,
    shown_indices,
)
from .document import (
    BLACK,
    CLIP_COLOURS,
    FIGURE_INCHES,
    GREY,
    INTERVAL,
    REST,
    TIME_COLOURS,
    TIME_SHARE,
    new_figure,
    png_address,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class ClipColours:
    """Colours of the clips of a report."""

    names: tuple[str, ...]
    """Name of each motion."""
    colours: tuple[str, ...]
    """Colour of each motion."""
    by_time: bool
    """True for a single clip: its samples are coloured from start to end of the motion."""

    @property
    def legend(self) -> list[tuple[str, str]]:
        """Colours with their names; clips that share grey are counted together."""
        own = [pair for pair in zip(self.colours, self.names) if pair[0] != GREY]
        others = len(self.names) - len(own)
        return [*own, (GREY, plural(others, "other clip"))] if others else own


def clip_colours(motions: Sequence[Motion]) -> ClipColours:
    """Assign a colour to every clip; if there are too many, the shorter ones share grey."""
    order = sorted(range(len(motions)), key=lambda n: (-motions[n].frame_count, n))
    room = len(CLIP_COLOURS)
    kept = sorted(order if len(order) <= room else order[: room - 1])
    own = dict(zip(kept, CLIP_COLOURS))
    colours = tuple(own.get(n, GREY) for n in range(len(motions)))
    return ClipColours(tuple(m.name for m in motions), colours, len(motions) == 1)


def point_colours(samples: JointSamples, shown: AnyArray, clips: ClipColours) -> AnyArray:
    """Colour of each shown sample, shape (shown, 4), red, green, blue and opacity from 0 to 1."""
    import matplotlib
    from matplotlib.colors import to_rgba_array

    if clips.by_time:
        # matplotlib.colormaps came with 3.5; get_cmap went with 3.9.
        return np.asarray(matplotlib.colormaps[TIME_COLOURS](TIME_SHARE * samples.progress[shown]))
    return np.asarray(to_rgba_array(clips.colours)[samples.clip[shown]])


SPARSE_POINT, DENSE_POINT = 16.0, 7.0
"""Marker area in square points, for few samples and for many."""
_PANE = "#F4F6F8"
_INK = "#4A5560"


def add_space(
    figure: Figure,
    place: tuple[int, int, int],
    labels: Sequence[str],
    centre: Sequence[float] | Floats,
    half: float,
) -> Any:
    """Add unobtrusive, equal 3D axes to a figure and return them, an Axes3D.

    `place` is rows, columns and number, as for ``add_subplot``; `centre`, shape (3,), and `half`
    are the centre and half the edge of the visible cube.
    """
    from matplotlib.colors import to_rgba

    axes = figure.add_subplot(*place, projection="3d")
    axes.view_init(elev=22.0, azim=-58.0)
    axes.set_box_aspect((1.0, 1.0, 1.0))
    limits = zip((axes.set_xlim, axes.set_ylim, axes.set_zlim), centre)
    for put, middle in limits:
        put(middle - half, middle + half)
    for axis, label in zip((axes.xaxis, axes.yaxis, axes.zaxis), labels):
        axis.set_major_locator(_locator(half))
        # As numbers: matplotlib 3.5 takes the opacity from the last of them.
        axis.set_pane_color(to_rgba(_PANE))
        axis.line.set_color("#C4CBD3")
        axis._axinfo["grid"].update(color="#DDE2E7", linewidth=0.6)
        axis.set_label_text(label, color=_INK, fontsize=10)
        axis.labelpad = 0
    axes.tick_params(labelsize=9, colors=_INK, pad=0)
    return axes


def _locator(half: float) -> Any:
    from matplotlib.ticker import FixedLocator, MaxNLocator, MultipleLocator

    # Angles read best in steps of 90 and 45; smaller ranges use round decimal steps. At the corners
    # of a full turn the numbers of two axes would overlap.
    if half >= 170.0:
        return FixedLocator([-90, 0, 90]) if half <= 180.0 else MultipleLocator(90)
    return MultipleLocator(45) if half >= 75.0 else MaxNLocator(nbins=4, steps=[1, 2, 5, 10])


def scatter(axes: Any, points: Floats, colours: AnyArray, floor: float) -> None:
    """Points with shadows on the floor, to show depth."""
    ground = np.full(len(points), floor)
    size = SPARSE_POINT if len(points) < 400 else DENSE_POINT
    common = {"linewidths": 0, "depthshade": False}
    axes.scatter(points[:, 0], points[:, 1], ground, s=0.6 * size, c="#D4D9DF", **common)
    axes.scatter(*points.T, s=size, c=colours, **common)


def lines(axes: Any, segments: Floats, colour: str, width: float = 1.8) -> None:
    """Straight lines, segments of shape (lines, 2, 3)."""
    from mpl_toolkits.mplot3d.art3d import Line3DCollection

    if len(segments):
        axes.add_collection3d(Line3DCollection(segments, colors=colour, linewidths=width, zorder=1))


BAND = "#C4CBD3"
SHAPE = "#8FB8DE"


@dataclass(frozen=True)
class Cloud:
    """Contents of the figure, in degrees about the joint's own axes."""

    points: Floats
    """Shape (shown, 3)."""
    shown: Integers
    """Indices of the samples shown, shape (shown,)."""
    rest: Floats | None
    """The rest pose, shape (3,)."""
    axes: Floats
    """The hinge's axis over its range, or the two axes of a universal joint, shape (lines, 2,
    3)."""
    shape: Floats
    """Lines on the boundary of the coupled limit, shape (lines, 2, 3)."""


def cloud_of(samples: JointSamples, limit: JointLimit) -> Cloud:
    """Compute the cloud of a joint that has at least one sample."""
    mean = mean_rotation(samples.rotations)
    vectors = relative_rotation_vectors(samples.rotations, mean)
    shown = shown_indices(vectors)
    rest = rest_rotation(limit)
    axes = axis_lines(limit, mean, vectors)
    rest_vector = None if rest is None else relative_rotation_vectors(rest, mean)
    return Cloud(vectors[shown], shown, rest_vector, axes, shape_lines(limit, mean))


def cloud_image(cloud: Cloud, samples: JointSamples, clips: ClipColours) -> str:
    """Draw the cloud; return the address of an embedded image."""
    figure = new_figure(*FIGURE_INCHES)
    extent = [cloud.points, cloud.axes.reshape(-1, 3), cloud.shape.reshape(-1, 3)]
    if cloud.rest is not None:
        extent.append(cloud.rest[None])
    centre, half = cube_around(np.concatenate(extent), SMALLEST_EDGE_DEG)
    labels = [f"about {letter} (°)" for letter in "XYZ"]
    axes = add_space(figure, (1, 1, 1), labels, centre, half)
    # The rest pose lies among the samples and must stay visible: draw in the order of the calls.
    axes.computed_zorder = False
    lines(axes, cloud.shape, SHAPE, 0.5)
    # A hinge's samples lie on its line, so it is drawn as a band behind them.
    colour, width = (BAND, 5.0) if len(cloud.axes) == 1 else (BLACK, 1.2)
    lines(axes, cloud.axes, colour, width)
    scatter(axes, cloud.points, point_colours(samples, cloud.shown, clips), centre[2] - half)
    if cloud.rest is not None:
        axes.scatter(*cloud.rest[:, None], s=60, c=REST, marker="D", linewidths=0, zorder=9)
    figure.subplots_adjust(left=0.0, right=0.93, bottom=0.05, top=1.04)
    return png_address(figure)


SMALLEST_PLOT_EDGE_DEG = 10.0


@dataclass(frozen=True)
class EulerPlot:
    """Contents of the two diagrams, in degrees."""

    raw: Floats
    contiguous: Floats
    """The same samples, wrapped to [-180, 180), and on the branch of the limits, shape (shown,
    3)."""
    shown: Integers
    """Indices of the samples shown, shape (shown,)."""
    low: Floats
    high: Floats
    """The box, shape (3,); a channel without a limit has the range of its samples."""
    bounded: bool
    """False if no channel has a limit, so that there is no box."""
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
    centre, half = cube_around(extent, SMALLEST_PLOT_EDGE_DEG)
    after = add_space(figure, (1, 2, 2), plot.labels, centre, half)
    scatter(after, plot.contiguous, colours, centre[2] - half)
    # A box with a single open channel is a line: drawn thin, so that samples stay visible.
    is_line = np.count_nonzero(plot.high - plot.low > 1.0) < 2
    lines(after, edges, INTERVAL, 0.6 if is_line else 1.8)
    figure.subplots_adjust(left=0.0, right=0.96, bottom=0.05, top=1.04, wspace=0.1)
    return png_address(figure)
