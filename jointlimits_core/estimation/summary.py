"""Summary of a character (the summaries of all its clips), and the samples pooled from it.

Merging is the union of the clips, and which poses are kept does not depend on the order of merging:
one summary of five hundred clips and five hundred summaries of one clip give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..base.errors import EstimationError
from ..base.findings import Finding
from ..geometry.arrays import Booleans, Floats, Integers
from ..geometry.circle import OccupiedArcs, WidestGap, widest_gap
from ..geometry.euler import wrap_angle
from ..geometry.quaternion import angle_between
from ..motion.name_matching import PREFIX_RULE, prefix_message, same_but_for_prefix
from ..motion.roots import root_joints
from ..motion.screening.screened import change_parts
from ..motion.skeleton import Skeleton
from .branches import on_one_branch
from .clip_summary import STILL_RAD, ClipSummary
from .kept_poses import bounded_poses

SUMMARY_ENDING = ".summary.npz"
SAME_ORIENTATION_RAD = np.radians(0.01)
"""Orientations that differ by less than this, as after rounding in files, count as the same."""
MERGED_AT_ONCE = 8
"""Number of summaries that are merged at once."""


class CharacterSummary(NamedTuple):
    """Clips of one character, and a bounded number of their poses.

    `skeleton`: skeleton of the first clip. `clips`: sorted by their keys, each clip once, with the
    joints in the order of `skeleton`.
    """

    skeleton: Skeleton
    clips: tuple[ClipSummary, ...]


def merge_summaries(
    summaries: Iterable[CharacterSummary], every_pose: bool = False
) -> CharacterSummary:
    """Merge summaries of one character, in any order; each clip (by name and content) appears once.

    Summaries are merged and released a few at a time. `every_pose`: keep all poses, however many.
    Raises EstimationError if there is no summary, if they belong to different characters, or if
    their channels differ in meaning.
    """
    together: list[CharacterSummary] = []
    for summary in summaries:
        together.append(summary)
        if len(together) > MERGED_AT_ONCE:
            together = [_merge_at_once(together, every_pose)]
    if not together:
        raise EstimationError("no motion to estimate limits from; add at least one clip")
    return _merge_at_once(together, every_pose)


def _merge_at_once(together: Sequence[CharacterSummary], every_pose: bool) -> CharacterSummary:
    # The choice of the first summary must not depend on the given order.
    first = min(together, key=lambda summary: (summary.clips[0].key, _content(summary)))
    alike: dict[tuple[str, str, float, float], list[ClipSummary]] = {}
    for given in together:
        summary = _with_names_of(first.skeleton, given)
        order = _joint_order(first.skeleton, summary, first.clips[0].clip.name)
        for clip in summary.clips:
            alike.setdefault(clip.key, []).append(_reorder_joints(clip, order))
    clips: list[ClipSummary] = []
    for _, equal in sorted(alike.items()):
        if len(equal) > 1:
            # The arcs of an older version have more gaps.
            equal.sort(key=lambda clip: (len(clip.arcs), clip.content))
        # Clips made in memory have no file hash, so equal names prove nothing.
        clips += equal[:1] if equal[0].clip.sha256 else equal
    kept = clips if every_pose else bounded_poses(first.skeleton, clips)
    return CharacterSummary(first.skeleton, tuple(kept))


def _content(summary: CharacterSummary) -> tuple[object, ...]:
    """Content of a summary's skeleton, for sorting."""
    bones = summary.skeleton
    frames = (bones.rest_rotations, bones.joint_orients, bones.rotate_axes)
    arrays = (bones.parents, bones.offsets, bones.scales, *frames)
    words = (bones.names, bones.rotate_orders, bones.name, bones.rest_source)
    return (*words, *(array.tobytes() for array in arrays))


