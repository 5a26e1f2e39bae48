"""Reading and setting of plugs. Each call takes attributes of its own kind only."""

from __future__ import annotations

from typing import Any

from tests.maya_standin.attributes import AttributeSpec
from tests.maya_standin.graph import Plug
from tests.maya_standin.open_maya.context import MDGContext
from tests.maya_standin.open_maya.current import count_call, scene, session
from tests.maya_standin.open_maya.matrix import MMatrix
from tests.maya_standin.open_maya.objects import Data, MObject, object_of, present, target_of
from tests.maya_standin.open_maya.reading import value_at
from tests.maya_standin.open_maya.strict import Strict, check_kind, not_modelled
from tests.maya_standin.open_maya.units import MAngle, MDistance, MTime

NORMAL = MDGContext.kNormal
NUMBERS = ("double", "float", "angle", "distance", "generic")
WHOLE = ("enum", "long", "short")


class PlugValues(Strict):
    """The part of MPlug that reads and sets; values are internal units (maya.md 1.2)."""

    __slots__ = ("_plug",)
    _plug: Plug | None

    def _valid(self) -> Plug:
        if self._plug is None:
            raise RuntimeError("(kInvalidParameter): the plug is null")
        present(self._plug.node)
        return self._plug

    def _spec(self) -> AttributeSpec:
        plug = self._valid()
        return plug.node.spec(plug.path)

    def _read_value(self, call: str, context: MDGContext, kinds: tuple[str, ...]) -> Any:
        count_call(f"MPlug.{call}")
        check_kind(context, MDGContext, what="context")
        self._check(call, kinds)
        self._made_by_reading()
        seconds = session().context_seconds if context.seconds is None else context.seconds
        value = value_at(self._valid(), seconds)
        if isinstance(value, tuple) and "generic" in kinds:
            # Three numbers are not one.
            raise RuntimeError("(kFailure): Unexpected Internal Failure")
        return value

    def _exists(self) -> bool:
        """Whether it has a value or a source, or is computed."""
        plug, spec = self._valid(), self._spec()
        is_input = spec.writable and plug not in scene().connections
        return not is_input or plug.path in plug.node.values

    def _made_by_reading(self) -> None:
        """Make an element that is not there, as reading it may."""
        plug = self._valid()
        if not session().quirks.reading_makes_elements or not plug.node.is_element(plug.path):
            return
        if not self._exists():
            plug.node.values[plug.path] = self._spec().initial()
            plug.node.made.add(plug.path)

    def _unset_matrix(self) -> MObject | None:
        """A null object for a stored matrix that was never set, or None."""
        plug, quirk = self._valid(), session().quirks.unset_matrix
        is_bind_pose = plug.node.type == "joint" and plug.path == "bindPose"
        is_element = plug.node.type in ("dagPose", "skinCluster") and plug.path.endswith("]")
        if self._exists() or quirk == "identity" or not (is_bind_pose or is_element):
            return None
        if quirk == "error":
            raise RuntimeError("(kFailure): Unexpected Internal Failure")
        self._made_by_reading()
        return MObject()

    def _check(self, call: str, kinds: tuple[str, ...]) -> None:
        plug, spec = self._valid(), self._spec()
        if spec.array and not plug.node.is_element(plug.path):
            not_modelled(f"MPlug.{call} of the array {plug.path}")
        if spec.kind not in kinds:
            not_modelled(f"MPlug.{call} of {plug.path}, which is of the kind {spec.kind}")

    def asDouble(self, context: MDGContext = NORMAL) -> float:
        return float(self._read_value("asDouble", context, NUMBERS))

    def asFloat(self, context: MDGContext = NORMAL) -> float:
        return float(self._read_value("asFloat", context, NUMBERS))

    def asMAngle(self, context: MDGContext = NORMAL) -> MAngle:
        return MAngle(self._read_value("asMAngle", context, ("angle",)))

    def asMDistance(self, context: MDGContext = NORMAL) -> MDistance:
        return MDistance(self._read_value("asMDistance", context, ("distance",)))

    def asMTime(self, context: MDGContext = NORMAL) -> MTime:
        return MTime(self._read_value("asMTime", context, ("time",)), MTime.kSeconds)

    def asBool(self, context: MDGContext = NORMAL) -> bool:
        return bool(self._read_value("asBool", context, ("bool",)))

    def asInt(self, context: MDGContext = NORMAL) -> int:
        return int(self._read_value("asInt", context, (*WHOLE, "bool")))

    def asShort(self, context: MDGContext = NORMAL) -> int:
        return int(self._read_value("asShort", context, WHOLE))

    def asString(self, context: MDGContext = NORMAL) -> str:
        return str(self._read_value("asString", context, ("string",)) or "")

    def asMObject(self, context: MDGContext = NORMAL) -> MObject:
        if (null := self._unset_matrix()) is not None:
            return null
        value = self._read_value("asMObject", context, ("matrix", "string"))
        return object_of(Data(value if isinstance(value, str) else MMatrix(value), value))

    # Direct edits: not undoable (maya.md 1.2 [K]).

    def _set_value(self, call: str, kinds: tuple[str, ...], value: Any) -> None:
        # guess: api-set-on-locked-plug (raises, as setAttr does)
        count_call(f"MPlug.{call}")
        self._check(call, kinds)
        scene().check_settable(self._valid())
        with scene().journal.record_into(None):
            scene().set_value(self._valid(), value)

    def setDouble(self, value: float, /) -> None:
        self._set_value("setDouble", NUMBERS, float(value))

    def setFloat(self, value: float, /) -> None:
        self._set_value("setFloat", NUMBERS, float(value))

    def setMAngle(self, value: MAngle, /) -> None:
        check_kind(value, MAngle, what="value")
        self._set_value("setMAngle", ("angle",), value.asRadians())

    def setMDistance(self, value: MDistance, /) -> None:
        check_kind(value, MDistance, what="value")
        self._set_value("setMDistance", ("distance",), value.asCentimeters())

    def setBool(self, value: bool, /) -> None:
        self._set_value("setBool", ("bool",), bool(value))

    def setInt(self, value: int, /) -> None:
        self._set_value("setInt", WHOLE, int(value))

    def setString(self, value: str, /) -> None:
        check_kind(value, str, what="value")
        self._set_value("setString", ("string",), value)

    def setMObject(self, value: MObject, /) -> None:
        self._set_value("setMObject", ("matrix", "string"), data_value(value))


def data_value(value: MObject) -> Any:
    """What data holds, as the graph stores it: a text, or sixteen numbers."""
    data = target_of(value)
    if not isinstance(data, Data):
        raise TypeError("the object is no data")
    if data.stored is not None:
        # guess: matrix-data-keeps-record (data that was read from a plug is set as it was)
        return data.stored
    return data.value if isinstance(data.value, str) else tuple(data.value)
