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
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..geometry.arrays import ArrayLike, Booleans, Floats
from .pairs import PairMoments

NO_MOTION = 1e-6
"""1 - s up to which motion counts as missing in data without noise: a wobble of 0.08 degrees."""
MIN_TOLERANCE_RAD = float(np.sqrt(2.0 * NO_MOTION))
MAX_TOLERANCE_RAD = float(np.radians(3.0))
NOISE_TOLERANCE = 1.5
"""Multiple of the wobble that noise alone could cause, up to which wobble is no motion."""
ROUNDING = 1e-7
"""Share of the distances of two bodies below which a gap between them is rounding."""
TURNING_SHARE = 0.1
TURNING_M = 1e-6
"""What a radian of rotation adds to a gap when pairs are compared: a share of it, and a length that
matters only without any noise."""


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
        """Standard deviation of the joint's place along each direction, for one frame.

        In units of the deviation of one coordinate of the gap; to be divided by the square root
        of the number of independent frames. Shape (pairs, 3), inf where the place is not known.
        """
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
    squared[squared < ROUNDING**2 * whole] = 0.0
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
    two origins with gaps of r rms would show a wobble of sqrt(2) r / sqrt(|c|^2 + |l|^2). The known
    noise of the orientations, `orientation`, radians, may cause more. The tolerance is 1.5 times
    the larger, between 0.08 and 3 degrees.
    """
    squared = np.sum(centres.in_child**2 + centres.in_parent**2, axis=1)
    gaps = np.sqrt(2.0) * centres.residual_m / np.sqrt(np.maximum(squared, 1e-12))
    noise = np.maximum(gaps, orientation)
    return np.asarray(np.clip(NOISE_TOLERANCE * noise, MIN_TOLERANCE_RAD, MAX_TOLERANCE_RAD))


def kinds(centres: JointCentres, tolerance: Floats) -> list[str]:
    """Kind of each joint: "ball", "single-axis" or "rigid".

    `tolerance`, shape (pairs,): wobble that counts as none, radians.
    """
    still = centres.wobble <= np.asarray(tolerance)[:, None]
    rigid, single = still[:, 2], still[:, 0]
    return ["rigid" if r else "single-axis" if s else "ball" for r, s in zip(rigid, single)]


@dataclass(frozen=True, eq=False)
class PairTable:
    """Joints of all pairs, and matrices over bodies: symmetric but for levers, 0 on the diagonal.

    `residuals_m`, shape (bodies, bodies): gap of each pair at its best joint, metres rms; inf for
    pairs with too few frames. `spreads_m`, shape (bodies, bodies): relative motion of the two in
    the world, metres rms. `turning`, shape (bodies, bodies): relative rotation of the two, radians
    rms (for small motion). `levers_m`, shape (bodies, bodies): distance of a pair's joint from the
    first body's origin, metres.
    """

    centres: JointCentres
    residuals_m: Floats
    spreads_m: Floats
    turning: Floats
    levers_m: Floats

    def weights(self) -> Floats:
        """Weights for the tree: the residuals, and among similar ones the relative rotation.

        Where three bodies meet in one point (the two parts of a hand at the wrist, a forearm that
        twists about a line through the elbow) each pair fits equally well, and the pair with less
        relative rotation is joined.
        """
        share = 1.0 + TURNING_SHARE * self.turning
        return np.asarray(self.residuals_m * share + TURNING_M * self.turning)


def pair_table(moments: PairMoments, bodies: int, minimum_frames: int) -> PairTable:
    """Compare all pairs. `moments` are those of all pairs."""
    centres = joint_centres(moments)
    residuals = np.where(moments.weight < minimum_frames, np.inf, centres.residual_m)
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
