"""Page of a check: which motions exceed the limits, when, and by how much.

Its strips have joints in rows, time in columns, and a colour for the degrees outside.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...base.progress import Progress, report_progress
from ...base.text import NOTES, frames_words, grouped, plural
from ...base.version import __version__
from ...evaluation.check_result import CheckedClip, CheckResult
from ...evaluation.violations import LimitViolation, Violations
from ...geometry.arrays import Floats
from ...io.output import write_text_atomically
from ...limits.limit_set import LimitSet
from ...limits.review_entries import review
from ...limits.vocabulary import degrees
from ...motion.motion import Motion
from ..figures.playback import Playback
from .character_figure import SCRIPTS, character_data, character_section, shown_clips
from .dials import share_bar
from .document import (
    Html,
    cell,
    document,
    element,
    joined,
    section,
    table,
    table_row,
    titled_list,
    wide,
)

EDGES_DEG = (1.0, 5.0, 15.0, 45.0)
"""Degrees outside at which the colour changes, from pale to dark."""
ANY_JOINT = "any joint"

MOST_JOINTS = 40
"""Most rows of one strip; the joints least outside are left out."""
MOST_COLUMNS = 760


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
    step = float(np.median(np.diff(checked.frames))) if len(checked.frames) > 1 else 1.0
    span = float(checked.frames[-1] - checked.frames[0]) + step
    count = int(min(max(round(span / step), 1), most_columns))
    edges = checked.frames[0] - 0.5 * step + np.linspace(0.0, span, count + 1)
    column = np.searchsorted(edges, checked.frames, side="right") - 1
    column = np.clip(column, 0, count - 1)
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


def strip_table(strip: Strip, link: Callable[[object, float], object], start: int | None) -> Html:
    """Strip of every row with its worst frame.

    `link` turns words into a link to a frame; `start` is the position of the clip's first frame on
    the page, None where it is not shown.
    """
    heads = ("joint", "outside over time", "worst", "at frame", "frames")
    rows = [
        table_row(
            label,
            element("td", _strip(strip, row), class_="over-time", data_start=start),
            cell(degrees(strip.worst_deg[row]), "right bad"),
            cell(link(f"{strip.worst_frame[row]:.10g}", float(strip.worst_frame[row])), "right"),
            cell(int(strip.frames[row]), "right"),
            kind="any" if row == 0 else None,
        )
        for row, label in enumerate(strip.labels)
    ]
    return wide(table(rows, "strips", heads, ("worst", "at frame", "frames")))


def _strip(strip: Strip, row: int) -> Html:
    """One row: runs of columns of the same colour, and a mark at the worst frame."""
    values, edges = strip.outside_deg[row], strip.edges
    level = np.searchsorted([0.0, *EDGES_DEG], values, side="left")
    level = np.where(np.isnan(values), -1, np.where(values == 0.0, 0, level))
    starts = np.flatnonzero(np.diff(level, prepend=-2))
    stops = np.append(starts[1:], len(level))
    paths = [""] * LEVELS
    for first, last in zip(starts.tolist(), stops.tolist()):
        if level[first] >= 0:
            paths[level[first]] += f"M{first} 0h{last - first}v10h{first - last}z"
    columns = len(values)
    share = (strip.worst_frame[row] - edges[0]) / (edges[-1] - edges[0])
    words = f"{strip.labels[row]}: worst at frame {strip.worst_frame[row]:.10g}"
    parts = [
        element("path", d=path, class_=f"out-{place}") for place, path in enumerate(paths) if path
    ]
    bars = element(
        "svg", *parts, viewBox=f"0 0 {columns} 10", preserveAspectRatio="none", aria_hidden="true"
    )
    worst = element(
        "svg",
        element("path", d="M0 0h8l-4 6z"),
        element("title", words),
        x=f"{100.0 * float(share):.2f}%",
        width=8,
        height=6,
        overflow="visible",
    )
    return joined([bars, element("svg", worst, class_="worst", role="img", aria_label=words)])


LEVELS = len(EDGES_DEG) + 2


def legend() -> list[tuple[str, str]]:
    """Classes of the strip's colours with their meanings."""
    low, *rest = (f"{edge:g}" for edge in EDGES_DEG)
    words = ["inside", f"less than {low}° outside"]
    words += [f"{a} to {b}°" for a, b in zip((low, *rest), rest)]
    words.append(f"more than {rest[-1]}°")
    return [(f"out-{place}", text) for place, text in enumerate(words)]


MOST_RANGES = 8
HOW_TO_READ = (
    "Each row is one joint, each column a moment of the clip; darker is further outside. The "
    "triangle marks the worst frame. Click a strip or a frame to see the pose."
)


def write_check_report(
    result: CheckResult,
    path: str | os.PathLike[str],
    progress: Progress | None = None,
    limits: LimitSet | None = None,
    motions: Mapping[str, Motion] | None = None,
) -> None:
    """Write the result of a check as one HTML page with pictures.

    Path, progress and errors are those of :func:`jointlimits_core.report.write_report`. With the
    limits and the motions, by file, the page shows the character in them.
    """
    scene = None if limits is None else _scene(result, limits, motions or {})
    sections = []
    for place, clip in enumerate(result.clips):
        report_progress(progress, place, len(result.clips), f"drawing {clip.file}")
        if clip.violations is not None and _worth_a_section(clip.violations):
            sections.append(_section(place, clip.file, clip.violations, scene))
    write_text_atomically(path, _page(result, sections, scene))


