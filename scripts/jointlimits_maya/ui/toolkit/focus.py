"""Rings around the control that has the keyboard focus, and around its current row."""

from __future__ import annotations

from typing import Any

from .palette import colours_of
from .qt import Qt, QtCore, QtGui, QtWidgets, isValid

RING_PIXELS, GROUND_PIXELS = 2, 1
"""Width of a ring, and of the line inside it that sets it off from a selected row."""


class Ring(QtWidgets.QWidget):
    """Frame over other widgets; what is inside it is neither covered nor painted again."""

    def resizeEvent(self, event: Any) -> None:
        """Cut out what is inside the frame."""
        self.setMask(self._edge(RING_PIXELS + GROUND_PIXELS))

    def paintEvent(self, event: Any) -> None:
        """Paint the frame, and a line inside it."""
        painter, colours = QtGui.QPainter(self), colours_of(self)
        painter.fillRect(self.rect(), QtGui.QColor(colours.ground))
        painter.setClipRegion(self._edge(RING_PIXELS))
        painter.fillRect(self.rect(), QtGui.QColor(colours.focus))
        painter.end()

    def _edge(self, inner: int) -> QtGui.QRegion:
        inside = self.rect().adjusted(inner, inner, -inner, -inner)
        return QtGui.QRegion(self.rect()) - QtGui.QRegion(inside)


class FocusRings(QtCore.QObject):
    """Rings in a window that follow the keyboard focus."""

    def __init__(self, window: QtWidgets.QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._widget: Any = None
        self.around, self.row = Ring(window), Ring(window)
        for ring in (self.around, self.row):
            ring.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            ring.hide()
        QtWidgets.QApplication.instance().focusChanged.connect(self.follow)

    def follow(self, _before: Any, now: Any) -> None:
        """Mark the widget that has the focus now, if it is in the window."""
        if isValid(self) and isValid(self._window):
            self._watch(QtCore.QObject.removeEventFilter)
            is_here = now is not None and self._window.isAncestorOf(now)
            self._widget = now if is_here else None
            self._watch(QtCore.QObject.installEventFilter)
            self._place()
            self.around.raise_()  # only on a focus change: each raise repaints what is below
            self.row.raise_()

    def _watch(self, change: Any) -> None:
        if self._widget is not None and isValid(self._widget):
            change(self._widget, self)
            if isinstance(self._widget, QtWidgets.QAbstractScrollArea):
                change(self._widget.viewport(), self)

    def eventFilter(self, watched: Any, event: Any) -> bool:
        """Follow a widget that is moved, resized or scrolled: it is painted again."""
        if event.type() == QtCore.QEvent.Type.Paint:
            self._place()
        return False

    def _place(self) -> None:
        widget = self._widget if self._widget is not None and isValid(self._widget) else None
        area = QtCore.QRect() if widget is None else widget.visibleRegion().boundingRect()
        self._show(self.around, widget, area)
        row = QtCore.QRect()
        if isinstance(widget, QtWidgets.QAbstractItemView) and widget.currentIndex().isValid():
            at = widget.visualRect(widget.currentIndex())
            widget = widget.viewport()
            row = QtCore.QRect(0, at.top(), widget.width(), at.height()) & widget.rect()
        self._show(self.row, widget, row)

    def _show(self, ring: Ring, widget: Any, area: Any) -> None:
        if not area.isEmpty():
            ring.setGeometry(QtCore.QRect(widget.mapTo(self._window, area.topLeft()), area.size()))
        ring.setVisible(not area.isEmpty())
