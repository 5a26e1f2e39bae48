"""Joint turns and time warps that the curves of rotate channels do not show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from maya import cmds

from jointlimits_core.base.findings import Finding
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.rig import sampled_rig, turned_besides

from ..base.open_maya import om
from ..scene.joints import node_name, node_of, short_name
from ..scene.plugs import AXES, Attributes, source_of, type_of
from .drivers import CurveOverTime, Driver, Drivers, Samples
from .rest_pose import JointPlace

OFFSET = "offsetParentMatrix"
ORIENTS, TURNED_AXES = (
    tuple(compound + axis for axis in AXES) for compound in ("jointOrient", "rotateAxis")
)
SWITCHES = ("rotateOrder", "inheritsTransform")


def orientation_drivers(node: Attributes, drivers: Drivers, is_joint: bool) -> dict[str, Driver]:
    """Drivers that may change what the rotate channels mean, by the attribute they drive."""
    names = (*(ORIENTS if is_joint else ()), *TURNED_AXES, *SWITCHES)
    found = {name: drivers.driver_of_orientation(node.plug(name)) for name in names}
    return {name: driver for name, driver in found.items() if driver is not None}


def moving_orientation(
    node: Attributes, driven: dict[str, Driver], samples: Samples
) -> turned_besides.MovingOrientation:
    """Orientation of a joint at every frame."""
    rows = [_values(node, driven, name, samples) for name in (*ORIENTS, *TURNED_AXES)]
    columns = np.stack(rows, axis=-1)
    orders = _values(node, driven, "rotateOrder", samples)
    return turned_besides.MovingOrientation(columns[:, :3], columns[:, 3:], orders)


def _values(node: Attributes, driven: dict[str, Driver], name: str, samples: Samples) -> Floats:
    if name in driven:
        return samples.values_of(driven[name])
    value = node.plug(name).asInt() if name in SWITCHES else node.number(name)
    return np.full(len(samples.frames), value)


@dataclass
class Group:
    """A transform between two joints.

    `driven`: from :func:`orientation_drivers`; `local`: local matrices, shape (frames or 1, 4, 4).
    """

    node: Attributes
    driven: dict[str, Driver]
    local: Floats

    def turns(self, samples: Samples) -> bool:
        """Whether the transform turns within the frames."""
        return (
            self.is_switched(samples)
            or turned_besides.turned_deg(self.local) > turned_besides.MIN_TURN_DEG
        )

    def is_switched(self, samples: Samples) -> bool:
        """Whether an attribute changes, although `local` assumes its current value throughout."""
        return any(np.ptp(samples.values_of(driver)) > 0.0 for driver in self.driven.values())


def turned_findings(
    place: JointPlace,
    driven: dict[str, Driver],
    groups: Sequence[Group],
    offset: Floats,
    samples: Samples,
) -> Iterator[Finding]:
    """Findings about one joint.

    `driven`: from :func:`orientation_drivers`; `groups`: those between the joint and its parent
    joint; `offset`, shape (frames, 4, 4) or (4, 4): the joint's offsetParentMatrix.
    """
    yield from _orientation_findings(place, driven, samples)
    if place.parent < 0:
        return
    sources = [f"{_words(group.node.node)} above it" for group in groups if group.turns(samples)]
    source = source_of(place.node.plug(OFFSET))
    own = offset.reshape(-1, 4, 4)
    if source is not None and turned_besides.turned_deg(own) > turned_besides.MIN_TURN_DEG:
        sources.append(f"{_words(source.node())} through its {OFFSET}")
    if any(group.is_switched(samples) for group in groups):
        yield turned_besides.turned_finding(place.name, sources, None, place.is_control)
    elif sources:
        # The turns of two groups may cancel each other.
        degrees = turned_besides.turned_deg(
            sampled_rig.product_of([group.local for group in groups], own)
        )
        if degrees > turned_besides.MIN_TURN_DEG:
            yield turned_besides.turned_finding(place.name, sources, degrees, place.is_control)


def _orientation_findings(
    place: JointPlace, driven: dict[str, Driver], samples: Samples
) -> Iterator[Finding]:
    for name, driver in driven.items():
        matters = name != "rotateOrder" and (name != "inheritsTransform" or place.parent >= 0)
        if matters and np.degrees(np.ptp(samples.values_of(driver))) > turned_besides.MIN_TURN_DEG:
            words = _driver_words(place.node, name)
            yield turned_besides.orientation_finding(place.name, name, words)
            return
    orders = _values(place.node, driven, "rotateOrder", samples)
    yield from turned_besides.order_findings(
        place.name, orders, lambda: _driver_words(place.node, "rotateOrder")
    )


def _driver_words(node: Attributes, name: str) -> str:
    source = source_of(node.plug(name))
    assert source is not None
    return _words(source.node())


def _words(node: om.MObject) -> str:
    return turned_besides.source_words(short_name(node_name(node)), type_of(node))


TIME = "time1"


@dataclass(frozen=True)
class TimeWarp:
    """The scene's time warp, if one is on: its curve, and the findings that name it."""

    drivers: Drivers
    curve: CurveOverTime | None = None
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of_scene(cls, drivers: Drivers) -> TimeWarp:
        """Time warp of the open scene."""
        # live check: scene-time-warp
        if not cmds.objExists(TIME):
            return cls(drivers)
        time = om.MFnDependencyNode(node_of(TIME))
        if not (time.hasAttribute("enableTimewarp") and time.hasAttribute("timewarpIn_Raw")):
            return cls(drivers)
        switch = source_of(time.findPlug("enableTimewarp", False))
        if switch is not None:
            place = node_name(switch.node()), type_of(switch.node())
            finding = turned_besides.time_warp_finding(*place, is_applied=False)
            return cls(drivers, None, (finding,))
        source = source_of(time.findPlug("timewarpIn_Raw", False))
        if source is None or not time.findPlug("enableTimewarp", False).asBool():
            return cls(drivers)
        node, kind = source.node(), type_of(source.node())
        is_curve = kind == "animCurveTT"
        curve = CurveOverTime(node_name(node), node, 1.0) if is_curve else None
        finding = turned_besides.time_warp_finding(node_name(node), kind, is_curve)
        return cls(drivers, curve, (finding,))

    def shown_frames(self, frames: Floats) -> Floats | None:
        """Frames at which the warp makes the scene read its curves; None without a warp."""
        return None if self.curve is None else self.drivers.keys(self.curve).values_at(frames)

    def frames_of(self, keys: Floats) -> Floats:
        """Frames to read for some keys: their own or, with a warp, those of the warp's keys."""
        return keys if self.curve is None or not len(keys) else self.drivers.keys(self.curve).frames
