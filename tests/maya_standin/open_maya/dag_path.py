"""MDagPath: a way from the world to a node. Instances are not modelled: each node has one path."""

from __future__ import annotations

from tests.maya_standin.graph import Node, Plug
from tests.maya_standin.open_maya.arrays import ItemArray, array_of
from tests.maya_standin.open_maya.current import scene
from tests.maya_standin.open_maya.matrix import MMatrix
from tests.maya_standin.open_maya.objects import MObject, node_of, object_of, present
from tests.maya_standin.open_maya.strict import Strict


class MDagPath(Strict):
    """A node of the DAG by its path."""

    __slots__ = ("_node",)

    def __init__(self, source: MDagPath | None = None, /) -> None:
        self._node: Node | None = None if source is None else source._node

    def _valid(self) -> Node:
        if self._node is None:
            raise RuntimeError("(kInvalidParameter): the path is empty")
        return present(self._node)

    @staticmethod
    def getAPathTo(node: MObject, /) -> MDagPath:
        return path_to(node_of(node))

    def isValid(self) -> bool:
        return self._node is not None and self._node in scene().nodes

    def node(self) -> MObject:
        return object_of(self._valid())

    def transform(self) -> MObject:
        node = self._valid()
        while node.parent is not None and not node.is_a("transform"):
            node = node.parent
        return object_of(node)

    def apiType(self) -> int:
        return self.node().apiType()

    def hasFn(self, type: int, /) -> bool:
        return self.node().hasFn(type)

    def fullPathName(self) -> str:
        return self._valid().full_path()

    def partialPathName(self) -> str:
        return scene().partial_path(self._valid())

    def length(self) -> int:
        return self.fullPathName().count("|")

    def childCount(self) -> int:
        return len(self._valid().children)

    def child(self, childNum: int, /) -> MObject:
        return object_of(self._valid().children[childNum])

    def pop(self, num: int = 1) -> MDagPath:
        for _ in range(num):
            self._node = self._valid().parent
        return self

    def instanceNumber(self) -> int:
        return 0

    def isInstanced(self) -> bool:
        return False

    def _matrix(self, name: str) -> MMatrix:
        return MMatrix(scene().evaluator.value(Plug(self._valid(), f"{name}[0]")))

    def inclusiveMatrix(self) -> MMatrix:
        return self._matrix("worldMatrix")

    def inclusiveMatrixInverse(self) -> MMatrix:
        return self._matrix("worldInverseMatrix")

    def exclusiveMatrix(self) -> MMatrix:
        return self._matrix("parentMatrix")

    def exclusiveMatrixInverse(self) -> MMatrix:
        return self._matrix("parentInverseMatrix")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MDagPath) and self._node is other._node

    def __hash__(self) -> int:
        return id(self._node)


def path_to(node: Node) -> MDagPath:
    """The path of a node of the DAG."""
    if not node.is_a("dagNode"):
        raise ValueError(f"{node.name} is no DAG node")
    path = MDagPath()
    path._node = node
    return path


class MObjectArray(ItemArray):
    """Objects."""

    __slots__ = ()
    _item = staticmethod(array_of(MObject))
