"""MDataBlock and MDataHandle: what a node computes with."""

from __future__ import annotations

from typing import Any

from tests.maya_standin.attributes import AttributeSpec
from tests.maya_standin.evaluation import Evaluator
from tests.maya_standin.nodes import Node
from tests.maya_standin.open_maya.objects import MObject, attribute_of
from tests.maya_standin.open_maya.plug import MPlug
from tests.maya_standin.open_maya.strict import Strict, check_kind, not_modelled
from tests.maya_standin.open_maya.units import MAngle


class MDataHandle(Strict):
    """The value of one attribute, to read or, of an output, to set; each call takes its kind."""

    __slots__ = ("_outputs", "_spec", "_value")

    def __init__(
        self, spec: AttributeSpec, value: Any, outputs: dict[str, Any] | None = None, /
    ) -> None:
        self._spec, self._value, self._outputs = spec, value, outputs

    def _read_value(self, call: str, *kinds: str) -> Any:
        if self._spec.kind not in kinds:
            return not_modelled(f"MDataHandle.{call} of {self._spec.long}, a {self._spec.kind}")
        return self._value

    def child(self, attribute: MObject, /) -> MDataHandle:
        """Value of a compound's child."""
        spec = attribute_of(attribute).spec
        if spec not in self._spec.children or self._outputs is not None:
            return not_modelled(f"MDataHandle.child of {self._spec.long} for {spec.long}")
        return MDataHandle(spec, self._value[self._spec.children.index(spec)])

    def asAngle(self) -> MAngle:
        return MAngle(self._read_value("asAngle", "angle"), MAngle.kRadians)

    def asDouble(self) -> float:
        """Of an angle: radians, what is stored."""
        return float(self._read_value("asDouble", "double", "angle"))

    def asBool(self) -> bool:
        return bool(self._read_value("asBool", "bool"))

    def asShort(self) -> int:
        return int(self._read_value("asShort", "enum", "short"))

    def asString(self) -> str:
        return str(self._read_value("asString", "string"))

    def _set_value(self, call: str, value: Any, *kinds: str) -> MDataHandle:
        if self._outputs is None:
            return not_modelled(f"MDataHandle.{call} of the input {self._spec.long}")
        self._read_value(call, *kinds)
        self._outputs[self._spec.long] = value
        return self

    def setMAngle(self, value: MAngle, /) -> MDataHandle:
        check_kind(value, MAngle, what="value")
        return self._set_value("setMAngle", value.asUnits(MAngle.kRadians), "angle")

    def setDouble(self, value: float, /) -> MDataHandle:
        check_kind(value, float, int, what="value")
        return self._set_value("setDouble", float(value), "double")

    def setString(self, value: str, /) -> MDataHandle:
        check_kind(value, str, what="value")
        return self._set_value("setString", value, "string")


class MArrayDataHandle(Strict):
    """The elements of an input array that are there; indices may have gaps."""

    __slots__ = ("_at", "_evaluator", "_node", "_spec")

    def __init__(self, evaluator: Evaluator, node: Node, spec: AttributeSpec, /) -> None:
        self._evaluator, self._node, self._spec, self._at = evaluator, node, spec, 0

    def _indices(self) -> list[int]:
        start = self._spec.long + "["
        paths = (*self._node.values, *self._evaluator.scene.connected_paths(self._node))
        found = (path[len(start) :] for path in paths if path.startswith(start))
        return sorted({int(path.partition("]")[0]) for path in found})

    def __len__(self) -> int:
        return len(self._indices())

    def jumpToPhysicalElement(self, position: int, /) -> MArrayDataHandle:
        """The n-th of the elements that are there, whatever its index."""
        check_kind(position, int, what="position")
        if not 0 <= position < len(self):
            raise RuntimeError("(kFailure): Unexpected Internal Failure")
        self._at = position
        return self

    def jumpToLogicalElement(self, index: int, /) -> MArrayDataHandle:
        """The element of this index.

        guess: jump-to-a-missing-element (RuntimeError, as public plug-ins expect)
        """
        check_kind(index, int, what="index")
        if index not in self._indices():
            raise RuntimeError("(kFailure): Unexpected Internal Failure")
        return self.jumpToPhysicalElement(self._indices().index(index))

    def elementLogicalIndex(self) -> int:
        return self._indices()[self._at]

    def inputValue(self) -> MDataHandle:
        """Value of the element jumped to, at first the first one; up to date."""
        indices = self._indices()
        if not indices:
            raise RuntimeError("(kFailure): Unexpected Internal Failure")
        path = f"{self._spec.long}[{indices[self._at]}]"
        return MDataHandle(self._spec, self._evaluator.at(self._node, path))


class MDataBlock(Strict):
    """The values of a node while it computes one plug."""

    __slots__ = ("_affecting", "_evaluator", "_node", "_outputs_known", "clean", "outputs")

    def __init__(
        self, evaluator: Evaluator, node: Node, affecting: set[str], outputs: set[str], /
    ) -> None:
        self._evaluator, self._node = evaluator, node
        self._affecting, self._outputs_known = affecting, outputs
        self.outputs: dict[str, Any] = {}
        self.clean: list[str] = []

    def inputValue(self, attribute: MObject, /) -> MDataHandle:
        """Value of an input, up to date."""
        spec = self._input(attribute)
        if spec.array:
            return not_modelled(f"MDataBlock.inputValue of the array {spec.long}")
        return MDataHandle(spec, self._evaluator.at(self._node, spec.long))

    def inputArrayValue(self, attribute: MObject, /) -> MArrayDataHandle:
        """Elements of an input array."""
        spec = self._input(attribute)
        if not spec.array:
            raise RuntimeError("(kInvalidParameter): Attribute is not an array")
        return MArrayDataHandle(self._evaluator, self._node, spec)

    def _input(self, attribute: MObject) -> AttributeSpec:
        spec = attribute_of(attribute).spec
        if spec.long not in self._affecting:
            return not_modelled(f"compute that reads {spec.long}, which does not affect the plug")
        return spec

    def outputValue(self, attribute: MObject, /) -> MDataHandle:
        spec = attribute_of(attribute).spec
        if spec.long not in self._outputs_known:
            return not_modelled(f"compute that sets {spec.long}, which nothing affects")
        return MDataHandle(spec, None, self.outputs)

    def setClean(self, what: MObject | MPlug, /) -> MDataBlock:
        """Mark an output as computed; it has to have been set, or all its children."""
        attribute = what.attribute() if isinstance(what, MPlug) else what
        spec = attribute_of(attribute).spec
        long, parts = spec.long, [child.long for child in spec.children]
        if parts and all(part in self.outputs for part in parts):
            self.outputs[long] = tuple(self.outputs[part] for part in parts)
        if long not in self.outputs:
            return not_modelled(f"setClean of {long}, which was not set")
        self.clean.append(long)
        return self
