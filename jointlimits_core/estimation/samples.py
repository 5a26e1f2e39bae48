"""The samples of all clips of one character, side by side."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arrays import Floats, Integers
from ..errors import EstimationError
from ..motion import Motion
from ..rotation import angle_between
from ..screening import Screened
from ..skeleton import Skeleton

SAME_FRAME = np.radians(0.01)
"""Frames of a joint that differ less, by rounding in the files, are the same."""


@dataclass(frozen=True, eq=False)
class Samples:
    """Rotations of the chosen joints in every frame of every clip.

    Parameters
    ----------
    skeleton : Skeleton
        Of the first clip.
    joints : array of int
        Indices of the chosen joints in the skeleton, parents first.
    rotations : array, shape (chosen, 4, samples)
    rotates : array, shape (chosen, 3, samples)
        Radians, on one branch per joint and clip.
    from_source : bool
        True if `rotates` are the source's own channels in every clip.
    clip_of : array of int, shape (samples,)
    frame_of : array, shape (samples,)
    clips : tuple of Motion
        As read, before screening.
    """

    skeleton: Skeleton
    joints: Integers
    rotations: Floats
    rotates: Floats
    from_source: bool
    clip_of: Integers
    frame_of: Floats
    clips: tuple[Motion, ...]

    @cached_property
    def names(self) -> list[str]:
        """Names of the chosen joints."""
        return [self.skeleton.names[joint] for joint in self.joints]

    @cached_property
    def clip_starts(self) -> Integers:
        """First sample of every clip."""
        return np.flatnonzero(np.diff(self.clip_of, prepend=-1))

    @cached_property
    def orders(self) -> list[str]:
        """Rotate orders of the chosen joints."""
        return [self.skeleton.rotate_orders[joint] for joint in self.joints]

    def rotations_at(self, frame: float) -> tuple[Floats, str]:
        """Rotations of the chosen joints in one frame of the clips as they were read.

        A frame that screening left out will do: an inserted T-pose is a fine rest pose.

        Parameters
        ----------
        frame : float
            The source's own frame number.

        Returns
        -------
        rotations : array, shape (chosen, 4)
            Of the first clip that has the frame.
        where : str
            Which one that is.

        Raises
        ------
        EstimationError
            If no clip has it, or it has values that are not numbers.
        """
        for clip in self.clips:
            found = np.flatnonzero(np.abs(clip.frames - frame) < 1e-9)
            if found.size:
                chosen = _columns(self.clips[0], clip)[self.joints]
                rotations, where = clip.rotations[chosen, :, found[0]], f"frame {frame:g} of "
                if not np.isfinite(rotations).all():
                    raise EstimationError(
                        f"{where}{clip.name} has values that are not numbers; take the rest pose "
                        "from another"
                    )
                return rotations, where + clip.name
        ranges = ", ".join(f"{c.frames[0]:g} to {c.frames[-1]:g}" for c in self.clips[:4])
        raise EstimationError(
            f"no clip has the frame {frame:g} that the rest pose is to be taken from; they have "
            f"frames {ranges}"
        )


def pooled(screened: Sequence[Screened], clips: Sequence[Motion]) -> Samples:
    """Put the clips of one character side by side.

    Parameters
    ----------
    screened : sequence of Screened
    clips : sequence of Motion
        The same clips as read.

    Returns
    -------
    Samples

    Raises
    ------
    EstimationError
        If the clips are not of one character, or their channels do not mean the same.
    """
    first = screened[0].motion
    skeleton = first.skeleton
    columns = [_columns(first, item.motion) for item in screened]
    for item, column in zip(screened[1:], columns[1:]):
        _check_frames(first, item.motion, column)
    return Samples(
        skeleton,
        np.arange(len(skeleton)),
        _side_by_side([item.motion.rotations for item in screened], columns),
        _side_by_side([item.rotates for item in screened], columns),
        all(item.motion.rotates is not None for item in screened),
        np.concatenate([np.full(item.motion.frame_count, i) for i, item in enumerate(screened)]),
        np.concatenate([item.motion.frames for item in screened]),
        tuple(clips),
    )


def matching_names(names: Sequence[str], patterns: str) -> list[str]:
    """Names that match one of the shell-style patterns, which are separated by commas.

    Raises
    ------
    EstimationError
        If none does; the message has the first names that there are.
    """
    wanted = [pattern.strip() for pattern in patterns.split(",")]
    found = [n for n in names if any(fnmatch.fnmatchcase(n, pattern) for pattern in wanted)]
    if not found:
        some = ", ".join(names[:8])
        raise EstimationError(f"no joint matches {patterns!r}; the first joints are: {some}")
    return found


def _side_by_side(arrays: Sequence[Floats], chosen: Sequence[Integers]) -> Floats:
    if len(arrays) == 1:
        return arrays[0]
    return np.concatenate([array[index] for array, index in zip(arrays, chosen)], axis=2)


def _columns(first: Motion, motion: Motion) -> Integers:
    """Index in `motion` of every joint of the first clip."""
    names = motion.joint_names
    if names == first.joint_names:
        return np.arange(len(names))
    missing = sorted(set(first.joint_names) ^ set(names))
    if missing:
        raise EstimationError(
            f"clip {motion.name!r} is of another character than {first.name!r}: joints "
            f"{', '.join(missing[:5])} are not in both. Estimate each character by itself"
        )
    place = {name: index for index, name in enumerate(names)}
    return np.array([place[name] for name in first.joint_names])


def _check_frames(first: Motion, motion: Motion, columns: Integers) -> None:
    """Channels can be pooled only where they turn in the same frame and order."""
    one, two = first.skeleton, motion.skeleton
    same = np.array([a == two.rotate_orders[b] for a, b in zip(one.rotate_orders, columns)])
    for frames, others in (
        (one.joint_orients, two.joint_orients),
        (one.rotate_axes, two.rotate_axes),
    ):
        same &= angle_between(frames, others[columns]) < SAME_FRAME
    if not same.all():
        name = one.names[int(np.argmin(same))]
        raise EstimationError(
            f"joint {name!r} of clip {motion.name!r} has another rotate order, jointOrient or "
            f"rotateAxis than in clip {first.name!r}: their channels cannot be put together"
        )
