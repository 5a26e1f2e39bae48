"""Exact joint gaps in every frame, and the independent frames and skin motion they reveal.

If skin shifts by a linear map of a joint's rotation, part of the shift looks like a different joint
position. The rest remains in the gaps: six of the map's nine entries for a ball joint, one of three
for a hinge. Hidden entries of similar size make positions uncertain.
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
"""Minimum share of gaps that must follow a joint's rotation for skin to count as sliding."""
MIN_TURNING_RAD = float(np.radians(1.5))
"""Smallest rms rotation about a direction for which the skin's response can be measured."""
HIDDEN_FACTOR = 1.15
"""Size of the skin's hidden responses relative to visible ones: the skin of both bodies shifts, and
part of it follows the acceleration. Tuned on one half of the recordings."""
NOISELESS_M = 1e-6
"""Smaller differences between gaps are rounding errors."""
SEEN_ENTRIES = (0, 1, 3, 6)
"""Number of entries of the skin's response matrix that show in the gaps, by number of directions
that a joint turns about: three each, less those that a different position explains."""


class JointEnds(NamedTuple):
    """Bodies of joints, shape (joints,), and joint positions in both, metres, shape (joints, 3)."""

    child: Integers
    parent: Integers
    in_child: Floats
    in_parent: Floats

    def choose(self, rows: Integers) -> JointEnds:
        """Return the joints with these indices."""
        places = self.in_child[rows], self.in_parent[rows]
        return JointEnds(self.child[rows], self.parent[rows], *places)

    def shared_frames(self, frames: Booleans) -> Booleans:
        """Frames that are True for both bodies, (joints, frames). `frames`, (bodies, frames)."""
        return np.asarray(frames[self.child] & frames[self.parent])


def joint_ends(fit: BodyFit) -> JointEnds:
    """Bodies and positions of a fit's joints."""
    joints = fit.joints
    return JointEnds(
        np.array([joint.child for joint in joints], dtype=np.int64),
        np.array([joint.parent for joint in joints], dtype=np.int64),
        np.array([joint.centre_in_child for joint in joints]).reshape(-1, 3),
        np.array([joint.centre_in_parent for joint in joints]).reshape(-1, 3),
    )


def joint_gaps(tracks: BodyTracks, ends: JointEnds) -> Floats:
    """Gaps of several joints, each as in :func:`joint_gap`, shape (joints, frames, 3)."""
    gaps = [joint_gap(tracks, *end) for end in zip(*ends)]
    return np.array(gaps).reshape(-1, tracks.frame_count, 3)


def gap_lengths(tracks: BodyTracks, ends: JointEnds) -> Floats:
    """Gap lengths, metres, shape (joints, frames); NaN where a body was not seen."""
    return np.asarray(np.linalg.norm(joint_gaps(tracks, ends), axis=2))


def fitted_gaps_m(fit: BodyFit) -> Floats:
    """Root mean square gap of every joint in the fit's own used frames, metres, (joints,)."""
    ends = joint_ends(fit)
    return root_mean_square(joint_gaps(fit.tracks, ends), ends.shared_frames(fit.used))


def log_median_gap(fit: BodyFit, tracks: BodyTracks, used: Booleans) -> float:
    """Mean log of a fit's median joint gaps in the used frames of other tracks."""
    ends = joint_ends(fit)
    lengths = np.where(ends.shared_frames(used), gap_lengths(tracks, ends), np.nan)
    seen = lengths[np.isfinite(lengths).any(axis=1)]
    sizes = np.full(len(tracks) - 1, fit.options.free_beyond_m)
    sizes[: len(seen)] = np.nanmedian(seen, axis=1) if len(seen) else 0.0
    return float(np.mean(np.log(np.maximum(sizes, NOISELESS_M))))


def joint_gap(
    tracks: BodyTracks, child: int, parent: int, in_child: Floats, in_parent: Floats
) -> Floats:
    """Joint position according to child minus parent, world, metres, (frames, 3); NaN if unseen."""
    ours, theirs = (
        quaternion.rotate(tracks.rotations[body].T, place) + tracks.positions[body]
        for body, place in ((child, in_child), (parent, in_parent))
    )
    both: Booleans = tracks.present[child] & tracks.present[parent]
    return np.asarray(np.where(both[:, None], ours - theirs, np.nan))


