"""Report page around the joints: header, guide, clips, summary, left and right, still joints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from ...base import channel_letter, grouped, names_words, plural
from ...limits import (
    JOINT_TYPES,
    NOTES,
    REPORT_DEG,
    TYPE_MEANINGS,
    Action,
    JointLimit,
    LimitSet,
    PairSymmetry,
    Review,
    ReviewEntry,
    SymmetryRecord,
    certainty,
    degrees,
    grade_marks,
    range_text,
    review,
    widest_deg,
    without_listed,
)
from ..terminal import most_different
from .clouds import ClipColours
from .dials import range_bar, share_bar, type_badge
from .document import (
    GREY,
    Html,
    cell,
    document,
    element,
    joined,
    section,
    table,
    table_row,
    titled_list,
)
from .joint_section import dependencies_section, edits_list, findings_list, layers_words
from .words import HOW_TO_READ, axis_words, grade_mark, grades_legend, purpose_words

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
    rows = [_side_row(pair, most, link) for pair in pairs]
    return section(
        "Left and right",
        element("p", words),
        table(rows, "sides", _HEADINGS),
        element("p", f"Without a partner: {unpaired}.", class_="note") if unpaired else None,
    )


def _side_row(pair: PairSymmetry, most: float, link: Callable[[str], Html]) -> Html:
    by = pair.asymmetry_deg
    shown = None if by is None else share_bar(by / most, by > REPORT_DEG)
    return table_row(
        link(pair.left),
        link(pair.right),
        cell("not compared" if by is None else degrees(by), "n"),
        cell(shown, "share-cell"),
        _where(pair),
        cell(mirror_words(pair), "where"),
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
    ways = {"the same way": "", "opposite": ""}
    for letter, sign in zip("XYZ", pair.signs):
        ways["the same way" if sign > 0 else "opposite"] += letter
    for letter, offset in zip("XYZ", pair.offsets_deg):
        if offset:
            ways.setdefault("half a turn away", "")
            ways["half a turn away"] += letter
    return ", ".join(
        f"{' and '.join([', '.join(letters[:-1]), letters[-1]]) if letters[1:] else letters} {way}"
        for way, letters in ways.items()
        if letters
    )


PAPER = "Mode “paper”: the publication as printed, its errors included."
LONGEST_FLAG = 60
"""Most letters of arguments that are shown."""
DEEPEST = 12
"""Most levels of the hierarchy that the summary indents."""


def page(limit_set: LimitSet, sections: Mapping[str, Html], clips: ClipColours) -> str:
    """Return the complete, self-contained document, with a section for every joint that moves."""
    title = f"Joint limits of {limit_set.character or 'the character'}"
    still = [name for name in limit_set.joints if name not in sections]
    return document(
        title,
        _header(limit_set, title, clips),
        _summary(limit_set),
        sides_section(limit_set.symmetry, lambda name: _link(limit_set, name)),
        dependencies_section(limit_set),
        *sections.values(),
        _still(limit_set, still),
        version=limit_set.program_version,
    )


def anchor(limit_set: LimitSet, name: str) -> str:
    """Id of a joint's section, by position, as names can hold anything."""
    return f"joint-{list(limit_set.joints).index(name)}"


def _link(limit_set: LimitSet, name: str) -> Html:
    """A joint's name, linked where the page has the joint."""
    if name not in limit_set.joints:
        return element("span", name)
    return element("a", name, href=f"#{anchor(limit_set, name)}")


def needs_section(limit: JointLimit) -> bool:
    """Whether a joint moves, so that it needs more than a line."""
    return limit.type != "fixed" and limit.evidence.sure != "no motion"


def _header(limit_set: LimitSet, title: str, clips: ClipColours) -> Html:
    counts = Counter(joint.type for joint in limit_set.joints.values())
    types = [
        element("li", type_badge(kind), f" {counts[kind]}", element("small", TYPE_MEANINGS[kind]))
        for kind in JOINT_TYPES
    ]
    looked = review(limit_set)
    notes = [group.sentence() for group in grouped(without_listed(limit_set.findings, looked))]
    frames = sum(clip.frames for clip in limit_set.clips)
    lead = (
        f"{plural(len(limit_set.joints), 'joint')} from {plural(len(limit_set.clips), 'clip')}, "
        f"{plural(frames, 'frame')}. Rest pose: {limit_set.rest_source}."
    )
    purpose, layers = purpose_words(limit_set), layers_words(limit_set)
    paper = element("p", PAPER, class_="warn") if limit_set.mode == "paper" else None
    return element(
        "header",
        element("h1", title),
        element("p", lead, class_="lead"),
        element("p", purpose, class_="lead") if purpose else None,
        element("p", layers) if layers else None,
        paper,
        _review(limit_set, looked),
        element("ul", *types, class_="types"),
        element("h2", "How to read this page"),
        element("p", " ".join(HOW_TO_READ)),
        element("p", grades_legend()) if _has_marks(limit_set) else None,
        _clips(limit_set, clips),
        _options(limit_set),
        titled_list(f"{NOTES} about clips", notes, level="h2"),
    )


