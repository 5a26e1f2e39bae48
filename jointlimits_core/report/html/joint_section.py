"""Section of one joint that folds open: dials, limits, evidence, rest pose, edits, findings.

The page's script adds what needs the motion: spikes in the dials, channels over time, clouds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...base.text import NOTES, channel_letter, names_words, place_words, plural
from ...geometry.euler import CHANNELS
from ...limits import vocabulary
from ...limits.limit_set import AxisLimit, BoundSource, JointLimit, LimitSet
from ...limits.records import BOUNDS, JOINT_TYPES, ArtistEdit
from ..figures.space import rest_rotation
from ..terminal.shapes import dependency_status
from .dials import dial, range_bar, share_bar, type_badge
from .document import Html, cell, element, folded, joined, table, table_row, titled_list, wide
from .words import (
    REMEDY_NAMES,
    advice_words,
    evidence_basis,
    frame_words,
    grade_mark,
    hinge_words,
    limit_mark,
    limit_source,
    pose_words,
    verdict,
)


def dependencies_section(limit_set: LimitSet) -> Html | None:
    """Ranges that depend on another channel; None where there are none."""
    found = limit_set.dependencies
    if not found:
        return None
    pads = " or ".join(f"{pad:g}°" for pad in sorted({item.pad_deg for item in found}))
    return folded(
        "Channels that limit each other",
        element(
            "p",
            "Found in the motion: at some values of one channel, another turns less far than its "
            f"range. These are limits, {pads} wider than listed here: check --shapes reports "
            "frames outside them, project brings a motion inside. Maya’s own limits cannot "
            "express them.",
        ),
        element("ul", *(element("li", dependency_status(limit_set, item), ".") for item in found)),
    )


def layers_words(limit_set: LimitSet) -> Html | None:
    """Joints with anything that is not from the motion; None if there are none."""
    priors = [
        name
        for name, joint in limit_set.joints.items()
        for axis in joint.limits.values()
        for bound in axis.source.known
        if bound.kind == "prior"
    ]
    parts: list[object] = []
    if limit_set.edits:
        joints = list(dict.fromkeys(edit.joint for edit in limit_set.edits))
        what = plural(len(limit_set.edits), "edit")
        parts += [grade_mark("artist"), f" {what} by the artist, on {names_words(joints)}. "]
    if priors:
        joints = list(dict.fromkeys(priors))
        what = plural(len(priors), "limit")
        parts += [grade_mark("prior"), f" {what} from published ranges, on {names_words(joints)}. "]
    return joined(["Not from the motion: ", *parts]) if parts else None


def edits_list(edits: Sequence[ArtistEdit]) -> Html | None:
    """Artist edits of a joint; None if there are none."""
    heading = joined([grade_mark("artist"), " edits"])
    return titled_list(heading, [edit_words(edit) for edit in edits], "edits")


def edit_words(edit: ArtistEdit) -> str:
    """One edit: "X max is 90.0°; estimated 122.9° (knee brace; Ann, 2024-05-01)"."""
    if edit.target == "note":
        words = f"note: {edit.value}"
    elif edit.target == "frame":
        words = "the orientation was set"
    elif edit.channel is None:
        words = f"{edit.target} is {edit.value}"
    else:
        letter = channel_letter(edit.channel)
        if edit.target == "state":
            words = f"{letter} is {edit.value}"
        else:
            words = f"{letter} {edit.target} is {_degrees_or(edit.value, 'kept unchanged')}"
    replaced: Mapping[str, object] = edit.replaced or {}
    if edit.target in BOUNDS:
        data = _degrees_or(replaced.get(f"{edit.target}_deg"), "no limit") if replaced else ""
    else:
        data = str(replaced.get(edit.target, "")) if edit.target in ("state", "type") else ""
    by = ", ".join(word for word in (edit.author, edit.date) if word)
    aside = "; ".join(part for part in (edit.note, by) if part)
    words += f"; estimated {data}" if data else ""
    return f"{words} ({aside})" if aside else words


def _degrees_or(value: object, words: str) -> str:
    return vocabulary.degrees(float(value)) if isinstance(value, (int, float)) else words


_HEADINGS = ("channel", "limit", "value", "grade", "how it was reached")


FrameLink = Callable[[object, "str | None", "float | None"], object]
"""Turns words into a link to a frame of a clip; takes the words, the clip and the frame."""


def _unlinked(words: object, clip: str | None, frame: float | None) -> object:
    return words


def limits_table(
    limit: JointLimit, widest: float | None = None, link: FrameLink = _unlinked
) -> Html:
    """Limits of every channel, their orientation, and the advice on it.

    `widest` is the widest range of the joint by anatomy, degrees.
    """
    rows = [
        row
        for channel, axis in limit.limits.items()
        for row in _limit_rows(channel, axis, widest, link)
    ]
    advice = advice_words(limit)
    return element(
        "div",
        element("h3", "Limits"),
        wide(table(rows, "numbers", _HEADINGS)),
        element("p", frame_words(limit.frame), class_="note"),
        element("p", element("b", "Orient advice: "), advice) if advice else None,
    )


def _limit_rows(channel: str, axis: AxisLimit, widest: float | None, link: FrameLink) -> list[Html]:
    """A row for the minimum and one for the maximum; one for both where they are the same."""
    head = [channel_letter(channel), range_bar(axis, widest)]
    gap = "" if axis.gap_deg is None else f"empty gap {vocabulary.degrees(axis.gap_deg)}"
    if axis.state != "limited":
        first = element("th", *head, scope="row", class_="channel")
        return [table_row(first, element("td", vocabulary.range_text(axis), colspan=4))]
    first = element(
        "th", *head, element("small", gap) if gap else None, scope="rowgroup", rowspan=2,
        class_="channel",
    )  # fmt: skip
    return [
        element("tr", first, *_bound_cells(axis, "min", widest, link)),
        element("tr", *_bound_cells(axis, "max", widest, link)),
    ]


def _bound_cells(
    axis: AxisLimit, side: str, widest: float | None, link: FrameLink
) -> tuple[Html, ...]:
    """Side, value, grade and source of one limit."""
    source: BoundSource | None = getattr(axis.source, side)
    value_deg = axis.min_deg if side == "min" else axis.max_deg
    parts: list[object] = [limit_source(source)]
    if source is not None:
        parts[0] = link(parts[0], source.clip, source.frame)
        more = (vocabulary.reach_words(source), vocabulary.band_words(axis, side, widest))
        parts += [f"; {words}" for words in more if words]
    return (
        cell(side),
        cell("no limit" if value_deg is None else vocabulary.degrees(value_deg), "right"),
        element("td", limit_mark(source), class_="n"),
        element("td", *parts, class_="where"),
    )


def anchor(limit_set: LimitSet, name: str) -> str:
    """Id of a joint's section, by position, as names can hold anything."""
    return f"joint-{list(limit_set.joints).index(name)}"


