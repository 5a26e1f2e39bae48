"""Edits made from Python on Maya's undo queue.

The queue takes commands only, so an edit gets there through a small command of the plug-in, which
is handed the edit by its number.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path

import maya.api.OpenMaya as om
from maya import cmds

from .errors import MayaRefusedError
from .prepared import Prepared, Result
from .scene_edit import SceneEdit

COMMAND = "jointLimitsEdit"
PLUG_IN = "jointLimits.py"
_PLUG_INS = Path(__file__).resolve().parents[2] / "plug-ins"

_numbers = count(1)
_handed_over: dict[int, SceneEdit] = {}


class EditCommand(om.MPxCommand):
    """Does one edit; for :func:`run` only."""

    def __init__(self) -> None:
        super().__init__()
        self._edit: SceneEdit | None = None

    @classmethod
    def creator(cls) -> EditCommand:
        """Make one, for Maya."""
        return cls()

    @staticmethod
    def syntax_of() -> om.MSyntax:
        """One whole number: which edit."""
        syntax = om.MSyntax()
        syntax.addArg(om.MSyntax.kLong)
        return syntax

    def doIt(self, arguments: om.MArgList) -> None:  # noqa: N802
        """Take the edit over and do it."""
        number = om.MArgDatabase(self.syntax(), arguments).commandArgumentInt(0)
        self._edit = _handed_over.pop(number, None)
        if self._edit is None:
            raise RuntimeError(f"{COMMAND} is run by jointlimits_maya, not by hand")
        self._edit.do()

    def redoIt(self) -> None:  # noqa: N802
        """Do the edit again."""
        assert self._edit is not None, "done first"
        self._edit.do()

    def undoIt(self) -> None:  # noqa: N802
        """Undo the edit."""
        assert self._edit is not None, "done first"
        self._edit.undo()

    def isUndoable(self) -> bool:  # noqa: N802
        """Whether there is anything to undo."""
        return self._edit is not None and not self._edit.is_empty


def run(edit: SceneEdit | None) -> None:
    """Do an edit as one item of the undo queue; an empty one does not get there.
    Raises
    ------
    MayaRefusedError
        If Maya refuses a part of it; the scene is as it was.
    RuntimeError
        If the plug-in cannot be loaded.
    """
    if edit is None or edit.is_empty:
        return
    load_plug_in()
    number = next(_numbers)
    _handed_over[number] = edit
    # A chunk carries the edit's own name where the command would show as jointLimitsEdit.
    cmds.undoInfo(openChunk=True, chunkName=edit.label)  # live check: undo-chunk-name
    try:
        getattr(cmds, COMMAND)(number)
    except RuntimeError as error:
        raise MayaRefusedError(error) from None
    finally:
        cmds.undoInfo(closeChunk=True)
        _handed_over.pop(number, None)


def done(prepared: Prepared[Result]) -> Result:
    """Do what is planned, as :func:`run` does, and give what is told of it."""
    run(prepared.edit)
    return prepared.result


def load_plug_in() -> None:
    """Load the plug-in unless it is loaded."""
    if not cmds.pluginInfo(PLUG_IN, query=True, loaded=True):
        # The one beside this package, whatever else is on the search path.
        cmds.loadPlugin(str(_PLUG_INS / PLUG_IN), quiet=True)
