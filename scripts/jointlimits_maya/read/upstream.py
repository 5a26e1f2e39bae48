"""Nodes upstream of plugs, each visited once, and what the values of plugs depend on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import NamedTuple

from ..base.open_maya import om
from ..scene.joints import node_name, node_of, nodes_of_type
from ..scene.plugs import Attributes, type_of

CURVES = ("animCurveTA", "animCurveTL", "animCurveTU")
"""Curves over time, for angles, lengths and unitless numbers; driven keys have other types."""

CLIP_PREFIXES = ("animClip", "clip", "timeEditor")
"""Beginnings of the types of Trax and Time Editor nodes, which move keys in time."""

PLAYED_TYPES = (
    *("character", "dynController", "fluidShape", "hairSystem", "instancer", "nCloth"),
    *("nParticle", "nRigid", "nucleus", "particle", "rigidBody", "rigidSolver"),
)
"""Node types whose state depends on earlier frames, and character sets, which clips may drive."""

STATELESS_PLUG_INS = frozenset({"jointLimits", "lookdevKit", "matrixNodes", "quatNodes"})
"""Plug-ins whose nodes depend on nothing but their inputs: ours, and Maya's own."""

PLAYED, TIMED = 1, 2
"""Traits of a node, combined by ``|``: it depends on more than the time; on the time."""

REPORT_NODES = 500
"""Number of nodes visited between two progress reports."""


class UpstreamNode(NamedTuple):
    """A node, its type, and the names and handles of its sources."""

    node: om.MObject
    kind: str
    sources: list[tuple[str, om.MObject]]


@dataclass
class Upstream:
    """Nodes upstream of the queried ones.

    `solved`: from :func:`solved_joints`. `report`: called from time to time; may raise Cancelled.
    """

    solved: dict[str, str]
    report: Callable[[], None] | None = None

    def __post_init__(self) -> None:
        self._nodes: dict[str, UpstreamNode] = {}
        self._traits: dict[str, int] = {}

    def traits_of(self, start: om.MObject) -> int:
        """Traits of a node and of all nodes upstream of it."""
        first = node_name(start)
        self._visit(first, start)
        return self._traits.get(first, 0)

    def sources_of(self, name: str, node: om.MObject) -> list[tuple[str, om.MObject]]:
        """Nodes connected to a node's inputs, and its parent, with their names."""
        self._visit(name, node)
        return self._nodes[name].sources

    def nodes_above(
        self, starts: Iterable[om.MObject], behind_clips: bool = True
    ) -> Iterator[tuple[str, UpstreamNode]]:
        """The given nodes and all nodes upstream of them, each once, with their names."""
        todo = []
        for start in starts:
            todo.append(node_name(start))
            self._visit(todo[-1], start)
        found = set()
        while todo:
            name = todo.pop()
            if name in found:
                continue
            found.add(name)
            one = self._nodes[name]
            yield name, one
            if behind_clips or not is_clip(one.kind):
                todo.extend(above for above, _ in one.sources)

    def _visit(self, first: str, start: om.MObject) -> None:
        """Read all nodes upstream of one that are still unknown, and spread their traits."""
        todo, spread = [(first, start)], []
        readers: defaultdict[str, list[str]] = defaultdict(list)
        while todo:
            name, node = todo.pop()
            if name in self._nodes:
                continue
            one = _read(node)
            is_played = name in self.solved or needs_playing(one)
            is_timed = one.kind in (*CURVES, "time", "expression")
            spread.append((name, PLAYED * is_played | TIMED * is_timed))
            for above, source in one.sources:
                readers[above].append(name)
                spread.append((name, self._traits.get(above, 0)))
                todo.append((above, source))
            self._nodes[name] = one
            if self.report is not None and len(self._nodes) % REPORT_NODES == 0:
                self.report()
        while spread:
            name, traits = spread.pop()
            known = self._traits.get(name, 0)
            if traits & ~known:
                self._traits[name] = known | traits
                spread.extend((reader, traits) for reader in readers[name])


def _read(node: om.MObject) -> UpstreamNode:
    """A node with its sources: nodes connected to its inputs, and its parent."""
    function = om.MFnDependencyNode(node)
    kind, sources = str(function.typeName), {}
    if kind == "time":
        return UpstreamNode(node, kind, [])
    if node.hasFn(om.MFn.kDagNode):
        path = om.MDagPath.getAPathTo(node)
        if path.length() > 1:
            path.pop()
            sources[str(path.fullPathName())] = path.node()
    for plug in function.getConnections():
        if plug.isDestination:
            source = plug.source().node()
            sources[node_name(source)] = source
    return UpstreamNode(node, kind, list(sources.items()))


def is_clip(kind: str) -> bool:
    """Whether a node type belongs to Trax or the Time Editor."""
    # live check: clips-and-character-sets
    return kind.startswith(CLIP_PREFIXES)


def needs_playing(one: UpstreamNode) -> bool:
    """Whether a node may depend on more than the time.

    These are dynamics, character sets and clips, expressions with any other input, and nodes of
    unknown plug-ins, which may keep a state from one evaluation to the next.
    """
    # live check: plug-in-of-a-node
    plug_in = PurePath(str(om.MFnDependencyNode(one.node).pluginName)).stem
    if plug_in and plug_in not in STATELESS_PLUG_INS:
        return True
    # live check: played-node-types
    if one.kind == "expression":
        return any(type_of(source) != "time" for _, source in one.sources)
    return one.kind in PLAYED_TYPES or one.kind.startswith("HIK") or is_clip(one.kind)


def solved_joints() -> dict[str, str]:
    """Names of IK handles, by full path of the joints that they rotate without a connection.

    A handle solves from its start joint down to the joint above its end effector.
    """
    # live check: solvers-in-other-contexts
    found: dict[str, str] = {}
    for node in nodes_of_type("ikHandle"):
        handle, name = Attributes(node), node_name(node)
        start, effector = handle.plug("startJoint").source(), handle.plug("endEffector").source()
        blend = handle.plug("ikBlend")
        off = not blend.isDestination and blend.asDouble() == 0.0
        if off or start.isNull or effector.isNull:
            continue
        first = node_name(start.node())
        path = node_name(effector.node()).rpartition("|")[0]
        while path == first or path.startswith(f"{first}|"):
            found[path] = name
            path = path.rpartition("|")[0]
    return found


def starts_from(node: om.MObject, solved: dict[str, str]) -> list[om.MObject]:
    """Nodes to start from: the node, and the IK handle that solves it without a connection."""
    handle = solved.get(node_name(node))
    return [node] if handle is None else [node, node_of(handle)]
