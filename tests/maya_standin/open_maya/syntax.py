"""MSyntax: what a plug-in's command takes; and MArgList: what it was given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.maya_standin.open_maya.strict import Strict, not_modelled
from tests.maya_standin.open_maya.units import MAngle


@dataclass
class Flag:
    """One flag of a command; names without the dash."""

    short: str
    long: str
    types: tuple[int, ...]
    multi_use: bool = False
    query_with_arguments: bool = False


class MSyntax(Strict):
    """Flags and objects of a command.

    A flag without argument types still takes a value from Python (maya.md 3); which modes there
    are is set by `enableQuery` and `enableEdit`.
    """

    __slots__ = (
        "_flags",
        "_object_type",
        "_objects",
        "_selection",
        "argument_types",
        "enableEdit",
        "enableQuery",
    )
    kInvalidArgType, kNoArg, kBoolean, kLong, kDouble, kString, kUnsigned = range(7)
    kDistance, kAngle, kTime, kSelectionItem, kLastArgType = range(7, 12)
    kInvalidObjectFormat, kNone, kStringObjects, kSelectionList, kLastObjectFormat = range(5)

    def __init__(self) -> None:
        self._flags: dict[str, Flag] = {}
        self._object_type = self.kNone
        self._objects: tuple[int, int | None] = (0, None)
        self._selection = False
        self.argument_types: list[int] = []
        self.enableQuery = False
        self.enableEdit = False

    def addFlag(self, shortName: str, longName: str, *argTypes: Any) -> MSyntax:
        """Add a flag; its argument types one by one or as a sequence, six at the most."""
        types = argTypes
        if len(types) == 1 and isinstance(types[0], Sequence):
            types = tuple(types[0])
        types = tuple(kind for kind in types if kind != self.kNoArg)
        if any(kind not in range(2, 11) for kind in types):
            raise ValueError(f"argument types of {longName}: {types}")
        if len(types) > 6:
            raise TypeError("a flag has six arguments at the most")
        if self.kSelectionItem in types:
            return not_modelled("MSyntax.kSelectionItem")
        flag = Flag(_bare(shortName), _bare(longName), types)
        self._check_names(flag)
        self._flags[flag.long] = self._flags[flag.short] = flag
        return self

    def _check_names(self, flag: Flag) -> None:
        # Autodesk, Maya SDK 2018, "Command plug-ins: Flags": short ones have three letters or
        # less, long ones four or more. That others are refused is no more than that.
        if not 1 <= len(flag.short) <= 3 or len(flag.long) < 4:
            raise RuntimeError(f"names of the flag -{flag.short} -{flag.long} are refused")
        if flag.short in self._flags or flag.long in self._flags:
            raise RuntimeError(f"the flag -{flag.short} -{flag.long} is there already")
        if {flag.short, flag.long} & {"q", "query", "e", "edit"}:
            raise RuntimeError("query and edit are enabled with enableQuery and enableEdit")

    def addArg(self, argType: int, /) -> MSyntax:
        """Add an argument that is no flag; commands have these or objects."""
        if argType not in range(2, 10):
            raise ValueError(f"argument type {argType}")
        self.argument_types.append(argType)
        return self

    def flag(self, name: str) -> Flag:
        """The flag of a short or long name, with or without its dash."""
        bare = _bare(name)
        if bare not in self._flags:
            return not_modelled(f"asking for the flag {name}, which the syntax does not have")
        return self._flags[bare]

    def has_flag(self, name: str) -> bool:
        """Whether there is a flag of that name."""
        return _bare(name) in self._flags

    def flags(self) -> list[Flag]:
        """Every flag once, in the order of addFlag."""
        return list({flag.long: flag for flag in self._flags.values()}.values())

    def makeFlagQueryWithFullArgs(self, flagName: str, argsOptional: bool, /) -> MSyntax:
        if argsOptional:
            return not_modelled("makeFlagQueryWithFullArgs with optional arguments")
        self.flag(flagName).query_with_arguments = True
        return self

    def setObjectType(self, objType: int, min: int = 0, max: int | None = None, /) -> MSyntax:
        if objType not in (self.kNone, self.kStringObjects, self.kSelectionList):
            raise ValueError(f"object format {objType!r}")
        self._object_type, self._objects = objType, (min, max)
        return self

    @property
    def object_type(self) -> int:
        """Format of the objects."""
        return self._object_type

    @property
    def object_range(self) -> tuple[int, int | None]:
        """How many objects at least and at most (None: any number)."""
        return self._objects

    @property
    def takes_selection(self) -> bool:
        """Whether the selection stands for objects that are not given."""
        return self._selection


def _bare(name: str) -> str:
    return name[1:] if name.startswith("-") else name


class MArgList(Strict):
    """Arguments in a row; times, angles and lengths in the units of the user interface."""

    __slots__ = ("_items", "given")

    def __init__(self, items: Sequence[Any] = (), /) -> None:
        self._items = list(items)
        self.given: GivenArguments | None = None

    def __len__(self) -> int:
        return len(self._items)

    def addArg(self, arg: Any, /) -> MArgList:
        if not isinstance(arg, (bool, int, float, str)):
            return not_modelled(f"MArgList.addArg of a {type(arg).__name__}")
        self._items.append(arg)
        return self

    def _item(self, index: int, *kinds: type) -> Any:
        if not 0 <= index < len(self._items):
            raise RuntimeError(f"there is no argument {index}")
        value = self._items[index]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise TypeError(f"argument {index} is a {type(value).__name__}")
        return value

    def asString(self, index: int, /) -> str:
        return str(self._item(index, str))

    def asBool(self, index: int, /) -> bool:
        return bool(self._item(index, bool, int))

    def asInt(self, index: int, /) -> int:
        return int(self._item(index, int))

    def asDouble(self, index: int, /) -> float:
        return float(self._item(index, int, float))

    asFloat = asDouble

    def asAngle(self, index: int, /) -> MAngle:
        return MAngle(self.asDouble(index), MAngle.uiUnit())


@dataclass
class GivenArguments:
    """A command's arguments, sorted: each use of each flag by its long name, and the objects."""

    uses: dict[str, list[tuple[Any, ...]]]
    objects: list[str]
    arguments: tuple[Any, ...] = ()
    query: bool = False
    edit: bool = False
