"""A clip prepared for screening, and the steps between its frames.

Quantities that several rules use are computed once, a few joints at a time. A step is sudden if it
is several times as large as the steps around it: motion speeds up and slows down over several
frames, whereas a fault begins and ends between two frames.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...base.findings import Finding
from ...geometry.arrays import Booleans, Floats, Integers, blocks, frame_ranges, runs
from ...geometry.branches import UNIQUE_WIDTH, one_branch, zero_branches
from ...geometry.circle import Interval, spanned_interval
from ...geometry.euler import TURN, axes_of, rotate_from_local
from ..motion import STILL_RAD, Motion

MAX_EQUAL_RAD = 1e-6
"""Largest angle, radians, between rotations that count as equal; angles are off by up to 1e-7."""
MIN_SUDDEN_FACTOR = 3.0
"""Minimum ratio of a sudden step to the two steps before it, after it, or both."""
MIN_SHARED_FACTOR = 2.0
"""Minimum ratio of a sudden step that many joints take at once to the steps around it."""
MIN_STEP_RAD = np.radians(8.0)
"""Smallest sudden step of one joint that is examined."""
MIN_MEDIAN_FACTOR = 5.0
"""Minimum ratio of a sudden step to the joint's median; noise exceeds it in one of 1e6 frames."""
MIN_FAST_RAD = np.radians(60.0)
"""Smallest step that is always examined."""
MIN_SLIP_RAD = np.radians(12.0)
"""Smallest jump of a joint whose zero may have slipped."""
MIN_GAP_FACTOR = 1.5
"""A gap between frame numbers this many times the median gap shows missing frames."""
ROUNDING_TOLERANCE = 1e-9
"""Rounding error of the difference between two angles, radians."""
SOME_FRAMES = 512
"""Number of evenly spaced steps from which medians are taken."""
FROZEN_SECONDS = 0.1
"""Shortest time without motion that counts as a freeze."""
MIN_RATE_HZ = 10.0
"""Minimum frame rate for judging steps: at lower rates, limbs move out and back between frames."""
MIN_HELD_SHARE = 0.5
"""A clip counts as keyed if the body holds poses for over a frame in at least this share of it."""


class SuddenSteps(NamedTuple):
    """Sudden steps of single joints, sorted by joint and frame; shape (steps,)."""

    joints: Integers
    at: Integers
    """Frame before each step."""
    begins: Booleans
    """Whether a step is sudden compared with the steps before it."""
    ends: Booleans
    """Whether a step is sudden compared with the steps after it."""


class Steps(NamedTuple):
    """Rotation between frames, radians."""

    largest: Floats
    """Largest over all joints, (frames - 1,)."""
    total: Floats
    """Sum over all joints, (frames - 1,)."""
    together: Integers
    """Number of joints with a step of any size that is sudden compared with the steps before it,
    after it, and both, (3, frames - 1)."""
    mark: Floats
    """A number per frame that is equal for equal poses, (frames,)."""
    moving: Booleans
    """Whether the joint ever turns by :data:`STILL_RAD` from its first rotation, (joints,)."""
    sudden: SuddenSteps
    uneven: Integers
    """Joints with a jump of :data:`MIN_SLIP_RAD` or more."""
    frozen: tuple[tuple[int, int, int], ...]
    """Stretches without motion of a joint that moves at other times: (joint, first frame, last)."""


@dataclass(frozen=True, eq=False)
class Clip:
    """Motion with the quantities that several rules use."""

    motion: Motion
    rotates: Floats
    """Rotate channels, radians, on one branch per joint, nearest to zero, (joints, 3, frames)."""
    changed: Mapping[int, Booleans]
    """Frames keyed on a different branch from most frames, per affected joint, (frames,)."""
    span: Interval
    """Ranges of the channels, (joints, 3)."""
    turning: Booleans
    """Channels whose own keys turn all the way round, (joints, 3)."""
    steps: Steps

    @cached_property
    def moving_joints(self) -> Integers:
        """Joints that move."""
        return np.flatnonzero(self.steps.moving)

    @cached_property
    def is_keyed(self) -> bool:
        """Whether the clip has keyed poses, so that jumps and holds are not faults."""
        holds = [last - first for first, last in runs(self.steps.largest < MAX_EQUAL_RAD)]
        held = sum(hold for hold in holds if hold > 1)
        is_held = len(holds) > 0 and held >= MIN_HELD_SHARE * len(self.steps.largest)
        return is_held or self.motion.frame_rate < MIN_RATE_HZ

    @cached_property
    def gaps(self) -> list[int]:
        """Steps across missing frames, such as excluded frames."""
        numbers = np.diff(self.motion.frames)
        usual = float(np.median(numbers)) if len(numbers) else 0.0
        return np.flatnonzero(numbers > MIN_GAP_FACTOR * usual).tolist()

    def finding(
        self, rule: str, message: str, joint: int | None, chosen: Booleans, sure: bool = True
    ) -> Finding:
        """Finding about chosen frames, (frames,); if `sure`, the frames may be left out."""
        name = None if joint is None else self.motion.joint_names[joint]
        ranges = frame_ranges(self.motion.frames, chosen)
        return Finding(rule, message, name, self.motion.name, ranges, sure and bool(ranges))

    def frames_between(self, *stretches: tuple[int, int]) -> Booleans:
        """Frames of stretches (first, last), shape (frames,)."""
        chosen = np.zeros(self.motion.frame_count, dtype=bool)
        for first, last in stretches:
            chosen[first : last + 1] = True
        return chosen


