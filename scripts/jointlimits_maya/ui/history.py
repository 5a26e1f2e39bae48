"""One undo step: the state before and the state after."""

from __future__ import annotations

from collections.abc import Callable

from .qt import QUndoCommand
from .state import State

Show = Callable[[State, State], None]
"""Called with the state that was and the one that is now."""

_GESTURE = 1


class Step(QUndoCommand):
    """A change of state.

    Parameters
    ----------
    text : str
        What was done, for the Edit menu.
    before, after : State
    show : callable
    gesture : int, optional
        Steps of one gesture, as a drag, become one; a gesture that ends where it began leaves none.
    """

    def __init__(
        self, text: str, before: State, after: State, show: Show, gesture: int | None = None
    ) -> None:
        super().__init__(text)
        self.before, self.after, self.show, self.gesture = before, after, show, gesture

    def undo(self) -> None:
        """Go back."""
        self.show(self.after, self.before)

    def redo(self) -> None:
        """Go there, the first time too."""
        self.show(self.before, self.after)

    def id(self) -> int:
        """Whether Qt may ask about merging at all."""
        return -1 if self.gesture is None else _GESTURE

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take up a later step of the same gesture."""
        if not isinstance(other, Step) or other.gesture != self.gesture:
            return False
        self.after = other.after
        self.setText(other.text())
        self.setObsolete(self.before.edits == self.after.edits)
        return True
