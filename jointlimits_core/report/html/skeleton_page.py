"""Page on a skeleton found in loose bodies: figure over the tracks, gaps, limb lengths, slips."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import numpy as np

from ...base.progress import Progress, report_progress
from ...base.text import NOTES, group_findings, millimetres, plural
from ...base.version import __version__
from ...io.output import write_text_atomically
from ...skeleton_fit.document import NO_LENGTH_M, Limb, limbs
from ...skeleton_fit.doubts import CLOSE_SHARE, JointWarning, joint_warnings, skin_note
from ...skeleton_fit.result import BodyFit, BodyJoint
from . import gap_charts, skeleton_figure
from .page import MAX_DEPTH, Piece, cell, document, note, piece, table
from .words import bar_part, mark

HOW_TO_READ = (
    "The skeleton was fitted only to the positions and orientations of bodies. A joint is a point "
    "shared by two bodies; its gap is the distance, in each frame, between the two bodies' "
    "estimates of that point. A joint is right if its gap is small, and far smaller than the gap "
    "to any other body. First check that the picture connects the right bodies, then check "
    "everything in the table that is red."
)
HOW_TO_READ_THE_TABLE = (
    "Each bar is a gap, with a mark at the gap to the runner-up parent: the further apart they "
    "are, the surer the parent. Limb: the length from the joint above to this one; “about” if a "
    "joint at either end could not be located. Position: standard deviation in the least certain "
    "direction."
)
NOT_BY_GAPS = (
    "Where skin slides or the motion is small, bars end close to their marks, and gaps alone "
    "cannot decide between two parents. The choice then depends on how little the two bodies "
    "turn, or on the repeating part of the motion."
)
GAPS = (
    "Distance between the two bodies' estimates of each joint. Pale: from the smallest to the "
    "widest gap of neighbouring frames; dark: their rms; dashed: the rms of the clip. Grey marks "
    "at the bottom: frames that fit no joint and were left out. Orange: the moment of a slip."
)
STEPS = (
    "A slip leaves a step in the gaps of the body that slipped. The chart shows it in that body's "
    "coordinates, along the direction of the slip. Orange: the mean before and after."
)
MAX_NAMES = 3
"""Maximum number of clips named in the title."""
Doubts = Mapping[int, Sequence[JointWarning]]


def write_skeleton_report(
    fits: Sequence[BodyFit], path: str | os.PathLike[str], progress: Progress | None = None
) -> None:
    """Write the fits of one skeleton, one per clip, as an HTML page with figures.

    Path and progress are as in :func:`jointlimits_core.report.write_report`. Raises ValueError
    if there is no fit, and Cancelled, with nothing written, if `progress` returned False.
    """
    if not fits:
        raise ValueError("at least one fit must be given")
    total = len(fits) + 2
    warnings = {joint.child: joint_warnings(fits, joint) for joint in fits[0].joints}
    doubts = {body: found for body, found in warnings.items() if found}
    report_progress(progress, 0, total, "drawing the figure")
    moving = skeleton_figure.moving_data(fits, doubts)
    charts: list[object] = []
    top_mm = gap_charts.shown_up_to_mm(fits)
    for number, fit in enumerate(fits):
        report_progress(progress, 1 + number, total, f"drawing the gaps of {fit.tracks.name}")
        if fit.joints:
            charts += [piece("h3", fit.tracks.name)] if len(fits) > 1 else []
            charts += gap_charts.gap_chart(fit, top_mm)
    report_progress(progress, total - 1, total, "writing the page")
    title = f"Skeleton of {', '.join(fit.tracks.name for fit in fits)}"
    if len(fits) > MAX_NAMES:
        title = f"Skeleton of {fits[0].tracks.name} and {len(fits) - 1} more clips"
    found = dict.fromkeys(finding for fit in fits for finding in fit.findings)
    items = [group.sentence(noun="body") for group in group_findings(list(found))]
    content = [
        _header(title, fits, doubts),
        _how_to_read(fits, doubts),
        *(_joint_sections(fits, doubts, charts) if fits[0].joints else ()),
        piece("section", piece("ul", items), title=NOTES, class_="findings") if items else None,
        piece("section", _clips(fits), title="Clips"),
    ]
    names, heads = fits[0].names, ("body", "parent", "kind", "gap, rms")
    plain = [
        (names[one.child], names[one.parent], one.kind, f"{1000.0 * one.residual_m:.1f} mm")
        for one in fits[0].joints
    ]
    page = document(title, content, (heads, plain), __version__, data=moving)
    write_text_atomically(path, page)


def _joint_sections(
    fits: Sequence[BodyFit], doubts: Doubts, charts: list[object]
) -> list[Piece | None]:
    """Joint table, slips, loops and gap charts."""
    joints, read = joints_table(fits[0], doubts), HOW_TO_READ_THE_TABLE
    near = [one.child for one in fits[0].joints if one.margin_m <= CLOSE_SHARE * one.residual_m]
    if any(all(doubt.kind != "close call" for doubt in doubts.get(body, ())) for body in near):
        read += f" {NOT_BY_GAPS}"
    return [
        piece("section", joints, title="Joints", note=read, id="joints"),
        _slips(fits),
        _loops(fits[0]),
        piece("section", charts, title="Gaps over time", note=GAPS, id="gaps"),
    ]


def _header(title: str, fits: Sequence[BodyFit], doubts: Doubts) -> Piece:
    good = bool(fits[0].joints) and not doubts
    lines = [
        [piece("b", fits[0].names[body]), f": {'; '.join(doubt.words for doubt in found)}"]
        for body, found in doubts.items()
    ]
    words = piece(
        "div", piece("ul", lines) if lines else None, *(piece("p", line) for line in facts(fits))
    )
    top = piece("div", skeleton_figure.moving_figure(fits), words, class_="top")
    sure = piece("p", verdict(fits, doubts), class_=f"verdict-{'good' if good else 'look'}")
    return piece("header", piece("h1", title), sure, top)


def _how_to_read(fits: Sequence[BodyFit], doubts: Doubts) -> Piece:
    named = piece("div", skeleton_figure.labelled_figures(fits[0], doubts), class_="named")
    parts = piece("div", named, piece("p", HOW_TO_READ), class_="top")
    return piece("section", parts, title="How to read this page")


def _clips(fits: Sequence[BodyFit]) -> Piece:
    rows = [
        [
            tracks.name,
            cell(plural(tracks.frame_count, "frame")),
            cell(f"{tracks.frames[0]:.10g} – {tracks.frames[-1]:.10g}"),
            cell(f"{tracks.frame_rate:.6g} per second"),
            cell(piece("path", str(tracks.source.path)) if tracks.source else None, "file"),
        ]
        for tracks in (fit.tracks for fit in fits)
    ]
    return table("clips", (), rows)


# Tables and sentences


def verdict(fits: Sequence[BodyFit], doubts: Doubts) -> str:
    """One sentence on whether the skeleton can be trusted."""
    joints = plural(len(fits[0].joints), "joint")
    if not fits[0].joints:
        return "No skeleton: no two bodies are joined."
    if not doubts:
        found = "Skeleton" if len(fits[0].figures) == 1 else f"{len(fits[0].figures)} skeletons"
        return f"{found} found: {joints}, no doubtful parents."
    return f"{len(doubts)} of {joints} {'needs' if len(doubts) == 1 else 'need'} a look."


def facts(fits: Sequence[BodyFit]) -> list[str]:
    """Results of the fit, one sentence each."""
    fit, names = fits[0], fits[0].names
    joints = f"{plural(len(fit.joints), 'joint')} in " if fit.figures else "no joint"
    figures = plural(len(fit.figures), "figure") if len(fit.figures) > 1 else "one figure"
    lines = [f"{plural(len(names), 'body')}, {joints}{figures if fit.figures else ''}."]
    if fit.joints:
        gaps = [1000.0 * joint.residual_m for joint in fit.joints]
        worst = fit.joints[int(np.argmax(gaps))]
        lines.append(
            f"The median gap is {np.median(gaps):.1f} mm rms; the widest is {max(gaps):.1f} mm, at "
            f"{names[worst.child]}."
        )
    skin = skin_note(fits)
    if skin:
        lines.append(f"{skin.message[0].upper()}{skin.message[1:]}.")
    if fit.free:
        lines.append(f"Not joined to another body: {', '.join(names[body] for body in fit.free)}.")
    slips = sum(len(one.slips) for one in fits)
    if slips:
        lines.append(f"{plural(slips, 'slip')} found, listed below.")
    seen = sum(int(fit.tracks.present.sum()) for fit in fits)
    unused = sum(int((fit.tracks.present & ~fit.used).sum()) for fit in fits)
    if unused:
        share = max(100.0 * unused / seen, 0.1)
        lines.append(f"{share:.1f} % of the samples fit no joint and were left out.")
    return lines


def place_words(joint: BodyJoint) -> str:
    """Uncertainty of a joint's position."""
    if joint.kind == "rigid" or not np.isfinite(joint.lateral_m):
        return "unknown"
    where = " off its axis" if joint.kind == "single-axis" else ""
    return f"± {millimetres(joint.lateral_m)} mm{where}"


