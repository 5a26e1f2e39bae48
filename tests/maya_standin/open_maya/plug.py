"""MPlug: an attribute of a node, to look at, to read and to set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.maya_standin.attributes import AttributeSpec
from tests.maya_standin.graph import Plug
from tests.maya_standin.open_maya.arrays import ItemArray, MIntArray, array_of
from tests.maya_standin.open_maya.current import scene
from tests.maya_standin.open_maya.objects import (
    Attribute,
    MObject,
    attribute_of,
    node_of,
    object_of,
)
from tests.maya_standin.open_maya.plug_values import PlugValues
from tests.maya_standin.open_maya.strict import not_modelled


class MPlug(PlugValues):
    """A plug; a null plug is what `source()` gives where nothing is connected (maya.md 2.3)."""

    __slots__ = ()
    kFreeToChange, kNotFreeToChange, kChildrenNotFreeToChange = range(3)

    def __init__(
        self, source: MPlug | MObject | None = None, attribute: MObject | None = None, /
    ) -> None:
        self._plug: Plug | None = None
        if isinstance(source, MPlug):
            self._plug = source._plug
        elif source is not None and attribute is not None:
            node, long = node_of(source), attribute_of(attribute).spec.long
            self._plug = scene().plug_of(node, long)

    # --- what it is -----------------------------------------------------------------------------

    @property
    def isNull(self) -> bool:
        return self._plug is None

    def node(self) -> MObject:
        return object_of(self._valid().node)

    def attribute(self) -> MObject:
        return object_of(Attribute(self._spec()))

    def name(self) -> str:
        """Name of node and attribute, with the path where the name is not unique."""
        return "" if self._plug is None else scene().plug_name(self._valid())

    def partialName(
        self,
        includeNodeName: bool = False,
        includeNonMandatoryIndices: bool = False,
        includeInstancedIndices: bool = False,
        useAlias: bool = False,
        useFullAttributePath: bool = False,
        useLongNames: bool = False,
    ) -> str:
        """Name of the attribute, short unless asked otherwise."""
        if useAlias:
            not_modelled("MPlug.partialName with aliases")
        plug = self._valid()
        path = _full_path(plug) if useFullAttributePath else plug.path
        path = path if useLongNames else _short_path(Plug(plug.node, path))
        if "[" in path and not (includeNonMandatoryIndices and includeInstancedIndices):
            not_modelled("MPlug.partialName of an array element without its indices")
        return f"{scene().partial_path(plug.node)}.{path}" if includeNodeName else path

    @property
    def info(self) -> str:
        return self.name()

    @property
    def isArray(self) -> bool:
        return self._spec().array and not self.isElement

    @property
    def isElement(self) -> bool:
        return self._valid().path.endswith("]")

    @property
    def isCompound(self) -> bool:
        return bool(self._spec().children)

    @property
    def isChild(self) -> bool:
        return len(self._valid().node.chain(self._valid().path)) > 1

    @property
    def isDynamic(self) -> bool:
        plug = self._valid()
        return plug.node.chain(plug.path)[0].long in plug.node.dynamic

    @property
    def isFromReferencedFile(self) -> bool:
        """Whether the attribute comes from a referenced file: of its node, and not added here."""
        return self._valid().node.reference is not None and not self.isDynamic

    @property
    def isKeyable(self) -> bool:
        plug = self._valid()
        return plug.node.keyable.get(plug.path, self._spec().keyable)

    @isKeyable.setter
    def isKeyable(self, on: bool) -> None:
        """Past the undo queue, like isLocked."""
        with scene().journal.record_into(None):
            scene().set_keyable(self._valid(), bool(on))

    @property
    def isChannelBox(self) -> bool:
        plug = self._valid()
        return plug.node.channel_box.get(plug.path, False)

    @isChannelBox.setter
    def isChannelBox(self, on: bool) -> None:
        """Past the undo queue, like isLocked."""
        with scene().journal.record_into(None):
            scene().set_channel_box(self._valid(), bool(on))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MPlug) and self._plug == other._plug

    def __hash__(self) -> int:
        return hash(self._plug)

    # --- children and elements ------------------------------------------------------------------

    def _plug_of_path(self, path: str) -> MPlug:
        return plug_of(Plug(self._valid().node, path))

    def parent(self) -> MPlug:
        plug = self._valid()
        above = plug.node.parent_of(plug.path)
        if above is None or self.isElement:
            raise TypeError(f"{self.name()} is no child of a compound")
        return self._plug_of_path(above)

    def numChildren(self) -> int:
        if not self.isCompound or self.isArray:
            raise TypeError(f"{self.name()} is no compound")
        return len(self._spec().children)

    def child(self, which: int | MObject, /) -> MPlug:
        plug = self._valid()
        children = plug.node.children_of(plug.path)
        if not children:
            raise TypeError(f"{self.name()} is no compound")
        if isinstance(which, MObject):
            wanted = attribute_of(which).spec.long
            names = [path.rpartition(".")[2] for path in children]
            which = names.index(wanted)
        if not 0 <= which < len(children):
            raise ValueError(f"{self.name()} has no child {which}")
        return self._plug_of_path(children[which])

    def array(self) -> MPlug:
        if not self.isElement:
            raise TypeError(f"{self.name()} is no element of an array")
        return self._plug_of_path(self._valid().path.rpartition("[")[0])

    def logicalIndex(self) -> int:
        if not self.isElement:
            raise TypeError(f"{self.name()} is no element of an array")
        return int(self._valid().path.rpartition("[")[2][:-1])

    def elementByLogicalIndex(self, index: int, /) -> MPlug:
        if not self.isArray:
            raise TypeError(f"{self.name()} is no array")
        if index < 0:
            raise ValueError("an index is not negative")
        return self._plug_of_path(f"{self._valid().path}[{index}]")

    def getExistingArrayAttributeIndices(self) -> MIntArray:
        """Indices of elements that have a value or a connection."""
        if not self.isArray:
            raise TypeError(f"{self.name()} is no array")
        plug = self._valid()
        start = plug.path + "["
        indices = set(plug.node.indices(plug.path))
        for end in (end for pair in scene().connections.items() for end in pair):
            if end.node is plug.node and end.path.startswith(start):
                indices.add(int(end.path[len(start) :].partition("]")[0]))
        return MIntArray(sorted(indices))

    def numElements(self) -> int:
        return len(self.getExistingArrayAttributeIndices())

    def evaluateNumElements(self) -> int:
        """The same: what is not evaluated yet is not held back here."""
        return self.numElements()

    def elementByPhysicalIndex(self, index: int, /) -> MPlug:
        return self.elementByLogicalIndex(self.getExistingArrayAttributeIndices()[index])

    # --- connections ----------------------------------------------------------------------------

    @property
    def isDestination(self) -> bool:
        return self._valid() in scene().connections

    @property
    def isSource(self) -> bool:
        return bool(scene().outputs(self._valid()))

    @property
    def isConnected(self) -> bool:
        return self.isDestination or self.isSource

    def sourceWithConversion(self) -> MPlug:
        """What is connected into this very plug; a null plug where nothing is."""
        found = scene().source(self._valid())
        return MPlug() if found is None else plug_of(found)

    def source(self) -> MPlug:
        """The same, behind unitConversion nodes."""
        # As the tests of cmdc (github.com/mottosso/cmdc), which run in Maya, have both calls.
        found = scene().source(self._valid())
        while found is not None and found.node.is_a("unitConversion"):
            found = scene().source(Plug(found.node, "input"))
        return MPlug() if found is None else plug_of(found)

    def destinationsWithConversions(self) -> MPlugArray:
        return MPlugArray(plug_of(end) for end in scene().outputs(self._valid()))

    def destinations(self) -> MPlugArray:
        return MPlugArray(plug_of(end) for end in _behind_conversions(self._valid()))

    # --- may it be changed ----------------------------------------------------------------------

    @property
    def isLocked(self) -> bool:
        return scene().is_locked(self._valid())

    @isLocked.setter
    def isLocked(self, on: bool) -> None:
        """Lock or unlock, past the undo queue (maya.md 1.2 [K]: direct API edits)."""
        # The API unlocks attributes of locked nodes (case attr-locked-node-api).
        scene().check_lockable(self._valid(), past_node_lock=True)
        with scene().journal.record_into(None):
            scene().set_locked(self._valid(), bool(on))

    def isFreeToChange(self, checkAncestors: bool = True, checkChildren: bool = True) -> int:
        """Whether a value may be set; a curve that drives it does not count (maya.md 1.7)."""
        if not (checkAncestors and checkChildren):
            return not_modelled("MPlug.isFreeToChange that leaves ancestors or children out")
        plug = self._valid()
        if scene().is_free(plug):
            return self.kFreeToChange
        children = [Plug(plug.node, path) for path in plug.node.children_of(plug.path)]
        if scene().is_locked(plug) or not children or plug in scene().connections:
            return self.kNotFreeToChange
        return self.kChildrenNotFreeToChange

    def isDefaultValue(self) -> bool:
        spec = self._spec()
        if spec.children or spec.array:
            return not_modelled("MPlug.isDefaultValue of compounds and arrays")
        return bool(scene().stored(self._valid()) == spec.initial())


def _full_path(plug: Plug) -> str:
    """Path with the names of all compounds around, "translate.translateX"."""
    above = plug.node.parent_of(plug.path)
    leaf = plug.path.rpartition(".")[2]
    if above is None or plug.node.is_element(plug.path):
        return leaf
    return f"{_full_path(Plug(plug.node, above))}.{leaf}"


def _short_path(plug: Plug) -> str:
    parts = []
    for part in plug.path.split("."):
        name, bracket, index = part.partition("[")
        parts.append(plug.node.chain(name)[-1].short + bracket + index)
    return ".".join(parts)


def _behind_conversions(plug: Plug) -> Iterator[Plug]:
    for end in scene().outputs(plug):
        if end.node.is_a("unitConversion"):
            yield from _behind_conversions(Plug(end.node, "output"))
        else:
            yield end


def plug_of(plug: Plug) -> MPlug:
    """The MPlug of a plug."""
    made = MPlug()
    made._plug = plug
    return made


def specification(plug: MPlug) -> AttributeSpec:
    """The attribute of a plug."""
    return plug._spec()


class MPlugArray(ItemArray):
    """Plugs."""

    __slots__ = ()
    _item: Any = staticmethod(array_of(MPlug))
