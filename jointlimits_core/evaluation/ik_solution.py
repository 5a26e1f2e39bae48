"""Options and solution of inverse kinematics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Booleans, Floats, Integers

POSING = "posing"
"""Progress label of a search; the count is of finished frames."""

METHODS = ("dls", "ccd")


@dataclass(frozen=True)
class IkOptions:
    """Options of a pose search.

    Parameters
    ----------
    method : str
        "dls", damped least squares, or "ccd", cyclic coordinate descent.
    iterations : int
        Maximum number of steps, or of sweeps over all joints.
    tolerance : float
        Share of the figure's reach within which effectors count as on target.
    active_set : int
        Rounds of removing blocked directions per step; 0 only clamps after the step.
    restart : bool
        Whether frames that fail are tried once more from the middle of the limits. A straight
        limb whose hinge is at its limit cannot be shortened by any small step.
    """

    method: str = "dls"
    iterations: int = 40
    tolerance: float = 1e-3
    active_set: int = 3
    restart: bool = True


@dataclass(frozen=True, eq=False)
class IkSolution:
    """Poses found, and how near they come.

    Parameters
    ----------
    rotations : array, shape (frames, joints, 4)
        Inside all limits.
    residual : array, shape (frames,)
        Root mean square distance of the effectors from their targets, in the source's unit.
    converged : array of bool, shape (frames,)
        Whether that is within the tolerance. Other frames have the nearest pose found; their
        targets may be out of reach.
    iterations : array of int, shape (frames,)
        Steps taken.
    """

    rotations: Floats
    residual: Floats
    converged: Booleans
    iterations: Integers


def distances(points: Floats, targets: Floats) -> Floats:
    """Root mean square distance of effectors (frames, effectors, 3) from targets, (frames,)."""
    return np.asarray(np.sqrt(np.sum((targets - points) ** 2, axis=-1).mean(axis=-1)))
