"""Evidence for a joint's type: the residual of each of the four types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..geometry.bars import RESIDUAL_TICKS_DEG, TYPES, Candidate, decade_position, row_at
from ..qt import Qt, QtCore, QtGui, QtWidgets, Signal, place
from ..words import degrees, tr
from .glyphs import paint_type
from .picture import Picture, pen, tinted

__all__ = ["Candidate", "EvidenceBars", "type_word"]

_TOP, _BOTTOM, _ROW = 6.0, 24.0, 34.0
_NAME, _NUMBER = 100.0, 78.0


def type_word(kind: str) -> str:
    """Name of a joint type."""
    words = {
        "fixed": tr("fixed"),
        "hinge": tr("hinge"),
        "universal": tr("universal"),
        "ball": tr("ball"),
    }
    return words.get(kind, kind)


class EvidenceBars(Picture):
    """Four types with their residuals; a click selects one."""

    type_chosen = Signal(str)

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(230, int(_TOP + _BOTTOM + 4 * _ROW))
        self.set_name(tr("Evidence for the joint's type"))
        self._rows = tuple(Candidate(kind) for kind in TYPES)
        self._chosen, self._by_data = "", ""
        self._noise: float | None = None
        self._row = 0
        self._under: int | None = None

    def sizeHint(self) -> Any:
        """Four rows and a scale."""
        return QtCore.QSize(380, int(_TOP + _BOTTOM + 4 * _ROW))

    def set_evidence(
        self,
        candidates: Sequence[Candidate],
        chosen: str,
        by_data: str = "",
        noise_deg: float | None = None,
    ) -> None:
        """Show the candidates of a joint.

        Parameters
        ----------
        chosen : str
            Type of the joint.
        by_data : str
            Measured type; another one was set by the artist.
        noise_deg : float, optional
            Noise floor of the character.
        """
        self._rows, self._chosen = tuple(candidates), chosen
        self._by_data, self._noise = by_data or chosen, noise_deg
        kinds = [row.type for row in self._rows]
        self._row = kinds.index(chosen) if chosen in kinds else 0
        self.setAccessibleDescription("; ".join(self._row_words(row) for row in self._rows))
        self.update()

    def what_is_this(self) -> str:
        """Explanation of the picture for new users."""
        return tr(
            "Why the joint has its type. Each bar is the rotation that a type cannot explain, on a "
            "scale with a factor of ten between lines. The vertical mark is what noise and inexact "
            "motion may cause: a type whose bar ends before it fits (✓), one whose bar passes it "
            "does not (✗). The simplest type that fits is chosen. Motion that only follows the "
            "joint's own angles is partly tolerated, so a hinge may be chosen even if its bar is a "
            "little too long. A dashed frame is the measured type where somebody chose "
            "otherwise.\n"
            "To override it, click a type, or select one with the arrow keys and Enter."
        )

    # --- painting -----------------------------------------------------------------------------

    def _bar_area(self, row: int) -> Any:
        left = _NAME
        return QtCore.QRectF(left, _TOP + row * _ROW, self.width() - left - _NUMBER, _ROW)

    def paint(self, painter: Any) -> None:
        """Paint the scale, and a row for each type."""
        painter.setFont(self.small_font(0.95))
        self._paint_scale(painter)
        for row, candidate in enumerate(self._rows):
            self._paint_row(painter, row, candidate)

    def _paint_scale(self, painter: Any) -> None:
        area, colours = self._bar_area(0), self.colours
        bottom = _TOP + len(self._rows) * _ROW
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip
        if self._noise:
            wide = area.width() * decade_position(self._noise)
            shade = QtCore.QRectF(area.left(), _TOP, wide, bottom - _TOP)
            brush = QtGui.QBrush(QtGui.QColor(colours.line), Qt.BrushStyle.Dense6Pattern)
            painter.fillRect(shade, brush)
        free_from = 0.0
        for tick in RESIDUAL_TICKS_DEG:
            x = area.left() + area.width() * decade_position(tick)
            painter.setPen(pen(colours.line))
            painter.drawLine(QtCore.QPointF(x, _TOP), QtCore.QPointF(x, bottom + 3.0))
            half = 0.5 * painter.fontMetrics().horizontalAdvance(f"{tick:g}°") + 2.0
            if x - half < free_from:
                continue  # no room beside the previous number
            free_from = x + half
            painter.setPen(pen(colours.faint))
            painter.drawText(QtCore.QRectF(x - 30, bottom + 4, 60, 16), flags, f"{tick:g}°")

    def _paint_row(self, painter: Any, row: int, candidate: Candidate) -> None:
        colours, area = self.colours, self._bar_area(row)
        chosen = candidate.type == self._chosen
        whole = QtCore.QRectF(4, area.top() + 1, self.width() - 8, _ROW - 2)
        if chosen:
            painter.fillRect(whole, tinted(colours.interval, 0.14))
            painter.fillRect(
                QtCore.QRectF(whole.left(), whole.top(), 4, whole.height()),
                QtGui.QColor(colours.interval),
            )
        if row == self._under or (row == self._row and self.hasFocus()):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(pen(colours.focus, 1.2, () if row == self._under else (2.0, 2.0)))
            painter.drawRoundedRect(whole, 3, 3)
        if candidate.type == self._by_data != self._chosen:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(pen(colours.ghost, 1.6, (3.0, 1.5)))
            painter.drawRoundedRect(whole.adjusted(1, 1, -1, -1), 3, 3)
        glyph = QtCore.QRectF(14, area.center().y() - 8, 16, 16)
        paint_type(painter, glyph, candidate.type, colours.ink)
        painter.setPen(pen(colours.ink))
        painter.setFont(self.small_font(0.95, bold=chosen))
        name = QtCore.QRectF(36, area.top(), _NAME - 38, _ROW)
        painter.drawText(name, Qt.AlignmentFlag.AlignVCenter, type_word(candidate.type))
        painter.setFont(self.small_font(0.95))
        self._paint_bar(painter, area, candidate, chosen)
        self._paint_number(painter, area, candidate)

    def _paint_bar(self, painter: Any, area: Any, candidate: Candidate, chosen: bool) -> None:
        colours, tall = self.colours, 12.0
        top = area.center().y() - 0.5 * tall
        if candidate.residual_deg is not None:
            wide = max(area.width() * decade_position(candidate.residual_deg), 2.0)
            colour = colours.interval if chosen else colours.samples
            painter.fillRect(QtCore.QRectF(area.left(), top, wide, tall), QtGui.QColor(colour))
        if candidate.tolerance_deg is not None:
            x = area.left() + area.width() * decade_position(candidate.tolerance_deg)
            for colour, width in ((colours.ground, 5.0), (colours.rest, 2.4)):
                painter.setPen(pen(colour, width))
                painter.drawLine(QtCore.QPointF(x, top - 4), QtCore.QPointF(x, top + tall + 4))

    def _paint_number(self, painter: Any, area: Any, candidate: Candidate) -> None:
        sign = {True: "✓ ", False: "✗ ", None: ""}[candidate.passes]
        words = "–" if candidate.residual_deg is None else degrees(candidate.residual_deg, 2)
        box = QtCore.QRectF(area.right() + 4, area.top(), _NUMBER - 14, _ROW)
        painter.setPen(pen(self.colours.ink))
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(box, flags, sign + words)

    # --- text -----------------------------------------------------------------------------------

    def _row_words(self, candidate: Candidate) -> str:
        name = type_word(candidate.type)
        if candidate.residual_deg is None:
            words = tr("{type}: not evaluated", type=name)
        else:
            left = degrees(candidate.residual_deg, 2)
            words = tr("{type}: residual {angle}", type=name, angle=left)
        if candidate.tolerance_deg is not None:
            words += ", " + tr("tolerance {angle}", angle=degrees(candidate.tolerance_deg, 2))
        if candidate.type == self._by_data != self._chosen:
            words += "; " + tr("measured")
        if candidate.type == self._chosen:
            words += "; " + tr("chosen")
        return words

    def words_at(self, x: float, y: float) -> str:
        """Description of the type at a pixel."""
        row = row_at(y, _TOP, _ROW, self._rows)
        if row is None:
            below = y > _TOP + len(self._rows) * _ROW
            return self._noise_words() if below else ""
        return self._row_words(self._rows[row])

    def _noise_words(self) -> str:
        if self._noise is None:
            return ""
        return tr("recording noise: {angle}", angle=degrees(self._noise, 2))

    # --- mouse and keyboard -----------------------------------------------------------------------

    def mouseMoveEvent(self, event: Any) -> None:
        """Highlight the row under the mouse."""
        under = row_at(place(event)[1], _TOP, _ROW, self._rows)
        if under != self._under:
            self._under = under
            self.update()
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: Any) -> None:
        """Clear the highlight."""
        self._under = None
        self.update()
        super().leaveEvent(event)

    def mouseReleaseEvent(self, event: Any) -> None:
        """Select the clicked type."""
        row = row_at(place(event)[1], _TOP, _ROW, self._rows)
        if row is not None and event.button() == Qt.MouseButton.LeftButton:
            self._choose(row)

    def keyPressEvent(self, event: Any) -> None:
        """Up and Down move through the types, Enter or Space selects."""
        keys, key = Qt.Key, event.key()
        if key in (keys.Key_Up, keys.Key_Down):
            step = 1 if key == keys.Key_Down else -1
            self._row = min(max(self._row + step, 0), len(self._rows) - 1)
            self.say(self._row_words(self._rows[self._row]))
            self.update()
        elif key in (keys.Key_Return, keys.Key_Enter, keys.Key_Space):
            self._choose(self._row)
        else:
            super().keyPressEvent(event)

    def _choose(self, row: int) -> None:
        self._row = row
        self.update()
        if self._rows[row].type != self._chosen:
            self.type_chosen.emit(self._rows[row].type)
