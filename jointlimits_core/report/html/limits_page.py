"""Report on a limit set: one self-contained HTML page that needs no network."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from ...base.progress import Progress, report_progress
from ...base.text import NOTES, channel_letter, group_findings, list_words, names_words, plural
from ...io.output import write_text_atomically
from ...limits import records, review_entries, symmetry, vocabulary
from ...limits.groups import joint_groups
from ...limits.limit_set import JointLimit, LimitSet
from ...limits.ranges import span_of
from ...motion.motion import Motion
from ..figures import character, playback
from ..terminal import limits, shapes
from . import character_figure, joint_section, words
from .page import MAX_DEPTH, Piece, cell, document, find_field, note, piece, row, table

PAPER = "Mode “paper”: the method exactly as published, including its errors."
MAX_FLAG_CHARS = 100
"""Maximum length of a command-line flag that is shown."""


def write_report(
    limit_set: LimitSet,
    motions: Motion | Sequence[Motion],
    path: str | os.PathLike[str],
    progress: Progress | None = None,
    first: Sequence[review_entries.ReviewEntry] = (),
) -> None:
    """Write joint types and limits as one HTML page on which the character moves.

    `motions`: the motions that were measured; without them the page shows numbers only. `first`:
    entries to start the review list with, such as channels left off in a scene. The file is written
    atomically; raises Cancelled, with nothing written, if `progress` returned False.
    """
    report_progress(progress, 0, 3, "preparing the motion")
    shown = character_figure.shown_clips(
        limit_set, [motions] if isinstance(motions, Motion) else motions
    )
    report_progress(progress, 1, 3, "describing joints")
    joints, title = limit_set.joints, f"Joint limits of {limit_set.character or 'the character'}"
    groups = joint_groups({name: joint.parent for name, joint in joints.items()})
    groups = groups or {"": tuple(joints)}
    moving = [name for names in groups.values() for name in names if needs_section(joints[name])]
    sections = [
        joint_section.joint_section(limit_set, name, frame_link(limit_set, name, shown))
        for name in moving
    ]
    report_progress(progress, 2, 3, "writing the page")
    looked = review_entries.review(limit_set).beginning_with(first)
    details = [
        *sections,
        sides_section(limit_set.symmetry, lambda name: _link(limit_set, name)),
        dependencies_section(limit_set),
        _still_joints(limit_set, [name for name in joints if name not in moving]),
        *_source(limit_set, looked, shown),
    ]
    figure = None if shown is None else character_figure.character_section(shown)
    content = [
        _header(limit_set, title, looked, shown),
        piece("div", figure, _list(limit_set, looked, groups), class_="beside-figure"),
        piece("div", *details, class_="details"),
    ]
    ranges = [(name, one.type, vocabulary.ranges_text(one)) for name, one in joints.items()]
    plain = (limit_set.noun, "type", "limits"), ranges
    kind = "bench limits" if shown else "bench plain"
    data = None if shown is None else character_figure.character_data(limit_set, shown, looked)
    page = document(title, content, plain, limit_set.program_version, kind, data)
    write_text_atomically(path, page)


def frame_link(
    limit_set: LimitSet, name: str, shown: playback.Playback | None
) -> joint_section.FrameLink:
    """Function that links words to a joint's frames; plain words if the page lacks the frame."""
    if shown is None:
        return lambda words, clip, frame: words
    target = joint_section.anchor(limit_set, name) if name in limit_set.joints else "figure"
    nodes = [one for one in shown.motions[0].joint_names if one in limit_set.joints]
    place = nodes.index(name) if name in nodes else None

    def link(words: object, clip: str | None, frame: float | None) -> object:
        index = shown.frame_index(clip, frame)
        if index is None:
            return words
        return piece("a", words, href=f"#{target}", class_="go", data_frame=index, data_joint=place)

    return link


def _link(limit_set: LimitSet, name: str) -> object:
    """A joint's name, as a link if the joint is on the page."""
    if name not in limit_set.joints:
        return name
    return piece("a", name, href=f"#{joint_section.anchor(limit_set, name)}")


def needs_section(limit: JointLimit) -> bool:
    """Whether a joint moves and therefore needs a section of its own."""
    return limit.type != "fixed" and limit.evidence.sure != "no motion"


