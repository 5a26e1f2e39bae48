"""Panel for one rotate channel: its dial, fields for angles, and the source of each limit."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any

from jointlimits_core.base.text import channel_letter
from jointlimits_core.limits import limit_set, ranges, records, vocabulary

from ..plots import dial, dial_layout, icons
from ..toolkit import qt
from ..toolkit.palette import colours_of
from ..toolkit.qt import Qt, QtCore, QtGui, QtWidgets, Signal, arrange
from ..toolkit.words import frame_number, short_name

MAX_DEG = 3600.0
"""Largest angle that can be typed: keys may be many turns away from zero."""
FIELDS_PIXELS = 176
SOURCE_LINES = 2
DEGREE = "\N{DEGREE SIGN}"
_NUMBER = re.compile(r"[+-]?([0-9]+[.,]?[0-9]*|[.,][0-9]+)")


class ValueBox(QtWidgets.QDoubleSpinBox):
    """An angle as a number, with a point or comma as decimal separator.

    Any text can be typed; text that is not an angle leaves the value unchanged, and Escape restores
    it.
    """

    def __init__(self) -> None:
        no_buttons = QtWidgets.QAbstractSpinBox.ButtonSymbols.NoButtons
        super().__init__(
            suffix=DEGREE, keyboardTracking=False, buttonSymbols=no_buttons, minimumWidth=70
        )
        self.rejected: str | None = None
        """Typed text that is not an angle."""
        self.is_typed, self.is_mixed = False, False
        # Qt's own field would outlive the box once something is connected to it.
        field = QtWidgets.QLineEdit(self)
        self.setLineEdit(field)
        self.setLocale(QtCore.QLocale.c())
        self.setRange(-MAX_DEG, MAX_DEG)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        field.textEdited.connect(self.mark_typed)

    def show_mixed(self, mixed: bool) -> None:
        """Show whether the selected joints have different values for this limit."""
        self.is_mixed = mixed
        self.setSuffix(DEGREE + " differs" if mixed else DEGREE)

    def mark_typed(self, *_: object) -> None:
        """Remember that something was typed."""
        self.is_typed = True

    def event(self, event: Any) -> bool:
        """Handle Escape here, before any shortcut, while typed text is pending."""
        if event.type() == QtCore.QEvent.Type.ShortcutOverride and self._is_escape(event):
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: Any) -> None:
        """Restore the value with Escape."""
        if not self._is_escape(event):
            super().keyPressEvent(event)
            return
        self.is_typed, self.rejected = False, None
        self.setValue(self.value())
        self.selectAll()

    def _is_escape(self, event: Any) -> bool:
        return bool(self.is_typed and event.key() == Qt.Key.Key_Escape)

    def validate(self, text: str, position: int) -> Any:
        """Whether the text is an angle; anything else is rejected when typing ends."""
        state = QtGui.QValidator.State
        known = angle_in(self._plain(text)) is not None
        return (state.Acceptable if known else state.Intermediate), text, position

    def fixup(self, text: str) -> str:
        """Keep rejected text unchanged: Qt would remove commas."""
        self.rejected = self._plain(text)
        return text

    def textFromValue(self, value: float) -> str:
        """The number as the window formats it, with a second decimal only where needed."""
        digits = 1 if abs(value - round(value, 1)) < 0.5e-2 else 2
        return vocabulary.degrees(value, digits)[: -len(DEGREE)]

    def valueFromText(self, text: str) -> float:
        """Parse an angle."""
        found = angle_in(self._plain(text))
        return self.value() if found is None else found

    def _plain(self, text: str) -> str:
        mark = self.suffix()
        text = text[: -len(mark)] if text.endswith(mark) else text
        return text.replace(DEGREE, "").strip()


def angle_in(text: str) -> float | None:
    """Typed angle in degrees; None if the text is not an angle or is too far from zero."""
    plain = text.replace("\N{MINUS SIGN}", "-")
    if not _NUMBER.fullmatch(plain):
        return None
    value = float(plain.replace(",", "."))
    return value if abs(value) <= MAX_DEG else None


class AxisPanel(QtWidgets.QWidget):
    """Panel that shows and edits one channel, independently of document and joint."""

    typed = Signal(str, float)
    """A limit ("min" or "max") and its typed value; the dial reports dragged values."""
    rejected = Signal(str)
    """Emitted with a message when the typed text is not an angle."""
    state_chosen = Signal(str)
    exclude_asked = Signal(str)
    """Request to exclude the frame that a limit comes from."""

    def __init__(self, channel: str) -> None:
        super().__init__()
        self.channel = channel
        self.dial = dial.AngleDial()
        name, tip = f"Rotate {channel_letter(channel)}", "Free: no limit. Locked: cannot move."
        self.state = qt.combo_box(records.STATES, name, tip)
        self.boxes = {end: ValueBox() for end in records.BOUNDS}
        self.sources = {end: QtWidgets.QLabel(wordWrap=True) for end in records.BOUNDS}
        self.shows = {end: self._button(end, "show", "Go to frame") for end in records.BOUNDS}
        self.excludes = {
            end: self._button(end, "exclude", "Exclude frame") for end in records.BOUNDS
        }
        self.locked_at = QtWidgets.QLabel()
        self._box = QtWidgets.QBoxLayout(QtWidgets.QBoxLayout.Direction.TopToBottom, self)
        self._ends = QtWidgets.QWidget()
        self._arrange()
        self.state.activated.connect(lambda index: self.state_chosen.emit(records.STATES[index]))
        for end in records.BOUNDS:
            self.boxes[end].editingFinished.connect(partial(self._on_typed, end))
            self.shows[end].clicked.connect(lambda *_, end=end: self.dial.bound_asked.emit(end))
            self.excludes[end].clicked.connect(lambda *_, end=end: self.exclude_asked.emit(end))
            for part in (self.shows[end], self.sources[end]):
                part.setProperty("end", end)
                part.installEventFilter(self)

    def _button(self, end: str, icon: str, name: str) -> QtWidgets.QToolButton:
        words = f"{name} of {end} {channel_letter(self.channel)}"
        button = QtWidgets.QToolButton(autoRaise=True, accessibleName=words)
        button.setIcon(icons.icon_of(icon, self.palette()))
        return button

    def _arrange(self) -> None:
        self._box.setContentsMargins(2, 2, 2, 2)
        # The dial takes the remaining room; the numbers beside it must never be cut off.
        policy = QtWidgets.QSizePolicy.Policy
        self.dial.setSizePolicy(policy.Ignored, policy.Ignored)
        fields = QtWidgets.QWidget(minimumWidth=FIELDS_PIXELS)
        fields.setSizePolicy(policy.Preferred, policy.Maximum)
        letter = channel_letter(self.channel)
        self.title = QtWidgets.QLabel(f"Rotate {letter}")
        qt.emphasize(self.title, colours_of(self).of_channel(letter))
        row = arrange(QtWidgets.QHBoxLayout(), self.title, (self.state, 1), self.locked_at)
        arrange(QtWidgets.QVBoxLayout(fields, spacing=2), row, self._ends, margin=0)
        below = QtWidgets.QVBoxLayout(self._ends, spacing=2)
        for end in records.BOUNDS:
            arrange(below, self._value_row(end), self.sources[end], margin=0)
        arrange(self._box, (self.dial, 1), fields)

    def arrange(self, beside: bool, is_small: bool) -> None:
        """Put the fields beside the dial or below it; a small (locked) channel has one row."""
        way = QtWidgets.QBoxLayout.Direction
        self._box.setDirection(way.LeftToRight if beside and not is_small else way.TopToBottom)
        self._box.setAlignment(self._box.itemAt(1).widget(), Qt.AlignmentFlag.AlignVCenter)
        self.dial.setVisible(not is_small)
        self._ends.setVisible(not is_small)
        self.locked_at.setVisible(is_small)

    def _value_row(self, end: str) -> Any:
        label, box = QtWidgets.QLabel(end.capitalize()), self.boxes[end]
        label.setBuddy(box)
        box.setAccessibleName(f"{end.capitalize()} {channel_letter(self.channel)}")
        show, exclude = self.shows[end], self.excludes[end]
        show.setToolTip("Go to the frame that this limit comes from.")
        exclude.setToolTip(
            "Exclude this frame for the joint, and measure again. Shift-click excludes it for the "
            "whole body."
        )
        source = self.sources[end]
        source.setFont(qt.scaled_font(source.font(), 0.85))
        # Room for two lines, so that nothing moves when the text changes.
        source.setMinimumHeight(SOURCE_LINES * source.fontMetrics().height())
        source.setAlignment(Qt.AlignmentFlag.AlignTop)
        return arrange(QtWidgets.QHBoxLayout(spacing=3), label, (box, 1), show, exclude)

    def eventFilter(self, watched: Any, event: Any) -> bool:
        """Report the limit whose source is under the mouse."""
        kinds = QtCore.QEvent.Type
        if event.type() in (kinds.Enter, kinds.Leave):
            self.dial.bound_pointed.emit(
                watched.property("end") if event.type() == kinds.Enter else ""
            )
        return False

    def show_axis(
        self,
        axis: limit_set.AxisLimit,
        data: limit_set.AxisLimit,
        rest: float,
        pose: float | None,
        widest: float | None = None,
    ) -> None:
        """Show the range in force, and the measured one.

        `rest` and `pose` are the channel's angles in the rest and the current pose, `widest` is the
        widest range that anatomy allows, all in degrees.
        """
        low, high = ranges.span_of(axis) or (None, None)
        words = (source_words(axis.source.min), source_words(axis.source.max))
        state = dial_layout.channel_state(self.channel, axis, data, widest)
        self.dial.show_state(
            replace(state, rest=rest, pose=pose, low_words=words[0], high_words=words[1])
        )
        self.state.setCurrentIndex(records.STATES.index(axis.state))
        self.locked_at.setText("" if low is None else f"at {vocabulary.degrees(low)}")
        for end, value in zip(records.BOUNDS, (low, high)):
            self._show_bound(end, value, axis, data)
            self.sources[end].setToolTip(vocabulary.band_words(axis, end, widest))

    def _show_bound(
        self, end: str, value: float | None, axis: limit_set.AxisLimit, data: limit_set.AxisLimit
    ) -> None:
        box, known = self.boxes[end], getattr(data.source, end)
        box.setEnabled(value is not None)
        box.blockSignals(True)
        box.setValue(0.0 if value is None else value)
        box.blockSignals(False)
        source: limit_set.BoundSource | None = getattr(axis.source, end)
        words = source_words(source)
        if source is not None and source.kind == "artist" and known is not None:
            was = vocabulary.degrees(data.bound_deg(end) or 0.0)
            words = f"set by you; motion: {was}, {source_words(known)}"
        whole = "" if known is None else known.clip or ""
        self.sources[end].setText(words.replace(whole, short_name(whole)) if whole else words)
        self.sources[end].setToolTip(words)
        for button in (self.shows[end], self.excludes[end]):
            button.setEnabled(known is not None and known.frame is not None)

    def _on_typed(self, end: str) -> None:
        box, shown = self.boxes[end], self.dial.state.bound_deg(end)
        value, text, box.rejected = box.value(), box.rejected, None
        if text is None:
            is_typed, box.is_typed = box.is_typed, False
            is_new = shown is not None and abs(value - shown) > 0.5 * 10.0 ** -box.decimals()
            # The other selected joints may not have the shown joint's value yet.
            if (is_typed and box.is_mixed) or is_new:
                self.typed.emit(end, value)
            return
        if shown is not None:
            box.setValue(shown)
        if text:
            self.rejected.emit(
                f"\N{LEFT DOUBLE QUOTATION MARK}{text}\N{RIGHT DOUBLE QUOTATION MARK} is not an"
                f" angle between {vocabulary.degrees(-MAX_DEG)} and {vocabulary.degrees(MAX_DEG)}; "
                f"{box.accessibleName()} stays at {vocabulary.degrees(box.value())}."
            )


def source_words(source: limit_set.BoundSource | None) -> str:
    """Source of a limit in one line."""
    if source is None:
        return "no source"
    if source.kind == "artist":
        return "set by you"
    if source.kind == "prior":
        return "published range"
    if source.kind == "people":
        return "other people"
    where = source.clip or ""
    if source.frame is not None:
        where += f", frame {frame_number(source.frame)}"
    padded = ", padded" if source.kind == "padded" else ""
    return f"{where}{padded}; {vocabulary.mark_name(source.grade)}"
