"""MObject and MObjectHandle: nodes, attributes, data and plug-ins as they look from outside."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Union

from tests.maya_standin.attributes import AttributeSpec
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.graph import Node
from tests.maya_standin.open_maya import mfn
from tests.maya_standin.open_maya.current import count_call, scene, session
from tests.maya_standin.open_maya.matrix import MMatrix
from tests.maya_standin.open_maya.strict import Strict, check_kind


@dataclass(eq=False)
class World:
    """What top-level nodes have for a parent."""


@dataclass
class Attribute:
    """An attribute, of nodes or made by a function set and not added yet."""

    spec: AttributeSpec


@dataclass(eq=False)
class Data:
    """A value of a plug by itself: a matrix or a text.

    `stored` is what the plug has stored: a pose of a dagPose remembers its channels.
    """

    value: MMatrix | str
    stored: Any = None


@dataclass(eq=False)
class PluginRecord:
    """A plug-in that is being loaded or is loaded: its file, and what it registered, by name."""

    name: str
    path: str
    vendor: str = ""
    version: str = ""
    commands: dict[str, Any] = field(default_factory=dict)
    node_types: dict[str, int] = field(default_factory=dict)


WORLD = World()
Target = Union[Node, World, Attribute, Data, PluginRecord, None]


class MObject(Strict):
    """A handle of something of Maya's. It does not keep a node from being deleted."""

    __slots__ = ("_target",)
    kNullObj: ClassVar[MObject]

    def __init__(self, source: MObject | None = None, /) -> None:
        if source is not None:
            check_kind(source, MObject, what="source")
        self._target: Target = None if source is None else source._target

    def isNull(self) -> bool:
        return self._target is None

    def apiType(self) -> int:
        """Number of its API type; kInvalid for the null object."""
        target = self._target
        if target is None:
            return mfn.MFn.kInvalid
        if isinstance(target, Node):
            return mfn.node_type_number(target)
        if isinstance(target, Attribute):
            return mfn.attribute_type_number(target.spec)
        if isinstance(target, World):
            return mfn.MFn.kWorld
        if isinstance(target, Data):
            return mfn.MFn.kStringData if isinstance(target.value, str) else mfn.MFn.kMatrixData
        return mfn.MFn.kPlugin

    @property
    def apiTypeStr(self) -> str:
        return mfn.names_of(self.apiType())

    def hasFn(self, fn: int, /) -> bool:
        """Whether a function set of that API type takes it."""
        check_kind(fn, int, what="API type")
        target = self._target
        if isinstance(target, Node):
            return mfn.node_has_fn(target, fn)
        if isinstance(target, Attribute):
            return mfn.attribute_has_fn(target.spec, fn)
        if isinstance(target, Data):
            return fn in (mfn.MFn.kBase, mfn.MFn.kData, self.apiType())
        if isinstance(target, World):
            return fn in (mfn.MFn.kBase, mfn.MFn.kWorld, mfn.MFn.kDagNode, mfn.MFn.kDependencyNode)
        return fn in (mfn.MFn.kBase, mfn.MFn.kPlugin) and target is not None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MObject) and self._target == other._target

    def __hash__(self) -> int:
        return id(self._target)


MObject.kNullObj = MObject()


def object_of(target: Target) -> MObject:
    """The MObject of something."""
    made = MObject()
    made._target = target
    return made


def target_of(handle: MObject) -> Target:
    """What an MObject is the handle of."""
    check_kind(handle, MObject, what="object")
    return handle._target


def node_of(handle: MObject) -> Node:
    """The node of an MObject; a node that was deleted must not be used (Maya may crash)."""
    target = target_of(handle)
    if not isinstance(target, Node):
        raise TypeError("the object is no dependency node")
    return present(target)


def present(node: Node) -> Node:
    """A node that is in the scene; NotModelledError for one that was deleted."""
    if node not in scene().nodes:
        raise NotModelledError(f"use of the deleted node {node.name}")
    return node


def attribute_of(handle: MObject) -> Attribute:
    """The attribute of an MObject."""
    target = target_of(handle)
    if not isinstance(target, Attribute):
        raise TypeError("the object is no attribute")
    return target


class MObjectHandle(Strict):
    """Keeps a node in mind and tells whether it is still there."""

    __slots__ = ("_object", "_scene")

    def __init__(self, source: MObject | MObjectHandle | None = None, /) -> None:
        if isinstance(source, MObjectHandle):
            source = source._object
        self._object = MObject() if source is None else MObject(source)
        self._scene = scene()

    def isValid(self) -> bool:
        """Whether the node is in the scene: exists and is not deleted."""
        count_call("MObjectHandle.isValid")
        return self._scene is scene() and self._object._target in self._scene.nodes

    def isAlive(self) -> bool:
        """Whether the node is still in memory: in the scene, or held by the undo queue."""
        # API reference: alive, but not valid, is a deleted object on the undo queue.
        queue = session().undo_queue
        held = self._scene is scene() and bool(queue.done or queue.undone)
        return self.isValid() or (held and isinstance(self._object._target, Node))

    def object(self) -> MObject:
        return MObject(self._object)

    def hashCode(self) -> int:
        return hash(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MObjectHandle) and self._object == other._object

    def __hash__(self) -> int:
        return hash(self._object)
