"""Base of the commands: flags and selection in, JSON out, undoable.

Imports numpy only when a command runs, so that the plug-in loads without it.

Flags of the commands, made from the option table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import (
    Any,
    ClassVar,
    Protocol,
    TypeVar,
)

import maya.api.OpenMaya as om

from jointlimits_core.base import Cancelled, Option, option_table, options_of

from ..base import MayaRefusedError, host
from ..scene import Answer, Prepared, SceneEdit

HELP = ("-h", "-help")
CHOICE = "scene"
"""Group of the flags that select joints; they keep their values in a query."""
_KINDS = {
    "switch": om.MSyntax.kBoolean,
    "number": om.MSyntax.kDouble,
    "integer": om.MSyntax.kLong,
    "string": om.MSyntax.kString,
    "words": om.MSyntax.kString,
    "samples": om.MSyntax.kString,
}


def flags_of(groups: Sequence[str]) -> tuple[Option, ...]:
    """Options of some groups that have a command flag."""
    return tuple(item for item in options_of(*groups) if item.maya)


def syntax_of(groups: Sequence[str], *, can_query: bool) -> om.MSyntax:
    """Syntax of a command with these option groups; its objects are names, or else the selection.

    Names are plain strings, not nodes, so that a missing node gets our own error message.
    """
    syntax = om.MSyntax()
    syntax.setObjectType(om.MSyntax.kStringObjects)
    syntax.addFlag(*HELP)  # live check: no-arg-flag-from-python
    for item in flags_of(groups):
        short, long = item.maya
        syntax.addFlag(f"-{short}", f"-{long}", _KINDS[item.type])
        if can_query and item.group == CHOICE:
            # live check: query-with-full-args
            syntax.makeFlagQueryWithFullArgs(f"-{short}", False)
    syntax.enableQuery = can_query
    return syntax


def given_options(parsed: om.MArgParser, groups: Sequence[str]) -> dict[str, Any]:
    """Values of the given flags, by option name."""
    return {
        item.name: _value(parsed, item)
        for item in flags_of(groups)
        if parsed.isFlagSet(f"-{item.maya[0]}")
    }


def _value(parsed: om.MArgParser, item: Option) -> Any:
    flag = f"-{item.maya[0]}"
    if item.type == "switch":
        return parsed.flagArgumentBool(flag, 0)
    if item.type == "number":
        return parsed.flagArgumentDouble(flag, 0)
    if item.type == "integer":
        return parsed.flagArgumentInt(flag, 0)
    return item.from_text(parsed.flagArgumentString(flag, 0))


def help_of_flags(groups: Sequence[str]) -> str:
    """Describe the flags, one per line."""
    rows = [(f"-{item.maya[0]}/-{item.maya[1]}", _described(item)) for item in flags_of(groups)]
    width = max(len(flag) for flag, _ in rows)
    return "\n".join(f"  {flag:{width}}  {text}" for flag, text in rows)


def _described(item: Option) -> str:
    default = ",".join(item.default) if isinstance(item.default, tuple) else item.default
    if item.type == "switch":
        default = str(default).lower()
    return item.help if default in (None, "") else f"{item.help} [{default}]"


_OPTION = re.compile(r"\boption (?P<spoken>\w+)|^(?P<named>\w+)(?= must be )")


def in_flags(text: str) -> str:
    """Replace option names in a message by the flags of the commands.

    Parameters
    ----------
    text : str
        Options are named in it as "the option may_move", or as "pad_deg must be ...".
    """

    def flag_of(found: re.Match[str]) -> str:
        item = option_table().get(found["spoken"] or found["named"])
        if item is None or not item.maya:
            return found[0]
        return f"flag {item.maya[1]}" if found["spoken"] else item.maya[1]

    return _OPTION.sub(flag_of, text)


class Reportable(Protocol):
    """A result that a command can report."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing was skipped."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""


Reported = TypeVar("Reported", bound=Reportable)


