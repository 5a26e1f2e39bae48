"""Page of a skeleton from loose bodies: figure over the tracks, gaps, lengths, slips."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from ...base import Finding, Progress, grouped, plural, report_progress
from ...base.version import __version__
from ...io import write_text_atomically
from ...limits import NOTES
from ...skeleton_fit import BodyFit, JointWarning, joint_warnings
from .document import (
    Html,
    cell,
    document,
    element,
    joined,
    section,
    style_sheet,
    table,
    table_row,
    wide,
)
from .gap_charts import gap_chart, shown_up_to_mm, slip_chart
from .moving_figures import MovingFigures
from .skeleton_figure import labelled_figures, skeleton_figure
from .skeleton_table import (
    HOW_TO_READ,
    doubt_lines,
    facts,
    how_to_read_the_table,
    joints_table,
    loops_table,
    slips_table,
    verdict,
)

GAPS = (
    "Distance between the two bodies' estimates of each joint. Pale: from the smallest to the "
    "widest gap of neighbouring frames; dark: their rms; dashed: the rms of the clip. Grey marks "
    "at the bottom: frames that fit no joint and were left out. Orange: the moment of a slip."
)
STEPS = (
    "A slip leaves a step in the gaps of the body that slipped, in its own coordinates: shown "
    "here along the direction of the slip. Orange: the mean before and after."
)
MOST_NAMES = 3
"""Most clips that the title names."""
Doubts = Mapping[int, Sequence[JointWarning]]


def write_skeleton_report(
    fits: Sequence[BodyFit], path: str | os.PathLike[str], progress: Progress | None = None
) -> None:
    """Write a skeleton fit, one per clip of one skeleton, as one HTML page with pictures.

    Path and progress are those of :func:`jointlimits_core.report.write_report`. Raises ValueError
    if there is no fit, and Cancelled, with nothing written, if `progress` returned False.
    """
    if not fits:
        raise ValueError("at least one fit must be given to report on")
    total = len(fits) + 2
    doubts = _doubts(fits)
    report_progress(progress, 0, total, "drawing the figure")
    moving = skeleton_figure(fits, doubts)
    charts, top_mm = [], shown_up_to_mm(fits)
    for number, fit in enumerate(fits):
        report_progress(progress, 1 + number, total, f"drawing the gaps of {fit.tracks.name}")
        charts.append(_chart(fit, top_mm, len(fits) > 1))
    report_progress(progress, total - 1, total, "writing the page")
    write_text_atomically(path, _page(fits, doubts, moving, charts))


def _page(
    fits: Sequence[BodyFit], doubts: Doubts, moving: MovingFigures, charts: Sequence[Html]
) -> str:
    title, joined_at_all, loops = _title(fits), bool(fits[0].joints), loops_table(fits[0])
    return document(
        title,
        _header(title, fits, doubts),
        moving.moving,
        _joints(fits[0], doubts) if joined_at_all else None,
        _slips(fits),
        None if loops is None else section("Loop joints", loops),
        section("Gaps over time", *charts, note=GAPS, id="gaps") if joined_at_all else None,
        moving.stills,
        _findings(fits),
        _clips(fits),
        moving.data,
        version=__version__,
        more_css=style_sheet(*moving.sheets, "skeleton_page.css"),
        scripts=moving.scripts,
    )


def _title(fits: Sequence[BodyFit]) -> str:
    if len(fits) > MOST_NAMES:
        return f"Skeleton of {fits[0].tracks.name} and {len(fits) - 1} more clips"
    return f"Skeleton of {', '.join(fit.tracks.name for fit in fits)}"


def _doubts(fits: Sequence[BodyFit]) -> Doubts:
    """Bodies whose joints are doubtful, with the reasons."""
    found = {joint.child: joint_warnings(fits, joint) for joint in fits[0].joints}
    return {body: doubts for body, doubts in found.items() if doubts}


def _header(title: str, fits: Sequence[BodyFit], doubts: Doubts) -> Html:
    good = bool(fits[0].joints) and not doubts
    lines = doubt_lines(fits[0], doubts)
    words = element(
        "div",
        element("p", verdict(fits, doubts), class_=f"verdict-{'good' if good else 'look'}"),
        element("ul", *(element("li", element("b", name), f": {why}") for name, why in lines))
        if lines
        else None,
        *(element("p", line) for line in facts(fits)),
        element("h2", "How to read this page"),
        element("p", HOW_TO_READ),
    )
    pictures = labelled_figures(fits[0], doubts)
    if not pictures:
        return element("header", element("h1", title), words)
    several = " several" if len(pictures) > 1 else ""
    named = element("div", *pictures, class_="named")
    top = element("div", words, named, class_=f"top{several}")
    return element("header", element("h1", title), top)


def _joints(fit: BodyFit, doubts: Doubts) -> Html:
    note = how_to_read_the_table(fit, doubts)
    return section("Joints", wide(joints_table(fit, doubts)), note=note, id="joints")


def _slips(fits: Sequence[BodyFit]) -> Html | None:
    slips = slips_table(fits)
    if slips is None:
        return None
    steps = [slip_chart(fit, slip) for fit in fits for slip in fit.slips]
    return section("Slips", slips, element("p", STEPS, class_="note"), wide(*steps), id="slips")


def _chart(fit: BodyFit, top_mm: float, several: bool) -> Html:
    heading = element("h3", fit.tracks.name) if several else ""
    return joined([heading, gap_chart(fit, top_mm)]) if fit.joints else Html("")


def _findings(fits: Sequence[BodyFit]) -> Html | None:
    found: list[Finding] = []
    for fit in fits:
        found += [finding for finding in fit.findings if finding not in found]
    if not found:
        return None
    items = [element("li", group.sentence(noun="body")) for group in grouped(found)]
    return section(NOTES, element("ul", *items), class_="findings")


def _clips(fits: Sequence[BodyFit]) -> Html:
    rows = [
        table_row(
            tracks.name,
            cell(plural(tracks.frame_count, "frame"), "n"),
            cell(f"{tracks.frames[0]:.10g} – {tracks.frames[-1]:.10g}", "n"),
            cell(f"{tracks.frame_rate:.6g} per second", "n"),
            cell(str(tracks.source.path) if tracks.source else "", "file"),
        )
        for tracks in (fit.tracks for fit in fits)
    ]
    return section("Clips", table(rows, "clips"))
