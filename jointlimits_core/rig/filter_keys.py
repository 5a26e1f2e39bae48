"""Filter that brings rotate keys of joints to one Euler branch and turn, like an Euler filter.

Whole runs of keys get the other Euler angles of the same rotations (outer axes + 180 degrees, 180 -
middle axis) or whole turns, tangents included, so nothing changes at keys or between the keys of
one run. Between two runs the curves take another path; these intervals are listed. A branch changes
on all three channels at once, so all three must have keys there; a turn changes one channel alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Union

import numpy as np

from ..base.text import plural
from ..geometry.arrays import Booleans, Floats, Integers
from ..geometry.branches import MAX_NEARER_SHARE, branch_changes, mixes_branches
from ..geometry.euler import CHANNELS, TURN, axes_of, quaternion_from_euler
from ..geometry.quaternion import angle_between
from .curves import SLOPED, STEPS, AnimCurve, Infinity, TangentType
from .limit_plan import Skipped

Channel = Union[AnimCurve, float]
Span = tuple[float, float]
MAX_LISTED = 5
"""Largest number of intervals listed in a joint's line, and of joints listed in a question."""


@dataclass(frozen=True, eq=False)
class JointKeys:
    """Rotate channels of a joint.

    `channels`: three curves in radians; a number instead for a channel without keys.
    """

    channels: tuple[Channel, ...]
    rotate_order: str = "xyz"

    @property
    def curves(self) -> dict[int, AnimCurve]:
        """Curves by axis."""
        found = enumerate(self.channels)
        return {axis: one for axis, one in found if isinstance(one, AnimCurve) and len(one.times)}

    @property
    def times(self) -> Floats:
        """Times of all keys in seconds, increasing."""
        every = [curve.times for curve in self.curves.values()]
        return np.unique(np.concatenate([np.zeros(0), *every]))

    def values_at(self, seconds: Floats) -> Floats:
        """Rotate values, shape (times, 3), radians."""
        columns = [
            one.evaluate(seconds) if isinstance(one, AnimCurve) else np.full(len(seconds), one)
            for one in self.channels
        ]
        return np.stack(columns, axis=-1)

    def rotations(self, seconds: Floats) -> Floats:
        """Quaternions, shape (times, 4)."""
        return quaternion_from_euler(self.values_at(seconds), self.rotate_order)


@dataclass(frozen=True, eq=False)
class FilteredCurve:
    """New keys of a curve, at the same times.

    `signs`, `half_turns`, shape (keys,): the new value is sign * value + half turns * 180 degrees.
    """

    before: AnimCurve
    after: AnimCurve
    signs: Floats
    half_turns: Integers

    @property
    def changed(self) -> Booleans:
        """True for keys whose value changes, shape (keys,)."""
        return np.asarray((self.signs < 0.0) | (self.half_turns != 0))


@dataclass(frozen=True)
class ChangedFrames:
    """Interval between two keys in which the pose changes.

    `start`, `end`: frames of the keys, whose poses stay. `frames`: number of whole frames whose
    poses change. `worst_deg`: largest change, on whole frames if there are any between the keys.
    """

    start: float
    end: float
    frames: int
    worst_deg: float


@dataclass(frozen=True)
class KeyChanges:
    """Changes that the filter makes to one joint.

    `keys`: number of keys whose value changes. `changed`: intervals in which poses change.
    `repeats`: whether poses change again wherever the curves repeat beyond their keys.
    """

    keys: int
    channels: tuple[str, ...]
    changed: tuple[ChangedFrames, ...]
    repeats: bool = False

    def sentence(self) -> str:
        """Summary without a full stop."""
        line = f"{plural(self.keys, 'key')} filtered"
        if not self.changed:
            return f"{line}; no pose changes"
        spans = [f"{one.start:g} and {one.end:g}" for one in self.changed]
        more = f" and {len(spans) - MAX_LISTED:,} more intervals" if len(spans) > MAX_LISTED else ""
        where, worst = ", ".join(spans[:MAX_LISTED]), max(one.worst_deg for one in self.changed)
        again = ", and again where the curves repeat" if self.repeats else ""
        return (
            f"{line}; poses change between frames {where}{more} by up to {worst:.3g} degrees{again}"
        )