@dataclass(frozen=True, eq=False)
class _Scene:
    """Character of a check: clips as shown, by file, and degrees outside."""

    limits: LimitSet
    shown: Playback
    places: Mapping[str, int]
    outside: Mapping[str, Floats]

    def index(self, file: str, frame: float) -> int | None:
        """Position of a file's frame on the page."""
        place = self.places.get(file)
        return None if place is None else self.shown.index_in(place, frame)


def _scene(result: CheckResult, limits: LimitSet, motions: Mapping[str, Motion]) -> _Scene | None:
    checked = {c.file: c.violations for c in result.clips if c.violations and c.file in motions}
    files = [file for file in checked if set(motions[file].joint_names) & set(limits.joints)]
    worst = [bound.worst_frame for file in files for bound in checked[file].bounds]
    shown = shown_clips(limits, [motions[file] for file in files], worst)
    if shown is None:
        return None
    files = [files[place] for place in shown.positions]
    parts: dict[str, list[Floats]] = {name: [] for name in limits.joints}
    for file, motion in zip(files, shown.motions):
        found = checked[file]
        rows = np.searchsorted(found.frames, motion.frames).clip(0, len(found.frames) - 1)
        known = dict(zip(found.joints, found.outside_deg))
        for name, degrees_out in parts.items():
            own = known.get(name)
            degrees_out.append(np.zeros(len(rows)) if own is None else np.nan_to_num(own[rows]))
    outside = {name: np.concatenate(part) for name, part in parts.items()}
    return _Scene(limits, shown, {file: place for place, file in enumerate(files)}, outside)


def _worth_a_section(checked: Violations) -> bool:
    return bool(checked.bounds or checked.findings or checked.missing)


def _page(result: CheckResult, sections: Sequence[Html], scene: _Scene | None) -> str:
    title = f"Check against the limits of {result.character or 'the character'}"
    header = _header(result, title)
    if scene is None:
        return document(title, header, *sections, version=__version__, sheets=("check.css",))
    looked = review(scene.limits)
    figure = character_section(scene.limits, scene.shown, looked)
    return document(
        title,
        header,
        element("div", figure, class_="beside-figure"),
        element("div", *sections, class_="details"),
        character_data(scene.limits, scene.shown, looked, scene.outside),
        version=__version__,
        sheets=("character.css", "check.css"),
        scripts=(*SCRIPTS, "check_page.js"),
        kind="bench",
    )


def _header(result: CheckResult, title: str) -> Html:
    bad = sum(not clip.passed for clip in result.clips)
    total = plural(len(result.clips), "motion")
    words = f"{bad} of {total} failed" if bad else f"passed: {total} inside the limits"
    pictures = any(clip.violations and clip.violations.bounds for clip in result.clips)
    colours = (
        element("span", element("span", class_=f"dot {kind}"), name, class_="legend-item")
        for kind, name in legend()
    )
    heads = ("motion", "frames", "frames outside", "", "joints outside", "worst", "at frame")
    right = ("frames", "joints outside", "worst", "at frame")
    rows = [_summary_row(place, clip) for place, clip in enumerate(result.clips)]
    return element(
        "header",
        element("h1", title),
        element("p", words, class_=f"verdict-{'failed' if bad else 'passed'}"),
        element("p", f"{result.limits}; tolerance {result.tolerance_deg:g}°.", class_="lead"),
        element("p", HOW_TO_READ) if pictures else None,
        element("p", *colours, class_="legend") if pictures else None,
        element("div", element("h2", "Motions"), wide(table(rows, "still", heads, right))),
    )


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


def _section(place: int, file: str, checked: Violations, scene: _Scene | None) -> Html:
    def link(words: object, frame: float) -> object:
        index = None if scene is None else scene.index(file, frame)
        if index is None:
            return words
        return element("a", words, href=f"#motion-{place}", class_="go", data_frame=index)

    parts: list[Html] = []
    if checked.bounds:
        strip = strip_of(checked)
        start = None if scene is None else scene.index(file, float(checked.frames[0]))
        parts.append(strip_table(strip, link, start))
        if strip.more_joints:
            more = plural(strip.more_joints, "more joint")
            parts.append(element("p", f"{more} outside, less far; see the table.", class_="note"))
        limits = _bounds_table(checked.bounds, link)
        parts.append(element("details", element("summary", "Every limit"), limits))
    missing = None
    if checked.missing:
        names = f"{', '.join(checked.missing)}."
        missing = element("p", element("b", "Not in this motion: "), names, class_="note")
    notes = titled_list(NOTES, [group.sentence() for group in grouped(checked.findings)])
    return section(file, *parts, missing, notes, id=f"motion-{place}")


def _bounds_table(
    bounds: Sequence[LimitViolation], link: Callable[[object, float], object]
) -> Html:
    heads = ("joint", "limit", "frames", "worst", "at frame", "value there", "which frames")
    right = ("frames", "worst", "at frame", "value there")
    rows = [
        table_row(
            item.joint,
            item.label(written=degrees),
            cell(item.frames, "right"),
            cell(degrees(item.worst_deg), "right bad"),
            cell(link(f"{item.worst_frame:.10g}", item.worst_frame), "right"),
            cell(degrees(item.worst_value_deg), "right"),
            cell(frames_words(item.frame_ranges, MOST_RANGES).partition(" ")[2], "where"),
        )
        for item in bounds
    ]
    return wide(table(rows, "bounds", heads, right))
