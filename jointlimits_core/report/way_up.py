"""Which way is up in tracks that do not say: Y, as in most scenes, or Z, as in laboratories."""

from __future__ import annotations

import numpy as np

from ..arrays import Floats
from ..bodies.tracks import BodyTracks

Y_AND_Z = (1, 2)


def y_is_up(tracks: BodyTracks) -> bool:
    """Guess from what stands and walks: it is tall, and travels along the floor.

    Parameters
    ----------
    tracks : BodyTracks

    Returns
    -------
    bool
        True unless the bodies reach further along Z, less how far they travel along it, than
        along Y. A guess: good enough to look at a figure, and not for anything that counts.
    """
    seen = np.where(tracks.present[..., None], tracks.positions, np.nan)[..., Y_AND_Z]
    together = np.flatnonzero(tracks.present.all(axis=0))
    if not together.size:
        return True
    places = seen[:, together]
    reach = np.mean(places.max(axis=0) - places.min(axis=0), axis=0)
    travel = np.ptp(places.mean(axis=0), axis=0)
    y, z = reach - travel
    return bool(y >= z)


def with_y_up(points: Floats, y_up: bool) -> Floats:
    """Points turned so that their way up is Y.

    Parameters
    ----------
    points : array, shape (..., 3)
    y_up : bool
        Whether it is already.

    Returns
    -------
    array, shape (..., 3)
    """
    return points if y_up else np.asarray(points[..., [1, 2, 0]])
