"""Pictures of the page on accuracy: ``python -m docs.make_accuracy_image [FILE]``.

FILE, written by ``python -m benchmarks functional_joints --json FILE``: functional joints beside
the field's methods. Without it: a take's skeleton from markers over the subject's own.
"""

from __future__ import annotations

import json
import math
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.bodies_markers import TAKES
from benchmarks.figures import shared
from jointlimits_core.formats.read_bodies import read_bodies
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.io.output import atomic_output
from jointlimits_core.report.html.skeleton_figure import skeleton_points
from jointlimits_core.skeleton_fit.fit import fit_skeleton
from jointlimits_core.skeleton_fit.tracks import bodies_from_motion

IMAGES = Path(__file__).resolve().parent / "images"
TAKE, FRAMES = "HDM_dg_06-03_03_120.c3d", (40, 120)
SCALE, MIDDLES, GROUND = 240.0, (120, 330, 560, 770), 480.0
"""Pixels per metre, where the four figures stand, and the floor."""
COLOURS = {
    "ours": "#c2410c",
    "SCoRE, O'Brien": "#2563eb",
    "SARA, O'Brien": "#2563eb",
    "geometric": "#7c8794",
    "floor": "#111827",
}
WORDS = {"floor": "bound of unbiased fits", "geometric": "geometric fit"}
ROWS = {"centre": "Centre of a ball joint", "axis": "Axis of a hinge"}
NOISES = ("each marker", "all markers", "both")
TITLES = ("noise on each marker", "noise on all of a cluster", "both")
SIZE, LEFT, TOP, PANEL, GAP = (930, 690), 62, 96, (260, 190), (30, 124)
DEGREES, MILLIMETRES = (5, 10, 20, 45, 90), (0.1, 1, 10)
LOW_MM, HIGH_MM = 0.1, 50.0
Curves = dict[tuple[str, str, str], dict[float, float]]


def curves_of(document: dict[str, list[dict[str, object]]]) -> Curves:
    """Millimetres by range, by what is sought, noise and method; equal curves only once."""
    found: Curves = defaultdict(dict)
    for figure in document["figures"]:
        what, _, rest = str(figure["name"]).partition(", ")
        if what in ROWS:
            degrees, _, rest = rest.partition(" degrees, noise on ")
            noise, _, method = rest.partition(": ")
            twins = {"SCoRE": "SCoRE, O'Brien", "SARA": "SARA, O'Brien"}
            name = twins.get(method, method)
            if name in COLOURS:
                found[what, noise, name][float(degrees)] = float(str(figure["value"]))
    return found


def picture(curves: Curves) -> str:
    """Six panels: a row for centres and one for axes, a column for each noise."""
    width, height = SIZE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="system-ui, sans-serif" font-size="13" fill="#374151">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        draw_text(LEFT, 26, "Error in mm (rms) by range of motion, with 1 mm of noise", 13),
    ]
    for row, (what, title) in enumerate(ROWS.items()):
        parts.append(draw_text(LEFT, TOP + row * (PANEL[1] + GAP[1]) - 34, title, 15, "600"))
        for column, noise in enumerate(NOISES):
            x = LEFT + column * (PANEL[0] + GAP[0])
            y = TOP + row * (PANEL[1] + GAP[1])
            own = {name: line for (w, n, name), line in curves.items() if (w, n) == (what, noise)}
            parts += [draw_text(x, y - 12, TITLES[column], 13), *_panel(x, y, own, column == 0)]
        parts.append(_legend(what, TOP + row * (PANEL[1] + GAP[1]) + PANEL[1] + 42))
    return "\n".join([*parts, "</svg>", ""])


def _panel(x: float, y: float, curves: dict[str, dict[float, float]], first: bool) -> list[str]:
    """Axes, and a line with dots for each method, ours on top."""
    parts = []
    for mm in MILLIMETRES:
        level = y + _up(mm)
        parts.append(draw_line(x, level, x + PANEL[0], level, "#e5e7eb"))
        parts.append(draw_text(x - 8, level + 4, f"{mm:g}", 12, anchor="end") if first else "")
    for degrees in DEGREES:
        name = f"{degrees}°"
        parts.append(draw_text(x + _right(degrees), y + PANEL[1] + 18, name, 12, anchor="middle"))
    for name in sorted(curves, key=list(COLOURS).index, reverse=True):
        points = [(x + _right(d), y + _up(mm)) for d, mm in sorted(curves[name].items())]
        way = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        dashed = ' stroke-dasharray="2 4"' if name == "floor" else ""
        colour = COLOURS[name]
        parts.append(
            f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"{dashed}/>'
        )
        if name != "floor":
            parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5" fill="{colour}"/>'
                      for a, b in points]  # fmt: skip
    return parts


