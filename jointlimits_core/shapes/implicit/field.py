"""The field of spherical primitives, its gradient and its curvature; small linear systems.

Systems of a hundred unknowns gain nothing from several threads and lose much to them on busy
cores, and their last digits differ with the number of threads; a fit that subdivides the worst
primitive may then take another path. With parts as small as these no library starts threads.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...geometry import Booleans, Floats

CHUNK = 16384
"""Points per block, so that intermediate results stay in the cache."""
SMALLEST = 1e-12
"""Distance from a centre below which the field has no direction."""
ROWS = 32
BLOCK = 8


@dataclass(frozen=True, eq=False)
class Primitives:
    """Spheres that form a field together.

    `centres`, shape (primitives, 3). `radii`, shape (primitives,): distance at which the field of a
    single sphere is 1. `stickiness`: decrease of the field per unit of length; beyond ``radius + 2
    / stickiness`` it is 0.
    """

    centres: Floats
    radii: Floats
    stickiness: float

    def __len__(self) -> int:
        return len(self.radii)

    @property
    def reach(self) -> Floats:
        """Distance at which the field of each sphere ends, shape (primitives,)."""
        return self.radii + 2.0 / self.stickiness

    def distances(self, points: Floats) -> Floats:
        """From points to centres, shape (..., primitives)."""
        # One coordinate at a time: no array of differences, and no cancellation near a centre.
        x, y, z = (points[..., axis, None] - self.centres[:, axis] for axis in range(3))
        return np.asarray(np.sqrt(x * x + y * y + z * z))

    def grown(self, pad: float) -> Primitives:
        """Primitives with every radius larger by `pad`."""
        return replace(self, radii=self.radii + pad)

    def chosen(self, which: Booleans) -> Primitives:
        """Some of the primitives."""
        return replace(self, centres=self.centres[which], radii=self.radii[which])

    def joined(self, centres: Floats, radii: Floats) -> Primitives:
        """Primitives with others appended."""
        return replace(
            self,
            centres=np.concatenate([self.centres, centres]),
            radii=np.concatenate([self.radii, radii]),
        )

    def placed(self, origin: Floats, unit: float) -> Primitives:
        """Same field in coordinates ``origin + unit * point``."""
        return Primitives(origin + unit * self.centres, unit * self.radii, self.stickiness / unit)


def fall(distances: Floats, primitives: Primitives) -> tuple[Floats, Floats]:
    """Field of each primitive and its derivative along the distance, shape (..., primitives).

    Linear up to the radius, then a parabola down to zero; continuous in value and slope.
    Source: Herda and others, section 4.1.
    """
    beyond = primitives.stickiness * (distances - primitives.radii)
    rest = np.maximum(2.0 - beyond, 0.0)
    inner = beyond <= 0.0
    values = np.where(inner, 1.0 - beyond, 0.25 * rest * rest)
    slopes = np.where(inner, 1.0, 0.5 * rest) * -primitives.stickiness
    return values, slopes


def field(points: Floats, primitives: Primitives) -> Floats:
    """Sum of the fields of all primitives, (..., 3) to (...)."""
    flat = points.reshape(-1, 3)
    values = np.empty(len(flat))
    for start in range(0, len(flat), CHUNK):
        part = slice(start, start + CHUNK)
        values[part] = fall(primitives.distances(flat[part]), primitives)[0].sum(axis=-1)
    return values.reshape(points.shape[:-1])


def field_and_gradient(points: Floats, primitives: Primitives) -> tuple[Floats, Floats]:
    """Field and its gradient, shapes (n,) and (n, 3); points of shape (n, 3)."""
    apart = points[:, None] - primitives.centres
    distances = np.sqrt(np.sum(apart * apart, axis=-1))
    values, slopes = fall(distances, primitives)
    weights = slopes / np.maximum(distances, SMALLEST)
    return values.sum(axis=-1), np.einsum("nm,nmi->ni", weights, apart)


def field_hessian(points: Floats, primitives: Primitives) -> Floats:
    """Second derivatives of the field, (n, 3) to (n, 3, 3).

    Along the line to a centre the parabola contributes ``k^2 / 2``; across it a sphere's field
    contributes its slope divided by the distance.
    """
    apart = points[:, None] - primitives.centres
    distances = np.maximum(np.sqrt(np.sum(apart * apart, axis=-1)), SMALLEST)
    _, slopes = fall(distances, primitives)
    curved = (distances > primitives.radii) & (distances < primitives.reach)
    across = slopes / distances
    along = (np.where(curved, 0.5 * primitives.stickiness**2, 0.0) - across) / distances**2
    outer = np.einsum("nm,nmi,nmj->nij", along, apart, apart)
    return np.asarray(outer + across.sum(axis=-1)[:, None, None] * np.eye(3))


def square(matrix: Floats) -> Floats:
    """``matrix.T @ matrix``, summed over blocks of a few rows; (n, k) to (k, k)."""
    blocks = np.zeros((-(-len(matrix) // ROWS), ROWS, matrix.shape[1]))
    blocks.reshape(-1, matrix.shape[1])[: len(matrix)] = matrix
    return np.asarray(np.matmul(np.swapaxes(blocks, 1, 2), blocks).sum(axis=0))


def solved(matrix: Floats, right: Floats) -> Floats:
    """Solve a symmetric positive definite system in blocks of a few unknowns, shape (k,).

    `matrix` has shape (k, k). `right` has shape (k,).
    """
    count = len(right)
    work = np.column_stack([matrix, right])
    starts = range(0, count, BLOCK)
    for start in starts:
        end = min(start + BLOCK, count)
        work[start:end, end:] = np.linalg.inv(work[start:end, start:end]) @ work[start:end, end:]
        work[end:, end:] -= work[end:, start:end] @ work[start:end, end:]
    solution = work[:, count].copy()
    for start in reversed(starts):
        end = min(start + BLOCK, count)
        solution[start:end] -= work[start:end, end:count] @ solution[end:]
    return solution
