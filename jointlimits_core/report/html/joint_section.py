"""Collapsible section on one joint: dials, limits, evidence, rest pose, edits, findings.

The page's script adds the parts drawn from the motion: spikes in the dials, curves, clouds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...base.text import NOTES, channel_letter, place_words, plural
from ...geometry.euler import CHANNELS
from ...limits import records, vocabulary
from ...limits.limit_set import AxisLimit, BoundSource, JointLimit, LimitSet
from ..figures.space import rest_rotation
from . import words
from .page import Piece, cell, note, piece, row, table, titled_list

FrameLink = Callable[[object, "str | None", "float | None"], object]
"""Function that turns words into a link to a frame: takes the words, the clip and the frame."""


def anchor(limit_set: LimitSet, name: str) -> str:
    """Id of a joint's section, made from its position, as names can contain any character."""
    return f"joint-{list(limit_set.joints).index(name)}"


def joint_section(limit_set: LimitSet, name: str, link: FrameLink) -> Piece:
    """Collapsed section on one joint; `link` makes links to frames."""
    limit = limit_set.joints[name]
    widest = vocabulary.widest_deg(tuple(limit_set.joints), name, next(iter(limit.limits), ""))
    about_axis = f" {words.hinge_words(limit.hinge)}" if limit.hinge else ""
    return piece(
        "details",
        piece(
            "summary",
            piece("h2", name, class_="name"),
            words.type_badge(limit.type),
            None if limit.parent is None else piece("small", f"child of {limit.parent}"),
            piece("span", vocabulary.ranges_text(limit), class_="ranges"),
        ),
        piece("p", words.verdict(limit) + about_axis),
        piece("div", *_dials(limit, widest), class_="dials"),
        piece("div", class_="pictures"),
        *limits_table(limit, widest, link),
        piece(
            "div", piece("div", *_evidence(limit)), piece("div", *_poses(limit)), class_="beside"
        ),
        edits_list(limit_set, name),
        findings_list(limit),
        id=anchor(limit_set, name),
        class_="joint",
    )


def _dials(limit: JointLimit, widest: float | None) -> list[Piece]:
    """Dials of the channels that turn; locked channels are only in the table."""
    dials = []
    for position, (channel, axis) in enumerate(limit.limits.items()):
        if axis.state != "locked" or limit.type == "fixed":
            # As printed in the paper, a hinge has one angle, the last of a pose.
            rest = limit.rest.rotate_deg[position - len(limit.limits)]
            number = CHANNELS.index(channel) if channel in CHANNELS else None
            dial = words.dial(channel, axis, rest, widest, number)
            dials.append((channel_letter(channel), axis, dial))
    hinge = limit.hinge
    # An axis that is not a channel has a dial of its own.
    if hinge and rest_rotation(limit) is not None and not hinge.is_on_channel:
        axis = AxisLimit("limited", hinge.min_deg, hinge.max_deg)
        dials.append(("about the axis", axis, words.dial("axis", axis, 0.0, axis=3)))
    captions = [[piece("b", title), f" {vocabulary.range_text(axis)}"] for title, axis, _ in dials]
    return [
        piece("figure", dial, piece("figcaption", caption))
        for (*_, dial), caption in zip(dials, captions)
    ]


_HEADINGS = ("channel", "limit", "value", "grade", "how it was reached")


def limits_table(limit: JointLimit, widest: float | None, link: FrameLink) -> list[object]:
    """Limits of every channel, their orientation, and the orient advice.

    `widest`: the joint's widest anatomical range, in degrees.
    """
    rows: list[list[object]] = []
    for channel, axis in limit.limits.items():
        head: list[object] = [channel_letter(channel), words.range_bar(axis, widest)]
        if axis.state != "limited":
            first = piece("th", head, scope="row", class_="channel")
            rows.append([first, piece("td", vocabulary.range_text(axis), colspan=4)])
            continue
        if axis.gap_deg is not None:
            head.append(piece("small", f"unused gap {vocabulary.degrees(axis.gap_deg)}"))
        first = piece("th", head, scope="rowgroup", rowspan=2, class_="channel")
        rows.append([first, *_bound_cells(axis, "min", widest, link)])
        rows.append(_bound_cells(axis, "max", widest, link))
    advice = words.advice_words(limit)
    return [
        piece("h3", "Limits"),
        table("numbers", _HEADINGS, rows),
        note(words.orientation_words(limit.orientation)),
        piece("p", piece("b", "Orient advice: "), advice) if advice else None,
    ]


