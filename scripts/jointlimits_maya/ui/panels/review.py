"""Panel of the review: a line for each thing to look at, and the buttons that settle it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jointlimits_core.limits import LimitSet, Review, ReviewEntry, review

from ..toolkit import Qt, QtCore, QtWidgets, Signal, colours_of
from .message_bar import SIGNS
from .tabs import Connections

if TYPE_CHECKING:
    from ..window import Window

DATA = Qt.ItemDataRole.UserRole
MOST_LINES_SHOWN = 5
"""Entries that the list shows without scrolling."""


class ReviewPanel(QtWidgets.QFrame):
    """The review of the open limits: a sentence, and a list while there is something to see."""

    chosen = Signal(object)
    """The :class:`ReviewEntry` that was pressed."""
    settle_asked = Signal(object)
    accept_asked = Signal(object)
    """The entry to settle by its action, or to accept as it is."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("review")
        # The joints above get all other room.
        policy = QtWidgets.QSizePolicy.Policy
        self.setSizePolicy(policy.Preferred, policy.Maximum)
        self.sentence = QtWidgets.QLabel()
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.sentence.setSizePolicy(policy.Ignored, policy.Preferred)
        self.list = QtWidgets.QListWidget()
        self.list.setWordWrap(True)
        self.list.setAlternatingRowColors(True)
        self.list.setAccessibleName("What to look at first")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemClicked.connect(self._on_item)
        self.list.itemActivated.connect(self._on_item)
        self.list.currentItemChanged.connect(self._show_actions)
        self.settle = QtWidgets.QPushButton()
        self.settle.clicked.connect(lambda: self._ask(self.settle_asked))
        self.accept = QtWidgets.QPushButton("It is right")
        self.accept.setToolTip("Pin the limit as it is; later estimates do not change it.")
        self.accept.clicked.connect(lambda: self._ask(self.accept_asked))
        row = QtWidgets.QHBoxLayout()
        row.addWidget(self.settle, 1)
        row.addWidget(self.accept)
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.addWidget(self.sentence)
        column.addWidget(self.list, 1)
        column.addLayout(row)
        self.show_limits(None)

    def connections(self, window: Window) -> Connections:
        """Signals, and what they do in a window."""
        return (
            (self.chosen, window.show_entry),
            (self.settle_asked, window.edits.settle),
            (self.accept_asked, window.edits.accept),
        )

    def show_limits(self, limit_set: LimitSet | None) -> None:
        """Show the review of limits; nothing without any, or where nothing was measured."""
        found = Review(0) if limit_set is None else review(limit_set)
        self.setVisible(found.measured > 0)
        kept = self._now()
        self.list.clear()
        for number, entry in enumerate(found.first, 1):
            item = QtWidgets.QListWidgetItem(f"{number}. {entry.text}")
            item.setData(DATA, entry)
            item.setToolTip(f"{entry.text}.")
            self.list.addItem(item)
            if kept is not None and (entry.kind, entry.place) == (kept.kind, kept.place):
                self.list.setCurrentItem(item)
        if found.more:
            more = QtWidgets.QListWidgetItem(f"and {found.more} more")
            more.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(more)
        for part in (self.list, self.settle, self.accept):
            part.setVisible(bool(found.entries))
        self._show_sentence(found)
        self._show_actions()
        self.updateGeometry()

    def sizeHint(self) -> QtCore.QSize:
        """Room for a few entries of two lines; only for the sentence without any."""
        line, shown = self.fontMetrics().height(), min(self.list.count(), MOST_LINES_SHOWN)
        size = super().sizeHint()
        around = size.height() - self.list.sizeHint().height()
        return QtCore.QSize(size.width(), around + 2 * line * shown if shown else size.height())

    def _show_sentence(self, found: Review) -> None:
        kind = "warning" if found.entries else "info"
        # Beside the list, its room would be reckoned for the narrowest width.
        self.sentence.setWordWrap(not found.entries)
        self.sentence.setText(f"{SIGNS[kind]} {found.sentence()}")
        colours = colours_of(self)
        colour = colours.rest if found.entries else colours.interval
        self.sentence.setStyleSheet(f"color: {colour}; font-weight: bold;")

    def _show_actions(self, *_: Any) -> None:
        entry = self._now()
        self.settle.setEnabled(entry is not None)
        self.accept.setEnabled(entry is not None and bool(entry.joint))
        self.settle.setText("Choose a line to settle it" if entry is None else entry.action.text)

    def _now(self) -> ReviewEntry | None:
        item = self.list.currentItem()
        found: ReviewEntry | None = None if item is None else item.data(DATA)
        return found

    def _on_item(self, item: Any) -> None:
        if item.data(DATA) is not None:
            self.chosen.emit(item.data(DATA))

    def _ask(self, signal: Any) -> None:
        entry = self._now()
        if entry is not None:
            signal.emit(entry)
