"""Message line at the top: result of the last action, and progress of a running one."""

from __future__ import annotations

from typing import Any

from jointlimits_core.base.progress import TimeLeft, with_time_left

from .palette import colours_of
from .qt import Qt, QtWidgets, Signal, arrange, emphasize

SIGNS = {"info": "\N{CHECK MARK}", "warning": "!", "problem": "\N{MULTIPLICATION X}"}
"""Icons, so that the kind of a message does not depend on colour alone."""
LINES = 2
"""Visible lines of a message; the rest is under Details."""
PROGRESS_COUNT = 1000
"""Steps of the progress bar."""


class MessageBar(QtWidgets.QFrame):
    """The message line; hidden while it is empty."""

    cancel_asked = Signal()

    def __init__(self) -> None:
        super().__init__(objectName="message_bar")
        self.sign = QtWidgets.QLabel()
        self.text = QtWidgets.QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.details = QtWidgets.QToolButton(text="Details")
        self.details.clicked.connect(self.show_details)
        self.bar = QtWidgets.QProgressBar(maximumWidth=220)
        self.stop = QtWidgets.QPushButton("Cancel")
        self.stop.clicked.connect(self.cancel_asked)
        tip = "Dismiss this message"
        self.away = QtWidgets.QToolButton(text="\N{MULTIPLICATION SIGN}", toolTip=tip)
        self.away.clicked.connect(self.clear)
        parts = (self.sign, (self.text, 1), self.details, self.bar, self.stop, self.away)
        arrange(QtWidgets.QHBoxLayout(self), *parts).setContentsMargins(8, 2, 8, 2)
        # It keeps its space while hidden, so that nothing moves when a message appears.
        policy = QtWidgets.QSizePolicy.Policy
        self.text.setSizePolicy(policy.Ignored, policy.Ignored)
        kept = QtWidgets.QSizePolicy(policy.Preferred, policy.Fixed)
        kept.setRetainSizeWhenHidden(True)
        self.setSizePolicy(kept)
        height = LINES * self.fontMetrics().lineSpacing()
        self.text.setMaximumHeight(height)
        self.setFixedHeight(height + 10)
        self.kind, self._details = "", ""
        self._left = TimeLeft()
        self.clear()

    def show_message(self, text: str, kind: str = "info", details: str = "") -> None:
        """Show a message; `kind` is "info", "warning" or "problem"."""
        self.kind, self._details = kind, details
        self.text.setText(text)
        self.sign.setText(SIGNS[kind])
        self._colour()
        self.text.setToolTip(text)
        for part in (self.bar, self.stop):
            part.hide()
        self.away.show()
        self.show()
        self._fit()

    def work(self, label: str, done: int = 0, total: int = 0) -> None:
        """Show the running task, its progress and the remaining time."""
        if self.kind != "work":
            self.kind, self._left = "work", TimeLeft()
            self.sign.setText("\N{HORIZONTAL ELLIPSIS}")
            self._colour()
            self.details.hide()
            self.away.hide()
            for part in (self.bar, self.stop, self):
                part.show()
        self._left.update(done, total)
        self.text.setText(with_time_left(label, self._left))
        # In thousandths: the total may be in bytes, and too large for a progress bar.
        self.bar.setRange(0, PROGRESS_COUNT if total else 0)
        self.bar.setValue(PROGRESS_COUNT * done // max(total, 1))

    def resizeEvent(self, event: Any) -> None:
        """Offer Details if the text does not fit."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        needed = self.text.heightForWidth(max(self.text.width(), 1))
        is_cut = needed > self.text.maximumHeight() + 2
        side = Qt.AlignmentFlag.AlignTop if is_cut else Qt.AlignmentFlag.AlignVCenter
        self.text.setAlignment(Qt.AlignmentFlag.AlignLeft | side)
        self.details.setText("\N{HORIZONTAL ELLIPSIS} Details" if is_cut else "Details")
        self.details.setVisible(self.kind != "work" and (bool(self._details) or is_cut))

    def clear(self) -> None:
        """Hide the message."""
        self.kind = ""
        self.text.setText("")
        self.hide()

    def _colour(self) -> None:
        colours = colours_of(self)
        edge = {"problem": colours.alarm, "warning": colours.outside[1]}.get(
            self.kind, colours.interval
        )
        sheet = f"#message_bar {{ background: {colours.plate}; border-left: 4px solid {edge}; }}"
        if sheet != self.styleSheet():  # setting a sheet restyles every widget in the bar
            self.setStyleSheet(sheet)
            emphasize(self.sign, edge)

    def show_details(self) -> None:
        """Show the whole message and its details in a window."""
        box = QtWidgets.QDialog(self, windowTitle="Details")
        words = "\n\n".join(filter(None, (self.text.text(), self._details)))
        no_wrap = QtWidgets.QPlainTextEdit.LineWrapMode.NoWrap
        text = QtWidgets.QPlainTextEdit(words, readOnly=True, lineWrapMode=no_wrap)
        font = text.font()
        font.setFamily("monospace")
        text.setFont(font)
        QtWidgets.QVBoxLayout(box).addWidget(text)
        box.resize(760, 420)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.show()
