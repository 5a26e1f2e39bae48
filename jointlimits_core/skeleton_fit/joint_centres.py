"""The best joint of two bodies in closed form, and how well its place is known.

O'Brien et al. (2000), equation 8: the joint at c in the child's frame and at l in the parent's is
one point, R_c c + t_c = R_p l + t_p. The normal equations of all frames are

    [  1   -M ] [c]   [child_pull ]
    [ -M'   1 ] [l] = [parent_pull],        M = mean of R_c' R_p,

and in the bases U and V of the decomposition M = U diag(s) V' they fall into three pairs: the sum
and the difference of the k-th coordinates of c and l stand alone, with the factors 1 - s_k and
1 + s_k. A turn about the k-th direction alone moves nothing along it: then s_k is 1 and the place
along this direction is unknown. Section 3.2 of the paper takes the first half of such a null
vector for the axis in the inboard frame; it is the one in the outboard frame.

With all rotations and positions of a frame side by side, B = [R_1 t_1 R_2 t_2 ...], the sums over
frames that this needs (of R_i' R_p, R_i' t_p, R_i' t_i, t_i' t_p and t_i' t_i) are entries of B'B:
one matrix product does the work of a least-squares problem for every pair.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..geometry.arrays import ArrayLike, Booleans, Floats, Integers
from ..geometry.quaternion import matrix_from_quaternion
from .result import MIN_FRAMES
from .tracks import BodyTracks

MAX_STILL_SLACK = 1e-6
"""1 - s up to which motion counts as missing in data without noise: a wobble of 0.08 degrees."""
MIN_TOLERANCE_RAD = float(np.sqrt(2.0 * MAX_STILL_SLACK))
MAX_TOLERANCE_RAD = float(np.radians(3.0))
NOISE_TOLERANCE = 1.5
"""Multiple of the wobble that noise alone could cause, up to which wobble is no motion."""
ROUNDING_SHARE = 1e-7
"""Share of the distances of two bodies below which a gap between them is rounding."""
TURNING_SHARE = 0.1
TURNING_M = 1e-6
"""Increase of a gap per radian of rotation when pairs are compared: a share of it, and a length
that matters only without noise."""
BLOCK_COUNT = 1 << 18
"""Numbers in a block of frames (2 MB), but a block has ..."""
MIN_BLOCK_FRAMES = 512
"""... at least this many frames."""


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

    def of_pairs(self, child: ArrayLike, parent: ArrayLike) -> PairMoments:
        """Sums for chosen pairs, (pairs,) each; either body may be the child."""
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
        """Sums without noise of the orientations, by :func:`.shrinkage`, (pairs, 3, 3).

        The mean over noise shortens a rotation, which draws joints towards the bodies' origins.
        """
        child, parent = np.linalg.inv(child), np.linalg.inv(parent)
        return replace(
            self,
            turn=child @ self.turn @ parent,
            child_pull=(child @ self.child_pull[..., None])[..., 0],
            parent_pull=(parent @ self.parent_pull[..., None])[..., 0],
        )

    def squared_gap(self, in_child: Floats, in_parent: Floats) -> Floats:
        """Sum of squared gaps at places in the bodies' axes, square metres, (pairs,)."""
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
    """Sums for every pair of bodies, the child's index above, over frames that both have."""
    bodies = len(tracks)
    share = tracks.present.astype(np.float64)
    if weights is not None:
        share *= weights
    # product[i, a, p, b] is the sum of axis a of body i times axis b of body p, the position being
    # axis 3. The others are of body i's own numbers over the frames of the pair (i, p).
    product, weight = np.zeros((bodies, 4, bodies, 4)), np.zeros((bodies, bodies))
    own_pull, own_place = np.zeros((2, bodies, bodies, 3))
    own_squared = np.zeros((bodies, bodies))
    step = max(MIN_BLOCK_FRAMES, BLOCK_COUNT // (12 * bodies))
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
    """Rotations and positions of a block, (bodies, 4, 3, frames); 0 where the weight is 0.

    ``rows[i, a, r]`` is component r in the world of the a-th axis of body i, or of its position for
    a = 3, about the weighted mean of all bodies.
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


@dataclass(frozen=True, eq=False)
class JointCentres:
    """Best joint of many pairs. Directions are rows, the one known worst first."""

    in_child: Floats
    in_parent: Floats
    """The joint in the bodies' own coordinates, metres, shape (pairs, 3); nearest to their origins
    along directions in which it is unknown."""
    residual_m: Floats
    """Root mean square gap, shape (pairs,); inf where there are no frames. It is a difference of
    large numbers, 0 if it may be their rounding; :mod:`.residuals` has the exact one."""
    directions_in_child: Floats
    directions_in_parent: Floats
    """The same lines in space, as nearly as the motion allows, shape (pairs, 3, 3); right-handed in
    the child."""
    wobble: Floats
    """Relative turning across each direction, radians rms (for small motion), shape (pairs, 3);
    increasing."""
    known: Booleans
    """Whether the place along a direction comes from the motion, shape (pairs, 3)."""

    def spread_factors(self) -> Floats:
        """Deviation of the place along each direction per deviation of a gap, (pairs, 3)."""
        rigid = 0.5 * self.wobble**2
        with np.errstate(divide="ignore"):
            factors = np.sqrt(0.5 * (1.0 / rigid + 1.0 / (2.0 - rigid)))
        return np.asarray(np.where(self.known, factors, np.inf))


def joint_centres(moments: PairMoments, tolerance: ArrayLike = MIN_TOLERANCE_RAD) -> JointCentres:
    """Joints of all pairs. `tolerance`, (pairs,): wobble, radians, that counts as no motion."""
    weight = np.maximum(moments.weight, 1e-300)
    empty = moments.weight <= 0.0
    mean = moments.turn / weight[:, None, None]
    left, stretch, right = np.linalg.svd(np.where(empty[:, None, None], np.eye(3), mean))
    child = np.swapaxes(left, 1, 2)
    # Directions as rows, with signs independent of the library.
    largest = np.argmax(np.abs(child), axis=2)[..., None]
    sign = np.where(np.take_along_axis(child, largest, axis=2) < 0.0, -1.0, 1.0)
    sign[:, 2, 0] *= np.sign(np.linalg.det(child * sign))
    child, parent = child * sign, right * sign
    # 1 - s of a mean of rotations is never negative; rounding may make it so.
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

    If all of the residual were noise of the orientations, a joint at distances |c| and |l| from the
    two origins with gaps of r rms would show a wobble of sqrt(2) r / sqrt(|c|^2 + |l|^2).
    """
    squared = np.sum(centres.in_child**2 + centres.in_parent**2, axis=1)
    gaps = np.sqrt(2.0) * centres.residual_m / np.sqrt(np.maximum(squared, 1e-12))
    noise = np.maximum(gaps, orientation)
    return np.asarray(np.clip(NOISE_TOLERANCE * noise, MIN_TOLERANCE_RAD, MAX_TOLERANCE_RAD))


def kinds(centres: JointCentres, tolerance: Floats) -> list[str]:
    """Kind of each joint, "ball", "single-axis" or "rigid", by wobble that is none, radians."""
    still = centres.wobble <= np.asarray(tolerance)[:, None]
    rigid, single = still[:, 2], still[:, 0]
    return ["rigid" if r else "single-axis" if s else "ball" for r, s in zip(rigid, single)]


@dataclass(frozen=True, eq=False)
class PairTable:
    """Joints of all pairs, and matrices over bodies: symmetric but for levers, 0 on the diagonal.

    `residuals_m`: gap of each pair at its best joint, metres rms; inf for pairs with too few
    frames. `spreads_m`: relative motion in the world, metres rms. `turning`: relative rotation,
    radians rms. `levers_m`: distance of a pair's joint from the first body's origin, metres.
    """

    centres: JointCentres
    residuals_m: Floats
    spreads_m: Floats
    turning: Floats
    levers_m: Floats

    def weights(self) -> Floats:
        """Weights for the tree: the residuals, and among similar ones the relative rotation.

        Where three bodies meet in one point, as at the wrist, each pair fits equally well.
        """
        share = 1.0 + TURNING_SHARE * self.turning
        return np.asarray(self.residuals_m * share + TURNING_M * self.turning)


def pair_table(moments: PairMoments, bodies: int) -> PairTable:
    """Compare all pairs. `moments` are those of all pairs."""
    centres = joint_centres(moments)
    residuals = np.where(moments.weight < MIN_FRAMES, np.inf, centres.residual_m)
    turning = np.sqrt(0.5 * np.sum(centres.wobble**2, axis=1))
    spreads = moments.spread_m()
    in_child, in_parent = (
        np.linalg.norm(place, axis=1) for place in (centres.in_child, centres.in_parent)
    )
    matrices = []
    for lower, upper in (
        (residuals, residuals),
        (spreads, spreads),
        (turning, turning),
        (in_child, in_parent),
    ):
        matrix = np.zeros((bodies, bodies))
        matrix[moments.child, moments.parent] = lower
        matrix[moments.parent, moments.child] = upper
        matrices.append(matrix)
    return PairTable(centres, *matrices)
