"""Joint centres of a whole tree, from the gaps of all its joints together.

The noise of a body opens the gaps of all its joints at once, so the gaps of the neighbours tell a
part of a joint's own: generalized least squares, with the covariance that the gaps themselves show.
Noise of orientations would draw joints towards the origins of their bodies; here each orientation
is multiplied by its neighbours in time, smoothed, whose noise is not its own (instrumental
variables, Fuller 1987, section 1.4), so nothing has to be subtracted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..geometry import Booleans, Floats, Integers, conjugate, matrix_from_quaternion, rotated
from .clips import frames_of
from .residuals import JointEnds, joint_gaps, root_mean_square
from .result import BodyJoint
from .tracks import BodyTracks

REACH = 4
"""Frames on either side of one that give its smoothed orientation."""
FEWEST_FRAMES = 60
MATRIX_FRAMES = 1500
"""Frames that are enough for the matrix of the equations; their right side has all frames."""
MOST_STEPS = 5
SETTLED_M = 1e-7
UNKNOWN_M = 0.02
"""Deviation that is assumed along directions in which a place is unknown: what little moves there
must not pass for noise, and a place must not run away."""
EXACT_M = 1e-5
"""Noise of gaps below which there is nothing to gain."""


def tree_centres(
    clips: Sequence[BodyTracks], tracks: BodyTracks, used: Booleans, joints: Sequence[BodyJoint]
) -> list[BodyJoint]:
    """Joints of a tree with places from the gaps of all, where these are better known.

    `clips`: those of `tracks`, which is all end to end; `used`, shape (bodies, frames): frames that
    count; `joints`: one by one, as of :func:`.fitted_joints`.
    """
    gaps = _TreeGaps.of(clips, tracks, used, joints)
    if gaps is None:
        return list(joints)
    moved, covariance = gaps.solved()
    found = list(joints)
    for row, index in enumerate(gaps.rows):
        deviation = _deviation(joints[index], covariance[row])
        if np.linalg.norm(_known(deviation)) < np.linalg.norm(_known(joints[index].deviation_m)):
            found[index] = _placed(tracks, used, joints[index], moved[row], deviation)
    return found


def _known(deviation: Floats) -> Floats:
    return np.where(np.isfinite(deviation), deviation, 0.0)


def _deviation(joint: BodyJoint, covariance: Floats) -> Floats:
    """Deviation of the place in the child along each direction, metres."""
    both = np.diag(covariance)[:3] + np.diag(covariance)[3:] + 2.0 * np.diag(covariance[:3, 3:])
    repeated = joint.frames_used / max(joint.independent_frames, 1.0)
    known = np.isfinite(joint.deviation_m)
    return np.where(known, np.sqrt(np.maximum(0.5 * both * repeated, 0.0)), np.inf)


def _placed(
    tracks: BodyTracks, used: Booleans, joint: BodyJoint, moved: Floats, deviation: Floats
) -> BodyJoint:
    in_child, in_parent = joint.centre_in_child + moved[:3], joint.centre_in_parent + moved[3:]
    ends = np.array([joint.child]), np.array([joint.parent])
    gap = joint_gaps(tracks, *ends, in_child[None], in_parent[None])
    residual = root_mean_square(gap, used[ends[0]] & used[ends[1]])
    return replace(
        joint,
        centre_in_child=in_child,
        centre_in_parent=in_parent,
        residual_m=float(residual[0]),
        deviation_m=deviation,
    )


@dataclass(frozen=True, eq=False)
class _TreeGaps:
    """Gaps of the joints of a tree in frames that have neighbours in time.

    `rows`: indices of the joints, which are those with enough such frames. `seen`, shape (joints,
    frames). `basis`, shape (joints, 6, 6): along each direction the places in child and parent
    moved alike, and then against each other, as rows. `known`, shape (joints, 6).
    """

    rows: list[int]
    turns: Floats
    ends: JointEnds
    gaps: Floats
    seen: Booleans
    basis: Floats
    known: Booleans
    weights: Floats

    @classmethod
    def of(
        cls,
        clips: Sequence[BodyTracks],
        tracks: BodyTracks,
        used: Booleans,
        joints: Sequence[BodyJoint],
    ) -> _TreeGaps | None:
        """None where nothing is to gain."""
        whole = _with_neighbours(clips, used)
        counts = [int((whole[joint.child] & whole[joint.parent]).sum()) for joint in joints]
        rows = [row for row, count in enumerate(counts) if count >= FEWEST_FRAMES]
        if len(rows) < 2:
            return None
        chosen = [joints[row] for row in rows]
        ends = JointEnds(
            np.array([joint.child for joint in chosen], dtype=np.int64),
            np.array([joint.parent for joint in chosen], dtype=np.int64),
            np.array([joint.centre_in_child for joint in chosen]),
            np.array([joint.centre_in_parent for joint in chosen]),
        )
        seen = whole[ends.child] & whole[ends.parent]
        gaps = np.where(seen[..., None], joint_gaps(tracks, *ends), 0.0)
        covariance = _covariance(gaps, seen, [joint.independent_frames for joint in chosen])
        if np.diag(covariance).min() < EXACT_M**2:
            return None
        along = np.array([joint.directions_in_child for joint in chosen])
        beside = np.array([joint.directions_in_parent for joint in chosen])
        basis = np.concatenate(
            [np.concatenate([along, sign * beside], axis=2) for sign in (1.0, -1.0)], axis=1
        )
        known = np.isfinite([joint.deviation_m for joint in chosen])
        turns = np.where(tracks.present[:, None], tracks.rotations, 0.0)
        return cls(
            rows,
            turns,
            ends,
            gaps,
            seen,
            basis * np.sqrt(0.5),
            np.concatenate([known, np.ones_like(known)], axis=1),
            np.linalg.inv(covariance),
        )

    def solved(self) -> tuple[Floats, Floats]:
        """Changes of the places in child and parent, metres, shape (joints, 6), and covariances.

        The covariances, shape (joints, 6, 6), are in the basis, for frames that are independent.
        """
        firm = np.where(self.known.ravel(), 0.0, UNKNOWN_M**-2)
        inverse = np.linalg.inv(self._matrix() + np.diag(firm))
        place = np.zeros(self.known.size)
        for _ in range(MOST_STEPS):
            step = -inverse @ (self._right_side(place) + firm * place)
            place = place + step
            if np.abs(step).max() < SETTLED_M:
                break
        along = np.where(self.known, place.reshape(-1, 6), 0.0)
        each = np.arange(len(self.rows))
        blocks = inverse.reshape(len(each), 6, len(each), 6)[each, :, each]
        moved = np.einsum("jk,jkd->jd", along, self.basis)
        return moved, 0.5 * (blocks + np.swapaxes(blocks, 1, 2))

    def _matrix(self) -> Floats:
        """Products of smoothed orientations with orientations, shape (6 joints, 6 joints)."""
        frames = np.flatnonzero(self.seen.any(axis=0))
        frames = frames[:: -(-len(frames) // MATRIX_FRAMES)]
        own = self._matrices(frames)
        smooth = np.zeros_like(own)
        for shift, share in zip(_shifts(), _shares()):
            smooth += share * self._matrices(frames + shift)
        left, right = (self._columns(turns, frames) for turns in (smooth, own))
        count = len(self.rows)
        product = (left @ right.T).reshape(count, 6, count, 6)
        share = float(np.sum(self.seen)) / float(np.sum(self.seen[:, frames]))
        weighted = share * product * self.weights[:, None, :, None]
        return np.asarray(weighted.reshape(6 * count, -1))

    def _matrices(self, frames: Integers) -> Floats:
        return matrix_from_quaternion(self.turns[..., frames].swapaxes(1, 2))

    def _columns(self, turns: Floats, frames: Integers) -> Floats:
        """Derivatives of all gaps by the places in the basis, shape (6 joints, 3 frames)."""
        both = np.concatenate([turns[self.ends.child], -turns[self.ends.parent]], axis=3)
        both = np.where(self.seen[:, frames, None, None], both, 0.0)
        columns = both @ self.basis.swapaxes(1, 2)[:, None]
        return np.asarray(columns.transpose(0, 3, 1, 2).reshape(6 * len(self.rows), -1))

    def _right_side(self, place: Floats) -> Floats:
        """Smoothed orientations times the weighted gaps at a place, shape (6 joints,)."""
        pulls = np.tensordot(self.weights, self._gaps_at(place), 1)
        pulls = np.where(self.seen[..., None], pulls, 0.0)
        smooth = np.zeros_like(pulls)
        last = pulls.shape[1] - REACH
        for shift, share in zip(_shifts(), _shares()):
            # The other way round: a frame gets a share of the pull of each frame that it smooths.
            smooth[:, REACH + shift : last + shift] += share * pulls[:, REACH:last]
        child, parent = (
            rotated(conjugate(self._turns(bodies)), smooth).sum(axis=1)
            for bodies in (self.ends.child, self.ends.parent)
        )
        both = np.concatenate([child, -parent], axis=1)
        return np.asarray(np.einsum("jkd,jd->jk", self.basis, both).ravel())

    def _gaps_at(self, place: Floats) -> Floats:
        """Gaps with the places moved, shape (joints, frames, 3)."""
        if not place.any():
            return self.gaps
        moved = np.einsum("jk,jkd->jd", place.reshape(-1, 6), self.basis)[:, None]
        opened = rotated(self._turns(self.ends.child), moved[..., :3])
        opened -= rotated(self._turns(self.ends.parent), moved[..., 3:])
        return self.gaps + np.where(self.seen[..., None], opened, 0.0)

    def _turns(self, bodies: Integers) -> Floats:
        return self.turns[bodies].swapaxes(1, 2)


def _shifts() -> Integers:
    """Frames of a window beside its middle."""
    return np.delete(np.arange(-REACH, REACH + 1), REACH)


def _shares() -> Floats:
    """Weights of these frames: the value in the middle of the parabola through them."""
    return np.asarray(
        np.linalg.pinv(np.vander(_shifts().astype(np.float64), 3, increasing=True))[0]
    )


def _with_neighbours(clips: Sequence[BodyTracks], used: Booleans) -> Booleans:
    """Frames whose window lies in one clip and counts throughout, shape (bodies, frames)."""
    found: Booleans = np.zeros_like(used)
    for part in frames_of(clips):
        if part.stop - part.start > 2 * REACH:
            window = np.lib.stride_tricks.sliding_window_view(used[:, part], 2 * REACH + 1, axis=1)
            found[:, part.start + REACH : part.stop - REACH] = window.all(axis=2)
    return found


def _covariance(gaps: Floats, seen: Booleans, independent: Sequence[float]) -> Floats:
    """Covariance of one coordinate of the gaps, square metres, shape (joints, joints).

    Where few frames are independent it is drawn to that of gaps that have nothing in common.
    """
    flat = gaps.reshape(len(gaps), -1)
    together = seen.astype(np.float64) @ seen.T
    whole = flat @ flat.T / np.maximum(3.0 * together, 1.0)
    share = len(gaps) / (len(gaps) + 3.0 * float(np.median(independent)))
    shrunk = (1.0 - share) * whole + share * np.diag(np.diag(whole))
    values, vectors = np.linalg.eigh(shrunk)
    least = 1e-3 * float(np.median(values))
    return np.asarray((vectors * np.maximum(values, least)) @ vectors.T)