@dataclass(frozen=True)
class KeyFilterReport:
    """Changes by joint, and joints with several branches or turns that cannot be rewritten."""

    joints: Mapping[str, KeyChanges]
    refused: tuple[Skipped, ...] = ()
    noun: str = "joint"

    @property
    def frames(self) -> int:
        """Number of whole frames that change, added up over the joints."""
        return sum(one.frames for joint in self.joints.values() for one in joint.changed)

    def changes(self) -> str:
        """Clause that describes the changes between runs of keys."""
        if not self.frames:
            return "no whole frame changes"
        frames, change = plural(self.frames, "frame"), "changes" if self.frames == 1 else "change"
        # Intervals in which only the poses between whole frames change do not count.
        changed = [one for joint in self.joints.values() for one in joint.changed if one.frames]
        worst = max(one.worst_deg for one in changed)
        return f"{frames} between runs {change}, by up to {worst:.3g} degrees"

    def sentence(self) -> str:
        """Summary in one line, without a full stop."""
        if not self.joints:
            return "no keys to filter"
        keys = plural(sum(joint.keys for joint in self.joints.values()), "key")
        return f"{keys} of {plural(len(self.joints), self.noun)} filtered; {self.changes()}"

    def question(self) -> str:
        """Question to ask before the change; empty if no whole frame changes."""
        listed = self.lines()[:MAX_LISTED]
        more = len(self.joints) - len(listed)
        listed += [f"... and {plural(more, f'more {self.noun}')}"] if more else []
        found = self.changes()
        return f"{found[0].upper()}{found[1:]}.\n\n" + "\n".join(listed) if self.frames else ""

    def lines(self) -> list[str]:
        """One line for each joint."""
        return [f"{name}: {joint.sentence()}" for name, joint in self.joints.items()]

    def refusals(self) -> list[str]:
        """One line for each refused joint."""
        return [
            f"keys not filtered: {one.joint}: {one.reason}; {one.advice}" for one in self.refused
        ]

    def as_data(self) -> dict[str, Any]:
        """Report as plain data for JSON."""
        return {name: value for name, value in asdict(self).items() if name != "noun"}


@dataclass(frozen=True, eq=False)
class FilteredJoint:
    """New curves of a joint, by axis, and their changes."""

    curves: Mapping[int, FilteredCurve]
    changes: KeyChanges


@dataclass
class KeyFilterPlan:
    """New curves by joint, and joints whose keys should be rewritten but cannot be."""

    joints: dict[str, FilteredJoint] = field(default_factory=dict)
    refused: list[Skipped] = field(default_factory=list)
    noun: str = "joint"

    @property
    def report(self) -> KeyFilterReport:
        """Report of the planned changes."""
        changes = {name: joint.changes for name, joint in self.joints.items()}
        return KeyFilterReport(changes, tuple(self.refused), self.noun)


MAX_SPIN_DEG = 30.0
"""A whole turn between two keys is a spin, not a jump, up to this many degrees per frame."""
MIN_CHANGED_DEG = 1e-6
"""A frame whose pose turns by more degrees than this counts as changed."""
MAX_REPEATS = 1000
"""Largest number of a curve's repeats, on one side, whose changed frames are listed."""
_MARGIN_FRAMES = 1e-6
_REPEATING = (Infinity.CYCLE, Infinity.OSCILLATE)
_ADVICE = "bake the joint's rotation in Maya (Edit > Keys > Bake Simulation), then filter its keys"


def plan_key_filter(
    joints: Mapping[str, JointKeys], frames_per_second: float, playback_seconds: Span | None = None
) -> KeyFilterPlan:
    """Plan new keys for the joints whose keys are on several branches or turns.

    They get the branch and the turn whose ranges are nearest to zero; if two are equally near, the
    one already used for more of the time. `playback_seconds`: range in which changes are also
    listed if curves repeat, besides the range of the joint's keys.
    """
    plan = KeyFilterPlan()
    for name, keys in joints.items():
        runs = _Runs(keys, 1.0 / frames_per_second)
        if not runs.change:
            continue
        why = runs.obstacle()
        if why is not None:
            plan.refused.append(Skipped(name, "", why, _ADVICE))
        else:
            plan.joints[name] = runs.filter_joint(playback_seconds)
    return plan


