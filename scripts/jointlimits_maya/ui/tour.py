"""Guided look at the first limits: three short steps beside the parts that they are about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jointlimits_core.limits import JointLimit, range_text

from .toolkit import Qt, QtCore, QtWidgets, Signal, colours_of

Step = tuple[QtWidgets.QWidget, str]
"""Part of the window, and what to do there."""
_MARGIN = 8
_WIDEST = 300


def steps_of(parts: Any, name: str, joint: JointLimit, applies_to: str) -> list[Step]:
    """The three steps, on the selected joint; `applies_to` is what Apply writes to."""
    ranges = (range_text(axis, 0) for axis in joint.limits.values() if axis.state == "limited")
    measured = next(ranges, "no limits")
    looked = parts.character if parts.character.isVisible() else parts.joints
    return [
        (looked, f"{name} was measured: {joint.type}, {measured}. Click any joint to see its "
                 "limits and the frame behind each of them."),
        (parts.joint, "A limit is wrong? Drag − or + on the dial or on the body, or exclude "
                      "the bad frame. Mirror does the same on the other side, and Ctrl+Z "
                      "takes it back."),
        (parts.bar, f"Apply writes the limits to {applies_to}."),
    ]  # fmt: skip


class Tour(QtWidgets.QFrame):
    """Card with one step at a time, over the window; its frame marks the part."""

    ended = Signal()
    """All steps were seen, or skipped."""

    def __init__(self, window: QtWidgets.QWidget) -> None:
        super().__init__(window)
        self.setObjectName("tour")
        self._steps: Sequence[Step] = ()
        self._at = 0
        self._frame = QtWidgets.QFrame(window)
        self._frame.setObjectName("tour_frame")
        self._frame.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.text, self._count = QtWidgets.QLabel(), QtWidgets.QLabel()
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.skip, self.next = QtWidgets.QPushButton("Skip"), QtWidgets.QPushButton("Next")
        self.skip.clicked.connect(self.end)
        self.next.clicked.connect(self.go_on)
        row = QtWidgets.QHBoxLayout()
        row.addWidget(self._count, 1)
        for button in (self.skip, self.next):
            row.addWidget(button)
        column = QtWidgets.QVBoxLayout(self)
        column.addWidget(self.text)
        column.addLayout(row)
        window.installEventFilter(self)
        self.hide()
        self._frame.hide()

    def begin(self, steps: Sequence[Step]) -> None:
        """Show the first step."""
        self._steps, self._at = steps, 0
        colours = colours_of(self)
        self.setStyleSheet(
            f"#tour {{ background: {colours.plate}; border: 1px solid {colours.focus}; "
            "border-radius: 6px; }"
        )
        self._frame.setStyleSheet(
            f"#tour_frame {{ border: 2px solid {colours.focus}; border-radius: 4px; }}"
        )
        self._show()

    def go_on(self) -> None:
        """Show the next step, or end after the last."""
        self._at += 1
        if self._at >= len(self._steps):
            self.end()
        else:
            self._show()

    def end(self) -> None:
        """Hide for good."""
        self.hide()
        self._frame.hide()
        self.ended.emit()

    def eventFilter(self, watched: Any, event: Any) -> bool:
        """Stay beside the part when the window changes its size."""
        if event.type() == QtCore.QEvent.Type.Resize and self.isVisible():
            QtCore.QTimer.singleShot(0, self._place)
        return False

    def _show(self) -> None:
        text = self._steps[self._at][1]
        self.text.setText(text)
        self._count.setText(f"{self._at + 1} of {len(self._steps)}")
        is_last = self._at == len(self._steps) - 1
        self.next.setText("Done" if is_last else "Next")
        self.skip.setVisible(not is_last)
        for one in (self._frame, self):
            one.show()
            one.raise_()
        self._place()

    def _place(self) -> None:
        """Put the frame around the part, and the card inside it, or below a low part."""
        part, window = self._steps[self._at][0], self.parentWidget()
        corner = part.mapTo(window, QtCore.QPoint(0, 0))
        area = QtCore.QRect(corner, part.size())
        self._frame.setGeometry(area.adjusted(-2, -2, 2, 2))
        wide = min(_WIDEST, window.width() - 2 * _MARGIN)
        self.resize(wide, max(self.layout().heightForWidth(wide), self.sizeHint().height()))
        low = area.height() < 2 * self.height()
        x = min(area.left() + _MARGIN, window.width() - wide - _MARGIN)
        y = area.bottom() + _MARGIN if low else area.bottom() - self.height() - _MARGIN
        self.move(max(x, 0), max(min(y, window.height() - self.height() - _MARGIN), 0))
