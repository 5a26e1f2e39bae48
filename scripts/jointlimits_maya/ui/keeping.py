"""Hand-over of limits to the host, shortly after each change and when the window closes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .qt import QtCore

if TYPE_CHECKING:
    from .window import Window

KEEP_MS = 800
"""Delay after a change: a drag is many changes but one hand-over."""


class Keeper(QtCore.QTimer):
    """Timer that hands the limits of a window over after a pause."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._keep = window.guarded(self.keep)
        self.setSingleShot(True)
        self.setInterval(KEEP_MS)
        self.timeout.connect(self._keep)

    def keep(self) -> None:
        """Hand the limits over."""
        if self._window.document.has_limits:
            self._window.host.keep(self._window.document.limits)

    def end(self) -> None:
        """Hand over pending limits at once, and stop."""
        if self.isActive():
            self.stop()
            self._keep()