def _legend(what: str, y: float) -> str:
    names = ("ours", *(("SCoRE, O'Brien",) if what == "centre" else ("SARA, O'Brien", "geometric")))
    parts, x = [], float(LEFT)
    for name in (*names, "floor"):
        dashed = ' stroke-dasharray="2 4"' if name == "floor" else ""
        parts.append(
            f'<path d="M{x:g} {y:g}h26" stroke="{COLOURS[name]}" stroke-width="2"{dashed}/>'
        )
        parts.append(draw_text(x + 33, y + 4, WORDS.get(name, name), 13))
        x += 62 + 7.2 * len(WORDS.get(name, name))
    return "\n".join(parts)


def beside_asf() -> str:
    """The skeleton from a take's markers over the subject's own, two frames from two sides."""
    markers, motion, skeleton = (shared(path) for path in TAKES[TAKE])
    fit, solved = fit_skeleton(read_bodies(markers)), read_motion(motion, skeleton)
    found = skeleton_points(fit, np.array(FRAMES))
    own = np.swapaxes(bodies_from_motion(solved).positions[:, FRAMES], 0, 1)
    # Both have Y up; the file of markers looks along another axis.
    own = own[..., [2, 1, 0]] * [1.0, 1.0, -1.0]
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 890 530" '
        'font-family="system-ui, sans-serif" font-size="13" fill="#374151">',
        '<rect width="890" height="530" fill="#ffffff"/>',
        draw_text(
            LEFT, 26, f"{TAKE}: skeleton from its markers (orange) over the subject's ASF", 13
        ),
    ]
    for number, middle in enumerate(MIDDLES):
        frame, axis = number // 2, (0, 2)[number % 2]
        shift = middle - SCALE * own[frame, 0, axis]
        for places, parents, colour in (
            (own, solved.skeleton.parents, COLOURS["floor"]),
            (found.places, found.parents, COLOURS["ours"]),
        ):
            parts += _bones(places[frame][:, [axis, 1]], parents, shift, colour)
        view = f"frame {FRAMES[frame]}, along {'zx'[number % 2]}"
        parts.append(draw_text(middle, 512, view, 13, anchor="middle"))
    return "\n".join([*parts, "</svg>", ""])


def _bones(places: Floats, parents: Sequence[int], shift: float, colour: str) -> list[str]:
    """A line from every point to its parent, and a dot at every point."""
    x, y = shift + SCALE * places[:, 0], GROUND - SCALE * places[:, 1]
    parts = [
        f'<path d="M{x[row]:.1f} {y[row]:.1f}L{x[above]:.1f} {y[above]:.1f}" '
        f'stroke="{colour}" stroke-width="2"/>'
        for row, above in enumerate(parents)
        if above >= 0
    ]
    return parts + [
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in zip(x, y)
    ]


def _right(degrees: float) -> float:
    return 14 + (PANEL[0] - 28) * math.log(degrees / 5.0) / math.log(90.0 / 5.0)


def _up(mm: float) -> float:
    return PANEL[1] * (1.0 - math.log(mm / LOW_MM) / math.log(HIGH_MM / LOW_MM))


def draw_line(x: float, y: float, to_x: float, to_y: float, colour: str) -> str:
    """SVG of a line, in pixels."""
    return f'<path d="M{x:g} {y:.1f}L{to_x:g} {to_y:.1f}" stroke="{colour}"/>'


def draw_text(
    x: float, y: float, words: str, size: int, weight: str = "400", anchor: str = "start"
) -> str:
    """SVG of a text at a point, in pixels."""
    return (
        f'<text x="{x:g}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" '
        f'text-anchor="{anchor}">{words}</text>'
    )


def main() -> int:
    """Draw the figures of a benchmark run, or the take."""
    if len(sys.argv) > 1:
        curves = curves_of(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
        name, drawn = "functional_joints.svg", picture(curves)
    else:
        name, drawn = "beside_asf.svg", beside_asf()
    with atomic_output(IMAGES / name) as stream:
        stream.write(drawn.encode("utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
