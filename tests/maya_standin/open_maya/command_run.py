"""Running a plug-in's command as maya.cmds does, and its place on the undo queue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Callable

from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.open_maya.command import Call, MPxCommand, running
from tests.maya_standin.open_maya.current import count_call, session
from tests.maya_standin.open_maya.objects import PluginRecord
from tests.maya_standin.open_maya.python_arguments import argument_list
from tests.maya_standin.open_maya.syntax import MSyntax

__all__ = ["PluginRecord", "RegisteredCommand", "run_command"]


@dataclass
class RegisteredCommand:
    """A command by its name, and how to make it; called as maya.cmds calls it."""

    name: str
    creator: Callable[[], MPxCommand]
    syntax_creator: Callable[[], MSyntax] | None = None

    def __call__(self, *objects: Any, **flags: Any) -> Any:
        return run_command(self, objects, flags)


@dataclass
class UndoableCommand:
    """A command that was run, on the undo queue; what it runs while it is undone is no item."""

    command: MPxCommand

    def undo(self) -> None:
        _without_recording(self.command.undoIt)

    def redo(self) -> None:
        _without_recording(self.command.redoIt)


def _without_recording(step: Callable[[], None]) -> None:
    queue = session().undo_queue
    before, queue.recording = queue.recording, False
    try:
        with running(Call()):
            step()
    finally:
        queue.recording = before


def run_command(
    registered: RegisteredCommand, objects: Sequence[Any], flags: dict[str, Any]
) -> Any:
    """Run a command and give its result.

    The command is one item of the undo queue where it says that it is undoable; commands that it
    runs belong to it. A command that raises leaves nothing on the queue.

    Raises
    ------
    TypeError
        For flags that the command does not have, or values of a wrong type.
    RuntimeError
        For whatever its doIt raises.
    """
    count_call(f"cmds.{registered.name}")
    syntax = registered.syntax_creator() if registered.syntax_creator else MSyntax()
    arguments = argument_list(syntax, objects, flags)
    command = registered.creator()
    command.prepare(syntax)
    queue, call = session().undo_queue, Call()
    with queue.command(registered.name) as group, running(call):
        # Direct edits of the API are not undoable (maya.md 1.2).
        with queue.journal.record_into(None):
            _do(command, arguments)
        if command.isUndoable():
            group.add(UndoableCommand(command))
    return call.result


def _do(command: MPxCommand, arguments: Any) -> None:
    # guess: error-of-a-command (an exception in doIt comes out of cmds as RuntimeError)
    try:
        command.doIt(arguments)
    except (NotModelledError, AssertionError, RuntimeError):
        raise
    except Exception as error:
        raise RuntimeError(str(error)) from error
