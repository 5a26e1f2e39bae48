"""Regions in the space of coordinates: base classes, boxes and ellipsoids.

Regions do not depend on rotations.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import numpy as np

from ..geometry.arrays import Booleans, Floats
from ..geometry.quaternion import sphere_points
from . import coupled_limit, validation

MAX_EXCESS_SHARE = 1e-7
"""Tolerance of the smallest ellipsoid: a point counts as inside if its squared radius exceeds 1
by no more than this."""
MAX_ROUNDS = 30
MAX_ASCENT_STEPS = 400
MAX_NEWTON_STEPS = 60
"""Maximum number of Newton steps, far more than needed; five to ten are typical."""
MIN_RADIUS_RAD = 1e-6
"""Radians; minimum radius of an ellipsoid before padding."""


def unit_rows(directions: Floats) -> Floats:
    """Nonzero directions scaled to unit length, shape (directions, 3)."""
    return np.asarray(directions / np.linalg.norm(directions, axis=1, keepdims=True))


def in_blocks(work: Callable[[Floats], Floats], points: Floats, size: int) -> Floats:
    """Results of a function of points, (n, 3) to (n, ...), called on blocks of at most `size`.

    `points` has shape (..., 3), and the result has the same leading axes. Small blocks fit in the
    processor's cache and start no threads.
    """
    flat = points.reshape(-1, 3)
    starts = range(0, max(len(flat), 1), size)
    found = np.concatenate([work(flat[start : start + size]) for start in starts])
    return found.reshape((*points.shape[:-1], *found.shape[1:]))


def principal_axes(points: Floats) -> Floats:
    """Principal directions as rows, from the largest to the smallest spread, shape (3, 3).

    They solve a symmetric eigenvalue problem, which keeps them perpendicular for any samples; the
    power iteration in Holden's article does not. Each axis has a positive largest component.
    `points` has shape (samples, 3).
    """
    apart = points - points.mean(axis=0)
    return with_positive_lead(np.linalg.eigh(apart.T @ apart)[1].T[::-1])


def with_positive_lead(rows: Floats) -> Floats:
    """Rows, (..., n), each negated if its largest component is negative."""
    largest = np.take_along_axis(rows, np.abs(rows).argmax(axis=-1)[..., None], axis=-1)
    return np.asarray(rows * np.where(largest < 0.0, -1.0, 1.0))


Some = TypeVar("Some", bound="Stored")


class Stored:
    """Mixin for dataclasses stored in files; names in files are field names, some with "_rad"."""

    FORMS: ClassVar[Mapping[str, Mapping[str, validation.Form]]] = validation.REGION_FORMS
    kind: str

    def to_dict(self) -> dict[str, Any]:
        """Plain data, including "kind"."""
        data: dict[str, Any] = {"kind": self.kind}
        for name in self.FORMS[self.kind]:
            value = getattr(self, name.removesuffix("_rad"))
            data[name] = value.tolist() if isinstance(value, np.ndarray) else value
        return data

    @classmethod
    def from_dict(cls: type[Some], data: Mapping[str, Any]) -> Some:
        """Inverse of :meth:`to_dict`, for checked data."""
        values: dict[str, Any] = {"kind": data["kind"]}
        for name, form in cls.FORMS[data["kind"]].items():
            numbers = np.asarray(data[name], dtype=np.float64)
            if form.each == validation.THREE:
                numbers = numbers.reshape(-1, 3)  # even if there are no vectors
            values[name.removesuffix("_rad")] = numbers if form.count else float(numbers)
        return cls(**values)


class Region(Stored, ABC):
    """A closed, bounded set of points in three-dimensional space.

    Every method takes any number of points, shape (..., 3), in radians; all must be finite. `kind`:
    name in files, such as "box"; :data:`.fitting.REGIONS` has a reader for each kind.
    """

    @abstractmethod
    def nearest(self, points: Floats) -> Floats:
        """Nearest points in the region, shape (..., 3); points inside are unchanged."""

    @abstractmethod
    def grow(self, pad: float) -> Region:
        """Region moved outward by `pad` radians everywhere, as far as its kind allows."""

    @abstractmethod
    def bounds(self) -> tuple[Floats, Floats]:
        """Minimum and maximum coordinates, shapes (3,)."""

    def contains(self, points: Floats, tolerance: float = 1e-9) -> Booleans:
        """Whether points are inside or within `tolerance` radians of the region, shape (...)."""
        apart = points - self.nearest(points)
        return np.asarray(np.einsum("...i,...i->...", apart, apart) <= tolerance * tolerance)


class Faced(Region):
    """A region with faces; `directions` point outward, with approximately unit length.

    They are normalized before use, so that files need only a few digits.
    """

    directions: Floats
    """Outward vectors, shape (faces, 3)."""

    @cached_property
    def normals(self) -> Floats:
        """Outward unit normals, shape (faces, 3)."""
        return unit_rows(self.directions)


RegionFit = Callable[[Floats, coupled_limit.FitOptions], Region]
"""Fits a region to coordinates, shape (samples, 3): centred, unrolled, trimmed and not flat."""


@dataclass(frozen=True, eq=False)
class Box(Region):
    """A range for every coordinate; see :class:`Region`. `low`, `high`: shape (3,), radians."""

    low: Floats
    high: Floats
    kind: str = "box"

    def nearest(self, points: Floats) -> Floats:
        """See :class:`Region`; clamps every coordinate."""
        return np.asarray(np.clip(points, self.low, self.high))

    def grow(self, pad: float) -> Box:
        """See :class:`Region`; corners stay sharp."""
        return Box(self.low - pad, self.high + pad)

    def bounds(self) -> tuple[Floats, Floats]:
        """See :class:`Region`."""
        return self.low, self.high


def fit_box(coordinates: Floats, options: coupled_limit.FitOptions) -> Box:
    """Smallest box around samples, padded. `coordinates` has shape (samples, 3)."""
    box = Box(coordinates.min(axis=0), coordinates.max(axis=0))
    return box.grow(options.pad_rad)


@dataclass(frozen=True, eq=False)
class OrientedBox(Region):
    """An oriented box; see :class:`Region`.

    `axes` has shape (3, 3): rows are perpendicular unit vectors. `low` and `high` have shape (3,):
    along the axes, radians.
    """

    axes: Floats
    low: Floats
    high: Floats
    kind: str = "obb"

    def nearest(self, points: Floats) -> Floats:
        """See :class:`Region`; clamps along each axis."""
        along = points @ self.axes.T
        clamped = np.clip(along, self.low, self.high)
        inside = np.all(along == clamped, axis=-1, keepdims=True)
        return np.asarray(np.where(inside, points, clamped @ self.axes))

    def grow(self, pad: float) -> OrientedBox:
        """See :class:`Region`; corners stay sharp."""
        return OrientedBox(self.axes, self.low - pad, self.high + pad)

    def bounds(self) -> tuple[Floats, Floats]:
        """See :class:`Region`."""
        middle, half = 0.5 * (self.low + self.high), 0.5 * (self.high - self.low)
        centre, reach = middle @ self.axes, half @ np.abs(self.axes)
        return centre - reach, centre + reach


def fit_oriented_box(coordinates: Floats, options: coupled_limit.FitOptions) -> OrientedBox:
    """Box along the principal axes of samples, padded. `coordinates` has shape (samples, 3)."""
    axes = principal_axes(coordinates)
    along = coordinates @ axes.T
    box = OrientedBox(axes, along.min(axis=0), along.max(axis=0))
    return box.grow(options.pad_rad)


@dataclass(frozen=True, eq=False)
class Ellipsoid(Region):
    """An ellipsoid; see :class:`Region`.

    `middle`, shape (3,); `axes`, shape (3, 3): rows are perpendicular unit vectors; `radii`, shape
    (3,): along the axes, radians, positive.
    """

    middle: Floats
    axes: Floats
    radii: Floats
    kind: str = "ellipsoid"

    def nearest(self, points: Floats) -> Floats:
        """See :class:`Region`; exact except for rounding."""
        along = (points - self.middle) @ self.axes.T
        level = np.sum((along / self.radii) ** 2, axis=-1)
        outside = level > 1.0
        result = np.array(points, dtype=np.float64)
        onto = onto_ellipsoid(along[outside], self.radii)
        result[outside] = self.middle + onto @ self.axes
        return result

    def grow(self, pad: float) -> Ellipsoid:
        """See :class:`Region`; increases every radius, so no point moves by more than `pad`."""
        return Ellipsoid(self.middle, self.axes, np.maximum(self.radii + pad, MIN_RADIUS_RAD))

    def bounds(self) -> tuple[Floats, Floats]:
        """See :class:`Region`."""
        reach = np.linalg.norm(self.radii[:, None] * self.axes, axis=0)
        return self.middle - reach, self.middle + reach


def onto_ellipsoid(points: Floats, radii: Floats) -> Floats:
    """Nearest points on an ellipsoid centred at the origin and aligned with the axes.

    The nearest point is ``p r^2 / (r^2 + h)`` with the positive root ``h`` of ``sum p^2 r^2 / (r^2
    + h)^2 = 1``, whose left side is convex and decreasing: Newton steps from below the root rise
    to it and never overshoot. Holden's article adds a constant to ``r^2``, which moves the surface.
    `points` has shape (n, 3): outside. `radii` has shape (3,). The result has shape (n, 3): on the
    surface, except for rounding.
    """
    squares, scaled = radii * radii, points * radii
    # A single term is 1 at |p| r - r^2, so the sum is at least 1 there.
    h = np.maximum(np.max(np.abs(scaled) - squares, axis=-1, initial=0.0), 0.0)
    for _ in range(MAX_NEWTON_STEPS):
        terms = (scaled / (squares + h[..., None])) ** 2
        fall = 2.0 * np.sum(terms / (squares + h[..., None]), axis=-1)
        step = np.maximum((np.sum(terms, axis=-1) - 1.0) / fall, 0.0)
        h = h + step
        if not np.any(step > 1e-15 * (h + squares.min())):
            break
    onto = points * (squares / (squares + h[..., None]))
    level = np.sqrt(np.sum((onto / radii) ** 2, axis=-1, keepdims=True))
    return np.asarray(onto / np.maximum(level, 1.0))


def fit_ellipsoid(coordinates: Floats, options: coupled_limit.FitOptions) -> Ellipsoid:
    """Smallest ellipsoid around samples, padded. `coordinates` has shape (samples, 3)."""
    middle, axes, radii = smallest_ellipsoid(coordinates)
    return Ellipsoid(middle, axes, radii).grow(options.pad_rad)


def smallest_ellipsoid(points: Floats) -> tuple[Floats, Floats, Floats]:
    """Smallest ellipsoid that contains all points, with a volume within 1e-6 of the least.

    `points` has shape (n, 3): spread in all three directions. Returns middle, axes and radii,
    shapes (3,), (3, 3), (3,): axes in rows, the longest radius first.

    Found by Khachiyan's ascent on the weights of the points, with the away steps of Todd and
    Yildirim ("On Khachiyan's algorithm for the computation of minimum-volume enclosing ellipsoids",
    2007). It uses a few relevant points; then all points are checked, and those outside are added.
    """
    # Scaled to an equal spread in all directions.
    origin = points.mean(axis=0)
    apart = points - origin
    values, vectors = np.linalg.eigh(apart.T @ apart / len(points))
    floor = max(float(values[-1]) * 1e-14, 1e-24)
    scale = vectors / np.sqrt(np.maximum(values, floor))
    white = apart @ scale
    unit = sphere_points(60)
    along = white @ unit.T
    chosen = np.unique(np.concatenate([along.argmax(axis=0), along.argmin(axis=0)]))
    weights = np.full(len(chosen), 1.0 / len(chosen))
    for _ in range(MAX_ROUNDS):
        weights = _ascent(white[chosen], weights)
        # Middle and the matrix M of ``(p - m)^T M (p - m) <= 1``.
        middle = weights @ white[chosen]
        apart = white[chosen] - middle
        form = np.linalg.inv((apart * weights[:, None]).T @ apart) / 3.0
        apart = white - middle
        reach = np.einsum("ij,ij->i", apart @ form, apart)
        beyond = np.flatnonzero(reach > 1.0 + 4.0 * MAX_EXCESS_SHARE)
        if beyond.size == 0:
            break
        # Points without weight are dropped; points outside are added, the farthest first.
        farthest = np.setdiff1d(beyond[np.argsort(-reach[beyond], kind="stable")[:20]], chosen)
        held = weights > 0.0
        chosen = np.concatenate([chosen[held], farthest])
        weights = np.concatenate([weights[held], np.zeros(len(farthest))])
    # Enlarge the ellipsoid to contain the outermost point.
    form = form / (float(reach.max()) * (1.0 + 1e-12))
    values, vectors = np.linalg.eigh(scale @ form @ scale.T)
    axes = with_positive_lead(vectors.T)
    return middle @ np.linalg.inv(scale) + origin, axes, np.asarray(1.0 / np.sqrt(values))


def _ascent(points: Floats, weights: Floats) -> Floats:
    """Optimal weights of the points in the dual problem, shape (n,), from initial weights."""
    size = points.shape[1] + 1
    lifted = np.concatenate([points, np.ones((len(points), 1))], axis=1)
    weights = np.array(weights)
    for _ in range(MAX_ASCENT_STEPS):
        reach = np.diagonal(_products(lifted, weights))
        toward = int(np.argmax(reach))
        away = int(np.argmin(np.where(weights > 0.0, reach, np.inf)))
        gain, loss = reach[toward] / size - 1.0, 1.0 - reach[away] / size
        if max(gain, loss) < MAX_EXCESS_SHARE:
            break
        at = toward if gain >= loss else away
        # Share of weight that the point gains, or loses, at most down to zero.
        step, ahead = -weights[at] / max(1.0 - weights[at], 1e-12), reach[at] - 1.0
        if ahead > 0.0:
            step = max((reach[at] - size) / (size * ahead), step)
        weights *= 1.0 - step
        weights[at] = max(weights[at] + step, 0.0)
        weights = _newton(lifted, weights)
    return weights


def _products(lifted: Floats, weights: Floats) -> Floats:
    """Inner products of points in their weighted moment's metric; diagonal: squared lengths."""
    moment = (lifted * weights[:, None]).T @ lifted
    return np.asarray(lifted @ np.linalg.solve(moment, lifted.T))


def _newton(lifted: Floats, weights: Floats) -> Floats:
    """Weights after a Newton step that evens out the squared lengths of all weighted points.

    ``d length_i^2 / d weight_j`` is minus the squared inner product of points i and j. A step that
    would reduce the moment's determinant is rejected.
    """
    held = np.flatnonzero(weights > 0.0)
    products = _products(lifted[held], weights[held])
    wanted = np.diagonal(products) - lifted.shape[1]
    change = np.linalg.lstsq(products**2, wanted, rcond=1e-10)[0]
    falls = change < 0.0
    longest = float(np.min(weights[held][falls] / -change[falls], initial=1.0))
    moved = np.zeros_like(weights)
    moved[held] = np.maximum(weights[held] + min(longest, 1.0) * change, 0.0)
    moved /= moved.sum()
    return moved if _volume(lifted, moved) >= _volume(lifted, weights) else weights


def _volume(lifted: Floats, weights: Floats) -> float:
    return float(np.linalg.det((lifted * weights[:, None]).T @ lifted))
