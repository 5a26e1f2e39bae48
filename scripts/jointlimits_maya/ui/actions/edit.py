"""Edit menu: actions on the selected joints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..toolkit import QtWidgets, counted

if TYPE_CHECKING:
    from ..window import Window

MOST_NAMED = 4
"""Maximum number of joints that a message names."""


class EditActions:
    """Edits of the selected joints, each one undo step of the window."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._document = window.document

    def undo(self) -> None:
        """Undo the last change in the window."""
        self._document.undo_stack.undo()

    def redo(self) -> None:
        """Redo the last undone change."""
        self._document.undo_stack.redo()

    def copy(self) -> None:
        """Copy limits to the clipboard."""
        text = self._document.edit.copy(self._chosen())
        QtWidgets.QApplication.clipboard().setText(text)
        self._window.show_message(f"Copied: {', '.join(self._chosen()[:4])}")

    def paste(self) -> None:
        """Paste limits from the clipboard."""
        text = QtWidgets.QApplication.clipboard().text()
        pasted = self._document.edit.paste(text, self._chosen())
        count, onto = len(pasted.joints), _listed(pasted.joints)
        text = counted(count, "Pasted onto {count} joint", "Pasted onto {count} joints")
        if not pasted.types:
            self._window.show_message(f"{text}: {onto}.")
            return
        types = [f"{name} from {was} to {now}" for name, (was, now) in pasted.types.items()]
        changed = f"Type changed: {_listed(types)}."
        self._window.show_message(f"{text}: {onto}. {changed}", "warning")

    def mirror(self) -> None:
        """Give the joints on the other side the mirror image."""
        chosen = self._chosen()
        done = self._document.edit.mirror(chosen)
        text = counted(len(done), "{count} joint mirrored", "{count} joints mirrored")
        text += f": {_listed([self._document.partners[name].name for name in done])}."
        left = [name for name in chosen if name not in done]
        if not left:
            self._window.show_message(text)
            return
        alone = f"Not mirrored, because they have no partner: {_listed(left)}."
        self._window.show_message(f"{text} {alone}", "warning")

    def reset(self) -> None:
        """Go back to the measured limits."""
        self._document.edit.reset(self._chosen())

    def pin(self) -> None:
        """Pin joints at their current limits."""
        self._document.edit.pin(self._chosen())

    def _chosen(self) -> tuple[str, ...]:
        chosen = self._window.selected
        if not chosen:
            raise ValueError("no joint is selected; select one in the list")
        return chosen


def _listed(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = len(names) - MOST_NAMED
    rest = counted(more, " and {count} more", " and {count} more") if more > 0 else ""
    return ", ".join(names[:MOST_NAMED]) + rest