def _header(
    limit_set: LimitSet, title: str, looked: review_entries.Review, shown: playback.Playback | None
) -> Piece:
    counts = Counter(joint.type for joint in limit_set.joints.values())
    types = []
    for kind, meaning in vocabulary.TYPE_MEANINGS.items():
        types.append(piece("li", words.type_badge(kind), f" {counts[kind]}", title=meaning))
    joints = plural(len(limit_set.joints), limit_set.noun)
    clips = plural(len(limit_set.clips), "clip")
    frames = plural(sum(clip.frames for clip in limit_set.clips), "frame")
    measured = f" from {clips}, {frames}" if limit_set.clips else ", without motion"
    layers = layers_words(limit_set)
    return piece(
        "header",
        piece("h1", title),
        piece("p", f"{joints}{measured}.", class_="lead"),
        _review(limit_set, looked, shown),
        piece("ul", types, class_="types"),
        piece("p", layers) if layers else None,
        piece("p", PAPER, class_="warn") if limit_set.mode == "paper" else None,
    )


def layers_words(limit_set: LimitSet) -> list[object]:
    """Counts of artist edits and published ranges, with their joints; empty without any."""
    edited = [edit.joint for edit in limit_set.edits]
    found: dict[str, list[str]] = {"prior": [], "people": []}
    for name, joint in limit_set.joints.items():
        known = [bound for axis in joint.limits.values() for bound in axis.source.known]
        for bound in known:
            found.get(bound.kind, []).append(name)
    parts: list[object] = []
    for layer, names, noun, where in (
        ("artist", edited, "edit", "by the artist"),
        ("prior", found["prior"], "limit", "from published ranges"),
        ("people", found["people"], "limit", "from other people"),
    ):
        if names:
            on = f"{where}, on {names_words(list(dict.fromkeys(names)), noun=limit_set.noun)}. "
            parts += [words.grade_mark(layer), f" {plural(len(names), noun)} {on}"]
    return ["Not from the motion: ", *parts] if parts else []


def _review(
    limit_set: LimitSet, looked: review_entries.Review, shown: playback.Playback | None
) -> Piece | None:
    """Review list and suggestions; None if nothing was measured."""
    if not looked.is_about_joints:
        return None
    items = [_entry(limit_set, entry, shown) for entry in looked.first]
    offers = [_entry(limit_set, entry, shown) for entry in looked.suggestions]
    return piece(
        "div",
        piece("p", looked.sentence(), class_="sentence"),
        piece("ol", items) if items else None,
        note(f"and {looked.more} more.") if looked.more else None,
        piece("div", "Suggestions", piece("ul", offers), class_="note") if offers else None,
        class_="review" if items else "review settled",
    )


def _entry(
    limit_set: LimitSet, entry: review_entries.ReviewEntry, shown: playback.Playback | None
) -> list[object]:
    """An entry, linked to its frame or joint, with its steps."""
    text: list[object] = [entry.text]
    if entry.joint and entry.text.startswith(entry.joint):
        frame = entry.frame_ranges[0][0] if entry.frame_ranges else None
        link = frame_link(limit_set, entry.joint, shown)(entry.joint, entry.clip, frame)
        name = _link(limit_set, entry.joint) if link is entry.joint else link
        text = [name, entry.text[len(entry.joint) :]]
    for lead, (step, command) in zip((". ", " "), entry.steps):
        flag = command if len(command) <= MAX_FLAG_CHARS else ""
        text += [lead, piece("span", f"{step}{':' if flag else '.'} ", class_="settle")]
        text += [piece("code", flag)] if flag else []
    return text


_KINDS = {
    "": "all",
    "look": "to look at",
    "moves": "moving",
    "open": "may be wider",
    "artist": "edited",
    "notes": "with notes",
}


