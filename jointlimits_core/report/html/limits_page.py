"""Report page: figure and list of joints, verdict, sections that fold open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from ...base.text import NOTES, channel_letter, grouped, listed, names_words, plural
from ...limits import vocabulary
from ...limits.limit_set import JointLimit, LimitSet
from ...limits.ranges import span_of
from ...limits.records import JOINT_TYPES, PairSymmetry, SymmetryRecord
from ...limits.review_entries import Review, ReviewEntry, review, without_listed
from ...limits.symmetry import REPORT_DEG
from ..figures.character import INSIDE, LOOK, STATE_NAMES
from ..figures.playback import Playback
from ..terminal.limits import most_different
from . import joint_section
from .character_figure import SCRIPTS, character_data, character_section, state_mark
from .dials import range_bar, share_bar, type_badge
from .document import (
    Html,
    cell,
    document,
    element,
    find_tools,
    folded,
    joined,
    table,
    table_row,
    wide,
)
from .words import HOW_TO_READ, axis_words, grade_mark, grades_legend, strictness_words

_HEADINGS = ("left", "right", "differ by", "", "where most", "in a mirrored pose")


def sides_section(record: SymmetryRecord | None, link: Callable[[str], Html]) -> Html | None:
    """Left and right pairs, the most different first; None if they were not compared.

    `link` turns a joint's name into a link.
    """
    if record is None or not record.pairs:
        return None
    pairs = sorted(record.pairs, key=lambda pair: pair.asymmetry_deg or 0.0, reverse=True)
    most = max(pairs[0].asymmetry_deg or 0.0, REPORT_DEG)
    words = "How much further one side goes than the other, on the channel that differs most."
    if any(pair.pooled for pair in pairs):
        words += " The limits are pooled: both sides use the wider range."
    unpaired = names_words(record.unpaired, 12)
    rows = []
    for pair in pairs:
        by = pair.asymmetry_deg
        shown = None if by is None else share_bar(by / most, by > REPORT_DEG)
        rows.append(
            table_row(
                link(pair.left),
                link(pair.right),
                cell("not compared" if by is None else vocabulary.degrees(by), "n"),
                cell(shown, "share-cell"),
                _where(pair),
                cell(mirror_words(pair), "where"),
            )
        )
    return folded(
        "Left and right",
        element("p", words),
        wide(table(rows, "sides", _HEADINGS)),
        element("p", f"Without a partner: {unpaired}.", class_="note") if unpaired else None,
    )


def _where(pair: PairSymmetry) -> str:
    most = most_different(pair)
    if most is None or most[2] < 0.05:
        return "" if pair.asymmetry_deg is None else "the same on both sides"
    channel, joint, _ = most
    return f"{joint} goes further on {channel_letter(channel.channel)}"


def mirror_words(pair: PairSymmetry) -> str:
    """Relation between the channels of the two sides: "X the same way, Y and Z opposite"."""
    if pair.signs_from == "doubtful":
        return "doubtful, so nothing is carried over"
    ways = {"the same way": "", "opposite": "", "half a turn away": ""}
    for letter, sign in zip("XYZ", pair.signs):
        ways["the same way" if sign > 0 else "opposite"] += letter
    for letter, offset in zip("XYZ", pair.offsets_deg):
        if offset:
            ways["half a turn away"] += letter
    return ", ".join(f"{listed(letters)} {way}" for way, letters in ways.items() if letters)


PAPER = "Mode “paper”: the publication as printed, its errors included."
LONGEST_FLAG = 60
"""Most letters of arguments that are shown."""
DEEPEST = 12
"""Most levels of the hierarchy that the summary indents."""


def page(
    limit_set: LimitSet,
    sections: Mapping[str, Html],
    shown: Playback | None,
    first: Sequence[ReviewEntry] = (),
) -> str:
    """Return the complete, self-contained document, with a section for every joint that moves.

    `first`: what the review begins with.
    """
    title = f"Joint limits of {limit_set.character or 'the character'}"
    still = [name for name in limit_set.joints if name not in sections]
    looked = review(limit_set).beginning_with(first)
    figure = None if shown is None else character_section(limit_set, shown, looked)
    data = None if shown is None else character_data(limit_set, shown, looked)
    return document(
        title,
        _header(limit_set, title, looked, shown),
        element("div", figure, _list(limit_set, looked), class_="beside-figure"),
        element(
            "div",
            *sections.values(),
            sides_section(limit_set.symmetry, lambda name: _link(limit_set, name)),
            joint_section.dependencies_section(limit_set),
            _still(limit_set, still),
            _source(limit_set, looked, shown),
            class_="details",
        ),
        data,
        version=limit_set.program_version,
        sheets=("character.css", "limits_page.css"),
        scripts=("tables.js", *SCRIPTS, "limits_page.js") if shown else ("tables.js",),
        kind="bench" if shown else "bench plain",
    )


def frame_link(limit_set: LimitSet, name: str, shown: Playback | None) -> joint_section.FrameLink:
    """Links of a joint to frames; words alone where the page has no such frame."""
    if shown is None:
        return lambda words, clip, frame: words
    target = joint_section.anchor(limit_set, name) if name in limit_set.joints else "figure"
    nodes = [one for one in shown.motions[0].joint_names if one in limit_set.joints]

    def link(words: object, clip: str | None, frame: float | None) -> object:
        index = shown.frame_index(clip, frame)
        if index is None:
            return words
        place = nodes.index(name) if name in nodes else None
        return element(
            "a", words, href=f"#{target}", class_="go", data_frame=index, data_joint=place
        )

    return link


def _link(limit_set: LimitSet, name: str) -> Html:
    """A joint's name, linked where the page has the joint."""
    if name not in limit_set.joints:
        return element("span", name)
    return element("a", name, href=f"#{joint_section.anchor(limit_set, name)}")