def _bound_cells(axis: AxisLimit, side: str, widest: float | None, link: FrameLink) -> list[object]:
    source: BoundSource | None = getattr(axis.source, side)
    value_deg = axis.bound_deg(side)
    parts: list[object] = [words.limit_source(source)]
    if source is not None:
        parts[0] = link(parts[0], source.clip, source.frame)
        more = (vocabulary.reach_words(source), vocabulary.band_words(axis, side, widest))
        parts += [f"; {one}" for one in more if one]
    value = cell("no limit" if value_deg is None else vocabulary.degrees(value_deg), "right")
    where = piece("td", *parts, class_="where")
    return [piece("td", side), value, cell(words.limit_mark(source)), where]


def _evidence(limit: JointLimit) -> list[object]:
    evidence, settle = limit.evidence, limit.evidence.settle
    known = [value for value in evidence.residual_deg.values() if value is not None]
    if not known:
        why = "Decided by the eigenvalues of the covariance, without residuals."
        return [piece("h3", "Evidence"), note(why)]
    most, rows = max(known) or 1.0, []
    for kind in records.JOINT_TYPES:
        value, chosen = evidence.residual_deg.get(kind), kind == limit.type
        shown = None if value is None else words.share_bar(value / most, chosen)
        degrees = "not needed" if value is None else vocabulary.degrees(value)
        cells = cell(shown, "share-cell"), cell(degrees)
        rows.append(row(kind, *cells, class_="chosen" if chosen else None))
    spread = " × ".join(map(vocabulary.degrees, evidence.spread_deg))
    noise = (
        f"noise of {vocabulary.degrees(evidence.noise_deg)}" if evidence.noise_deg else "no noise"
    )
    samples = plural(evidence.samples, "sample")
    return [
        piece("h3", "Residual motion of each joint type"),
        table("evidence", (), rows),
        note(f"{samples}, spread {spread} in three directions, {noise} subtracted."),
        piece("p", piece("b", "To confirm the type: "), f"{settle}.") if settle else None,
    ]


def _poses(limit: JointLimit) -> list[object]:
    rows = []
    for name, pose in {"rest-pose": limit.rest, **limit.remedies}.items():
        title, angles = words.POSE_NAMES.get(name, name), pose.rotate_deg if pose else ()
        how = piece("td", "undefined: the motion has no mean direction")
        if pose is not None and pose.feasible:
            how = piece("td", "inside the limits")
        elif pose is not None:
            how = piece("td", f"{vocabulary.degrees(pose.outside_deg)} outside", class_="outside")
        rows.append(row(title, cell(", ".join(map(vocabulary.degrees, angles))), how))
    preferred = cell(", ".join(map(vocabulary.degrees, limit.preferred_deg)))
    rows.append(row("preferred pose", preferred, piece("td", ""), class_="chosen"))
    return [piece("h3", "Rest pose, and poses to start from"), table("poses", (), rows)]


def edits_list(limit_set: LimitSet, name: str) -> Piece | None:
    """Artist edits of a joint; None if there are none."""
    edits = [edit_words(edit) for edit in limit_set.edits if edit.joint == name]
    return titled_list([words.grade_mark("artist"), " edits"], edits, "edits")


def edit_words(edit: records.ArtistEdit) -> str:
    """Text of one edit: "X max is 90.0°; estimated 122.9° (knee brace; Ann, 2024-05-01)"."""
    letter = channel_letter(edit.channel or "")
    replaced: Mapping[str, object] = edit.replaced or {}
    data = str(replaced.get(edit.target, "")) if edit.target in ("state", "type") else ""
    if edit.target in records.BOUNDS:
        text = f"{letter} {edit.target} is {_degrees_or(edit.value, 'kept unchanged')}"
        data = _degrees_or(replaced.get(f"{edit.target}_deg"), "no limit") if replaced else ""
    elif edit.target == "note":
        text = f"note: {edit.value}"
    elif edit.target == "orientation":
        text = "the orientation was set"
    else:
        text = f"{letter or edit.target} is {edit.value}"
    by = ", ".join(word for word in (edit.author, edit.date) if word)
    aside = "; ".join(part for part in (edit.note, by) if part)
    text += f"; estimated {data}" if data else ""
    return f"{text} ({aside})" if aside else text


def _degrees_or(value: object, otherwise: str) -> str:
    return vocabulary.degrees(float(value)) if isinstance(value, (int, float)) else otherwise


def findings_list(limit: JointLimit) -> Piece | None:
    """Findings of the joint; None if there are none."""
    items = []
    for item in limit.findings:
        place = place_words(item)
        end = f" ({place})" if place else ""
        left = " These frames were left out." if item.left_out else ""
        items.append([piece("b", item.rule), f": {item.message}{end}.{left}"])
    return titled_list(NOTES, items, "findings")
