"""Planned results, and undoable edits made from Python.

Maya's undo queue takes only commands, so a small command of the plug-in runs the edit, which it
finds by number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from maya import cmds

from ..base import host
from ..base.open_maya import om
from .edit import SceneEdit
from .rollback import API_ERRORS

if TYPE_CHECKING:
    from typing import ParamSpec, Protocol

    Parameters = ParamSpec("Parameters")
    Done = TypeVar("Done", covariant=True)

    class Planned(Protocol[Parameters, Done]):
        """Function that runs its plan; `plan` only plans."""

        plan: Callable[Parameters, Prepared[Any]]

        def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Done:
            """Run the plan and return its result."""


Result = TypeVar("Result")
Command = TypeVar("Command", bound="UndoableCommand")


@dataclass(frozen=True)
class Prepared(Generic[Result]):
    """A result, and the edit that produces it."""

    result: Result
    edit: SceneEdit | None = None
    """Edit that has not been made yet; None if the scene is only read."""


COMMAND = "jointLimitsEdit"
PLUG_IN = "jointLimits.py"
_PLUG_INS = Path(__file__).resolve().parents[3] / "plug-ins"

_numbers = count(1)
_handed_over: dict[int, SceneEdit] = {}


class UndoableCommand(om.MPxCommand):
    """Command that runs at most one edit."""

    def __init__(self) -> None:
        super().__init__()
        self._edit: SceneEdit | None = None

    @classmethod
    def creator(cls: type[Command]) -> Command:
        """Create the command; called by Maya."""
        return cls()

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


class EditCommand(UndoableCommand):
    """Command that runs one edit; for :func:`run` only."""

    @staticmethod
    def syntax_of() -> om.MSyntax:
        """Syntax with one integer, the number of the edit."""
        syntax = om.MSyntax()
        syntax.addArg(om.MSyntax.kLong)
        return syntax

    def doIt(self, arguments: om.MArgList) -> None:  # noqa: N802
        """Take over the edit and run it."""
        number = om.MArgDatabase(self.syntax(), arguments).commandArgumentInt(0)
        self._edit = _handed_over.pop(number, None)
        if self._edit is None:
            raise RuntimeError(f"{COMMAND} is internal to jointlimits_maya; do not run it by hand")
        self._edit.do()


def run(edit: SceneEdit | None) -> None:
    """Run an edit as one undo step; an empty edit adds nothing to the undo queue.

    Raises MayaRefusedError if Maya rejects a change: the scene is then restored, except for places
    that the error lists. Raises RuntimeError if the plug-in cannot be loaded.
    """
    if edit is None or edit.is_empty:
        return
    load_plug_in()
    number = next(_numbers)
    _handed_over[number] = edit
    # The chunk shows the edit's own label; the command alone would show as jointLimitsEdit.
    cmds.undoInfo(openChunk=True, chunkName=edit.label)  # live check: undo-chunk-name
    try:
        # Exists in `cmds` only while the plug-in is loaded.
        command: Callable[[int], object] = getattr(cmds, COMMAND)
        command(number)
    except API_ERRORS as error:
        # Maya may replace the error of a command with its own wording.
        raise (edit.refusal or host.MayaRefusedError(error)) from None
    finally:
        cmds.undoInfo(closeChunk=True)
        _handed_over.pop(number, None)


def runs_plan(plan: Callable[Parameters, Prepared[Result]]) -> Planned[Parameters, Result]:
    """Make a function for scripts that runs what `plan` plans, and returns the result.

    It has the parameters and the docstring of `plan`, and `plan` itself as an attribute.
    """

    @wraps(plan)
    def run_it(*arguments: Any, **options: Any) -> Result:
        prepared = plan(*arguments, **options)
        run(prepared.edit)
        return prepared.result

    made: Any = run_it
    result = plan.__annotations__["return"].partition("[")[2][:-1]
    made.plan, made.__signature__ = plan, signature(plan).replace(return_annotation=result)
    planned: Planned[Parameters, Result] = made
    return planned


@contextmanager
def without_undo() -> Iterator[None]:
    """Add nothing to the undo queue, and keep what is on it."""
    was_on = cmds.undoInfo(query=True, state=True)
    cmds.undoInfo(stateWithoutFlush=False)
    try:
        yield
    finally:
        cmds.undoInfo(stateWithoutFlush=was_on)


def load_plug_in() -> None:
    """Load this package's plug-in unless it is already loaded."""
    if not cmds.pluginInfo(PLUG_IN, query=True, loaded=True):
        # The plug-in of this installation, even if another one is on the search path.
        cmds.loadPlugin(str(_PLUG_INS / PLUG_IN), quiet=True)


MATRIX_NODES = "matrixNodes"


def load_matrix_nodes() -> None:
    """Load Maya's plug-in for composeMatrix and decomposeMatrix, which mayapy does not load.

    Scenes with these nodes require the plug-in; Maya loads it when it opens such a scene. Raises
    SceneError if it cannot be loaded.
    """
    # live check: matrix-nodes-in-mayapy
    if cmds.pluginInfo(MATRIX_NODES, query=True, loaded=True):
        return
    try:
        cmds.loadPlugin(MATRIX_NODES, quiet=True)
    except RuntimeError as error:
        raise host.SceneError(
            f"Maya's plug-in {MATRIX_NODES}, which has the nodes composeMatrix and "
            f"decomposeMatrix, cannot be loaded ({str(error).strip().rstrip('.')}); load it with "
            "Windows > Settings/Preferences > Plug-in Manager and try again"
        ) from None
    om.MGlobal.displayInfo(
        f"Joint Limits: loaded Maya's plug-in {MATRIX_NODES} (composeMatrix and decomposeMatrix)"
    )