def length_words(length_m: float, deviation_m: float) -> str:
    """Length of a limb with its uncertainty; a dash if the limb has no length."""
    if length_m < NO_LENGTH_M:
        return "–"
    if not np.isfinite(deviation_m):
        return f"about {millimetres(length_m, 0)} mm"
    return f"{millimetres(length_m, 0)} ± {millimetres(deviation_m)} mm"


def margin_words(joint: BodyJoint, names: Sequence[str]) -> str:
    """Extra gap to the runner-up parent, and that parent's name."""
    if joint.next_best is None:
        return "no other"
    margin = f"{1000.0 * joint.margin_m:+.1f}".replace("-", "−")
    return f"{margin} mm, {names[joint.next_best]}"


_GLYPHS = {"ball": "ball", "single-axis": "hinge", "rigid": "fixed"}
BAR_SHARE = 0.25
"""Share of a bar's length that the widest gap takes; the rest shows gaps to runner-up parents."""


def joints_table(fit: BodyFit, doubts: Doubts) -> Piece:
    """Every body with its joint to its parent, parents first."""
    head = ("body", "parent", "kind", "gap, rms", "", "runner-up parent", "limb", "position")
    heads = [*head, piece("th", "how sure", class_="sure", scope="col")]
    by_child = {joint.child: (joint, limb) for joint, limb in zip(fit.joints, limbs(fit))}
    widest = max((joint.residual_m for joint in fit.joints), default=0.0)
    rows: list[list[object]] = []

    def add_below(body: int, depth: int) -> None:
        for child in np.flatnonzero(fit.parents == body).tolist():
            rows.append(_joint_row(fit, *by_child[child], widest / BAR_SHARE, depth, doubts))
            add_below(child, depth + 1)

    for root, *_ in fit.figures:
        rows.append([fit.names[root], piece("td", "root of the figure", class_="quiet", colspan=8)])
        add_below(root, 1)
    for body in fit.free:
        rows.append([fit.names[body], piece("td", "joined to nothing", class_="bad", colspan=8)])
    return table("bodies", heads, rows, ("gap, rms",))