def choose_branches(
    motion: Motion, on_one_branch: bool, joints: Collection[int] | None = None
) -> tuple[Floats, dict[int, Booleans], Interval, Booleans]:
    """Rotate channels, frames on other branches, ranges and turning channels, as in :class:`Clip`.

    `on_one_branch`: whether to bring every joint, or each of `joints`, to one branch.
    """
    skeleton, rotates = motion.skeleton, motion.rotates
    orders = skeleton.rotate_orders
    if rotates is None:
        rotates = np.empty((len(skeleton), 3, motion.frame_count))
        for row, form in enumerate(zip(skeleton.joint_orients, skeleton.rotate_axes, orders)):
            rotates[row] = rotate_from_local(motion.rotations[row].T, *form).T
    span = spanned_interval(rotates)
    turning = span.gap < 0.0
    if motion.rotates is not None:
        turning = _turning_channels(rotates, span)
    changed: dict[int, Booleans] = {}
    # Joints whose keys may be on several branches, or on a branch that is not nearest to zero.
    nearest = zero_branches(span.low.T, span.high.T, np.array([axes_of(one)[1] for one in orders]))
    wide = np.minimum(span.high - span.low, TURN).sum(axis=1) >= UNIQUE_WIDTH
    chosen = np.flatnonzero(wide | nearest.mirrored | nearest.half_turns.any(axis=0)).tolist()
    chosen = [joint for joint in chosen if joints is None or joint in joints]
    if not on_one_branch or not chosen:
        return rotates, changed, span, turning
    rotates = rotates.copy()
    for joint in chosen:
        branches = one_branch(rotates[joint], orders[joint])
        rotates[joint] = branches.apply(rotates[joint], axes_of(orders[joint])[1])
        # The turns of a wheel are motion, whether wrapped or not.
        usual = branches.is_usual(~turning[joint] & (np.ptp(rotates[joint], axis=1) < TURN))
        if not usual.all():
            changed[joint] = ~usual
    return rotates, changed, spanned_interval(rotates), turning


def _turning_channels(rotates: Floats, span: Interval) -> Booleans:
    """Channels whose steps between keys are turns rather than wrapped angles, (joints, 3).

    A wheel that turns once per frame has the same pose in all frames; only its keys show the turns.
    """
    turning = span.high - span.low >= TURN - ROUNDING_TOLERANCE
    for joint, axis in np.argwhere(turning):
        steps = np.diff(rotates[joint, axis])
        large = np.abs(steps) >= MAX_STEP_RAD
        ways = np.where(large, np.sign(steps), 0.0)
        starts = np.flatnonzero(np.diff(ways, prepend=np.nan) != 0.0)
        way, lengths = ways[starts], np.diff(np.append(starts, len(steps)))
        sizes = np.abs(np.add.reduceat(steps, starts))
        # A step back right after a large step ends a glitch.
        alone = np.pad(way == 0.0, 1, constant_values=True)
        alone = alone[:-2] & alone[2:]
        lasting = lengths >= min(MIN_TURNING_STEPS, len(steps))
        lasting &= sizes >= TURN - ROUNDING_TOLERANCE
        turning[joint, axis] = ((way != 0.0) & (lasting | (alone & (sizes >= MAX_WRAP)))).any()
    return turning


MAX_STEP_RAD = TURN / 3.0
"""Smallest step between frames that may be a turn; a single one may be a change of branch."""
MIN_TURNING_STEPS = 3
"""Minimum number of consecutive large steps of a turning channel in one direction. Wrapped or
partly filtered keys make one such step, and one back."""
MAX_WRAP = 4.5 * TURN
"""Largest jump due to wrapping: no known program adds more turns, so a larger step is a turn."""


def angles(first: Floats, second: Floats) -> Floats:
    """Angle between rotations (..., 4, n), radians, (..., n); up to 1e-7 for equal rotations."""
    alike = np.abs(np.einsum("...kf,...kf->...f", first, second))
    return np.asarray(2.0 * np.arccos(np.minimum(alike, 1.0)))


