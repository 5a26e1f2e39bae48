"""Options for fitting a coupled shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class FitOptions:
    """Options for fitting a coupled shape.

    Parameters
    ----------
    pad_deg : float
        Degrees beyond the samples; recorded motion never covers the full range.
    trim_percent : float
        Percentage of the outermost samples that may be left outside.
    coordinates : str
        "rotation-vector", or "swing-twist".
    directions : int
        Support directions of a hull.
    """

    pad_deg: float = 3.0
    trim_percent: float = 0.0
    coordinates: str = "rotation-vector"
    directions: int = 40


def fit_options_of(values: Mapping[str, Any]) -> FitOptions:
    """Fit options from the values of the option table's group "coupled"."""
    return FitOptions(
        pad_deg=values["shape_pad_deg"],
        trim_percent=values["shape_trim_percent"],
        coordinates=values["shape_coordinates"],
    )