def needs_section(limit: JointLimit) -> bool:
    """Whether a joint moves, so that it needs more than a line."""
    return limit.type != "fixed" and limit.evidence.sure != "no motion"


def _header(limit_set: LimitSet, title: str, looked: Review, shown: Playback | None) -> Html:
    counts = Counter(joint.type for joint in limit_set.joints.values())
    types = [
        element("li", type_badge(kind), f" {counts[kind]}", title=vocabulary.TYPE_MEANINGS[kind])
        for kind in JOINT_TYPES
    ]
    frames = sum(clip.frames for clip in limit_set.clips)
    lead = (
        f"{plural(len(limit_set.joints), 'joint')} from {plural(len(limit_set.clips), 'clip')}, "
        f"{plural(frames, 'frame')}."
    )
    layers = joint_section.layers_words(limit_set)
    paper = element("p", PAPER, class_="warn") if limit_set.mode == "paper" else None
    return element(
        "header",
        element("h1", title),
        element("p", lead, class_="lead"),
        _review(limit_set, looked, shown),
        element("ul", *types, class_="types"),
        element("p", layers) if layers else None,
        paper,
    )


def _source(limit_set: LimitSet, looked: Review, shown: Playback | None) -> Html:
    """How to read the page, and what the limits were measured from, folded."""
    notes = [group.sentence() for group in grouped(without_listed(limit_set.findings, looked))]
    strictness = strictness_words(limit_set)
    has_marks = any(vocabulary.grade_marks(joint) for joint in limit_set.joints.values())
    if not limit_set.options:
        options = None
    else:
        words = "; ".join(
            f"{key}: {_option_text(value)}" for key, value in limit_set.options.items()
        )
        options = element("p", element("b", "Options: "), words, ".", class_="note")
    parts = [
        folded(
            "How to read this page",
            *(element("p", words) for words in HOW_TO_READ),
            element("p", grades_legend()) if has_marks else None,
        ),
        folded(
            "Clips and options",
            element("p", f"Rest pose: {limit_set.rest_source}. {strictness}"),
            _clips(limit_set, shown),
            options,
        ),
    ]
    if notes:
        listed = element("ul", *(element("li", note) for note in notes), class_="findings")
        parts.append(folded(f"{NOTES} about clips: {len(notes)}", listed))
    return joined(parts)


def _review(limit_set: LimitSet, looked: Review, shown: Playback | None) -> Html | None:
    """What to look at first, each linked to its joint; None where nothing was measured."""
    if not looked.measured:
        return None
    items = []
    for entry in looked.first:
        action = entry.action
        flag = action.flag if len(action.flag) <= LONGEST_FLAG else ""
        settle = element("span", f"{action.text}{':' if flag else '.'} ", class_="settle")
        argument = element("code", flag) if flag else None
        items.append(element("li", *_linked(limit_set, entry, shown), ". ", settle, argument))
    return element(
        "div",
        element("p", looked.sentence(), class_="sentence"),
        element("ol", *items) if items else None,
        element("p", f"and {looked.more} more.", class_="note") if looked.more else None,
        class_="review" if items else "review settled",
    )


def _linked(limit_set: LimitSet, entry: ReviewEntry, shown: Playback | None) -> tuple[object, ...]:
    """An entry's sentence with the joint's name, which it mostly begins with, as a link."""
    if not entry.joint or not entry.text.startswith(entry.joint):
        return (entry.text,)
    if entry.frame_ranges:
        frame = entry.frame_ranges[0][0]
        link = frame_link(limit_set, entry.joint, shown)(entry.joint, entry.clip, frame)
        if link is not entry.joint:
            return link, entry.text[len(entry.joint) :]
    return _link(limit_set, entry.joint), entry.text[len(entry.joint) :]


