"""Questions to the artist: the only place where the window waits for an answer.

A script can give the window another `questions`, or replace :func:`run` here.
"""

from __future__ import annotations

from collections.abc import Sequence

from .qt import QtWidgets, isValid, run


class Questions:
    """Dialogs over the window.

    A hidden window shows no dialog: the answer is the one that changes nothing.

    Parameters
    ----------
    window : QWidget
    """

    def __init__(self, window: QtWidgets.QWidget) -> None:
        self._window = window

    def choose(self, text: str, answers: Sequence[str]) -> str:
        """Ask for one of several answers; the last one changes nothing, and Esc chooses it."""
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
            return answers[-1]  # the window was closed meanwhile, with the question
        pressed = box.clickedButton()
        box.deleteLater()
        chosen = (answer for answer, button in zip(answers, buttons) if button == pressed)
        return next(chosen, answers[-1])

    def existing_file(self, title: str, kind: str) -> str:
        """Ask for an existing file; empty if cancelled."""
        if not self._is_seen():
            return ""
        path, _ = QtWidgets.QFileDialog.getOpenFileName(self._window, title, "", kind)
        return str(path)

    def existing_files(self, title: str, kind: str) -> list[str]:
        """Ask for existing files; empty if cancelled."""
        if not self._is_seen():
            return []
        paths, _ = QtWidgets.QFileDialog.getOpenFileNames(self._window, title, "", kind)
        return [str(path) for path in paths]

    def new_file(self, title: str, wanted: str, kind: str) -> str:
        """Ask for a file to write, confirming replacement; empty if cancelled."""
        if not self._is_seen():
            return ""
        path, _ = QtWidgets.QFileDialog.getSaveFileName(self._window, title, wanted, kind)
        return str(path)

    def _is_seen(self) -> bool:
        return bool(isValid(self._window) and self._window.isVisible())
