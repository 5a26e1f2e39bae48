"""Pooled samples of all clips of one character."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arrays import Booleans, Floats, Integers
from ..errors import EstimationError
from ..skeleton import Skeleton
from .clip_summary import ClipSummary
from .summary import CharacterSummary

MOST_EVEN = 4096
"""Most evenly spaced samples, over all clips, for the type decision."""


@dataclass(frozen=True, eq=False)
class Samples:
    """Kept poses of every clip, and the clips' sums over all frames.

    Parameters
    ----------
    rotations : array, shape (joints, 4, samples)
    rotates : array, shape (joints, 3, samples)
        Radians, on one branch per joint and clip.
    from_source : bool
        True if `rotates` come from the source in every clip.
    even : array of bool, shape (samples,)
        Samples that are evenly spaced in their clip.
    clip_of : array of int, shape (samples,)
    frame_of : array, shape (samples,)
    """

    skeleton: Skeleton
    rotations: Floats
    rotates: Floats
    from_source: bool
    even: Booleans
    clip_of: Integers
    frame_of: Floats
    clips: tuple[ClipSummary, ...]

    @cached_property
    def clip_starts(self) -> Integers:
        """First sample of every clip."""
        return np.flatnonzero(np.diff(self.clip_of, prepend=-1))

    @cached_property
    def frames(self) -> int:
        """Number of frames used of all clips, kept or not."""
        return sum(clip.count for clip in self.clips)

    @cached_property
    def second(self) -> Floats:
        """Sum of ``q q^T`` over all frames, shape (joints, 4, 4)."""
        return np.asarray(np.sum([clip.second for clip in self.clips], axis=0))

    @cached_property
    def even_starts(self) -> Integers:
        """First sample of every clip among :attr:`even_rows`."""
        return np.flatnonzero(np.diff(self.clip_of[self.even_rows], prepend=-1))

    @cached_property
    def even_weights(self) -> Floats:
        """Share of frames that each evenly spaced sample represents, (even samples,); sum 1."""
        clips = self.clip_of[self.even]
        each = np.array([clip.count for clip in self.clips]) / np.bincount(clips)
        return np.asarray(each[clips] / self.frames)

    @cached_property
    def goes_round(self) -> Booleans:
        """Channels that go through a full turn in some clip, shape (joints, 3)."""
        return np.asarray(np.any([clip.goes_round for clip in self.clips], axis=0))

    @cached_property
    def even_rows(self) -> Integers:
        """Samples for the type decision: evenly spaced, at most :data:`MOST_EVEN`."""
        rows = np.flatnonzero(self.even)
        step = -(-len(rows) // MOST_EVEN)
        return rows[::step]


def samples_of(summary: CharacterSummary) -> Samples:
    """Pool the clips of one character."""
    clips = summary.clips
    return Samples(
        skeleton=summary.skeleton,
        rotations=_side_by_side([clip.rotations for clip in clips]),
        rotates=_side_by_side([clip.rotates for clip in clips]),
        from_source=all(clip.from_source for clip in clips),
        even=np.concatenate([clip.even for clip in clips]),
        clip_of=np.repeat(np.arange(len(clips)), [len(clip.frames) for clip in clips]),
        frame_of=np.concatenate([clip.frames for clip in clips]),
        clips=clips,
    )


def matching_names(names: Sequence[str], patterns: str) -> list[str]:
    """Names that match one of several comma-separated shell-style patterns.

    Raises
    ------
    EstimationError
        If none does; the message lists the first names.
    """
    wanted = [pattern.strip() for pattern in patterns.split(",")]
    found = [n for n in names if any(fnmatch.fnmatchcase(n, pattern) for pattern in wanted)]
    if not found:
        some = ", ".join(names[:8])
        raise EstimationError(f"no joint matches {patterns!r}; the first joints are: {some}")
    return found


def _side_by_side(arrays: Sequence[Floats]) -> Floats:
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays, axis=2)
