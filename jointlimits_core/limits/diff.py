"""Differences between two limit sets with their reasons, as data and as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..base.records import with_lists
from ..base.text import number, plural, printable
from ..shapes.coupled_limit import CoupledLimit
from .limit_set import AxisLimit, BoundSource, Frame, Hinge, JointLimit, LimitSet
from .ranges import same_orientation
from .symmetry import hinges_off_deg, same_way
from .vocabulary import ON_CHANNEL_DEG

FORMAT = "jointlimits.limit-diff"
FORMAT_VERSION = 1
TOLERANCE_DEG = 0.01
CHANGE_KINDS = (
    *("joint-added", "joint-removed", "type", "frame", "state", "min", "max", "hinge"),
    *("hinge-axis", "shape", "edit", "clip-added", "clip-removed", "option", "set"),
)
"""Kinds of change."""


@dataclass(frozen=True)
class Change:
    """One difference."""

    what: str
    """One of :data:`CHANGE_KINDS`."""
    joint: str | None = None
    """None for clips, options and set fields."""
    channel: str | None = None
    """The channel, or the name of an option, clip or field."""
    before: Any = None
    after: Any = None
    """Degrees for limits."""
    by_deg: float | None = None
    """Change of a limit or an axis in degrees; positive for a wider limit."""
    why: str = ""
    """Reason in words: the other clip and frame, the layer, the option."""


@dataclass(frozen=True)
class LimitDiff:
    """All differences of two limit sets."""

    first: str
    second: str
    tolerance_deg: float
    """Angles that differ by at most this are equal."""
    changes: tuple[Change, ...] = ()
    """Those of joints in the order of the first set, then those of the set as a whole."""

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


def diff(first: LimitSet, second: LimitSet, tolerance_deg: float = TOLERANCE_DEG) -> LimitDiff:
    """Compare two limit sets.

    `first` and `second`: before and after. `tolerance_deg`: at least 0. Raises ValueError for a
    tolerance that is negative or not finite.
    """
    if not (np.isfinite(tolerance_deg) and tolerance_deg >= 0.0):
        raise ValueError(f"tolerance must be finite and at least 0 degrees, not {tolerance_deg!r}")
    changes: list[Change] = []
    for name, joint in first.joints.items():
        if name in second.joints:
            changes += _joint(name, joint, second.joints[name], tolerance_deg)
        else:
            changes.append(Change("joint-removed", name, before=joint.type))
    for name, joint in second.joints.items():
        if name not in first.joints:
            changes.append(Change("joint-added", name, after=joint.type))
    changes += [*_edits(first, second), *_clips(first, second), *_options(first, second)]
    for name in ("character", "mode", "rest_source"):
        before, after = getattr(first, name, ""), getattr(second, name, "")
        if before != after:
            changes.append(Change("set", None, name, before, after))
    return LimitDiff(first.character, second.character, tolerance_deg, tuple(changes))


def _joint(name: str, a: JointLimit, b: JointLimit, tolerance: float) -> Iterator[Change]:
    if a.type != b.type:
        samples = f"{a.evidence.samples} samples, then {b.evidence.samples}"
        why = f"{samples}; {a.evidence.sure}, then {b.evidence.sure}"
        yield Change("type", name, None, a.type, b.type, why=why)
    if not same_orientation(a.frame, b.frame, tolerance):
        before, after = _frame_words(a.frame), _frame_words(b.frame)
        yield Change("frame", name, None, before, after, why="its limits use another orientation")
    free = AxisLimit("free")
    for channel in dict.fromkeys((*a.limits, *b.limits)):
        pair = a.limits.get(channel, free), b.limits.get(channel, free)
        yield from _axis(name, channel, *pair, tolerance)
    if a.hinge is not None and b.hinge is not None:
        yield from _hinge(name, a.hinge, b.hinge, tolerance)
    if a.coupled != b.coupled:
        yield Change("shape", name, None, _shape_words(a.coupled), _shape_words(b.coupled))


def _shape_words(coupled: CoupledLimit | None) -> str | None:
    if coupled is None:
        return None
    samples = f"of {coupled.samples} samples, {coupled.pad_deg:g} degrees beyond"
    return f"{coupled.kind} {samples}, {100 * coupled.freedom:.3g} % of all rotations"


def _hinge(name: str, a: Hinge, b: Hinge, tolerance: float) -> Iterator[Change]:
    off = hinges_off_deg(a, b)
    if off > tolerance:
        yield Change("hinge-axis", name, a.channel, 0.0, off, off, "the axis turned")
    # The range of a hinge on a channel is compared there.
    if max(a.off_channel_deg, b.off_channel_deg) <= ON_CHANNEL_DEG:
        return
    b = same_way(b, a)
    ends = (("min", -1.0, a.min_deg, b.min_deg), ("max", 1.0, a.max_deg, b.max_deg))
    for end, sign, before, after in ends:
        if abs(after - before) > tolerance:
            yield Change("hinge", name, f"hinge {end}", before, after, sign * (after - before))


def _axis(
    name: str, channel: str, a: AxisLimit, b: AxisLimit, tolerance: float
) -> Iterator[Change]:
    if a.state != b.state:
        yield Change("state", name, channel, a.state, b.state)
    ends = (
        ("min", -1.0, a.min_deg, b.min_deg, a.source.min, b.source.min),
        ("max", 1.0, a.max_deg, b.max_deg, a.source.max, b.source.max),
    )
    for end, sign, before, after, old, new in ends:
        if before is None and after is None:
            continue
        moved = None if before is None or after is None else sign * (after - before)
        if moved is None or abs(moved) > tolerance:
            why, then = _source_words(old), _source_words(new)
            if why != then:
                why = f"{why}, then {then}"
            elif old is not None and new is not None and old.value_deg != new.value_deg:
                why = f"{why} in both, but the value there changed"
            yield Change(end, name, channel, before, after, moved, why)


def _source_words(source: BoundSource | None) -> str:
    if source is None:
        return "no source"
    where = "" if source.clip is None else f" in {source.clip}"
    if source.frame is not None:
        where += f" at frame {source.frame:g}"
    return f"{source.kind}{where}"


def _frame_words(frame: Frame) -> str:
    orient = " ".join(f"{angle:.6g}" for angle in frame.joint_orient_deg)
    axis = " ".join(f"{angle:.6g}" for angle in frame.rotate_axis_deg)
    return f"{frame.rotate_order}, joint orient {orient}, rotate axis {axis}"


def _edits(first: LimitSet, second: LimitSet) -> Iterator[Change]:
    before = {edit.key: edit for edit in first.edits}
    after = {edit.key: edit for edit in second.edits}
    for key in dict.fromkeys((*before, *after)):
        a, b = before.get(key), after.get(key)
        old, new = None if a is None else a.value, None if b is None else b.value
        if (a is None) != (b is None) or old != new:
            edit = b or a
            assert edit is not None
            where = " ".join(part for part in (edit.channel, edit.target) if part)
            yield Change("edit", edit.joint, where, old, new, why=edit.note)


def _clips(first: LimitSet, second: LimitSet) -> Iterator[Change]:
    before = {(clip.name, clip.sha256, clip.frames) for clip in first.clips}
    after = {(clip.name, clip.sha256, clip.frames) for clip in second.clips}
    names = {name for name, _, _ in before} & {name for name, _, _ in after}
    why = "both sets have a clip of this name, with different content"
    for what, only in (("clip-removed", before - after), ("clip-added", after - before)):
        for name, _, frames in sorted(only, key=str):
            old, new = (frames, None) if what == "clip-removed" else (None, frames)
            yield Change(what, None, name, old, new, None, why if name in names else "")


def _options(first: LimitSet, second: LimitSet) -> Iterator[Change]:
    if not (first.options and second.options):
        # One of them was not estimated but declared in a file.
        return
    old, new = with_lists(first.options), with_lists(second.options)
    for key in dict.fromkeys((*old, *new)):
        if old.get(key) != new.get(key):
            yield Change("option", None, key, first.options.get(key), second.options.get(key))


def diff_text(found: LimitDiff) -> str:
    """Text of a limit set difference: a summary, then one paragraph per joint, and a newline."""
    if found.equal:
        lines = [f"{found.second}: no difference over {found.tolerance_deg:g} degrees"]
    else:
        joints = {change.joint for change in found.changes if change.joint is not None}
        moved = [change.by_deg for change in found.changes if change.what in ("min", "max")]
        largest = max((abs(by) for by in moved if by is not None), default=None)
        words = f"{plural(len(found.changes), 'difference')} in {plural(len(joints), 'joint')}"
        if largest is not None:
            words += f", {plural(len(moved), 'limit')} by up to {number(largest)} degrees"
        names = found.first if found.first == found.second else f"{found.first} and {found.second}"
        lines = [f"{names}: {words}"]
        for joint in dict.fromkeys(change.joint for change in found.changes):
            own = [change for change in found.changes if change.joint == joint]
            lines += ["", joint if joint is not None else "the set as a whole"]
            lines += [f"  {_line(change)}" for change in own]
    return "".join(f"{printable(line)}\n" for line in lines)


def _line(change: Change) -> str:
    what, why = change.what, f" ({change.why})" if change.why else ""
    before, after = _shown(change.before), _shown(change.after)
    side, found = ("second", after) if what.endswith("added") else ("first", before)
    if what in ("joint-added", "joint-removed"):
        return f"only in the {side} set: {found}"
    if what in ("clip-added", "clip-removed"):
        return f"clip {change.channel} only in the {side} set{why}"
    if what == "hinge-axis":
        return f"hinge axis turned by {after} degrees"
    name = " ".join(part for part in (change.channel, what) if part)
    name = change.channel or what if what in ("option", "set", "hinge", "edit") else name
    label = {"option": "option ", "edit": "edit of "}.get(what, "")
    by = ""
    if change.by_deg is not None:
        size, sense = abs(change.by_deg), "wider" if change.by_deg > 0 else "narrower"
        by = f", {number(size, 1 if size >= 1.0 else 3)} degrees {sense}"
    return f"{label}{name}: {before} -> {after}{by}{why}"


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    return number(value, 2) if isinstance(value, float) else str(value)
