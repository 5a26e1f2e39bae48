"""Page of a check: motions that exceed the limits, with frames and degrees.

In its strips, rows are joints, columns are times, and the colour shows the degrees outside.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...base.progress import Progress, report_progress
from ...base.text import NOTES, frames_words, group_findings, plural, short_paths
from ...base.version import __version__
from ...evaluation.check_result import CheckedClip, CheckResult
from ...evaluation.violations import LimitViolation, Violations
from ...geometry.arrays import Floats, runs
from ...io.output import write_text_atomically
from ...limits import limit_set, review_entries, vocabulary
from ...motion.motion import Motion
from ..figures.playback import Playback
from .character_figure import character_data, character_section, shown_clips
from .page import Piece, cell, document, note, piece, row, table, titled_list
from .words import share_bar

EDGES_DEG = (1.0, 5.0, 15.0, 45.0)
"""Degrees outside at which the colour changes, from pale to dark."""
MAX_JOINTS = 40
"""Maximum number of joints with a strip; the joints least outside are left out."""
MAX_COLUMNS = 760
MAX_RANGES = 8
HOW_TO_READ = (
    "Each row is one joint, each column a moment of the clip; its colour shows how far outside. "
    "The triangle marks the worst frame. Click a strip or a frame to see the pose."
)


def strip_columns(frames: Floats, outside: Floats) -> tuple[Floats, Floats]:
    """Reduce degrees outside the limits, shape (rows, frames), to one value per strip column.

    `frames`: frame numbers. Returns the frame numbers at the edges of the columns, (columns + 1,),
    and the largest excess in each column, (rows, columns) degrees; NaN if no frame was compared.
    """
    step = float(np.median(np.diff(frames))) if len(frames) > 1 else 1.0
    span = float(frames[-1] - frames[0]) + step
    count = int(min(max(round(span / step), 1), MAX_COLUMNS))
    edges = frames[0] - 0.5 * step + np.linspace(0.0, span, count + 1)
    column = np.clip(np.searchsorted(edges, frames, side="right") - 1, 0, count - 1)
    starts = np.flatnonzero(np.diff(column, prepend=-1))
    values = np.full((len(outside), count), np.nan)
    values[:, column[starts]] = np.maximum.reduceat(outside, starts, axis=1)
    return edges, values


FrameLink = Callable[[float], object]
"""Function that turns a frame number into a link, or plain text if the page lacks the frame."""


def strip_table(
    checked: Violations, link: FrameLink, start: int | None, noun: str = "joint"
) -> Piece:
    """Table with a strip for all joints together and one for each joint outside, worst first.

    `start`: position of the clip's first frame on the page.
    """
    rows: list[Piece] = []
    labels = (f"any {noun}", *checked.joints_outside[:MAX_JOINTS])
    checked_deg = np.where(checked.is_outside, checked.outside_deg, 0.0)
    each = checked_deg[[checked.joints.index(name) for name in labels[1:]]]
    outside = np.concatenate([checked_deg.max(axis=0, keepdims=True), each])
    edges, columns = strip_columns(checked.frames, outside)
    for label, frames_deg, values in zip(labels, outside, columns):
        worst = float(checked.frames[frames_deg.argmax()])
        level = np.searchsorted([0.0, *EDGES_DEG], values, side="left")
        picture = piece(
            "strip",
            runs=[
                [one, first, stop - first]
                for one in range(len(EDGES_DEG) + 2)
                for first, stop in runs(np.isfinite(values) & (level == one))
            ],
            columns=len(values),
            worst=round(float((worst - edges[0]) / (edges[-1] - edges[0])), 4),
            label=f"{label}: worst at frame {worst:.10g}",
            start=start,
        )
        numbers = cell(link(worst), "right"), cell(int(np.count_nonzero(frames_deg)), "right")
        most = cell(vocabulary.degrees(frames_deg.max()), "right bad")
        rows.append(row(label, picture, most, *numbers, class_=None if rows else "any"))
    heads = (noun, "outside over time", "worst", "at frame", "frames")
    return table("strips", heads, rows, ("worst", "at frame", "frames"))


def write_check_report(
    result: CheckResult,
    path: str | os.PathLike[str],
    progress: Progress | None = None,
    limits: limit_set.LimitSet | None = None,
    motions: Mapping[str, Motion] | None = None,
) -> None:
    """Write the result of a check as one HTML page with figures.

    Path, progress and errors are as in :func:`jointlimits_core.report.write_report`. Given the
    limits and the motions by file, the page also shows the moving character.
    """
    scene = None if limits is None else _scene(result, limits, motions or {})
    sections, plain = [], list[tuple[object, ...]]()
    for place, clip in enumerate(result.clips):
        report_progress(progress, place, len(result.clips), f"drawing {clip.file}")
        if clip.violations is None:
            plain.append((clip.file, f"could not be checked: {clip.error}", *[""] * 4))
            continue
        if _needs_section(clip.violations):
            sections.append(_section(place, clip.file, clip.violations, scene, result.noun))
        for item in clip.violations.bounds:
            joint, limit, *numbers = _violation_words(item)
            plain.append((clip.file, f"{joint} {limit}", *numbers, item.verdict()))
        if not clip.violations.bounds:
            plain.append((clip.file, "inside", *[""] * 4))
    title = f"Check against the limits of {result.character or 'the character'}"
    content, data, kind = [_header(result, title), *sections], None, ""
    if scene is not None:
        figure = piece("div", character_section(scene.shown), class_="beside-figure")
        content, kind = [content[0], figure, piece("div", *sections, class_="details")], "bench"
        looked = review_entries.review(scene.limits)
        data = character_data(scene.limits, scene.shown, looked, scene.outside)
    heads = ("motion", "limit", "frames", "worst", "at frame", "result")
    page = document(title, content, (heads, plain), __version__, kind, data)
    write_text_atomically(path, page)


class _Scene(NamedTuple):
    """Character of a check: its clips, their files, and degrees outside by joint."""

    limits: limit_set.LimitSet
    shown: Playback
    files: list[str]
    outside: Mapping[str, Floats]

    def frame_index(self, file: str, frame: float) -> int | None:
        """Index of a file's frame on the page; None if it is not shown."""
        return self.shown.index_in(self.files.index(file), frame) if file in self.files else None


