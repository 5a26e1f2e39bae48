"""Fit of an implicit surface to samples: extract the boundary, subdivide, clean, enclose."""

from __future__ import annotations

import numpy as np

from ....arrays import Floats
from ..options import FitOptions
from .boundary import boundary_samples
from .cleaning import cleaned
from .empty_space import empty_places
from .enclosing import enclosing_level, with_strays
from .energy import Target
from .field import Primitives, field
from .least_squares import fitted
from .subdivision import local_energies, subdivided
from .surface import ImplicitSurface
from .voxels import one_in_each_voxel

STICKINESS = 5.0
"""The paper's value, kept fixed as there."""
SIZE = 0.8
"""Root mean square distance of the boundary from the centre of mass in units of the fit. In the
paper's coordinates a turn of 106 degrees has that length; a spine's turns are ten times shorter and
would lie entirely within the soft rim of one primitive."""
SUBDIVISIONS = 6
GOOD_MISFIT = 0.02
"""Root mean square of the field minus 1 at the boundary below which subdivision stops."""
SMALLEST_UNIT = 1e-3
"""Radians; smaller motion is a point."""


def fit_implicit(coordinates: Floats, options: FitOptions) -> ImplicitSurface:
    """Fit an implicit surface with every sample inside.

    Herda and others, sections 4.1 to 4.3: start with one sphere at the centre of mass; fit, divide
    the worst sphere into six, clean, and repeat; fit once more. Unlike there, samples left outside
    and empty points inside count too, and the level is chosen to enclose the samples.

    Parameters
    ----------
    coordinates : array, shape (samples, 3)
    options : FitOptions
        Only `pad_deg` is used.
    """
    pad = float(np.radians(options.pad_deg))
    thin = one_in_each_voxel(coordinates)
    origin = thin.mean(axis=0)
    boundary = thin[boundary_samples(thin, origin)] - origin
    size = float(np.sqrt(np.sum(boundary * boundary) / max(len(boundary), 1)))
    unit = size / SIZE
    if unit < SMALLEST_UNIT:
        dot = Primitives(origin[None], np.array([size]), STICKINESS / SMALLEST_UNIT)
        return _enclosed(coordinates, dot, pad)
    inside = (thin - origin) / unit
    target = Target(boundary / unit, inside, empty_places(inside))
    return _enclosed(coordinates, fitted_primitives(target).placed(origin, unit), pad)


def fitted_primitives(target: Target) -> Primitives:
    """Fit, subdivide and clean repeatedly, then fit once more."""
    first = Primitives(np.zeros((1, 3)), np.array([SIZE]), STICKINESS)
    primitives = fitted(first, target)
    for _ in range(SUBDIVISIONS):
        if _misfit(primitives, target) < GOOD_MISFIT:
            break
        worst = int(np.argmax(local_energies(primitives, target)))
        primitives = fitted(subdivided(primitives, worst), target)
        primitives = cleaned(primitives, target.inside)
    return fitted(primitives, target)


def _misfit(primitives: Primitives, target: Target) -> float:
    return float(np.sqrt(np.mean((field(target.boundary, primitives) - 1.0) ** 2)))


def _enclosed(samples: Floats, primitives: Primitives, pad: float) -> ImplicitSurface:
    level = enclosing_level(samples, primitives)
    return ImplicitSurface(with_strays(samples, primitives, level, pad).grown(pad), level)
