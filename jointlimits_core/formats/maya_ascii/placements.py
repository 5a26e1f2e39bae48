"""Text positions for the new values of a joint's attributes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ...applying.joint_attributes import (
    AXES,
    MAXIMUM,
    MAXIMUM_ON,
    MINIMUM,
    MINIMUM_ON,
    PlugStates,
    Triple,
)
from ...applying.joint_plan import SAME_DEG
from .limit_plugs import Assignment

_WIDE_OPEN = {MINIMUM: -360.0, MAXIMUM: 360.0}


@dataclass(frozen=True)
class Placement:
    """New values for a place that exists, or for a new one.

    Parameters
    ----------
    axis : int or None
        None for the compound.
    values : tuple of float
        Degrees, or 0 and 1.
    place : Assignment, optional
        What is to be replaced; None for a new place.
    """

    triple: Triple
    axis: int | None
    values: tuple[float, ...]
    place: Assignment | None = None


def placements(
    triple: Triple,
    wanted: Sequence[float | None],
    states: PlugStates,
    own: Sequence[Assignment],
    degrees_per_unit: float,
) -> list[Placement]:
    """Decide where wanted values go: into the places that set them, else into new ones.

    Parameters
    ----------
    wanted : sequence of float or None, per axis
    states : PlugStates
        As they are now.
    own : sequence of Assignment
        Places that may be edited.
    degrees_per_unit : float
        Of the values in `own`.
    """
    final = _complete(triple, wanted, states)
    scale = degrees_per_unit if triple.is_angle else 1.0
    found: list[Placement] = []
    covered: set[int] = set()
    setting = [one for one in own if one.triple == triple and one.values]
    for one in setting:
        axes = (0, 1, 2) if one.axis is None else (one.axis,)
        covered.update(axes)
        values = tuple(final[axis] for axis in axes)
        now = [value * scale for value in one.values]
        same = len(now) == len(values) and all(
            abs(a - b) <= SAME_DEG or wanted[axis] is None for a, b, axis in zip(now, values, axes)
        )
        if not same:
            found.append(Placement(triple, one.axis, values, one))
    missing = [axis for axis in range(3) if wanted[axis] is not None and axis not in covered]
    free = all(states[triple].obstacle(axis) is None for axis in range(3))
    if missing and triple.is_angle and free and not setting:
        return [*found, Placement(triple, None, tuple(final))]
    return found + [Placement(triple, axis, (final[axis],)) for axis in missing]


def _complete(triple: Triple, wanted: Sequence[float | None], states: PlugStates) -> list[float]:
    """Values of all three axes: wanted, else as they are, else without effect."""
    final = []
    switch = {MINIMUM: MINIMUM_ON, MAXIMUM: MAXIMUM_ON}.get(triple)
    for axis in range(len(AXES)):
        default = triple.default
        if switch is not None and states[switch].values[axis] != 1.0:
            default = _WIDE_OPEN[triple]
        now = states[triple].values[axis]
        value = wanted[axis] if wanted[axis] is not None else now
        final.append(default if value is None or not math.isfinite(value) else value)
    return final
