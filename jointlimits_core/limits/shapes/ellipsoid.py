"""Ellipsoids: Holden's fit and the smallest one, with exact nearest points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arrays import Booleans, Floats
from .least_ellipsoid import least_ellipsoid
from .options import FitOptions
from .principal_axes import principal_axes
from .region import within

NEWTON_STEPS = 60
"""Far more than needed; five to ten are usual."""
THINNEST = 1e-6
"""Radians; minimum radius of a fit before padding."""


@dataclass(frozen=True, eq=False)
class Ellipsoid:
    """An ellipsoid; see :class:`.region.Region`.

    Parameters
    ----------
    middle : array, shape (3,)
    axes : array, shape (3, 3)
        Rows are perpendicular unit vectors.
    radii : array, shape (3,)
        Along the axes, radians, positive.
    """

    middle: Floats
    axes: Floats
    radii: Floats
    kind: str = "ellipsoid"

    def contains(self, points: Floats, tolerance: float = 1e-9) -> Booleans:
        """See :class:`.region.Region`."""
        return within(points, self.nearest(points), tolerance)

    def nearest(self, points: Floats) -> Floats:
        """See :class:`.region.Region`; exact to rounding."""
        along = (points - self.middle) @ self.axes.T
        level = np.sum((along / self.radii) ** 2, axis=-1)
        outside = level > 1.0
        result = np.array(points, dtype=np.float64)
        onto = onto_ellipsoid(along[outside], self.radii)
        result[outside] = self.middle + onto @ self.axes
        return result

    def grown(self, pad: float) -> Ellipsoid:
        """See :class:`.region.Region`; grows every radius, which moves no point by more."""
        return Ellipsoid(self.middle, self.axes, np.maximum(self.radii + pad, THINNEST))

    def bounds(self) -> tuple[Floats, Floats]:
        """See :class:`.region.Region`."""
        reach = np.linalg.norm(self.radii[:, None] * self.axes, axis=0)
        return self.middle - reach, self.middle + reach

    def to_dict(self) -> dict[str, Any]:
        """See :class:`.region.Region`."""
        return {
            "kind": self.kind,
            "middle": [float(value) for value in self.middle],
            "axes": [[float(value) for value in axis] for axis in self.axes],
            "radii": [float(value) for value in self.radii],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Ellipsoid:
        """Inverse of :meth:`to_dict`."""
        names = ("middle", "axes", "radii")
        middle, axes, radii = (np.asarray(data[name], np.float64) for name in names)
        return cls(middle, axes, radii)


def onto_ellipsoid(points: Floats, radii: Floats) -> Floats:
    """Nearest points of an ellipsoid along the coordinate axes to points outside it.

    The nearest point is ``p r^2 / (r^2 + h)`` with the positive root ``h`` of
    ``sum p^2 r^2 / (r^2 + h)^2 = 1``, whose left side is convex and decreasing: Newton's steps from
    below the root rise to it and never overshoot. Holden's article adds a constant to ``r^2``,
    which moves the surface.

    Parameters
    ----------
    points : array, shape (n, 3)
        Outside.
    radii : array, shape (3,)

    Returns
    -------
    array, shape (n, 3)
        On the surface to rounding.
    """
    squares, scaled = radii * radii, points * radii
    # A single term is 1 at |p| r - r^2, so the sum is at least 1 there.
    h = np.maximum(np.max(np.abs(scaled) - squares, axis=-1, initial=0.0), 0.0)
    for _ in range(NEWTON_STEPS):
        terms = (scaled / (squares + h[..., None])) ** 2
        fall = 2.0 * np.sum(terms / (squares + h[..., None]), axis=-1)
        step = np.maximum((np.sum(terms, axis=-1) - 1.0) / fall, 0.0)
        h = h + step
        if not np.any(step > 1e-15 * (h + squares.min())):
            break
    onto = points * (squares / (squares + h[..., None]))
    level = np.sqrt(np.sum((onto / radii) ** 2, axis=-1, keepdims=True))
    return np.asarray(onto / np.maximum(level, 1.0))


def fit_ellipsoid(coordinates: Floats, options: FitOptions) -> Ellipsoid:
    """Smallest ellipsoid around samples, padded.

    Parameters
    ----------
    coordinates : array, shape (samples, 3)
    """
    middle, axes, radii = least_ellipsoid(coordinates)
    return Ellipsoid(middle, axes, radii).grown(float(np.radians(options.pad_deg)))


def fit_holden_ellipsoid(coordinates: Floats, options: FitOptions) -> Ellipsoid:
    """Ellipsoid of Holden's article, padded.

    Principal axes at the mean, radii proportional to the box around it, scaled until all samples
    are inside. In the article the padding only keeps radii from vanishing; here it is added, as for
    every other shape.

    Parameters
    ----------
    coordinates : array, shape (samples, 3)
    """
    middle, axes = coordinates.mean(axis=0), principal_axes(coordinates)
    along = (coordinates - middle) @ axes.T
    reach = np.maximum(np.abs(along).max(axis=0), THINNEST)
    scale = np.sqrt(np.max(np.sum((along / reach) ** 2, axis=1)))
    ellipsoid = Ellipsoid(middle, axes, reach * max(float(scale), 1.0) * (1.0 + 1e-12))
    return ellipsoid.grown(float(np.radians(options.pad_deg)))