def _clips(limit_set: LimitSet, shown: Playback | None) -> Html:
    order = [motion.name for motion in shown.motions] if shown and len(shown.motions) > 1 else []
    rows = []
    for clip in limit_set.clips:
        place = min(order.index(clip.name), 6) if clip.name in order else None
        dot = None if place is None else element("span", class_=f"dot clip-{place}")
        rows.append(
            table_row(
                element("th", dot, clip.name, scope="row"),
                cell(clip.frames, "n"),
                cell(f"{clip.first_frame:.10g} – {clip.last_frame:.10g}", "n"),
                cell(f"{clip.frame_rate:.6g}", "n"),
                cell(clip.file or "", "file"),
                element("td", (clip.sha256 or "")[:12], class_="hash", title=clip.sha256),
            )
        )
    heads = ("clip", "frames", "from – to", "per second", "file", "SHA-256")
    return wide(table(rows, "clips", heads))


def _option_text(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "automatic" if value is None else str(value)


def _list(limit_set: LimitSet, looked: Review) -> Html:
    """All joints in a list that is searched, sorted and filtered."""
    look = {entry.joint for entry in looked.entries}
    head = partial(element, "th", scope="col")
    heads = [
        head("joint"),
        head("type"),
        head("ranges", title="Bars from -180 to 180 degrees: X, Y, Z from top to bottom"),
        head("limits", title="The weakest grade of the joint's limits"),
        head(NOTES.lower()),
    ]
    rows = [_list_row(limit_set, name, look) for name in limit_set.joints]
    listed = table(rows, "joints sortable", heads, tools="find-joint")
    return element(
        "section",
        element("h2", "Joints"),
        find_tools("find-joint", "Search joints", _KINDS),
        element("div", listed, class_="scroll", tabindex=0, role="group", aria_label="Joints"),
        id="joints",
        class_="list",
    )


_KINDS = (
    *(("", "all joints"), ("look", "to look at"), ("moves", "moving"), ("open", "may be wider")),
    *(("artist", "edited"), ("notes", "with notes")),
)


def _list_row(limit_set: LimitSet, name: str, look: Collection[str]) -> Html:
    joint, names = limit_set.joints[name], tuple(limit_set.joints)
    number = names.index(name)
    grades = vocabulary.grade_marks(joint)
    notes = sum(item.rule != "never-moves" for item in joint.findings)
    state = LOOK if name in look else INSIDE
    kinds = {
        "look": name in look,
        "moves": needs_section(joint),
        "open": "open" in grades,
        "artist": any(edit.joint == name for edit in limit_set.edits),
        "notes": notes > 0,
    }
    bars = element(
        "div",
        *(
            range_bar(axis, vocabulary.widest_deg(names, name, channel))
            for channel, axis in joint.limits.items()
        ),
        class_="bars",
    )
    widths = [span[1] - span[0] for axis in joint.limits.values() if (span := span_of(axis))]
    weakest = (
        vocabulary.GRADES.index(grades[0])
        if grades and grades[0] in vocabulary.GRADES
        else len(vocabulary.GRADES)
    )
    return element(
        "tr",
        element(
            "th",
            element("span", state_mark(state), class_="state", title=STATE_NAMES[state]),
            _link(limit_set, name),
            scope="row",
            class_=f"depth-{_depth(limit_set, name)}",
            data_sort=number,
        ),
        element("td", type_badge(joint.type), title=axis_words(joint)),
        element(
            "td",
            bars,
            title=vocabulary.ranges_text(joint),
            data_sort=round(max(widths, default=0.0), 1),
        ),
        element("td", *(grade_mark(word) for word in grades), class_="marks", data_sort=weakest),
        element("td", notes or "", class_="n"),
        id=f"row-{number}",
        data_kinds=" ".join(kind for kind, applies in kinds.items() if applies),
    )


def _depth(limit_set: LimitSet, name: str) -> int:
    """Number of a joint's ancestors in the limit set, up to :data:`DEEPEST`."""
    depth, parent = 0, limit_set.joints[name].parent
    while parent is not None and parent in limit_set.joints and depth < DEEPEST:
        depth, parent = depth + 1, limit_set.joints[parent].parent
    return depth


def _still(limit_set: LimitSet, names: Sequence[str]) -> Html | None:
    if not names:
        return None
    rows = []
    for name in names:
        joint = limit_set.joints[name]
        left = joint.evidence.residual_deg.get("fixed")
        moves = "" if not left else f"moves by {vocabulary.degrees(left)}"
        edits = joint_section.edits_list([edit for edit in limit_set.edits if edit.joint == name])
        rows.append(
            table_row(
                element("th", name, id=joint_section.anchor(limit_set, name), scope="row"),
                vocabulary.ranges_text(joint),
                moves or "does not move" if joint.animated else "not animated",
                element("td", edits, joint_section.findings_list(joint)),
            )
        )
    heads = ("joint", "pose", "", NOTES.lower())
    return folded(f"Joints that do not move: {len(names)}", wide(table(rows, "still", heads)))
