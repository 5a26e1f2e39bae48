"""Sums over the frames of all pairs of bodies, from one matrix product.

All that the joint of two bodies needs of a clip are a few sums of products of their rotations R
and positions t: of R_i' R_p, R_i' t_p, R_i' t_i, t_i' t_p and t_i' t_i. With all rotations and
positions of a frame side by side, B = [R_1 t_1 R_2 t_2 ...], each of them is an entry of B'B.
One matrix product therefore does the work of a least-squares problem for every pair; O'Brien et
al. (2000), section 3.1, set up and decompose a matrix of 3 rows a frame for each.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..geometry.arrays import ArrayLike, Booleans, Floats, Integers
from ..geometry.quaternion import matrix_from_quaternion
from .tracks import BodyTracks

BLOCK_NUMBERS = 1 << 18
"""Numbers in a block of frames: 2 MB, ..."""
MIN_BLOCK_FRAMES = 512
"""... but at least this many frames."""


@dataclass(frozen=True, eq=False)
class PairMoments:
    """Weighted sums over frames, for each of many pairs of bodies."""

    child: Integers
    parent: Integers
    """Shape (pairs,)."""
    weight: Floats
    """Sum of the weights of the frames, shape (pairs,); their number where all weights are 1."""
    turn: Floats
    """Sum of R_child' R_parent, shape (pairs, 3, 3)."""
    child_pull: Floats
    parent_pull: Floats
    """Sums of R_child' (t_parent - t_child) and R_parent' (t_child - t_parent), metres, shape
    (pairs, 3)."""
    gap: Floats
    """Sum of t_child - t_parent, metres, shape (pairs, 3)."""
    squared: Floats
    """Sum of the squared length of t_child - t_parent, square metres, shape (pairs,)."""

    def __len__(self) -> int:
        return len(self.child)

    def of(self, child: ArrayLike, parent: ArrayLike) -> PairMoments:
        """Some of the pairs of :func:`pair_moments`, either body being the child.

        `child`, `parent`, shape (pairs,): two different bodies each.
        """
        one, other = np.asarray(child, dtype=np.int64), np.asarray(parent, dtype=np.int64)
        high, low = np.maximum(one, other), np.minimum(one, other)
        row = high * (high - 1) // 2 + low
        turned: Booleans = one < other
        pulls = self.child_pull[row], self.parent_pull[row]
        swap = turned[:, None]
        return PairMoments(
            one,
            other,
            self.weight[row],
            np.where(swap[:, None], np.swapaxes(self.turn[row], 1, 2), self.turn[row]),
            np.where(swap, pulls[1], pulls[0]),
            np.where(swap, pulls[0], pulls[1]),
            np.where(swap, -self.gap[row], self.gap[row]),
            self.squared[row],
        )

    def without_shrinkage(self, child: Floats, parent: Floats) -> PairMoments:
        """Sums as they would be without noise of the orientations.

        The mean over independent noise shortens a rotation, which draws joints towards the bodies'
        origins, the more the less they move. `child`, `parent`, shape (pairs, 3, 3):
        :func:`.shrinkage`.
        """
        child, parent = np.linalg.inv(child), np.linalg.inv(parent)
        return replace(
            self,
            turn=child @ self.turn @ parent,
            child_pull=(child @ self.child_pull[..., None])[..., 0],
            parent_pull=(parent @ self.parent_pull[..., None])[..., 0],
        )

    def squared_gap(self, in_child: Floats, in_parent: Floats) -> Floats:
        """Sum of the squared gaps of joints at these places, square metres, shape (pairs,).

        `in_child`, `in_parent`, shape (pairs, 3): metres, in the bodies' own axes.
        """
        arms = self.weight * np.sum(in_child**2 + in_parent**2, axis=1)
        pulls = np.sum(in_child * self.child_pull + in_parent * self.parent_pull, axis=1)
        crossed = np.einsum("pi,pij,pj->p", in_child, self.turn, in_parent)
        return np.asarray(self.squared + arms - 2.0 * (pulls + crossed))

    def spread_m(self) -> Floats:
        """Relative motion of the two, metres rms about the mean, shape (pairs,)."""
        weight = np.maximum(self.weight, 1e-300)
        mean = self.gap / weight[:, None]
        squared = self.squared / weight - np.sum(mean * mean, axis=1)
        return np.asarray(np.sqrt(np.maximum(squared, 0.0)))


