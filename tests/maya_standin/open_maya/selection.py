"""MSelectionList: nodes and plugs in a row."""

from __future__ import annotations

from typing import Any, Union

from tests.maya_standin.errors import NoSuchObjectError
from tests.maya_standin.graph import Node, Plug, Scene
from tests.maya_standin.open_maya.current import scene
from tests.maya_standin.open_maya.dag_path import MDagPath, path_to
from tests.maya_standin.open_maya.objects import MObject, node_of, object_of
from tests.maya_standin.open_maya.plug import MPlug, plug_of
from tests.maya_standin.open_maya.strict import Strict, not_modelled

Item = Union[Node, Plug]


class MSelectionList(Strict):
    """Things that are selected, or named."""

    __slots__ = ("_items",)

    def __init__(self, source: MSelectionList | None = None, /) -> None:
        self._items: list[Item] = [] if source is None else list(source._items)

    def add(
        self, item: str | MObject | MDagPath | MPlug, option: bool | None = None, /
    ) -> MSelectionList:
        """Add by name or pattern, or a handle; RuntimeError for a name that nothing has.

        The option says whether names are looked for in namespaces below, or whether a handle
        that is there already is left out.
        """
        if isinstance(item, str):
            if option:
                return not_modelled("MSelectionList.add(pattern, searchChildNamespaces=True)")
            found = item_of_name(scene(), item)
        else:
            found = [_item_of(item)]
        merge = isinstance(item, str) or option is None or option
        self._items += [new for new in found if not merge or new not in self._items]
        return self

    def length(self) -> int:
        return len(self._items)

    def isEmpty(self) -> bool:
        return not self._items

    def clear(self) -> MSelectionList:
        self._items.clear()
        return self

    def copy(self, src: MSelectionList, /) -> MSelectionList:
        self._items = list(src._items)
        return self

    def remove(self, index: int, /) -> MSelectionList:
        self._item(index)
        del self._items[index]
        return self

    def _item(self, index: int) -> Item:
        if not 0 <= index < len(self._items):
            raise IndexError("index out of range")
        return self._items[index]

    def getDependNode(self, index: int, /) -> MObject:
        item = self._item(index)
        return object_of(item if isinstance(item, Node) else item.node)

    def getDagPath(self, index: int, /) -> MDagPath:
        item = self._item(index)
        node = item if isinstance(item, Node) else item.node
        if not node.is_dag:
            raise TypeError("item is not a DAG path")
        return path_to(node)

    def getPlug(self, index: int, /) -> MPlug:
        item = self._item(index)
        if isinstance(item, Node):
            raise TypeError("item is not a plug")
        return plug_of(item)

    def getSelectionStrings(self, index: int | None = None, /) -> tuple[str, ...]:
        items = self._items if index is None else [self._item(index)]
        return tuple(name_of(item) for item in items)


def _item_of(handle: Any) -> Item:
    if isinstance(handle, MPlug):
        return handle._valid()
    if isinstance(handle, (MObject, MDagPath)):
        return node_of(handle if isinstance(handle, MObject) else handle.node())
    raise TypeError(f"a selection list does not hold a {type(handle).__name__}")


def name_of(item: Item) -> str:
    """Shortest name of a node or plug that is unique."""
    return scene().partial_path(item) if isinstance(item, Node) else scene().plug_name(item)


def item_of_name(where: Scene, text: str) -> list[Item]:
    """What a name or pattern stands for; RuntimeError where nothing has it."""
    # guess: selection-list-ambiguous-name (a name that several nodes have adds them all)
    if "[*]" in text:
        not_modelled("MSelectionList.add of all elements of an array")
    try:
        owner, dot, attribute = text.partition(".")
        nodes = where.find(owner)
        found: list[Item] = [
            where.plug_of(node, attribute, text) if dot else node for node in nodes
        ]
    except NoSuchObjectError:
        found = []
    if not found:
        raise RuntimeError(f"(kInvalidParameter): Object does not exist: {text}")
    return found


def selection_of(items: list[Item]) -> MSelectionList:
    """A list of nodes and plugs."""
    made = MSelectionList()
    made._items = list(items)
    return made


def items_of(selection: MSelectionList) -> list[Item]:
    """Nodes and plugs of a list."""
    return list(selection._items)
