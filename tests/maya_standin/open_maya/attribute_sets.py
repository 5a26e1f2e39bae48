"""MFnAttribute and its kinds: making attributes, and looking at them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from tests.maya_standin.attributes import AttributeSpec
from tests.maya_standin.open_maya import mfn
from tests.maya_standin.open_maya.data_sets import MFnData, MFnNumericData
from tests.maya_standin.open_maya.node_sets import MFnBase
from tests.maya_standin.open_maya.objects import (
    Attribute,
    Data,
    MObject,
    attribute_of,
    object_of,
    target_of,
)
from tests.maya_standin.open_maya.strict import check_kind, not_modelled
from tests.maya_standin.open_maya.units import MAngle, MDistance, MTime


def _property(field: str, doc: str) -> property:
    """A property of an attribute; it may be set until the attribute is added to a node."""

    def get(self: MFnAttribute) -> Any:
        return getattr(self._attribute().spec, field)

    def put(self: MFnAttribute, value: Any) -> None:
        attribute = self._attribute()
        attribute.spec = replace(attribute.spec, **{field: bool(value)})

    return property(get, put, doc=doc)


class MFnAttribute(MFnBase):
    """An attribute."""

    __slots__ = ()
    _type = mfn.MFn.kAttribute
    keyable = _property("keyable", "Whether it can be keyed.")
    hidden = _property("hidden", "Whether the user interface leaves it out.")
    writable = _property("writable", "Whether it can be set and connected into.")
    array = _property("array", "Whether it has elements.")
    kDelete, kReset, kNothing = range(3)

    @property
    def disconnectBehavior(self) -> int:
        """What happens to an element that is disconnected; that it is reset is not modelled."""
        return self.kDelete if self._attribute().spec.deletes else self.kNothing

    @disconnectBehavior.setter
    def disconnectBehavior(self, behaviour: int) -> None:
        attribute = self._attribute()
        if behaviour == self.kReset:
            not_modelled("attributes that are reset when they are disconnected")
        if behaviour == self.kDelete and not attribute.spec.array:
            # API reference: "Delete array element (array attributes only)".
            not_modelled(f"kDelete of {attribute.spec.long}, which is no array")
        attribute.spec = replace(attribute.spec, deletes=behaviour == self.kDelete)

    def _attribute(self) -> Attribute:
        return attribute_of(self._object)

    @property
    def name(self) -> str:
        return self._attribute().spec.long

    @property
    def shortName(self) -> str:
        return self._attribute().spec.short

    @property
    def storable(self) -> bool:
        """Whether files keep it; that it does not is not modelled."""
        return True

    @storable.setter
    def storable(self, on: bool) -> None:
        if not on:
            not_modelled("attributes that are not stored")

    def _make(self, long: str, short: str, kind: str, default: Any, **more: Any) -> MObject:
        check_kind(long, str, what="longName")
        check_kind(short, str, what="shortName")
        self._object = object_of(Attribute(AttributeSpec(long, short, kind, default, **more)))
        return self.object()


class MFnNumericAttribute(MFnAttribute):
    """A number, or yes and no."""

    __slots__ = ()
    _type = mfn.MFn.kNumericAttribute
    _kinds: ClassVar[dict[int, str]] = {
        MFnNumericData.kBoolean: "bool",
        MFnNumericData.kShort: "short",
        MFnNumericData.kInt: "long",
        MFnNumericData.kFloat: "float",
        MFnNumericData.kDouble: "double",
    }

    def create(
        self,
        longName: str,
        shortName: str,
        type: int | MObject,
        defaultValue: float | MObject = 0,
        child3: MObject | None = None,
        /,
    ) -> MObject:
        """A number, or a compound of three attributes that are given in its type's place.

        API reference: create(longName, shortName, child1, child2, child3).
        guess: numeric-compound-of-angles (the children may be angles, as they are of rotate)
        """
        if isinstance(type, MObject):
            parts = tuple(attribute_of(one).spec for one in (type, defaultValue, child3))
            return self._make(longName, shortName, "compound", None, children=parts)
        if type not in self._kinds:
            return not_modelled(f"MFnNumericAttribute of the type {type}")
        return self._make(longName, shortName, self._kinds[type], defaultValue)

    @property
    def default(self) -> Any:
        return self._attribute().spec.default

    def setMin(self, value: float, /) -> MFnNumericAttribute:
        attribute = self._attribute()
        attribute.spec = replace(attribute.spec, minimum=value)
        return self

    def setMax(self, value: float, /) -> MFnNumericAttribute:
        attribute = self._attribute()
        attribute.spec = replace(attribute.spec, maximum=value)
        return self


class MFnTypedAttribute(MFnAttribute):
    """A text; other types of data are not modelled."""

    __slots__ = ()
    _type = mfn.MFn.kTypedAttribute

    def create(
        self, longName: str, shortName: str, type: int, defaultValue: MObject = MObject.kNullObj, /
    ) -> MObject:
        if type != MFnData.kString:
            return not_modelled(f"MFnTypedAttribute of the type {type}")
        data = target_of(defaultValue)
        return self._make(
            longName, shortName, "string", data.value if isinstance(data, Data) else ""
        )

    def attrType(self) -> int:
        if self._attribute().spec.kind != "string":
            return not_modelled("MFnTypedAttribute.attrType of anything but a text")
        return MFnData.kString


class MFnMatrixAttribute(MFnAttribute):
    """A matrix of doubles."""

    __slots__ = ()
    _type = mfn.MFn.kMatrixAttribute
    kFloat, kDouble = range(2)

    def create(self, longName: str, shortName: str, type: int = 1, /) -> MObject:
        if type != self.kDouble:
            return not_modelled("MFnMatrixAttribute of floats")
        return self._make(longName, shortName, "matrix", None)


class MFnMessageAttribute(MFnAttribute):
    """An attribute without a value, for connections."""

    __slots__ = ()
    _type = mfn.MFn.kMessageAttribute

    def create(self, longName: str, shortName: str, /) -> MObject:
        return self._make(longName, shortName, "message", None)


class MFnUnitAttribute(MFnAttribute):
    """An angle, a distance or a time."""

    __slots__ = ()
    _type = mfn.MFn.kUnitAttribute
    kInvalid, kAngle, kDistance, kTime, kLast = range(5)

    def create(
        self, longName: str, shortName: str, type: Any, defaultValue: float = 0.0, /
    ) -> MObject:
        kinds = {self.kAngle: "angle", self.kDistance: "distance", self.kTime: "time"}
        if isinstance(type, MAngle):
            return self._make(longName, shortName, "angle", type.asRadians())
        if isinstance(type, MDistance):
            return self._make(longName, shortName, "distance", type.asCentimeters())
        if isinstance(type, MTime):
            return self._make(longName, shortName, "time", type.asUnits(MTime.kSeconds))
        if type not in kinds or (type == self.kTime and defaultValue):
            return not_modelled(f"MFnUnitAttribute of the type {type}")
        return self._make(longName, shortName, kinds[type], float(defaultValue))


class MFnEnumAttribute(MFnAttribute):
    """One of several words, numbered from 0."""

    __slots__ = ()
    _type = mfn.MFn.kEnumAttribute

    def create(self, longName: str, shortName: str, defaultValue: int = 0, /) -> MObject:
        return self._make(longName, shortName, "enum", defaultValue)

    def addField(self, name: str, value: int, /) -> MFnEnumAttribute:
        attribute = self._attribute()
        if value != len(attribute.spec.enum):
            return not_modelled("fields of an enum out of order")
        attribute.spec = replace(attribute.spec, enum=(*attribute.spec.enum, name))
        return self

    def fieldName(self, value: int, /) -> str:
        return self._attribute().spec.enum[value]

    def getMin(self) -> int:
        return 0

    def getMax(self) -> int:
        return len(self._attribute().spec.enum) - 1


class MFnCompoundAttribute(MFnAttribute):
    """Attributes under one name."""

    __slots__ = ()
    _type = mfn.MFn.kCompoundAttribute

    def create(self, longName: str, shortName: str, /) -> MObject:
        return self._make(longName, shortName, "compound", None)

    def addChild(self, child: MObject, /) -> MFnCompoundAttribute:
        attribute = self._attribute()
        children = (*attribute.spec.children, attribute_of(child).spec)
        attribute.spec = replace(attribute.spec, children=children)
        return self

    def numChildren(self) -> int:
        return len(self._attribute().spec.children)

    def child(self, index: int, /) -> MObject:
        return object_of(Attribute(self._attribute().spec.children[index]))
