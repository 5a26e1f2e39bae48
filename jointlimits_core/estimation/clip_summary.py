"""Summary of one clip, small enough to keep and to merge with others.

It holds everything the estimate needs: sums over all frames, how the ends of the ranges were
reached, and a few hundred whole poses: spread over the clip for types and shapes, and the extreme
frames, so that every limit is a value of a numbered frame. Clips are never mixed: a library is the
set of its clip summaries, so merging does not depend on order and a new clip is read alone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import PurePath

import numpy as np

from ..base import Finding, Progress, tell
from ..geometry import TURN, Booleans, Floats, Integers, contiguous_interval
from ..limits import ClipRecord
from ..motion import Motion, Screened, blocks, taken
from .hinge import hinge_circles
from .noise import moment_from_second
from .reach import Reach, both_reaches, joined

EVEN = 512
"""Number of evenly spaced frames to keep."""
BLOCK_BYTES = 1 << 20
"""Bytes of rotate channels processed at a time."""
LARGEST_STEP = TURN / 3.0
"""Larger steps between frames may be a branch change instead of a turn."""


def support_frames(count: int, furthest: Integers, even: int = EVEN) -> tuple[Integers, Booleans]:
    """Choose frames.

    `count`: frames of the clip. `furthest`: frames needed for some joint's range, in any order; see
    :func:`extreme_frames`. `even`: number of evenly spaced frames.

    Returns
    -------
    chosen : array of int, shape (chosen,)
        Increasing; all frames of a clip with no more than `even`.
    is_even : array of bool, shape (chosen,)
        The evenly spaced ones.
    """
    if count <= even:
        return np.arange(count), np.ones(count, dtype=bool)
    spaced = np.unique(np.round(np.linspace(0, count - 1, even)).astype(np.int64))
    chosen = np.unique(np.concatenate([spaced, furthest]))
    return chosen, np.isin(chosen, spaced)


def extreme_frames(
    rotates: Floats, rotations: Floats, circle: Floats, from_source: bool
) -> Integers:
    """Extreme frames of all ranges, shape (n,).

    Parameters
    ----------
    rotates : array, shape (joints, 3, frames)
        Rotate channels on one branch, radians.
    rotations : array, shape (joints, 4, frames)
    circle : array, shape (joints, 2, 4)
        Best hinge of each joint in this clip.
    from_source : bool
        Whether the channels come from the source.
    """
    extremes = [rotates.argmin(axis=2), rotates.argmax(axis=2), *_hinge_extremes(rotations, circle)]
    return np.concatenate([at.ravel() for at in extremes + _arc_ends(rotates, from_source)])


def _hinge_extremes(rotations: Floats, circle: Floats) -> list[Integers]:
    """Frames of the smallest and largest angle about the best hinge.

    The angle from the mean rotation grows with the ratio of the two parts, so it is not computed.
    """
    cosine, sine = np.moveaxis(circle @ rotations, 1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.nan_to_num(sine / cosine)
    return [slope.argmin(axis=1), slope.argmax(axis=1)]


def _arc_ends(rotates: Floats, from_source: bool) -> list[Integers]:
    """Frames at both sides of the largest gap, for channels that may turn all the way round."""
    wide = np.ptp(rotates, axis=2) >= (1.5 if from_source else 1.0) * np.pi
    if not wide.any():
        return []
    arc = contiguous_interval(rotates[wide])
    return [arc.low_at, arc.high_at]


@dataclass(frozen=True, eq=False)
class ClipSummary:
    """One clip's summary; arrays have the joints of its skeleton first.

    Parameters
    ----------
    from_source : bool
        The rotate channels are the source's own.
    animated : frozenset of str or None
        Joints with animation; None if all.
    count : int
        Frames used.
    second : array, shape (joints, 4, 4)
        Sum of ``q q^T`` over them.
    goes_round : array of bool, shape (joints, 3)
        The channel goes through a full turn, step by step.
    frames : array, shape (support,)
        Frame numbers of the kept poses.
    even : array of bool, shape (support,)
        Whether each is one of the evenly spaced poses.
    rotations : array, shape (joints, 4, support)
    rotates : array, shape (joints, 3, support)
    """

    clip: ClipRecord
    from_source: bool
    animated: frozenset[str] | None
    findings: tuple[Finding, ...]
    count: int
    second: Floats
    goes_round: Booleans
    lower: Reach
    upper: Reach
    frames: Floats
    even: Booleans
    rotations: Floats
    rotates: Floats

    @property
    def key(self) -> tuple[str, str, float, float]:
        """Sort key, so that the order of clips never matters."""
        return self.clip.name, self.clip.sha256 or "", self.clip.first_frame, self.clip.last_frame

    @property
    def content(self) -> bytes:
        """Hash of the content, independent of joint order; distinguishes clips with equal keys."""
        animated = None if self.animated is None else sorted(self.animated)
        about = (self.clip, self.from_source, animated, self.findings, self.count)
        whole = hashlib.sha256(repr(about).encode("utf-8", "surrogatepass"))
        whole.update(self.frames.tobytes())
        for joint in sorted(
            hashlib.sha256(second.tobytes() + rotations.tobytes() + rotates.tobytes()).digest()
            for second, rotations, rotates in zip(self.second, self.rotations, self.rotates)
        ):
            whole.update(joint)
        return whole.digest()


def clip_summary(
    screened: Screened, clip: Motion, even: int = EVEN, progress: Progress | None = None
) -> ClipSummary:
    """Summarize a clip.

    Parameters
    ----------
    screened : Screened
        The clip after screening.
    clip : Motion
        As read.
    even : int
        Number of evenly spaced poses to keep; all if the clip has no more frames.
    progress : callable, optional
        Called with (done, total, label) before each few joints; returning False cancels.
    """
    motion, rotates = screened.motion, screened.rotates
    from_source = motion.rotates is not None
    # Joints that fit into the processor's cache together.
    looks = []
    for part in blocks(rotates, motion.rotations, size=BLOCK_BYTES):
        tell(progress, part.start, len(rotates), f"summarizing {clip.name}")
        looks.append(_look(screened, part, from_source))
    furthest = np.concatenate([look.furthest for look in looks])
    chosen, is_even = support_frames(motion.frame_count, furthest, even)
    return ClipSummary(
        clip=_record(clip),
        from_source=from_source,
        animated=clip.animated,
        findings=screened.findings,
        count=motion.frame_count,
        second=np.concatenate([look.second for look in looks]),
        goes_round=np.concatenate([look.goes_round for look in looks]),
        lower=joined([look.lower for look in looks]),
        upper=joined([look.upper for look in looks]),
        frames=motion.frames[chosen],
        even=is_even,
        # An index would give another layout in memory, and so sums with other last bits.
        rotations=taken(motion.rotations, chosen),
        rotates=taken(rotates, chosen),
    )


@dataclass(frozen=True, eq=False)
class _Look:
    """Summary of a few joints."""

    second: Floats
    goes_round: Booleans
    lower: Reach
    upper: Reach
    furthest: Integers


def _look(screened: Screened, part: slice, from_source: bool) -> _Look:
    motion = screened.motion
    rotations, rotates = motion.rotations[part], screened.rotates[part]
    second = rotations @ np.swapaxes(rotations, 1, 2)
    circle = hinge_circles(moment_from_second(second), motion.skeleton.rotate_axes[part])
    lower, upper = both_reaches(rotates, motion.frames, motion.frame_rate)
    return _Look(
        second=second,
        goes_round=_goes_round(rotates),
        lower=lower,
        upper=upper,
        furthest=extreme_frames(rotates, rotations, circle, from_source),
    )


def _record(clip: Motion) -> ClipRecord:
    source = clip.source
    return ClipRecord(
        name=clip.name,
        file=None if source is None else PurePath(source.path).name,
        sha256=None if source is None else source.sha256,
        frames=clip.frame_count,
        first_frame=float(clip.frames[0]),
        last_frame=float(clip.frames[-1]),
        frame_rate=clip.frame_rate,
    )


def _goes_round(rotates: Floats) -> Booleans:
    """Whether channels pass through a full turn or more, step by step.

    A fast wheel is sampled in few places and leaves a wide gap on the circle, yet has no limit.
    """
    result: Booleans = np.ptp(rotates, axis=2) >= 0.5 * TURN
    if result.any():
        turning = np.unwrap(rotates[result], axis=-1)
        steps = np.abs(np.diff(turning, axis=-1)).max(axis=-1, initial=0.0)
        result[result] = (np.ptp(turning, axis=-1) >= TURN) & (steps < LARGEST_STEP)
    return result
