"""Undo history: a list of states, not held by Qt.

QUndoStack takes ownership of commands created by Python, and Python's garbage collector may free
them before the stack frees them again: a crash some time after a window was closed. States are
values, so a list of them does as well. The methods are named as those of QUndoStack.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .qt import QtCore, Signal
from .state import State

Show = Callable[[State, State], None]
"""Called with the previous state and the current one."""


@dataclass(frozen=True, eq=False)
class Step:
    """One undo step.

    Parameters
    ----------
    text : str
        Entry in the Edit menu.
    gesture : int, optional
        Steps of one gesture, such as a drag, are merged; one that ends where it began leaves none.
    """

    text: str
    before: State
    after: State
    gesture: int | None = None


class History(QtCore.QObject):
    """Steps that were done, and undone steps that can be redone.

    Parameters
    ----------
    show : callable
        Goes from one state to another.
    most : int
        Maximum number of steps.
    parent : QObject

    Notes
    -----
    `indexChanged` passes the number of steps done, whenever it or a text changes.
    """

    indexChanged = Signal(int)

    def __init__(self, show: Show, most: int, parent: QtCore.QObject) -> None:
        super().__init__(parent)
        self._show, self._most = show, most
        self._steps: list[Step] = []
        self._index = 0
        self._clean: int | None = 0

    def push(self, step: Step) -> None:
        """Do a step; undone steps can no longer be redone."""
        self._show(step.before, step.after)
        del self._steps[self._index :]
        if self._clean is not None and self._clean > self._index:
            self._clean = None
        if self._goes_on(step):
            self._go_on(step)
        else:
            self._steps.append(step)
            self._index += 1
            self._drop_oldest()
        self.indexChanged.emit(self._index)

    def undo(self) -> None:
        """Undo one step, if there is one."""
        if self.canUndo():
            step = self._steps[self._index - 1]
            self._show(step.after, step.before)
            self._move_to(self._index - 1)

    def redo(self) -> None:
        """Redo the step that was undone last, if there is one."""
        if self.canRedo():
            step = self._steps[self._index]
            self._show(step.before, step.after)
            self._move_to(self._index + 1)

    def drop(self, gesture: int) -> None:
        """Remove a cancelled gesture, as if it had never happened."""
        if not self._index or self._steps[self._index - 1].gesture != gesture:
            return
        step = self._steps[self._index - 1]
        self._show(step.after, step.before)
        del self._steps[self._index - 1 :]
        if self._clean is not None and self._clean >= self._index:
            self._clean = None
        self._move_to(self._index - 1)

    def clear(self) -> None:
        """Forget all steps; the state stays and counts as saved."""
        self._steps.clear()
        self._clean = 0
        self._move_to(0)

    def setClean(self) -> None:
        """Mark the current state as the saved one."""
        self._clean = self._index
        self.indexChanged.emit(self._index)

    def isClean(self) -> bool:
        """Whether the state is the saved one."""
        return self._clean == self._index

    def count(self) -> int:
        """Number of steps, including undone ones."""
        return len(self._steps)

    def index(self) -> int:
        """Number of steps done."""
        return self._index

    def canUndo(self) -> bool:
        """Whether there is a step to undo."""
        return self._index > 0

    def canRedo(self) -> bool:
        """Whether there is a step to redo."""
        return self._index < len(self._steps)

    def undoText(self) -> str:
        """Text of the step that :meth:`undo` would undo."""
        return self._steps[self._index - 1].text if self.canUndo() else ""

    def redoText(self) -> str:
        """Text of the step that :meth:`redo` would redo."""
        return self._steps[self._index].text if self.canRedo() else ""

    def _goes_on(self, step: Step) -> bool:
        """Whether a step continues the gesture of the last one, which is not the saved state."""
        if step.gesture is None or not self._index or self.isClean():
            return False
        return self._steps[-1].gesture == step.gesture

    def _go_on(self, step: Step) -> None:
        """Extend the last step to the end of this one; drop it if that is where it began."""
        last = self._steps.pop()
        if last.before.edits == step.after.edits:
            self._index -= 1
        else:
            self._steps.append(replace(last, text=step.text, after=step.after))

    def _drop_oldest(self) -> None:
        over = len(self._steps) - self._most
        if over > 0:
            del self._steps[:over]
            self._index -= over
            if self._clean is not None:
                self._clean = self._clean - over if self._clean >= over else None

    def _move_to(self, index: int) -> None:
        self._index = index
        self.indexChanged.emit(index)
