"""Exact joint gaps frame by frame, the number of independent frames, and skin that they show.

Skin that shifts with the turning of a joint, by a linear map, looks in part like another place of
the joint. The other part stays in the gaps: of a ball joint six of the nine entries of the map, of
a hinge one of three. Hidden entries of the same size make places uncertain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..geometry import quaternion
from ..geometry.arrays import Booleans, Floats, Integers
from .result import BodyFit, BodyJoint
from .tracks import BodyTracks

MIN_FOLLOWING_SHARE = 0.15
"""Minimum share of the gaps that follows the joints' rotation if skin does."""
MIN_TURNING_RAD = float(np.radians(1.5))
"""Smallest rotation about a direction, rms, for which following it can be measured."""
HIDDEN_FACTOR = 1.15
"""Size of hidden entries relative to visible ones: the skin of both bodies shifts, and part of it
follows the acceleration. Chosen on one half of the recordings."""
NOISELESS_M = 1e-6
"""Differences between gaps below this are rounding."""
SEEN_ENTRIES = (0, 1, 3, 6)
"""Entries of the map that stay in the gaps, by the number of directions that a joint turns about:
three each, less those that a place can replace."""


class JointEnds(NamedTuple):
    """Bodies of joints, shape (joints,), and their places in both, metres, shape (joints, 3)."""

    child: Integers
    parent: Integers
    in_child: Floats
    in_parent: Floats

    def only(self, rows: Integers) -> JointEnds:
        """Chosen joints."""
        places = self.in_child[rows], self.in_parent[rows]
        return JointEnds(self.child[rows], self.parent[rows], *places)


def joint_ends(fit: BodyFit) -> JointEnds:
    """Bodies and places of a fit's joints."""
    joints = fit.joints
    return JointEnds(
        np.array([joint.child for joint in joints], dtype=np.int64),
        np.array([joint.parent for joint in joints], dtype=np.int64),
        np.array([joint.centre_in_child for joint in joints]).reshape(-1, 3),
        np.array([joint.centre_in_parent for joint in joints]).reshape(-1, 3),
    )


def joint_gaps(
    tracks: BodyTracks, child: Integers, parent: Integers, in_child: Floats, in_parent: Floats
) -> Floats:
    """Gaps of joints, each as of :func:`joint_gap`, shape (joints, frames, 3)."""
    gaps = np.empty((len(child), tracks.frame_count, 3))
    for row, end in enumerate(zip(child, parent, in_child, in_parent)):
        gaps[row] = joint_gap(tracks, *end)
    return gaps


def gap_lengths(tracks: BodyTracks, ends: JointEnds) -> Floats:
    """Lengths of the gaps of joints, metres, shape (joints, frames); NaN where there is none."""
    return np.asarray(np.linalg.norm(joint_gaps(tracks, *ends), axis=2))


def log_median_gap(fit: BodyFit, tracks: BodyTracks, used: Booleans) -> float:
    """Mean log of the median gap of each joint in used frames of other tracks."""
    ends = joint_ends(fit)
    lengths = np.where(used[ends.child] & used[ends.parent], gap_lengths(tracks, ends), np.nan)
    seen = lengths[np.isfinite(lengths).any(axis=1)]
    sizes = np.full(len(tracks) - 1, fit.options.free_beyond_m)
    sizes[: len(seen)] = np.nanmedian(seen, axis=1) if len(seen) else 0.0
    return float(np.mean(np.log(np.maximum(sizes, NOISELESS_M))))


def joint_gap(
    tracks: BodyTracks, child: int, parent: int, in_child: Floats, in_parent: Floats
) -> Floats:
    """Place of the joint by the child minus that by the parent, metres, (frames, 3), or NaN."""
    ours = quaternion.rotate(tracks.rotations[child].T, in_child)
    ours += tracks.positions[child]
    theirs = quaternion.rotate(tracks.rotations[parent].T, in_parent)
    theirs += tracks.positions[parent]
    both: Booleans = tracks.present[child] & tracks.present[parent]
    ours -= theirs
    ours[~both] = np.nan
    return ours


def root_mean_square(gaps: Floats, used: Booleans | None = None) -> Floats:
    """Root mean square length, (joints,), of gaps in used frames; inf without a frame."""
    squared = np.einsum("jfi,jfi->jf", gaps, gaps)
    good = np.isfinite(squared) if used is None else np.isfinite(squared) & used
    count = good.sum(axis=1)
    total = np.where(good, squared, 0.0).sum(axis=1)
    mean = np.where(count > 0, total / np.maximum(count, 1), np.inf)
    return np.asarray(np.sqrt(mean))


def with_residual(joint: BodyJoint, tracks: BodyTracks, used: Booleans) -> BodyJoint:
    """The joint with its gap at its current place. `used`, shape (bodies, frames)."""
    places = joint.centre_in_child, joint.centre_in_parent
    gap = joint_gap(tracks, joint.child, joint.parent, *places)
    residual = root_mean_square(gap[None], used[None, joint.child] & used[joint.parent])
    return replace(joint, residual_m=float(residual[0]))


