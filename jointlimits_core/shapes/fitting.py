"""Shapes by name: fitting to rotations, and reading from plain data.

Validation of the samples and options of a shape fit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np

from ..base import EstimationError
from ..geometry import ArrayLike, Floats, normalized
from .charts import Chart, RotationVectors, SwingTwist, chart_from_dict
from .coupled_limit import CoupledLimit
from .flat import flat_around
from .options import FitOptions
from .region import Region
from .samples import innermost, midrange_centre, unrolled
from .shape import CoupledShape
from .typed import fit_hinge, turns_about_one_axis
from .validation import refuse, region_problems, shape_problems

COORDINATES = ("rotation-vector", "swing-twist")
UNIT_TOLERANCE = 1e-3
FARTHEST = float(np.radians(300.0))
"""More than a turn and a half over both sides: the motion has gone all the way round."""
FARTHEST_SWING = float(np.radians(170.0))
"""Near half a turn of swing, twists of any size give the same rotation."""


def checked_rotations(rotations: ArrayLike) -> Floats:
    """Samples as unit quaternions.

    `rotations` has shape (samples, 4). The result has shape (samples, 4): normalized exactly.
    Raises EstimationError for a wrong shape, no samples, or samples that are not finite or not unit
    quaternions.
    """
    samples = np.asarray(rotations, dtype=np.float64)
    if samples.ndim != 2 or samples.shape[1] != 4:
        raise EstimationError(
            f"rotations must have the shape (samples, 4), in the order x y z w, not {samples.shape}"
        )
    if len(samples) == 0:
        raise EstimationError("no samples to fit a shape to")
    broken = np.flatnonzero(~np.isfinite(samples).all(axis=1))
    if broken.size:
        raise EstimationError(
            f"{broken.size} of {len(samples)} samples are not finite, the first is sample "
            f"{broken[0]}; leave them out or repair the clip"
        )
    length = np.linalg.norm(samples, axis=1)
    wrong = np.flatnonzero(np.abs(length - 1.0) > UNIT_TOLERANCE)
    if wrong.size:
        raise EstimationError(
            f"{wrong.size} of {len(samples)} samples are not unit quaternions, the first is sample "
            f"{wrong[0]} of length {length[wrong[0]]:.3g}"
        )
    return normalized(samples)


def checked_axis(axis: ArrayLike | None) -> Floats:
    """Unit twist axis, shape (3,).

    Raises EstimationError if it is missing or not a nonzero vector.
    """
    if axis is None:
        raise EstimationError('the coordinates "swing-twist" need a twist axis')
    vector = np.asarray(axis, dtype=np.float64)
    length = float(np.linalg.norm(vector)) if vector.shape == (3,) else 0.0
    if not 1e-9 < length < np.inf:
        raise EstimationError(f"the twist axis must be three numbers, not all zero, not {axis!r}")
    return vector / length


def check_options(options: FitOptions) -> None:
    """Raise EstimationError for invalid options."""
    if options.coordinates not in COORDINATES:
        raise EstimationError(
            f"coordinates must be one of {', '.join(COORDINATES)}, not {options.coordinates!r}"
        )
    if not 0.0 <= options.pad_deg <= 180.0:
        raise EstimationError(f"pad_deg must be between 0 and 180, not {options.pad_deg}")
    if not 0.0 <= options.trim_percent < 100.0:
        raise EstimationError(
            f"trim_percent must be at least 0 and less than 100, not {options.trim_percent}"
        )


def check_reach(coordinates: Floats, chart: Chart) -> None:
    """Raise for motion beyond the range in which its coordinates are unique.

    Raises EstimationError.
    """
    farthest = float(np.max(np.linalg.norm(coordinates, axis=1)))
    if farthest > FARTHEST:
        raise EstimationError(
            f"the motion turns {np.degrees(farthest):.0f} degrees away from its centre: it goes "
            "round and round, which no shape can limit; leave this joint without a shape"
        )
    swing = float(np.max(np.linalg.norm(coordinates[:, :2], axis=1)))
    if chart.kind == "swing-twist" and swing > FARTHEST_SWING:
        raise EstimationError(
            f"the motion swings {np.degrees(swing):.0f} degrees away from its centre, where swing "
            'and twist are ambiguous; use the coordinates "rotation-vector"'
        )


RegionFit = Callable[[Floats, FitOptions], Region]
"""Fit of a region to coordinates, shape (samples, 3), centred, unrolled, trimmed and not flat."""

FITS: dict[str, str] = {
    "box": "box:fit_box",
    "obb": "box:fit_oriented_box",
    "ellipsoid": "ellipsoid:fit_ellipsoid",
    "ellipsoid-holden": "ellipsoid:fit_holden_ellipsoid",
    "kdop": "hull:fit_kdop",
    "kdop-sequential": "hull:fit_sequential_kdop",
    "hull": "hull:fit_hull",
    "hull-exact": "hull:fit_exact_hull",
    "implicit": "implicit.fit:fit_implicit",
    "wrap": "wrap:fit_wrap",
}
"""Values of ``--shape``, each with the module and function that fits its region."""

TYPED: dict[str, str] = {"hinge": "typed:fit_hinge", "universal": "typed:fit_universal"}
"""More such values, each with the function that fits the whole shape to rotations."""

REGIONS: dict[str, str] = {
    "box": "box:Box",
    "obb": "box:OrientedBox",
    "ellipsoid": "ellipsoid:Ellipsoid",
    "kdop": "hull:KDop",
    "kdop-sequential": "hull:SequentialKDop",
    "hull": "hull:Hull",
    "implicit": "implicit.surface:ImplicitSurface",
    "wrap": "wrap:Wrap",
    "flat": "flat:Flat",
}
"""Kinds of regions in files, each with its class."""


def fit_shape(
    kind: str,
    rotations: ArrayLike,
    options: FitOptions = FitOptions(),  # noqa: B008 - frozen
    axis: ArrayLike | None = None,
) -> CoupledShape:
    """Fit a shape to the rotations of one joint.

    Raises EstimationError if no shape can be fitted, or the result would be invalid in a file.

    Parameters
    ----------
    kind : str
        One of :data:`FITS`.
    rotations : array-like, shape (samples, 4)
        Unit quaternions of any sign, relative to the parent, in time order.
    axis : array-like, shape (3,), optional
        Twist axis in the joint's own space, for the coordinates "swing-twist".
    """
    shape = _fitted(kind, rotations, options, axis)
    wrong = next(shape_problems(shape.to_dict()), None)
    if wrong is not None:
        raise EstimationError(f"shape {kind!r} cannot be used for this motion: {wrong}")
    return shape


def _fitted(
    kind: str, rotations: ArrayLike, options: FitOptions, axis: ArrayLike | None
) -> CoupledShape:
    if kind not in {**FITS, **TYPED}:
        known = ", ".join([*FITS, *TYPED])
        raise EstimationError(f"shape must be one of {known}, not {kind!r}")
    check_options(options)
    samples = checked_rotations(rotations)
    if kind in TYPED:
        typed: CoupledShape = _found(TYPED[kind])(samples, options)
        return typed
    if turns_about_one_axis(samples):
        return fit_hinge(samples, options, slack=True)
    chart, coordinates = charted(samples, options, axis)
    if options.trim_percent > 0.0:
        samples = samples[innermost(coordinates, options.trim_percent)]
        options = replace(options, trim_percent=0.0)
        if turns_about_one_axis(samples):
            return fit_hinge(samples, options, slack=True)
        chart, coordinates = charted(samples, options, axis)
    flat = flat_around(coordinates)
    if flat is not None:
        return CoupledShape(chart, flat.grown(float(np.radians(options.pad_deg))))
    fit: RegionFit = _found(FITS[kind])
    return CoupledShape(chart, fit(coordinates, options))


def charted(
    rotations: Floats, options: FitOptions, axis: ArrayLike | None = None
) -> tuple[Chart, Floats]:
    """Chart at the centre of a motion, and the motion's coordinates in it.

    `rotations` has shape (samples, 4): unit quaternions in time order. `axis` has shape (3,).

    Returns
    -------
    chart : Chart
    coordinates : array, shape (samples, 3)
        More than half a turn from the centre where the motion turns past it.
    """

    def chart_at(centre: Floats) -> Chart:
        if options.coordinates == "swing-twist":
            return SwingTwist(centre, checked_axis(axis))
        return RotationVectors(centre)

    chart = chart_at(midrange_centre(rotations, chart_at))
    coordinates = unrolled(rotations, chart)
    check_reach(coordinates, chart)
    return chart, coordinates


def shape_from_dict(data: Mapping[str, Any]) -> CoupledShape:
    """Inverse of a shape's ``to_dict``. Raises ValueError with the place of the error."""
    refuse(shape_problems(data))
    return CoupledShape(chart_from_dict(data["coordinates"]), region_from_dict(data["region"]))


def shape_of_limit(coupled: CoupledLimit) -> CoupledShape:
    """Shape of a coupled limit."""
    return shape_from_dict({"coordinates": coupled.coordinates, "region": coupled.region})


def region_from_dict(data: Mapping[str, Any]) -> Region:
    """Inverse of a region's ``to_dict``. Raises ValueError with the place of the error."""
    refuse(region_problems(data))
    region: Region = _found(REGIONS[data["kind"]]).from_dict(data)
    return region


def _found(place: str) -> Any:
    module, name = place.split(":")
    return getattr(import_module(f"{__package__}.{module}"), name)