def _review(limit_set: LimitSet, looked: Review) -> Html | None:
    """What to look at first, each linked to its joint; None where nothing was measured."""
    if not looked.measured:
        return None
    items = [
        element("li", *_linked(limit_set, entry), ". ", *_settling(entry.action))
        for entry in looked.first
    ]
    return element(
        "div",
        element("h2", looked.sentence()),
        element("ol", *items) if items else None,
        element("p", f"and {looked.more} more.", class_="note") if looked.more else None,
        class_="review" if items else "review settled",
    )


def _linked(limit_set: LimitSet, entry: ReviewEntry) -> tuple[object, ...]:
    """An entry's sentence with the joint's name, which it mostly begins with, as a link."""
    if entry.joint and entry.text.startswith(entry.joint):
        return _link(limit_set, entry.joint), entry.text[len(entry.joint) :]
    return (entry.text,)


def _settling(action: Action) -> tuple[Html | None, ...]:
    """What settles an entry, and its arguments on the command line unless they are long."""
    flag = action.flag if len(action.flag) <= LONGEST_FLAG else ""
    words = element("span", f"{action.text}{':' if flag else '.'} ", class_="settle")
    return words, element("code", flag) if flag else None


def _has_marks(limit_set: LimitSet) -> bool:
    """Whether any limit has a known source."""
    return any(grade_marks(joint) for joint in limit_set.joints.values())


def _clips(limit_set: LimitSet, clips: ClipColours) -> Html:
    own = dict(zip(clips.names, clips.colours))
    rows = []
    for clip in limit_set.clips:
        colour = own.get(clip.name, GREY)
        rows.append(
            table_row(
                joined([element("span", class_="dot", style=f"background:{colour}"), clip.name]),
                cell(plural(clip.frames, "frame"), "n"),
                cell(f"{clip.first_frame:.10g} – {clip.last_frame:.10g}", "n"),
                cell(f"{clip.frame_rate:.6g} per second", "n"),
                cell(clip.file or "", "file"),
                element("td", (clip.sha256 or "")[:12], class_="hash", title=clip.sha256),
            )
        )
    return element("div", element("h2", "Clips"), table(rows, "clips"))


def _options(limit_set: LimitSet) -> Html | None:
    if not limit_set.options:
        return None
    words = "; ".join(f"{key}: {_option_text(value)}" for key, value in limit_set.options.items())
    return element("p", element("b", "Options: "), words, ".", class_="note")


def _option_text(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "automatic" if value is None else str(value)


def _summary(limit_set: LimitSet) -> Html:
    widest = max((len(joint.limits) for joint in limit_set.joints.values()), default=0)
    marks = _has_marks(limit_set)
    scale = element("small", " (bars: −180° to 180°)")
    weakest = "The weakest of the joint’s limits"
    heads: list[object] = ["joint", "type"]
    if widest:
        heads.append(element("th", "range of each channel", scale, colspan=widest))
    heads.append(element("th", "how sure", class_="sure-head"))
    if marks:
        heads.append(element("th", "limits", title=weakest, class_="marks-head"))
    heads.append(element("th", NOTES.lower(), class_="findings-head"))
    rows = [_summary_row(limit_set, name, widest, marks) for name in limit_set.joints]
    return section("All joints", table(rows, "summary", heads), id="joints")


def _summary_row(limit_set: LimitSet, name: str, widest: int, marks: bool) -> Html:
    joint, names = limit_set.joints[name], tuple(limit_set.joints)
    cells = [
        element(
            "td",
            range_bar(axis, widest_deg(names, name, channel)),
            element("span", element("b", channel_letter(channel)), " ", range_text(axis)),
            class_="channel",
        )
        for channel, axis in joint.limits.items()
    ]
    cells += [cell("")] * (widest - len(cells))
    about = axis_words(joint)
    sure = certainty(joint)
    cells.append(cell(sure, f"sure-{sure.split()[0]}"))
    if marks:
        cells.append(cell(joined(grade_mark(word) for word in grade_marks(joint)), "marks"))
    indent = f"padding-left:{8 * min(_depth(limit_set, name), DEEPEST)}px"
    return table_row(
        element("th", _link(limit_set, name), style=indent),
        element("td", type_badge(joint.type), element("small", about) if about else None),
        *cells,
        cell(sum(item.rule != "never-moves" for item in joint.findings) or "", "n"),
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
        pose = ", ".join(
            f"{channel_letter(channel)} {range_text(axis)}"
            for channel, axis in joint.limits.items()
        )
        left = joint.evidence.residual_deg.get("fixed")
        moves = "" if not left else f"moves by {degrees(left)}"
        edits = edits_list([edit for edit in limit_set.edits if edit.joint == name])
        rows.append(
            table_row(
                element("th", name, id=anchor(limit_set, name)),
                pose,
                moves or "does not move" if joint.animated else "not animated",
                element("td", edits, findings_list(joint)),
            )
        )
    return section("Joints that do not move", table(rows, "still"))
