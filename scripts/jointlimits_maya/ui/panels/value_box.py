"""Input field for an angle, which rejects anything else with a message."""

from __future__ import annotations

import re
from typing import Any

from ..qt import Qt, QtCore, QtGui, QtWidgets
from ..words import tr

MOST_DEG = 3600.0
"""Keys may be many turns away from zero."""
DEGREE = "\N{DEGREE SIGN}"
_NUMBER = re.compile(r"[+-]?([0-9]+[.,]?[0-9]*|[.,][0-9]+)")


class ValueBox(QtWidgets.QDoubleSpinBox):
    """An angle as a number, with a point or comma as decimal separator.

    Any text can be typed; text that is not an angle leaves the value unchanged, and Escape restores
    it.
    """

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self._refused: str | None = None
        self._typed, self.is_mixed = False, False
        # Qt's own field would outlive the box once something is connected to it.
        field = QtWidgets.QLineEdit(self)
        self.setLineEdit(field)
        self.setLocale(QtCore.QLocale.c())
        self.setRange(-MOST_DEG, MOST_DEG)
        self.setDecimals(2)
        self.setSuffix(DEGREE)
        self.setKeyboardTracking(False)
        self.setButtonSymbols(QtWidgets.QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setMinimumWidth(70)
        field.textEdited.connect(self._on_edited)

    def set_mixed(self, mixed: bool) -> None:
        """Mark that the selected joints have different values here, or the same one."""
        self.is_mixed = mixed
        self.setSuffix(DEGREE + tr(" differs") if mixed else DEGREE)

    def take_refused(self) -> str | None:
        """Return rejected text once, None if there is none."""
        text, self._refused = self._refused, None
        return text

    def take_typed(self) -> bool:
        """Whether anything was typed since the last call."""
        typed, self._typed = self._typed, False
        return typed

    def event(self, event: Any) -> bool:
        """Handle Escape here, before any shortcut, while typed text is pending."""
        if event.type() == QtCore.QEvent.Type.ShortcutOverride and self._is_taken_back(event):
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: Any) -> None:
        """Restore the value with Escape."""
        if not self._is_taken_back(event):
            super().keyPressEvent(event)
            return
        self._typed, self._refused = False, None
        self.setValue(self.value())
        self.selectAll()

    def _is_taken_back(self, event: Any) -> bool:
        return bool(self._typed and event.key() == Qt.Key.Key_Escape)

    def validate(self, text: str, position: int) -> Any:
        """Whether a text is an angle; other text may be typed and is rejected at the end."""
        state = QtGui.QValidator.State
        known = angle_in(self._plain(text)) is not None
        return (state.Acceptable if known else state.Intermediate), text, position

    def fixup(self, text: str) -> str:
        """Keep rejected text unchanged: Qt would remove commas."""
        self._refused = self._plain(text)
        return text

    def valueFromText(self, text: str) -> float:
        """Parse an angle."""
        found = angle_in(self._plain(text))
        return self.value() if found is None else found

    def _plain(self, text: str) -> str:
        """Typed text without the suffix."""
        mark = self.suffix()
        text = text[: -len(mark)] if text.endswith(mark) else text
        return text.replace(DEGREE, "").strip()

    def _on_edited(self, _: str) -> None:
        self._typed = True


def angle_in(text: str) -> float | None:
    """Typed angle in degrees; None if it is not an angle, or too far from zero."""
    plain = text.replace("\N{MINUS SIGN}", "-")
    if not _NUMBER.fullmatch(plain):
        return None
    value = float(plain.replace(",", "."))
    return value if abs(value) <= MOST_DEG else None
