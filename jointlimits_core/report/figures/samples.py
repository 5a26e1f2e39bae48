"""Samples of one joint for figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...estimation.as_printed import ANGLES, zyz_as_printed
from ...geometry.arrays import Booleans, Floats, Integers, in_ranges
from ...geometry.circle import euler_in_box, into_box
from ...geometry.euler import CHANNELS, rotate_from_local, wrap_angle
from ...geometry.quaternion import conjugate, multiply, rotation_vector_from_quaternion
from ...limits.limit_set import JointLimit, LimitSet
from ...limits.ranges import orientation_of, span_of
from ...motion.motion import Motion


@dataclass(frozen=True)
class JointSamples:
    """Rotations of one joint in all clips, one after the other."""

    rotations: Floats
    """Quaternions relative to the parent, shape (samples, 4)."""
    channels: tuple[str, ...]
    """Names of the columns of `contiguous`."""
    contiguous: Floats
    """Degrees on the branch of the limits, shape (samples, channels)."""
    clip: Integers
    """Index of the clip among the motions, shape (samples,)."""
    frame: Floats
    """The clip's own frame numbers, shape (samples,)."""
    progress: Floats
    """Share of the joint's total rotation in the clip completed at each sample, from 0 to 1,
    shape (samples,). Unlike time, it separates the poses of a joint that seldom moves."""

    def __len__(self) -> int:
        return len(self.rotations)

    @cached_property
    def mean(self) -> Floats:
        """Mean rotation, shape (4,); the identity without samples."""
        return mean_rotation(self.rotations)

    @cached_property
    def vectors(self) -> Floats:
        """Rotation vectors relative to the mean, in degrees, shape (samples, 3)."""
        return relative_rotation_vectors(self.rotations, self.mean)


def samples_of(limit_set: LimitSet, joint: str, motions: Sequence[Motion]) -> JointSamples:
    """Collect the samples of one joint that the estimate used.

    Motions without the joint are ignored; if no motion has it, there are no samples.
    """
    limit, parts = limit_set.joints[joint], []
    channels: tuple[str, ...] = CHANNELS
    if not set(limit.limits) <= set(CHANNELS):
        channels = ANGLES[2:] if len(limit.limits) == 1 else ANGLES
    for number, motion in enumerate(motions):
        if joint in motion.joint_names:
            index = motion.skeleton.index(joint)
            rotations, kept = motion.rotations[index].T, ~excluded_frames(limit_set, joint, motion)
            angles = np.zeros((len(rotations), 3))
            if channels == CHANNELS:
                angles = rotates_of(motion, index, limit)
            own = (rotations, angles, np.full(len(rotations), number), motion.frames)
            parts.append([part[kept] for part in (*own, _progress(rotations))])
    if not parts:
        none, nobody = np.zeros((0, len(limit.limits))), np.zeros(0, dtype=np.int64)
        names = tuple(limit.limits)
        return JointSamples(np.zeros((0, 4)), names, none, nobody, np.zeros(0), np.zeros(0))
    rotations, angles, clip, frame, progress = map(np.concatenate, zip(*parts))
    if channels == CHANNELS:
        angles = on_branch(angles, limit)
    else:
        q = np.where(rotations[:, 3:] < 0.0, -rotations, rotations)
        if len(channels) == 1:  # a hinge as the paper prints it, equation 12
            angles = 2.0 * np.arctan2(q[:, 3:], np.linalg.norm(q[:, :3], axis=1, keepdims=True))
        else:
            angles = zyz_as_printed(q)
        angles = into_box(angles, *_bounds(limit, channels))
    return JointSamples(rotations, channels, np.degrees(angles), clip, frame, progress)


def _progress(rotations: Floats) -> Floats:
    """Share of the clip's total rotation done so far, (frames,), from 0 to 1."""
    apart = np.diff(rotations, axis=0)
    squares = np.einsum("fk,fk->f", apart, apart)
    # Both signs are the same rotation; the nearer quaternion is at most a right angle away.
    steps = np.nan_to_num(np.arcsin(0.5 * np.sqrt(np.minimum(squares, np.abs(4.0 - squares)))))
    turned = np.concatenate([[0.0], np.cumsum(steps)])
    return np.asarray(turned / max(float(turned[-1]), 1e-12))


def excluded_frames(limit_set: LimitSet, joint: str, motion: Motion) -> Booleans:
    """Mask of a clip's frames that are not finite or left out of a joint's estimate, (frames,)."""
    out: Booleans = ~np.isfinite(motion.rotations[motion.skeleton.index(joint)]).all(axis=0)
    limit = limit_set.joints.get(joint)
    for item in (*limit_set.findings, *(limit.findings if limit else ())):
        if item.left_out and item.joint in (None, joint) and item.clip in (None, motion.name):
            out |= in_ranges(motion.frames, item.frame_ranges)
    return out


def rotates_of(motion: Motion, index: int, limit: JointLimit) -> Floats:
    """Rotate channels in the orientation of the limits, (frames, 3) radians."""
    order = limit.orientation.rotate_order
    own = limit.orientation.kind == "own" and motion.skeleton.rotate_orders[index] == order
    if own and motion.rotates is not None:
        return np.asarray(motion.rotates[index].T)
    orient, axis = orientation_of(limit.orientation)
    if own:
        orient, axis = motion.skeleton.joint_orients[index], motion.skeleton.rotate_axes[index]
    return rotate_from_local(motion.rotations[index].T, orient, axis, order)


def _bounds(limit: JointLimit, channels: Sequence[str]) -> tuple[Floats, Floats]:
    """Minimum and maximum of channels in radians; infinite unless a channel has both."""
    spans = [span_of(limit.limits[one]) if one in limit.limits else None for one in channels]
    low, high = np.radians([span or (-np.inf, np.inf) for span in spans]).T
    return low, high


def on_branch(angles: Floats, limit: JointLimit) -> Floats:
    """Move values of rotate channels, (samples, 3) radians, to the limits' branch.

    The rotations stay the same. Of the two Euler solutions of each sample, the one closer to the
    limits is returned, shifted by full turns where needed; a free channel is in its first turn.
    """
    low, high = _bounds(limit, CHANNELS)
    near = euler_in_box(angles, low, high, limit.orientation.rotate_order)
    return np.where(np.isfinite(low), near, wrap_angle(near))


def mean_rotation(rotations: Floats) -> Floats:
    """Mean rotation by least squared chords (Markley et al. 2007), shape (4,)."""
    return np.asarray(np.linalg.eigh(rotations.T @ rotations)[1][:, -1])


def relative_rotation_vectors(rotations: Floats, reference: Floats) -> Floats:
    """Rotations relative to a reference, in degrees about the joint's own axes.

    Takes quaternions of shape (..., 4) and (4,); returns axis times angle, shape (..., 3), the
    shorter way round, so the length is at most 180.
    """
    return np.degrees(rotation_vector_from_quaternion(multiply(conjugate(reference), rotations)))
