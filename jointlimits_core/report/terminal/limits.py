"""Text table of a limit set for terminals, with its notes below."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Collection, Sequence

from ...base import text
from ...limits import records, review_entries, symmetry, vocabulary
from ...limits.limit_set import AxisLimit, JointLimit, LimitSet

MAX_NOTES = 5
"""Maximum notes of a kind; the rest is only in the JSON."""


def note_lines(limit_set: LimitSet, width: int) -> list[str]:
    """Notes under one heading per kind, each after an empty line; no lines without notes."""
    record = limit_set.symmetry
    clear = (
        [pair for pair in record.pairs if _differs_by(pair) > symmetry.REPORT_DEG] if record else []
    )
    pairs = sorted(clear, key=_differs_by, reverse=True)
    kinds = {
        "What would settle the type": _merge_notes(limit_set, lambda joint: joint.evidence.settle),
        "Advice": _merge_notes(
            limit_set,
            lambda joint: (
                joint.advice.text
                if joint.advice and joint.advice.changes and joint.orientation.kind != "advised"
                else ""
            ),
        ),
        "Left and right": [pair_words(pair) for pair in pairs],
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
    """One pair: "lknee, rknee: rknee goes 20.5 degrees further on rotateX"."""
    words = f"{text.printable(pair.left)}, {text.printable(pair.right)}: "
    most = most_different(pair)
    if most is None:
        words += f"differ by {text.number(_differs_by(pair))} degrees"
    else:
        channel, joint, value = most
        further = f"{text.number(value)} degrees further on {channel.channel}"
        words += f"{text.printable(joint)} goes {further}"
    return f"{words}; pooled, both have the wider range" if pair.pooled else words


def _differs_by(pair: records.PairSymmetry) -> float:
    return pair.asymmetry_deg or 0.0


def _merge_notes(limit_set: LimitSet, text_of: Callable[[JointLimit], str]) -> Sequence[str]:
    """Notes with equal text merged, each with the names of its joints."""
    joints: dict[str, list[str]] = {}
    for name, joint in limit_set.joints.items():
        note = text_of(joint)
        if note:
            joints.setdefault(note, []).append(name)
    return [f"{text.names_words(names)}: {text.printable(note)}" for note, names in joints.items()]


MIN_NAME_CHARS = 12
MAX_HEADING_CHARS = 1000


def table(
    limit_set: LimitSet,
    width: int | None = None,
    ascii_only: bool | None = None,
    first: Sequence[review_entries.ReviewEntry] = (),
) -> str:
    """Joint types and limits as text for a terminal, which ends with a newline.

    One line per joint, with the weakest grade of its limits; then findings, what would settle a
    type, orient advice, and pairs whose sides differ; last, what to look at first. `width`: columns
    of the terminal; to fit, angles are shown in whole degrees, and then less; None shows all.
    `ascii_only`: escape other characters, by default where standard output cannot show them.
    `first`: entries that what to look at begins with.
    """
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    is_narrow = not encoding.lower().replace("-", "").startswith("utf")
    plain = is_narrow if ascii_only is None else ascii_only
    looked = review_entries.review(limit_set).beginning_with(first)
    unlisted = review_entries.unlisted_findings(text.all_findings(limit_set), looked)
    groups = text.group_findings(unlisted)
    lines = [*text.wrapped_lines(_heading(limit_set), width or MAX_HEADING_CHARS, "    "), ""]
    lines += text.in_columns(_fit_rows(limit_set, groups, plain, width))
    lines += text.finding_lines(groups, width or text.PARAGRAPH_CHARS)
    lines += note_lines(limit_set, width or text.PARAGRAPH_CHARS)
    lines += review_lines(looked, width or text.PARAGRAPH_CHARS)
    return "".join(f"{text.printable(line, plain)}\n" for line in lines)


def review_lines(looked: review_entries.Review, width: int) -> list[str]:
    """What to look at first, each with what settles it; no lines where nothing was measured."""
    if not looked.measured:
        return []
    lines = ["", f"{looked.sentence()}{':' if looked.entries else '.'}"]
    for position, entry in enumerate(looked.first, 1):
        mark = f"{position:>2}. "
        lines += text.wrapped_lines(f"{mark}{entry.text}.", width, " " * len(mark))
        flag = entry.action.flag
        how = f"{entry.action.text}: {flag}" if flag else entry.action.text
        settle = entry.action.text if len(how) > width else how
        lines += [" " * len(mark) + text.printable(settle)]
    return lines + ([f"and {looked.more} more"] if looked.more else [])


def _heading(limit_set: LimitSet) -> str:
    counts = Counter(joint.type for joint in limit_set.joints.values())
    types = ", ".join(f"{counts[kind]} {kind}" for kind in records.JOINT_TYPES if counts[kind])
    frames = sum(clip.frames for clip in limit_set.clips)
    source = f"{text.plural(len(limit_set.clips), 'clip')}, {text.plural(frames, 'frame')}"
    joints = text.plural(len(limit_set.joints), "joint")
    still = sum(not joint.animated for joint in limit_set.joints.values())
    joints += f", {still} not animated" if still else ""
    words = ""
    strictness = limit_set.options.get("strictness", "lossless")
    if strictness != "lossless":
        words += f" Strictness: {text.printable(str(strictness))}."
    if any(joint.orientation.kind == "advised" for joint in limit_set.joints.values()):
        words += " Limits apply in the suggested joint orientations."
    words += " Mode: paper." if limit_set.mode == "paper" else ""
    return (
        f"{text.printable(limit_set.character) or 'character'}: {joints} ({types or 'none'}) "
        f"from {source}. Degrees; rest pose: {text.printable(limit_set.rest_source)}."
        f"{words}"
    )


def _channel_columns(limit_set: LimitSet) -> int:
    return max((len(joint.limits) for joint in limit_set.joints.values()), default=0)


def _fit_rows(
    limit_set: LimitSet, groups: list[text.FindingGroup], ascii_only: bool, width: int | None
) -> list[list[str]]:
    """Rows of the table, shortened until they fit the terminal's width.

    First angles are rounded to whole degrees; then types lose their details and locked channels
    their angles; then columns that are repeated below the table are left out; last, names are
    text.shortened.
    """
    rows: list[list[str]] = []
    for digits, brief, dropped in ((1, False, 0), (0, False, 0), *((0, True, n) for n in range(3))):
        channels = [""] * _channel_columns(limit_set)
        if channels:
            channels[0] = "range of each channel"
        rows = [
            ["joint", "type", *channels, "grade", "certainty", "notes"],
            *_rows(limit_set, groups, ascii_only, digits, brief),
        ]
        rows = _drop_column(_drop_column(rows, "grade", {""}), "certainty", {"sure", "no motion"})
        for heading in ("notes", "certainty")[:dropped]:
            rows = _drop_column(rows, heading, None)
        if width is None or _table_width(rows) <= width:
            return rows
    room = max((width or 0) - _table_width([row[1:] for row in rows]), MIN_NAME_CHARS)
    return [[text.shorten(row[0], room - len(text.COLUMN_GAP)), *row[1:]] for row in rows]


def _table_width(rows: list[list[str]]) -> int:
    sizes = text.column_sizes(rows)
    return sum(sizes) + len(text.COLUMN_GAP) * (len(sizes) - 1)


def _drop_column(
    rows: list[list[str]], heading: str, plain: Collection[str] | None
) -> list[list[str]]:
    """Rows without a column if all its cells are in `plain`; with None, in any case."""
    if heading not in rows[0]:
        return rows
    at = rows[0].index(heading)
    if plain is not None and any(row[at] not in plain for row in rows[1:]):
        return rows
    return [row[:at] + row[at + 1 :] for row in rows]


def _rows(
    limit_set: LimitSet, groups: list[text.FindingGroup], ascii_only: bool, digits: int, brief: bool
) -> list[list[str]]:
    marks: dict[str, list[str]] = {}
    for group in groups:
        for name in group.joints:
            marks.setdefault(name, []).append(str(group.number))
    columns = _channel_cells(limit_set, digits, brief)
    return [
        [
            text.printable(name, ascii_only),
            joint.type if brief else vocabulary.type_words(joint),
            *(column[row] for column in columns),
            ", ".join(map(vocabulary.mark_name, vocabulary.grade_marks(joint))),
            vocabulary.certainty(joint),
            # In a narrow table the first two.
            ",".join(found[:2]) + "+" if len(found) > 2 and not digits else ",".join(found),
        ]
        for row, (name, joint) in enumerate(limit_set.joints.items())
        for found in [marks.get(name, [])]
    ]


def _channel_cells(limit_set: LimitSet, digits: int, brief: bool) -> list[list[str]]:
    """Cells of each channel's column, with the points of the numbers below each other."""
    columns = []
    for place in range(_channel_columns(limit_set)):
        pairs = [list(joint.limits.items()) for joint in limit_set.joints.values()]
        own = [pair[place] if place < len(pair) else None for pair in pairs]
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
        # One end is enough for a range of less than a degree.
        return [text.number(axis.min_deg or 0.0, 0)]
    return [words] if words.startswith("locked") else words.split("..")
