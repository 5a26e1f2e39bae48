"""Records for modules that every estimate loads: they are dataclasses, and cost a start little.

The standard decorator and ``NamedTuple`` write and compile methods for every class at each start:
``estimate`` then takes 2.7 times the processor time of ``import numpy``, and 2.3 times with these.
Here all classes share their methods, and :mod:`dataclasses` looks at a class when its fields are
first asked for.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Iterator, Mapping
from operator import itemgetter
from reprlib import recursive_repr
from threading import RLock
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

_MISSING = dataclasses.MISSING
_LOOKING = RLock()

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from typing import NamedTuple as NamedTuple
else:

    def dataclass(cls=None, *, frozen=False, eq=True):
        """As :func:`dataclasses.dataclass`, with the same options where it has them."""
        if cls is None:
            return lambda made: dataclass(made, frozen=frozen, eq=eq)
        shared = {"__repr__": _text, "__replace__": dataclasses.replace}
        if eq:
            shared.update(__eq__=_equal, __hash__=_hash if frozen else None)
        if frozen:
            shared.update(__setattr__=_kept, __delattr__=_kept)
        for name, method in shared.items():
            if vars(cls).get(name) is None:  # a class that compares has no hash of its own
                setattr(cls, name, method)
        defaults = _defaults(cls)
        cls.__match_args__ = tuple(defaults)
        cls.__init__ = _filling(cls, defaults)
        cls.__dataclass_fields__ = _OnDemand(cls, _fields)
        cls.__signature__ = _Signature(cls)
        return cls

    class _TupleMaker(type):
        def __new__(cls, name, bases, body):
            fields = tuple(body.get("__annotations__", ())) or getattr(bases[0], "_fields", ())
            own = {name: body[name] for name in fields if name in body}
            defaults = {**getattr(bases[0], "_field_defaults", {}), **own}
            body.update((name, property(itemgetter(k))) for k, name in enumerate(fields))
            body.update(_fields=fields, _field_defaults=defaults)
            body.update(__slots__=(), __match_args__=fields)
            return super().__new__(cls, name, bases, body)

    class NamedTuple(tuple, metaclass=_TupleMaker):
        """As :class:`typing.NamedTuple`, without a check of the annotations."""

        def __new__(cls, *given, **named):  # noqa: D102 - as its class
            if named or len(given) != len(cls._fields):
                given = _completed(cls, given, named)
            return tuple.__new__(cls, given)

        @classmethod
        def _make(cls, values):
            return cls(*values)

        def _asdict(self):
            return dict(zip(self._fields, self))

        def _replace(self, /, **changed):
            return type(self)(**{**self._asdict(), **changed})

        __replace__ = _replace

        def __getnewargs__(self):
            return tuple(self)

        def __repr__(self):
            values = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{type(self).__name__}({values})"


def _completed(cls: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Iterator[Any]:
    """Values of all fields of a named tuple."""
    rest = cls._fields[len(given) :]
    if len(named) == len(rest) and not named.keys() ^ set(rest):
        return iter((*given, *[named[name] for name in rest]))
    values = {**cls._field_defaults, **dict(zip(cls._fields, given)), **named}
    twice_or_many = len(given) + len(named) > len({*cls._fields[: len(given)], *named})
    wrong = sorted(values.keys() ^ set(cls._fields))
    if wrong or twice_or_many:
        named_wrong = f": {', '.join(wrong)}" if wrong else ""
        raise TypeError(f"{cls.__name__} has missing, unknown or repeated fields{named_wrong}")
    return map(values.__getitem__, cls._fields)


def _defaults(cls: Any) -> dict[str, Any]:
    """Every field with its default or its Field, bases first; the constant for one without."""
    found: dict[str, Any] = {}
    for base in cls.__bases__:
        found.update(getattr(base.__init__, "defaults", {}))
    for name in vars(cls).get("__annotations__", {}):
        value = vars(cls).get(name, _MISSING)
        has_value = not isinstance(value, dataclasses.Field) or value.default_factory is _MISSING
        found[name] = getattr(value, "default", value) if has_value else value
    return found


def _filling(cls: Any, defaults: dict[str, Any]) -> Any:
    """``__init__`` that takes and refuses what the standard one would."""
    names = tuple(defaults)
    needed = frozenset(name for name in names if defaults[name] is _MISSING)
    has_more = hasattr(cls, "__post_init__")
    factories: list[tuple[str, Any]] = [
        (name, value.default_factory)
        for name, value in defaults.items()
        if isinstance(value, dataclasses.Field)
    ]

    def fill(self: Any, /, *given: Any, **named: Any) -> None:
        values = own = {**dict(zip(names, given)), **named} if given else named
        if named or len(given) != len(names):
            values = {**defaults, **own}
            twice_or_many = len(own) < len(given) + len(named) or len(values) > len(names)
            if twice_or_many or not needed <= own.keys():
                _standard_init(cls)(self, *given, **named)  # says what is wrong
        for name, factory in factories:
            if values[name] is defaults[name]:
                values[name] = factory()
        vars(self).update(values)
        if has_more:
            self.__post_init__()

    fill.defaults = defaults  # type: ignore[attr-defined]
    return fill


class _OnDemand:
    """Attribute of a class that is made when it is first used."""

    def __init__(self, cls: type, make: Any) -> None:
        self._of, self._make = cls, make

    def __get__(self, record: object, cls: type) -> Any:
        with _LOOKING:
            return self._make(self._of)


def _fields(cls: type) -> Any:
    if isinstance(vars(cls)["__dataclass_fields__"], _OnDemand):
        dataclasses.dataclass(init=False, repr=False, eq=False)(cls)
    return vars(cls)["__dataclass_fields__"]


def _standard_init(cls: type) -> Any:
    """The standard ``__init__`` of a class."""
    made: Any = type(cls.__qualname__, (cls,), {"__doc__": "A copy."})
    return dataclasses.dataclass(repr=False, eq=False)(made).__init__


class _Signature(inspect.Signature):
    """Signature of a record class, made when it is first used.

    An attribute made on demand would not do: PySide2 returns it as it stands in the class.
    """

    _return_annotation = None

    def __init__(self, cls: type) -> None:
        self._of = cls

    @functools.cached_property
    def _parameters(self) -> Any:
        _, *parameters = inspect.signature(_standard_init(self._of)).parameters.items()
        return MappingProxyType(dict(parameters))


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


def _kept(self: Any, name: str, *_: Any) -> None:
    done = "assign to" if _ else "delete"
    raise dataclasses.FrozenInstanceError(f"cannot {done} field {name!r}")


def with_tuples(data: Mapping[str, Any]) -> dict[str, Any]:
    """Fields with lists as tuples."""
    return {key: tuple(item) if isinstance(item, list) else item for key, item in data.items()}


def with_lists(data: Mapping[str, Any]) -> dict[str, Any]:
    """Fields with tuples as lists."""
    return {key: list(item) if isinstance(item, tuple) else item for key, item in data.items()}
