"""Obstacles to re-orienting a joint without changing a pose.

A joint is skipped and reported if anything but plain curves drives its rotation, if other nodes
read an attribute that would change, or if such an attribute is locked.

Keys are remade. A curve in the new orientation is not the old curve rotated between keys, so there
is a key on every whole frame of the old keys' range and at every old key, with linear tangents. At
these times the pose is the same up to rounding; outside the range curves hold, cycle or oscillate
as before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..geometry.arrays import Booleans, Floats
from . import attributes, clamping, limit_plan
from .curves import Infinity, TangentType, is_interpolated_as_quaternions
from .drivers import (
    Drivers,
    Evaluator,
    Keyed,
    Signal,
    TimeCurve,
    UnresolvedDriverError,
    curves_of,
    inverse_kinematics_joints,
)
from .scene import RADIANS, Node, Scene

MAX_SPAN_FRAMES = 1_000_000
"""Longest span of a joint's keys that is resampled."""
MAX_STILL_CHANGE = 3e-12
"""Largest change, in degrees or units, of a channel that needs no curve."""
_CURVE_OF = {"rotate": "animCurveTA", "translate": "animCurveTL"}


@dataclass(frozen=True, eq=False)
class Channels:
    """Drivers of the three children of a compound, "rotate" or "translate", and their curves."""

    node: Node
    compound: str
    signals: tuple[Signal, ...]
    curves: tuple[Node | None, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Long names of the three children."""
        return self.node.family.children[self.compound]

    @property
    def moving(self) -> list[TimeCurve]:
        """Curves with more than one key."""
        found = (signal.curve for signal in self.signals if isinstance(signal, Keyed))
        return [curve for curve in found if len(curve.times) > 1]

    @property
    def keyed(self) -> Booleans:
        """Mask of the children that have a curve, shape (3,)."""
        return np.array([curve is not None for curve in self.curves])

    def sample(self, frames_per_second: float) -> tuple[Floats, Floats]:
        """Frames that need keys, and values there, shapes (times,) and (3, times).

        Frames increase; there is only one if nothing is keyed. Values are in internal units.
        """
        times = np.zeros(1)
        keyed = [s.curve.times for s in self.signals if isinstance(s, Keyed) and len(s.curve.times)]
        if keyed:
            keys = np.unique(np.concatenate(keyed)) * frames_per_second
            # A key time that was converted to seconds and back may be slightly off its frame.
            keys = np.where(np.abs(keys - np.round(keys)) < 1e-6, np.round(keys), keys)
            times = np.union1d(keys, np.arange(np.ceil(keys[0]), np.floor(keys[-1]) + 1.0))
        evaluate = Evaluator(times / frames_per_second)
        return times, np.stack([evaluate(signal) for signal in self.signals])


def remake_obstacle(channels: Channels, frames_per_second: float) -> str | None:
    """Reason why keys on all frames cannot replace the curves of channels; None if they can."""
    curves = channels.moving
    ends = {(float(curve.times[0]), float(curve.times[-1])) for curve in curves}
    frames = np.array(sorted(ends)).reshape(-1) * frames_per_second
    if len(frames) and np.ptp(frames) > MAX_SPAN_FRAMES:
        return f"its keys span more than {MAX_SPAN_FRAMES} frames"
    # Repeating curves can only be kept if all repeat in the same way, and on whole frames.
    kinds = {(curve.pre, curve.post) for curve in curves}
    if not kinds or kinds == {(Infinity.CONSTANT, Infinity.CONSTANT)}:
        return None
    usual = {Infinity.CONSTANT, Infinity.CYCLE, Infinity.OSCILLATE}
    whole = bool(np.all(np.abs(frames - np.round(frames)) < 1e-6))
    if len(kinds) > 1 or not set(next(iter(kinds))) <= usual or len(ends) > 1 or not whole:
        return "its curves repeat beyond their keys in a way that new keys would change"
    return None


def direct_curve(
    scene: Scene, node: Node, compound: str, attribute: str
) -> tuple[Node | None, Node | None]:
    """Time curve connected directly to an attribute, or else the node that drives it."""
    curve, output = scene.sources.get((node, attribute), (None, ""))
    if curve is None:
        return None, None
    warped = scene.sources.get((curve, "input"))
    timed = warped is None or warped[0].node_type == "time"
    is_direct = curve.node_type == _CURVE_OF[compound] and output == "output" and timed
    return (curve, None) if is_direct else (None, curve)


@dataclass(frozen=True, eq=False)
class NewKeys:
    """New keys of three channels.

    `times`, shape (times,): frames; `values`, shape (3, times): radians or centimetres; `unkeyed`:
    parts that lose their curve if they do not move.
    """

    channels: Channels
    times: Floats
    values: Floats
    unkeyed: tuple[str, ...] = ()

    @property
    def is_angle(self) -> bool:
        """Whether the values are radians."""
        return self.channels.node.family.kinds[self.channels.compound] == attributes.ANGLE

    def rounded_values(self, unit: float) -> Floats:
        """Values in a unit, rounded to remove digits that are only rounding errors."""
        return np.asarray(np.round(self.values / unit, 13))

    def keyed_parts(self, unit: float) -> Booleans:
        """True for children that get keys, because they move or had keys before."""
        moves = np.asarray(np.ptp(self.rounded_values(unit), axis=1) > MAX_STILL_CHANGE)
        unkeyed = np.array([name in self.unkeyed for name in self.channels.names])
        return np.asarray((self.channels.keyed & ~(unkeyed & ~moves)) | moves)

    def held_rotates(self, order: str, now: float | None = None) -> clamping.HeldRotates:
        """Rotate channels with these keys, interpolated linearly, to compare with limits.

        `order`: rotate order of the values. `now`: the current frame, by default the first.
        """
        values, now = self.values, float(self.times[0]) if now is None else now
        return clamping.HeldRotates(
            frames=self.times,
            between=np.zeros(len(self.times), dtype=bool),
            values=values,
            moves=self.keyed_parts(RADIANS["degree"]),
            current=np.array([np.interp(now, self.times, channel) for channel in values]),
            order=order,
            now=now,
        )

    @property
    def is_stepped(self) -> bool:
        """Whether all old curves are steps; then the new curves must not have slopes."""
        kinds = [np.all(curve.out_types[:-1] == TangentType.STEP) for curve in self.channels.moving]
        return bool(kinds) and all(kinds)

    @property
    def beyond(self) -> tuple[int, int]:
        """Infinity types of the curves before and after their keys, by code in scene files."""
        moving = self.channels.moving
        return (int(moving[0].pre), int(moving[0].post)) if moving else (0, 0)


MAX_SCALE_DIFFERENCE_SHARE = 1e-12
"""Largest relative difference between the factors of a uniform scale."""

_BAKE = "bake the joint's rotation in Maya (Edit > Keys > Bake Simulation)"
_ADVICE = {
    **dict.fromkeys(("IK", "constrained", "expression", "driven", "driven keys"), _BAKE),
    "layered": "merge the animation layers in Maya (Layers > Merge Layers)",
    "blended": "bake the joint's rotation in Maya and delete the blend node",
    "keys": "bake the joint's rotation to plain curves in Maya",
    "locked": "unlock the attribute in Maya",
    "locked node": "unlock the node in Maya (lockNode -lock off)",
    "locked reference": "unlock the reference in Maya's Reference Editor",
    "connected": "disconnect the attribute in Maya",
    "limited": "use --replace, or switch the joint's limits off in Maya",
    "read by others": "disconnect it in Maya if the connection is not needed",
    "scaled": "use mode R, which works with any scale",
    "child": "use mode R, which does not affect child nodes",
}
_LOCAL = frozenset(("matrix", "inverseMatrix", "xformMatrix", "dagLocalMatrix"))
_WORLD = frozenset(("worldMatrix", "worldInverseMatrix"))
_PARENT = frozenset(("parentMatrix", "parentInverseMatrix"))
_MEMBERSHIP = ("dnSetMembers", "dagSetMembers")
"""Connections of set members, through which nothing is read."""
_MOVED, _ROTATE, _AXIS, _ORIENT = (
    frozenset((compound, *attributes.DAG.children[compound]))
    for compound in ("translate", "rotate", "rotateAxis", "jointOrient")
)
_FRAME = _ROTATE | _AXIS | _ORIENT | {"rotateOrder"}
"""Outputs of a joint that change with its orientation."""


@dataclass(frozen=True)
class Obstacle:
    """Reason why a joint is not changed."""

    kind: str
    what: str
    attribute: str = ""

    def skipped_joint(self, joint: str) -> limit_plan.Skipped:
        """Report item for a joint."""
        return limit_plan.Skipped(joint, self.attribute, self.what, _ADVICE[self.kind])


@dataclass(frozen=True)
class Output:
    """A connection through which something reads a node.

    `attribute`: long name of the source attribute with its index; in scene files, as written.
    `plug`: destination, for messages. `reader`, `reader_attribute`: node and long name of the
    destination, with its index, if known.
    """

    attribute: str
    plug: str
    reader: Node | None
    reader_attribute: str


class Surroundings(Protocol):
    """Facts beyond the scene itself: write access, and readers of a node."""

    def fixed_node(self, node: Node) -> Obstacle | None:
        """Obstacle to any change of a node; its text completes "the joint is ..."."""

    def fixed_curve(self, curve: Node) -> str | None:
        """Reason why the keys of a curve cannot be changed."""

    def outputs(self, node: Node) -> Iterator[Output]:
        """Everything that reads a node."""


class Checks:
    """Search for obstacles in one scene. `drivers`: by default, those that the scene itself has."""

    def __init__(
        self, scene: Scene, surroundings: Surroundings, drivers: Drivers | None = None
    ) -> None:
        self.scene, self.surroundings = scene, surroundings
        self.drivers = Drivers(scene) if drivers is None else drivers
        self.solved = inverse_kinematics_joints(scene, self.drivers)

    def channels(self, node: Node, compound: str) -> Channels | Obstacle:
        """Drivers of a compound whose keys can be remade, or the obstacle."""
        found = self.own_channels(node, compound)
        if isinstance(found, Obstacle):
            return found
        why = remake_obstacle(found, self.scene.units.frames_per_second)
        return found if why is None else Obstacle("keys", why)

    def own_channels(self, node: Node, compound: str) -> Channels | Obstacle:
        """Drivers of a compound if all are plain curves of its own, or else the obstacle."""
        names, signals, curves = node.family.children[compound], [], []
        for name in names:
            curve, other = direct_curve(self.scene, node, compound, name)
            if other is not None:
                return _driver_obstacle(name, other)
            try:
                signals.append(self.drivers.channel(node, name))
            except UnresolvedDriverError as unresolved:
                return _driver_obstacle(name, unresolved.node)
            curves.append(curve)
        used = [curve for curve in curves if curve is not None]
        if len(set(used)) < len(used):
            return Obstacle("keys", f"several channels share the curve {used[0].name!r}")
        for curve in used:
            for output in self.surroundings.outputs(curve):
                if output.attribute in ("o", "output") and output.reader is not node:
                    return Obstacle("read by others", f"its curve also drives {output.plug!r}")
        for curve in used:
            why = self.surroundings.fixed_curve(curve)
            if curve.is_locked("keyTimeValue"):
                why = why or f"the curve {curve.name!r} is locked"
            elif is_interpolated_as_quaternions(curve):
                why = why or f"the curve {curve.name!r} is interpolated as quaternions"
            if why is not None:
                return Obstacle("keys", why)
        return Channels(node, compound, tuple(signals), tuple(curves))

    def read_elsewhere(self, node: Node, names: frozenset[str]) -> str | None:
        """First plug that reads any of `names` from a node, ignoring sets and compensated skins."""
        for output in self.surroundings.outputs(node):
            attribute, reader = output.attribute.partition("[")[0], output.reader_attribute
            if attribute not in names or reader.partition("[")[0] in _MEMBERSHIP:
                continue
            # A world matrix may drive a skin, as the skin's bind matrix is compensated.
            skin = output.reader
            is_bound = attribute == "worldMatrix" and reader.startswith("matrix[")
            if skin is not None and skin.node_type == "skinCluster" and is_bound:
                bound = (skin, f"bindPreMatrix{reader[len('matrix') :]}") in self.scene.sources
                if not bound and self.surroundings.fixed_node(skin) is None:
                    continue
            return output.plug
        return None

    def joint_obstacle(self, node: Node, may_be_limited: bool) -> Obstacle | None:
        """Obstacle to a new orientation of a joint, in any mode."""
        fixed, sources = self.surroundings.fixed_node(node), self.scene.sources
        if fixed is not None:
            return Obstacle(fixed.kind, f"the joint is {fixed.what}", fixed.attribute)
        if node in self.solved:
            return Obstacle("IK", f"the IK handle {self.solved[node].name!r} rotates it", "rotate")
        for compound in ("jointOrient", "rotateAxis", "rotateOrder"):
            if any((node, part) in sources for part in _with_parts(node, compound)):
                return Obstacle("connected", "connected", compound)
        # Enabled limits would apply in the wrong orientation.
        edges = [f"{edge}Rot{axis}Limit" for axis in attributes.XYZ for edge in ("min", "max")]
        enabled = [edge for edge in edges if node.number(f"{edge}Enable")]
        if enabled and not may_be_limited:
            return Obstacle("limited", "has limits already, which hold in its current orientation")
        names = [name for edge in enabled for name in (edge, f"{edge}Enable")]
        stuck = locked_attribute(node, *names)
        fed = next((name for name in names if (node, name) in sources), None)
        if stuck or fed:
            return Obstacle("locked", "its limits are locked or connected", stuck or fed or "")
        reader = self.read_elsewhere(node, _FRAME)
        if reader is not None:
            return Obstacle("read by others", f"its rotation also feeds {reader!r}", "rotate")
        return None

    def turn_obstacle(self, node: Node) -> Obstacle | None:
        """Obstacle to turning a joint's own orientation and compensating its children (mode C)."""
        is_uniform = False
        try:
            signals = [self.drivers.channel(node, f"scale{axis}", 1.0) for axis in attributes.XYZ]
            keyed = [one.curve.times for one in curves_of(signals)]
            times = np.unique(np.concatenate([np.zeros(1), *keyed]))
            evaluate = Evaluator(np.concatenate([times, 0.5 * (times[1:] + times[:-1])]))
            values = np.stack([evaluate(signal) for signal in signals])
            spread = np.ptp(values, axis=0) <= MAX_SCALE_DIFFERENCE_SHARE * np.abs(values[0])
            is_uniform = bool(spread.all()) and not np.any(node.vector("shear") != 0.0)
        except UnresolvedDriverError:
            pass
        if not is_uniform:
            return Obstacle("scaled", "its scale is not uniform, or unknown")
        reader = self.read_elsewhere(node, _LOCAL | _WORLD)
        if reader is not None:
            return Obstacle("read by others", f"its matrix also feeds {reader!r}")
        for child in node.children.values():
            why = self._child_obstacle(child)
            if why is not None:
                return Obstacle("child", f"{child.name!r} below it cannot follow: {why}")
        return None

    def _child_obstacle(self, child: Node) -> str | None:
        """Reason why a node below a turned joint cannot be turned back."""
        if child.number("inheritsTransform", 1.0) == 0.0 or child.node_type.endswith("Constraint"):
            return None
        if child.node_type not in ("joint", "transform"):
            return f"it is a {child.node_type}"
        fixed_child = self.surroundings.fixed_node(child)
        if fixed_child is not None:
            return f"it is {fixed_child.what}"
        if child in self.solved:
            return "an IK handle rotates it"
        offset = child.matrices.get("offsetParentMatrix", np.eye(4).ravel())
        is_fed = (child, "offsetParentMatrix") in self.scene.sources
        if is_fed or not np.array_equal(offset, np.eye(4).ravel()):
            return "it has an offset parent matrix"
        for compound in ("translate",) if child.is_joint else ("translate", "rotate"):
            found = self.channels(child, compound)
            if isinstance(found, Obstacle):
                return found.what
            stays = not found.keyed.any() and not np.any(child.vector(compound) != 0.0)
            if not stays and locked_attribute(child, compound):
                return f"its {compound} is locked"
        fixed = ("jointOrient",) if child.is_joint else ("rotatePivot", "rotatePivotTranslate")
        parts = [part for name in fixed for part in _with_parts(child, name)]
        if any((child, part) in self.scene.sources for part in parts):
            return f"its {fixed[0]} is connected"
        if child.is_joint and locked_attribute(child, "jointOrient"):
            return "its jointOrient is locked"
        names = _MOVED | _LOCAL | _PARENT | (_ORIENT if child.is_joint else _FRAME)
        reader = self.read_elsewhere(child, names)
        return None if reader is None else f"its position also feeds {reader!r}"


def _with_parts(node: Node, compound: str) -> tuple[str, ...]:
    return (compound, *node.family.children.get(compound, ()))


def locked_attribute(node: Node, *compounds: str) -> str | None:
    """First locked attribute of several, or of their parts."""
    names = (name for compound in compounds for name in _with_parts(node, compound))
    return next((name for name in names if node.is_locked(name)), None)


def _driver_obstacle(attribute: str, driver: Node) -> Obstacle:
    kind = driver.node_type
    if kind.startswith("animCurveU"):
        named = f"{driver.name!r} (driven keys)"
        return Obstacle("driven keys", f"{attribute} is driven by {named}", attribute)
    named = f"{driver.name!r} ({kind})"
    for name, match in (
        ("constrained", kind.endswith("Constraint")),
        ("layered", kind.startswith("animBlendNode")),
        ("blended", kind == "pairBlend"),
        ("expression", kind == "expression"),
    ):
        if match:
            return Obstacle(name, f"{name}: {attribute} comes from {named}", attribute)
    return Obstacle("driven", f"{attribute} is driven by {named}", attribute)
