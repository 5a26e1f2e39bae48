"""What speaks against each joint type, as a residual in degrees and what of it is tolerated.

A residual has three parts. Noise alone would leave some; that is taken off. What follows the
joint's own angles may be cross-talk, and much of it is forgiven, in proportion to the motion. What
moves freely is a further degree of freedom, and little of it is forgiven: some, because no model is
exact, and as much as noise may leave by chance in so few samples.

The two kinds are put together as parts of what each may be, ``free / allowed free + coupled /
allowed coupled`` in degrees squared; a type is taken if that does not exceed 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Booleans, Floats, Integers
from .coupled_residual import Residual
from .noise import Noise

OWN_VOICE = 0.6
"""Weight of a joint's own evidence where its mirrored partner has a say."""
LOUDEST_PARTNER = 4.0
"""A partner's evidence counts as at most this many times over, or under, the line."""
NOTHING = 1e-9
"""Evidence smaller than this share of the line is as good as none."""


@dataclass(frozen=True)
class Tolerance:
    """What may be left over of a joint that has a type. Chosen on CMU subjects 01, 03 and 07.

    Parameters
    ----------
    axes : int
        Axes about which noise leaves a residual.
    free, free_share : float
        Free residual: root mean square degrees, and degrees for each degree of the joint's largest
        spread. Both are added in squares.
    coupled, coupled_share : float
        The same for the residual that follows the joint's angles.
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
        In shares of what is tolerated, squared: the type is taken up to 1.
    allowed : array, shape (joints,)
        Tolerated residual, root mean square degrees.
    in_step : array of bool, shape (joints,)
        The verdict hangs on motion in step: counted as free it would rule the type out, or left
        aside it would not.
    """

    against: Floats
    allowed: Floats
    in_step: Booleans

    @property
    def residual(self) -> Floats:
        """Residual to hold against `allowed`: noise taken off, coupled motion at its discount."""
        return np.asarray(self.allowed * np.sqrt(self.against))


def weigh(residual: Residual, motion: Floats, noise: Noise, tolerance: Tolerance) -> Evidence:
    """Hold a residual against its tolerance.

    Parameters
    ----------
    motion : array, shape (joints,)
        Largest spread of each joint, degrees, noise taken off.
    """
    allowed = tolerance.allowed_free(motion, noise)
    free = np.maximum(residual.free - tolerance.axes * noise.left**2, 0.0) / allowed
    against = free + residual.coupled / tolerance.allowed_coupled(motion)
    in_step = (free <= 1.0) & (free + residual.coupled / allowed > 1.0)
    return Evidence(against, np.sqrt(allowed), in_step)


def heard_partners(evidence: Evidence, partners: Integers) -> Evidence:
    """Let mirrored partners have a say in each other's type.

    Left and right have one type in nearly all characters, and one of them often moves too little.
    The say is limited: a joint whose own evidence is plain keeps its type whatever the other does.

    Parameters
    ----------
    partners : array of int, shape (joints,)
        Row of each joint's partner, -1 where there is none to be asked.
    """
    asked = np.flatnonzero(partners >= 0)
    own = np.log(np.maximum(evidence.against, NOTHING))
    loudest = np.log(LOUDEST_PARTNER)
    other = np.clip(own[partners[asked]], -loudest, loudest)
    own[asked] = OWN_VOICE * own[asked] + (1.0 - OWN_VOICE) * other
    heard = np.where(partners >= 0, np.exp(own), evidence.against)
    return Evidence(heard, evidence.allowed, evidence.in_step)
