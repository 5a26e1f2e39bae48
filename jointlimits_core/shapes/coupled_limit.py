"""A coupled limit as data: the allowed rotations of one joint, all three channels together.

It is kept as plain numbers, so that a limit set can be read, compared and written without building
the shape; :func:`jointlimits_core.shapes.fitting.shape_from_dict` builds the shape.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..base.errors import EstimationError

COORDINATES = ("rotation-vector", "swing-twist")


@dataclass(frozen=True)
class CoupledLimit:
    """A shape that contains the allowed rotations of a joint.

    The rotations are relative to the parent, so the shape stays valid for any jointOrient,
    rotateAxis and rotate order, as long as the joint's placement in the rest pose is the same.
    `kind`: "hull", "box", ... `coordinates`, `region`: chart and region from their ``to_dict``,
    radians. `pad_deg`: degrees by which the shape extends beyond the samples. `freedom`: share of
    all rotations that it allows (Haar measure). `samples`: number of rotations that it was fitted
    to. `trimmed`: number of these samples that were left outside.
    """

    kind: str
    coordinates: Mapping[str, Any]
    region: Mapping[str, Any]
    pad_deg: float
    freedom: float
    samples: int
    trimmed: int = 0


@dataclass(frozen=True)
class FitOptions:
    """Options for fitting a coupled shape. Raises EstimationError for invalid values.

    `pad_deg`: padding beyond the samples, as recorded motion never covers the full range.
    `coordinates`: "rotation-vector", or "swing-twist".
    """

    pad_deg: float = 3.0
    coordinates: str = "rotation-vector"

    def __post_init__(self) -> None:
        if self.coordinates not in COORDINATES:
            known = ", ".join(COORDINATES)
            raise EstimationError(f"coordinates must be one of {known}, not {self.coordinates!r}")
        if not 0.0 <= self.pad_deg <= 180.0:
            raise EstimationError(f"pad_deg must be between 0 and 180, not {self.pad_deg}")

    @property
    def pad_rad(self) -> float:
        """Padding in radians."""
        return math.radians(self.pad_deg)


def fit_options_of(values: Mapping[str, Any]) -> FitOptions:
    """Fit options from the option values of the group "coupled"."""
    return FitOptions(pad_deg=values["shape_pad_deg"], coordinates=values["shape_coordinates"])
