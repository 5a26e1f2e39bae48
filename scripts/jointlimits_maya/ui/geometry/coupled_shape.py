"""Boundary of a coupled limit as lines and faces around the samples of its joint."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jointlimits_core.arrays import Booleans, Floats, Integers
from jointlimits_core.estimation.coupled import reaches
from jointlimits_core.limits.coupled_limit import CoupledLimit
from jointlimits_core.limits.shapes.fitting import shape_of_limit
from jointlimits_core.limits.shapes.surface_mesh import RINGS, SPOKES, SurfaceMesh, surface_mesh
from jointlimits_core.report.samples import JointSamples, relative_rotation_vectors

HALF_TURN_DEG = 180.0
EACH = 4
"""Draw only every fourth circle of the boundary, so that the samples stay visible."""


@dataclass(frozen=True, eq=False)
class Built:
    """Drawing of a shape.

    Parameters
    ----------
    mean : array, shape (4,)
    edges : array, shape (edges, 2, 3)
        Degrees from the mean.
    triangles : array, shape (triangles, 3, 3)
    outside : array of bool, shape (samples,)
    """

    coupled: CoupledLimit
    samples: JointSamples
    mean: Floats
    edges: Floats
    triangles: Floats
    outside: Booleans

    def is_of(self, coupled: CoupledLimit, samples: JointSamples, mean: Floats) -> bool:
        """Whether it was built from these arguments."""
        return self.coupled is coupled and self.samples is samples and self.mean is mean


def build(coupled: CoupledLimit, samples: JointSamples, mean: Floats) -> Built:
    """Build the drawing of a shape.

    Parameters
    ----------
    mean : array, shape (4,)
        Rotation at the centre of the picture.
    """
    shape = shape_of_limit(coupled)
    mesh = surface_mesh(shape)
    points = relative_rotation_vectors(mesh.rotations, mean)
    edges, triangles = _whole(points[_net(mesh)]), _whole(points[mesh.triangles])
    held = reaches(shape, samples.rotations) if len(samples) else np.zeros(0, dtype=bool)
    return Built(coupled, samples, mean, edges, triangles, ~held)


def _net(mesh: SurfaceMesh) -> Integers:
    """Edges to draw; all of them for a flat region, which has no circles."""
    if not len(mesh.triangles):
        return mesh.edges
    grid, last = 1 + np.arange(RINGS * SPOKES).reshape(RINGS, SPOKES), RINGS * SPOKES + 1
    rings, spokes = grid[EACH // 2 :: EACH], grid[:, ::EACH]
    poles = [np.full((1, spokes.shape[1]), number) for number in (0, last)]
    spokes = np.concatenate([poles[0], spokes, poles[1]])
    around = np.stack([rings, np.roll(rings, -1, axis=1)], axis=-1).reshape(-1, 2)
    down = np.stack([spokes[:-1], spokes[1:]], axis=-1).reshape(-1, 2)
    return np.concatenate([around, down])


def _whole(parts: Floats) -> Floats:
    """Drop parts that wrap around at half a turn from the mean."""
    steps = np.linalg.norm(parts - np.roll(parts, 1, axis=1), axis=-1)
    return np.asarray(parts[(steps < HALF_TURN_DEG).all(axis=1)])
