"""Draw a skeleton found in loose bodies: ``python -m docs.make_skeleton_images``.

The bodies are simulated: 16 sensors on a figure that exercises, 4 mm and half a degree of noise,
and one sensor that slips by 30 mm on the way.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.simulated_faults import Faults, Slip
from benchmarks.simulated_figure import simulated_figure
from jointlimits_core.io import atomic_output
from jointlimits_core.report.html import (
    BLUE,
    SKY,
    VERMILLION,
    SkeletonPoints,
    gap_columns,
    new_figure,
    png_bytes,
    skeleton_points,
    slip_step,
)
from jointlimits_core.skeleton_fit import BodyFit, fit_skeleton

FOLDER = Path(__file__).resolve().parent
SEED, FRAME = 3, 1815
SLIPPED = Slip("left shin", 20.0, 0.03)
INK, QUIET, RAIL = "#1D2630", "#5A6672", "#E3E7EC"
SHOWN_MM = 100.0
"""End of the scale of the bars; what is further is drawn at its end."""


def skeleton_picture() -> bytes:
    """PNG with loose bodies, the skeleton found in them, its gaps and margins, and a slip."""
    trial = simulated_figure(SEED, faults=Faults(0.004, 0.5, slips=(SLIPPED,)))
    fit = fit_skeleton(trial.tracks)
    points = skeleton_points(fit, np.array([FRAME]))
    figure = new_figure(11.2, 4.9)
    left, middle = figure.add_axes((0.0, 0.02, 0.2, 0.78)), figure.add_axes((0.2, 0.02, 0.2, 0.78))
    _draw_tracks(left, points)
    _draw_skeleton(middle, points)
    for axes in (left, middle):
        _frame(axes, points)
    _draw_margins(figure.add_axes((0.525, 0.36, 0.455, 0.435)), fit)
    _draw_slip(figure.add_axes((0.525, 0.09, 0.455, 0.155)), fit)
    title = "A skeleton, found from the positions and orientations of bodies alone"
    figure.text(0.02, 0.945, title, color=INK, fontsize=15, fontweight="bold", va="center")
    _heading(figure, 0.02, 0.865, "Given", "16 loose bodies")
    _heading(figure, 0.22, 0.865, "Found", "joints, lengths and who hangs on whom")
    words = "blue: the gap of each joint; black: that to the next-best parent"
    _heading(figure, 0.525, 0.865, "How sure", words)
    (slip,) = fit.slips
    words = f"found: {1000.0 * slip.distance_m:.0f} mm at {slip.seconds:.1f} s; made: 30 mm at 20 s"
    _heading(figure, 0.525, 0.285, f"{slip.body.capitalize()} slipped", words)
    return png_bytes(figure)


def _heading(figure: Any, x: float, y: float, name: str, words: str) -> None:
    figure.text(x, y, name, color=INK, fontsize=11, fontweight="bold")
    figure.text(x, y - 0.036, words, color=QUIET, fontsize=9)


def _seen(places: Any) -> Any:
    """Points as they are seen from a little to the side."""
    turn = 0.35
    x, y, z = np.moveaxis(places, -1, 0)
    return np.stack([x * np.cos(turn) + z * np.sin(turn), y], axis=-1)


def _draw_tracks(axes: Any, points: SkeletonPoints) -> None:
    dots = _seen(points.tracks[0])
    axes.scatter(*dots.T, s=42, color=VERMILLION, zorder=3)


def _draw_skeleton(axes: Any, points: SkeletonPoints) -> None:
    places, dots, feet = (_seen(part[0]) for part in (points.places, points.tracks, points.feet))
    for dot, foot in zip(dots, feet):
        axes.plot(*np.stack([dot, foot]).T, color=VERMILLION, linewidth=1.2)
    for row, parent in enumerate(points.parents):
        if parent >= 0:
            ends = places[[parent, row]].T
            axes.plot(*ends, color=BLUE, linewidth=4, solid_capstyle="round")
    axes.scatter(*dots.T, s=22, color=VERMILLION, zorder=3)


def _frame(axes: Any, points: SkeletonPoints) -> None:
    drawn = np.concatenate([_seen(points.places[0]), _seen(points.tracks[0])])
    centre = 0.5 * (drawn.min(axis=0) + drawn.max(axis=0))
    half = 0.55 * np.ptp(drawn, axis=0).max()
    axes.set(
        xlim=centre[0] + np.array([-half, half]) * 0.6,
        ylim=centre[1] + np.array([-half, half]),
        aspect="equal",
    )
    axes.set_axis_off()


def _draw_margins(axes: Any, fit: BodyFit) -> None:
    """Gap of every joint, and the gap that it would have at the next-best parent."""
    for row, joint in enumerate(fit.joints):
        own, other = 1000.0 * joint.residual_m, 1000.0 * (joint.residual_m + joint.margin_m)
        axes.broken_barh([(0.0, SHOWN_MM)], (row - 0.12, 0.24), color=RAIL)
        axes.broken_barh([(0.0, own)], (row - 0.28, 0.56), color=BLUE)
        axes.vlines(min(other, SHOWN_MM), row - 0.38, row + 0.38, color=INK, linewidth=1.8)
        name = f"{fit.names[joint.child]} on {fit.names[joint.parent]}"
        axes.text(-1.5, row, name, color=INK, fontsize=7.5, ha="right", va="center")
    axes.set(xlim=(0.0, SHOWN_MM * 1.005), ylim=(len(fit.joints) - 0.4, -0.6), yticks=[])
    axes.set_xticks([0.0, 50.0, 100.0], ["0", "50", "100 mm or more"])
    axes.get_xticklabels()[-1].set_ha("right")
    _quiet(axes)


def _draw_slip(axes: Any, fit: BodyFit) -> None:
    """The gap along the way of the slip, as the body that slipped sees it."""
    step = slip_step(fit, fit.slips[0])
    columns = gap_columns(step.along_mm, np.isfinite(step.along_mm), 480)
    seconds = np.linspace(0.0, fit.tracks.frame_count / fit.tracks.frame_rate, len(columns.most))
    axes.fill_between(seconds, columns.least, columns.most, color=SKY, linewidth=0)
    at, end = step.at / fit.tracks.frame_rate, float(seconds[-1])
    axes.hlines(step.before_mm, 0.0, at, color=VERMILLION, linewidth=2)
    axes.hlines(step.after_mm, at, end, color=VERMILLION, linewidth=2)
    axes.axvline(at, color=VERMILLION, linewidth=1.2)
    axes.set(xlim=(0.0, end), yticks=[-20, 0, 20], yticklabels=["−20", "0", "20 mm"])
    axes.set_xticks([0, 10, 20, 30, 40], ["0", "10", "20", "30", "40 s"])
    _quiet(axes)


def _quiet(axes: Any) -> None:
    axes.tick_params(labelsize=8, colors=QUIET, length=0)
    for side in axes.spines.values():
        side.set_visible(False)


def main() -> None:
    """Write ``docs/images/skeleton.png``."""
    with atomic_output(FOLDER / "images" / "skeleton.png") as stream:
        stream.write(skeleton_picture())


if __name__ == "__main__":
    main()