def filtering_that_helps(
    channels: Sequence[Channel | None], values: Floats, rotate_order: str, frames_per_second: float
) -> str:
    """Step that brings the keys of a joint to one branch and turn: "filter", "bake" or "".

    `channels`: None for a channel with another kind of driver; then `values`, shape (times, 3),
    radians, decide.
    """
    own = tuple(one for one in channels if one is not None)
    if len(own) < len(channels):
        return "bake" if mixes_branches(values, rotate_order) else ""
    keys = JointKeys(own, rotate_order)
    runs = _Runs(keys, 1.0 / frames_per_second) if keys.curves else None
    if runs is None or not runs.change:
        return ""
    return "filter" if runs.obstacle() is None else "bake"


def _middle(values: Floats) -> float:
    return 0.5 * float(values.min() + values.max())


class _Runs:
    """Runs of keys of one joint: which keys to mirror, and which turns to add.

    `frame`: length of a frame in seconds.
    """

    def __init__(self, keys: JointKeys, frame: float) -> None:
        self.keys, self.frame, self.times = keys, frame, keys.times
        self.middle = axes_of(keys.rotate_order)[1]
        self.changes = branch_changes(keys.values_at(self.times), keys.rotate_order)
        self.mirrored = np.zeros(len(self.times), dtype=bool)
        self.turns, _, width = self._state_of(self.mirrored)
        if self.changes.any():
            state = np.append(False, np.cumsum(self.changes) % 2 == 1)
            spans = np.append(np.diff(self.times), 0.0)
            tried = [(*self._state_of(one), one) for one in (state, ~state)]
            turns, _, other, mirrored = min(
                tried, key=lambda one: (round(one[1], 9), spans[one[3]].sum())
            )
            # Near gimbal lock, the other angles can be nearer to a neighbour but not to the rest.
            if other < width:
                self.mirrored, self.turns = mirrored, turns
        self.change = bool(self.mirrored.any()) or any(map(np.any, self.turns.values()))

    # States of keys

    def _state_of(self, mirrored: Booleans) -> tuple[dict[int, Integers], float, float]:
        """Turns by channel, and the sums of all channels' distances from zero and of their widths.

        `mirrored`: True for key times that get the other branch.
        """
        owns = {axis: self._channel_state(axis, mirrored) for axis in self.keys.curves}
        turns = {axis: self._turns(axis, own) for axis, own in owns.items()}
        moved = [self._moved_values(axis, own, turns[axis]) for axis, own in owns.items()]
        distance = sum(abs(_middle(values)) for values in moved)
        return turns, float(distance), float(sum(np.ptp(values) for values in moved))

    def _channel_state(self, axis: int, mirrored: Booleans) -> Booleans:
        return np.asarray(mirrored[np.searchsorted(self.times, self.keys.curves[axis].times)])

    def _turns(self, axis: int, mirrored: Booleans) -> Integers:
        """Whole turns to add to the keys of a channel."""
        curve = self.keys.curves[axis]
        values = self._moved_values(axis, mirrored, np.zeros(len(mirrored), dtype=np.int64))
        steps = np.diff(values)
        back = -np.rint(steps / TURN)
        needed = mirrored[1:] != mirrored[:-1]
        wraps = np.abs(steps + TURN * back) <= MAX_NEARER_SHARE * np.abs(steps)
        # Spins are intended: they take several frames, and all turn the same way.
        frames, size = np.diff(curve.times) / self.frame, np.abs(steps)
        slow = size <= np.radians(MAX_SPIN_DEG) * frames
        spins = (size >= TURN - 1e-9) & (slow | (size >= 1.5 * TURN))
        spins &= (frames > 1.0 + _MARGIN_FRAMES) & ~np.isin(curve.out_types[:-1], STEPS)
        if len(np.unique(np.sign(steps[spins]))) == 1:
            wraps &= ~spins
        best: Integers | None = None
        for chosen in (needed, needed | wraps):
            turns = np.append(0.0, np.cumsum(np.where(chosen, back, 0.0))).astype(np.int64)
            # Turns are only added if they narrow the range, so a spinning channel is left alone.
            width = np.ptp(values + TURN * turns)
            if best is None or width < np.ptp(values + TURN * best) - 1e-9:
                best = turns
        assert best is not None
        if not (needed.any() or best.any()):
            return best
        return best - int(np.rint(_middle(values + TURN * best) / TURN))

    def _moved_values(self, axis: int, mirrored: Booleans, turns: Integers) -> Floats:
        sign, half = self._map(axis, mirrored, turns)
        return np.asarray(sign * self.keys.curves[axis].values + 0.5 * TURN * half)

    def _map(self, axis: int, mirrored: Booleans, turns: Integers) -> tuple[Floats, Integers]:
        """Sign and half turns of the keys of a channel."""
        sign = np.where(mirrored & (axis == self.middle), -1.0, 1.0)
        return sign, mirrored.astype(np.int64) + 2 * turns

    # Obstacles

    def obstacle(self) -> str | None:
        """Reason why the keys cannot be rewritten; None if they can."""
        curves = self.keys.curves
        for axis, curve in curves.items():
            if Infinity.CYCLE_OFFSET in (curve.pre, curve.post) and len(curve.times) > 1:
                return f"{CHANNELS[axis]} cycles with offset beyond its keys"
        if not self.mirrored.any():
            return None
        for gap in np.flatnonzero(self.changes):
            ends = self.times[gap : gap + 2]
            for axis, channel in enumerate(CHANNELS):
                if axis not in curves or not np.isin(ends, curves[axis].times).all():
                    first, last = ends / self.frame
                    where = f"between frames {first:g} and {last:g}"
                    return f"its Euler branch changes {where}, and {channel} has no keys there"
        ways = {(c.pre, c.post, c.times[0], c.times[-1]) for c in curves.values()}
        if len(ways) > 1 and any(kind in _REPEATING for way in ways for kind in way[:2]):
            return "its curves repeat differently beyond their keys"
        return None

    # New keys

    def filter_joint(self, playback: Span | None) -> FilteredJoint:
        """Make the new keys, and find the frames in which poses change."""
        curves = {axis: self._curve(axis) for axis in self.keys.curves}
        kept = {axis: curve for axis, curve in curves.items() if curve.changed.any()}
        channels = list(self.keys.channels)
        for axis, curve in kept.items():
            channels[axis] = curve.after
        new = JointKeys(tuple(channels), self.keys.rotate_order)
        spans = list(_merge_spans(self._open_spans(kept)))
        repeated = list(_merge_spans(self._repeated_spans(kept, playback or (np.inf, -np.inf))))
        found = (self._change(new, *span) for span in sorted([*spans, *repeated]))
        changed = tuple(one for one in found if one.worst_deg > MIN_CHANGED_DEG)
        repeats = any(
            kind in _REPEATING
            for curve in kept.values()
            for kind in (curve.before.pre, curve.before.post)
            if len(curve.before.times) > 1
        )
        keys = sum(int(curve.changed.sum()) for curve in kept.values())
        names = tuple(CHANNELS[axis] for axis in sorted(kept))
        return FilteredJoint(kept, KeyChanges(keys, names, changed, repeats and bool(changed)))

    def _curve(self, axis: int) -> FilteredCurve:
        curve = self.keys.curves[axis]
        sign, half = self._map(axis, self._channel_state(axis, self.mirrored), self.turns[axis])
        ins, outs = _tangent_types(curve, half)
        old = curve.tangents
        after = AnimCurve.from_keys(
            curve.times,
            sign * curve.values + 0.5 * TURN * half,
            in_types=ins,
            out_types=outs,
            in_x=old.in_x,
            in_y=sign * old.in_y,
            out_x=old.out_x,
            out_y=sign * old.out_y,
            weighted=curve.weighted,
            pre=curve.pre,
            post=curve.post,
        )
        return FilteredCurve(curve, after, sign, half)

    def _open_spans(self, kept: Mapping[int, FilteredCurve]) -> Iterator[Span]:
        """Spans, in seconds, between keys of different runs, and neighbouring spans that change."""
        for filtered in kept.values():
            curve, state = filtered.before, filtered.half_turns
            stepped = np.isin(curve.out_types[:-1], STEPS)
            changes = np.pad(state[1:] != state[:-1], 1)
            # Tangents depend on the keys on both sides, so neighbouring spans also change.
            changes = changes[1:-1] | changes[:-2] | changes[2:]
            for left in np.flatnonzero(changes & ~stepped):
                yield curve.times[left], curve.times[left + 1]
        if not self.mirrored.any():
            return
        for gap in np.flatnonzero(self.changes):
            # Steps are exact if all three channels step at the same end of the span.
            curves = self.keys.curves.values()
            kinds = {int(c.out_types[np.searchsorted(c.times, self.times[gap])]) for c in curves}
            if len(kinds) > 1:
                yield self.times[gap], self.times[gap + 1]

    def _repeated_spans(self, kept: Mapping[int, FilteredCurve], playback: Span) -> Iterator[Span]:
        """Changed spans in the stretches where the curves repeat beyond their keys."""
        for axis in kept:
            curve = self.keys.curves[axis]
            first, last = float(curve.times[0]), float(curve.times[-1])
            length, spans = last - first, list(self._open_spans({axis: kept[axis]}))
            for kind, outside, way in (
                (curve.pre, first - min(playback[0], self.times[0]), -1.0),
                (curve.post, max(playback[1], self.times[-1]) - last, 1.0),
            ):
                if kind not in _REPEATING or outside <= 0.0 or not spans:
                    continue
                for number in range(1, min(int(outside / length) + 2, MAX_REPEATS)):
                    for start, end in spans:
                        if kind == Infinity.OSCILLATE and number % 2:
                            start, end = first + last - end, first + last - start
                        yield start + way * number * length, end + way * number * length

    def _change(self, new: JointKeys, start: float, end: float) -> ChangedFrames:
        """Changes of poses within a span."""
        first, last = start / self.frame, end / self.frame
        whole = np.arange(np.floor(first + _MARGIN_FRAMES) + 1.0, np.ceil(last - _MARGIN_FRAMES))
        frames = whole if len(whole) else np.linspace(first, last, 19)[1:-1]
        seconds = frames * self.frame
        moved = np.degrees(angle_between(self.keys.rotations(seconds), new.rotations(seconds)))
        count = int((moved > MIN_CHANGED_DEG).sum()) if len(whole) else 0
        start, end = (round(float(frame), 6) for frame in (first, last))
        return ChangedFrames(start, end, count, float(moved.max()))


