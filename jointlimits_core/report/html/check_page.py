"""Page of a check: which motions exceed the limits, when, and by how much.

Its strips have joints in rows, time in columns, and a colour for the degrees outside.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base import (
    Progress,
    frames_words,
    grouped,
    number,
    plural,
    printable,
    report_progress,
    shortened,
)
from ...base.version import __version__
from ...evaluation import CheckedClip, CheckResult, LimitViolation, Violations
from ...geometry import Floats
from ...io import write_text_atomically
from ...limits import NOTES, degrees
from .dials import dots, share_bar
from .document import (
    BLACK,
    GREY,
    PIXELS_PER_INCH,
    Html,
    cell,
    document,
    element,
    new_figure,
    png_address,
    require_matplotlib,
    section,
    style_sheet,
    table,
    table_row,
    titled_list,
)

EDGES_DEG = (1.0, 5.0, 15.0, 45.0)
"""Degrees outside at which the colour changes."""
COLOURS = ("#F6C667", "#E69F00", "#D55E00", "#9C3400", "#4A1500")
"""From pale to dark, so that it also works without colour."""
INSIDE = "#E3E7EC"
ANY_JOINT = "any joint"

MOST_JOINTS = 40
"""Most rows of one strip; the joints least outside are left out."""
MOST_COLUMNS = 760
WIDTH_PIXELS = 1104.0
ROW_PIXELS = 20.0
_RIGHT, _TOP, _BOTTOM = 200.0, 26.0, 44.0
_LETTER_PIXELS = 7.4
_PIXELS = 0.5 * PIXELS_PER_INCH
_LONGEST_NAME = 22


@dataclass(frozen=True, eq=False)
class Strip:
    """Contents of the strip."""

    labels: tuple[str, ...]
    """One per row; the first row is all joints together."""
    edges: Floats
    """Frame numbers between the columns, shape (columns + 1,)."""
    outside_deg: Floats
    """Largest excess of any frame of the column, shape (rows, columns); 0 inside the tolerance, NaN
    where no frame was compared."""
    worst_deg: Floats
    worst_frame: Floats
    """Shape (rows,)."""
    frames: Floats
    """Frames outside, shape (rows,)."""
    more_joints: int
    """Joints outside that have no row."""


def strip_of(checked: Violations, most_columns: int = MOST_COLUMNS) -> Strip:
    """Compute the strip of a clip that has a violation, worst joints first.

    Clips with more frames than `most_columns` have several frames to a column.
    """
    names = checked.joints_outside
    shown = names[:MOST_JOINTS]
    rows = checked.outside_deg[[checked.joints.index(name) for name in shown]]
    # The first row covers all joints that are outside, also those without a row.
    outside = np.concatenate([checked.outside_deg.max(axis=0, keepdims=True), rows])
    outside = np.where(outside > checked.tolerance_deg, outside, 0.0)
    edges, column = _columns(checked.frames, most_columns)
    starts = np.flatnonzero(np.diff(column, prepend=-1))
    values = np.full((len(outside), len(edges) - 1), np.nan)
    values[:, column[starts]] = np.maximum.reduceat(outside, starts, axis=1)
    worst = outside.argmax(axis=1)
    return Strip(
        labels=(ANY_JOINT, *shown),
        edges=edges,
        outside_deg=values,
        worst_deg=outside.max(axis=1),
        worst_frame=checked.frames[worst],
        frames=np.count_nonzero(outside, axis=1),
        more_joints=len(names) - len(shown),
    )


def _columns(frames: Floats, most: int) -> tuple[Floats, Floats]:
    """Frame numbers between the columns, and the column of every frame."""
    step = float(np.median(np.diff(frames))) if len(frames) > 1 else 1.0
    span = float(frames[-1] - frames[0]) + step
    count = int(min(max(round(span / step), 1), most))
    edges = frames[0] - 0.5 * step + np.linspace(0.0, span, count + 1)
    column = np.searchsorted(edges, frames, side="right") - 1
    return edges, np.clip(column, 0, count - 1)


def strip_image(strip: Strip, frame_rate: float) -> str:
    """Draw a strip with its frame rate in Hz; return the address of an embedded image."""
    rows = len(strip.labels)
    height = _TOP + _BOTTOM + ROW_PIXELS * rows
    left = 24.0 + _LETTER_PIXELS * min(max(map(len, strip.labels)), _LONGEST_NAME)
    width = 1.0 - (left + _RIGHT) / WIDTH_PIXELS
    figure = new_figure(WIDTH_PIXELS / _PIXELS, height / _PIXELS)
    axes = figure.add_axes(
        (left / WIDTH_PIXELS, _BOTTOM / height, width, ROW_PIXELS * rows / height)
    )
    _draw_rows(axes, strip)
    _write_rows(axes, strip)
    axes.set_xlim(strip.edges[0], strip.edges[-1])
    axes.set_ylim(rows, 0)
    axes.set_yticks([])
    axes.set_xlabel(f"frame ({frame_rate:.6g} per second)", fontsize=11, color="#5a6672")
    axes.tick_params(axis="x", labelsize=10.5, colors="#5a6672", length=3)
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(GREY)
    return png_address(figure)


def _draw_rows(axes: Any, strip: Strip) -> None:
    """Columns in the colour of their worst frame, with a mark at the worst frame of each row."""
    from matplotlib.colors import BoundaryNorm, ListedColormap

    colours = ListedColormap([INSIDE, *COLOURS])
    norm = BoundaryNorm([0.0, 1e-12, *EDGES_DEG, 1e9], len(COLOURS) + 1)
    # Rows are a little lower than their distance, which leaves gaps between them.
    for row, values in enumerate(strip.outside_deg):
        heights = np.array([row + 0.12, row + 0.88])
        shown = np.ma.masked_invalid(values[None])
        axes.pcolormesh(strip.edges, heights, shown, cmap=colours, norm=norm, linewidth=0)
    axes.plot(
        strip.worst_frame, np.arange(len(strip.labels)) + 0.12, "v", color=BLACK, markersize=7.0,
        markeredgecolor="white", markeredgewidth=0.8, clip_on=False, linestyle="none",
    )  # fmt: skip


def _write_rows(axes: Any, strip: Strip) -> None:
    """Names on the left, numbers on the right."""
    write = axes.annotate
    ends = {"worst": 62.0, "at frame": 128.0, "frames": 190.0}
    place = {"xycoords": ("axes fraction", "data"), "textcoords": "offset pixels"}
    scale = PIXELS_PER_INCH / _PIXELS
    for text, end in ends.items():
        write(
            text, (1.0, 0.0), (end * scale, 9.0 * scale), ha="right", va="center", fontsize=10.5,
            color="#5a6672", **place,
        )  # fmt: skip
    for row, label in enumerate(strip.labels):
        weight = "bold" if row == 0 else "normal"
        look = {"va": "center", "fontsize": 11.5, "color": BLACK, "fontweight": weight, **place}
        name = shortened(printable(label), _LONGEST_NAME)
        write(_plain(name), (0.0, row + 0.5), (-8.0 * scale, 0.0), ha="right", **look)
        cells = (
            f"{number(strip.worst_deg[row])}°",
            f"{strip.worst_frame[row]:.10g}",
            str(int(strip.frames[row])),
        )
        for text, end in zip(cells, ends.values()):
            write(text, (1.0, row + 0.5), (end * scale, 0.0), ha="right", **look)


def _plain(text: str) -> str:
    """Text with "$" escaped, so that matplotlib sees no formula."""
    return text.replace("$", r"\$")


def legend() -> list[tuple[str, str]]:
    """Colours of the strip with their meanings."""
    low, *rest = (f"{edge:g}" for edge in EDGES_DEG)
    words = ["inside", f"less than {low}° outside"]
    words += [f"{a} to {b}°" for a, b in zip((low, *rest), rest)]
    return list(zip((INSIDE, *COLOURS), [*words, f"more than {rest[-1]}°"]))


MOST_RANGES = 8
HOW_TO_READ = (
    "Each row of a picture is one joint, each column a moment of the clip. Grey is inside the "
    "limits; darker is further outside. The triangle marks the worst frame; the numbers on the "
    "right give the degrees outside there, that frame, and how many frames are outside at all. "
    "The first row is all joints together."
)


def write_check_report(
    result: CheckResult, path: str | os.PathLike[str], progress: Progress | None = None
) -> None:
    """Write the result of a check as one HTML page with pictures.

    Path, progress and errors are those of :func:`jointlimits_core.report.write_report`.
    """
    require_matplotlib()
    sections = []
    for place, clip in enumerate(result.clips):
        report_progress(progress, place, len(result.clips), f"drawing {clip.file}")
        if clip.violations is not None and _worth_a_section(clip.violations):
            sections.append(_section(place, clip.file, clip.violations))
    write_text_atomically(path, _page(result, sections))


def _worth_a_section(checked: Violations) -> bool:
    return bool(checked.bounds or checked.findings or checked.missing)


def _page(result: CheckResult, sections: Sequence[Html]) -> str:
    title = f"Check against the limits of {result.character or 'the character'}"
    sheet = style_sheet("check.css")
    return document(title, _header(result, title), *sections, version=__version__, more_css=sheet)


def _header(result: CheckResult, title: str) -> Html:
    bad = sum(not clip.passed for clip in result.clips)
    total = plural(len(result.clips), "motion")
    words = f"{bad} of {total} failed" if bad else f"passed: {total} inside the limits"
    pictures = any(clip.violations and clip.violations.bounds for clip in result.clips)
    return element(
        "header",
        element("h1", title),
        element("p", words, class_=f"verdict-{'failed' if bad else 'passed'}"),
        element("p", f"{result.limits}; tolerance {result.tolerance_deg:g}°.", class_="lead"),
        element("p", HOW_TO_READ) if pictures else None,
        element("p", dots(legend()), class_="legend") if pictures else None,
        _summary(result.clips),
    )


def _summary(clips: Sequence[CheckedClip]) -> Html:
    heads = ("motion", "frames", "frames outside", "", "joints outside", "worst", "at frame")
    right = ("frames", "joints outside", "worst", "at frame")
    rows = [_summary_row(place, clip) for place, clip in enumerate(clips)]
    return element("div", element("h2", "Motions"), table(rows, "still", heads, right))


def _summary_row(place: int, clip: CheckedClip) -> Html:
    checked = clip.violations
    if checked is None:
        words = f"could not be checked: {clip.error}"
        return table_row(clip.file, element("td", words, class_="bad", colspan=6))
    name: object = clip.file
    if _worth_a_section(checked):
        name = element("a", clip.file, href=f"#motion-{place}")
    count = cell(len(checked.frames), "right")
    if not checked.bounds:
        return table_row(name, count, element("td", "inside", class_="good", colspan=5))
    worst = checked.bounds[0]
    return table_row(
        name,
        count,
        share_bar(checked.frames_outside / len(checked.frames), False),
        cell(checked.frames_outside, "n"),
        cell(len(checked.joints_outside), "right"),
        cell(degrees(worst.worst_deg), "right bad"),
        cell(f"{worst.worst_frame:.10g}", "right"),
    )


def _section(place: int, file: str, checked: Violations) -> Html:
    parts: list[Html] = []
    if checked.bounds:
        strip = strip_of(checked)
        words = f"Degrees outside over time in {file}"
        image = element("img", src=strip_image(strip, checked.frame_rate), alt=words)
        parts.append(element("figure", image, class_="strip"))
        if strip.more_joints:
            more = plural(strip.more_joints, "more joint")
            parts.append(element("p", f"{more} outside, less far; see the table.", class_="note"))
        parts.append(_bounds_table(checked.bounds))
    missing = None
    if checked.missing:
        names = f"{', '.join(checked.missing)}."
        missing = element("p", element("b", "Not in this motion: "), names, class_="note")
    notes = titled_list(NOTES, [group.sentence() for group in grouped(checked.findings)])
    return section(file, *parts, missing, notes, id=f"motion-{place}")


def _bounds_table(bounds: Sequence[LimitViolation]) -> Html:
    heads = ("joint", "limit", "frames", "worst", "at frame", "value there", "which frames")
    right = ("frames", "worst", "at frame", "value there")
    rows = [
        table_row(
            item.joint,
            item.label(written=degrees),
            cell(item.frames, "right"),
            cell(degrees(item.worst_deg), "right bad"),
            cell(f"{item.worst_frame:.10g}", "right"),
            cell(degrees(item.worst_value_deg), "right"),
            cell(frames_words(item.frame_ranges, MOST_RANGES).partition(" ")[2], "where"),
        )
        for item in bounds
    ]
    return table(rows, "bounds", heads, right)
