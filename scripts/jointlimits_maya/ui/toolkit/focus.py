"""Ring around the control that has the keyboard focus, and around its current row."""

from __future__ import annotations

from typing import Any

from .palette import colours_of
from .qt import Qt, QtCore, QtGui, QtWidgets, isValid

WIDTH_PIXELS, GROUND_PIXELS = 2.0, 1.0
"""Width of the ring, and of the line inside it that sets it off from a selected row."""


class FocusRing(QtWidgets.QWidget):
    """Ring above a window's contents; it follows the focus and is transparent for the mouse."""

    def __init__(self, window: QtWidgets.QWidget) -> None:
        super().__init__(window, objectName="focus_ring")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._widget: Any = None
        self._row = QtCore.QRect()
        self.hide()
        QtWidgets.QApplication.instance().focusChanged.connect(self.follow)

    def follow(self, _before: Any, now: Any) -> None:
        """Mark the widget that has the focus now, if it is in the window."""
        if not isValid(self):
            return
        self._watch(QtCore.QObject.removeEventFilter)
        window = self.parentWidget()
        self._widget = now if now is not None and window.isAncestorOf(now) else None
        self._watch(QtCore.QObject.installEventFilter)
        self.setVisible(self._widget is not None)
        self.raise_()
        self._place()

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
        widget, row = self._widget, QtCore.QRect()
        if widget is None or not isValid(widget):
            return
        seen = widget.visibleRegion().boundingRect()
        corner = widget.mapTo(self.parentWidget(), seen.topLeft())
        area = QtCore.QRect(corner, seen.size())
        if isinstance(widget, QtWidgets.QAbstractItemView) and widget.currentIndex().isValid():
            view = widget.viewport()
            row = widget.visualRect(widget.currentIndex())
            row = QtCore.QRect(0, row.top(), view.width(), row.height()) & view.rect()
            row.translate(view.mapTo(self.parentWidget(), QtCore.QPoint(0, 0)) - corner)
        if area != self.geometry() or row != self._row:
            self.setGeometry(area)
            self._row = row
            self.update()

    def paintEvent(self, event: Any) -> None:
        """Paint the ring, and a second one around the current row."""
        painter, colours = QtGui.QPainter(self), colours_of(self)
        for area in (self.rect(), self._row):
            edge = 0.5 * WIDTH_PIXELS
            for colour, width in ((colours.focus, WIDTH_PIXELS), (colours.ground, GROUND_PIXELS)):
                painter.setPen(QtGui.QPen(QtGui.QColor(colour), width))
                if not area.isEmpty():
                    inner = QtCore.QRectF(area).adjusted(edge, edge, -edge, -edge)
                    painter.drawRect(inner)
                edge = WIDTH_PIXELS + 0.5 * GROUND_PIXELS
        painter.end()
