"""Limits moved to the Euler branch of a target's keys, and the poses that they would still change.

Maya clamps the number on each rotate channel, not the pose. So before limits are switched on, they
are moved to the Euler branch and turn of the numbers that the target holds. Limits that would still
clamp a pose are left off, unless poses may move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from ..base.errors import OptionText
from ..base.text import names_words, plural
from ..geometry.arrays import ArrayLike, Booleans, Floats
from ..geometry.circle import euler_in_box, outside_box
from ..geometry.euler import CHANNELS, axes_of
from ..limits.review_entries import APPLIED, ReviewEntry
from ..limits.review_steps import Action
from . import limit_plan

MIN_CLAMPED_DEG = 1e-3
"""Largest excess over a limit that counts as rounding: 0.02 mm at the end of a 1 m bone."""

MAX_BETWEEN_DEG = 1.0
"""Largest amount, in degrees, by which limits are widened to fit curves between frames."""

Bounds = Mapping[str, tuple["float | None", "float | None"]]
"""Minimum and maximum in degrees by channel; None where there is no limit."""


@dataclass(frozen=True)
class Clamped:
    """A rotate channel on which limits would change poses of the target."""

    joint: str
    channel: str
    frames: int
    """Frames that would change; 0 if only the current pose would."""
    worst_deg: float
    """Largest change of the channel, degrees."""
    worst_frame: float
    flips: int = 0
    """Frames whose pose is inside the limits but keyed on another Euler branch or turn."""
    frame_ranges: tuple[tuple[float, float], ...] = ()
    """First and last frame of each run of changed frames."""
    driver: str = ""
    """Driver that only Maya can evaluate, such as "hand_ik (ikHandle)"; empty if there is none."""
    filtering: str = ""
    """"filter" if filtering the joint's keys brings these frames inside, "bake" if the keys have to
    be baked before that, empty if filtering does not help."""
    is_own: bool = False
    """Whether the limits were measured on this very animation."""

    def words(self) -> str:
        """Description of the changed poses: "3 frames, by up to 158 degrees at frame 22"."""
        if self.driver:
            return f"poses that only Maya can evaluate, driven by {self.driver}"
        # Three digits, or whole degrees: "0.0123 degrees", "3,597 degrees".
        style = ",.0f" if self.worst_deg >= 1000.0 else ".3g"
        worst = f"{self.worst_deg:{style}} degrees"
        if not self.frames:
            return f"the current pose, by {worst}"
        return f"{plural(self.frames, 'frame')}, by up to {worst} at frame {self.worst_frame:g}"

    def kept_line(self) -> str:
        """Line about existing limits that already clamp this channel and stay on."""
        plug = f"{self.joint}.{self.channel}"
        change = f"already in the scene: {plug}: limits change {self.words()}"
        return f"{change}; widen them or switch them off"

    def step(self) -> str:
        """Remedy after which the channel can get its limits."""
        if self.driver:
            return "apply in Maya, or bake the animation"
        if not self.frames:
            return "bring the pose inside the limits, or widen them"
        if self.filtering == "bake":
            return "bake its rotation (Edit > Keys > Bake Simulation), then filter its keys"
        if self.filtering:
            return "filter its keys, which are on several Euler branches or turns"
        if self.flips:
            return "fix the frames where its keys jump by a full turn, or widen the limits"
        return "widen the limits" + (", or estimate from this animation too" * (not self.is_own))

    def remedy(self) -> OptionText:
        """Remedy, or the option that lets poses change instead."""
        if self.filtering == "filter":
            return OptionText(f"{self.step()} (", "filter_keys", "), or use ", "may_move")
        return OptionText(f"{self.step()}, or use ", "may_move")


def worst_first(found: Sequence[Clamped]) -> tuple[Clamped, ...]:
    """Channels sorted by the size of the change, largest first."""
    return tuple(sorted(found, key=lambda one: -one.worst_deg))


def frames_changed(found: Sequence[Clamped]) -> int:
    """Number of frames in which at least one of the channels would change."""
    ends = sorted(ends for one in found for ends in one.frame_ranges)
    count, done = 0.0, -np.inf
    for first, last in ends:
        count += max(0.0, last - max(first, done + 1.0) + 1.0)
        done = max(done, last)
    return int(count)


def clamping_words(found: Sequence[Clamped], noun: str = "joint") -> str:
    """Summary of changed poses, such as "3 channels of 2 joints, 29 frames".

    `noun`: word for a joint, such as :attr:`~jointlimits_core.limits.limit_set.LimitSet.noun`.
    """
    joints = {one.joint for one in found}
    words = f"{plural(len(found), 'channel')} of {plural(len(joints), noun)}"
    frames = frames_changed(found)
    return f"{words}, {plural(frames, 'frame')}" if frames else words


@dataclass(frozen=True, eq=False)
class HeldRotates:
    """Rotate channels of one joint of a target, over its animation and in the current pose.

    `frames`, shape (times,): increasing. `between`, shape (times,): True for times at which a curve
    turns back between whole frames and keys. `values`, shape (3, times): radians, not clamped by
    any limit. `moves`, shape (3,): False for channels without a driver: only their current value
    counts. `current`, shape (3,): radians, at the frame `now`. `drivers`: drivers that only
    Maya can evaluate, by channel. `is_solved`: whether an IK solver turns the joint; its result
    depends on every written attribute. `is_filtered`: whether these are filtered keys that have yet
    to be written. `filtering`: "filter" if a key filter would change their branches or turns,
    "bake" if it would do so only after baking.
    """

    frames: Floats
    between: Booleans
    values: Floats
    moves: Booleans
    current: Floats
    order: str
    now: float = 0.0
    drivers: Mapping[str, str] = field(default_factory=dict)
    is_solved: bool = False
    is_filtered: bool = False
    filtering: str = ""

    def find_changes(self, joint: str, bounds: Bounds, before: Bounds) -> Iterator[Clamped]:
        """Channels on which limits `bounds` change poses when they replace the limits `before`."""
        low, high = np.radians(ends_of(bounds))
        nearest = euler_in_box(self.values.T, low, high, self.order)
        fits = np.degrees(outside_box(nearest, low, high)).max(axis=1) <= MIN_CLAMPED_DEG
        sides = ends_of(bounds), ends_of(before)

        def change(values: ArrayLike, axis: int) -> Floats:
            new, old = (np.minimum(np.maximum(values, a[axis]), b[axis]) for a, b in sides)
            return np.abs(np.asarray(new - old))

        for axis, channel in enumerate(CHANNELS):
            if channel in self.drivers:
                yield Clamped(joint, channel, 0, 0.0, self.now, driver=self.drivers[channel])
                continue
            by = change(np.degrees(self.values[axis]), axis)
            out = (by > MIN_CLAMPED_DEG) & self.moves[axis]
            current = float(change(np.degrees(self.current[axis]), axis))
            if out.any():
                worst, frames = int(by.argmax()), self._whole(out)
                starts = np.flatnonzero(np.diff(frames, prepend=-np.inf) > 1.0)
                stops = np.append(starts[1:], len(frames)) - 1
                flips = len(self._whole(out & fits))
                yield Clamped(
                    joint,
                    channel,
                    len(frames),
                    float(by[worst]),
                    float(self.frames[worst]),
                    flips,
                    tuple(zip(frames[starts].tolist(), frames[stops].tolist())),
                    filtering=self.filtering if flips else "",
                )
            elif current > MIN_CLAMPED_DEG:
                yield Clamped(joint, channel, 0, current, self.now)

    def _whole(self, chosen: Booleans) -> Floats:
        """Whole frames of chosen times; the nearest frames if all times are between frames."""
        on_frames = chosen & ~self.between
        return np.unique(np.round(self.frames[on_frames if on_frames.any() else chosen]))


def ends_of(bounds: Bounds) -> tuple[Floats, Floats]:
    """Minima and maxima of the three channels in degrees, shape (3,); infinite without a limit."""
    pairs = [bounds.get(channel, (None, None)) for channel in CHANNELS]
    low, high = np.array(pairs, dtype=np.float64).T  # None becomes NaN
    return np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)


# Branches ---------------------------------------------------------------------------------------


def fit_to_keys(change: limit_plan.JointChange, held: HeldRotates) -> limit_plan.JointChange:
    """Move limits and preferred angle to the Euler branch and turns of a target's channels.

    The limits still allow the same rotations. The chosen branch and whole turns leave the fewest
    channels outside, then the fewest times; a tie changes nothing. Limits stay on their branch if
    the middle channel lacks a minimum or a maximum, since both define the branch. The preferred
    angle of a channel without limits goes to the turn of its current value.

    Limits are measured at frames, but curves go a little further between frames. If all frames and
    keys are inside, limits are widened to the curves' extremes, by at most :data:`MAX_BETWEEN_DEG`.
    """
    low, high = ends_of(change.limits_deg)
    angle = np.array(change.preferred_angle_deg or (0.0, 0.0, 0.0))
    turns = np.rint((np.degrees(held.current) - angle) / 360.0)
    angle = np.where(np.isinf(low) & np.isinf(high), angle + 360.0 * turns, angle)
    ends = change.limits_deg
    if ends:
        middle = axes_of(held.order)[1]
        here = branch = _Branch.from_limits(low, high, held)
        if here.outside[0] and np.isfinite([low[middle], high[middle]]).all():
            there = _Branch.from_limits(*_mirror_limits(low, high, held.order), held)
            branch = there if there.outside < here.outside else here
        if branch is not here:
            angle = _mirror_limits(angle, angle, held.order)[0]
        angle = angle + branch.turns_deg
        if branch is not here or here.turns_deg.any():
            ends = {channel: branch.ends(CHANNELS.index(channel)) for channel in ends}
    if change.preferred_angle_deg is not None:
        x, y, z = angle.tolist()
        change = replace(change, preferred_angle_deg=(x, y, z))
    return replace(change, limits_deg=_reach_between_frames(ends, held))


def _reach_between_frames(bounds: Bounds, held: HeldRotates) -> Bounds:
    """Widen limits to the extremes of curves between frames."""
    limits, ends = dict(bounds), ends_of(bounds)
    for channel, (low, high) in bounds.items():
        axis = CHANNELS.index(channel)
        values = np.degrees(held.values[axis])
        outside = _count_outside(ends[0][axis], ends[1][axis], values[~held.between])
        if outside or not held.moves[axis] or not held.between.any():
            continue
        least, most = float(values[held.between].min()), float(values[held.between].max())
        if low is not None and 0.0 < low - least <= MAX_BETWEEN_DEG:
            low = least
        if high is not None and 0.0 < most - high <= MAX_BETWEEN_DEG:
            high = most
        limits[channel] = low, high
    return limits


class _Branch(NamedTuple):
    """Limits on one Euler branch and on the turns of a target's values, degrees, shape (3,).

    `outside`: number of channels with values outside, and number of these values.
    """

    low: Floats
    high: Floats
    turns_deg: Floats
    outside: tuple[int, int]

    @classmethod
    def from_limits(cls, low: Floats, high: Floats, held: HeldRotates) -> _Branch:
        channels = zip(held.moves, held.values, held.current[:, None])
        values = [np.degrees(keyed if moves else now) for moves, keyed, now in channels]
        turns = np.array([_turns_deg(*ends) for ends in zip(low, high, values)])
        low, high = low + turns, high + turns
        out = [_count_outside(*ends) for ends in zip(low, high, values)]
        return cls(low, high, turns, (int(np.count_nonzero(out)), sum(out)))

    def ends(self, axis: int) -> tuple[float | None, float | None]:
        low, high = float(self.low[axis]), float(self.high[axis])
        return None if np.isinf(low) else low, None if np.isinf(high) else high


def _mirror_limits(low: Floats, high: Floats, order: str) -> tuple[Floats, Floats]:
    """Limits on the other Euler branch, degrees: outer angles + 180, 180 - middle angle."""
    middle = axes_of(order)[1]
    low, high = low + 180.0, high + 180.0
    low[middle], high[middle] = 360.0 - high[middle], 360.0 - low[middle]
    return low, high


def _turns_deg(low: float, high: float, values: Floats) -> float:
    """Whole turns, in degrees, that move a range to values and leave as few outside as possible."""
    if np.isinf(low) or np.isinf(high):
        # A range with only one end always fits on some turn.
        bound, middle = (low if np.isinf(high) else high), float(np.median(values))
        is_beyond = not low <= middle <= high
        return float(360.0 * np.round((middle - bound) / 360.0)) if is_beyond else 0.0
    spare = MIN_CLAMPED_DEG / 360.0
    least = np.ceil((values.max() - high) / 360.0 - spare)
    most = np.floor((values.min() - low) / 360.0 + spare)
    if least <= most:
        return float(360.0 * np.clip(0.0, least, most))
    middle = np.round((np.median(values) - 0.5 * (low + high)) / 360.0)
    tried = (0.0, middle, least, most)
    return float(
        360.0 * min(tried, key=lambda t: _count_outside(low + 360 * t, high + 360 * t, values))
    )


def _count_outside(low: float, high: float, values: Floats) -> int:
    outside = (values < low - MIN_CLAMPED_DEG) | (values > high + MIN_CLAMPED_DEG)
    return int(outside.sum())


# Plans ------------------------------------------------------------------------------------------


def keep_poses(
    plan: limit_plan.JointPlan,
    joint: str,
    change: limit_plan.JointChange,
    states: limit_plan.PlugStates,
    held: HeldRotates,
    may_move: bool,
    asked: limit_plan.JointChange,
) -> tuple[list[Clamped], list[Clamped], list[Clamped]]:
    """Drop the channels from a plan on which limits would clamp the joint's values.

    `plan`: changed in place. Unless poses `may_move`, the limits and degree of freedom of such a
    channel are not written, and its earlier limits are switched off if its keys are filtered. Its
    preferred angle is then the one `asked` for, before it was moved to the keys. `change`: planned
    change. `states`: of the joint before the change. Returns the channels left off; the channels
    whose poses change, because they may or because earlier limits clamped them differently; and the
    channels of :func:`find_still_clamped`.
    """
    triples = limit_plan.TRIPLES if held.is_solved else limit_plan.LIMIT
    touched = {
        channel
        for axis, channel in enumerate(CHANNELS)
        if any(plan.wanted[triple][axis] is not None for triple in triples)
    }
    if not touched:
        return [], [], find_still_clamped(plan, joint, states, held)
    found = [] if may_move else held.find_changes(joint, change.limits_deg, {})
    left_off = [one for one in found if one.channel in touched]
    for axis in (CHANNELS.index(one.channel) for one in left_off):
        limits = (*limit_plan.LIMIT, limit_plan.JOINT_TYPE)
        limit_plan.drop_from_plan(plan, axis, limit_plan.TRIPLES if held.is_solved else limits)
        for switch in (limit_plan.MINIMUM_ON, limit_plan.MAXIMUM_ON) if held.is_filtered else ():
            if states[switch].values[axis] == 1.0:
                plan.wanted[switch][axis] = 0.0
    angles = plan.wanted[limit_plan.PREFERRED_ANGLE]
    if left_off and angles != [None] * 3:
        angle = limit_plan.JointChange(preferred_angle_deg=asked.preferred_angle_deg)
        angles[:] = limit_plan.plan_change(joint, angle, states, replace=True).wanted[
            limit_plan.PREFERRED_ANGLE
        ]
    touched -= {one.channel for one in left_off}
    moved = held.find_changes(joint, change.limits_deg, states.limits_deg())
    moved_channels = [one for one in moved if one.channel in touched]
    return left_off, moved_channels, find_still_clamped(plan, joint, states, held)


def find_still_clamped(
    plan: limit_plan.JointPlan, joint: str, states: limit_plan.PlugStates, held: HeldRotates
) -> list[Clamped]:
    """Channels clamped by limits that were already on in the target and that the plan keeps."""
    kept = {
        channel: ends
        for axis, (channel, ends) in enumerate(states.limits_deg().items())
        if all(plan.wanted[triple][axis] is None for triple in limit_plan.LIMIT)
    }
    return [
        one for one in held.find_changes(joint, kept, {}) if one.channel in kept and not one.driver
    ]


def entries_of(
    left_off: Sequence[Clamped], moved: Sequence[Clamped], kept: Sequence[Clamped], target: str
) -> tuple[ReviewEntry, ...]:
    """Review entries, one per joint, about channels left off in a target and poses that move.

    `kept`: channels clamped in the target by limits that were already on.
    """
    found = []
    for channels, words in (
        (left_off, "{names} got no limits in {target}: they would change {change}"),
        (moved, "limits on {names} change {change} in {target}"),
        (kept, "limits on {names} that were already in {target} change {change}"),
    ):
        by_joint: dict[str, list[Clamped]] = {}
        for one in worst_first(channels):
            by_joint.setdefault(one.joint, []).append(one)
        for joint, own in by_joint.items():
            worst, names = own[0], names_words(sorted(one.channel for one in own))
            text = words.format(names=names, target=target, change=worst.words())
            step, kind = worst.step(), "filter" if worst.filtering == "filter" else "show"
            if channels is kept:
                step, kind = "widen them, switch them off, or replace them", "show"
            flag = "--filter-keys" if kind == "filter" else ""
            action = Action(kind, step[0].upper() + step[1:], flag, joint=joint)
            place = (joint, worst.channel, None, worst.worst_deg, None, worst.frame_ranges)
            found.append(ReviewEntry(APPLIED, f"{joint}: {text}", action, *place))
    return tuple(found)


# Questions ----------------------------------------------------------------------------------------

KEEP_POSES = "Apply the ones that change nothing"
"""Answer that leaves out all channels on which limits would change poses."""
MAX_LISTED = 8
"""Largest number of channels listed in a question."""


def move_poses(found: Sequence[Clamped]) -> str:
    """Answer that switches limits on even if they change poses."""
    frames = frames_changed(found)
    changes = f"{plural(frames, 'frame')} change" if frames != 1 else "1 frame changes"
    return f"Apply all: {changes if frames else 'the current pose changes'}"


def question(found: Sequence[Clamped], noun: str = "joint") -> str:
    """Question to ask before switching on limits that would change poses, worst first."""
    lines = [f"{one.joint}.{one.channel}: {one.words()}" for one in worst_first(found)]
    listed, more = lines[:MAX_LISTED], len(lines) - MAX_LISTED
    if more > 0:
        listed.append(f"... and {plural(more, 'channel')} more")
    filtered = "\n\nFilter keys brings keys to one Euler branch, so that they fit."
    return (
        f"Limits would change poses on {clamping_words(found, noun)}:\n\n"
        + "\n".join(listed)
        + (filtered if any(one.filtering == "filter" for one in found) else "")
    )
