"""Regions of coordinates: their interface, mixins, and boxes.

Regions do not depend on rotations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np

from ..geometry import Booleans, Floats
from .coupled_limit import FitOptions
from .validation import REGION_FORMS, Form


def unit_rows(directions: Floats) -> Floats:
    """Nonzero directions scaled to unit length, shape (directions, 3)."""
    return np.asarray(directions / np.linalg.norm(directions, axis=1, keepdims=True))


class Faced:
    """Mixin for regions with faces; `directions` point outward, with approximately unit length.

    They are normalized before use, so that files can hold few digits.
    """

    directions: Floats
    """Shape (faces, 3)."""

    @cached_property
    def normals(self) -> Floats:
        """Outward unit normals, shape (faces, 3)."""
        return unit_rows(self.directions)


def principal_axes(points: Floats) -> Floats:
    """Directions from the largest to the smallest spread, rows, shape (3, 3).

    Computed as a symmetric eigenvalue problem, which keeps the axes perpendicular for any samples;
    the power iteration of Holden's article does not. Each axis has a positive largest component.
    `points` has shape (samples, 3).
    """
    apart = points - points.mean(axis=0)
    axes: Floats = np.linalg.eigh(apart.T @ apart)[1].T[::-1]
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=1)[:, None], axis=1)
    return np.asarray(axes * np.where(largest < 0.0, -1.0, 1.0))


Some = TypeVar("Some", bound="Stored")


class Stored:
    """Mixin of dataclasses kept in files: an entry per form, named as the field or plus "_rad"."""

    FORMS: ClassVar[Mapping[str, Mapping[str, Form]]] = REGION_FORMS
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
        values = {
            name.removesuffix("_rad"): float(data[name])
            if form.count is None
            else np.asarray(data[name], dtype=np.float64)
            for name, form in cls.FORMS[data["kind"]].items()
        }
        return cls(**values)


class StoredRegion(Stored):
    """Mixin of stored regions: `contains` by the nearest point."""

    def nearest(self, points: Floats) -> Floats:
        """See :class:`Region`."""
        raise NotImplementedError

    def contains(self, points: Floats, tolerance: float = 1e-9) -> Booleans:
        """See :class:`Region`."""
        apart = points - self.nearest(points)
        return np.asarray(np.einsum("...i,...i->...", apart, apart) <= tolerance * tolerance)


class Region(Protocol):
    """A closed, bounded set of points in three dimensions.

    Every method takes any number of points, shape (..., 3), in radians; all must be finite.
    """

    @property
    def kind(self) -> str:
        """Name in files: "box", "hull", ..."""

    def contains(self, points: Floats, tolerance: float = 1e-9) -> Booleans:
        """Which points are inside or within `tolerance` radians of it, shape (...)."""

    def nearest(self, points: Floats) -> Floats:
        """Nearest point of the region, shape (..., 3); points inside are unchanged."""

    def grown(self, pad: float) -> Region:
        """Region moved outward by `pad` radians everywhere, as far as its kind allows."""

    def bounds(self) -> tuple[Floats, Floats]:
        """Minimum and maximum coordinates, shapes (3,)."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data, including "kind"; inverse of :func:`.fitting.region_from_dict`."""


@dataclass(frozen=True, eq=False)
class Box(StoredRegion):
    """Range of every coordinate; see :class:`Region`.

    `low` and `high` have shape (3,): radians.
    """

    low: Floats
    high: Floats
    kind: str = "box"

    def nearest(self, points: Floats) -> Floats:
        """See :class:`Region`; clamps every coordinate."""
        return np.asarray(np.clip(points, self.low, self.high))

    def grown(self, pad: float) -> Box:
        """See :class:`Region`; corners stay sharp."""
        return Box(self.low - pad, self.high + pad)

    def bounds(self) -> tuple[Floats, Floats]:
        """See :class:`Region`."""
        return self.low, self.high


def fit_box(coordinates: Floats, options: FitOptions) -> Box:
    """Smallest box around samples, padded. `coordinates` has shape (samples, 3)."""
    box = Box(coordinates.min(axis=0), coordinates.max(axis=0))
    return box.grown(float(np.radians(options.pad_deg)))


@dataclass(frozen=True, eq=False)
class OrientedBox(StoredRegion):
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

    def grown(self, pad: float) -> OrientedBox:
        """See :class:`Region`; corners stay sharp."""
        return OrientedBox(self.axes, self.low - pad, self.high + pad)

    def bounds(self) -> tuple[Floats, Floats]:
        """See :class:`Region`."""
        middle, half = 0.5 * (self.low + self.high), 0.5 * (self.high - self.low)
        centre, reach = middle @ self.axes, half @ np.abs(self.axes)
        return centre - reach, centre + reach


def fit_oriented_box(coordinates: Floats, options: FitOptions) -> OrientedBox:
    """Box along the principal axes of samples, padded. `coordinates` has shape (samples, 3)."""
    axes = principal_axes(coordinates)
    along = coordinates @ axes.T
    box = OrientedBox(axes, along.min(axis=0), along.max(axis=0))
    return box.grown(float(np.radians(options.pad_deg)))
