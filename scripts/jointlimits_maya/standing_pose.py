"""The pose that stands in the scene now, keyed or not, looked at past its limits.

What an artist has posed and not keyed yet is only in the channels themselves. But where a limit is
on and holds a channel back, the channel shows the limit, and what drives it shows what was meant.
"""

from __future__ import annotations

import maya.api.OpenMaya as om

from .attributes import source_of
from .drivers import AsTheyStand, Constant, Driver

HELD = 1e-9
"""Radians within which a channel stands at a limit."""


class PastLimits(AsTheyStand):
    """Takes every channel as it stands; of rotate channels that a limit holds, what drives them."""

    def of(self, plug: om.MPlug, path: str = "") -> Driver:
        """What a number is now."""
        value = float(plug.asDouble())
        source = source_of(plug) if path else None
        if source is not None and _is_held(plug, value):
            value = float(source.asDouble())
        return Constant(value)


def _is_held(plug: om.MPlug, value: float) -> bool:
    """Whether a rotate channel stands at a limit that is on."""
    find = om.MFnDependencyNode(plug.node()).findPlug
    axis = str(plug.partialName(useLongNames=True))[-1]
    return any(
        find(f"{side}Rot{axis}LimitEnable", False).asBool()
        and abs(find(f"{side}Rot{axis}Limit", False).asDouble() - value) <= HELD
        for side in ("min", "max")
    )
