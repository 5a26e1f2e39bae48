"""Box-shaped 3D diagram with equal axes, shared by the cloud and the Euler plots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import AnyArray, Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SPARSE_POINT, DENSE_POINT = 16.0, 7.0
"""Marker area in square points, for few samples and for many."""
_PANE = "#F4F6F8"
_INK = "#4A5560"


def cube_around(points: Floats, smallest: float, margin: float = 0.08) -> tuple[Floats, float]:
    """Smallest cube around some points, for equal axes.

    Parameters
    ----------
    points : array, shape (points, 3)
        At least one.
    smallest : float
        Least edge of the cube, so that a joint that hardly moves looks like it.
    margin : float
        Room on each side, as a share of the edge.

    Returns
    -------
    centre : array, shape (3,)
    half : float
        Half the cube's edge.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    edge = max(float((high - low).max()) * (1.0 + 2.0 * margin), smallest)
    return 0.5 * (low + high), 0.5 * edge


def box_edges(low: Floats, high: Floats) -> Floats:
    """Return the twelve edges of a box, shape (12, 2, 3)."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    edges = [
        (a, b) for a in range(8) for b in range(a + 1, 8) if abs(corners[a] - corners[b]).sum() == 1
    ]
    return np.asarray(low + (high - low) * corners[np.array(edges)], dtype=np.float64)


def add_space(
    figure: Figure, place: tuple[int, int, int], labels: Sequence[str], centre: Floats, half: float
) -> Any:
    """Add unobtrusive, equal 3D axes to a figure.

    Parameters
    ----------
    place : tuple
        Rows, columns and number, as for ``add_subplot``.
    labels : sequence of three str
    centre : array, shape (3,)
    half : float
        Half the edge of the visible cube.

    Returns
    -------
    Axes3D
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
