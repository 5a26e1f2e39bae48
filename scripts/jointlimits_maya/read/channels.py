"""Channels of joints and of the nodes between them, and the current pose, bypassing limits.

A pose that is not keyed is only in the channels themselves. But a channel clamped by a limit shows
the limit, so its value is read from its driver.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import maya.api.OpenMaya as om
import numpy as np

from jointlimits_core.geometry import Floats, local_from_rotate, quaternion_from_euler
from jointlimits_core.rig import (
    MOVING_COMPOUNDS,
    STILL_COMPOUNDS,
    JointSamples,
    few,
    inverse_scale,
    joint_matrix,
    moved,
    product_of,
    rotate_order_name,
    scaled,
    transform_below_parent,
)

from ..scene import Attributes, matrix_of, node_name, source_of, type_of
from .drivers import (
    AsTheyStand,
    Constant,
    CurveOverTime,
    Driver,
    Drivers,
)
from .hierarchy import JointPlace
from .sampling import Samples

JOINT_COMPOUNDS = MOVING_COMPOUNDS[:3]
"""Moving compounds of joints, which have no shear."""


@dataclass
class NodeChannels:
    """Drivers of one node's channels.

    Parameters
    ----------
    compounds : dict of compound to three drivers
    offset_parent : Driver, optional
        Driver of offsetParentMatrix; None if nothing drives it.
    """

    node: Attributes
    path: str
    compounds: dict[str, list[Driver]]
    offset_parent: Driver | None

    def drivers(self) -> Iterator[Driver]:
        """All drivers."""
        for three in self.compounds.values():
            yield from three
        if self.offset_parent is not None:
            yield self.offset_parent

    def vector(self, compound: str, samples: Samples) -> Floats:
        """Values of a compound, shape (frames, 3)."""
        return np.stack([samples.of(driver) for driver in self.compounds[compound]], axis=-1)

    def offset_matrix(self, samples: Samples) -> Floats:
        """OffsetParentMatrix for column vectors, shape (4, 4) or (frames, 4, 4)."""
        if self.offset_parent is None:
            return matrix_of(self.node.plug("offsetParentMatrix"))
        return few(samples.of(self.offset_parent))


@dataclass
class RigChannels:
    """Channels of all joints and of the nodes between them."""

    places: Sequence[JointPlace]
    drivers: Drivers = field(default_factory=Drivers)

    def __post_init__(self) -> None:
        self.joints = [self._of(place.node, place.path, True) for place in self.places]
        between = {path: node for place in self.places for path, node in place.between}
        self.between = {
            path: self._of(node, path, _is_joint(node)) for path, node in between.items()
        }

    def _of(self, node: Attributes, path: str, is_joint: bool) -> NodeChannels:
        compounds = {}
        for compound in JOINT_COMPOUNDS if is_joint else MOVING_COMPOUNDS:
            solved = path if compound == "rotate" else ""
            compounds[compound] = [self.drivers.of(p, solved) for p in node.plugs(compound)]
        offset = self.drivers.of_matrix(node.plug("offsetParentMatrix"))
        return NodeChannels(node, path, compounds, offset)

    def drivers_once(self) -> list[Driver]:
        """All drivers, each once."""
        channels = [*self.joints, *self.between.values()]
        found = {id(driver): driver for one in channels for driver in one.drivers()}
        return list(found.values())

    def curves_of_rotations(self) -> list[CurveOverTime]:
        """Curves that contribute to the rotations of joints, each once."""
        found = {
            curve.name: curve
            for joint in self.joints
            for driver in joint.compounds["rotate"]
            for curve in self.drivers.curves_behind(driver)
        }
        return list(found.values())

    def animated(self) -> frozenset[str]:
        """Names of joints whose rotation has a driver."""
        return frozenset(
            place.name
            for place, joint in zip(self.places, self.joints)
            if any(not isinstance(driver, Constant) for driver in joint.compounds["rotate"])
        )

    def samples(self, samples: Samples) -> list[JointSamples]:
        """Channels of all joints at every frame."""
        local = {path: self._below_parent(node, samples) for path, node in self.between.items()}
        found = []
        for place, joint in zip(self.places, self.joints):
            translate = few(joint.vector("translate", samples))
            above = product_of(
                [local[path] for path, _ in place.between], joint.offset_matrix(samples)
            )
            if place.between:
                above = above @ self._scale_of_others_taken_back(place, translate)
            rotate, scale = (joint.vector(name, samples) for name in ("rotate", "scale"))
            found.append(JointSamples(rotate, translate, few(scale), above))
        return found

    @staticmethod
    def _scale_of_others_taken_back(place: JointPlace, translate: Floats) -> Floats:
        """Effect of segmentScaleCompensate on a joint whose parent joint was not requested.

        Maya compensates the scale after the translation; this matrix applies it before.
        """
        source = source_of(place.node.plug("inverseScaleX"))
        path = "" if source is None else node_name(source.node())
        others = {path for path, node in place.between if _is_joint(node)}
        if path not in others or not place.node.is_on("segmentScaleCompensate"):
            return np.eye(4)
        inverse = scaled(inverse_scale(place.node.vector("inverseScale")))
        return np.asarray(moved(translate) @ inverse @ moved(-translate))

    @staticmethod
    def _below_parent(channels: NodeChannels, samples: Samples) -> Floats:
        """Local matrix of a node, shape (frames or 1, 4, 4)."""
        node, offset = channels.node, channels.offset_matrix(samples)
        moving = {name: few(channels.vector(name, samples)) for name in channels.compounds}
        order = rotate_order_name(node.plug("rotateOrder").asInt())
        if not _is_joint(node):
            still = {name: node.vector(name)[None] for name in STILL_COMPOUNDS}
            return transform_below_parent({**still, **moving}, order, offset)
        orient, axis = (
            quaternion_from_euler(node.vector(n)) for n in ("jointOrient", "rotateAxis")
        )
        turn = local_from_rotate(moving["rotate"], orient, axis, order)
        back = node.is_on("segmentScaleCompensate")
        taken_back = node.vector("inverseScale") if back else np.ones(3)
        return np.asarray(
            offset @ joint_matrix(moving["translate"], turn, moving["scale"], taken_back)
        )


def _is_joint(node: Attributes) -> bool:
    return type_of(node.node) == "joint"


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
