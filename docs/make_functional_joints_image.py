"""Draw joint errors of several methods: ``python -m docs.make_functional_joints_image``.

The trials are those of ``benchmarks/functional_joints.py``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.functional_joints import (
    AXIS_DEG,
    CENTRE_DEG,
    OTHER_TRIALS,
    RANGES_DEG,
    TRIALS,
    errors_mm,
    root_mean_square,
)
from benchmarks.simulated_clusters import NOISES
from jointlimits_core.io import atomic_output
from jointlimits_core.report.html import BLUE, SKY, VERMILLION, new_figure, png_bytes

FOLDER = Path(__file__).resolve().parent
INK, QUIET, RAIL = "#1D2630", "#5A6672", "#E3E7EC"
COLOURS = {
    "ours": BLUE,
    "SCoRE, O'Brien": VERMILLION,
    "SARA": VERMILLION,
    "geometric axis fit": SKY,
}
PUBLISHED = {
    False: (CENTRE_DEG, 1.2, "SCoRE as published"),
    True: (AXIS_DEG, 12.0, "best published"),
}


def functional_joints_picture() -> bytes:
    """PNG with one row for centres and one for axes, a column for each kind of noise."""
    figure = new_figure(11.2, 6.2)
    title = "Joint centres and axes from clusters of markers with 1 mm of noise"
    figure.text(0.06, 0.955, title, color=INK, fontsize=15, fontweight="bold", va="center")
    for row, hinge in enumerate((False, True)):
        for column, noise in enumerate(NOISES):
            box = (0.06 + 0.315 * column, 0.545 - 0.465 * row, 0.285, 0.315)
            _draw(figure.add_axes(box), hinge, noise, column == 0)
    return png_bytes(figure)


def _draw(axes: Any, hinge: bool, noise: str, labelled: bool) -> None:
    curves: dict[str, list[float]] = {}
    headline = AXIS_DEG if hinge else CENTRE_DEG
    for range_deg in RANGES_DEG:
        count = TRIALS if range_deg == headline else OTHER_TRIALS
        for name, errors in errors_mm(hinge, noise, range_deg, count).items():
            curves.setdefault(name, []).append(root_mean_square(errors))
            print(hinge, noise, range_deg, name, f"{curves[name][-1]:.2f}", flush=True)
    for name, values in reversed(curves.items()):
        axes.plot(RANGES_DEG, values, "o-", color=COLOURS[name], lw=2.0, ms=4.5, label=name)
    place, error, words = PUBLISHED[hinge]
    axes.plot([place], [error], "D", color=INK, ms=6.0, mfc="none", label=words)
    axes.set(
        xscale="log", yscale="log", xticks=RANGES_DEG, xticklabels=[f"{r:g}°" for r in RANGES_DEG]
    )
    axes.set_ylim(0.1, 100.0)
    axes.set_yticks([0.1, 1.0, 10.0, 100.0], ["0.1", "1", "10", "100"])
    axes.minorticks_off()
    axes.grid(color=RAIL, lw=0.8)
    axes.tick_params(colors=QUIET, labelsize=9, length=0)
    axes.spines[:].set_visible(False)
    where = {"each marker": "on each marker", "all markers": "on all markers at once"}
    kind = "Axis" if hinge else "Centre"
    axes.set_title(
        f"{kind}: noise {where.get(noise, 'both ways')}", loc="left", color=INK, fontsize=11
    )
    if labelled:
        axes.set_ylabel("rms error, mm", color=QUIET, fontsize=9)
        axes.legend(frameon=False, fontsize=8.5, labelcolor=INK, loc="upper right")


def main() -> None:
    """Write the picture."""
    with atomic_output(FOLDER / "images" / "functional_joints.png") as stream:
        stream.write(functional_joints_picture())


if __name__ == "__main__":
    main()
