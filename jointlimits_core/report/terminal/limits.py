"""Table of a limit set as terminal text, with notes below it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import zip_longest

from ...base import text
from ...limits import records, review_entries, symmetry, vocabulary
from ...limits.limit_set import AxisLimit, JointLimit, LimitSet

MAX_NOTES = 5
"""Maximum number of notes of each kind; the rest are only in the JSON."""


def note_lines(limit_set: LimitSet, width: int) -> list[str]:
    """Notes under one heading per kind, with an empty line before each; no lines without notes."""

    def advice(joint: JointLimit) -> str:
        is_open = joint.orientation.kind != "advised"
        return joint.advice.text if is_open and joint.advice and joint.advice.changes else ""

    pairs = most_different_first(limit_set.symmetry.pairs if limit_set.symmetry else ())
    kinds = {
        "To confirm joint types, record:": _merge_notes(
            limit_set, lambda joint: joint.evidence.settle
        ),
        "Advice": _merge_notes(limit_set, advice),
        "Left and right": [
            pair_words(pair) for pair in pairs if (pair.asymmetry_deg or 0.0) > symmetry.REPORT_DEG
        ],
    }
    lines: list[str] = []
    for heading, notes in kinds.items():
        if not notes:
            continue
        lines += ["", heading]
        for note in notes[:MAX_NOTES]:
            lines += text.wrapped_lines(f"{note}.", width, "    ")
        lines += text.rest_in_json(len(notes), MAX_NOTES)
    return lines


def most_different(pair: records.PairSymmetry) -> tuple[records.ChannelSymmetry, str, float] | None:
    """Largest difference between the sides of a pair.

    Returns the channel, the joint that goes further on it, and by how many degrees; None if the
    sides cannot be compared or do not differ.
    """
    found = [
        (channel, joint, abs(value))
        for channel in pair.channels
        for joint, value in zip(channel.reached_by, channel.asymmetry_deg or ())
    ]
    most = max(found, key=lambda item: item[2], default=None)
    return most if most is not None and most[2] > 0.0 else None


def pair_words(pair: records.PairSymmetry) -> str:
    """Text of one pair: "lknee, rknee: rknee goes 20.5 degrees further on rotateX"."""
    most, words = (
        most_different(pair),
        f"differ by {text.number(pair.asymmetry_deg or 0.0)} degrees",
    )
    if most is not None:
        further = f"{text.number(most[2])} degrees further on {most[0].channel}"
        words = f"{text.printable(most[1])} goes {further}"
    pooled = "; pooled, both have the wider range" if pair.pooled else ""
    return f"{text.printable(pair.left)}, {text.printable(pair.right)}: {words}{pooled}"


def most_different_first(pairs: Sequence[records.PairSymmetry]) -> list[records.PairSymmetry]:
    """Left and right pairs, sorted by how much further one side goes."""
    return sorted(pairs, key=lambda pair: pair.asymmetry_deg or 0.0, reverse=True)


def _merge_notes(limit_set: LimitSet, text_of: Callable[[JointLimit], str]) -> Sequence[str]:
    """Notes, each with the names of its joints; equal notes are merged."""
    joints: dict[str, list[str]] = {}
    for name, joint in limit_set.joints.items():
        note = text_of(joint)
        if note:
            joints.setdefault(note, []).append(name)
    noun = limit_set.noun
    return [
        f"{text.names_words(names, noun=noun)}: {text.printable(note)}"
        for note, names in joints.items()
    ]


MIN_NAME_CHARS = 12
MAX_HEADING_CHARS = 1000


def table(
    limit_set: LimitSet,
    width: int | None = None,
    ascii_only: bool | None = None,
    first: Sequence[review_entries.ReviewEntry] = (),
) -> str:
    """Joint types and limits as text for a terminal, which ends with a newline.

    One line per joint, with the weakest grade of its limits; then notes, motion that would confirm
    types, orient advice, pairs whose sides differ, and finally what to look at first. `width`:
    columns of the terminal; a narrow one gets whole degrees and then fewer details; None shows all.
    `ascii_only`: escape non-ASCII characters, by default if standard output cannot show them.
    `first`: entries to put at the start of the review list.
    """
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    is_narrow = not encoding.lower().replace("-", "").startswith("utf")
    plain = is_narrow if ascii_only is None else ascii_only
    looked = review_entries.review(limit_set).beginning_with(first)
    unlisted = review_entries.unlisted_findings(text.all_findings(limit_set), looked)
    groups = text.group_findings(unlisted)
    lines = [*text.wrapped_lines(_heading(limit_set), width or MAX_HEADING_CHARS, "    "), ""]
    lines += text.in_columns(_fit_rows(limit_set, groups, plain, width))
    lines += text.finding_lines(groups, width or text.PARAGRAPH_CHARS, limit_set.noun)
    lines += note_lines(limit_set, width or text.PARAGRAPH_CHARS)
    lines += review_lines(looked, width or text.PARAGRAPH_CHARS)
    return "".join(f"{text.printable(line, plain)}\n" for line in lines)


def review_lines(looked: review_entries.Review, width: int) -> list[str]:
    """Review list with the steps of each entry, and suggestions; empty if nothing moves."""
    if not looked.is_about_joints:
        return []
    lines = ["", f"{looked.sentence()}{':' if looked.entries else '.'}"]
    for position, entry in enumerate(looked.first, 1):
        lines += _entry_lines(entry, f"{position:>2}. ", width)
    lines += [f"and {looked.more} more"] if looked.more else []
    lines += ["", "Suggestions"] if looked.suggestions else []
    for entry in looked.suggestions[:MAX_NOTES]:
        lines += _entry_lines(entry, "  - ", width)
    return lines + text.rest_in_json(len(looked.suggestions), MAX_NOTES)


def _entry_lines(entry: review_entries.ReviewEntry, mark: str, width: int) -> list[str]:
    """Lines of one entry; a command stays on one line, so that it can be copied."""
    lines = text.wrapped_lines(f"{mark}{entry.text}.", width, " " * len(mark))
    for words, flag in entry.steps:
        step = f"{words}{':' if flag else ''}"
        fits = len(mark) + len(step) + len(flag) < width
        parts = [f"{step} {flag}".rstrip()] if fits else [step, f"  {flag}"]
        lines += [" " * len(mark) + text.printable(part) for part in parts if part.strip()]
    return lines


def _heading(limit_set: LimitSet) -> str:
    counts = Counter(joint.type for joint in limit_set.joints.values())
    types = ", ".join(f"{counts[kind]} {kind}" for kind in records.JOINT_TYPES if counts[kind])
    frames = sum(clip.frames for clip in limit_set.clips)
    source = f"{text.plural(len(limit_set.clips), 'clip')}, {text.plural(frames, 'frame')}"
    joints = text.plural(len(limit_set.joints), limit_set.noun)
    still = sum(not joint.animated for joint in limit_set.joints.values())
    joints += f", {still} not animated" if still else ""
    words = ""
    strictness = limit_set.options.get("strictness", "lossless")
    if strictness != "lossless":
        words += f" Strictness: {text.printable(str(strictness))}."
    if any(joint.orientation.kind == "advised" for joint in limit_set.joints.values()):
        words += " The limits are relative to the suggested joint orientations."
    words += " Mode: paper." if limit_set.mode == "paper" else ""
    return (
        f"{text.printable(limit_set.character) or 'character'}: {joints} ({types or 'none'}) "
        f"from {source}. Degrees; rest pose: {text.printable(limit_set.rest_source)}."
        f"{words}"
    )


def _fit_rows(
    limit_set: LimitSet, groups: list[text.FindingGroup], ascii_only: bool, width: int | None
) -> list[list[str]]:
    """Rows of the table, shortened until they fit the terminal's width.

    First, angles are rounded to whole degrees; then types lose their details and locked channels
    their angles; then columns that are repeated below the table are left out; finally, names are
    shortened.
    """
    rows: list[list[str]] = []
    for digits, brief, dropped in ((1, False, 0), (0, False, 0), *((0, True, n) for n in range(3))):
        rows = _rows(limit_set, groups, ascii_only, digits, brief)
        plain = {"grade": {""}, "certainty": {"sure", "no motion"}}
        left_out = ("notes", "certainty")[:dropped]
        columns = [
            (head, *cells)
            for head, *cells in zip(*rows)
            if head not in left_out and not (head in plain and set(cells) <= plain[head])
        ]
        rows = list(map(list, zip(*columns)))
        if width is None or _table_width(rows) <= width:
            return rows
    room = max((width or 0) - _table_width([row[1:] for row in rows]), MIN_NAME_CHARS)
    return [[text.shorten(row[0], room - len(text.COLUMN_GAP)), *row[1:]] for row in rows]


def _table_width(rows: list[list[str]]) -> int:
    sizes = text.column_sizes(rows)
    return sum(sizes) + len(text.COLUMN_GAP) * (len(sizes) - 1)


def _rows(
    limit_set: LimitSet, groups: list[text.FindingGroup], ascii_only: bool, digits: int, brief: bool
) -> list[list[str]]:
    """Headings and all rows; `brief` omits details of types and angles of locked channels."""
    channels = _channel_cells(limit_set, digits, brief)
    heads = ["range of each channel", *[""] * len(channels)][: len(channels)]
    rows = [[limit_set.noun, "type", *heads, "grade", "certainty", "notes"]]
    for row, (name, joint) in enumerate(limit_set.joints.items()):
        marks = [str(group.number) for group in groups if name in group.joints]
        # A narrow table shows only the first two.
        shown = ",".join(marks[:2]) + "+" if len(marks) > 2 and not digits else ",".join(marks)
        grades = ", ".join(map(vocabulary.mark_name, vocabulary.grade_marks(joint)))
        kind = joint.type if brief else vocabulary.type_words(joint)
        cells = [column[row] for column in channels]
        certainty = vocabulary.certainty(joint)
        rows.append([text.printable(name, ascii_only), kind, *cells, grades, certainty, shown])
    return rows


def _channel_cells(limit_set: LimitSet, digits: int, brief: bool) -> list[list[str]]:
    """Cells of each channel's column, with decimal points aligned."""
    columns, pairs = [], [joint.limits.items() for joint in limit_set.joints.values()]
    for own in zip_longest(*pairs):
        parts = [_range_parts(item[1], digits, brief) if item else [""] for item in own]
        ends = [part for part in parts if len(part) == 2]
        sizes = [max((len(part[n]) for part in ends), default=0) for n in (0, 1)]
        cells = []
        for item, part in zip(own, parts):
            words = part if len(part) == 1 else [f"{end:>{n}}" for end, n in zip(part, sizes)]
            letter = f"{text.channel_letter(item[0])} " if item else ""
            cells.append(letter + "..".join(words))
        columns.append(cells)
    return columns


def _range_parts(axis: AxisLimit, digits: int, brief: bool) -> list[str]:
    """Both ends of a range, or a single word or number."""
    words = vocabulary.range_words(axis, digits)
    if not digits and words.startswith("locked" if brief else "locked 0"):
        return ["locked"]
    if brief and "." in words.replace("..", ""):
        # One end is enough for a range narrower than a degree.
        return [text.number(axis.min_deg or 0.0, 0)]
    return [words] if words.startswith("locked") else words.split("..")
