"""Summary of one clip, small enough to store and to merge with others.

It holds everything that an estimate needs: sums over all frames, the ends of the ranges with their
frames and how they were reached, and a few hundred complete poses. Some poses are spread over the
clip, for joint types; others are the extreme frames. A character keeps the sums and ends of its
clips separate, so the order of merging does not matter, and adding a clip does not require reading
the others again. The more clips there are, the fewer poses are kept of each
(:mod:`jointlimits_core.estimation.kept_poses`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePath
from typing import NamedTuple

import numpy as np

from ..base.findings import Finding
from ..base.progress import Progress, report_progress
from ..geometry import branches, circle, euler
from ..geometry.arrays import Booleans, Floats, Integers, blocks, distinct, runs
from ..limits.exclusions import EXCLUDED_RULES
from ..limits.limit_set import ClipRecord
from ..limits.review_steps import Run, frame_count
from ..motion.motion import Motion
from ..motion.roots import traveling_joints
from ..motion.screening.clip import MAX_STEP_RAD
from ..motion.screening.screened import Screened, change_parts
from .moment import moment_from_second

EVEN_FRAMES = 512
"""Number of evenly spaced frames to keep."""

NEAR_RAD = np.radians(1.0)
"""A channel within this distance of an extreme counts as having reached it."""
HELD_SECONDS = 0.1
"""Minimum time at an extreme for the pose to count as held."""
STILL_RAD = np.radians(0.01)
"""Range, or step between frames, below which a channel counts as still."""
LONE_RAD = np.radians(10.0)
"""Minimum distance by which an excursion goes beyond all other stretches of the clip."""
STRETCH_COUNT = 16
"""Number of stretches per clip; an excursion lies in at most two adjacent stretches."""
LONE_SECONDS = 1.0
"""Duration of the longest excursion whose ends are kept."""
STEADY_FRAMES = 3
"""Number of frames for which an extreme must be held; if held for fewer, it is an outlier."""

ROUNDING_RAD = 1e-9
"""Rounding makes equal angles on different branches differ by less than this."""

CUT, TURNED, HELD = 0, 1, 2
STOPS = ("cut", "turned", "held")
"""Kinds of stop at an extreme: the clip starts or ends, the motion turns around, a pose is held."""


class Reach(NamedTuple):
    """One end (minima or maxima) of all ranges in one clip; shapes (joints, 3)."""

    value: Floats
    """Extreme, radians."""
    visits: Integers
    """Number of times that the channel came within a degree of the extreme."""
    stop: Integers
    """:data:`CUT`, :data:`TURNED` or :data:`HELD`."""
    steady: Floats
    """Most extreme value that was held for :data:`STEADY_FRAMES` frames."""
    steady_frame: Floats
    """Frame number of this value."""
    frame: Floats
    """Frame number of the extreme."""

    def select(self, joints: Integers) -> Reach:
        """Reach of chosen joints, in the given order."""
        return Reach._make(values[joints] for values in self)

    def replace_joints(self, joints: Integers | Booleans, others: Reach) -> Reach:
        """Copy in which some joints have the values from `others`."""
        arrays = [values.copy() for values in self]
        for array, other in zip(arrays, others):
            array[joints] = other
        return Reach._make(arrays)

    def mirror(self) -> Reach:
        """Reach of the negated channels: a minimum becomes a maximum."""
        return self._replace(value=-self.value, steady=-self.steady)


def both_reaches(
    rotates: Floats, frames: Floats, frame_rate: float, span: circle.Interval | None = None
) -> tuple[Reach, Reach]:
    """Reaches at the minima and maxima of channels, (joints, 3, frames), radians.

    `span`: ranges of the channels, if known.
    """
    span = span or circle.spanned_interval(rotates)
    least = max(int(np.ceil(HELD_SECONDS * frame_rate)), STEADY_FRAMES)
    lower = _upper_reach(-rotates, -span.low, span.low_at, frames, least)
    return lower.mirror(), _upper_reach(rotates, span.high, span.high_at, frames, least)


def _upper_reach(
    rotates: Floats, value: Floats, value_at: Integers, frames: Floats, least: int
) -> Reach:
    """Reaches at the maxima of channels; `least`: minimum frame count of a held pose."""
    count, channels = len(frames), rotates.reshape(-1, len(frames))
    near = channels >= value.reshape(-1, 1) - NEAR_RAD - ROUNDING_RAD
    stays = [[stop - first for first, stop in runs(row)] for row in near]
    visits = np.array([len(lengths) for lengths in stays]).reshape(value.shape)
    longest = np.array([max(lengths) for lengths in stays]).reshape(value.shape)
    stop = np.where(longest >= least, HELD, TURNED)
    # The clip begins by moving away from the extreme, or ends while moving toward it.
    for end, beside in ((0, min(1, count - 1)), (-1, max(count - 2, 0))):
        away = rotates[..., end] - rotates[..., beside] > STILL_RAD + ROUNDING_RAD
        is_extreme = rotates[..., end] >= value - ROUNDING_RAD
        stop[(is_extreme & away) | (count < 2)] = CUT
    # The lowest value in the run of frames in which the channel stays highest.
    width = min(STEADY_FRAMES, count)
    ends = count - width + 1
    held = np.min([rotates[..., shift : ends + shift] for shift in range(width)], axis=0)
    at = held.argmax(axis=-1)
    stay = np.take_along_axis(rotates, at[..., None] + np.arange(width), axis=-1)
    steady_frame = frames[at + stay.argmin(axis=-1)]
    return Reach(value, visits, stop, stay.min(axis=-1), steady_frame, frames[value_at])


def support_frames(
    count: int, furthest: Integers, even: int = EVEN_FRAMES
) -> tuple[Integers, Booleans]:
    """Frames to keep, and whether each is one of the evenly spaced frames.

    `furthest`: frames with extremes. `even`: number of evenly spaced frames.
    """
    if count <= even:
        return np.arange(count), np.ones(count, dtype=bool)
    spaced = distinct(np.round(np.linspace(0, count - 1, even)).astype(np.int64))
    chosen = distinct(np.concatenate([spaced, furthest]))
    return chosen, np.isin(chosen, spaced)


def extreme_frames(
    rotates: Floats, span: circle.Interval, rotations: Floats, hinges: Floats
) -> Integers:
    """Unordered frames at the ends of the ranges of channels and of `hinges` (great circles)."""
    # The angle from the mean rotation grows with the ratio of the components on the great circle.
    parts = hinges @ rotations
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = parts[:, 1] / parts[:, 0]
    slope[np.isnan(slope)] = 0.0
    extremes = [span.low_at, span.high_at, slope.argmin(axis=1), slope.argmax(axis=1)]
    wide = rotates[span.high - span.low >= 0.75 * euler.TURN]
    if len(wide):
        arc = circle.contiguous_interval(wide)
        extremes += [arc.low_at, arc.high_at]
    return np.concatenate([at.ravel() for at in extremes])


def excursion_ends(rotates: Floats, longest: float) -> Integers:
    """Frames at and beside both ends of brief excursions, shape (n,).

    An excursion is a stretch of a clip that extends a range by at least :data:`LONE_RAD`. If these
    frames are kept, the excursion can be left out exactly. `longest`: maximum length in frames.
    """
    found: list[int] = []
    starts = np.arange(STRETCH_COUNT) * rotates.shape[2] // STRETCH_COUNT
    for sign, furthest in ((-1.0, np.minimum), (1.0, np.maximum)):
        ends = sign * furthest.reduceat(rotates, starts, axis=2)
        tops = ends.max(axis=2)
        beside = np.abs(np.arange(STRETCH_COUNT) - ends.argmax(axis=2)[..., None]) <= 1
        rest = np.where(beside, -np.inf, ends).max(axis=2)
        for joint, axis in np.argwhere(tops - rest >= LONE_RAD):
            middle = 0.5 * (tops[joint, axis] + rest[joint, axis])
            high = np.flatnonzero(sign * rotates[joint, axis] > middle)
            if high[-1] - high[0] < longest:
                found += [high[0] - 1, high[0], high[-1], high[-1] + 1]
    return np.clip(np.array(found, dtype=np.int64), 0, rotates.shape[2] - 1)


@dataclass(frozen=True, eq=False)
class ClipSummary:
    """Summary of one clip; per-joint arrays have the joints of its skeleton on the first axis."""

    clip: ClipRecord
    from_source: bool
    """Whether the file had rotate channels, not just rotations."""
    animated: frozenset[str] | None
    """Animated joints; None if all joints are animated."""
    findings: tuple[Finding, ...]
    count: int
    """Number of frames used."""
    second: Floats
    """Sum of ``q q^T`` over these frames, shape (joints, 4, 4)."""
    goes_round: Booleans
    """Whether the channel goes through a full turn in small steps, shape (joints, 3)."""
    lower: Reach
    upper: Reach
    frames: Floats
    """Frame numbers of the kept poses, shape (support,)."""
    even: Booleans
    """Whether each kept pose is one of the evenly spaced poses, shape (support,)."""
    rotations: Floats
    """Shape (joints, 4, support)."""
    rotates: Floats
    """Shape (joints, 3, support)."""
    arcs: circle.OccupiedArcs = circle.NO_ARCS
    """Arcs covered in all frames by channels with gaps or full turns; others cover their range."""
    stride: int = 1
    """Spacing of the evenly spaced poses that are still kept, 1 for all of them; a power of two."""
    travels: Booleans | None = None
    """Whether each joint changes position, (joints,); None in summaries from older versions."""
    apart: Mapping[str, ClipSummary | None] = field(default_factory=dict)
    """Summaries of the same clip for joints that have their own exclusions, by joint name; None if
    no frame of the joint remains."""

    def of_joint(self, name: str) -> ClipSummary | None:
        """Summary that applies to a joint; None if the clip is excluded for this joint."""
        part = self.apart.get(name, self)
        if part is None or part is self:
            return part
        return replace(part, findings=self.findings, animated=self.animated)

    @cached_property
    def held_counts(self) -> Mapping[str, int]:
        """Number of used frames in which each joint holds an earlier pose (its own is left out)."""
        runs: dict[str, list[Run]] = {}
        for item in self.findings:
            if item.left_out and item.rule not in EXCLUDED_RULES:
                own = runs.setdefault(item.joint or "", [])
                own += [(self.clip.name, first, last) for first, last in item.frame_ranges]
        clips, whole = [self.clip], runs.pop("", [])
        gone = frame_count(clips, whole)
        return {name: frame_count(clips, [*own, *whole]) - gone for name, own in runs.items()}

    @property
    def key(self) -> tuple[str, str, float, float]:
        """Sort key, so that the order of clips never matters."""
        return self.clip.name, self.clip.sha256 or "", self.clip.first_frame, self.clip.last_frame

    @property
    def content(self) -> bytes:
        """Hash of the content, independent of joint order; distinguishes clips with equal keys.

        Poses are left out of it, because a summary of many clips keeps fewer of them.
        """
        animated = None if self.animated is None else sorted(self.animated)
        about = (self.clip, self.from_source, animated, self.findings, self.count)
        head = repr(about).encode("utf-8", "surrogatepass")
        rows = zip(self.second, *self.lower, *self.upper)
        joints = sorted(
            hashlib.sha256(b"".join(part.tobytes() for part in row)).digest() for row in rows
        )
        return hashlib.sha256(head + b"".join(joints)).digest()


def clip_summary(
    screened: Screened, clip: Motion, even: int = EVEN_FRAMES, progress: Progress | None = None
) -> ClipSummary:
    """Summary of a screened clip, with `even` evenly spaced poses; `clip`: the unscreened clip."""

    def summary_of(part: Screened) -> ClipSummary:
        return _summary_of_part(part, clip, even, progress)

    return replace(summary_of(screened), apart=change_parts(screened.apart, summary_of))


def _summary_of_part(
    screened: Screened, clip: Motion, even: int, progress: Progress | None
) -> ClipSummary:
    motion, rotates, source = screened.motion, screened.rotates, clip.source
    second = motion.rotations @ np.swapaxes(motion.rotations, 1, 2)
    for joint, kept in _kept_frames(screened, slice(None)):
        poses = motion.rotations[joint][:, kept]
        second[joint] = poses @ poses.T * (len(kept) / kept.sum())
    circles = None  # every frame of a short clip is kept
    if motion.frame_count > even:
        circles = moment_from_second(second).vectors[:, :2]
    looks = []
    for part in blocks(rotates):
        report_progress(progress, part.start, len(rotates), f"summarizing {clip.name}")
        looks.append(_summarize_joints(screened, part, circles))
    goes_round, lower, upper, furthest, arcs = zip(*looks)
    chosen, is_even = support_frames(motion.frame_count, np.concatenate(furthest), even)
    return ClipSummary(
        clip=ClipRecord(
            name=clip.name,
            file=None if source is None else PurePath(source.path).name,
            sha256=None if source is None else source.sha256,
            frames=clip.frame_count,
            first_frame=float(clip.frames[0]),
            last_frame=float(clip.frames[-1]),
            frame_rate=clip.frame_rate,
        ),
        from_source=motion.rotates is not None,
        animated=clip.animated,
        findings=screened.findings,
        count=motion.frame_count,
        second=second,
        goes_round=np.concatenate(goes_round),
        lower=Reach._make(map(np.concatenate, zip(*lower))),
        upper=Reach._make(map(np.concatenate, zip(*upper))),
        frames=motion.frames[chosen],
        even=is_even,
        # Indexing would give a different memory layout, and so sums that differ in the last bits.
        rotations=np.take(motion.rotations, chosen, axis=-1),
        rotates=np.take(rotates, chosen, axis=-1),
        arcs=circle.OccupiedArcs.concatenate(arcs),
        travels=traveling_joints(motion),
    )


GOLDEN = 0.5 * (np.sqrt(5.0) - 1.0)
"""Share of a turn; for any n, its first n multiples are spread evenly over the turn."""


def with_turns_seen(screened: Screened) -> Screened:
    """Clip in which channels that make full turns between frames are sampled during the turns.

    A channel that turns by about 360 degrees per frame looks the same in every frame. Each frame is
    therefore sampled at a different point of the step that follows it.
    """
    screened = screened._replace(apart=change_parts(screened.apart, with_turns_seen))
    motion, turning = screened.motion, screened.turning
    joints = np.flatnonzero(turning.any(axis=1))
    if motion.rotates is None or not len(joints):
        return screened
    share = np.mod(GOLDEN * np.arange(1, motion.frame_count + 1), 1.0)
    rotations, rotates, skeleton = motion.rotations.copy(), screened.rotates.copy(), motion.skeleton
    for joint in joints:
        keys = motion.rotates[joint]
        order = skeleton.rotate_orders[joint]
        steps = np.diff(keys, axis=1, append=keys[:, -1:])
        seen = keys + share * steps * turning[joint][:, None]
        orient, axis = skeleton.joint_orients[joint], skeleton.rotate_axes[joint]
        rotations[joint] = euler.local_from_rotate(seen.T, orient, axis, order).T
        rotates[joint] = branches.one_branch(seen, order).apply(seen, euler.axes_of(order)[1])
    span = circle.Interval.concatenate([screened.span])
    for name, values in vars(circle.spanned_interval(rotates[joints])).items():
        getattr(span, name)[joints] = values
    motion = replace(motion, rotations=rotations)
    return screened._replace(motion=motion, rotates=rotates, span=span)


def _kept_frames(screened: Screened, part: slice) -> Iterator[tuple[int, Booleans]]:
    """Joints of a block that hold an earlier pose in some frames, and their other frames."""
    if screened.held is None:
        return
    held = screened.held[part]
    for joint in np.flatnonzero(held.any(axis=1) & ~held.all(axis=1)).tolist():
        yield joint, ~held[joint]


def _summarize_joints(
    screened: Screened, part: slice, circles: Floats | None
) -> tuple[Booleans, Reach, Reach, Integers, circle.OccupiedArcs]:
    """Full turns, both reaches, extreme frames and arcs of a block of joints."""
    motion = screened.motion
    rotations, rotates = motion.rotations[part], screened.rotates[part]
    span = screened.span.select(part)
    lower, upper = both_reaches(rotates, motion.frames, motion.frame_rate, span)
    for joint, kept in _kept_frames(screened, part):
        row, own = np.array([joint]), rotates[joint : joint + 1][..., kept]
        low, high = both_reaches(own, motion.frames[kept], motion.frame_rate)
        lower, upper = lower.replace_joints(row, low), upper.replace_joints(row, high)
    furthest = np.zeros(0, np.int64)
    arcs = circle.occupied_arcs(rotates, motion.frames, part.start, span)
    if circles is not None:
        ends = extreme_frames(rotates, span, rotations, circles[part])
        longest = LONE_SECONDS * motion.frame_rate
        furthest = np.concatenate([ends, excursion_ends(rotates, longest)])
    # A fast wheel has no limit, although its few samples leave a wide gap on the circle.
    goes_round: Booleans = span.high - span.low >= 0.5 * euler.TURN
    if goes_round.any():
        turning = np.unwrap(rotates[goes_round], axis=-1)
        steps = np.abs(np.diff(turning, axis=-1)).max(axis=-1, initial=0.0)
        goes_round[goes_round] = (np.ptp(turning, axis=-1) >= euler.TURN) & (steps < MAX_STEP_RAD)
    goes_round |= screened.turning[part]
    return goes_round, lower, upper, furthest, arcs