def _with_names_of(skeleton: Skeleton, summary: CharacterSummary) -> CharacterSummary:
    """Summary with the joint names of a skeleton, if its own names differ only by a prefix."""
    other = summary.skeleton
    if other is skeleton or set(other.names) == set(skeleton.names):
        return summary
    found = same_but_for_prefix(
        other.names, other.parents.tolist(), skeleton.names, skeleton.parents.tolist()
    )
    if found is None:
        return summary
    names, prefixes = found
    named = replace(
        other,
        names=tuple(names[name] for name in other.names),
        declarations={names[name]: value for name, value in other.declarations.items()},
        hanging=frozenset(names[name] for name in other.hanging),
    )
    clips = []
    for clip in summary.clips:
        about = [
            replace(item, joint=names.get(item.joint, item.joint)) if item.joint else item
            for item in clip.findings
        ]
        if all(item.rule != PREFIX_RULE for item in about):
            about.append(Finding(PREFIX_RULE, prefix_message(prefixes), clip=clip.clip.name))
        animated = clip.animated
        if animated is not None:
            animated = frozenset(names.get(name, name) for name in animated)
        apart = {names.get(name, name): part for name, part in clip.apart.items()}
        clips.append(replace(clip, findings=tuple(about), animated=animated, apart=apart))
    return CharacterSummary(named, tuple(clips))


def _joint_order(skeleton: Skeleton, summary: CharacterSummary, first: str) -> Integers:
    """Indices of the joints of `skeleton` in the summary's skeleton; the two must match."""
    other, name = summary.skeleton, summary.clips[0].clip.name
    if other is skeleton:
        return np.arange(len(skeleton.names))
    if skeleton.of_controls != other.of_controls:
        kinds = ("controls", "joints") if other.of_controls else ("joints", "controls")
        raise EstimationError(
            f"clip {name!r} has {kinds[0]}, but {first!r} has {kinds[1]}; estimate each separately"
        )
    missing = sorted(set(skeleton.names) ^ set(other.names))
    if missing:
        raise EstimationError(
            f"clip {name!r} belongs to a different character than {first!r}: joints "
            f"{', '.join(missing[:5])} are not in both; estimate each character separately"
        )
    place = {joint: index for index, joint in enumerate(other.names)}
    order = np.array([place[joint] for joint in skeleton.names], dtype=np.int64)
    same = np.array([a == other.rotate_orders[b] for a, b in zip(skeleton.rotate_orders, order)])
    same &= angle_between(skeleton.joint_orients, other.joint_orients[order]) < SAME_ORIENTATION_RAD
    same &= angle_between(skeleton.rotate_axes, other.rotate_axes[order]) < SAME_ORIENTATION_RAD
    if not same.all():
        joint = skeleton.names[int(np.argmin(same))]
        raise EstimationError(
            f"joint {joint!r} of clip {name!r} has a different rotate order, jointOrient or "
            f"rotateAxis than in clip {first!r}: their channels cannot be pooled"
        )
    return order


def _reorder_joints(clip: ClipSummary, order: Integers) -> ClipSummary:
    """Clip with its joints in a different order."""
    if (order == np.arange(len(order))).all():
        return clip
    return replace(
        clip,
        second=clip.second[order],
        goes_round=clip.goes_round[order],
        lower=clip.lower.select(order),
        upper=clip.upper.select(order),
        rotations=clip.rotations[order],
        rotates=clip.rotates[order],
        arcs=clip.arcs.reorder(order),
        travels=None if clip.travels is None else clip.travels[order],
        apart=change_parts(clip.apart, lambda part: _reorder_joints(part, order)),
    )


