"""From loose bodies to a skeleton: the steps in their order."""

from __future__ import annotations

from .body_fit import BodyFit, BodyJoint
from .options import BodyOptions
from .tracks import BodyTracks

__all__ = ["BodyFit", "BodyJoint", "BodyOptions", "fit_skeleton"]


def fit_skeleton(tracks: BodyTracks, options: BodyOptions | None = None) -> BodyFit:
    """Find joints and hierarchy of loose bodies."""
    raise NotImplementedError
