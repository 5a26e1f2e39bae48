"""Nodes that drive joints, and the controls that joints follow.

A joint rotated by keys alone has no driver, even if layers or pair blends combine them. A control
is a transform that an animator moves: it has curve shapes, keys, or a channel that is free to be
keyed. Joints with keys are a recorded skeleton, not controls, unless they have curve shapes.
HumanIK characters are not controls. A reference that is not loaded may be one and counts as one.
Scene files and the open scene share this search through :class:`RigGraph`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from ..base.control_types import CURVE_SHAPES
from ..base.findings import DRIVEN, FOLLOWS_CONTROL, Finding, JointDriver
from ..base.text import names_words, plural
from .curves import TIME_CURVES
from .drivers import PROJECTION_PARTS, Drivers, inverse_kinematics_joints
from .scene import Node

N = TypeVar("N", bound=Hashable)
BUILT_FROM_TRACKS = "residualMillimeters"
"""Attribute of joints that were built from tracks; these are not controls."""
_COMBINED = frozenset(
    ("unitConversion", "pairBlend", "animLayer", "character", "jointLimitProject", "time")
)
"""Types of nodes that pass on or combine keys; the types of layer blends are too many to list."""
_PLACED = ("rotate", "translate")
_UNLOADED = "reference"
"""Type of the node that stands for a reference; while it is loaded, nothing is driven by it."""
_MOVED = ("transform", "joint", "ikHandle")
"""Types of nodes that an animator may move; constraints are transforms, but nobody moves them."""


class RigGraph(Protocol[N]):
    """Nodes of a scene and their connections."""

    def name(self, node: N) -> str:
        """Short name, with namespace."""

    def kind(self, node: N) -> str:
        """Type of a node."""

    def parent(self, node: N) -> N | None:
        """Parent of a node."""

    def solver(self, node: N) -> N | None:
        """IK handle whose solver rotates a joint; it does so without a connection."""

    def channel_sources(self, node: N, compound: str) -> Iterable[N]:
        """Nodes connected to the channels of a compound, outside any projection."""

    def sources(self, node: N) -> Iterable[N]:
        """Nodes connected to any attribute of a node, except for its parent."""

    def shape_kinds(self, node: N) -> Iterable[str]:
        """Types of the nodes directly below a node."""

    def has_attribute(self, node: N, name: str) -> bool:
        """Whether a node has an attribute that was added to it."""

    def is_free(self, node: N) -> bool:
        """Whether a channel of a transform is unlocked, and keyable as far as that is known."""


class JointDrivers(Generic[N]):
    """Search for the drivers of joints; no node without a control upstream is visited twice."""

    def __init__(self, graph: RigGraph[N]) -> None:
        self._graph = graph
        self._without: set[N] = set()
        self._controls: dict[N, N] = {}
        self._toward: dict[N, N] = {}

    def driver_of(self, joint: N) -> JointDriver | None:
        """Driver of a joint's rotation; None if its keys determine it, or if it has none."""
        node = self._driving_node(joint, ("rotate",))
        if node is None:
            return None
        tracked = self._graph.has_attribute(joint, BUILT_FROM_TRACKS)
        control = None if tracked else self._control(node, joint)
        name = "" if control is None else self._name(control)
        return JointDriver(self._name(node), self._graph.kind(node), name)

    def _name(self, node: N) -> str:
        is_loaded = self._graph.kind(node) != _UNLOADED
        return self._graph.name(node) + ("" if is_loaded else " (not loaded)")

    def way_to_control(self, joint: N) -> tuple[list[N], N | None]:
        """Nodes from a joint's driver up to its control, and the control, if both exist."""
        node = self._driving_node(joint, ("rotate",))
        control = None if node is None else self._control(node, joint)
        way = [] if node is None else [node]
        while way and way[-1] in self._toward:
            way.append(self._toward[way[-1]])
        return way, control

    def _driving_node(self, node: N, compounds: Iterable[str]) -> N | None:
        """First node upstream of channels that does more than hold or combine keys."""
        solver = self._graph.solver(node)
        if solver is not None:
            return solver
        todo, seen = deque(self._sources_of_channels(node, compounds)), {node}
        while todo:
            one = todo.popleft()
            if one in seen:
                continue
            seen.add(one)
            kind = self._graph.kind(one)
            if kind in _COMBINED or kind.startswith("animBlend"):
                todo.extend(self._graph.sources(one))
            elif kind not in TIME_CURVES:
                return one
        return None

    def _sources_of_channels(self, node: N, compounds: Iterable[str]) -> Iterator[N]:
        for compound in compounds:
            yield from self._graph.channel_sources(node, compound)

    def _control(self, start: N, joint: N) -> N | None:
        """Nearest control at or upstream of a node that drives a joint."""
        todo, readers = deque([(start, start)]), {joint: joint}
        while todo:
            node, reader = todo.popleft()
            if node in readers or node in self._without:
                continue
            readers[node] = reader
            upstream: Iterable[N] = ()
            found = self._controls.get(node)
            if found is None:
                found, upstream = self._step(node, joint)
            if found is not None:
                self._controls[node] = found
                while readers[node] != node:
                    self._toward[readers[node]] = node
                    node = readers[node]
                    self._controls[node] = found
                return found
            todo.extend((source, node) for source in upstream)
        self._without |= readers.keys() - {joint}
        return None

    def _step(self, node: N, joint: N) -> tuple[N | None, Iterable[N]]:
        """Control at a node; if there is none, the nodes to search next."""
        kind = self._graph.kind(node)
        if kind in _MOVED:
            return self._control_at(node, joint)
        if kind == _UNLOADED:
            return node, ()
        return None, () if kind.startswith("HIK") else self._graph.sources(node)

    def _control_at(self, node: N, joint: N) -> tuple[N | None, Iterable[N]]:
        """Control at or above a transform; if there is none, the nodes to search next.

        The upward search ends at a node that has keys or is driven.
        """
        one: N | None = node
        while one is not None and one != joint:
            if not CURVE_SHAPES.isdisjoint(self._graph.shape_kinds(one)):
                return one, ()
            driving = self._driving_node(one, _PLACED)
            if driving is not None:
                return None, (driving,)
            if any(True for _ in self._sources_of_channels(one, _PLACED)):
                return (None if self._graph.kind(one) == "joint" else one), ()
            one = self._graph.parent(one)
        is_control = self._graph.kind(node) != "joint" and self._graph.is_free(node)
        return (node, ()) if is_control else (None, self._graph.sources(node))