def pair_moments(tracks: BodyTracks, weights: Floats | None = None) -> PairMoments:
    """Sums for every pair of bodies, over the frames in which both were seen.

    `weights`, shape (bodies, frames): non-negative weight of each frame of a body; a frame of a
    pair gets the product. Pairs have the child's index above the parent's. Memory is bounded by
    blocks of frames.
    """
    bodies = len(tracks)
    share = tracks.present.astype(np.float64)
    if weights is not None:
        share *= weights
    # product[i, a, p, b] is the sum of axis a of body i times axis b of body p, the position being
    # axis 3. The others are of body i's own numbers over the frames of the pair (i, p).
    product, weight = np.zeros((bodies, 4, bodies, 4)), np.zeros((bodies, bodies))
    own_pull, own_place = np.zeros((2, bodies, bodies, 3))
    own_squared = np.zeros((bodies, bodies))
    step = max(MIN_BLOCK_FRAMES, BLOCK_NUMBERS // (12 * bodies))
    for start in range(0, tracks.frame_count, step):
        own = share[:, start : start + step]
        rows = side_by_side(tracks, slice(start, start + step), own)
        weighted = rows * own[:, None, None]
        flat = weighted.reshape(4 * bodies, -1)
        product += (flat @ flat.T).reshape(product.shape)
        weight += own @ own.T
        pull = np.einsum("iarf,irf->iaf", weighted[:, :3], rows[:, 3])
        own_pull += np.moveaxis(pull @ own.T, 2, 1)
        own_place += np.moveaxis(weighted[:, 3] @ own.T, 2, 1)
        own_squared += np.einsum("irf,irf->if", weighted[:, 3], rows[:, 3]) @ own.T
    child, parent = np.tril_indices(bodies, -1)
    of_pair = product[child, :, parent, :]
    return PairMoments(
        child,
        parent,
        weight[child, parent],
        of_pair[:, :3, :3],
        of_pair[:, :3, 3] - own_pull[child, parent],
        of_pair[:, 3, :3] - own_pull[parent, child],
        own_place[child, parent] - own_place[parent, child],
        own_squared[child, parent] + own_squared[parent, child] - 2.0 * of_pair[:, 3, 3],
    )


def side_by_side(tracks: BodyTracks, part: slice, share: Floats) -> Floats:
    """Rotations and positions of a block, shape (bodies, 4, 3, frames); 0 where the weight is 0.

    ``rows[i, a, r]`` is component r in the world of the a-th axis of body i, or of its position for
    a = 3, about the weighted mean of all bodies. `share`, shape (bodies, frames): weights.
    """
    # Unseen values may be NaN, which a zero weight does not remove.
    seen: Booleans = (share > 0.0)[:, None]
    positions = np.where(seen, tracks.positions[:, part].transpose(0, 2, 1), 0.0)
    rotations = np.where(seen, tracks.rotations[:, :, part], 0.0)
    rows = np.empty((len(tracks), 4, 3, positions.shape[2]))
    axes = matrix_from_quaternion(np.swapaxes(rotations, 1, 2))
    rows[:, :3] = axes.transpose(0, 3, 2, 1)
    # Large coordinates would cost digits in the differences; a common offset cancels.
    centre = (positions * share[:, None]).sum(axis=0) / np.maximum(share.sum(axis=0), 1e-300)
    rows[:, 3] = positions - centre
    return np.asarray(np.where(seen[:, None], rows, 0.0))