def _scene(
    result: CheckResult, limits: limit_set.LimitSet, motions: Mapping[str, Motion]
) -> _Scene | None:
    checked = {c.file: c.violations for c in result.clips if c.violations and c.file in motions}
    files = [file for file in checked if set(motions[file].joint_names) & set(limits.joints)]
    worst = [bound.worst_frame for file in files for bound in checked[file].bounds]
    shown = shown_clips(limits, [motions[file] for file in files], worst)
    if shown is None:
        return None
    files, parts = [files[place] for place in shown.positions], []
    for file, motion in zip(files, shown.motions):
        found = checked[file]
        rows = np.searchsorted(found.frames, motion.frames).clip(0, len(found.frames) - 1)
        known = dict(zip(found.joints, np.nan_to_num(found.outside_deg[:, rows])))
        parts.append([known.get(name, np.zeros(len(rows))) for name in limits.joints])
    outside = dict(zip(limits.joints, np.concatenate(parts, axis=1)))
    return _Scene(limits, shown, files, outside)


def _needs_section(checked: Violations) -> bool:
    return bool(checked.bounds or checked.findings or checked.missing)


def _header(result: CheckResult, title: str) -> Piece:
    bad = sum(not clip.passed for clip in result.clips)
    total = plural(len(result.clips), "motion")
    words = f"{bad} of {total} failed" if bad else f"passed: {total} inside the limits"
    if not bad and result.joints():
        words = f"passed: {total}, outside only as far as the rules allow"
    low, *rest = (f"{edge:g}" for edge in EDGES_DEG)
    levels = ["inside", f"less than {low}° outside"]
    levels += [f"{a} to {b}°" for a, b in zip((low, *rest), rest)] + [f"more than {rest[-1]}°"]
    colours = [
        piece("span", piece("span", class_=f"dot out-{level}"), meaning, class_="legend-item")
        for level, meaning in enumerate(levels)
    ]
    how_to_read = [piece("p", HOW_TO_READ), piece("p", colours, class_="legend")]
    has_strips = any(clip.violations and clip.violations.bounds for clip in result.clips)
    outside = ("frames outside", "", f"{result.noun}s outside", "worst", "at frame")
    heads = ("motion", "result", "frames", *outside)
    numbers = ("frames", f"{result.noun}s outside", "worst", "at frame")
    title_of_joints = f"{result.noun.capitalize()}s outside"
    names = short_paths([clip.file for clip in result.clips])
    rows = [_summary_row(place, clip, names) for place, clip in enumerate(result.clips)]
    return piece(
        "header",
        piece("h1", title),
        piece("p", words, class_=f"verdict-{'failed' if bad else 'passed'}"),
        piece("p", f"Rules: {result.gate}. Limits: ", piece("path", result.limits), class_="lead"),
        *(how_to_read if has_strips else ()),
        piece("h2", "Motions"),
        table("still motions", heads, rows, numbers),
        *([piece("h2", title_of_joints), _joints_table(result)] if result.joints() else ()),
    )