def _list(
    limit_set: LimitSet, looked: review_entries.Review, groups: Mapping[str, Collection[str]]
) -> Piece:
    """List of all joints, under group titles; it can be searched, sorted and filtered."""
    look = {entry.joint for entry in looked.entries}
    bars = "Bars from -180 to 180 degrees: X, Y, Z from top to bottom"
    ranges = piece("th", "ranges", title=bars, scope="col")
    weakest, noun = "The weakest grade among the limits", limit_set.noun
    grades = piece("th", "limits", title=weakest, scope="col")
    heads, rows = [noun, "type", ranges, grades, NOTES.lower()], []
    for group, names in groups.items():
        title = piece("th", group.capitalize(), scope="rowgroup", colspan=len(heads))
        rows += [row(title, class_="group")] if group else []
        rows += [_list_row(limit_set, name, look, group, names) for name in names]
    kinds = _KINDS | {_word_of(group): group for group in groups if group}
    find = find_field("find-joint", f"Search {noun}s", kinds.items())
    listed = table("joints", heads, rows, find=find)
    return piece("section", listed, title=f"{noun.capitalize()}s", id="joints", class_="list")


def _word_of(group: str) -> str:
    return group.replace(" ", "-")


def _list_row(
    limit_set: LimitSet,
    name: str,
    look: Collection[str | None],
    group: str,
    together: Collection[str],
) -> Piece:
    joint, names = limit_set.joints[name], tuple(limit_set.joints)
    grades, number = vocabulary.grade_marks(joint), names.index(name)
    notes = sum(item.rule != "never-moves" for item in joint.findings)
    kinds = {
        "look": name in look,
        "moves": needs_section(joint),
        "open": "open" in grades,
        "artist": any(edit.joint == name for edit in limit_set.edits),
        "notes": notes > 0,
        _word_of(group): True,
    }
    bars = [
        words.range_bar(axis, vocabulary.widest_deg(names, name, channel))
        for channel, axis in joint.limits.items()
    ]
    drawn, text = piece("div", bars, class_="bars"), vocabulary.ranges_text(joint)
    widths = [span[1] - span[0] for axis in joint.limits.values() if (span := span_of(axis))]
    order = vocabulary.GRADES
    weakest = order.index(grades[0]) if grades and grades[0] in order else len(order)
    depth, parent = 0, joint.parent
    while parent is not None and parent in together and depth < MAX_DEPTH:
        depth, parent = depth + 1, limit_set.joints[parent].parent
    state = character.LOOK if name in look else character.INSIDE
    mark = piece("state", of=state)
    mark = piece("span", mark, class_="state", title=character.STATE_NAMES[state])
    head = [mark, _link(limit_set, name)]
    return row(
        piece("th", head, scope="row", class_=f"depth-{depth}", data_sort=number),
        piece("td", words.type_badge(joint.type), title=words.axis_words(joint)),
        piece("td", drawn, title=text, data_sort=round(max(widths, default=0.0), 1)),
        piece("td", [words.grade_mark(word) for word in grades], class_="marks", data_sort=weakest),
        cell(notes or None),
        id=f"row-{number}",
        data_kinds=" ".join(kind for kind, applies in kinds.items() if applies),
    )


def sides_section(
    record: records.SymmetryRecord | None, link: Callable[[str], object]
) -> Piece | None:
    """Left and right pairs, most different first, with linked names; None without pairs."""
    if record is None or not record.pairs:
        return None
    pairs = limits.most_different_first(record.pairs)
    most = max(pairs[0].asymmetry_deg or 0.0, symmetry.REPORT_DEG)
    text = "Shows how many degrees further one side goes, on the channel that differs most."
    if any(pair.pooled for pair in pairs):
        text += " The limits are pooled: both sides use the wider range."
    rows = []
    for pair in pairs:
        by, further = pair.asymmetry_deg, limits.most_different(pair)
        cells: tuple[object, ...] = cell("not compared"), cell(None, "share-cell"), ""
        if by is not None:
            where = "the same on both sides"
            if further is not None and further[2] >= 0.05:
                where = f"{further[1]} goes further on {channel_letter(further[0].channel)}"
            bar = words.share_bar(by / most, by > symmetry.REPORT_DEG)
            cells = cell(vocabulary.degrees(by)), cell(bar, "share-cell"), where
        mirrored = cell(mirror_words(pair), "where")
        rows.append([link(pair.left), link(pair.right), *cells, mirrored])
    heads = ("left", "right", "differ by", "", "further side", "in a mirrored pose")
    unpaired = names_words(record.unpaired, 12)
    alone = note(f"Without a partner: {unpaired}.") if unpaired else None
    listed = table("sides", heads, rows)
    return piece("fold", piece("p", text), listed, alone, title="Left and right")


