"""The summaries of all clips of one character: what the estimate is made from.

Putting summaries together is taking the union of their clips, so it is exact and does not depend on
order: one summary of five hundred clips and five hundred of one clip each give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
        A clip that is in several of them (same name and file content) is in it once; of one that
        was screened in two ways, one is taken, whatever their order.

    Raises
    ------
    EstimationError
        If there are none, they are not of one character, or their channels do not mean the same.
    """
    together = list(summaries)
    if not together:
        raise EstimationError("there is no summary to put together")
    first = _first(together)
    alike: dict[tuple[str, str, float, float], list[ClipSummary]] = {}
    for summary in together:
        order = _joint_order(first.skeleton, summary, first.clips[0].clip.name)
        for clip in summary.clips:
            alike.setdefault(clip.key, []).append(_reordered(clip, order))
    clips = [clip for key in sorted(alike) for clip in _each_once(alike[key])]
    return CharacterSummary(first.skeleton, tuple(clips))


def _first(summaries: Sequence[CharacterSummary]) -> CharacterSummary:
    """The summary whose first clip comes before all others, whatever their order."""
    least = min(summary.clips[0].key for summary in summaries)
    some = [summary for summary in summaries if summary.clips[0].key == least]
    return some[0] if len(some) == 1 else min(some, key=lambda item: _written(item.skeleton))


def _written(skeleton: Skeleton) -> tuple[object, ...]:
    """Everything of a skeleton that can be compared."""
    frames = (skeleton.rest_rotations, skeleton.joint_orients, skeleton.rotate_axes)
    arrays = (skeleton.parents, skeleton.offsets, skeleton.scales, *frames)
    words = (skeleton.names, skeleton.rotate_orders, skeleton.name, skeleton.rest_source)
    return (*words, *(array.tobytes() for array in arrays))


def _each_once(alike: Sequence[ClipSummary]) -> list[ClipSummary]:
    """Clips that have one key, a file only once, in an order that their content gives."""
    if len(alike) == 1:
        return list(alike)
    ordered = sorted(alike, key=lambda clip: clip.content)
    # Clips that were made in memory have no hash of a file: equal names prove nothing.
    return ordered[:1] if ordered[0].clip.sha256 else ordered


def _joint_order(skeleton: Skeleton, summary: CharacterSummary, first: str) -> Integers:
    """Index in the summary's skeleton of every joint of `skeleton`, after all checks."""
    other, name = summary.skeleton, summary.clips[0].clip.name
    if other is skeleton:
        return np.arange(len(skeleton.names))
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
