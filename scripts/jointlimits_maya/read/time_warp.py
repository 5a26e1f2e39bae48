"""Warp of the open scene's time, which curves that are read by themselves do not know."""

from __future__ import annotations

from dataclasses import dataclass

from maya import cmds

from jointlimits_core.base.findings import Finding
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.rig.turned_besides import time_warp_finding

from ..base.open_maya import om
from ..scene.joints import node_name
from ..scene.plugs import source_of, type_of
from .drivers import CurveOverTime, Drivers, node_of

TIME = "time1"


@dataclass(frozen=True)
class TimeWarp:
    """The warp that is on, if any: its curve, and the findings that name it."""

    drivers: Drivers
    curve: CurveOverTime | None = None
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of_scene(cls, drivers: Drivers) -> TimeWarp:
        """Warp of the open scene."""
        # live check: scene-time-warp
        if not cmds.objExists(TIME):
            return cls(drivers)
        time = om.MFnDependencyNode(node_of(TIME))
        if not (time.hasAttribute("enableTimewarp") and time.hasAttribute("timewarpIn_Raw")):
            return cls(drivers)
        switch = source_of(time.findPlug("enableTimewarp", False))
        if switch is not None:
            place = node_name(switch.node()), type_of(switch.node())
            return cls(drivers, None, (time_warp_finding(*place, is_applied=False),))
        source = source_of(time.findPlug("timewarpIn_Raw", False))
        if source is None or not time.findPlug("enableTimewarp", False).asBool():
            return cls(drivers)
        node, kind = source.node(), type_of(source.node())
        is_curve = kind == "animCurveTT"
        curve = CurveOverTime(node_name(node), node, 1.0) if is_curve else None
        return cls(drivers, curve, (time_warp_finding(node_name(node), kind, is_curve),))

    def shown(self, frames: Floats) -> Floats | None:
        """Frames of the keys that the scene shows at frames; None without a warp."""
        return None if self.curve is None else self.drivers.keys(self.curve).at(frames)

    def frames_of(self, keys: Floats) -> Floats:
        """Frames that show the keys: those of the warp's own keys."""
        return keys if self.curve is None or not len(keys) else self.drivers.keys(self.curve).frames
