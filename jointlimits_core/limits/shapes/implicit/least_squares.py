"""Least-squares iterations over centres and radii, with the stickiness fixed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ....arrays import Floats
from .energy import Target, energy, normal_equations
from .field import Primitives
from .small_systems import solved

MOST_STEPS = 30
MOST_TRIALS = 10
ENOUGH = 1e-4
"""Relative decrease of the energy below which the iteration stops."""


def fitted(primitives: Primitives, target: Target) -> Primitives:
    """Move and resize primitives to a local minimum of the energy.

    Uses Levenberg-Marquardt damping: the energy never rises.
    """
    now, damping = energy(primitives, target), 1e-2
    for _ in range(MOST_STEPS):
        gradient, matrix = normal_equations(primitives, target)
        for _ in range(MOST_TRIALS):
            tried = _moved(primitives, gradient, matrix, damping)
            after = energy(tried, target)
            if after < now:
                break
            damping *= 4.0
        else:
            return primitives
        gained, now, primitives = now - after, after, tried
        damping = max(damping / 5.0, 1e-8)
        if gained <= ENOUGH * (now + gained):
            break
    return primitives


def _moved(primitives: Primitives, gradient: Floats, matrix: Floats, damping: float) -> Primitives:
    scale = np.diag(matrix)
    step = solved(matrix + np.diag(damping * (scale + 1e-9)), -gradient).reshape(-1, 4)
    return replace(
        primitives,
        centres=primitives.centres + step[:, :3],
        radii=primitives.radii + step[:, 3],
    )
