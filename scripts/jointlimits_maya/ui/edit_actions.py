"""What the Edit menu does with the selected joints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .qt import QtWidgets
from .words import counted, tr

if TYPE_CHECKING:
    from .window import Window


class EditActions:
    """Edits of the selected joints, each one undo step of the window.

    Parameters
    ----------
    window : Window
    """

    def __init__(self, window: Window) -> None:
        self._window = window
        self._document = window.document

    def undo(self) -> None:
        """Take the last change in the window back."""
        self._document.undo_stack.undo()

    def redo(self) -> None:
        """Do it again."""
        self._document.undo_stack.redo()

    def copy(self) -> None:
        """Copy limits to the clipboard."""
        text = self._document.edit.copy(self._chosen())
        QtWidgets.QApplication.clipboard().setText(text)
        self._window.say(tr("Copied: {joints}", joints=", ".join(self._chosen()[:4])))

    def paste(self) -> None:
        """Paste limits from the clipboard."""
        text = QtWidgets.QApplication.clipboard().text()
        self._document.edit.paste(text, self._chosen())

    def mirror(self) -> None:
        """Give the other side the mirror image."""
        chosen = self._chosen()
        self._document.edit.mirror(chosen)
        said = counted(len(chosen), "{count} joint mirrored", "{count} joints mirrored")
        others = [self._document.partners[name].name for name in chosen]
        self._window.say(f"{said}: {', '.join(others[:4])}.")

    def reset(self) -> None:
        """Go back to what the data say."""
        self._document.edit.reset(self._chosen())

    def keep(self) -> None:
        """Keep joints as they are."""
        self._document.edit.keep(self._chosen())

    def _chosen(self) -> tuple[str, ...]:
        chosen = self._window.selected
        if not chosen:
            raise ValueError(tr("no joint is selected; select one in the list"))
        return chosen
