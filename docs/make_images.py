"""Draw the README's picture from the project's own example: ``python -m docs.make_images``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from jointlimits_core.estimation import estimate
from jointlimits_core.formats import read_motion
from jointlimits_core.geometry import Floats
from jointlimits_core.io import atomic_output
from jointlimits_core.limits import Hinge, LimitSet, degrees
from jointlimits_core.report.figures import (
    bar_segments,
    box_edges,
    counts_on_circle,
    cube_around,
    gap_arc,
    hinge_angles_deg,
    rest_rotation,
    samples_of,
)
from jointlimits_core.report.html import (
    GAP,
    INTERVAL,
    REST,
    add_space,
    clip_colours,
    euler_plot_of,
    lines,
    new_figure,
    png_bytes,
    point_colours,
    scatter,
)

FOLDER = Path(__file__).resolve().parent
EXAMPLE = FOLDER.parent / "examples" / "humanoid_rom.ma"
BALL, HINGE = "LeftShoulder", "LeftKnee"
SIDE = ("Clavicle", "Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle", "Toe")
STRIP = ("Spine", "Neck", *(f"Left{name}" for name in SIDE))
INK, QUIET, RAIL = "#1D2630", "#5A6672", "#E3E7EC"
TYPE_COLOURS = {"fixed": QUIET, "hinge": INTERVAL, "universal": GAP, "ball": REST}


def report_picture() -> bytes:
    """PNG with a ball's samples in their box, a hinge's angle circle and a strip of ranges."""
    motion = read_motion(EXAMPLE)
    limit_set = estimate(motion)
    figure = new_figure(11.2, 4.9)
    _draw_box(figure, limit_set, motion)
    _draw_dial(figure.add_axes((0.36, 0.08, 0.25, 0.72)), limit_set, motion)
    _draw_strip(figure.add_axes((0.775, 0.08, 0.205, 0.72)), limit_set)
    title = "Joint types and joint limits, read from motion"
    figure.text(0.02, 0.945, title, color=INK, fontsize=15, fontweight="bold", va="center")
    return png_bytes(figure)


def _heading(figure: Any, x: float, name: str, words: str) -> None:
    figure.text(x, 0.865, name, color=INK, fontsize=11, fontweight="bold")
    figure.text(x, 0.825, words, color=QUIET, fontsize=9)


def _draw_box(figure: Any, limit_set: LimitSet, motion: Any) -> None:
    samples = samples_of(limit_set, BALL, [motion])
    plot = euler_plot_of(samples, limit_set.joints[BALL])
    assert plot is not None
    edges = box_edges(plot.low, plot.high)
    centre, half = cube_around(edges.reshape(-1, 3), 10.0)
    axes = add_space(figure, (1, 3, 1), plot.labels, centre, half)
    axes.set_position((-0.01, 0.02, 0.345, 0.82))
    colours = point_colours(samples, plot.shown, clip_colours([motion]))
    scatter(axes, plot.contiguous, colours, centre[2] - half)
    lines(axes, edges, INTERVAL)
    _heading(figure, 0.02, BALL, "a ball: every pose of the motion, in the box of its limits")


def _draw_dial(axes: Any, limit_set: LimitSet, motion: Any) -> None:
    """Angle circle of a hinge: samples, interval, gap and rest pose."""
    hinge, rest = limit_set.joints[HINGE].hinge, rest_rotation(limit_set.joints[HINGE])
    assert hinge is not None
    assert rest is not None
    angles = hinge_angles_deg(motion.quaternion(HINGE), hinge, rest)
    _draw_arcs(axes, hinge)
    counts = counts_on_circle(angles)
    for position in np.flatnonzero(counts):
        length = 0.05 + 0.17 * np.cbrt(counts[position] / counts.max())
        spike = _on_circle(np.full(2, position * 360.0 / len(counts)))
        axes.plot(*(spike * [[1.1], [1.1 + length]]).T, color=QUIET, linewidth=1.6)
    axes.scatter([1.0], [0.0], marker="D", s=70, color=REST, zorder=5, edgecolors="white")
    for angle, text in ((0, "0°"), (90, "90°"), (180, "±180°"), (270, "−90°")):
        x, y = 1.5 * _on_circle(np.array([angle]))[0]
        axes.text(x, y, text, color=QUIET, fontsize=9, ha="center", va="center")
    span = f"{degrees(hinge.min_deg)} to {degrees(hinge.max_deg)}"
    axes.text(0, 0.05, "about its axis", color=QUIET, fontsize=9, ha="center")
    axes.text(0, -0.16, span, color=INK, fontsize=11, fontweight="bold", ha="center")
    axes.set(xlim=(-1.65, 1.65), ylim=(-1.65, 1.65), aspect="equal")
    axes.set_axis_off()
    _heading(axes.figure, 0.39, HINGE, "a hinge: range, gap and rest pose")


def _draw_arcs(axes: Any, hinge: Hinge) -> None:
    interval = np.linspace(hinge.min_deg, hinge.max_deg, 200)
    axes.plot(*_on_circle(interval).T, color=INTERVAL, linewidth=8, solid_capstyle="butt")
    gap = gap_arc(hinge.min_deg, hinge.max_deg)
    if gap is not None:
        dashes = _on_circle(np.linspace(*gap, 300)).T
        axes.plot(*dashes, color=GAP, linewidth=2, linestyle=(0, (2, 2)))


def _on_circle(angles_deg: Floats) -> Floats:
    radians = np.radians(angles_deg)
    return np.stack([np.cos(radians), np.sin(radians)], axis=-1)


def _draw_strip(axes: Any, limit_set: LimitSet) -> None:
    """Ranges of the channels on a scale from -180 to 180, one row a joint."""
    for row, name in enumerate(STRIP):
        joint = limit_set.joints[name]
        axes.text(-396, row, name, color=INK, fontsize=9, va="center", ha="left")
        colour = TYPE_COLOURS[joint.type]
        axes.text(-194, row, joint.type, color=colour, fontsize=8, va="center", ha="right")
        for place, limit in enumerate(joint.limits.values()):
            y = row + 0.24 * (place - 1)
            axes.broken_barh([(-180, 360)], (y - 0.05, 0.1), color=RAIL)
            if limit.state == "limited" and limit.min_deg is not None and limit.max_deg is not None:
                pieces = bar_segments(limit.min_deg, limit.max_deg)
                bars = [(3.6 * start - 180.0, 3.6 * length) for start, length in pieces]
                axes.broken_barh(bars, (y - 0.09, 0.18), color=INTERVAL)
    axes.vlines(0.0, -0.45, len(STRIP) - 0.55, color=QUIET, linewidth=0.8)
    axes.set(xlim=(-180, 180), ylim=(len(STRIP) - 0.4, -0.6), xticks=[-180, -90, 0, 90, 180])
    axes.set_yticks([])
    axes.tick_params(labelsize=8, colors=QUIET, length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    _heading(
        axes.figure,
        0.65,
        "Spine, neck and left side",
        "type, and the range of X, Y and Z in degrees",
    )


def main() -> None:
    """Write ``docs/images/report.png``."""
    with atomic_output(FOLDER / "images" / "report.png") as stream:
        stream.write(report_picture())


if __name__ == "__main__":
    main()
