"""Settings that the window remembers: sizes, and whether the introduction was dismissed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .qt import QtCore, QtWidgets


class Remembered:
    """Settings file in the user's folder.

    Parameters
    ----------
    window : QWidget
    folder : path
    """

    def __init__(self, window: QtWidgets.QWidget, folder: Path) -> None:
        self._window = window
        form = QtCore.QSettings.Format.IniFormat
        self._settings = QtCore.QSettings(str(folder / "window.ini"), form)
        for splitter in self._splitters():
            state = self._settings.value(f"splitters/{splitter.objectName()}")
            if isinstance(state, QtCore.QByteArray):
                splitter.restoreState(state)

    @property
    def introduction_dismissed(self) -> bool:
        """Whether the introduction was dismissed."""
        return str(self._settings.value("first_card_away", "")) == "yes"

    def dismiss_introduction(self) -> None:
        """Remember that the introduction was dismissed."""
        self._settings.setValue("first_card_away", "yes")
        self._settings.sync()

    def save(self) -> None:
        """Save the sizes."""
        for splitter in self._splitters():
            self._settings.setValue(f"splitters/{splitter.objectName()}", splitter.saveState())
        self._settings.sync()

    def _splitters(self) -> list[Any]:
        return list(self._window.findChildren(QtWidgets.QSplitter))
