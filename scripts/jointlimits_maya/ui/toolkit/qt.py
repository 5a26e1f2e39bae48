"""Qt binding: the loaded one, else PySide6 (Maya 2025 and later) or PySide2 (2023, 2024).

All other modules use Qt 6 spelling and import `QtCore`, `QtGui`, `QtWidgets` and `Qt` from here.
Classes that moved between the two, and the few calls that differ, are provided here by name.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

try:
    if "PySide2.QtCore" in sys.modules:  # two bindings in one process crash it
        raise ImportError("PySide2 is in use")
    from PySide6 import QtCore, QtGui, QtWidgets
    from shiboken6 import isValid, wrapInstance

    BINDING = "PySide6"
    _moved = QtGui
except ImportError:
    from PySide2 import QtCore, QtGui, QtWidgets
    from shiboken2 import isValid, wrapInstance

    BINDING = "PySide2"
    _moved = QtWidgets

Qt = QtCore.Qt
Signal, QAction = QtCore.Signal, _moved.QAction

__all__ = ["BINDING", "QAction", "Qt", "QtCore", "QtGui", "QtWidgets", "Signal"]
__all__ += ["arrange", "combo_box", "emphasize", "global_place", "isValid", "key_sequence", "place"]
__all__ += ["run", "scaled_font", "wrapInstance"]


def place(event: Any) -> tuple[float, float]:
    """Mouse position of an event in its widget, in logical pixels."""
    point = event.position() if hasattr(event, "position") else event.localPos()
    return point.x(), point.y()


def global_place(event: Any) -> Any:
    """Mouse position of an event on the screen, as a QPoint; for tool tips and menus."""
    return (
        event.globalPosition().toPoint() if hasattr(event, "globalPosition") else event.globalPos()
    )


def key_sequence(event: Any) -> Any:
    """Keys of a key event, with their modifiers, as a QKeySequence."""
    if hasattr(event, "keyCombination"):
        return QtGui.QKeySequence(event.keyCombination())
    return QtGui.QKeySequence(int(event.modifiers()) | event.key())


def scaled_font(font: Any, share: float, bold: bool = False) -> Any:
    """Copy of a font, scaled, and never too small to read."""
    scaled, points = QtGui.QFont(font), font.pointSizeF()
    if points > 0:
        scaled.setPointSizeF(max(points * share, 6.0))
    else:
        scaled.setPixelSize(max(round(font.pixelSize() * share), 8))
    scaled.setBold(bold)
    return scaled


def has_shift() -> bool:
    """Whether Shift is held."""
    held = QtWidgets.QApplication.keyboardModifiers()
    return bool(held & Qt.KeyboardModifier.ShiftModifier)


def run(what: Any, *arguments: Any) -> Any:
    """Run an application, a dialog or a menu until it ends: `exec`, or `exec_` in PySide2."""
    return (what.exec if hasattr(what, "exec") else what.exec_)(*arguments)


def combo_box(items: Iterable[str], name: str, tip: str = "") -> Any:
    """Combo box with these items, a name for screen readers, and a tool tip."""
    box = QtWidgets.QComboBox(accessibleName=name, toolTip=tip)
    box.addItems(list(items))
    return box


def emphasize(label: Any, colour: str) -> None:
    """Show a label in bold and in a colour."""
    label.setStyleSheet(f"color: {colour}; font-weight: bold;")


class ElidedLabel(QtWidgets.QLabel):
    """Label that shortens its text in the middle if it does not fit; the tool tip has all of it."""

    def setText(self, text: str) -> None:
        """Show a text."""
        super().setText(text)
        self.setToolTip(text)

    def paintEvent(self, event: Any) -> None:
        """Paint as much of both ends of the text as fits."""
        painter, area = QtGui.QPainter(self), self.contentsRect()
        middle = Qt.TextElideMode.ElideMiddle
        words = self.fontMetrics().elidedText(self.text(), middle, area.width())
        role, flags = self.foregroundRole(), int(self.alignment())
        self.style().drawItemText(painter, area, flags, self.palette(), True, words, role)
        painter.end()


def arrange(layout: Any, *parts: Any, margin: int | None = None) -> Any:
    """Add widgets and layouts to a layout, each alone or as (item, stretch); None adds a spacer."""
    if margin is not None:
        layout.setContentsMargins(margin, margin, margin, margin)
    for part in parts:
        item, stretch = part if isinstance(part, tuple) else (part, 0)
        if item is None:
            layout.addStretch(1)
        elif isinstance(item, QtWidgets.QWidget):
            layout.addWidget(item, stretch)
        else:
            layout.addLayout(item, stretch)
    return layout
