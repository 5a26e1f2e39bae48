"""Joint centres of a whole tree, from the gaps of all its joints together.

The noise of a body opens the gaps of all its joints at once, so the gaps of the neighbours tell a
part of a joint's own: generalized least squares, with the covariance that the gaps themselves show,
or, where white noise explains it, with what that noise makes of it in each pose.
Noise of orientations would draw joints towards the origins of their bodies; here each orientation
is multiplied by its neighbours in time, smoothed, whose noise is not its own (instrumental
variables, Fuller 1987, section 1.4), so nothing has to be subtracted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from ..geometry.arrays import Booleans, Floats, Integers
from ..geometry.quaternion import matrix_from_quaternion
from .clips import frames_of
from .noise import orientation_noise, position_noise
from .residuals import JointEnds, gap_covariance, joint_gaps, with_residual
from .result import BodyJoint
from .tracks import BodyTracks

REACH = 4
"""Frames on either side of one that give its smoothed orientation."""
FEWEST_FRAMES, FEWEST_SHARE = 60, 0.5
"""Frames with neighbours that a joint needs, and their share of its frames: where scattered frames
are left out, losing their neighbours as well outweighs the gain."""
BLOCK_FRAMES = 1024
MOST_PRODUCTS = 100_000_000
"""Joints squared times frames; larger trees, which would take ten seconds, keep their places."""
MOST_DEVIATIONS = 4.0
"""Largest change of a place, in its standard deviations before; more means that the noise is not as
assumed."""
UNKNOWN_M = 0.02
"""Standard deviation assumed along directions in which a place is unknown: the little motion there
must not count as noise, and the place must not run away."""
EXACT_M = 1e-5
"""Noise of the gaps below which there is nothing to gain."""
POSE_SECONDS = 0.4
"""Time for which one pose stands, as far as the noise of the gaps depends on it."""
EXPLAINED = 1.25
"""Largest mean square of a joint's gaps, relative to white noise, that this noise explains."""
MOST_POSED = 600_000_000
"""Products of all coordinates of all joints, times frames, beyond which poses take too long."""


def tree_centres(
    clips: Sequence[BodyTracks], tracks: BodyTracks, used: Booleans, joints: Sequence[BodyJoint]
) -> list[BodyJoint]:
    """Joints of a tree, each placed by the gaps of all joints where that is more precise.

    `clips`: those of `tracks`, which is all end to end; `used`, shape (bodies, frames): frames that
    count; `joints`: one by one, as of :func:`.fitted_joints`.
    """
    gaps = _TreeGaps.of(clips, tracks, used, joints)
    if gaps is None:
        return list(joints)
    moved, (covariance, exact) = gaps.solved()
    found, placed = list(joints), {}
    for row, index in enumerate(gaps.rows):
        joint = joints[index]
        # Deviations of joints one by one leave out the noise of orientations, too.
        before, after = joint.deviation_m, _deviation(joint, exact[row, :, row])
        usual, better = (np.linalg.norm(one[np.isfinite(before)]) for one in (before, after))
        if better < usual and np.linalg.norm(moved[row]) < MOST_DEVIATIONS * usual:
            found[index] = _placed(tracks, used, joint, moved[row], covariance[row, :, row])
            placed[joint.child] = row
    for row in placed.values():
        joint = found[gaps.rows[row]]
        above = placed.get(joint.parent)
        if above is not None:
            both = gaps.basis[row][:, 3:].T @ covariance[row, :, above] @ gaps.basis[above][:, :3]
            found[gaps.rows[row]] = replace(joint, with_above=_repeated(joint) * both)
    return found


def _deviation(joint: BodyJoint, covariance: Floats) -> Floats:
    """Deviation of the place in the child along each direction, metres."""
    both = np.diag(covariance)[:3] + np.diag(covariance)[3:] + 2.0 * np.diag(covariance[:3, 3:])
    known = np.isfinite(joint.deviation_m)
    # Where hardly anything moves the equations may give no deviation.
    both = np.where(known & (both > 0.0), both, np.inf)
    return np.asarray(np.sqrt(0.5 * both * _repeated(joint)))


