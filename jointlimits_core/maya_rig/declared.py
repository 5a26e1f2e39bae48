"""Declared limits, degrees of freedom and locks of a joint."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..joint_frame import CHANNELS
from ..skeleton import Declaration

_DEFAULT_LIMITS_DEG = (("min", -45.0), ("max", 45.0))
"""Default limits of a transform."""


def declaration_from(
    number: Callable[[str, float], float], is_locked: Callable[[str], bool]
) -> Declaration:
    """Declaration from a joint's attributes.

    Parameters
    ----------
    number : callable
        Value of a single attribute by its long name, in radians, given its default.
    is_locked : callable
        Whether a rotate channel is locked.

    Returns
    -------
    Declaration
        Limits in degrees; limits that are not enabled are ignored.
    """
    limits: dict[str, tuple[float | None, float | None]] = {}
    for axis, channel in zip("XYZ", CHANNELS):
        low, high = (
            float(np.degrees(number(f"{edge}Rot{axis}Limit", float(np.radians(default)))))
            if number(f"{edge}Rot{axis}LimitEnable", 0.0)
            else None
            for edge, default in _DEFAULT_LIMITS_DEG
        )
        if (low, high) != (None, None):
            limits[channel] = (low, high)
    free = tuple(c for axis, c in zip("XYZ", CHANNELS) if number(f"jointType{axis}", 1.0))
    return Declaration(
        dof=None if len(free) == len(CHANNELS) else free,
        limits_deg=limits,
        locked=frozenset(channel for channel in CHANNELS if is_locked(channel)),
    )