def joint_section(limit_set: LimitSet, name: str, link: FrameLink = _unlinked) -> Html:
    """Section of one joint, folded; `link` makes links to frames."""
    limit = limit_set.joints[name]
    widest = vocabulary.widest_deg(tuple(limit_set.joints), name, next(iter(limit.limits), ""))
    parent = None if limit.parent is None else element("small", "child of ", limit.parent)
    hinge = hinge_words(limit)
    return element(
        "details",
        element(
            "summary",
            element("h2", name, class_="name"),
            type_badge(limit.type),
            parent,
            element("span", vocabulary.ranges_text(limit), class_="ranges"),
        ),
        element("p", verdict(limit), None if hinge is None else f" {hinge}", class_="verdict"),
        _dials(limit, widest),
        element("div", class_="pictures"),
        limits_table(limit, widest, link),
        element("div", _evidence(limit), _poses(limit), class_="beside"),
        edits_list([edit for edit in limit_set.edits if edit.joint == name]),
        findings_list(limit),
        id=anchor(limit_set, name),
        class_="joint",
    )


def _hinge_dial(limit: JointLimit) -> Html | None:
    """Dial of an axis that is not a channel; None where a channel shows it."""
    hinge, rest = limit.hinge, rest_rotation(limit)
    if hinge is None or rest is None or abs(hinge.off_channel_deg) < vocabulary.ON_CHANNEL_DEG:
        return None
    axis = AxisLimit("limited", hinge.min_deg, hinge.max_deg)
    caption = element(
        "figcaption", element("b", "about the axis"), " ", vocabulary.range_text(axis)
    )
    return element("figure", dial("axis", axis, 0.0, number=3), caption)


