"""Evidence against each joint type: residual in degrees and its tolerance.

A residual has three parts. Noise is subtracted. Motion that follows the joint's own angles may be
cross-talk, and much of it is tolerated, in proportion to the motion. Free motion is a further
degree of freedom, and little of it is tolerated: some, because no model is exact, and as much as
noise may leave by chance in so few samples.

The last two are combined as shares of their tolerances, ``free / allowed free + coupled /
allowed coupled`` in degrees squared; a type is chosen if that does not exceed 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Booleans, Floats, Integers
from .coupled_residual import Residual
from .noise import Noise

OWN_VOICE = 0.6
"""Weight of a joint's own evidence where it has a mirrored partner."""
LOUDEST_PARTNER = 4.0
"""Largest factor by which a partner's evidence counts above or below the threshold."""
NOTHING = 1e-9
"""Smallest evidence, as a share of the threshold."""


@dataclass(frozen=True)
class Tolerance:
    """Tolerated residual of a joint type. Chosen on CMU subjects 01, 03 and 07.

    Parameters
    ----------
    axes : int
        Number of axes about which noise leaves a residual.
    free, free_share : float
        Free residual: root mean square degrees, and degrees per degree of the joint's largest
        spread, added in squares.
    coupled, coupled_share : float
        Same for the residual that follows the joint's angles.
    chance : float
        Standard deviations of the noise power that chance may leave.
    """

    axes: int
    free: float
    free_share: float
    coupled: float
    coupled_share: float
    chance: float

    def allowed_free(self, motion: Floats, noise: Noise) -> Floats:
        """Tolerated free residual, degrees squared; shape of `motion`, degrees."""
        by_chance = self.chance * np.sqrt(self.axes) * noise.left**2 * noise.scatter
        return np.asarray(self.free**2 + (self.free_share * motion) ** 2 + by_chance)

    def allowed_coupled(self, motion: Floats) -> Floats:
        """Tolerated coupled residual, degrees squared; shape of `motion`, degrees."""
        return np.asarray(self.coupled**2 + (self.coupled_share * motion) ** 2)


FIXED = Tolerance(3, free=1.0, free_share=0.0, coupled=1.0, coupled_share=0.0, chance=3.5)
HINGE = Tolerance(2, free=0.8, free_share=0.06, coupled=0.5, coupled_share=0.4, chance=0.8)
UNIVERSAL = Tolerance(1, free=0.45, free_share=0.03, coupled=1.4, coupled_share=0.16, chance=0.8)


@dataclass(frozen=True, eq=False)
class Evidence:
    """Evidence against one type, for some joints.

    Parameters
    ----------
    against : array, shape (joints,)
        Squared share of the tolerance: the type is chosen up to 1.
    allowed : array, shape (joints,)
        Tolerated residual, root mean square degrees.
    in_step : array of bool, shape (joints,)
        The decision depends on motion in step, which would rule the type out if counted as free.
    """

    against: Floats
    allowed: Floats
    in_step: Booleans

    @property
    def residual(self) -> Floats:
        """Residual to compare with `allowed`: without noise, coupled motion discounted."""
        return np.asarray(self.allowed * np.sqrt(self.against))


def weigh(residual: Residual, motion: Floats, noise: Noise, tolerance: Tolerance) -> Evidence:
    """Compare a residual with its tolerance.

    Parameters
    ----------
    motion : array, shape (joints,)
        Largest spread of each joint, degrees, without noise.
    """
    allowed = tolerance.allowed_free(motion, noise)
    free = np.maximum(residual.free - tolerance.axes * noise.left**2, 0.0) / allowed
    against = free + residual.coupled / tolerance.allowed_coupled(motion)
    in_step = (free <= 1.0) & (free + residual.coupled / allowed > 1.0)
    return Evidence(against, np.sqrt(allowed), in_step)


def heard_partners(evidence: Evidence, partners: Integers) -> Evidence:
    """Combine the evidence of mirrored partners.

    Left and right have the same type in nearly all characters, and one of them often moves too
    little. The influence is limited: a joint with strong evidence keeps its type in any case.

    Parameters
    ----------
    partners : array of int, shape (joints,)
        Row of each joint's partner, -1 for none.
    """
    paired = np.flatnonzero(partners >= 0)
    own = np.log(np.maximum(evidence.against, NOTHING))
    loudest = np.log(LOUDEST_PARTNER)
    other = np.clip(own[partners[paired]], -loudest, loudest)
    own[paired] = OWN_VOICE * own[paired] + (1.0 - OWN_VOICE) * other
    combined = np.where(partners >= 0, np.exp(own), evidence.against)
    return Evidence(combined, evidence.allowed, evidence.in_step)
