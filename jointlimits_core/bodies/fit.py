"""From loose bodies to a skeleton."""

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
        What a frame of a body counts; 0 leaves it out. They take the place of a search for
        frames that do not fit.

    Returns
    -------
    BodyFit
        With free bodies where nothing is joined to them; of bodies that all fly freely, one
        without any joint and a finding that says so.

    Raises
    ------
    EstimationError
        If there is one body only, too few frames, or bodies in different units.
    ValueError
        If a given root or parent is not there, or contradicts another.
    """
    options = options or BodyOptions()
    if weights is None:
        return fit_pooled([tracks], options)[0]
    return of_clip(plain_fit([tracks], options, weights), tracks, slice(None))
