"""Limits are handed to the host a moment after each change, and at the latest when all ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .qt import QtCore

if TYPE_CHECKING:
    from .window import Window

KEEP_MS = 800
"""How long after a change: a drag is many changes, and is handed over once."""


class Keeper(QtCore.QTimer):
    """Waits for a pause, and hands the limits of a window over."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._keep = window.guarded(self.keep)
        self.setSingleShot(True)
        self.setInterval(KEEP_MS)
        self.timeout.connect(self._keep)

    def keep(self) -> None:
        """Hand over what is open."""
        if self._window.document.has_limits:
            self._window.host.keep(self._window.document.limits)

    def end(self) -> None:
        """Hand over at once what waits to be, and wait for nothing more."""
        if self.isActive():
            self.stop()
            self._keep()
