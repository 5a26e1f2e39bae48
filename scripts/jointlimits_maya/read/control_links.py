"""Links between joints and the controls that drive them in the open scene.

A link is rejected, and named, where its structure can change (IK, blends, several targets, switched
spaces), even if it does not change in the clip; otherwise the rotations of the clip decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from jointlimits_core.base.progress import Progress
from jointlimits_core.geometry import euler, quaternion
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.limits.carry_over import FROM_KEYS, CarryOverError, LinkedMotion
from jointlimits_core.limits.constant_link import MAX_RESIDUAL_DEG, constant_link
from jointlimits_core.limits.limit_set import JointLimit, Orientation
from jointlimits_core.limits.ranges import same_orientation
from jointlimits_core.motion.reorient import JointOrientation, advised_orientation
from jointlimits_core.rig.joint_drivers import JointDrivers
from jointlimits_core.rig.limit_plan import advice_to_follow

from ..base.open_maya import om
from ..scene.joints import node_of, short_name
from ..scene.plugs import AXES, Attributes, source_of
from ..scene.preserve import limits_bypassed, scene_untouched
from ..scene.time import TimeChoice
from .drivers import Driver, Drivers, Samples
from .joint_drivers import OpenRig
from .turned_joints import TimeWarp, orientation_drivers

BLENDS = frozenset(
    ("pairBlend", "blendColors", "blendTwoAttr", "blendWeighted", "blendMatrix", "wtAddMatrix")
) | {"choice", "condition", "remapValue", "quatSlerp", "reverse"}
"""Types of nodes that mix or choose among inputs."""
TRANSFORMS = ("transform", "joint", "ikHandle")
RIGID = ("orientConstraint", "parentConstraint")
_TARGET = re.compile(r"\.target\[(\d+)\]")


@dataclass(frozen=True, eq=False)
class ControlLink:
    """Link from a control to a joint that it drives, both full paths.

    `way`: nodes between the two, as in JointDrivers.
    """

    joint: str
    control: str
    way: tuple[str, ...]
    kinds: tuple[str, ...]
    is_copied: bool
    """Whether the rotate channels are connected one to one."""
    is_whole: bool
    """Whether one node drives all three rotate channels."""


class ControlLinks:
    """Search for the controls of joints, and their rotations over the clip."""

    def __init__(self) -> None:
        self._drivers = Drivers()
        self._graph = OpenRig(self._drivers)
        self._search = JointDrivers(self._graph)

    def link_of(self, joint: str) -> ControlLink:
        """Link of a joint, by full path, to its control.

        Raises CarryOverError if nothing drives the joint, or if the structure can change.
        """
        way, control = self._search.way_to_control(joint)
        offset = source_of(Attributes(node_of(joint)).plug("offsetParentMatrix"))
        if not way and offset is not None:
            words = self._words(self._graph.known(offset.node()))
            raise CarryOverError(f"{words} turns it through its offsetParentMatrix", FROM_KEYS)
        if not way:
            raise CarryOverError("no control drives it", "apply its limits to the joint itself")
        turned = [joint, *(node for node in way if self._graph.kind(node) in TRANSFORMS[:2])]
        for node in turned:
            if node == control:
                continue
            self._reject_solver(node)
            for one in self._nodes_between(node):
                self._reject_switch(one, "drives it")
        if control is None:
            raise CarryOverError(f"{self._words(way[0])} drives it, but no control", FROM_KEYS)
        sources = [source_of(plug) for plug in Attributes(node_of(joint)).plugs("rotate")]
        names = ["" if one is None else str(one.name()).rpartition("|")[2] for one in sources]
        copied = names == [f"{short_name(control)}.rotate{axis}" for axis in AXES]
        if way != [control]:
            self._reject_spaces(control, joint)
        heads = self._graph.channel_sources(joint, "rotate")
        whole = len(heads) == 3 and len(set(heads)) == 1
        return ControlLink(
            joint, control, tuple(way), tuple(map(self._graph.kind, way)), copied, whole
        )

    def _words(self, node: str) -> str:
        return f"{short_name(node)} ({self._graph.kind(node)})"

    def _nodes_between(self, node: str) -> Iterator[str]:
        """Nodes upstream of a node's rotation and placement, up to the next transforms."""
        offset = source_of(Attributes(node_of(node)).plug("offsetParentMatrix"))
        todo, seen = list(self._graph.channel_sources(node, "rotate")), set()
        todo += [] if offset is None else [self._graph.known(offset.node())]
        while todo:
            one = todo.pop()
            if one in seen or self._graph.kind(one) in TRANSFORMS:
                continue
            seen.add(one)
            yield one
            todo.extend(self._graph.sources(one))

    def _reject_solver(self, node: str) -> None:
        handle = self._graph.solver(node)
        if handle is not None:
            raise CarryOverError(f"IK ({short_name(handle)}) rotates {short_name(node)}", FROM_KEYS)

    def _reject_switch(self, node: str, does: str) -> None:
        """Raise CarryOverError for a node whose output is not a constant rotation of one input."""
        kind, words = self._graph.kind(node), self._words(node)
        if kind in BLENDS or kind.startswith("animBlend"):
            raise CarryOverError(f"a blend or switch, {words}, {does}", FROM_KEYS)
        targets = self._targets(node)
        if targets > 1:
            raise CarryOverError(f"{words} with {targets} targets {does}", FROM_KEYS)
        if kind.startswith("animCurveU"):
            raise CarryOverError(f"driven keys, {words}, {does}", FROM_KEYS)
        if kind == "expression":
            raise CarryOverError(f"an expression, {words}, {does}", FROM_KEYS)

    def _targets(self, node: str) -> int:
        """Number of targets of a constraint; 0 for other nodes."""
        if not self._graph.kind(node).endswith("Constraint"):
            return 0
        plugs = om.MFnDependencyNode(node_of(node)).getConnections()
        names = (str(plug.name()) for plug in plugs if plug.isDestination)
        return len({found[1] for found in map(_TARGET.search, names) if found})

    def _reject_spaces(self, control: str, joint: str) -> None:
        """Raise CarryOverError if a group above the control, not the joint, switches its space."""
        group = self._graph.parent(control)
        while group is not None and not joint.startswith(f"{group}|"):
            for one in self._nodes_between(group):
                space = f"switches the space of {short_name(control)}, at {short_name(group)}"
                self._reject_switch(one, space)
            group = self._graph.parent(group)

    def read(
        self, links: Mapping[str, ControlLink], progress: Progress | None = None
    ) -> Callable[[ControlLink, JointLimit], LinkedMotion]:
        """Read both sides of links over the clip.

        Returns a function that gives the motion of a link, for the joint's limits; it raises
        CarryOverError if the link is not constant.
        """
        paths = {path for link in links.values() for path in (link.joint, link.control)}
        sides = {path: _Side(path, self._drivers) for path in sorted(paths)}
        # Limits already on the controls would clamp the rotations of their joints.
        controls = {link.control: node_of(link.control) for link in links.values()}
        with scene_untouched(), limits_bypassed(controls.values()):
            wanted = [driver for side in sides.values() for driver in side.all_drivers()]
            warp = TimeWarp.of_scene(self._drivers)
            keys = warp.frames_of(self._drivers.key_frames(wanted))
            frames = TimeChoice().frames(keys, len(sides), driven=True).frames
            samples = Samples(frames, warp.shown_frames(frames))
            samples.read(self._drivers, wanted, progress)
        return lambda link, limit: _linked_motion(
            link, sides[link.joint], sides[link.control], limit, samples
        )


