"""The summaries of all clips of one character: what the estimate is made from.

Putting summaries together is taking the union of their clips, so it is exact and does not depend on
order: one summary of five hundred clips and five hundred of one clip each give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Floats, Integers
from ..errors import EstimationError
from ..rotation import angle_between
from ..skeleton import Skeleton
from .clip_summary import ClipSummary

SAME_FRAME = np.radians(0.01)
"""Frames of a joint that differ less, by rounding in the files, are the same."""


@dataclass(frozen=True, eq=False)
class CharacterSummary:
    """One character's clips.

    Parameters
    ----------
    skeleton : Skeleton
        Of the first clip.
    clips : tuple of ClipSummary
        Sorted by their keys, each clip once; joints in the order of `skeleton`.
    """

    skeleton: Skeleton
    clips: tuple[ClipSummary, ...]


def merged(summaries: Iterable[CharacterSummary]) -> CharacterSummary:
    """Put summaries of one character together.

    Parameters
    ----------
    summaries : iterable of CharacterSummary
        At least one; in any order.

    Returns
    -------
    CharacterSummary
        A clip that is in several of them (same name and content) is in it once.

    Raises
    ------
    EstimationError
        If they are not of one character, or their channels do not mean the same.
    """
    ordered = sorted(summaries, key=lambda summary: summary.clips[0].key)
    skeleton = ordered[0].skeleton
    clips: dict[tuple[str, str, float, float], ClipSummary] = {}
    for summary in ordered:
        order = _joint_order(skeleton, summary, ordered[0].clips[0].clip.name)
        for clip in summary.clips:
            # Clips that were made in memory have no content hash: equal names prove nothing.
            key = clip.key if clip.clip.sha256 else (*clip.key[:1], f"#{len(clips)}", *clip.key[2:])
            clips.setdefault(key, _reordered(clip, order))
    return CharacterSummary(skeleton, tuple(sorted(clips.values(), key=lambda clip: clip.key)))


def _joint_order(skeleton: Skeleton, summary: CharacterSummary, first: str) -> Integers:
    """Index in the summary's skeleton of every joint of `skeleton`, after all checks."""
    other, name = summary.skeleton, summary.clips[0].clip.name
    missing = sorted(set(skeleton.names) ^ set(other.names))
    if missing:
        raise EstimationError(
            f"clip {name!r} is of another character than {first!r}: joints "
            f"{', '.join(missing[:5])} are not in both. Estimate each character by itself"
        )
    place = {joint: index for index, joint in enumerate(other.names)}
    order = np.array([place[joint] for joint in skeleton.names], dtype=np.int64)
    same = np.array([a == other.rotate_orders[b] for a, b in zip(skeleton.rotate_orders, order)])
    for frames, others in (
        (skeleton.joint_orients, other.joint_orients),
        (skeleton.rotate_axes, other.rotate_axes),
    ):
        same &= angle_between(frames, others[order]) < SAME_FRAME
    if not same.all():
        joint = skeleton.names[int(np.argmin(same))]
        raise EstimationError(
            f"joint {joint!r} of clip {name!r} has another rotate order, jointOrient or rotateAxis "
            f"than in clip {first!r}: their channels cannot be put together"
        )
    return order


def _reordered(clip: ClipSummary, order: Integers) -> ClipSummary:
    """The same clip with its joints in another order."""
    if (order == np.arange(len(order))).all():
        return clip

    def pick(array: Floats) -> Floats:
        return np.asarray(array[order])

    return replace(
        clip,
        second=pick(clip.second),
        goes_round=clip.goes_round[order],
        lower=clip.lower.of(order),
        upper=clip.upper.of(order),
        rotations=pick(clip.rotations),
        rotates=pick(clip.rotates),
    )
