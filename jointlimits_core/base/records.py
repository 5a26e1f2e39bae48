"""Dataclasses for modules that every estimate loads.

The standard decorator writes and compiles the text, comparison and hash of every class at each
start, which took a tenth of a short run. Here all classes share these methods; only ``__init__`` is
compiled.
"""

from __future__ import annotations

import dataclasses
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, *, frozen=False, eq=True):
        """As :func:`dataclasses.dataclass`, with the same options where it has them."""
        if cls is None:
            return lambda made: dataclass(made, frozen=frozen, eq=eq)
        shared = {"__repr__": _text}
        if eq:
            shared.update(__eq__=_equal, __hash__=_hash if frozen else None)
        if frozen:
            shared.update(__setattr__=_set_once, __delattr__=_kept)
        for name, method in shared.items():
            if vars(cls).get(name) is None:  # a class that compares has no hash of its own
                setattr(cls, name, method)
        return dataclasses.dataclass(cls, repr=False, eq=False)


def _values(record: Any) -> tuple[Any, ...]:
    """Values that are compared."""
    fields = record.__dataclass_fields__.values()
    return tuple([getattr(record, field.name) for field in fields if field.compare])


@recursive_repr()
def _text(self: Any) -> str:
    shown = [field.name for field in self.__dataclass_fields__.values() if field.repr]
    values = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
    return f"{type(self).__qualname__}({values})"


def _equal(self: Any, other: object) -> bool:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_values(self))


def _set_once(self: Any, name: str, value: Any) -> None:
    if name in self.__dict__ or name not in self.__dataclass_fields__:
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _kept(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
