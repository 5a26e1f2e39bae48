"""The samples of all clips of one character, side by side."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arrays import Booleans, Floats, Integers
from ..errors import EstimationError
from ..skeleton import Skeleton
from .clip_summary import ClipSummary
from .reach import Reach
from .summary import CharacterSummary

MOST_EVEN = 4096
"""Evenly spaced samples that types are decided on, over all clips."""


@dataclass(frozen=True, eq=False)
class Samples:
    """The kept poses of the chosen joints in every clip, and the clips' sums over all frames.

    Parameters
    ----------
    skeleton : Skeleton
    joints : array of int
        Indices of the chosen joints in the skeleton, parents first.
    rotations : array, shape (chosen, 4, samples)
    rotates : array, shape (chosen, 3, samples)
        Radians, on one branch per joint and clip.
    from_source : bool
        True if `rotates` are the source's own channels in every clip.
    even : array of bool, shape (samples,)
        Samples that are evenly spaced in their clip.
    clip_of : array of int, shape (samples,)
    frame_of : array, shape (samples,)
    clips : tuple of ClipSummary
    """

    skeleton: Skeleton
    joints: Integers
    rotations: Floats
    rotates: Floats
    from_source: bool
    even: Booleans
    clip_of: Integers
    frame_of: Floats
    clips: tuple[ClipSummary, ...]

    @cached_property
    def names(self) -> list[str]:
        """Names of the chosen joints."""
        return [self.skeleton.names[joint] for joint in self.joints]

    @cached_property
    def orders(self) -> list[str]:
        """Rotate orders of the chosen joints."""
        return [self.skeleton.rotate_orders[joint] for joint in self.joints]

    @cached_property
    def clip_starts(self) -> Integers:
        """First sample of every clip."""
        return np.flatnonzero(np.diff(self.clip_of, prepend=-1))

    @cached_property
    def frames(self) -> int:
        """Frames of all clips that took part, kept or not."""
        return sum(clip.count for clip in self.clips)

    @cached_property
    def second(self) -> Floats:
        """Sum of ``q q^T`` over all frames, shape (chosen, 4, 4)."""
        return np.asarray(np.sum([clip.second[self.joints] for clip in self.clips], axis=0))

    @cached_property
    def circular_sums(self) -> tuple[Floats, Floats]:
        """Sums of cosine and sine of the channels over all frames, shapes (chosen, 3)."""
        cosines = np.sum([clip.cosines[self.joints] for clip in self.clips], axis=0)
        sines = np.sum([clip.sines[self.joints] for clip in self.clips], axis=0)
        return np.asarray(cosines), np.asarray(sines)

    @cached_property
    def goes_round(self) -> Booleans:
        """Channels that go through a full turn in some clip, shape (chosen, 3)."""
        return np.asarray(np.any([clip.goes_round[self.joints] for clip in self.clips], axis=0))

    @cached_property
    def reaches(self) -> tuple[list[Reach], list[Reach]]:
        """Lower and upper ends of every clip."""
        lower = [clip.lower.of(self.joints) for clip in self.clips]
        return lower, [clip.upper.of(self.joints) for clip in self.clips]

    @cached_property
    def even_rows(self) -> Integers:
        """Samples that types are decided on: evenly spaced, at most :data:`MOST_EVEN`."""
        rows = np.flatnonzero(self.even)
        step = -(-len(rows) // MOST_EVEN)
        return rows[::step]


def samples_of(summary: CharacterSummary, patterns: str) -> Samples:
    """Put the clips of one character side by side.

    Parameters
    ----------
    summary : CharacterSummary
    patterns : str
        Shell-style patterns of joint names, separated by commas.

    Returns
    -------
    Samples

    Raises
    ------
    EstimationError
        If no joint matches.
    """
    skeleton, clips = summary.skeleton, summary.clips
    joints = chosen_joints(skeleton, patterns)
    return Samples(
        skeleton=skeleton,
        joints=joints,
        rotations=_side_by_side([clip.rotations for clip in clips], joints),
        rotates=_side_by_side([clip.rotates for clip in clips], joints),
        from_source=all(clip.from_source for clip in clips),
        even=np.concatenate([clip.even for clip in clips]),
        clip_of=np.repeat(np.arange(len(clips)), [len(clip.frames) for clip in clips]),
        frame_of=np.concatenate([clip.frames for clip in clips]),
        clips=clips,
    )


def chosen_joints(skeleton: Skeleton, patterns: str) -> Integers:
    """Indices of the joints whose names match one of the patterns.

    Raises
    ------
    EstimationError
        If none does; the message has the first names that there are.
    """
    wanted = [pattern.strip() for pattern in patterns.split(",")]
    matching = [
        index
        for index, name in enumerate(skeleton.names)
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in wanted)
    ]
    if not matching:
        some = ", ".join(skeleton.names[:8])
        raise EstimationError(f"no joint matches {patterns!r}; the first joints are: {some}")
    return np.array(matching, dtype=np.int64)


def _side_by_side(arrays: list[Floats], joints: Integers) -> Floats:
    if len(arrays) == 1 and len(joints) == len(arrays[0]):
        return arrays[0]
    return np.concatenate([array[joints] for array in arrays], axis=2)