def _tangent_types(curve: AnimCurve, state: Integers) -> tuple[Integers, Integers]:
    """Tangent types after filtering: unchanged, except for fixed tangents between runs.

    Automatic tangents follow from the new keys, as in Maya. `state`, shape (keys,): number that is
    the same within a run.
    """
    differs, moves = state[1:] != state[:-1], ~np.isin(curve.out_types[:-1], STEPS)
    border = np.append(False, differs) | np.append(differs, False)
    between = differs & moves
    ins, outs = curve.in_types.copy(), curve.out_types.copy()
    for types, across in ((ins, np.append(False, between)), (outs, np.append(between, False))):
        # The tangent was fixed for a span that went the long way round.
        types[across & (types == TangentType.FIXED)] = TangentType.LINEAR
    for types, end, infinity in ((ins, 0, curve.pre), (outs, -1, curve.post)):
        if infinity == Infinity.LINEAR and border[end] and types[end] in SLOPED:
            # Its slope continues beyond the keys.
            types[end] = TangentType.FIXED
    return ins, outs


def _merge_spans(spans: Iterable[Span]) -> Iterator[Span]:
    """Merge spans that overlap; spans that only touch stay apart."""
    start, end = None, -np.inf
    for first, last in sorted(spans):
        if start is not None and first < end - 1e-9:
            end = max(end, last)
            continue
        if start is not None:
            yield start, end
        start, end = first, last
    if start is not None:
        yield start, end