def mirror_words(pair: records.PairSymmetry) -> str:
    """Relation between the channels of the two sides: "X the same way, Y and Z opposite"."""
    if pair.signs_from == "doubtful":
        return "doubtful, so edits are not mirrored"
    ways = {
        "the same way": [letter for letter, sign in zip("XYZ", pair.signs) if sign > 0],
        "opposite": [letter for letter, sign in zip("XYZ", pair.signs) if sign <= 0],
        "half a turn away": [letter for letter, turn in zip("XYZ", pair.offsets_deg) if turn],
    }
    return ", ".join(f"{list_words(letters)} {way}" for way, letters in ways.items() if letters)


def dependencies_section(limit_set: LimitSet) -> Piece | None:
    """Ranges that depend on another channel; None if there are none."""
    found = limit_set.dependencies
    if not found:
        return None
    pads = " or ".join(f"{pad:g}°" for pad in sorted({item.pad_deg for item in found}))
    text = (
        "At some values of one channel, the motion does not use the whole range of another. The "
        f"dependent limits are {pads} wider than the ranges listed here; check --shapes reports "
        "frames outside them, and project moves a motion inside. Maya’s own limits cannot express "
        "them."
    )
    items = [f"{shapes.dependency_status(limit_set, item)}." for item in found]
    title = "Channels that limit each other"
    return piece("fold", piece("p", text), piece("ul", items), title=title)


def _still_joints(limit_set: LimitSet, names: Sequence[str]) -> Piece | None:
    rows = []
    for name in names:
        joint = limit_set.joints[name]
        left = joint.evidence.residual_deg.get("fixed")
        moves = f"moves by {vocabulary.degrees(left)}" if left else "does not move"
        head = piece("th", name, id=joint_section.anchor(limit_set, name), scope="row")
        notes = [joint_section.edits_list(limit_set, name), joint_section.findings_list(joint)]
        pose = vocabulary.ranges_text(joint)
        rows.append([head, pose, moves if joint.animated else "not animated", notes])
    listed = table("still", (limit_set.noun, "pose", "", NOTES.lower()), rows)
    title = f"{limit_set.noun.capitalize()}s that do not move: {len(names)}"
    return piece("fold", listed, title=title) if names else None


def _source(
    limit_set: LimitSet, looked: review_entries.Review, shown: playback.Playback | None
) -> list[Piece]:
    """Collapsed sections at the end: how to read the page, clips and options, notes about clips."""
    has_marks = any(vocabulary.grade_marks(joint) for joint in limit_set.joints.values())
    read = [piece("p", sentence) for sentence in words.HOW_TO_READ]
    read += [piece("p", words.grades_legend())] if has_marks else []
    options = "; ".join(f"{key}: {_option_text(value)}" for key, value in limit_set.options.items())
    rest = f"Rest pose: {limit_set.rest_source}. {words.strictness_words(limit_set)}"
    listed = note(piece("b", "Options: "), options, ".") if options else None
    folds = [
        piece("fold", read, title="How to read this page"),
        piece(
            "fold", [piece("p", rest), _clips(limit_set, shown), listed], title="Clips and options"
        ),
    ]
    unlisted = review_entries.unlisted_findings(limit_set.findings, looked)
    notes = [group.sentence(noun=limit_set.noun) for group in group_findings(unlisted)]
    found, title = piece("ul", notes, class_="findings"), f"{NOTES} about clips: {len(notes)}"
    return [*folds, piece("fold", found, title=title)] if notes else folds


def _clips(limit_set: LimitSet, shown: playback.Playback | None) -> Piece:
    order = [motion.name for motion in shown.motions] if shown and len(shown.motions) > 1 else []
    rows = []
    for clip in limit_set.clips:
        place = min(order.index(clip.name), 6) if clip.name in order else None
        dot = None if place is None else piece("span", class_=f"dot clip-{place}")
        span = f"{clip.first_frame:.10g} – {clip.last_frame:.10g}"
        numbers = map(cell, (clip.frames, span, f"{clip.frame_rate:.6g}"))
        code = piece("td", (clip.sha256 or "")[:12], class_="hash", title=clip.sha256)
        rows.append([[dot, clip.name], *numbers, cell(piece("path", clip.file), "file"), code])
    return table("clips", ("clip", "frames", "from – to", "per second", "file", "SHA-256"), rows)


def _option_text(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "automatic" if value is None else str(value)
