"""MItDag and MItDependencyNodes."""

from __future__ import annotations

from tests.maya_standin.graph import Node
from tests.maya_standin.open_maya import mfn
from tests.maya_standin.open_maya.current import scene
from tests.maya_standin.open_maya.dag_path import MDagPath, path_to
from tests.maya_standin.open_maya.strict import Strict, not_modelled


def _passes(node: Node, number: int) -> bool:
    return number == mfn.MFn.kInvalid or mfn.node_has_fn(node, number)


class MItDag(Strict):
    """Walks over the DAG, or over what is at and below a node."""

    __slots__ = ("_filter", "_order", "_pending", "_root")
    kInvalidType, kDepthFirst, kBreadthFirst = range(3)

    def __init__(self, traversalType: int = 1, filterType: int = mfn.MFn.kInvalid, /) -> None:
        self._order, self._filter = traversalType, filterType
        self._root: Node | None = None
        self._start()

    def _start(self) -> None:
        if self._order not in (self.kDepthFirst, self.kBreadthFirst):
            raise ValueError(f"traversal type {self._order}")
        tops = [node for node in scene().nodes if node.is_dag and node.parent is None]
        self._pending: list[Node] = [self._root] if self._root else tops
        self._skip()

    def _skip(self) -> None:
        """Go on to the next node that passes the filter."""
        while self._pending and not _passes(self._pending[0], self._filter):
            self._advance()

    def _advance(self) -> None:
        children = self._pending.pop(0).children
        if self._order == self.kDepthFirst:
            self._pending[:0] = children
        else:
            self._pending += children

    def _current(self) -> Node:
        if self.isDone():
            raise RuntimeError("the iteration is over")
        return self._pending[0]

    def isDone(self) -> bool:
        if self._root is None and self._filter == mfn.MFn.kInvalid:
            # It would begin with the world itself.
            return not_modelled("MItDag over the whole scene without a filter")
        return not self._pending

    def next(self) -> MItDag:
        self._current()
        self._advance()
        self._skip()
        return self

    def getPath(self) -> MDagPath:
        return path_to(self._current())


class MItDependencyNodes(Strict):
    """Walks over all nodes, or over those of an API type."""

    __slots__ = ("_filter", "_pending")

    def __init__(self, filterType: int = mfn.MFn.kInvalid, /) -> None:
        self.reset(filterType)

    def reset(self, filterType: int = mfn.MFn.kInvalid, /) -> MItDependencyNodes:
        self._filter = filterType
        self._pending = [node for node in scene().nodes if _passes(node, filterType)]
        return self

    def isDone(self) -> bool:
        return not self._pending

    def next(self) -> MItDependencyNodes:
        del self._pending[0]
        return self
