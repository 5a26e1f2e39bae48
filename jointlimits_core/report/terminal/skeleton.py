"""Skeleton found in loose bodies, as terminal text: its joints and its warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ...base import text
from ...base.findings import Finding
from ...skeleton_fit import document, doubts, result

HEADING = ("joint", "parent", "kind", "gap", "joint +-", "length", "+-", "next best", "by", "doubt")
SKELETON_COLUMNS = (
    *("joint", "parent", "kind", "gap_m", "deviation_m", "length_m", "length_deviation_m"),
    *("next_best", "margin_m", "doubt"),
)
"""Columns of :func:`skeleton_rows`."""
LISTED_IN_FULL = (
    *("no-skeleton", "several-figures", "free-bodies", "loop", "slip", "swapped-bodies"),
    *(doubts.RULE, "sliding-skin"),
)
MAX_IN_FULL = 20


def skeleton_text(fits: Sequence[result.BodyFit], width: int | None = None) -> str:
    """Text of a skeleton: a line per joint, then slips, loops, free bodies and other warnings.

    `fits`: one per clip, all of one skeleton. Columns, in millimetres: the joint's RMS gap; the
    standard deviation of its position in the worst direction (for a single axis, across the axis);
    the length of the limb that ends in the joint, and its standard deviation; how much wider the
    gap to the next-best parent is. `width`: terminal columns; a narrow table omits that parent.
    """
    fit, room = fits[0], width or text.PARAGRAPH_CHARS
    lines = text.wrapped_lines(_head(fits), room, "    ")
    if fit.joints:
        rows = [list(HEADING)]
        for row in skeleton_rows(fits):
            cells = (text.millimetres(c) if isinstance(c, float) else c or "" for c in row)
            rows.append([text.printable(cell) for cell in cells])
        table = text.in_columns(rows, right=(3, 4, 5, 6, 8))
        if max(map(len, table)) > room:
            table = text.in_columns([[*row[:7], row[9]] for row in rows], right=(3, 4, 5, 6))
        lines += ["", *table, ""]
        lines += ["Millimetres. +-: one standard deviation (for a joint, of its position)."]
        lines += ["by: extra gap to the next-best parent."] if HEADING[7] in table[0] else []
    findings = list(dict.fromkeys(finding for one in fits for finding in one.findings))
    findings += doubts.joint_warning_findings(fits)
    lines += _full_lines(findings, room)
    others = text.group_findings(item for item in findings if item.rule not in LISTED_IN_FULL)
    return "\n".join([*lines, *text.finding_lines(others, room, "body")])


def _head(fits: Sequence[result.BodyFit]) -> str:
    fit = fits[0]
    clips = text.names_words([text.printable(one.tracks.name) for one in fits], noun="clip")
    frames = text.plural(sum(one.tracks.frame_count for one in fits), "frame")
    counts, found = Counter(joint.kind for joint in fit.joints), "no joint"
    if counts:
        kinds = ", ".join(f"{counts[kind]} {kind}" for kind in result.KINDS if counts[kind])
        roots = text.names_words([fit.names[figure[0]] for figure in fit.figures], noun="body")
        found = f"{text.plural(len(fit.joints), 'joint')} ({kinds}), root {roots}"
    return f"{clips}: {text.plural(len(fit.names), 'body')}, {found}, from {frames}."


def skeleton_rows(fits: Sequence[result.BodyFit]) -> list[list[Any]]:
    """Rows for :data:`SKELETON_COLUMNS`, in metres; None if there is no next-best parent."""
    names, rows = fits[0].names, []
    for joint, limb in zip(fits[0].joints, document.limbs(fits[0])):
        lengths_m = joint.residual_m, joint.lateral_m, limb.length_m, limb.deviation_m
        runner_up: tuple[Any, ...] = (None, None)
        if joint.next_best is not None:
            runner_up = names[joint.next_best], float(joint.margin_m)
        doubt = ", ".join(doubt.kind for doubt in doubts.joint_warnings(fits, joint))
        place = names[joint.child], names[joint.parent], joint.kind
        rows.append([*place, *map(float, lengths_m), *runner_up, doubt])
    return rows


def _full_lines(findings: Iterable[Finding], width: int) -> list[str]:
    """Lines for findings listed one by one, because their body, time and distance matter."""
    listed = [item for item in findings if item.rule in LISTED_IN_FULL]
    listed.sort(key=lambda item: LISTED_IN_FULL.index(item.rule))
    lines: list[str] = []
    for item in listed[:MAX_IN_FULL]:
        place = text.place_words(item) if item.frame_ranges else ""
        words = text.printable(item.message).removesuffix(".")
        words += f" ({place})." if place else "."
        lines += text.wrapped_lines(words, width, "    ")
    lines += text.rest_in_json(len(listed), MAX_IN_FULL)
    return ["", *lines] if lines else []