def _joint_row(
    fit: BodyFit, joint: BodyJoint, limb: Limb, scale_m: float, depth: int, doubts: Doubts
) -> list[object]:
    found = doubts.get(joint.child, ())
    kinds = [doubt.kind for doubt in found]

    def checked_cell(content: object, kind: str, doubt: str) -> Piece:
        return cell(content, f"{kind} bad" if doubt in kinds else kind)

    why = "; ".join(doubt.words for doubt in found)
    sure = piece("td", ", ".join(kinds), class_="bad sure", title=why)
    return [
        piece("th", fit.names[joint.child], scope="row", class_=f"depth-{min(depth, MAX_DEPTH)}"),
        cell(fit.names[joint.parent]),
        mark(_GLYPHS[joint.kind], joint.kind, "kind"),
        checked_cell(f"{millimetres(joint.residual_m)} mm", "right", "wide gap"),
        gap_bar(joint, scale_m, bool(kinds)),
        checked_cell(margin_words(joint, fit.names), "next", "close call"),
        cell(length_words(limb.length_m, limb.deviation_m)),
        checked_cell(place_words(joint), "place", "open position"),
        sure if found else cell("sure", "good sure"),
    ]


def gap_bar(joint: BodyJoint, scale_m: float, doubted: bool) -> Piece:
    """A joint's gap as a bar up to `scale_m`, with a mark at the gap to its runner-up parent."""
    scale = scale_m if scale_m > 0.0 else 1.0
    own = 100.0 * min(joint.residual_m / scale, 1.0)
    other = 100.0 * min((joint.residual_m + joint.margin_m) / scale, 0.985)
    kind = "own doubted" if doubted else "own"
    parts = [bar_part("rail", 0, 100, 3, 5), bar_part(kind, 0, max(own, 0.6))]
    if joint.next_best is not None:
        parts.append(bar_part("other", max(other, 0.0), 1.5, 0, 11))
    return piece("bar", parts=parts)


def _slips(fits: Sequence[BodyFit]) -> Piece | None:
    """Table of slips with times and sizes, and their step charts; None if there are none."""
    slips = [(fit, slip) for fit in fits for slip in fit.slips]
    rows = [
        [
            slip.body,
            fit.tracks.name,
            f"{slip.seconds:.1f} s",
            f"{slip.frame:.10g}",
            f"{millimetres(slip.distance_m, 0)} mm",
            f"{slip.angle_deg:.1f}°" if np.isfinite(slip.angle_deg) else "unknown",
        ]
        for fit, slip in slips
    ]
    heads = ("body", "clip", "at", "at frame", "moved by", "turned by")
    steps = [gap_charts.slip_chart(fit, slip) for fit, slip in slips]
    parts = table("slips", heads, rows), note(STEPS), *steps
    return piece("section", *parts, title="Slips", id="slips") if slips else None


def _loops(fit: BodyFit) -> Piece | None:
    """Table of body pairs joined outside the tree; None if there are none."""
    rows = []
    for loop in fit.loops:
        kind = mark(_GLYPHS[loop.kind], loop.kind, "kind")
        gap = f"{millimetres(loop.residual_m)} mm"
        rows.append([fit.names[loop.child], fit.names[loop.parent], kind, gap])
    listed = table("slips", ("body", "and", "kind", "gap, rms"), rows)
    return piece("section", listed, title="Loop joints") if rows else None
