"""What a shape can be fitted to, and what is said of the rest."""

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
"""To both sides that is more than a turn and a half: the motion has gone round."""
FARTHEST_SWING = float(np.radians(170.0))
"""Near half a turn of swing, twists of any size are the same rotation."""


def usable_rotations(rotations: ArrayLike) -> Floats:
    """Unit quaternions, or why there are none.

    Parameters
    ----------
    rotations : array-like, shape (samples, 4)

    Returns
    -------
    array, shape (samples, 4)
        Of exactly unit length.

    Raises
    ------
    EstimationError
    """
    samples = np.asarray(rotations, dtype=np.float64)
    if samples.ndim != 2 or samples.shape[1] != 4:
        raise EstimationError(
            f"Rotations come as (samples, 4), x y z w; these have the shape {samples.shape}."
        )
    if len(samples) == 0:
        raise EstimationError("There are no samples to fit a shape to.")
    broken = np.flatnonzero(~np.isfinite(samples).all(axis=1))
    if broken.size:
        raise EstimationError(
            f"{broken.size} of {len(samples)} samples are not numbers, the first is sample "
            f"{broken[0]}. Leave them out, or repair the clip."
        )
    length = np.linalg.norm(samples, axis=1)
    wrong = np.flatnonzero(np.abs(length - 1.0) > UNIT_TOLERANCE)
    if wrong.size:
        raise EstimationError(
            f"{wrong.size} of {len(samples)} samples are no unit quaternions, the first is sample "
            f"{wrong[0]} of length {length[wrong[0]]:.3g}."
        )
    return normalized(samples)


def usable_axis(axis: ArrayLike | None) -> Floats:
    """Unit twist axis, shape (3,).

    Raises
    ------
    EstimationError
        Where there is none.
    """
    if axis is None:
        raise EstimationError('The coordinates "swing-twist" need a twist axis.')
    vector = np.asarray(axis, dtype=np.float64)
    length = float(np.linalg.norm(vector)) if vector.shape == (3,) else 0.0
    if not 1e-9 < length < np.inf:
        raise EstimationError(f"A twist axis has three numbers, not all zero; this is {axis!r}.")
    return vector / length


def usable_options(options: FitOptions) -> None:
    """Raise for options that make no sense.

    Raises
    ------
    EstimationError
    """
    if options.coordinates not in COORDINATES:
        raise EstimationError(
            f"There are no coordinates {options.coordinates!r}; there are {', '.join(COORDINATES)}."
        )
    if not 0.0 <= options.pad_deg <= 180.0:
        raise EstimationError(f"pad_deg goes from 0 to 180; this is {options.pad_deg}.")
    if not 0.0 <= options.trim_percent < 100.0:
        raise EstimationError(
            f"trim_percent goes from 0 to less than 100; this is {options.trim_percent}."
        )


def usable_reach(coordinates: Floats, chart: Chart) -> None:
    """Raise for motion that goes where its coordinates mean nothing any more.

    Raises
    ------
    EstimationError
    """
    farthest = float(np.max(np.linalg.norm(coordinates, axis=1)))
    if farthest > FARTHEST:
        raise EstimationError(
            f"The motion turns {np.degrees(farthest):.0f} degrees away from its middle: it goes "
            "round and round, and no shape can limit that. Leave this joint without one."
        )
    swing = float(np.max(np.linalg.norm(coordinates[:, :2], axis=1)))
    if chart.kind == "swing-twist" and swing > FARTHEST_SWING:
        raise EstimationError(
            f"The motion swings {np.degrees(swing):.0f} degrees away from its middle, where swing "
            'and twist cannot be told apart. Take the coordinates "rotation-vector".'
        )
