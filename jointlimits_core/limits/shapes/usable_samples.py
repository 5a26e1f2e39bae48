"""Validation of the samples and options of a shape fit."""

from __future__ import annotations

import numpy as np

from ...arrays import ArrayLike, Floats
from ...errors import EstimationError
from ...rotation import normalized
from .charts import Chart
from .options import FitOptions

COORDINATES = ("rotation-vector", "swing-twist")
UNIT_TOLERANCE = 1e-3
FARTHEST = float(np.radians(300.0))
"""More than a turn and a half over both sides: the motion has gone all the way round."""
FARTHEST_SWING = float(np.radians(170.0))
"""Near half a turn of swing, twists of any size give the same rotation."""


def usable_rotations(rotations: ArrayLike) -> Floats:
    """Samples as unit quaternions.

    Parameters
    ----------
    rotations : array-like, shape (samples, 4)

    Returns
    -------
    array, shape (samples, 4)
        Normalized exactly.

    Raises
    ------
    EstimationError
        For a wrong shape, no samples, or samples that are not finite or not unit quaternions.
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


def usable_axis(axis: ArrayLike | None) -> Floats:
    """Unit twist axis, shape (3,).

    Raises
    ------
    EstimationError
        If it is missing or not a nonzero vector.
    """
    if axis is None:
        raise EstimationError('the coordinates "swing-twist" need a twist axis')
    vector = np.asarray(axis, dtype=np.float64)
    length = float(np.linalg.norm(vector)) if vector.shape == (3,) else 0.0
    if not 1e-9 < length < np.inf:
        raise EstimationError(f"the twist axis must be three numbers, not all zero, not {axis!r}")
    return vector / length


def usable_options(options: FitOptions) -> None:
    """Raise for invalid options.

    Raises
    ------
    EstimationError
    """
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


def usable_reach(coordinates: Floats, chart: Chart) -> None:
    """Raise for motion beyond the range in which its coordinates are unique.

    Raises
    ------
    EstimationError
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
