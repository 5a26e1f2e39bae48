"""Check of the rest pose against the limits, and replacements for it.

The paper's test (equations 20 and 21) is strict and only adds full turns, so a rest pose exactly at
the minimum, or more than a turn above it, fails. Here the angle is moved into the interval from
either side, with a small tolerance. All three remedies of the paper (section 2.4) are offered and
checked, because the circular mean of a range wider than half a turn can be outside the range.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..base.errors import EstimationError
from ..geometry import arrays, circle, euler
from ..limits import limit_set, ranges
from .moment import Moment
from .options import EstimateOptions
from .summary import Samples

MIN_MEAN_LENGTH = 0.05
"""A mean vector (equation 23) shorter than this has no meaningful direction."""

Rest = tuple[arrays.Floats, str]
"""Local rotations of all joints, shape (joints, 4), and their source."""


class RestCandidates(NamedTuple):
    """Rest poses and remedies for all joints, as rotate channels, radians."""

    rotations: arrays.Floats
    """Local rotations of the rest pose, shape (joints, 4)."""
    rest: arrays.Floats
    """Shape (joints, 3)."""
    nearest: arrays.Floats
    """Pose in the motion that is nearest to the rest pose, shape (joints, 3)."""
    circular_mean: arrays.Floats
    """Circular means of the channels (equation 24), shape (joints, 3)."""
    mean_defined: arrays.Booleans
    """Whether all three circular means have a direction, shape (joints,)."""


def rest_rotations(
    samples: Samples, moment: Moment, options: EstimateOptions, given: Rest | None
) -> tuple[arrays.Floats, str]:
    """Local rotations of the rest pose, shape (joints, 4), and their source.

    Raises EstimationError if the options name a frame but there are only summaries of the clips.
    """
    if given is not None:
        return given
    if options.rest == "bind":
        return samples.skeleton.rest_rotations, samples.skeleton.rest_source
    if options.rest == "mean":
        return moment.mean_rotation, "mean of the motion"
    if options.rest == "first":
        clip = samples.clips[samples.clip_of[0]]
        return samples.rotations[:, :, 0], f"first frame of {clip.clip.name}"
    raise EstimationError(
        f"rest pose {options.rest!r} needs every frame, which a summary does not "
        "have; give the clip"
    )


def rest_candidates(samples: Samples, rotations: arrays.Floats) -> RestCandidates:
    """Rotate channels of the rest pose `rotations`, shape (joints, 4), and of two remedies."""
    closeness = np.abs(np.einsum("jk,jkn->jn", rotations, samples.rotations))
    nearest = samples.rotates[np.arange(len(rotations)), :, closeness.argmax(axis=1)]
    # On the branch of the motion, which is also the branch of the limits.
    skeleton = samples.skeleton
    turns = euler.turn_from_local(rotations, skeleton.joint_orients, skeleton.rotate_axes)
    each = zip(turns, nearest, skeleton.rotate_orders)
    rest = np.array([euler.euler_near(*one) for one in each]).reshape(-1, 3)
    # Mean cosine and sine of the channels over all frames (equation 23), (2, joints, 3).
    even, shares = samples.rotates[:, :, samples.even], samples.even_weights
    cosine, sine = np.cos(even) @ shares, np.sin(even) @ shares
    defined = (np.hypot(cosine, sine) >= MIN_MEAN_LENGTH).all(axis=1)
    return RestCandidates(rotations, rest, nearest, np.arctan2(sine, cosine), defined)


def bounds_deg(
    limits: Sequence[Sequence[limit_set.AxisLimit]],
) -> tuple[arrays.Floats, arrays.Floats]:
    """Minima and maxima of joint limits, shapes (joints, 3); NaN where a channel is free."""
    pairs = np.array([[(axis.min_deg, axis.max_deg) for axis in joint] for joint in limits], float)
    return pairs[..., 0], pairs[..., 1]


def checked_poses(
    rotate_deg: arrays.Floats, low: arrays.Floats, high: arrays.Floats
) -> list[limit_set.RestPose]:
    """Poses, degrees, (joints, 3), on the branch of the limits and checked against the limits."""
    free = np.isnan(low)
    # The motion of a free channel may include any number of full turns.
    turns = np.where(free, np.rint(rotate_deg / ranges.TURN_DEG), 0.0)
    rotate_deg = rotate_deg - ranges.TURN_DEG * turns
    low, high = np.where(free, rotate_deg, low), np.where(free, rotate_deg, high)
    # Values inside the limits keep their last digits.
    stays = (low <= rotate_deg) & (rotate_deg <= high)
    moved = np.degrees(circle.into_interval(*np.radians([rotate_deg, low, high])))
    placed = np.where(stays, rotate_deg, moved)
    beyond = np.where(stays, 0.0, np.maximum(np.maximum(low - placed, placed - high), 0.0))
    outside = beyond.max(axis=1)
    outside = np.where(outside > ranges.TOLERANCE_DEG, outside, 0.0)
    return [
        limit_set.RestPose((x, y, z), far == 0.0, far)
        for (x, y, z), far in zip(placed.tolist(), outside.tolist())
    ]


def remedies(
    candidates: RestCandidates, low: arrays.Floats, high: arrays.Floats
) -> list[dict[str, limit_set.RestPose | None]]:
    """The paper's three remedies for every joint, each checked.

    These are "nearest-pose", "middle" (equation 22) and "circular-mean" (equation 24; None if the
    motion covers the circle so evenly that it has no mean).
    """
    middle = np.where(np.isnan(low), 0.0, 0.5 * (low + high))
    poses = (np.degrees(candidates.nearest), middle, np.degrees(candidates.circular_mean))
    checked = zip(*(checked_poses(each, low, high) for each in poses), candidates.mean_defined)
    return [
        {"nearest-pose": nearest, "middle": centre, "circular-mean": mean if defined else None}
        for nearest, centre, mean, defined in checked
    ]