class SceneRig:
    """Graph of a scene that was read from files; channels count as keyable unless locked."""

    def __init__(self, drivers: Drivers) -> None:
        self._drivers, self._solvers = drivers, inverse_kinematics_joints(drivers.scene, drivers)

    def name(self, node: Node) -> str:
        """Short name."""
        return node.name

    def kind(self, node: Node) -> str:
        """Type of a node."""
        return node.node_type

    def parent(self, node: Node) -> Node | None:
        """Parent of a node."""
        return node.parent

    def solver(self, node: Node) -> Node | None:
        """IK handle whose solver rotates a joint."""
        return self._solvers.get(node)

    def channel_sources(self, node: Node, compound: str) -> Iterator[Node]:
        """Nodes connected to the channels of a compound."""
        names = node.family.children.get(compound, ())
        for source in (self._drivers.scene.sources.get((node, name)) for name in names):
            while source is not None and PROJECTION_PARTS in source[0].dynamic.values():
                plug = (source[0], f"inRotate{source[1][-1]}1")
                source = self._drivers.scene.sources.get(plug)
            if source is not None:
                yield source[0]

    def sources(self, node: Node) -> Iterator[Node]:
        """Nodes connected to any attribute of a node, except for its parent."""
        found = (source for _, (source, _) in self._drivers.inputs_of(node))
        return (source for source in found if source is not node.parent)

    def shape_kinds(self, node: Node) -> Iterator[str]:
        """Types of the nodes directly below a node."""
        return (child.node_type for child in node.children.values())

    def has_attribute(self, node: Node, name: str) -> bool:
        """Whether a node has an attribute that was added to it."""
        return name in node.dynamic.values()

    def is_free(self, node: Node) -> bool:
        """Whether a channel of a transform is unlocked."""
        channels = (name for compound in _PLACED for name in node.family.children[compound])
        return not all(map(node.is_locked, channels))


def driver_finding(joint: str, driver: JointDriver) -> Finding:
    """Finding about a joint whose rotation is known, and which a node drives."""
    if not driver.control:
        return Finding(DRIVEN, driver.clause(), joint, driver=driver)
    text = f"{driver.clause()}; {separates()}, so Apply leaves it off"
    return Finding(FOLLOWS_CONTROL, text, joint, driver=driver)


# Questions ----------------------------------------------------------------------------------------

LEAVE_OFF, TURN_ON = "Leave them off", "Turn them on"
"""Answers to :func:`question`."""
MAX_LISTED = 8
"""Largest number of joints listed in a question."""


def separates(noun: str = "joint") -> str:
    """Clause about the effect of a limit on a joint, or a control, that follows a control."""
    return f"a limit here would separate the {noun} from its control"


def followers(drivers: Mapping[str, JointDriver]) -> dict[str, JointDriver]:
    """Drivers of the joints that follow a control, by joint name."""
    return {joint: driver for joint, driver in drivers.items() if driver.control}


POSED_BY_HAND = "the Rotate tool, Set Key and Auto Key do nothing on rotate channels with a node"
BRING_KEYS, ONLY_DRIVEN, INSERT = "Bring keys inside", "Only driven joints", "Insert nodes"
"""Answers to :func:`question_about_nodes`."""


def question_about_nodes(by_hand: Sequence[str], driven: Sequence[str]) -> str:
    """Question to ask before nodes are put between joints and their keys or own values.

    `driven`: joints of the same request that a node drives already.
    """
    others = f"\n\nDriven, so the node suits them: {names_words(driven)}." if driven else ""
    first = POSED_BY_HAND[0].upper() + POSED_BY_HAND[1:]
    return (
        f"Posed by hand, with or without keys: {names_words(by_hand)}.\n\n{first}: key inputRotate "
        f"of the node instead, or bring the keys inside and leave the channels free.{others}"
    )


def question(found: Mapping[str, JointDriver], noun: str = "joint") -> str:
    """Question to ask before limits are turned on for joints, or controls, that follow controls."""
    lines = [f"{joint}: {driver.words()}" for joint, driver in found.items()]
    listed, more = lines[:MAX_LISTED], len(lines) - MAX_LISTED
    if more > 0:
        listed.append(f"... and {plural(more, noun)} more")
    follow = "follows a control" if len(found) == 1 else "follow controls"
    clause = separates(noun)
    ending = f"{clause[0].upper()}{clause[1:]}. The values are written either way."
    return "\n\n".join((f"{plural(len(found), noun)} {follow}:", "\n".join(listed), ending))
