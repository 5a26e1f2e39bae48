"""MFnBase, MFnDependencyNode and MFnDagNode: what can be done with a node."""

from __future__ import annotations

from typing import Any, ClassVar

from tests.maya_standin.graph import Node, Plug
from tests.maya_standin.node_types import MATRIX_NODES, REGISTERED
from tests.maya_standin.open_maya import mfn
from tests.maya_standin.open_maya.current import count_call, scene, session
from tests.maya_standin.open_maya.dag_path import MDagPath, path_to
from tests.maya_standin.open_maya.objects import (
    WORLD,
    Attribute,
    MObject,
    attribute_of,
    node_of,
    object_of,
)
from tests.maya_standin.open_maya.plug import MPlug, MPlugArray, plug_of
from tests.maya_standin.open_maya.strict import Strict, check_kind, not_modelled


class MFnBase(Strict):
    """What can be done with an object of one kind."""

    __slots__ = ("_object",)
    _type: ClassVar[int] = mfn.MFn.kBase

    def __init__(self, object: MObject | None = None, /) -> None:
        self._object = MObject()
        if object is not None:
            self.setObject(object)

    def setObject(self, object: Any, /) -> MFnBase:
        check_kind(object, MObject, what="object")
        if not self.hasObj(object):
            raise ValueError(f"object is incompatible with {type(self).__name__} constructor")
        self._object = MObject(object)
        return self

    def hasObj(self, object: MObject, /) -> bool:
        return object.hasFn(self._type)

    def object(self) -> MObject:
        return MObject(self._object)

    def type(self) -> int:
        return self._type


class MFnDependencyNode(MFnBase):
    """A node."""

    __slots__ = ()
    _type = mfn.MFn.kDependencyNode

    def _node(self) -> Node:
        return node_of(self._object)

    def name(self) -> str:
        """Name with namespace, without path."""
        return self._node().name

    @property
    def namespace(self) -> str:
        return self._node().namespace

    @property
    def typeName(self) -> str:
        count_call("MFnDependencyNode.typeName")
        return self._node().type

    @property
    def pluginName(self) -> str:
        """The plug-in that brought the type; empty for Maya's own. guess: plug-in-of-a-node"""
        kind = self._node().type
        for name, plug_in in session().plugins.items():
            if kind in plug_in.record.node_types:
                return str(name)
        if kind in MATRIX_NODES:
            return "matrixNodes"
        return "unknownPlugIn" if kind in REGISTERED else ""

    @property
    def isFromReferencedFile(self) -> bool:
        return self._node().reference is not None

    @property
    def isLocked(self) -> bool:
        node = self._node()
        return node.is_locked or (node.reference is not None and node.reference.locked)

    # --- attributes -----------------------------------------------------------------------------

    def findPlug(self, attr: str | MObject, wantNetworkedPlug: bool, /) -> MPlug:
        """Plug of an attribute by its name; RuntimeError where the node has none of that name.

        The second argument has no default (maya.md 1.2).
        """
        count_call("MFnDependencyNode.findPlug")
        node = self._node()
        name = attribute_of(attr).spec.long if isinstance(attr, MObject) else attr
        path = self._path(node, name)
        if path is None:
            raise RuntimeError("(kInvalidParameter): Cannot find item of required type")
        return plug_of(Plug(node, path))

    @staticmethod
    def _path(node: Node, name: str) -> str | None:
        check_kind(name, str, what="attribute")
        if "." in name or "[" in name:
            return not_modelled(f"the attribute name {name}, which is a path")
        path = node.path_of(name)
        if path is None and name in node.node_type.attributes.chains:
            return not_modelled(f"a plug of {name} without the index of the array around it")
        return path

    def hasAttribute(self, name: str, /) -> bool:
        return self._path(self._node(), name) is not None

    def attribute(self, name: str, /) -> MObject:
        """The attribute of that name; the null object where there is none."""
        check_kind(name, str, what="name")
        path = self._path(self._node(), name)
        return MObject() if path is None else object_of(Attribute(self._node().spec(path)))

    def addAttribute(self, attribute: MObject, /) -> MFnDependencyNode:
        node, spec = self._node(), attribute_of(attribute).spec
        scene().check_attributes_changeable(node)
        with scene().journal.record_into(None):
            scene().add_attribute(node, spec)
        return self

    def removeAttribute(self, attribute: MObject, /) -> MFnDependencyNode:
        plug = Plug(self._node(), attribute_of(attribute).spec.long)
        scene().check_removable(plug)
        with scene().journal.record_into(None):
            scene().remove_attribute(plug)
        return self

    def getConnections(self) -> MPlugArray:
        """Plugs of this node that are connected, each once."""
        count_call("MFnDependencyNode.getConnections")
        return MPlugArray(map(plug_of, scene().connected_plugs(self._node())))


class MFnDagNode(MFnDependencyNode):
    """A node of the DAG; made of an MObject or an MDagPath."""

    __slots__ = ()
    _type = mfn.MFn.kDagNode

    def setObject(self, object: MObject | MDagPath, /) -> MFnDagNode:
        super().setObject(object.node() if isinstance(object, MDagPath) else object)
        return self

    def fullPathName(self) -> str:
        return self._node().full_path()

    def partialPathName(self) -> str:
        return scene().partial_path(self._node())

    def getPath(self) -> MDagPath:
        return path_to(self._node())

    def childCount(self) -> int:
        return len(self._node().children)

    def child(self, index: int, /) -> MObject:
        return object_of(self._node().children[index])

    def parent(self, index: int, /) -> MObject:
        """What it lies below; the world for what lies below nothing else."""
        if index != 0:
            raise ValueError(f"there is no parent {index}")
        return object_of(self._node().parent or WORLD)
