"""MPxCommand: the base of a plug-in's commands; and the one that runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from tests.maya_standin.open_maya.current import session
from tests.maya_standin.open_maya.strict import Display, not_modelled
from tests.maya_standin.open_maya.syntax import MArgList, MSyntax
from tests.maya_standin.session import Session


@dataclass
class Call:
    """A run of a command, and its result so far."""

    result: Any = None


_calls: WeakKeyDictionary[Session, list[Call]] = WeakKeyDictionary()
_syntaxes: WeakKeyDictionary[MPxCommand, MSyntax] = WeakKeyDictionary()


@contextmanager
def running(call: Call) -> Iterator[None]:
    """Make a call the one that setResult is for."""
    calls = _calls.setdefault(session(), [])
    calls.append(call)
    try:
        yield
    finally:
        calls.pop()


def _running() -> Call:
    calls = _calls.get(session())
    if not calls:
        return not_modelled("the result of a command while none runs")
    return calls[-1]


class MPxCommand(Display):
    """A command of a plug-in."""

    kLong, kDouble, kString, kNoArg = range(4)

    def doIt(self, args: MArgList, /) -> None:
        raise NotImplementedError(f"{type(self).__name__} has no doIt")

    def redoIt(self) -> None:
        raise NotImplementedError(f"{type(self).__name__} has no redoIt")

    def undoIt(self) -> None:
        raise NotImplementedError(f"{type(self).__name__} has no undoIt")

    def isUndoable(self) -> bool:
        return False

    def syntax(self) -> MSyntax:
        return _syntaxes[self]

    def prepare(self, syntax: MSyntax) -> None:
        """Tell a new command its syntax; for the one who runs it."""
        _syntaxes[self] = syntax

    # --- results (maya.md 3) --------------------------------------------------------------------

    @staticmethod
    def setResult(value: Any, /) -> None:
        """A bool, a number, a text, or a flat sequence of numbers or of texts."""
        if not isinstance(value, (bool, int, float, str)):
            value = _flat(value)
        _running().result = value


def _flat(values: Any) -> list[Any]:
    if isinstance(values, dict) or not isinstance(values, Sequence):
        raise TypeError(f"a result is no {type(values).__name__}")
    if not values:
        return not_modelled("an empty sequence for a result")
    texts = all(isinstance(value, str) for value in values)
    numbers = all(isinstance(value, (int, float)) for value in values)
    if not texts and not numbers:
        raise TypeError("a result is a flat sequence of numbers or of texts")
    return list(values)