def _repeated(joint: BodyJoint) -> float:
    """Number of frames that are worth one independent frame."""
    return joint.frames_used / max(joint.independent_frames, 1.0)


def _placed(
    tracks: BodyTracks, used: Booleans, joint: BodyJoint, moved: Floats, covariance: Floats
) -> BodyJoint:
    placed = replace(
        joint,
        centre_in_child=joint.centre_in_child + moved[:3],
        centre_in_parent=joint.centre_in_parent + moved[3:],
        deviation_m=_deviation(joint, covariance),
    )
    return with_residual(placed, tracks, used)


@dataclass(frozen=True, eq=False)
class _TreeGaps:
    """Gaps of the joints of a tree in frames that have neighbours in time.

    `rows`: indices of the joints, which are those with enough such frames. `seen`, shape (joints,
    frames). `basis`, shape (joints, 6, 6): along each direction the places in child and parent
    moved alike, and then against each other, as rows. `known`, shape (joints, 6). `weights`, shape
    (joints, joints): inverse covariance of a coordinate of the gaps; `posed`: of all coordinates in
    successive stretches of `stretch` frames, shape (stretches, joints, 3, joints, 3), if any.
    """

    rows: list[int]
    tracks: BodyTracks
    ends: JointEnds
    gaps: Floats
    seen: Booleans
    basis: Floats
    known: Booleans
    weights: Floats
    posed: Floats | None
    stretch: int

    @classmethod
    def of(
        cls,
        clips: Sequence[BodyTracks],
        tracks: BodyTracks,
        used: Booleans,
        joints: Sequence[BodyJoint],
    ) -> _TreeGaps | None:
        """None if there is nothing to gain."""
        whole = _with_neighbours(clips, used)
        counts = [int((whole[joint.child] & whole[joint.parent]).sum()) for joint in joints]
        least = [max(FEWEST_FRAMES, FEWEST_SHARE * joint.frames_used) for joint in joints]
        rows = [row for row, count in enumerate(counts) if count >= least[row]]
        if len(rows) < 2 or len(rows) ** 2 * used.shape[1] > MOST_PRODUCTS:
            return None
        chosen = [joints[row] for row in rows]
        ends = JointEnds.of(chosen)
        seen = whole[ends.child] & whole[ends.parent]
        gaps = np.where(seen[..., None], joint_gaps(tracks, *ends), 0.0)
        covariance = gap_covariance(gaps, seen, [joint.independent_frames for joint in chosen])
        if np.diag(covariance).min() < EXACT_M**2:
            return None
        along = np.array([joint.directions_in_child for joint in chosen])
        beside = np.array([joint.directions_in_parent for joint in chosen])
        basis = np.concatenate(
            [np.concatenate([along, sign * beside], axis=2) for sign in (1.0, -1.0)], axis=1
        )
        known = np.isfinite([joint.deviation_m for joint in chosen])
        stretch = max(1, round(POSE_SECONDS * tracks.frame_rate))
        return cls(
            rows,
            tracks,
            ends,
            gaps,
            seen,
            basis * np.sqrt(0.5),
            np.concatenate([known, np.ones_like(known)], axis=1),
            np.linalg.inv(covariance),
            _posed_weights(tracks, used, ends, np.diag(covariance), stretch),
            stretch,
        )

    def solved(self) -> tuple[Floats, Floats]:
        """Changes of the places in child and parent, metres, shape (joints, 6), and covariances.

        Covariances, shape (2, joints, 6, joints, 6), are in the basis, for independent frames; 0
        along unknown directions. The second leaves out the noise of smoothed orientations.
        """
        count, known = len(self.rows), self.known.ravel()
        products, pulls = self._alike() if self.posed is None else self._by_pose(self.posed)
        along = self.basis * np.repeat([1.0, -1.0], 3)
        whole = products.reshape(2, count, 6, count, 6)
        whole = np.einsum("jab,sjbkc,kdc->sjakd", along, whole, along, optimize=True)
        pulls = (along @ pulls.reshape(count, 6, 1)).ravel()
        unknown = np.diag(np.where(known, 0.0, UNKNOWN_M**-2))
        squares, matrix = whole.reshape(products.shape) + unknown
        # Nothing is found along what the equations do not determine at all.
        inverse = np.linalg.pinv(matrix)
        place = np.where(self.known, -(inverse @ pulls).reshape(count, 6), 0.0)
        # Smoothing leaves a part of the noise, which is in the squares and not in the matrix.
        both = np.stack([inverse @ squares @ inverse.T, 0.5 * (inverse + inverse.T)])
        both = np.where(known[:, None] & known, both, 0.0)
        moved = np.asarray(np.einsum("jk,jkd->jd", place, self.basis))
        return moved, both.reshape(2, count, 6, count, 6)

    def _alike(self) -> tuple[Floats, Floats]:
        """Normal equations with weights that are the same in all frames and directions.

        Products of smoothed derivatives with themselves and the frames' own, and with the gaps.
        """
        count = len(self.rows)
        products, pulls = np.zeros((2, 6 * count, 6 * count)), np.zeros(6 * count)
        joint = np.repeat(np.arange(count), 6)
        weighted = np.tensordot(self.weights, self.gaps, 1)
        for start in range(0, self.seen.shape[1], BLOCK_FRAMES):
            part = slice(start, start + BLOCK_FRAMES)
            sides, rows = self._turns(part), self._rows()
            if not self.seen[:, part].all():
                sides, rows = self._columns(part), np.arange(6 * count)
            products += (sides[0] @ np.swapaxes(sides, 1, 2))[:, rows[:, None], rows]
            pulls += (sides[0] @ weighted[:, part].reshape(count, -1).T)[rows, joint]
        return products * self.weights[joint[:, None], joint], pulls

    def _by_pose(self, posed: Floats) -> tuple[Floats, Floats]:
        """The same with the weights of each stretch."""
        count, length = len(self.rows), self.stretch
        products, pulls = np.zeros((2, 6 * count, 6 * count)), np.zeros(6 * count)
        many = max(1, BLOCK_FRAMES // length)
        for first in range(0, len(posed), many):
            block = self._columns(slice(first * length, (first + many) * length))
            block = block.reshape(2, 6 * count, -1, 3).transpose(0, 3, 1, 2)
            for number, weights in enumerate(posed[first : first + many]):
                start = number * length
                sides = np.ascontiguousarray(block[..., start : start + length])
                shares = np.repeat(np.repeat(weights.transpose(1, 3, 0, 2), 6, axis=2), 6, axis=3)
                both = sides[0, :, None] @ np.swapaxes(sides, 2, 3)[:, None]
                products += np.einsum("sdejk,dejk->sjk", both, shares)
                start += first * length
                gaps = np.swapaxes(self.gaps[:, start : start + length], 1, 2)
                smooth = sides[0].reshape(3, count, 6, -1)
                pulls += np.einsum("djkf,jdf->jk", smooth, np.tensordot(weights, gaps, 2)).ravel()
        return products, pulls

    def _columns(self, part: slice) -> Floats:
        """Axes of the bodies of each joint where both are seen, shape (2, 6 joints, 3 frames).

        These are derivatives of the gaps by the places, of those in the parent negative.
        """
        seen = np.repeat(np.repeat(self.seen[:, part], 6, axis=0), 3, axis=1)
        return np.asarray(self._turns(part)[:, self._rows()] * seen)

    def _rows(self) -> Integers:
        """Rows of the child's and the parent's axes of each joint in `_turns`."""
        bodies = np.searchsorted(self._bodies(), np.stack(self.ends[:2], axis=1))
        return (3 * bodies[..., None] + np.arange(3)).ravel()

    def _bodies(self) -> Integers:
        return np.union1d(self.ends.child, self.ends.parent)

    def _turns(self, part: slice) -> Floats:
        """Smoothed and own axes of all bodies, shape (2, 3 bodies, 3 frames); 0 where unseen."""
        count, bodies = self.seen[:, part].shape[1], self._bodies()
        start = max(part.start - REACH, 0)
        wide = slice(start, part.start + count + REACH)
        turns = np.empty((2, len(bodies), 3, count, 3))
        for row, body in enumerate(bodies):
            matrices = matrix_from_quaternion(self.tracks.rotations[body][:, wide].T)
            matrices = np.where(self.tracks.present[body, wide][:, None, None], matrices, 0.0)
            for side, own in zip(turns[:, row], (_smoothed(matrices), matrices)):
                side[...] = np.moveaxis(own[part.start - start :][:count], 2, 0)
        return turns.reshape(2, 3 * len(bodies), -1)


def _posed_weights(
    tracks: BodyTracks, used: Booleans, ends: JointEnds, variances: Floats, stretch: int
) -> Floats | None:
    """Inverse covariances of all gaps in the middle of each stretch, as `_TreeGaps.posed`.

    None if white noise does not explain the `variances` of the gaps, shape (joints,).
    """
    count, frames = len(ends.child), tracks.frame_count
    if frames * (18 * count) ** 2 > MOST_POSED:
        return None
    bodies = np.union1d(ends.child, ends.parent)
    own, used = tracks.only(tracks.names[body] for body in bodies), used[bodies]
    places, turns = position_noise(own, used), orientation_noise(own, used)
    if not (places.all() and turns.any(axis=(1, 2)).all()):
        return None
    middles = np.minimum(np.arange(0, frames, stretch) + stretch // 2, frames - 1)
    posed = matrix_from_quaternion(np.moveaxis(own.rotations[:, :, middles], 1, 2))
    slopes = np.zeros((len(middles), count, 3, len(own), 6))
    for side, arms, sign in ((ends.child, ends.in_child, 1.0), (ends.parent, ends.in_parent, -1.0)):
        for joint, (body, arm) in enumerate(zip(np.searchsorted(bodies, side), arms)):
            across = np.cross(np.eye(3), arm).T @ np.linalg.cholesky(turns[body])
            slopes[:, joint, :, body, :3] = sign * np.sqrt(places[body]) * np.eye(3)
            slopes[:, joint, :, body, 3:] = sign * np.nan_to_num(posed[body]) @ across
    flat = slopes.reshape(len(middles), 3 * count, -1)
    covariances = flat @ np.swapaxes(flat, 1, 2)
    expected = np.diagonal(covariances, axis1=1, axis2=2).reshape(-1, count, 3).mean(axis=(0, 2))
    if (variances > EXPLAINED * expected).any():
        return None
    return np.linalg.inv(covariances).reshape(-1, count, 3, count, 3)


def _smoothed(own: Floats) -> Floats:
    """Value of the parabola through the neighbours of each frame, zero near both ends."""
    found = np.zeros_like(own)
    last = max(len(own) - REACH, REACH)
    for shift, share in _shares_of_neighbours():
        found[REACH:last] += share * own[REACH + shift : last + shift]
    return found


@cache
def _shares_of_neighbours() -> tuple[tuple[int, float], ...]:
    """How far each neighbour is from its frame, and its share of the parabola's value there."""
    shifts = np.delete(np.arange(-REACH, REACH + 1), REACH)
    shares = np.linalg.pinv(np.vander(shifts.astype(np.float64), 3, increasing=True))[0]
    return tuple(zip(shifts.tolist(), shares.tolist()))


def _with_neighbours(clips: Sequence[BodyTracks], used: Booleans) -> Booleans:
    """Frames whose window lies in one clip and counts throughout, shape (bodies, frames)."""
    found: Booleans = np.zeros_like(used)
    for part in frames_of(clips):
        inside = found[:, part.start + REACH : max(part.stop - REACH, 0)]
        inside[:] = True
        for start in range(part.start, part.start + 2 * REACH + 1):
            inside &= used[:, start : start + inside.shape[1]]
    return found
