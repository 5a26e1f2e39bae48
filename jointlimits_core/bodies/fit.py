"""Skeleton fit of one clip of loose bodies."""

from __future__ import annotations

from ..arrays import Floats
from .body_fit import BodyFit, BodyJoint
from .options import BodyOptions
from .plain_fit import plain_fit
from .pooled import fit_pooled, of_clip
from .tracks import BodyTracks

__all__ = ["BodyFit", "BodyJoint", "BodyOptions", "fit_skeleton"]


def fit_skeleton(
    tracks: BodyTracks, options: BodyOptions | None = None, weights: Floats | None = None
) -> BodyFit:
    """Find which bodies are joined, where, about which axes, and how well.

    Parameters
    ----------
    options : BodyOptions, optional
    weights : array, shape (bodies, frames), optional
        Weight of each frame of a body; 0 excludes it. If given, frames that do not fit are not
        searched for.

    Returns
    -------
    BodyFit
        Bodies to which nothing is joined are free; if all are, there is no joint, and a finding
        reports it.

    Raises
    ------
    EstimationError
        If there is only one body, too few frames, or bodies in different units.
    ValueError
        If a given root or parent does not exist, or contradicts another.
    """
    options = options or BodyOptions()
    if weights is None:
        return fit_pooled([tracks], options)[0]
    return of_clip(plain_fit([tracks], options, weights), tracks, slice(None))
