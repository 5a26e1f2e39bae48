"""MDoubleArray, MIntArray and the other arrays: lists of one kind of item."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar

from tests.maya_standin.open_maya.strict import Strict, not_modelled
from tests.maya_standin.open_maya.units import MTime


def _number(value: Any) -> float:
    if isinstance(value, (str, bool)) or not hasattr(value, "__float__"):
        raise TypeError(f"an MDoubleArray holds numbers, not {type(value).__name__}")
    return float(value)


def _whole_number(value: Any) -> int:
    if not isinstance(value, int):
        raise TypeError(f"an MIntArray holds whole numbers, not {type(value).__name__}")
    return value


class ItemArray(Strict):
    """A list whose items are all of one kind."""

    __slots__ = ("_items",)
    _item: ClassVar[Callable[[Any], Any]]

    def __init__(self, source: Iterable[Any] | int = (), fill: Any = None, /) -> None:
        if isinstance(source, int):
            source = [fill] * source
        self._items = [type(self)._item(value) for value in source]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return type(self)(self._items[key])
        return self._items[key]

    def __setitem__(self, key: int, value: Any) -> None:
        if isinstance(key, slice):
            not_modelled("assignment to a slice of an array")
        self._items[key] = type(self)._item(value)

    def __contains__(self, value: object) -> bool:
        return value in self._items

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ItemArray) and self._items == other._items

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"maya.api.OpenMaya.{type(self).__name__}({self._items})"

    def append(self, value: Any, /) -> ItemArray:
        self._items.append(type(self)._item(value))
        return self

    def copy(self, source: Iterable[Any], /) -> ItemArray:
        self._items = [type(self)._item(value) for value in source]
        return self

    def clear(self) -> ItemArray:
        self._items.clear()
        return self

    def remove(self, index: int, /) -> ItemArray:
        del self._items[index]
        return self


def array_of(kind: type) -> Callable[[Any], Any]:
    """What takes a value of a kind and refuses any other."""

    def item(value: Any) -> Any:
        if not isinstance(value, kind):
            raise TypeError(f"an array of {kind.__name__} does not hold {type(value).__name__}")
        return value

    return item


class MDoubleArray(ItemArray):
    """Numbers."""

    __slots__ = ()
    _item = staticmethod(_number)


class MIntArray(ItemArray):
    """Whole numbers."""

    __slots__ = ()
    _item = staticmethod(_whole_number)


class MTimeArray(ItemArray):
    """Times."""

    __slots__ = ()
    _item = staticmethod(array_of(MTime))
