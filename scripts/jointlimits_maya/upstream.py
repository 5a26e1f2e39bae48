"""Upstream nodes: everything that a node's value may depend on, inputs and parents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import maya.api.OpenMaya as om

from .attributes import type_of
from .names import node_name


class Upstream:
    """Cached traversal of upstream nodes."""

    def __init__(self) -> None:
        self.nodes: dict[str, om.MObject] = {}
        self._sources: dict[str, list[str]] = {}

    def of(self, starts: Iterable[om.MObject]) -> list[str]:
        """Names of the given nodes and of all nodes upstream, each once.

        Parameters
        ----------
        starts : iterable of MObject

        Returns
        -------
        list of str
            As from :func:`~jointlimits_maya.names.node_name`; :attr:`nodes` has the nodes.
        """
        todo = [self._named(node) for node in starts]
        found: dict[str, None] = {}
        while todo:
            name = todo.pop()
            if name in found:
                continue
            found[name] = None
            if name not in self._sources:
                self._sources[name] = [self._named(n) for n in _sources(self.nodes[name])]
            todo.extend(self._sources[name])
        return list(found)

    def _named(self, node: om.MObject) -> str:
        name = node_name(node)
        self.nodes.setdefault(name, node)
        return name


def _sources(node: om.MObject) -> Iterator[om.MObject]:
    """Input nodes of a node, and its parent."""
    if type_of(node) == "time":
        return
    if node.hasFn(om.MFn.kDagNode):
        path = om.MDagPath.getAPathTo(node)
        if path.length() > 1:
            path.pop()
            yield path.node()
    for plug in om.MFnDependencyNode(node).getConnections():
        if plug.isDestination:
            yield plug.source().node()
