"""Differences between two limit sets, with their reasons, as data and as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..base import records, text
from ..shapes.coupled_limit import CoupledLimit
from . import limit_set, ranges, symmetry

FORMAT = "jointlimits.limit-diff"
FORMAT_VERSION = 1
TOLERANCE_DEG = 0.01
CHANGE_KINDS = (
    *("joint-added", "joint-removed", "type", "orientation", "state", "min", "max", "hinge"),
    *("hinge-axis", "shape", "edit", "clip-added", "clip-removed", "option", "set"),
)
"""Kinds of change."""


@dataclass(frozen=True)
class Change:
    """One difference."""

    what: str
    """One of :data:`CHANGE_KINDS`."""
    joint: str | None = None
    """None for changes of clips, options and fields of the set."""
    channel: str | None = None
    """The channel, or the name of an option, clip or field."""
    before: Any = None
    after: Any = None
    """Value in the second set; degrees for limits."""
    by_deg: float | None = None
    """Change of a limit or an axis in degrees; positive for a wider limit."""
    why: str = ""
    """Reason, such as a different clip and frame, layer or option."""


@dataclass(frozen=True)
class LimitDiff:
    """All differences between two limit sets."""

    first: str
    second: str
    tolerance_deg: float
    """Angles that differ by no more than this count as equal."""
    changes: tuple[Change, ...] = ()
    """Joint changes in the order of the first set, then changes of the set as a whole."""
    noun: str = "joint"
    """Noun for what both sets limit; "joint or control" if they differ."""

    @property
    def equal(self) -> bool:
        """Whether there are no differences."""
        return not self.changes

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "first": self.first,
            "second": self.second,
            "tolerance_deg": self.tolerance_deg,
            "equal": self.equal,
            "changes": [asdict(change) for change in self.changes],
        }


def diff(
    first: limit_set.LimitSet, second: limit_set.LimitSet, tolerance_deg: float = TOLERANCE_DEG
) -> LimitDiff:
    """Compare two limit sets.

    `first`, `second`: sets before and after. `tolerance_deg`: at least 0. Raises ValueError for a
    tolerance that is negative or not finite.
    """
    if not (np.isfinite(tolerance_deg) and tolerance_deg >= 0.0):
        raise ValueError(f"tolerance must be finite and at least 0 degrees, not {tolerance_deg!r}")
    changes: list[Change] = []
    for name, joint in first.joints.items():
        if name in second.joints:
            changes += _joint_changes(name, joint, second.joints[name], tolerance_deg)
        else:
            changes.append(Change("joint-removed", name, before=joint.type))
    for name, joint in second.joints.items():
        if name not in first.joints:
            changes.append(Change("joint-added", name, after=joint.type))
    changes += _set_changes(first, second)
    noun = " or ".join(sorted({first.noun, second.noun}, reverse=True))
    return LimitDiff(first.character, second.character, tolerance_deg, tuple(changes), noun)


def _set_changes(first: limit_set.LimitSet, second: limit_set.LimitSet) -> Iterator[Change]:
    """Changes of edits, clips, options, and fields of the set."""
    edits = [{edit.key: edit for edit in one.edits} for one in (first, second)]
    for key in dict.fromkeys((*edits[0], *edits[1])):
        a, b = edits[0].get(key), edits[1].get(key)
        edit = b or a
        if edit is not None and (a is None or b is None or a.value != b.value):
            where = " ".join(part for part in (edit.channel, edit.target) if part)
            yield Change("edit", edit.joint, where, a and a.value, b and b.value, why=edit.note)
    sets = (first, second)
    clips = [{(clip.name, clip.sha256, clip.frames) for clip in one.clips} for one in sets]
    names = {name for name, _, _ in clips[0]} & {name for name, _, _ in clips[1]}
    whys = dict.fromkeys(names, "both sets have a clip with this name, but different content")
    for name, _, frames in sorted(clips[0] - clips[1], key=str):
        yield Change("clip-removed", None, name, before=frames, why=whys.get(name, ""))
    for name, _, frames in sorted(clips[1] - clips[0], key=str):
        yield Change("clip-added", None, name, after=frames, why=whys.get(name, ""))
    # A set that was not estimated but declared in a file has no options.
    if first.options and second.options:
        before, after = records.with_lists(first.options), records.with_lists(second.options)
        for one in dict.fromkeys((*before, *after)):
            if before.get(one) != after.get(one):
                yield Change("option", None, one, first.options.get(one), second.options.get(one))
    for name in ("character", "mode", "rest_source"):
        if getattr(first, name) != getattr(second, name):
            yield Change("set", None, name, getattr(first, name), getattr(second, name))


def _joint_changes(
    name: str, a: limit_set.JointLimit, b: limit_set.JointLimit, tolerance: float
) -> Iterator[Change]:
    if a.type != b.type:
        samples = f"{a.evidence.samples} samples, then {b.evidence.samples}"
        why = f"{samples}; {a.evidence.sure}, then {b.evidence.sure}"
        yield Change("type", name, None, a.type, b.type, why=why)
    if not ranges.same_orientation(a.orientation, b.orientation, tolerance):
        before, after = _orientation_words(a.orientation), _orientation_words(b.orientation)
        why = "its limits use another orientation"
        yield Change("orientation", name, None, before, after, why=why)
    free = limit_set.AxisLimit("free")
    for channel in dict.fromkeys((*a.limits, *b.limits)):
        pair = a.limits.get(channel, free), b.limits.get(channel, free)
        yield from _axis_changes(name, channel, *pair, tolerance)
    if a.hinge is not None and b.hinge is not None:
        own, other = a.hinge, symmetry.same_way(b.hinge, a.hinge)
        off = symmetry.hinges_off_deg(own, other)
        if off > tolerance:
            yield Change("hinge-axis", name, own.channel, 0.0, off, off, "the axis turned")
        # If both hinges are on channels, their ranges were compared as channel limits.
        is_on = own.is_on_channel and other.is_on_channel
        ends = (("min", -1.0, own.min_deg, other.min_deg), ("max", 1.0, own.max_deg, other.max_deg))
        for end, sign, was, now in () if is_on else ends:
            if abs(now - was) > tolerance:
                yield Change("hinge", name, f"hinge {end}", was, now, sign * (now - was))
    if a.coupled != b.coupled:
        yield Change("shape", name, None, _shape_words(a.coupled), _shape_words(b.coupled))


def _shape_words(coupled: CoupledLimit | None) -> str | None:
    if coupled is None:
        return None
    samples = f"of {coupled.samples} samples, padded by {coupled.pad_deg:g} degrees"
    return f"{coupled.kind} {samples}, {100 * coupled.freedom:.3g} % of all rotations"


def _axis_changes(
    name: str, channel: str, a: limit_set.AxisLimit, b: limit_set.AxisLimit, tolerance: float
) -> Iterator[Change]:
    if a.state != b.state:
        yield Change("state", name, channel, a.state, b.state)
    for end, sign in (("min", -1.0), ("max", 1.0)):
        before, after = a.bound_deg(end), b.bound_deg(end)
        old, new = getattr(a.source, end), getattr(b.source, end)
        moved = None if before is None or after is None else sign * (after - before)
        if before != after and (moved is None or abs(moved) > tolerance):
            why, then = _source_words(old), _source_words(new)
            if why != then:
                why += f", then {then}"
            elif old is not None and new is not None and old.value_deg != new.value_deg:
                why += " in both, but the value there changed"
            yield Change(end, name, channel, before, after, moved, why)


def _source_words(source: limit_set.BoundSource | None) -> str:
    if source is None:
        return "no source"
    where = "" if source.clip is None else f" in {source.clip}"
    if source.frame is not None:
        where += f" at frame {source.frame:g}"
    return f"{source.kind}{where}"


def _orientation_words(one: limit_set.Orientation) -> str:
    orient = " ".join(f"{angle:.6g}" for angle in one.joint_orient_deg)
    axis = " ".join(f"{angle:.6g}" for angle in one.rotate_axis_deg)
    return f"{one.rotate_order}, joint orient {orient}, rotate axis {axis}"


def diff_text(found: LimitDiff) -> str:
    """Differences as text: a summary line, then a paragraph for each joint."""
    if found.equal:
        lines = [f"{found.second}: no difference over {found.tolerance_deg:g} degrees"]
    else:
        joints = {change.joint for change in found.changes if change.joint is not None}
        moved = [change.by_deg for change in found.changes if change.what in ("min", "max")]
        largest = max((abs(by) for by in moved if by is not None), default=None)
        count = text.plural(len(found.changes), "difference")
        words = f"{count} in {text.plural(len(joints), found.noun)}"
        if largest is not None:
            words += f", {text.plural(len(moved), 'limit')} by up to {text.number(largest)} degrees"
        names = found.first if found.first == found.second else f"{found.first} and {found.second}"
        lines = [f"{names}: {words}"]
        for joint in dict.fromkeys(change.joint for change in found.changes):
            own = [change for change in found.changes if change.joint == joint]
            lines += ["", joint if joint is not None else "the set as a whole"]
            lines += [f"  {_change_line(change)}" for change in own]
    return "".join(f"{text.printable(line)}\n" for line in lines)


def _change_line(change: Change) -> str:
    what, why = change.what, f" ({change.why})" if change.why else ""
    before, after = _value_words(change.before), _value_words(change.after)
    side, found = ("second", after) if what.endswith("added") else ("first", before)
    if what in ("joint-added", "joint-removed"):
        return f"only in the {side} set: {found}"
    if what in ("clip-added", "clip-removed"):
        return f"clip {change.channel} only in the {side} set{why}"
    if what == "hinge-axis":
        return f"hinge axis turned by {after} degrees"
    name = f"{change.channel} {what}" if change.channel else what
    if what in ("option", "set", "hinge", "edit"):
        name = change.channel or what
    label = {"option": "option ", "edit": "edit of "}.get(what, "")
    by = ""
    if change.by_deg is not None:
        size, sense = abs(change.by_deg), "wider" if change.by_deg > 0 else "narrower"
        by = f", {text.number(size, 1 if size >= 1.0 else 3)} degrees {sense}"
    return f"{label}{name}: {before} -> {after}{by}{why}"


def _value_words(value: Any) -> str:
    if value is None:
        return "none"
    return text.number(value, 2) if isinstance(value, float) else str(value)
