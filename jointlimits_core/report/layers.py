"""Layers over and under the measurements: artist edits and published ranges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..limits.edits import BOUNDS, ArtistEdit
from ..limits.limit_set import JointLimit, LimitSet
from ..wording import channel_letter, names_words, plural
from .grades import mark
from .markup import Html, element, joined
from .words import degrees


def layers_words(limit_set: LimitSet) -> Html | None:
    """Joints with anything that is not from the motion; None if there are none."""
    counts = {name: _prior_bounds(joint) for name, joint in limit_set.joints.items()}
    priors = [name for name, count in counts.items() if count]
    parts: list[object] = []
    if limit_set.edits:
        joints = list(dict.fromkeys(edit.joint for edit in limit_set.edits))
        what = plural(len(limit_set.edits), "edit")
        parts += [mark("artist"), f" {what} by the artist, on {names_words(joints)}. "]
    if priors:
        what = plural(sum(counts.values()), "limit")
        parts += [mark("prior"), f" {what} from published ranges, on {names_words(priors)}. "]
    return joined(["Not from the motion: ", *parts]) if parts else None


def _prior_bounds(joint: JointLimit) -> int:
    sources = [axis.source for axis in joint.limits.values()]
    bounds = [bound for source in sources for bound in (source.min, source.max)]
    return sum(bound is not None and bound.kind == "prior" for bound in bounds)


def edits_list(edits: Sequence[ArtistEdit]) -> Html | None:
    """Artist edits of a joint; None if there are none."""
    if not edits:
        return None
    items = [element("li", edit_words(edit)) for edit in edits]
    heading = element("h3", mark("artist"), " edits")
    return element("div", heading, element("ul", *items), class_="edits")


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
