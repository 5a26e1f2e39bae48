"""Wraps: regions nearer to the samples than to the outside of an enlarged hull.

A hull contains everything between samples, however far from them; balls around the samples contain
nothing between. A wrap is a compromise. With s the distance to the nearest sample and d the depth
below the faces of an enlarged hull, it is ``s <= d``: it follows the hull where samples are near
the hull's faces, and bends inward elsewhere. Hollows deep inside stay filled, as depth is large
there.

It is a union of convex cells, one per sample (:mod:`.wrap_cells`), so the nearest point is the
nearest of theirs. It need not be convex: points equally near to two places on the surface may go to
either, and projections jump there, as for any set that is not convex.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...arrays import Booleans, Floats, Integers
from .faces import Faced, unit_rows
from .hull import fit_hull
from .options import FitOptions
from .polytope import Polytope
from .standing_for_all import standing_for_all
from .wrap_cells import nearest_in_cells

MOST_SAMPLES = 160
"""Maximum number of representative samples; about 9 kB of JSON with the hull."""
DIGITS = 5
"""Decimals in files; thousandths of a degree."""
SETTLED = 1e-9
"""Radians; cells that cannot improve the result by more are skipped."""
THINNEST = 2e-3
"""Radians, a tenth of a degree; minimum enlargement of the faces, so that no cell is a line."""
_BLOCK = 2048
_WITHIN = 1e-12


@dataclass(frozen=True, eq=False)
class Wrap(Faced):
    """Points nearer to samples than to the outside of their hull, enlarged by twice the pad.

    Parameters
    ----------
    samples : array, shape (samples, 3)
    directions : array, shape (faces, 3)
        Outward normals of the hull's faces, see :class:`.faces.Faced`.
    offsets : array, shape (faces,)
        Distances of the faces from the origin, radians, before enlargement.
    pad : float
        Radians that the wrap extends beyond a sample at the middle of a face.
    least : float
        Minimum enlargement in radians, so that all samples of the fit are inside.
    """

    samples: Floats
    directions: Floats
    offsets: Floats
    pad: float
    least: float
    kind: str = "wrap"

    @cached_property
    def pushed(self) -> Floats:
        """Distances of the enlarged faces from the origin, shape (faces,)."""
        return np.asarray(self.offsets + max(2.0 * self.pad, self.least))

    @cached_property
    def _room(self) -> Floats:
        """Depth of each sample below each face, (samples, faces)."""
        return np.maximum(self.pushed - self.samples @ self.normals.T, _WITHIN)

    def excess(self, points: Floats) -> Floats:
        """Half the difference of the distances to samples and to the outside.

        Never more than the distance from the wrap.

        Parameters
        ----------
        points : array, shape (..., 3)

        Returns
        -------
        array, shape (...)
            Radians, at most 0 inside.
        """
        given = np.asarray(points, dtype=np.float64)
        flat = given.reshape(-1, 3)
        found = np.empty(len(flat))
        for start in range(0, len(flat), _BLOCK):
            block = flat[start : start + _BLOCK]
            beyond = np.max(block @ self.normals.T - self.pushed, axis=1)
            found[start : start + _BLOCK] = 0.5 * (beyond + self._apart(block).min(axis=1))
        return found.reshape(given.shape[:-1])

    def contains(self, points: Floats, tolerance: float = 1e-9) -> Booleans:
        """See :class:`.region.Region`."""
        return np.asarray(self.excess(points) <= tolerance)

    def nearest(self, points: Floats) -> Floats:
        """See :class:`.region.Region`."""
        given = np.asarray(points, dtype=np.float64)
        flat = given.reshape(-1, 3)
        found = np.array(flat)
        outside = np.flatnonzero(self.excess(flat) > _WITHIN)
        for start in range(0, len(outside), _BLOCK):
            rows = outside[start : start + _BLOCK]
            found[rows] = self._nearest(flat[rows])
        return found.reshape(given.shape)

    def grown(self, pad: float) -> Wrap:
        """See :class:`.region.Region`; always contains the samples of the fit."""
        return replace(self, pad=self.pad + pad)

    def bounds(self) -> tuple[Floats, Floats]:
        """See :class:`.region.Region`: bounds of a padded hull around the wrap.

        ``|x| + n x <= c`` and ``n x <= |x|`` give ``n x <= c / 2``: along a face's normal, a cell
        extends at most half-way from its sample to the face.
        """
        outermost = np.max(self.samples @ self.normals.T, axis=0)
        return Polytope(self.normals, 0.5 * (outermost + self.pushed)).bounds()

    def to_dict(self) -> dict[str, Any]:
        """See :class:`.region.Region`."""
        return {
            "kind": self.kind,
            "samples_rad": self.samples.tolist(),
            "directions": self.directions.tolist(),
            "offsets_rad": self.offsets.tolist(),
            "pad_rad": self.pad,
            "least_rad": self.least,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Wrap:
        """Inverse of :meth:`to_dict`."""
        names = ("samples_rad", "directions", "offsets_rad")
        samples, directions, offsets = (np.asarray(data[name], np.float64) for name in names)
        return cls(samples, directions, offsets, float(data["pad_rad"]), float(data["least_rad"]))

    def _apart(self, points: Floats) -> Floats:
        """Distances from the samples, (n, samples)."""
        squares = np.zeros((len(points), len(self.samples)))
        for axis in range(3):
            squares += np.square(points[:, axis, None] - self.samples[:, axis])
        return np.sqrt(squares)

    def _nearest(self, points: Floats) -> Floats:
        """Nearest points for points outside, (n, 3).

        Half the violation of a cell's condition is never more than the distance from the cell, as
        the condition changes by at most 2 per unit of distance.
        """
        beyond = np.max(points @ self.normals.T - self.pushed, axis=1)
        least = 0.5 * (beyond[:, None] + self._apart(points))
        best, found = np.full(len(points), np.inf), np.array(points)
        rows = np.arange(len(points))
        for _ in range(len(self.samples)):
            cells = np.argmin(least[rows], axis=1)
            going = least[rows, cells] < best[rows] - SETTLED
            rows, cells = rows[going], cells[going]
            if not len(rows):
                break
            least[rows, cells] = np.inf
            place = self._nearest_of_cells(points[rows], cells)
            apart = np.linalg.norm(place - points[rows], axis=1)
            nearer = apart < best[rows]
            best[rows[nearer]], found[rows[nearer]] = apart[nearer], place[nearer]
        return found

    def _nearest_of_cells(self, points: Floats, cells: Integers) -> Floats:
        seen = points - self.samples[cells]
        return self.samples[cells] + nearest_in_cells(seen, self.normals, self._room[cells])


def fit_wrap(points: Floats, options: FitOptions) -> Wrap:
    """Wrap around samples.

    Parameters
    ----------
    points : array, shape (samples, 3)
    options : FitOptions
        Uses `directions` of the hull, each with its opposite, and `pad_deg`.
    """
    directions = np.round(fit_hull(points, options).normals, DIGITS)
    along = points @ unit_rows(directions).T
    offsets = np.round(along.max(axis=0), DIGITS)
    # Rounded samples replace the exact ones, all of which are inside.
    chosen, _ = standing_for_all(points, -np.max(along - offsets, axis=1), MOST_SAMPLES)
    bare = Wrap(np.round(points[chosen], DIGITS), directions, offsets, 0.0, 0.0)
    least = max(2.0 * float(bare.excess(points).max()) + _WITHIN, THINNEST)
    return replace(bare, pad=float(np.radians(options.pad_deg)), least=least)