def root_mean_square(gaps: Floats, used: Booleans) -> Floats:
    """Root mean square length, (joints,), of the gaps in used frames; inf if there is none."""
    squared = np.einsum("jfi,jfi->jf", gaps, gaps)
    good = np.isfinite(squared) & used
    total, count = np.where(good, squared, 0.0).sum(axis=1), good.sum(axis=1)
    mean = np.divide(total, count, out=np.full_like(total, np.inf), where=count > 0)
    return np.asarray(np.sqrt(mean))


def independent_frames(tracks: BodyTracks, child: int, parent: int, gaps: Floats) -> float:
    """Effective number of independent frames, since neighbouring frames have similar gaps."""
    seen = np.isfinite(gaps).all(axis=1)
    count = int(seen.sum())
    if count < 3:
        return float(count)
    turns = (tracks.rotations[body].T for body in (child, parent))
    pulls = np.hstack([quaternion.rotate(quaternion.conjugate(turn), gaps) for turn in turns])
    pulls = np.where(seen[:, None], pulls - pulls[seen].mean(axis=0), 0.0)
    return float(np.clip(count / repetition(pulls, seen), 1.0, count))


def repetition(values: Floats, seen: Booleans) -> float:
    """Number of frames per independent frame, at least 1, by Geyer's initial positive sequence."""
    if not values.any():
        return 1.0
    pairs = np.maximum(np.rint(_lagged_products(seen[:, None].astype(np.float64))), 1.0)
    covariance = _lagged_products(values) / pairs
    correlations, total = iter((covariance / covariance[0]).tolist()), 0.0
    for one, following in zip(correlations, correlations):
        if one + following <= 0.0:
            break
        total += one + following
    return max(2.0 * total - 1.0, 1.0)


def _lagged_products(values: Floats) -> Floats:
    """Sums of the products of frames at every lag, over all columns, shape (frames,)."""
    count = len(values)
    length = 1 << (2 * count - 1).bit_length()
    spectrum = np.fft.rfft(values.T, length)
    return np.fft.irfft(np.sum(np.abs(spectrum) ** 2, axis=0), length)[:count]


def allowing_for_skin(
    tracks: BodyTracks, used: Booleans, joints: Sequence[BodyJoint]
) -> list[BodyJoint]:
    """Joints of a figure, with deviations that allow for skin that follows the motion."""
    parts = [_response(tracks, used, joint) for joint in joints if joint.kind != "rigid"]
    total = sum(whole for _, _, whole in parts)
    if total <= 0.0 or sum(part for part, _, _ in parts) < MIN_FOLLOWING_SHARE * total:
        return list(joints)
    entry = HIDDEN_FACTOR * float(np.sqrt(max(np.mean([entry for _, entry, _ in parts]), 0.0)))
    found = []
    for joint in joints:
        # If nothing rotates across a direction, the position along it is unknown anyway.
        wobble = np.maximum(joint.wobble, 1e-6)
        deviation = np.hypot(joint.deviation_m, entry / wobble)
        hidden = joint.residual_m / float(wobble[1 if joint.kind == "single-axis" else 0])
        found.append(replace(joint, deviation_m=deviation, hidden_m=hidden))
    return found


def _response(tracks: BodyTracks, used: Booleans, joint: BodyJoint) -> tuple[float, float, float]:
    """Mean squares, m^2: gaps that follow rotation, one entry of the response matrix, all gaps."""
    both: Booleans = used[joint.child] & used[joint.parent]
    turns = [tracks.rotations[body][:, both].T for body in (joint.child, joint.parent)]
    gaps = joint_gap(tracks, *joint.ends)[both]
    gaps = quaternion.rotate(quaternion.conjugate(turns[0]), gaps)
    gaps -= gaps.mean(axis=0)
    # Rotation vectors relative to the mean relative rotation.
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
