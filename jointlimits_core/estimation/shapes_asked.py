"""Coupled limits and dependencies, if requested in the options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..limits.limit_set import LimitSet
from ..limits.shapes.options import fit_options_of
from ..motion import Motion
from ..progress import Progress
from .coupled import with_coupled_limits
from .dependencies import with_dependencies
from .options import EstimateOptions

SHAPE_OPTIONS = ("with shapes", "coupled")
"""Option groups of :func:`with_shapes_asked`."""


def with_shapes_asked(
    limit_set: LimitSet,
    clips: Sequence[Motion],
    values: Mapping[str, Any],
    asked: EstimateOptions,
    progress: Progress | None = None,
) -> LimitSet:
    """Fit shapes and find dependencies if the option ``coupled`` is on.

    Parameters
    ----------
    limit_set : LimitSet
        From these clips.
    values : mapping
        Values of all options of the groups :data:`SHAPE_OPTIONS`.
    asked : EstimateOptions
        Options of the estimate.
    progress : callable, optional

    Raises
    ------
    ValueError
        If the limits are not on rotate channels.
    EstimationError, Cancelled
        As :func:`.coupled.with_coupled_limits`.
    """
    if not values["coupled"]:
        return limit_set
    if asked.mode == "paper":
        raise ValueError("shapes go with the standard mode; leave the option mode out")
    fit = fit_options_of(values)
    found = with_coupled_limits(limit_set, clips, values["shape"], fit, asked, progress)
    return with_dependencies(found, clips, asked, progress, fit.pad_deg)