@dataclass(frozen=True, eq=False)
class Samples:
    """Kept poses of all clips side by side, and the clips with their sums over all frames.

    If there are many clips, some have no poses.
    """

    skeleton: Skeleton
    rotations: Floats
    """Shape (joints, 4, samples)."""
    rotates: Floats
    """Radians, on one branch per joint, shape (joints, 3, samples)."""
    even: Booleans
    """Whether the sample is one of its clip's evenly spaced poses, shape (samples,)."""
    clip_of: Integers
    """Index of the sample's clip, shape (samples,)."""
    frame_of: Floats
    """Frame number in the clip, shape (samples,)."""
    clips: tuple[ClipSummary, ...]

    @cached_property
    def frames(self) -> int:
        """Number of frames used from all clips, whether kept or not."""
        return sum(clip.count for clip in self.clips)

    @cached_property
    def spans(self) -> Floats:
        """Width of every channel, shape (joints, 3)."""
        return np.ptp(self.rotates, axis=2)

    @cached_property
    def even_weights(self) -> Floats:
        """Share of all frames that each evenly spaced sample represents, (even samples,); sum 1."""
        clips = self.clip_of[self.even]
        numbers, poses = np.unique(clips, return_counts=True)
        frames = np.array([self.clips[number].count for number in numbers])
        return np.repeat(frames / poses / frames.sum(), poses)

    @cached_property
    def ends(self) -> tuple[Floats, Integers, Floats]:
        """Ends of all clips' ranges, on one branch, with their clips and frames.

        Radians, (joints, 3, ends); index of the clip, (ends,); frame number, (joints, 3, ends).
        """
        reaches = [reach for clip in self.clips for reach in (clip.lower, clip.upper)]
        values, frames = (
            np.stack(arrays, axis=-1)
            for arrays in zip(*((reach.value, reach.frame) for reach in reaches))
        )
        return values, np.repeat(np.arange(len(self.clips)), 2), frames

    def known_values(self, joint: int, axis: int) -> tuple[Floats, Integers, Floats]:
        """Values of a channel in the kept poses and at the clips' ends, with clips and frames."""
        values, clips, frames = self.ends
        return (
            np.concatenate([self.rotates[joint, axis], values[joint, axis]]),
            np.concatenate([self.clip_of, clips]),
            np.concatenate([self.frame_of, frames[joint, axis]]),
        )

    def widest_gap(self, channel: int) -> WidestGap:
        """Largest gap of a channel in all frames; `channel`: three times the joint plus 0 to 2.

        A clip without arcs of the channel covers its range.
        """
        parts = [clip.arcs.of_channel(channel) for clip in self.clips]
        counts = np.array([len(part) for part in parts])
        whole = np.flatnonzero(counts == 0)
        values, _, frames = self.ends
        place = channel // 3, channel % 3
        ends = wrap_angle(values[place].reshape(-1, 2)[whole].T)
        sources = frames[place].reshape(-1, 2)[whole].T
        ranges = OccupiedArcs(np.full(len(whole), channel), *ends, *sources)
        clips = np.concatenate([np.repeat(np.arange(len(parts)), counts), whole])
        return widest_gap(OccupiedArcs.concatenate([*parts, ranges]), clips)


def samples_of(summary: CharacterSummary) -> Samples:
    """Samples of one character, on one Euler branch per joint, with the roots seen in any clip.

    Raises EstimationError if the remaining clips of the summary have no kept pose.
    """
    if not any(clip.even.any() for clip in summary.clips):
        raise EstimationError(
            "the summary only keeps poses of excluded clips; estimate from the other clips' files"
        )
    skeleton = summary.skeleton
    clips = on_one_branch(summary.clips, skeleton.rotate_orders)
    turns, travels = np.zeros((2, len(skeleton)), dtype=bool)
    for clip in clips:
        turns |= (clip.upper.value - clip.lower.value > STILL_RAD).any(axis=1)
        travels |= False if clip.travels is None else clip.travels
    return Samples(
        skeleton=replace(skeleton, roots=root_joints(skeleton, turns, travels)),
        rotations=np.concatenate([clip.rotations for clip in clips], axis=2),
        rotates=np.concatenate([clip.rotates for clip in clips], axis=2),
        even=np.concatenate([clip.even for clip in clips]),
        clip_of=np.repeat(np.arange(len(clips)), [len(clip.frames) for clip in clips]),
        frame_of=np.concatenate([clip.frames for clip in clips]),
        clips=clips,
    )
