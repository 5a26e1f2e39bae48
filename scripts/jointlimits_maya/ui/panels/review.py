"""Review panel, with actions that settle its entries, and a tour of the first limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jointlimits_core.limits import limit_set, review_entries, review_steps, vocabulary

from ..actions.desk import Desk
from ..toolkit.message_bar import SIGNS
from ..toolkit.palette import colours_of
from ..toolkit.qt import Qt, QtCore, QtWidgets, Signal, arrange, emphasize

DATA = Qt.ItemDataRole.UserRole
MAX_LINES_SHOWN = 6
"""Maximum number of entries shown without scrolling."""
ROW_MARGIN_PIXELS = 6
Entries = tuple[review_entries.ReviewEntry, ...]


class Lines(QtWidgets.QStyledItemDelegate):
    """Rows of two lines of text, each with its button at the right."""

    button_pixels = 0
    """Width that is kept for the buttons."""

    def sizeHint(self, option: Any, index: Any) -> QtCore.QSize:
        """The same height for every row, so that rows stay where they are."""
        return QtCore.QSize(0, row_pixels(option.fontMetrics))

    def paint(self, painter: Any, option: Any, index: Any) -> None:
        """Paint the text beside the button."""
        beside = QtWidgets.QStyleOptionViewItem(option)
        beside.rect = option.rect.adjusted(0, 0, -self.button_pixels, 0)
        super().paint(painter, beside, index)

    def updateEditorGeometry(self, button: Any, option: Any, index: Any) -> None:
        """Put the button at the right end of its row."""
        size, area = QtCore.QSize(self.button_pixels, button.sizeHint().height()), option.rect
        place = QtCore.QPoint(area.right() - size.width(), area.center().y() - size.height() // 2)
        button.setGeometry(QtCore.QRect(place, size))


def row_pixels(metrics: Any) -> int:
    """Height of a row with two lines of text."""
    return int(2 * metrics.lineSpacing() + ROW_MARGIN_PIXELS)


def subject_of(entry: review_entries.ReviewEntry) -> tuple[object, ...]:
    """Subject of an entry, which stays the same while its words change."""
    return entry.kind, entry.place, entry.clip, entry.frame_ranges[:1]


def lasting_lines(shown: Entries, entries: Entries) -> Entries:
    """Lines of a list in which shown lines stay in place, and new ones are appended.

    Entries from Apply come first, and disappear with the next change.
    """
    now = {subject_of(entry): entry for entry in entries}
    first = [entry for entry in entries if entry.kind == review_entries.APPLIED]
    stay = [one for one in shown if one.kind != review_entries.APPLIED]
    known = {subject_of(one) for one in (*first, *stay)}
    added = [entry for place, entry in now.items() if place not in known]
    return (*first, *(now.get(subject_of(one), one) for one in stay), *added)


class ReviewPanel(QtWidgets.QFrame):
    """The review of the open limits: a sentence, and a list of what to look at and suggestions.

    Settled lines stay, struck through, until the next estimate.
    """

    settle_asked = Signal(object)
    accept_asked = Signal(object)
    """Emitted with the entry to settle: by its first step, or by the other one."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(objectName="review")
        self._desk = desk
        self._problems: Entries = ()
        self._suggestions: Entries = ()
        self._measured: tuple[object, ...] = (None, None)
        desk.document.opened.connect(self._forget)
        # The joint list above gets the remaining room.
        policy = QtWidgets.QSizePolicy.Policy
        self.setSizePolicy(policy.Preferred, policy.Maximum)
        self.sentence = QtWidgets.QLabel(textFormat=Qt.TextFormat.PlainText)
        self.sentence.setSizePolicy(policy.Ignored, policy.Preferred)
        name = "What to look at first"
        self.list = QtWidgets.QListWidget(
            wordWrap=True, alternatingRowColors=True, accessibleName=name
        )
        self.list.setItemDelegate(Lines(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(self.list.ScrollMode.ScrollPerPixel)
        self.list.itemClicked.connect(self._on_item)
        self.list.itemActivated.connect(self._on_item)
        self.list.currentItemChanged.connect(self._show_actions)
        self.settle = QtWidgets.QPushButton()
        self.settle.clicked.connect(lambda: self._ask(self.settle_asked))
        self.accept = QtWidgets.QPushButton()
        self.accept.clicked.connect(lambda: self._ask(self.accept_asked))
        row = arrange(QtWidgets.QHBoxLayout(), (self.settle, 1), self.accept)
        column = arrange(QtWidgets.QVBoxLayout(self), self.sentence, (self.list, 1), row)
        column.setContentsMargins(0, 4, 0, 0)
        self.show_review(review_entries.Review(0))

    def show_review(self, found: review_entries.Review) -> None:
        """Show the review of the limits, or hide it if nothing was measured."""
        self.setVisible(found.is_about_joints)
        self._hint = "Select a problem to fix" if found.entries else "Select a suggestion"
        if self._is_new_estimate():
            self._forget()
        seen = {subject_of(entry) for entry in (*found.first, *self._problems)}
        shown = [entry for entry in found.entries if subject_of(entry) in seen]
        self._problems = lasting_lines(self._problems, tuple(shown))
        self._suggestions = lasting_lines(self._suggestions, found.suggestions)
        self._fill(found)
        for part in (self.list, self.settle, self.accept):
            part.setVisible(self.list.count() > 0)
        kind = "warning" if found.entries else "info"
        # Wrapped above a list, the sentence would get the height for its narrowest width.
        self.sentence.setWordWrap(not self.list.count())
        self.sentence.setText(f"{SIGNS[kind]} {found.sentence()}")
        colours = colours_of(self)
        emphasize(self.sentence, colours.rest if found.entries else colours.interval)
        self._show_actions()
        self.updateGeometry()

    def _forget(self) -> None:
        self._problems = self._suggestions = ()

    def _is_new_estimate(self) -> bool:
        """Whether the limits were measured again, other than by the step of a line or its undo."""
        state, (data, steps) = self._desk.document.state, self._measured
        now = (state.excluded, state.options.orientation, state.options.as_types)
        self._measured = state.data, now
        return state.data is not data and now == steps

    def _fill(self, found: review_entries.Review) -> None:
        """Show the lines, with the same one selected, and scrolled to the same place."""
        kept, bar = self._current_entry(), self.list.verticalScrollBar()
        scrolled = bar.value()
        self.list.clear()
        for number, entry in enumerate(self._problems, 1):
            self._add(entry, f"{number}. {entry.text}", entry in found.entries, kept)
        hidden = len(set(map(subject_of, found.entries)) - set(map(subject_of, self._problems)))
        if hidden:
            self._add(None, f"and {hidden} more")
        if self._suggestions:
            self._add(None, "Suggestions")
        for entry in self._suggestions:
            self._add(entry, entry.text, entry in found.suggestions, kept)
        bar.setValue(scrolled)

    def _add(
        self,
        entry: review_entries.ReviewEntry | None,
        text: str,
        is_open: bool = False,
        kept: review_entries.ReviewEntry | None = None,
    ) -> None:
        """Add a row for an open entry (selected if it is `kept`), a settled one, or plain text."""
        item = QtWidgets.QListWidgetItem(text)
        self.list.addItem(item)
        if entry is not None:
            item.setToolTip(f"{entry.text}." if is_open else f"Settled: {entry.text}.")
        if entry is None or not is_open:
            font = item.font()
            font.setStrikeOut(entry is not None)
            item.setFont(font)
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            return
        item.setData(DATA, entry)
        self.list.setItemWidget(item, self._button_of(entry))
        if kept is not None and subject_of(entry) == subject_of(kept):
            self.list.setCurrentItem(item)

    def _button_of(self, entry: review_entries.ReviewEntry) -> QtWidgets.QPushButton:
        """Button for the first step of an entry, which also selects its joint."""
        step = entry.action
        verb = "Show" if step.kind == "show" else step.text.partition(" ")[0]
        button = QtWidgets.QPushButton(verb, toolTip=f"{step.text}.", accessibleName=step.text)

        def settle() -> None:
            self._desk.entry_asked.emit(entry)
            if step.kind != "show":
                self.settle_asked.emit(entry)

        button.clicked.connect(lambda *_: settle())
        lines = self.list.itemDelegate()
        lines.button_pixels = max(lines.button_pixels, button.sizeHint().width())
        return button

    def sizeHint(self) -> QtCore.QSize:
        """Room for several entries, or only for the sentence if there are none."""
        line, shown = row_pixels(self.fontMetrics()), min(self.list.count(), MAX_LINES_SHOWN)
        size = super().sizeHint()
        around = size.height() - self.list.sizeHint().height() + 2 * self.list.frameWidth()
        return QtCore.QSize(size.width(), around + line * shown if shown else size.height())

    def _show_actions(self, *_: Any) -> None:
        entry = self._current_entry()
        self.settle.setEnabled(entry is not None)
        self.settle.setText(self._hint if entry is None else entry.action.text)
        other = None if entry is None else review_entries.other_step(entry)
        self.accept.setEnabled(other is not None)
        self.accept.setText(review_steps.KEEP if other is None else other.text)
        is_pin = other is None or other.kind == "pin"
        tip = "Pin the limit as it is; later estimates do not change it." if is_pin else ""
        self.accept.setToolTip(tip)

    def _current_entry(self) -> review_entries.ReviewEntry | None:
        item = self.list.currentItem()
        found: review_entries.ReviewEntry | None = None if item is None else item.data(DATA)
        return found

    def _on_item(self, item: Any) -> None:
        if item.data(DATA) is not None:
            self._desk.entry_asked.emit(item.data(DATA))

    def _ask(self, signal: Any) -> None:
        entry = self._current_entry()
        if entry is not None:
            signal.emit(entry)


Step = tuple[QtWidgets.QWidget, str]
"""Part of the window, and the instruction shown there."""
MARGIN_PIXELS = 8
MAX_TOUR_PIXELS = 300


def steps_of(
    parts: Any, name: str, joint: limit_set.JointLimit, applies_to: str, noun: str
) -> list[Step]:
    """The three steps, shown on the selected joint; `applies_to` names what Apply writes to."""
    ranges = (
        vocabulary.range_text(axis, 0) for axis in joint.limits.values() if axis.state == "limited"
    )
    measured = next(ranges, "no limits")
    looked = parts.character if parts.character.isVisible() else parts.joints
    return [
        (
            looked,
            f"{name}: {joint.type}, {measured}. Click any {noun} to see its "
            "limits and the frame each limit comes from.",
        ),
        (
            parts.joint,
            "A limit is wrong? Drag − or + on the dial or on the body, or exclude "
            "the bad frame. Mirror does the same on the other side, and Ctrl+Z "
            "undoes it.",
        ),
        (parts.bar, f"Apply writes the limits to {applies_to}."),
    ]


class Tour(QtWidgets.QFrame):
    """Card over the window that explains one step at a time; a frame marks the part it explains."""

    ended = Signal()
    """Emitted when all steps were seen, or skipped."""

    def __init__(self, window: QtWidgets.QWidget) -> None:
        super().__init__(window, objectName="tour")
        self._steps: Sequence[Step] = ()
        self._at = 0
        self._frame = QtWidgets.QFrame(window, objectName="tour_frame")
        self._frame.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.text = QtWidgets.QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._count = QtWidgets.QLabel()
        self.skip, self.next = QtWidgets.QPushButton("Skip"), QtWidgets.QPushButton("Next")
        self.skip.clicked.connect(self.end)
        self.next.clicked.connect(self.go_on)
        row = arrange(QtWidgets.QHBoxLayout(), (self._count, 1), self.skip, self.next)
        arrange(QtWidgets.QVBoxLayout(self), self.text, row)
        window.installEventFilter(self)
        self.hide()
        self._frame.hide()

    def begin(self, steps: Sequence[Step]) -> None:
        """Start the tour at its first step."""
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
        """End the tour."""
        self.hide()
        self._frame.hide()
        self.ended.emit()

    def eventFilter(self, watched: Any, event: Any) -> bool:
        """Stay beside the explained part when the window is resized."""
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
        """Frame the explained part, and put the card inside it, or below it if the part is low."""
        part, window = self._steps[self._at][0], self.parentWidget()
        corner = part.mapTo(window, QtCore.QPoint(0, 0))
        area = QtCore.QRect(corner, part.size())
        self._frame.setGeometry(area.adjusted(-2, -2, 2, 2))
        wide = min(MAX_TOUR_PIXELS, window.width() - 2 * MARGIN_PIXELS)
        self.resize(wide, max(self.layout().heightForWidth(wide), self.sizeHint().height()))
        low = area.height() < 2 * self.height()
        x = min(area.left() + MARGIN_PIXELS, window.width() - wide - MARGIN_PIXELS)
        y = area.bottom() + MARGIN_PIXELS if low else area.bottom() - self.height() - MARGIN_PIXELS
        self.move(max(x, 0), max(min(y, window.height() - self.height() - MARGIN_PIXELS), 0))
