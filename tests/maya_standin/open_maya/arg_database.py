"""MArgParser and MArgDatabase: a command's arguments by flag, and its objects."""

from __future__ import annotations

from typing import Any

from tests.maya_standin.open_maya.current import scene
from tests.maya_standin.open_maya.selection import MSelectionList, name_of
from tests.maya_standin.open_maya.strict import Strict, check_kind, not_modelled
from tests.maya_standin.open_maya.syntax import Flag, MArgList, MSyntax


class MArgParser(Strict):
    """Arguments sorted by flag. A value is asked for as what its flag was declared."""

    __slots__ = ("_given", "_syntax")

    def __init__(self, syntax: MSyntax, args: MArgList, /) -> None:
        check_kind(syntax, MSyntax, what="syntax")
        check_kind(args, MArgList, what="args")
        if args.given is None:
            not_modelled("an MArgList that no command was given")
        self._syntax, self._given = syntax, args.given
        self._check_objects()

    def _check_objects(self) -> None:
        given, syntax = self._given, self._syntax
        least, most = syntax.object_range
        count = len(self._names())
        if given.objects and syntax.object_type == MSyntax.kNone:
            raise RuntimeError("The command takes no objects")
        # guess: query-object-count (a query may leave the objects out)
        if (count < least and not given.query) or (most is not None and count > most):
            raise RuntimeError(f"The command takes {least} to {most} objects, not {count}")

    def _names(self) -> list[str]:
        if self._given.objects or not self._syntax.takes_selection:
            return self._given.objects
        return [name_of(item) for item in scene().selection]

    @property
    def isQuery(self) -> bool:
        return self._given.query

    def isFlagSet(self, flagName: str, /) -> bool:
        return self._syntax.flag(flagName).long in self._given.uses

    def getObjectStrings(self) -> tuple[str, ...]:
        if self._syntax.object_type != MSyntax.kStringObjects:
            raise RuntimeError("the objects of this command are no strings")
        return tuple(self._names())

    def _command_argument(self, index: int, *kinds: int) -> Any:
        types = self._syntax.argument_types
        if not 0 <= index < len(types):
            raise RuntimeError(f"the command has no argument {index}")
        if types[index] not in kinds:
            not_modelled(f"asking for argument {index} as another type than it was declared")
        return self._given.arguments[index]

    def commandArgumentInt(self, argIndex: int, /) -> int:
        return int(self._command_argument(argIndex, MSyntax.kLong, MSyntax.kUnsigned))

    def _argument(self, name: str, index: int, *kinds: int) -> Any:
        flag = self._syntax.flag(name)
        self._check_type(flag, index, kinds)
        uses = self._given.uses.get(flag.long)
        if not uses:
            raise RuntimeError(f"the flag -{flag.long} is not set")
        if index >= len(uses[0]):
            raise RuntimeError(f"the flag -{flag.long} was given no argument {index}")
        return uses[0][index]

    @staticmethod
    def _check_type(flag: Flag, index: int, kinds: tuple[int, ...]) -> None:
        if index >= len(flag.types):
            raise RuntimeError(f"the flag -{flag.long} has no argument {index}")
        if flag.types[index] not in kinds:
            not_modelled(f"asking for -{flag.long} as another type than it was declared")

    def flagArgumentBool(self, flagName: str, argIndex: int, /) -> bool:
        return bool(self._argument(flagName, argIndex, MSyntax.kBoolean))

    def flagArgumentInt(self, flagName: str, argIndex: int, /) -> int:
        return int(self._argument(flagName, argIndex, MSyntax.kLong, MSyntax.kUnsigned))

    def flagArgumentDouble(self, flagName: str, argIndex: int, /) -> float:
        return float(self._argument(flagName, argIndex, MSyntax.kDouble))

    def flagArgumentString(self, flagName: str, argIndex: int, /) -> str:
        return str(self._argument(flagName, argIndex, MSyntax.kString))


class MArgDatabase(MArgParser):
    """An MArgParser that looks its objects up.

    RuntimeError where there is no such object (maya.md 3).
    """

    __slots__ = ("_objects",)

    def __init__(self, syntax: MSyntax, args: MArgList, /) -> None:
        super().__init__(syntax, args)
        self._objects = MSelectionList()
        if syntax.object_type == MSyntax.kSelectionList:
            for name in self._names():
                self._objects.add(name)
