"""Closed-form solution for the best joint of two bodies, and the accuracy of its position.

O'Brien et al. (2000), equation 8: the joint, at c in the child's axes and at l in the parent's
axes, is one point, R_c c + t_c = R_p l + t_p. The normal equations over all frames are

    [  1   -M ] [c]   [child_pull ]
    [ -M'   1 ] [l] = [parent_pull],        M = mean of R_c' R_p,

and in the bases U and V of the decomposition M = U diag(s) V' they separate into three pairs: the
sum and the difference of the k-th coordinates of c and l are independent, with the factors 1 - s_k
and 1 + s_k. If bodies rotate about the k-th direction only, nothing moves along it: s_k is 1, and
the position along it is unknown. Section 3.2 of the paper takes the first half of such a null
vector as the axis in the inboard frame, but it is the axis in the outboard frame.

With all rotations and positions of a frame side by side, B = [R_1 t_1 R_2 t_2 ...], the sums over
frames in these equations (of R_i' R_p, R_i' t_p, R_i' t_i, t_i' t_p and t_i' t_i) are entries of
B'B: one matrix product replaces a least-squares problem for every pair.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from ..geometry.arrays import ArrayLike, Booleans, Floats, Integers
from ..geometry.quaternion import matrix_from_quaternion
from .result import MIN_FRAMES
from .tracks import BodyTracks

MAX_STILL_SLACK = 1e-6
"""Largest 1 - s that counts as no motion in data without noise: a wobble of 0.08 degrees."""
MIN_TOLERANCE_RAD = float(np.sqrt(2.0 * MAX_STILL_SLACK))
MAX_TOLERANCE_RAD = float(np.radians(3.0))
NOISE_TOLERANCE = 1.5
"""Largest wobble that counts as no motion, in multiples of what noise alone could cause."""
ROUNDING_SHARE = 1e-7
"""Largest gap that counts as rounding error, as a share of the distance between two bodies."""
TURNING_SHARE = 0.1
TURNING_M = 1e-6
"""Penalty per radian of rotation when the gaps of pairs are compared: a share of the gap, plus a
length that only matters in data without noise."""
BLOCK_COUNT = 1 << 18
"""Maximum number of values in a block of frames (2 MB), unless that makes the block too short."""
MIN_BLOCK_FRAMES = 512
"""Minimum number of frames in a block."""


@dataclass(frozen=True, eq=False)
class PairMoments:
    """Sums over frames, for many pairs of bodies."""

    child: Integers
    parent: Integers
    """Indices of both bodies, shape (pairs,)."""
    weight: Floats
    """Number of frames, shape (pairs,)."""
    turn: Floats
    """Sum of R_child' R_parent, shape (pairs, 3, 3)."""
    child_pull: Floats
    parent_pull: Floats
    """Sums of R_child' (t_parent - t_child) and R_parent' (t_child - t_parent), m, (pairs, 3)."""
    gap: Floats
    """Sum of t_child - t_parent, metres, shape (pairs, 3)."""
    squared: Floats
    """Sum of the squared length of t_child - t_parent, square metres, shape (pairs,)."""

    def __len__(self) -> int:
        return len(self.child)

    def select_pairs(self, child: ArrayLike, parent: ArrayLike) -> PairMoments:
        """Sums for chosen pairs, each of shape (pairs,); either body may be the child."""
        one, other = np.asarray(child, dtype=np.int64), np.asarray(parent, dtype=np.int64)
        high, low = np.maximum(one, other), np.minimum(one, other)
        row = high * (high - 1) // 2 + low
        swap: Booleans = np.asarray(one < other)[:, None]
        pulls = self.child_pull[row], self.parent_pull[row]
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
        """Sums without orientation noise, using factors from :func:`.shrinkage`, (pairs, 3, 3).

        Noise shrinks the mean of rotations, which draws joints towards the bodies' origins.
        """
        child, parent = np.linalg.inv(child), np.linalg.inv(parent)
        return replace(
            self,
            turn=child @ self.turn @ parent,
            child_pull=(child @ self.child_pull[..., None])[..., 0],
            parent_pull=(parent @ self.parent_pull[..., None])[..., 0],
        )

    def squared_gap(self, in_child: Floats, in_parent: Floats) -> Floats:
        """Sum of squared gaps for joint positions in body axes, square metres, (pairs,)."""
        arms = self.weight * np.sum(in_child**2 + in_parent**2, axis=1)
        pulls = np.sum(in_child * self.child_pull + in_parent * self.parent_pull, axis=1)
        crossed = np.einsum("pi,pij,pj->p", in_child, self.turn, in_parent)
        return np.asarray(self.squared + arms - 2.0 * (pulls + crossed))