def independent_frames(tracks: BodyTracks, child: int, parent: int, gaps: Floats) -> float:
    """Effective number of independent frames, as the gaps of neighbouring frames are alike."""
    seen = np.isfinite(gaps @ np.ones(3))
    count = int(seen.sum())
    if count < 3:
        return float(count)
    pulls = np.concatenate(
        [
            quaternion.rotate(quaternion.conjugate(tracks.rotations[body].T), gaps)
            for body in (child, parent)
        ],
        axis=1,
    )
    pulls[~seen] = 0.0
    pulls -= np.ones(len(pulls)) @ pulls / count
    pulls[~seen] = 0.0
    alike = repetition(pulls, seen)
    return float(np.clip(count / alike, 1.0, count))


def repetition(values: Floats, seen: Booleans) -> float:
    """Number of alike neighbouring frames, at least 1: Geyer's initial positive sequence."""
    if not values.any():
        return 1.0
    correlations, total = iter(_autocorrelation(values, seen).tolist()), 0.0
    for one, following in zip(correlations, correlations):
        if one + following <= 0.0:
            break
        total += one + following
    return max(2.0 * total - 1.0, 1.0)


def _autocorrelation(values: Floats, seen: Booleans) -> Floats:
    """Correlation of frames at every distance, shape (frames,); gaps in the data are left out."""
    count = len(values)
    length = 1 << (2 * count - 1).bit_length()
    spectrum = np.fft.rfft(np.ascontiguousarray(values.T), length)
    summed = np.fft.irfft(np.sum(np.abs(spectrum) ** 2, axis=0), length)[:count]
    pairs = np.arange(count, 0.0, -1.0)
    if not seen.all():
        mask = np.fft.rfft(seen.astype(np.float64), length)
        pairs = np.rint(np.fft.irfft(np.abs(mask) ** 2, length)[:count])
    covariance = summed / np.maximum(pairs, 1.0)
    return np.asarray(covariance / covariance[0])


def allowing_for_skin(
    tracks: BodyTracks, used: Booleans, joints: Sequence[BodyJoint]
) -> list[BodyJoint]:
    """Joints of a figure with deviations that allow for skin that follows the motion."""
    parts = [_following(tracks, used, joint) for joint in joints if joint.kind != "rigid"]
    total = sum(whole for _, _, whole in parts)
    if total <= 0.0 or sum(part for part, _, _ in parts) < MIN_FOLLOWING_SHARE * total:
        return list(joints)
    entry = HIDDEN_FACTOR * float(np.sqrt(max(np.mean([entry for _, entry, _ in parts]), 0.0)))
    found = []
    for joint in joints:
        # Where nothing turns across a direction, the place along it is unknown anyway.
        wobble = np.maximum(joint.wobble, 1e-6)
        deviation = np.hypot(joint.deviation_m, entry / wobble)
        hidden = joint.residual_m / float(wobble[1 if joint.kind == "single-axis" else 0])
        found.append(replace(joint, deviation_m=deviation, hidden_m=hidden))
    return found


def _following(tracks: BodyTracks, used: Booleans, joint: BodyJoint) -> tuple[float, float, float]:
    """Mean squares, square metres, of gaps that follow the turning, of one entry, and of all."""
    both: Booleans = used[joint.child] & used[joint.parent]
    chosen = slice(None) if both.all() else both
    turns = [tracks.rotations[body][:, chosen].T for body in (joint.child, joint.parent)]
    ends = joint.centre_in_child, joint.centre_in_parent
    gaps = joint_gap(tracks, joint.child, joint.parent, *ends)[chosen]
    gaps = quaternion.rotate(quaternion.conjugate(turns[0]), gaps)
    gaps -= gaps.mean(axis=0)
    # Rotation vectors about the mean relative rotation.
    relative = quaternion.multiply(quaternion.conjugate(turns[1]), turns[0])
    mean = quaternion.normalize(np.linalg.eigh(relative.T @ relative)[1][:, -1])
    turning = quaternion.rotation_vector_from_quaternion(
        relative @ quaternion.multiply(quaternion.conjugate(mean), np.eye(4))
    )
    turning = turning - turning.mean(axis=0)
    squares, axes = np.linalg.eigh(turning.T @ turning)
    large: Booleans = squares > MIN_TURNING_RAD**2 * len(turning)
    directions = int(large.sum())
    whole = float(np.vdot(gaps, gaps)) / len(gaps)
    along = (axes[:, large].T @ (turning.T @ gaps)) ** 2
    explained = float(np.sum(along / squares[large, None])) / len(gaps)
    spare = max(joint.independent_frames - directions, 1.0)
    part = explained - (whole - explained) * directions / spare
    entry = part / SEEN_ENTRIES[directions] if directions else 0.0
    return part, entry, whole
