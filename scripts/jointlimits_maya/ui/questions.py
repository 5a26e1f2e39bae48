"""What the artist is asked: the one place where the window waits for an answer.

Whoever scripts the window gives it other `questions`, or replaces :func:`run` here.
"""

from __future__ import annotations

from collections.abc import Sequence

from .qt import QtWidgets, isValid, run


class Questions:
    """Asks in dialogs over the window.

    A window that nobody sees asks nobody: the answer is the one that changes nothing.

    Parameters
    ----------
    window : QWidget
    """

    def __init__(self, window: QtWidgets.QWidget) -> None:
        self._window = window

    def choose(self, text: str, answers: Sequence[str]) -> str:
        """Ask for one of some answers; the last one changes nothing, and is what Esc says."""
        if not self._is_seen():
            return answers[-1]
        box = QtWidgets.QMessageBox(self._window)
        box.setWindowTitle(self._window.windowTitle())
        box.setText(text)
        role = QtWidgets.QMessageBox.ButtonRole
        buttons = [box.addButton(answer, role.AcceptRole) for answer in answers[:-1]]
        buttons.append(box.addButton(answers[-1], role.RejectRole))
        box.setEscapeButton(buttons[-1])
        run(box)
        if not isValid(box):
            return answers[-1]  # the window went meanwhile, and the question with it
        pressed = box.clickedButton()
        box.deleteLater()
        said = (answer for answer, button in zip(answers, buttons) if button == pressed)
        return next(said, answers[-1])

    def existing_file(self, title: str, kind: str) -> str:
        """Ask for a file that is there; empty if none is wanted."""
        if not self._is_seen():
            return ""
        path, _ = QtWidgets.QFileDialog.getOpenFileName(self._window, title, "", kind)
        return str(path)

    def existing_files(self, title: str, kind: str) -> list[str]:
        """Ask for some files that are there; none if none is wanted."""
        if not self._is_seen():
            return []
        paths, _ = QtWidgets.QFileDialog.getOpenFileNames(self._window, title, "", kind)
        return [str(path) for path in paths]

    def new_file(self, title: str, wanted: str, kind: str) -> str:
        """Ask where to write; empty if nothing is wanted. Asks before another file is replaced."""
        if not self._is_seen():
            return ""
        path, _ = QtWidgets.QFileDialog.getSaveFileName(self._window, title, wanted, kind)
        return str(path)

    def _is_seen(self) -> bool:
        return bool(isValid(self._window) and self._window.isVisible())