def steps_of(motion: Motion) -> Steps:
    """Rotation between frames, computed a few joints at a time."""
    rotations = motion.rotations
    joints, _, frames = rotations.shape
    largest, total, mark = np.zeros(frames - 1), np.zeros(frames - 1), np.zeros(frames)
    together, moving = np.zeros((3, frames - 1), dtype=np.int32), np.zeros(joints, dtype=bool)
    shortest = shortest_freeze(motion)
    sudden: list[tuple[Integers, ...]] = []
    uneven = [np.zeros(0, dtype=np.int64)]
    frozen: list[tuple[int, int, int]] = []
    for part in blocks(rotations):
        some = rotations[part]
        steps = angles(some[:, :, :-1], some[:, :, 1:])
        most = steps.max(axis=0, initial=0.0)
        np.maximum(largest, most, out=largest)
        total += steps.sum(axis=0)
        moving[part] = (angles(some[:, :, :1], some) >= STILL_RAD).any(axis=1)
        flat = some.reshape(-1, frames)
        mark += np.einsum("k,kf->f", np.cos(np.arange(len(flat)) + 4.0 * part.start), flat)
        before, after = neighbouring_steps(steps, STILL_RAD / MIN_SHARED_FACTOR)
        begins, ends = steps > MIN_SHARED_FACTOR * before, steps > MIN_SHARED_FACTOR * after
        for counts, which in zip(together, (begins, ends, begins & ends)):
            counts += which.sum(axis=0, dtype=np.int32)
        sudden.append(_find_sudden_steps(steps, before, after, part.start))
        if most.max(initial=0.0) > 0.49 * MIN_SLIP_RAD:  # no jump is larger than about two steps
            uneven.append(np.flatnonzero((jumps(some) >= MIN_SLIP_RAD).any(axis=1)) + part.start)
        # Stretches in which single joints do not move at all.
        for joint, no_step in enumerate(steps < MAX_EQUAL_RAD, part.start):
            stretches = [] if no_step.all() else runs(no_step)
            frozen += [(joint, *pair) for pair in stretches if pair[1] - pair[0] >= shortest]
    return Steps(
        *(largest, total, together, mark, moving),
        SuddenSteps(*map(np.concatenate, zip(*sudden))),
        np.concatenate(uneven),
        tuple(frozen),
    )


def neighbouring_steps(steps: Floats, least: float = 0.0) -> tuple[Floats, Floats]:
    """Larger of the two steps before each, and of the two after it; at least `least`."""
    larger = np.full((len(steps), steps.shape[1] + 3), least)
    for begin in (1, 2):
        part = larger[:, begin : begin + steps.shape[1]]
        np.maximum(part, steps, out=part)
    return larger[:, :-3], larger[:, 3:]


def _find_sudden_steps(
    steps: Floats, before: Floats, after: Floats, start: int
) -> tuple[Integers, ...]:
    """Sudden steps of some joints, as the fields of :class:`SuddenSteps`."""
    least = np.full(len(steps), MIN_STEP_RAD)
    if steps.shape[1]:
        some = steps[:, :: max(1, steps.shape[1] // SOME_FRAMES)]
        least = np.maximum(least, MIN_MEDIAN_FACTOR * np.median(some, axis=1))
    joints, at = np.nonzero(steps > least[:, None])
    size = steps[joints, at]
    begins, ends = (size > MIN_SUDDEN_FACTOR * near[joints, at] for near in (before, after))
    kept = begins | ends | (size > MIN_FAST_RAD)
    return joints[kept] + start, at[kept], begins[kept], ends[kept]


def jumps(rotations: Floats) -> Floats:
    """Angle between each step and the mean of its two neighbours, radians, (joints, frames - 1).

    It is 0 at both ends. `rotations`, (joints, 4, frames).
    """
    # Vector parts of the rotations between frames, (joints, 3, frames - 1).
    first, second = rotations.take(_FIRST, axis=1), rotations.take(_SECOND, axis=1)
    wedge = first[:, :, :-1] * second[:, :, 1:] - second[:, :, :-1] * first[:, :, 1:]
    alike = np.einsum("jkf,jkf->jf", rotations[:, :, :-1], rotations[:, :, 1:])
    turns = (wedge[:, :3] + wedge[:, 3:]) * np.where(alike < 0.0, -1.0, 1.0)[:, None]
    unlike = turns[:, :, 1:-1] - 0.5 * (turns[:, :, :-2] + turns[:, :, 2:])
    sizes = np.zeros((len(turns), turns.shape[2]))
    length = np.sqrt(np.einsum("jkf,jkf->jf", unlike, unlike))
    sizes[:, 1:-1] = 2.0 * np.arcsin(np.minimum(length, 1.0))
    return sizes


_FIRST, _SECOND = np.array([3, 3, 3, 2, 0, 1]), np.array([0, 1, 2, 1, 2, 0])
"""Rows of the wedge products wx, wy, wz and zy, xz, yx, whose sum is the turn between frames."""


def shortest_freeze(motion: Motion) -> int:
    """Smallest number of steps without motion that counts as a freeze."""
    return max(int(np.ceil(FROZEN_SECONDS * motion.frame_rate)), 4)