class _Side:
    """Rotation of a joint or a control: its orientation, and the drivers of its channels."""

    def __init__(self, path: str, drivers: Drivers) -> None:
        self.path, node = path, Attributes(node_of(path))
        self.order = node.rotate_order
        self.angles = node.vector("jointOrient"), node.vector("rotateAxis")
        self.orient, self.axis = (euler.quaternion_from_euler(one) for one in self.angles)
        self.channels = [drivers.driver_of(plug, path) for plug in node.plugs("rotate")]
        self.place = drivers.driver_of_place(om.MDagPath.getAPathTo(node.node))
        self.turning = orientation_drivers(node, drivers, node.node.hasFn(om.MFn.kJoint))

    def all_drivers(self) -> Iterator[Driver]:
        yield from self.channels
        yield self.place

    @property
    def orientation(self) -> Orientation:
        """Orientation as limit sets store it."""
        (a, b, c), (x, y, z) = (np.degrees(one).tolist() for one in self.angles)
        return Orientation(self.order, (a, b, c), (x, y, z))

    def rotates(self, samples: Samples) -> Floats:
        """Rotate channels, shape (frames, 3), radians."""
        return np.stack([samples.values_of(one) for one in self.channels], axis=-1)

    def above(self, samples: Samples) -> Floats:
        """World rotation of all factors to the left of the rotate channels, shape (frames, 4)."""
        matrix = samples.values_of(self.place)[:, :3, :3]
        turn = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
        turn = turn * np.sign(np.linalg.det(turn))[:, None, None]
        inner = euler.local_from_rotate(self.rotates(samples), self.orient, self.axis, self.order)
        world = quaternion.quaternion_from_matrix(turn)
        return quaternion.multiply(world, quaternion.conjugate(inner))


def _linked_motion(
    link: ControlLink, joint: _Side, control: _Side, limit: JointLimit, samples: Samples
) -> LinkedMotion:
    """Motion of a joint and its control. Raises CarryOverError if their link is not constant."""
    for side in (joint, control):
        if side.turning:
            what = f"{short_name(side.path)}.{next(iter(side.turning))} is animated"
            raise CarryOverError(what, "keep it constant, so that limits mean the same throughout")
    local = euler.local_from_rotate(joint.rotates(samples), joint.orient, joint.axis, joint.order)
    rotates = control.rotates(samples)
    turns = euler.quaternion_from_euler(rotates, control.order)
    found = constant_link(local, turns, _first_constant(link, joint, control, samples))
    if not found.is_constant:
        raise CarryOverError(
            f"the rotation between it and {short_name(link.control)} changes by up to "
            f"{found.residual_deg:.3g} degrees in the clip; constant is below {MAX_RESIDUAL_DEG}",
            FROM_KEYS,
        )
    own = JointOrientation(joint.orient, joint.axis, joint.order)
    advice = advice_to_follow(limit)
    if advice is not None and not same_orientation(limit.orientation, joint.orientation):
        own = advised_orientation(advice)
    return LinkedMotion(own, local, rotates, control.orientation, found)


def _first_constant(
    link: ControlLink, joint: _Side, control: _Side, samples: Samples
) -> Floats | None:
    """Constant rotation of the link in the first frame, if the rig's structure determines it."""
    if link.is_copied and joint.order == control.order:
        return quaternion.conjugate(joint.orient)
    if not link.is_whole or not set(link.kinds) <= {*RIGID, *TRANSFORMS}:
        return None
    above = quaternion.conjugate(control.above(samples))
    between = quaternion.multiply(above, joint.above(samples))
    off = np.degrees(quaternion.angle_between(between, between[0])).max()
    return between[0] if off < MAX_RESIDUAL_DEG else None
