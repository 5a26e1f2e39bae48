"""Current pose of the scene, keyed or not, bypassing limits.

A pose that is not keyed is only in the channels themselves. But a channel clamped by a limit shows
the limit, so its value is read from its driver.
"""

from __future__ import annotations

import maya.api.OpenMaya as om

from .attributes import source_of
from .drivers import AsTheyStand, Constant, Driver

HELD = 1e-9
"""Radians within which a channel is at a limit."""


class PastLimits(AsTheyStand):
    """Current value of every channel, or of its driver where a limit clamps a rotate channel."""

    def of(self, plug: om.MPlug, path: str = "") -> Driver:
        """Current unclamped value of a number."""
        value = float(plug.asDouble())
        source = source_of(plug) if path else None
        if source is not None and _is_held(plug, value):
            value = float(source.asDouble())
        return Constant(value)


def _is_held(plug: om.MPlug, value: float) -> bool:
    """Whether a rotate channel is at a limit that is on."""
    find = om.MFnDependencyNode(plug.node()).findPlug
    axis = str(plug.partialName(useLongNames=True))[-1]
    return any(
        find(f"{side}Rot{axis}LimitEnable", False).asBool()
        and abs(find(f"{side}Rot{axis}Limit", False).asDouble() - value) <= HELD
        for side in ("min", "max")
    )