def _dials(limit: JointLimit, widest: float | None) -> Html:
    """Dials of the channels that turn; one that is locked says so in the table."""
    dials = []
    for position, (channel, axis) in enumerate(limit.limits.items()):
        if axis.state == "locked" and limit.type != "fixed":
            continue
        # A hinge as printed in the paper has one angle, the last of a pose.
        rest = limit.rest.rotate_deg[position - len(limit.limits)]
        caption = element(
            "figcaption", element("b", channel_letter(channel)), " ", vocabulary.range_text(axis)
        )
        number = CHANNELS.index(channel) if channel in CHANNELS else None
        dials.append(element("figure", dial(channel, axis, rest, widest, number), caption))
    return element("div", *dials, _hinge_dial(limit), class_="dials")


def _evidence(limit: JointLimit) -> Html:
    residuals = limit.evidence.residual_deg
    if all(value is None for value in residuals.values()):
        words = "Decided by the eigenvalues of the covariance, without residuals."
        return element("div", element("h3", "Evidence"), element("p", words, class_="note"))
    settle = limit.evidence.settle
    most = max((value for value in residuals.values() if value is not None), default=0.0)
    rows = []
    for kind in JOINT_TYPES:
        value = residuals.get(kind)
        shown = Html("") if value is None else share_bar(value / (most or 1.0), kind == limit.type)
        words = "not needed" if value is None else vocabulary.degrees(value)
        chosen = "chosen" if kind == limit.type else None
        rows.append(table_row(kind, cell(shown, "share-cell"), cell(words, "n"), kind=chosen))
    return element(
        "div",
        element("h3", "Residual motion of each joint type"),
        table(rows, "evidence"),
        element("p", evidence_basis(limit.evidence), class_="note"),
        element("p", element("b", "To settle it: "), f"{settle}.") if settle else None,
    )


def _poses(limit: JointLimit) -> Html:
    rows = [_pose_row("rest pose", limit.rest.rotate_deg, pose_words(limit.rest))]
    for name, pose in limit.remedies.items():
        angles = None if pose is None else pose.rotate_deg
        words = "undefined: the motion has no mean direction" if pose is None else pose_words(pose)
        rows.append(_pose_row(REMEDY_NAMES.get(name, name), angles, words))
    rows.append(_pose_row("preferred pose", limit.preferred_deg, "", "chosen"))
    return element("div", element("h3", "Rest pose, and poses to start from"), table(rows, "poses"))


def _pose_row(
    name: str, pose: tuple[float, float, float] | None, words: str, kind: str | None = None
) -> Html:
    angles = "" if pose is None else ", ".join(vocabulary.degrees(value) for value in pose)
    outside = "outside" if words.endswith("outside") else None
    return table_row(name, cell(angles, "n"), cell(words, outside), kind=kind)


def findings_list(limit: JointLimit) -> Html | None:
    """Findings of the joint; None if there are none."""
    items = []
    for item in limit.findings:
        place = place_words(item)
        end = f" ({place})" if place else ""
        left = " These frames were left out." if item.left_out else ""
        items.append(joined([element("b", item.rule), f": {item.message}{end}.{left}"]))
    return titled_list(NOTES, items, "findings")
