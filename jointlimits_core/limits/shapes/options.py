"""How a coupled shape is fitted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class FitOptions:
    """Options of a fit.

    Parameters
    ----------
    pad_deg : float
        Degrees beyond the samples; motion of this kind is always under-sampled.
    trim_percent : float
        Share of the outermost samples that may be left outside, in percent.
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
    """Options of a fit from the values of the option table's group "coupled"."""
    return FitOptions(
        pad_deg=values["shape_pad_deg"],
        trim_percent=values["shape_trim_percent"],
        coordinates=values["shape_coordinates"],
    )
