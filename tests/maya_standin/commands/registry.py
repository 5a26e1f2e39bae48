"""How a Python function becomes a command of maya.cmds.

A command is a function of the session, objects and keyword-only flags. A flag that the function
does not have is one that is not modelled.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass

from tests.maya_standin.commands import flags as flag_kinds
from tests.maya_standin.errors import NotModelledError

COMMANDS = {}


@dataclass(frozen=True)
class Command:
    """A modelled command: its function, its flags with their kinds, what it does to undo."""

    name: str
    function: object
    flags: dict
    undoable: bool

    def checked_flags(self, given):
        query = bool(given.get("query", False))
        for flag in given:
            if flag not in self.flags:
                raise NotModelledError(f"cmds.{self.name}({flag}=...) is not modelled")
        return {
            flag: flag_kinds.check_flag(flag, self.flags[flag], value, query)
            for flag, value in given.items()
        }

    def run(self, session, arguments, given):
        """Check the flags and run, as one item of the undo queue where the command is one."""
        session.call(f"cmds.{self.name}")
        found = self.checked_flags(given)
        if not self.undoable or found.get("query"):
            return self.function(session, *arguments, **found)
        with session.undo_queue.command(self.name):
            return self.function(session, *arguments, **found)


def command(name, undoable=False):
    """Register a function as the command of that name."""

    def register(function):
        COMMANDS[name] = Command(name, function, _flags_of(function), undoable)
        return function

    return register


def _flags_of(function):
    parameters = inspect.signature(function).parameters.values()
    return {
        parameter.name: getattr(flag_kinds, parameter.annotation)
        for parameter in parameters
        if parameter.kind is parameter.KEYWORD_ONLY
    }
