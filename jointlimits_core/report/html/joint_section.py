"""Section of one joint: pictures, numbers, evidence, rest pose, edits, findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...base import channel_letter, names_words, place_words, plural
from ...limits import (
    BOUNDS,
    JOINT_TYPES,
    NOTES,
    ON_CHANNEL_DEG,
    TYPE_MEANINGS,
    ArtistEdit,
    AxisLimit,
    BoundSource,
    JointLimit,
    LimitSet,
    band_words,
    degrees,
    range_text,
    reach_words,
)
from ..figures import JointSamples, hinge_angles_deg, mean_rotation, rest_rotation
from ..terminal import dependency_status
from .clouds import ClipColours, EulerPlot, cloud_image, cloud_of, euler_image, euler_plot_of
from .dials import dial, dots, range_bar, share_bar, type_badge
from .document import Html, cell, element, joined, section, table, table_row, titled_list
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

FLAT = "flat"
"""Kind of the shapes of hinges and universal joints, which have no volume."""


def coupled_words(limit: JointLimit) -> str:
    """Caption for the net in the cloud; empty for a joint whose shape has no volume."""
    coupled = limit.coupled
    if coupled is None or coupled.kind == FLAT:
        return ""
    return (
        f"The net is its coupled limit ({coupled.kind}, {coupled.pad_deg:g}° beyond the samples): "
        f"{100 * coupled.freedom:.2g} % of all rotations. "
    )


def dependencies_section(limit_set: LimitSet) -> Html | None:
    """Ranges that depend on another channel; None where there are none."""
    found = limit_set.dependencies
    if not found:
        return None
    pads = " or ".join(f"{pad:g}°" for pad in sorted({item.pad_deg for item in found}))
    return section(
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
    counts = {name: _prior_bounds(joint) for name, joint in limit_set.joints.items()}
    priors = [name for name, count in counts.items() if count]
    parts: list[object] = []
    if limit_set.edits:
        joints = list(dict.fromkeys(edit.joint for edit in limit_set.edits))
        what = plural(len(limit_set.edits), "edit")
        parts += [grade_mark("artist"), f" {what} by the artist, on {names_words(joints)}. "]
    if priors:
        what = plural(sum(counts.values()), "limit")
        parts += [grade_mark("prior"), f" {what} from published ranges, on {names_words(priors)}. "]
    return joined(["Not from the motion: ", *parts]) if parts else None


def _prior_bounds(joint: JointLimit) -> int:
    sources = [axis.source for axis in joint.limits.values()]
    bounds = [bound for source in sources for bound in (source.min, source.max)]
    return sum(bound is not None and bound.kind == "prior" for bound in bounds)


def edits_list(edits: Sequence[ArtistEdit]) -> Html | None:
    """Artist edits of a joint; None if there are none."""
    heading = joined([grade_mark("artist"), " edits"])
    return titled_list(heading, [edit_words(edit) for edit in edits], "edits")


def edit_words(edit: ArtistEdit) -> str:
    """One edit: "X max is 90.0°; estimated 122.9° (knee brace; Ann, 2024-05-01)"."""
    words = _decision(edit)
    data = _data_words(edit)
    aside = "; ".join(
        part
        for part in (edit.note, ", ".join(word for word in (edit.author, edit.date) if word))
        if part
    )
    words += f"; estimated {data}" if data else ""
    return f"{words} ({aside})" if aside else words


def _decision(edit: ArtistEdit) -> str:
    if edit.target == "note":
        return f"note: {edit.value}"
    if edit.target == "frame":
        return "the orientation was set"
    if edit.channel is None:
        return f"{edit.target} is {edit.value}"
    letter = channel_letter(edit.channel)
    if edit.target == "state":
        return f"{letter} is {edit.value}"
    return f"{letter} {edit.target} is {_degrees_or(edit.value, 'kept unchanged')}"


def _data_words(edit: ArtistEdit) -> str:
    replaced: Mapping[str, object] = edit.replaced or {}
    if edit.target in BOUNDS:
        return _degrees_or(replaced.get(f"{edit.target}_deg"), "no limit") if replaced else ""
    return str(replaced.get(edit.target, "")) if edit.target in ("state", "type") else ""


def _degrees_or(value: object, words: str) -> str:
    return degrees(float(value)) if isinstance(value, (int, float)) else words


_HEADINGS = ("channel", "min", "how it was reached", "max", "how it was reached")


def limits_table(limit: JointLimit, widest: float | None = None) -> Html:
    """Limits of every channel, their orientation, and the advice on it.

    `widest` is the widest range of the joint by anatomy, degrees.
    """
    gap = element("th", "empty gap", title="Largest stretch of the circle without a sample")
    rows = [_limit_row(channel, axis, widest) for channel, axis in limit.limits.items()]
    advice = advice_words(limit)
    return element(
        "div",
        element("h3", "Limits"),
        table(rows, "numbers", (*_HEADINGS, gap)),
        element("p", frame_words(limit.frame), class_="note"),
        element("p", element("b", "Orient advice: "), advice) if advice else None,
    )


def _limit_row(channel: str, axis: AxisLimit, widest: float | None) -> Html:
    return table_row(
        joined([channel_letter(channel), range_bar(axis, widest)]),
        *_bound_cells(axis, "min", widest),
        *_bound_cells(axis, "max", widest),
        cell("–" if axis.gap_deg is None else degrees(axis.gap_deg), "n"),
    )


def _bound_cells(axis: AxisLimit, side: str, widest: float | None) -> tuple[Html, Html]:
    """The value with its grade, and its source."""
    source: BoundSource | None = getattr(axis.source, side)
    value_deg = axis.min_deg if side == "min" else axis.max_deg
    value = "no limit" if value_deg is None else degrees(value_deg)
    lines = [limit_source(source)]
    if source is not None:
        lines += [reach_words(source), band_words(axis, side, widest)]
    return (
        element("td", value, limit_mark(source), class_="n"),
        element("td", *(element("span", line) for line in lines if line), class_="where"),
    )


def joint_section(
    name: str,
    anchor: str,
    limit: JointLimit,
    samples: JointSamples,
    clips: ClipColours,
    edits: Sequence[ArtistEdit] = (),
    widest: float | None = None,
) -> Html:
    """Section of one joint.

    `anchor`: the id that links lead to. `samples`: without them there are numbers but no pictures.
    `edits`: those of this joint. `widest`: widest range of the joint by anatomy, degrees.
    """
    parent = None if limit.parent is None else element("small", "child of ", limit.parent)
    hinge = hinge_words(limit)
    return element(
        "section",
        element(
            "h2",
            element("span", name, class_="name"),
            type_badge(limit.type),
            parent,
            element("a", "all joints ↑", href="#joints", class_="up"),
        ),
        element("p", verdict(limit), None if hinge is None else f" {hinge}", class_="verdict"),
        _pictures(name, limit, samples, clips) if len(samples) else None,
        _dials(limit, samples, widest),
        element(
            "div",
            limits_table(limit, widest),
            element("div", _evidence(limit), _poses(limit), class_="beside"),
            class_="facts",
        ),
        edits_list(edits),
        findings_list(limit),
        id=anchor,
        class_="joint",
    )


def _pictures(name: str, limit: JointLimit, samples: JointSamples, clips: ClipColours) -> Html:
    figures = [_cloud_figure(name, limit, samples, clips)]
    plot = euler_plot_of(samples, limit)
    if plot is not None:
        figures.append(_euler_figure(name, plot, samples, clips))
    by_time = "Colour: from the start of the motion (dark) to its end (light)."
    legend = element("p", by_time if clips.by_time else dots(clips.legend), class_="legend")
    return joined([element("div", *figures, class_="pictures"), legend])


def _cloud_figure(name: str, limit: JointLimit, samples: JointSamples, clips: ClipColours) -> Html:
    cloud = cloud_of(samples, limit)
    note = _how_many(len(cloud.shown), len(samples))
    if samples.left_out:
        note += f" {plural(samples.left_out, 'excluded frame')} not drawn."
    return _figure(
        cloud_image(cloud, samples, clips),
        f"Cloud of rotation vectors of {name}, {TYPE_MEANINGS[limit.type]}",
        "Rotations. ",
        "A point’s direction is the rotation axis, its distance the angle from the mean "
        f"rotation. {_lines_words(limit)}{coupled_words(limit)}{note}",
    )


def _euler_figure(name: str, plot: EulerPlot, samples: JointSamples, clips: ClipColours) -> Html:
    return _figure(
        euler_image(plot, samples, clips),
        f"Euler samples of {name} before and after the contiguous analysis",
        "Channels before and after. ",
        "Left: the angles as stored in files, wrapped to ±180°. Right: the same poses on one "
        f"contiguous branch, in the box of the limits. {_shift_words(samples)}",
    )


def _figure(address: str, alt: str, title: str, words: str) -> Html:
    return element(
        "figure",
        element("img", src=Html(address), alt=alt),
        element("figcaption", element("b", title), words),
    )


def _how_many(shown: int, count: int) -> str:
    if shown == count:
        return f"All {plural(count, 'sample')}."
    return f"{shown} of {count} samples, evenly spaced, extremes included."


def _lines_words(limit: JointLimit) -> str:
    if limit.hinge is not None:
        return "The line is the hinge’s axis over its range. "
    return "" if limit.universal is None else "The lines are its two axes. "


def _shift_words(samples: JointSamples) -> str:
    moved = int((abs(samples.contiguous - samples.raw) > 1e-6).any(axis=1).sum())
    if moved == 0:
        return "No sample had to be moved."
    return f"{plural(moved, 'sample')} of {len(samples)} were moved."


def _hinge_dial(limit: JointLimit, samples: JointSamples) -> Html | None:
    """Dial of an axis that is not a channel; None where a channel shows it."""
    hinge, rest = limit.hinge, rest_rotation(limit)
    if hinge is None or rest is None or abs(hinge.off_channel_deg) < ON_CHANNEL_DEG:
        return None
    angles = np.zeros(0)
    if len(samples):
        mean = mean_rotation(samples.rotations)
        angles = hinge_angles_deg(samples.rotations, hinge, mean)
        angles = angles - hinge_angles_deg(rest, hinge, mean)
    axis = AxisLimit("limited", hinge.min_deg, hinge.max_deg)
    caption = element("figcaption", element("b", "about the axis"), " ", range_text(axis))
    return element("figure", dial("axis", axis, angles, 0.0), caption)


def _dials(limit: JointLimit, samples: JointSamples, widest: float | None) -> Html:
    dials = []
    for position, (channel, axis) in enumerate(limit.limits.items()):
        column = samples.channels.index(channel) if channel in samples.channels else None
        angles = samples.contiguous[:, [] if column is None else column].reshape(-1)
        # A hinge as printed in the paper has one angle, the last of a pose.
        rest = limit.rest.rotate_deg[position - len(limit.limits)]
        caption = element(
            "figcaption", element("b", channel_letter(channel)), " ", range_text(axis)
        )
        dials.append(element("figure", dial(channel, axis, angles, rest, widest), caption))
    return element("div", *dials, _hinge_dial(limit, samples), class_="dials")


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
        words = "not needed" if value is None else degrees(value)
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
    angles = "" if pose is None else ", ".join(degrees(value) for value in pose)
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