def _joints_table(result: CheckResult) -> Piece:
    """One row per joint outside: the limit and the motion that decide."""
    numbers = ("frames", "share", "longest", "worst", "at frame", "failed in")
    rows, names = [], short_paths([clip.file for clip in result.clips])
    for clip, item, failed in result.joints():
        joint, limit, count, worst, frame = _violation_words(item)
        verdict = cell(item.verdict(), "good" if item.passed else "bad")
        values = count, f"{item.share_percent:.3g} %", item.longest, worst, frame, failed
        right = [cell(one, "right") for one in values]
        file = cell(piece("path", names[clip.file], title=clip.file), "file")
        rows.append([joint, cell(limit), verdict, *right, file])
    return table(
        "still decides", (result.noun, "limit", "result", *numbers, "motion"), rows, numbers
    )


def _summary_row(place: int, clip: CheckedClip, names: Mapping[str, str]) -> list[object]:
    checked, shown = clip.violations, piece("path", names[clip.file], title=clip.file)
    if checked is None:
        words = f"could not be checked: {clip.error}"
        return [shown, piece("td", words, class_="bad", colspan=7)]
    name = piece("a", shown, href=f"#motion-{place}") if _needs_section(checked) else shown
    size = cell(len(checked.frames), "right")
    if not checked.bounds:
        return [name, cell("inside", "good"), size, *[cell("")] * 5]
    *_, worst, frame = _violation_words(checked.bounds[0])
    return [
        name,
        cell("passed" if clip.passed else "failed", "good" if clip.passed else "bad"),
        size,
        share_bar(checked.frames_outside / len(checked.frames), False),
        cell(checked.frames_outside),
        cell(len(checked.joints_outside), "right"),
        cell(worst, "right" if clip.passed else "right bad"),
        cell(frame, "right"),
    ]


def _violation_words(item: LimitViolation) -> tuple[str, str, int, str, str]:
    """Joint, limit, number of frames, largest excess and its frame."""
    worst = vocabulary.degrees(item.worst_deg)
    limit = item.label(written=vocabulary.degrees)
    return item.joint, limit, item.frames, worst, f"{item.worst_frame:.10g}"


def _section(place: int, file: str, checked: Violations, scene: _Scene | None, noun: str) -> Piece:
    def index(frame: float) -> int | None:
        return scene.frame_index(file, frame) if scene else None

    def link(frame: float) -> object:
        words, at = f"{frame:.10g}", index(frame)
        made = piece("a", words, href=f"#motion-{place}", class_="go", data_frame=at)
        return words if at is None else made

    parts: list[Piece | None] = []
    if checked.bounds:
        parts.append(strip_table(checked, link, index(float(checked.frames[0])), noun))
        more = len(checked.joints_outside) - MAX_JOINTS
        if more > 0:
            parts.append(note(f"{plural(more, f'more {noun}')} outside by less; see the table."))
        limits = _limits_table(checked.bounds, link, noun)
        parts.append(piece("details", piece("summary", "Every limit"), limits))
    if checked.missing:
        parts.append(note(piece("b", "Not in this motion: "), f"{', '.join(checked.missing)}."))
    notes = [group.sentence(noun=noun) for group in group_findings(checked.findings)]
    parts.append(titled_list(NOTES, notes))
    return piece("section", *parts, title=piece("path", file), id=f"motion-{place}")


def _limits_table(bounds: Sequence[LimitViolation], link: FrameLink, noun: str) -> Piece:
    rows = []
    for item in bounds:
        joint, limit, count, worst, _ = _violation_words(item)
        verdict = cell(item.verdict(), "good" if item.passed else "bad")
        at = cell(link(item.worst_frame), "right")
        value = cell(vocabulary.degrees(item.worst_value_deg), "right")
        frames = cell(frames_words(item.frame_ranges, MAX_RANGES).partition(" ")[2], "where")
        counts = cell(count, "right"), cell(worst, "right bad"), at, value
        rows.append([joint, limit, verdict, *counts, frames])
    numbers = ("frames", "worst", "at frame", "value there")
    heads = (noun, "limit", "result", *numbers, "which frames")
    return table("bounds", heads, rows, numbers)
