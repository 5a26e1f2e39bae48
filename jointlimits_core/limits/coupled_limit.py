"""A coupled limit as data: which rotations of one joint are allowed, all three channels together.

Kept as plain numbers, so that a limit set can be read, compared and written without building the
shape; :func:`jointlimits_core.limits.shapes.fitting.shape_from_dict` builds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class CoupledLimit:
    """A shape that holds the allowed rotations of a joint.

    The rotations are relative to the parent, so the shape holds whatever jointOrient, rotateAxis
    and rotate order the joint has, as long as its place in the rest pose is the same.

    Parameters
    ----------
    kind : str
        Name of the shape: "hull", "box", ...
    coordinates : mapping
        The chart, as its ``to_dict`` gives it; radians.
    region : mapping
        The region in these coordinates, as its ``to_dict`` gives it; radians.
    pad_deg : float
        Degrees that it reaches beyond the samples.
    freedom : float
        Share of all rotations that it allows (Haar measure).
    samples : int
        Rotations that it was fitted to.
    trimmed : int
        How many of them were left outside.
    """

    kind: str
    coordinates: Mapping[str, Any]
    region: Mapping[str, Any]
    pad_deg: float
    freedom: float
    samples: int
    trimmed: int = 0
