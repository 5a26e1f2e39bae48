"""Poses kept in a summary of many clips: a bounded number, the same for any order of merging.

A pose that is kept from all clips would also be kept from any subset of them. Poses of a subset can
therefore be dropped before the other clips are known, and merging in any order and grouping keeps
the same poses. Sums over all frames and the ends of ranges, with their frames, are not affected:
limits and their evidence do not depend on kept poses. Joint types, hinges, advice and findings do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..geometry.arrays import Floats, Integers, distinct, in_ranges
from ..geometry.quaternion import conjugate, multiply
from ..motion.skeleton import Skeleton
from .clip_summary import ClipSummary

MAX_EVEN_POSES = 2048
"""Maximum number of evenly spaced poses from all clips."""
MIN_OF_CLIP = 32
"""Minimum number of evenly spaced poses kept from a longer clip, unless all are dropped: the fit of
a universal joint's cross-talk has eight terms and needs four poses for each."""


def bounded_poses(skeleton: Skeleton, clips: Sequence[ClipSummary]) -> Sequence[ClipSummary]:
    """Clips with no more poses than a summary may have; `clips` are sorted by their keys.

    While there are more than :data:`MAX_EVEN_POSES` evenly spaced poses, every other one is dropped
    from clips that then still have :data:`MIN_OF_CLIP`; after that, whole clips, chosen by a hash
    of their keys, lose theirs. Once any have been dropped, the only other poses kept are those
    in which a joint goes furthest among all clips.
    """
    parts = [part for clip in clips for _, part in sorted(clip.apart.items()) if part is not None]
    if parts:
        every = list({id(part): part for part in parts}.values())
        kept = dict(zip(map(id, every), bounded_poses(skeleton, every)))
        clips = [
            replace(clip, apart={n: p and kept[id(p)] for n, p in clip.apart.items()})
            for clip in clips
        ]
    counts, strides = _even_counts(clips)
    if (counts > 0).all() and (strides == 1).all():
        return clips
    furthest = _furthest_poses(skeleton, clips)
    return [
        _keep_poses(clip, at, count, stride)
        for clip, at, count, stride in zip(clips, furthest, counts.tolist(), strides.tolist())
    ]


def _even_counts(clips: Sequence[ClipSummary]) -> tuple[Integers, Integers]:
    """Number of evenly spaced poses to keep from each clip, and their strides."""
    counts = np.array([np.count_nonzero(clip.even) for clip in clips])
    strides = np.array([clip.stride for clip in clips])
    stride, has_dropped = int(strides.max()), bool((counts == 0).any())
    while True:
        while (more := (strides < stride) & (counts >= 2 * MIN_OF_CLIP)).any():
            counts = np.where(more, (counts + 1) // 2, counts)
            strides = np.where(more, 2 * strides, strides)
        is_enough = counts.sum() <= MAX_EVEN_POSES and not has_dropped
        if is_enough or not (counts >= 2 * MIN_OF_CLIP).any():
            break
        stride *= 2
    if not is_enough:
        # The first clip always keeps its first pose, which may be the rest pose.
        others = sorted(range(1, len(clips)), key=lambda at: _priority(clips[at]))
        # If a subset has already dropped a clip, all clips after it are dropped too.
        sums = np.cumsum(np.where(counts == 0, MAX_EVEN_POSES, counts)[others])
        counts[np.array(others)[sums > MAX_EVEN_POSES - 2 * MIN_OF_CLIP]] = 0
    return counts, strides


def _priority(clip: ClipSummary) -> bytes:
    """Hash of the clip's key; of too many clips, those with the smallest hashes keep poses."""
    return hashlib.sha256(repr(clip.key).encode("utf-8", "surrogatepass")).digest()


def _furthest_poses(skeleton: Skeleton, clips: Sequence[ClipSummary]) -> list[list[int]]:
    """Indices of each clip's poses in which a joint goes furthest among all clips.

    These are the extremes of its channels, on the clips' branches, and of its quaternion relative
    to zero channels, which hinges about other axes and the pose nearest to the rest pose require.
    If a finding is about the joint, the extremes without the finding's frames are included,
    for the limits that would then hold.
    """
    found: list[list[int]] = [[] for _ in clips]
    some = [number for number, clip in enumerate(clips) if len(clip.frames)]
    seen = (_measures(skeleton, clips[number]) for number in some)
    # Shapes (joints, measures); the first of equal clips and poses counts.
    places, tops = zip(*((one.argmax(axis=2), one.max(axis=2)) for one in seen))
    winners = np.argmax(tops, axis=0)
    for row, measure in np.ndindex(*winners.shape):
        winner = winners[row, measure]
        found[some[winner]].append(int(places[winner][row, measure]))
    joints = {name: row for row, name in enumerate(skeleton.names)}
    for number, clip in enumerate(clips):
        about = [item for item in clip.findings if item.channel and not item.left_out]
        for item in about if found[number] else ():
            rest = np.flatnonzero(~in_ranges(clip.frames, item.frame_ranges))
            values = clip.rotates[joints[str(item.joint)]][:, rest]
            if len(rest):
                ends = np.concatenate([values.argmin(axis=1), values.argmax(axis=1)])
                found[number] += rest[ends].tolist()
    return found


def _measures(skeleton: Skeleton, clip: ClipSummary) -> Floats:
    """Channels, quaternions relative to zero channels with w >= 0, and the negatives of both.

    Shape (joints, 14, poses).
    """
    zero = multiply(skeleton.joint_orients, skeleton.rotate_axes)
    # The last bits of a matrix product would depend on the number of poses.
    turned = multiply(conjugate(zero)[:, None], np.swapaxes(clip.rotations, 1, 2))
    turned = np.swapaxes(turned, 1, 2)
    both = clip.rotates, turned * np.sign(turned[:, 3:])
    return np.concatenate([*both, *map(np.negative, both)], axis=1)


def _keep_poses(clip: ClipSummary, furthest: Sequence[int], count: int, stride: int) -> ClipSummary:
    """Clip with `count` of its evenly spaced poses and the furthest ones."""
    if not len(clip.frames):  # true of most clips if there are thousands
        return clip
    even = np.flatnonzero(clip.even)[:: stride // clip.stride][:count]
    chosen = distinct(np.concatenate([even, furthest]).astype(np.int64))
    return replace(
        clip,
        frames=clip.frames[chosen],
        even=np.isin(chosen, even),
        # Indexing would give a different memory layout, and so sums that differ in the last bits.
        rotations=np.take(clip.rotations, chosen, axis=-1),
        rotates=np.take(clip.rotates, chosen, axis=-1),
        stride=stride,
    )
