"""Subdivision of the worst primitive into six."""

from __future__ import annotations

import numpy as np

from ....arrays import Floats
from .energy import Target
from .field import Primitives, field

APART, SIZE = 0.5, 0.6
"""Distance of the six from their parent's centre, and their radius, in radii of the parent."""


def local_energies(primitives: Primitives, target: Target) -> Floats:
    """Squared misfits within the reach of each primitive, shape (primitives,).

    Source: Herda and others, section 4.2: the first term of equation 3, summed over the points
    inside the primitive's sphere of influence.
    """
    points = target.points
    squares = target.weights * target.misfits(field(points, primitives)) ** 2
    within = primitives.distances(points) < primitives.reach
    return np.asarray(squares @ within)


def subdivided(primitives: Primitives, which: int) -> Primitives:
    """Replace a primitive by six smaller ones, a pair along each axis."""
    radius = float(primitives.radii[which])
    ways = np.concatenate([np.eye(3), -np.eye(3)])
    rest = primitives.chosen(np.arange(len(primitives)) != which)
    children = primitives.centres[which] + APART * radius * ways
    return rest.joined(children, np.full(6, SIZE * radius))
