"""What inverse kinematics is asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Booleans, Floats, Integers

POSING = "posing"
"""What a search tells that it does; what is counted is frames that are done."""

METHODS = ("dls", "ccd")


@dataclass(frozen=True)
class IkOptions:
    """How a pose is searched.

    Parameters
    ----------
    method : str
        "dls", damped least squares, or "ccd", cyclic coordinate descent.
    iterations : int
        Steps, or sweeps over all joints, at most.
    tolerance : float
        Share of the figure's reach within which the effectors are where they should be.
    active_set : int
        How often directions are taken out in one step; 0 is clamping after the step alone.
    restart : bool
        Whether frames that do not get there are tried once more from the middle of the limits. A
        straight limb whose hinge stands at its bound cannot be shortened by any small step.
    """

    method: str = "dls"
    iterations: int = 40
    tolerance: float = 1e-3
    active_set: int = 3
    restart: bool = True


@dataclass(frozen=True, eq=False)
class IkSolution:
    """Poses that were found, and how near they come.

    Parameters
    ----------
    rotations : array, shape (frames, joints, 4)
        Inside all limits.
    residual : array, shape (frames,)
        Root mean square distance of the effectors from their targets, in the source's unit.
    converged : array of bool, shape (frames,)
        Whether that is within the tolerance. A frame that did not converge has the nearest pose
        that was found: its target may be out of reach.
    iterations : array of int, shape (frames,)
        Steps that were taken.
    """

    rotations: Floats
    residual: Floats
    converged: Booleans
    iterations: Integers


def distances(points: Floats, targets: Floats) -> Floats:
    """Root mean square distance of effectors (frames, effectors, 3) from targets, (frames,)."""
    return np.asarray(np.sqrt(np.sum((targets - points) ** 2, axis=-1).mean(axis=-1)))
