"""Shapes by their names: fitted to rotations, and read back from plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from ...arrays import ArrayLike, Floats
from .charts import chart_from_dict
from .options import FitOptions
from .region import Region
from .shape import CoupledShape

RegionFit = Callable[[Floats, FitOptions], Region]
"""Takes coordinates, shape (samples, 3), already centred; pads and trims as the options say."""

FITS: dict[str, str] = {
    "box": "box:fit_box",
    "obb": "oriented_box:fit_oriented_box",
    "ellipsoid": "ellipsoid:fit_ellipsoid",
    "ellipsoid-holden": "ellipsoid:fit_holden_ellipsoid",
    "kdop": "kdop:fit_kdop",
    "kdop-sequential": "kdop:fit_sequential_kdop",
    "hull": "hull:fit_hull",
    "hull-exact": "hull:fit_exact_hull",
    "implicit": "implicit.fit:fit_implicit",
}
"""Names that ``--shape`` takes, each with the module and function that fits its region."""

REGIONS: dict[str, str] = {
    "box": "box:Box",
    "obb": "oriented_box:OrientedBox",
    "ellipsoid": "ellipsoid:Ellipsoid",
    "kdop": "kdop:KDop",
    "kdop-sequential": "kdop:SequentialKDop",
    "hull": "hull:Hull",
    "implicit": "implicit.surface:ImplicitSurface",
}
"""Kinds of regions in files, each with the class whose ``from_dict`` reads it."""


def fit_shape(
    kind: str,
    rotations: ArrayLike,
    options: FitOptions = FitOptions(),  # noqa: B008 - frozen
    axis: ArrayLike | None = None,
) -> CoupledShape:
    """Fit a shape to the rotations of one joint.

    Parameters
    ----------
    kind : str
        One of :data:`FITS`.
    rotations : array-like, shape (samples, 4)
        Unit quaternions of any sign, relative to the parent, in the order of time.
    options : FitOptions
    axis : array-like, shape (3,), optional
        Twist axis in the joint's own frame, for the coordinates "swing-twist".

    Raises
    ------
    EstimationError
        For samples that no shape can be fitted to.
    """
    raise NotImplementedError  # placeholder of the first commit


def shape_from_dict(data: Mapping[str, Any]) -> CoupledShape:
    """Inverse of a shape's ``to_dict``."""
    return CoupledShape(chart_from_dict(data["coordinates"]), region_from_dict(data["region"]))


def region_from_dict(data: Mapping[str, Any]) -> Region:
    """Inverse of a region's ``to_dict``."""
    region: Region = _found(REGIONS[data["kind"]]).from_dict(data)
    return region


def _found(place: str) -> Any:
    module, name = place.split(":")
    return getattr(import_module(f"{__package__}.{module}"), name)
