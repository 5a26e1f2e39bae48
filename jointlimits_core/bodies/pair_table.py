"""Measures for and against a joint, for every pair of bodies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from .joint_centres import joint_centres
from .pair_moments import PairMoments

TURNING_SHARE = 0.1
TURNING_M = 1e-6
"""What a radian of rotation adds to a gap when pairs are compared: a share of it, and a length that
matters only without any noise."""


@dataclass(frozen=True, eq=False)
class PairTable:
    """Matrices over bodies, zero on the diagonal; all but the levers are symmetric.

    Parameters
    ----------
    residuals_m : array, shape (bodies, bodies)
        Gap of each pair at its best joint, metres rms; inf for pairs with too few frames.
    spreads_m : array, shape (bodies, bodies)
        Relative motion of the two in the world, metres rms.
    turning : array, shape (bodies, bodies)
        Relative rotation of the two, radians rms (for small motion).
    levers_m : array, shape (bodies, bodies)
        Distance of a pair's joint from the first body's origin, metres.
    """

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
    """Compare all pairs.

    Parameters
    ----------
    moments : PairMoments
        Of all pairs.
    """
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
    return PairTable(*matrices)