def pair_moments(tracks: BodyTracks, used: Booleans | None = None) -> PairMoments:
    """Sums over common frames for every pair of bodies; children have larger indices.

    `used`, (bodies, frames): frames that count, by default all.
    """
    share = (tracks.present if used is None else tracks.present & used).astype(np.float64)
    step = max(MIN_BLOCK_FRAMES, BLOCK_COUNT // (12 * len(tracks)))
    parts = [slice(start, start + step) for start in range(0, tracks.frame_count, step)]
    blocks = ((side_by_side(tracks, part, share[:, part]), share[:, part]) for part in parts)
    products, places, weight = pair_products(blocks, len(tracks))
    child, parent = np.tril_indices(len(tracks), -1)
    of_pair = products[child, parent]
    return PairMoments(
        child,
        parent,
        weight[child, parent],
        of_pair[:, :3, 4:7],
        of_pair[:, :3, 7] - of_pair[:, :3, 3],
        of_pair[:, 4:7, 3] - of_pair[:, 4:7, 7],
        places[child, parent] - places[parent, child],
        of_pair[:, 3, 3] + of_pair[:, 7, 7] - 2.0 * of_pair[:, 3, 7],
    )


def pair_products(
    blocks: Iterable[tuple[Floats, Floats]], bodies: int
) -> tuple[Floats, Floats, Floats]:
    """Products of all columns [R_1 t_1 R_2 t_2] for every two bodies, (bodies, bodies, 8, 8).

    Also returns the sums of the first body's positions, (bodies, bodies, 3), and of the weights.
    `blocks`: columns as in :func:`side_by_side`, and weights, (bodies, frames).
    """
    cross = np.zeros((4 * bodies, 4 * bodies))
    own, places = np.zeros((bodies, 16, bodies)), np.zeros((bodies, 3, bodies))
    weight = np.zeros((bodies, bodies))
    for rows, share in blocks:
        weighted = rows * share[:, None, None]
        flat = weighted.reshape(4 * bodies, -1)
        cross += flat @ flat.T
        squares = np.einsum("iarf,ibrf->iabf", weighted, rows)
        own += squares.reshape(bodies, 16, -1) @ share.T
        places += weighted[:, 3] @ share.T
        weight += share @ share.T
    across = np.swapaxes(cross.reshape(bodies, 4, bodies, 4), 1, 2)
    first = np.moveaxis(own.reshape(bodies, 4, 4, bodies), 3, 1)
    both = [[first, across], [np.swapaxes(across, 2, 3), np.swapaxes(first, 0, 1)]]
    return np.block(both), np.swapaxes(places, 1, 2), weight


def side_by_side(tracks: BodyTracks, part: slice, share: Floats) -> Floats:
    """Rotations and positions in some frames, (bodies, 4, 3, frames); 0 where the weight is 0.

    ``rows[i, a, r]`` is world component r of the a-th axis of body i, or, for a = 3, of its
    position relative to the weighted mean of all bodies.
    """
    # Unseen values may be NaN, which a zero weight does not remove.
    seen: Booleans = (share > 0.0)[:, None]
    positions = np.where(seen, tracks.positions[:, part].transpose(0, 2, 1), 0.0)
    rotations = np.where(seen, tracks.rotations[:, :, part], 0.0)
    rows = np.empty((len(tracks), 4, 3, positions.shape[2]))
    axes = matrix_from_quaternion(np.swapaxes(rotations, 1, 2))
    rows[:, :3] = axes.transpose(0, 3, 2, 1)
    # Large coordinates would cost accuracy; a common offset cancels.
    centre = (positions * share[:, None]).sum(axis=0) / np.maximum(share.sum(axis=0), 1e-300)
    rows[:, 3] = positions - centre
    return np.asarray(np.where(seen[:, None], rows, 0.0))


@dataclass(frozen=True, eq=False)
class JointCentres:
    """Best joints of many pairs. Directions are rows, the least accurate direction first."""

    in_child: Floats
    in_parent: Floats
    """Joint position in the bodies' own axes, metres, shape (pairs, 3); along unknown directions,
    the point nearest to the bodies' origins."""
    residual_m: Floats
    """Root mean square gap, shape (pairs,); inf without frames. It is a difference between large
    numbers, set to 0 if it may be rounding error; :mod:`.residuals` has the exact gap."""
    directions_in_child: Floats
    directions_in_parent: Floats
    """The same lines in space, given in each body's axes, as nearly as the motion allows, shape
    (pairs, 3, 3); right-handed in the child."""
    wobble: Floats
    """Relative rotation across each direction, radians rms (for small motion), shape (pairs, 3), in
    increasing order."""
    known: Booleans
    """Whether the motion determines the position along a direction, shape (pairs, 3)."""

    def spread_factors(self) -> Floats:
        """Ratio of position deviation to gap deviation along each direction, (pairs, 3)."""
        rigid = 0.5 * self.wobble**2
        with np.errstate(divide="ignore"):
            factors = np.sqrt(0.5 * (1.0 / rigid + 1.0 / (2.0 - rigid)))
        return np.asarray(np.where(self.known, factors, np.inf))


def joint_centres(moments: PairMoments, tolerance: ArrayLike = MIN_TOLERANCE_RAD) -> JointCentres:
    """Joints of all pairs. `tolerance`, (pairs,): largest wobble that counts as still, radians."""
    weight = np.maximum(moments.weight, 1e-300)
    empty = moments.weight <= 0.0
    mean = moments.turn / weight[:, None, None]
    left, stretch, right = np.linalg.svd(np.where(empty[:, None, None], np.eye(3), mean))
    child = np.swapaxes(left, 1, 2)
    # Directions as rows, with signs that do not depend on the linear algebra library.
    largest = np.argmax(np.abs(child), axis=2)[..., None]
    sign = np.where(np.take_along_axis(child, largest, axis=2) < 0.0, -1.0, 1.0)
    sign[:, 2, 0] *= np.sign(np.linalg.det(child * sign))
    child, parent = child * sign, right * sign
    # For a mean of rotations, 1 - s is never negative, except by rounding.
    slack = np.maximum(1.0 - stretch, 0.0)
    wobble = np.sqrt(2.0 * slack)
    known = wobble > np.asarray(tolerance, np.float64).reshape(-1, 1)
    pull_child = np.einsum("pkd,pd->pk", child, moments.child_pull) / weight[:, None]
    pull_parent = np.einsum("pkd,pd->pk", parent, moments.parent_pull) / weight[:, None]
    total, difference = pull_child + pull_parent, pull_child - pull_parent
    half_sum = np.divide(total, 2.0 * slack, out=np.zeros_like(total), where=known)
    half_difference = difference / (2.0 * (1.0 + stretch))
    explained = total * half_sum + difference * half_difference
    whole = moments.squared / weight
    squared = whole - explained.sum(axis=1)
    squared[squared < ROUNDING_SHARE**2 * whole] = 0.0
    return JointCentres(
        np.einsum("pkd,pk->pd", child, half_sum + half_difference),
        np.einsum("pkd,pk->pd", parent, half_sum - half_difference),
        np.where(empty, np.inf, np.sqrt(squared)),
        child,
        parent,
        wobble,
        known,
    )


def noise_tolerance(centres: JointCentres, orientation: ArrayLike = 0.0) -> Floats:
    """Wobble that noise could cause without any motion, radians, shape (pairs,).

    If the residual were entirely orientation noise, a joint at distances |c| and |l| from the two
    origins with gaps of r rms would show a wobble of sqrt(2) r / sqrt(|c|^2 + |l|^2).
    """
    squared = np.sum(centres.in_child**2 + centres.in_parent**2, axis=1)
    gaps = np.sqrt(2.0) * centres.residual_m / np.sqrt(np.maximum(squared, 1e-12))
    noise = np.maximum(gaps, orientation)
    return np.asarray(np.clip(NOISE_TOLERANCE * noise, MIN_TOLERANCE_RAD, MAX_TOLERANCE_RAD))


def kinds(centres: JointCentres, tolerance: Floats) -> list[str]:
    """Kind of each joint: "ball", "single-axis" or "rigid". `tolerance`: largest still wobble."""
    still = centres.wobble <= np.asarray(tolerance)[:, None]
    rigid, single = still[:, 2], still[:, 0]
    return ["rigid" if r else "single-axis" if s else "ball" for r, s in zip(rigid, single)]


@dataclass(frozen=True, eq=False)
class PairTable:
    """Joints of all pairs, and (bodies, bodies) matrices with a zero diagonal.

    `residuals_m`: gap of each pair at its best joint, metres rms; inf if there are too few frames.
    `spreads_m`: relative motion in the world, metres rms. `turning`: relative rotation, radians
    rms. `levers_m`: distance of a pair's joint from the first body's origin, metres; not symmetric.
    """

    centres: JointCentres
    residuals_m: Floats
    spreads_m: Floats
    turning: Floats
    levers_m: Floats

    def weights(self) -> Floats:
        """Weights for the tree: the residuals; in near ties, the relative rotation decides.

        If three bodies meet at one point, as at the wrist, each pair fits equally well.
        """
        share = 1.0 + TURNING_SHARE * self.turning
        return np.asarray(self.residuals_m * share + TURNING_M * self.turning)


def pair_table(moments: PairMoments, bodies: int) -> PairTable:
    """Comparison of all pairs. `moments`: sums for all pairs of `bodies` bodies."""
    centres = joint_centres(moments)
    residuals = np.where(moments.weight < MIN_FRAMES, np.inf, centres.residual_m)
    turning = np.sqrt(0.5 * np.sum(centres.wobble**2, axis=1))
    in_child, in_parent = np.linalg.norm([centres.in_child, centres.in_parent], axis=2)
    # Relative motion about its mean.
    weight = np.maximum(moments.weight, 1e-300)
    mean = moments.gap / weight[:, None]
    spreads = np.sqrt(np.maximum(moments.squared / weight - np.sum(mean**2, axis=1), 0.0))
    matrices = np.zeros((4, bodies, bodies))
    above = residuals, spreads, turning
    matrices[:, moments.child, moments.parent] = [*above, in_child]
    matrices[:, moments.parent, moments.child] = [*above, in_parent]
    return PairTable(centres, *matrices)