class JointLimitsCommand(om.MPxCommand):
    """Base of the commands.

    A command returns JSON as one string and reports what it did in one sentence, with
    ``MGlobal.displayInfo``, or ``displayWarning`` if something was skipped. A failure is shown with
    ``MGlobal.displayError`` and raised as RuntimeError; the scene is then unchanged.
    """

    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    takes: ClassVar[str] = "Name joints, or groups above joints, first; else the selection is used."
    groups: ClassVar[tuple[str, ...]] = ()
    examples: ClassVar[tuple[str, ...]] = ()
    can_query: ClassVar[str] = ""
    """Result of ``-query``; empty if the command has no query."""

    def __init__(self) -> None:
        super().__init__()
        self._edit: SceneEdit | None = None

    @classmethod
    def creator(cls) -> JointLimitsCommand:
        """Create the command, for Maya."""
        return cls()

    @classmethod
    def new_syntax(cls) -> om.MSyntax:
        """Syntax, for Maya."""
        return syntax_of(cls.groups, can_query=bool(cls.can_query))

    @classmethod
    def help_text(cls) -> str:
        """Text of ``-help``."""
        query = ["", "-query", f"  {cls.can_query}"] if cls.can_query else []
        examples = ["", "Examples (Python, then MEL)", *(f"  {line}" for line in cls.examples)]
        flags = ["", "Flags, with their defaults", help_of_flags(cls.groups)]
        return "\n".join([f"{cls.name}: {cls.summary}", cls.takes, *flags, *query, *examples])

    def doIt(self, arguments: om.MArgList) -> None:  # noqa: N802
        """Parse the arguments, plan, run and report."""
        parsed = om.MArgParser(self.syntax(), arguments)
        if parsed.isFlagSet("-help"):
            self.setResult(self.help_text())
            return
        try:
            names = tuple(parsed.getObjectStrings())
            if parsed.isQuery:
                self.setResult(self.query(names, given_options(parsed, (CHOICE,))))
                return
            options = given_options(parsed, self.groups)
            prepared = self.plan(names, options)
        except ImportError as error:
            if not host.is_numpy_missing(error):
                raise
            raise self._failed(host.advice()) from None
        except Cancelled:
            raise self._failed("stopped; nothing was changed") from None
        except (ValueError, OSError) as error:
            raise self._failed(str(error)) from None
        self._edit = prepared.edit
        try:
            self.redoIt()
        except RuntimeError as error:
            self._edit = None
            raise self._failed(str(MayaRefusedError(error))) from None
        self.setResult(in_flags(prepared.result.json))
        self._report(prepared.result)

    def plan(self, names: Sequence[str], options: dict[str, Any]) -> Prepared[Answer]:
        """Plan the command."""
        raise NotImplementedError

    def query(self, names: Sequence[str], choice: Mapping[str, Any]) -> str:
        """Result of ``-query``."""
        raise NotImplementedError

    def redoIt(self) -> None:  # noqa: N802
        """Run or redo the edit."""
        if self._edit is not None:
            self._edit.do()

    def undoIt(self) -> None:  # noqa: N802
        """Undo the edit."""
        if self._edit is not None:
            self._edit.undo()

    def isUndoable(self) -> bool:  # noqa: N802
        """Whether there is anything to undo."""
        return self._edit is not None and not self._edit.is_empty

    def _report(self, answer: Answer) -> None:
        show = om.MGlobal.displayInfo if answer.is_whole else om.MGlobal.displayWarning
        show(in_flags(f"{self.name}: {answer.sentence}"))

    def _failed(self, problem: str) -> RuntimeError:
        # live check: error-of-a-command
        message = in_flags(problem)
        om.MGlobal.displayError(f"{self.name}: {message}")
        return RuntimeError(message)


def answered(
    prepared: Prepared[Reported], wording: Callable[[Reported], tuple[str, str]]
) -> Prepared[Answer]:
    """Answer of a command for a planned result; `wording` gives its sentence and details."""
    result = prepared.result
    answer = Answer(json_of(result.to_dict()), wording(result)[0], result.is_whole)
    return Prepared(answer, prepared.edit)


def json_of(data: Any) -> str:
    """Plain data as JSON text."""
    return json.dumps(data, allow_nan=False)
