"""Section of one joint: pictures, numbers, evidence, rest pose, edits, findings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..limits.edits import ArtistEdit
from ..limits.limit_set import JOINT_TYPES, AxisLimit, JointLimit
from ..wording import ON_CHANNEL_DEG, channel_letter, place_words, plural
from .bars import dots, share_bar, type_badge
from .clips import ClipColours
from .cloud import cloud_image, cloud_of, hinge_angles_deg, rest_rotation
from .coupled import coupled_words
from .dial import dial
from .euler_plot import EulerPlot, euler_image, euler_plot_of
from .layers import edits_list
from .limits_table import limits_table
from .markup import Html, element, joined
from .samples import JointSamples, mean_rotation
from .words import (
    REMEDY_NAMES,
    TYPE_MEANINGS,
    degrees,
    evidence_basis,
    hinge_words,
    pose_words,
    range_text,
    verdict,
)


def joint_section(
    name: str,
    anchor: str,
    limit: JointLimit,
    samples: JointSamples,
    clips: ClipColours,
    edits: Sequence[ArtistEdit] = (),
) -> Html:
    """Section of one joint.

    Parameters
    ----------
    name, anchor : str
        Joint name, and the id that links lead to.
    samples : JointSamples
        Without samples there are numbers but no pictures.
    edits : sequence of ArtistEdit
        Artist edits of this joint.
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
        _dials(limit, samples),
        element(
            "div",
            limits_table(limit),
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


def _dials(limit: JointLimit, samples: JointSamples) -> Html:
    dials = []
    for position, (channel, axis) in enumerate(limit.limits.items()):
        column = samples.channels.index(channel) if channel in samples.channels else None
        angles = samples.contiguous[:, [] if column is None else column].reshape(-1)
        # A hinge as printed in the paper has one angle, the last of a pose.
        rest = limit.rest.rotate_deg[position - len(limit.limits)]
        caption = element(
            "figcaption", element("b", channel_letter(channel)), " ", range_text(axis)
        )
        dials.append(element("figure", dial(channel, axis, angles, rest), caption))
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
        rows.append(
            element(
                "tr",
                element("th", kind),
                element("td", shown, class_="share-cell"),
                element("td", words, class_="n"),
                class_=chosen,
            )
        )
    return element(
        "div",
        element("h3", "Residual motion of each joint type"),
        element("table", element("tbody", *rows), class_="evidence"),
        element("p", evidence_basis(limit.evidence), class_="note"),
        element("p", element("b", "To settle it: "), f"{settle}.") if settle else None,
    )


def _poses(limit: JointLimit) -> Html:
    rows = [_pose_row("rest pose", limit.rest.rotate_deg, pose_words(limit.rest), None)]
    for name, pose in limit.remedies.items():
        words = REMEDY_NAMES.get(name, name)
        if pose is None:
            rows.append(_pose_row(words, None, "undefined: the motion has no mean direction", None))
        else:
            rows.append(_pose_row(words, pose.rotate_deg, pose_words(pose), None))
    rows.append(_pose_row("preferred pose", limit.preferred_deg, "", "chosen"))
    return element(
        "div",
        element("h3", "Rest pose, and poses to start from"),
        element("table", element("tbody", *rows), class_="poses"),
    )


def _pose_row(
    name: str, pose: tuple[float, float, float] | None, words: str, class_: str | None
) -> Html:
    angles = "" if pose is None else ", ".join(degrees(value) for value in pose)
    return element(
        "tr",
        element("th", name),
        element("td", angles, class_="n"),
        element("td", words, class_="outside" if words.endswith("outside") else None),
        class_=class_,
    )


def findings_list(limit: JointLimit) -> Html | None:
    """Findings of the joint; None if there are none."""
    if not limit.findings:
        return None
    items = []
    for item in limit.findings:
        place = place_words(item)
        end = f" ({place})" if place else ""
        left = " These frames were left out." if item.left_out else ""
        items.append(element("li", element("b", item.rule), f": {item.message}{end}.{left}"))
    return element("div", element("h3", "Findings"), element("ul", *items), class_="findings")
