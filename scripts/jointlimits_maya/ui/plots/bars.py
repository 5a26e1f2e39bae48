"""Bars: a joint's ranges from -180 to 180 degrees, and residuals on a logarithmic scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jointlimits_core.limits.records import JOINT_TYPES
from jointlimits_core.limits.vocabulary import degrees
from jointlimits_core.report.figures.circle import bar_segments

from ..toolkit.palette import Colours
from ..toolkit.qt import Qt, QtCore, QtGui, Signal, place
from .base import Picture, fill, paint_glyph, pen, stroke, text_at, tint
from .dial_layout import ChannelState

MIN_DEG, MAX_DEG = 0.03, 180.0
RESIDUAL_TICKS_DEG = (0.1, 1.0, 10.0, 100.0)
MIN_PIECE_PIXELS = 2.0


@dataclass(frozen=True)
class Candidate:
    """One of the four joint types, with its residual."""

    type: str
    residual_deg: float | None = None
    """RMS of the rotation that the type cannot explain; None if it was not evaluated."""
    tolerance_deg: float | None = None
    """Residual that noise and an inexact model can cause; None if it was not computed."""

    @property
    def passes(self) -> bool | None:
        """Whether the residual is within tolerance; None if either is unknown."""
        if self.residual_deg is None or self.tolerance_deg is None:
            return None
        return self.residual_deg <= self.tolerance_deg


def decade_position(degrees: float) -> float:
    """Position of a residual on the logarithmic scale, from 0 to 1."""
    share = math.log(max(degrees, MIN_DEG) / MIN_DEG) / math.log(MAX_DEG / MIN_DEG)
    return min(share, 1.0)


TOP, BOTTOM, ROW, NAME, NUMBER = 6.0, 24.0, 34.0, 100.0, 78.0
"""Layout of the bars, in pixels."""


class EvidenceBars(Picture):
    """Residuals of the four joint types as bars; a click selects a type."""

    type_chosen = Signal(str)

    what = (
        "Why the joint has its type. Each bar shows how much rotation a type cannot explain, on "
        "a logarithmic scale: each line is ten times the one before. The vertical mark shows how "
        "much of it noise and inexact motion may cause: a type fits (✓) if its bar ends before the "
        "mark, and does not fit (✗) if its bar passes it. The simplest type that fits is chosen. "
        "Extra motion that merely follows the joint's own angles is partly tolerated, so a hinge "
        "may be chosen even if its bar is slightly too long. A dashed frame marks the measured "
        "type if someone chose a different type.\n"
        "To override the type, click another one, or select it with the arrow keys and Enter."
    )
    usual_size = (380, int(TOP + BOTTOM + 4 * ROW))
    min_size = (230, int(TOP + BOTTOM + 4 * ROW))
    title = "Evidence for the joint's type"

    def __init__(self) -> None:
        super().__init__()
        self._rows = tuple(Candidate(kind) for kind in JOINT_TYPES)
        self._chosen, self._by_data = "", ""
        self._noise: float | None = None
        self._row = 0
        self._under: int | None = None

    def set_evidence(
        self,
        candidates: Sequence[Candidate],
        chosen: str,
        by_data: str = "",
        noise_deg: float | None = None,
    ) -> None:
        """Show the candidate types of a joint, and the character's noise floor.

        `chosen`: type of the joint. `by_data`: measured type, if the artist chose a different one.
        """
        self._rows, self._chosen = tuple(candidates), chosen
        self._by_data, self._noise = by_data or chosen, noise_deg
        kinds = [row.type for row in self._rows]
        self._row = kinds.index(chosen) if chosen in kinds else 0
        self.setAccessibleDescription("; ".join(self._row_words(row) for row in self._rows))
        self.update()

    def _bar_area(self, row: int) -> Any:
        return QtCore.QRectF(NAME, TOP + row * ROW, self.width() - NAME - NUMBER, ROW)

    def _row_at(self, y: float) -> int | None:
        """Row at a pixel; None above the first row or below the last."""
        row = math.floor((y - TOP) / ROW)
        return row if 0 <= row < len(self._rows) else None

    def paint(self, painter: Any) -> None:
        """Paint the scale, and one row for each type."""
        painter.setFont(self.small_font(0.95))
        area, colours = self._bar_area(0), self.colours
        bottom = TOP + len(self._rows) * ROW
        if self._noise:
            wide = area.width() * decade_position(self._noise)
            brush = QtGui.QBrush(QtGui.QColor(colours.line), Qt.BrushStyle.Dense6Pattern)
            painter.fillRect(QtCore.QRectF(area.left(), TOP, wide, bottom - TOP), brush)
        free_from = 0.0
        for tick in RESIDUAL_TICKS_DEG:
            x = area.left() + area.width() * decade_position(tick)
            stroke(painter, colours.line, 1.0, x, TOP, x, bottom + 3.0)
            half = 0.5 * painter.fontMetrics().horizontalAdvance(f"{tick:g}°") + 2.0
            if x - half < free_from:
                continue  # would overlap the previous number
            free_from = x + half
            text_at(painter, colours.faint, x, bottom + 12.0, f"{tick:g}°")
        for row, candidate in enumerate(self._rows):
            self._paint_row(painter, row, candidate)

    def _paint_row(self, painter: Any, row: int, candidate: Candidate) -> None:
        colours, area = self.colours, self._bar_area(row)
        chosen = candidate.type == self._chosen
        whole = QtCore.QRectF(4, area.top() + 1, self.width() - 8, ROW - 2)
        if chosen:
            painter.fillRect(whole, tint(colours.interval, 0.14))
            fill(painter, colours.interval, whole.left(), whole.top(), 4, whole.height())
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if row == self._under or (row == self._row and self.hasFocus()):
            painter.setPen(pen(colours.focus, 1.2, () if row == self._under else (2.0, 2.0)))
            painter.drawRoundedRect(whole, 3, 3)
        if candidate.type == self._by_data != self._chosen:
            painter.setPen(pen(colours.ghost, 1.6, (3.0, 1.5)))
            painter.drawRoundedRect(whole.adjusted(1, 1, -1, -1), 3, 3)
        glyph = QtCore.QRectF(14, area.center().y() - 8, 16, 16)
        paint_glyph(painter, glyph, candidate.type, colours.ink)
        painter.setPen(pen(colours.ink))
        painter.setFont(self.small_font(0.95, bold=chosen))
        name = QtCore.QRectF(36, area.top(), NAME - 38, ROW)
        painter.drawText(name, Qt.AlignmentFlag.AlignVCenter, candidate.type)
        painter.setFont(self.small_font(0.95))
        tall = 12.0
        top = area.center().y() - 0.5 * tall
        if candidate.residual_deg is not None:
            wide = max(area.width() * decade_position(candidate.residual_deg), 2.0)
            colour = colours.interval if chosen else colours.samples
            fill(painter, colour, area.left(), top, wide, tall)
        if candidate.tolerance_deg is not None:
            x = area.left() + area.width() * decade_position(candidate.tolerance_deg)
            for colour, width in ((colours.ground, 5.0), (colours.rest, 2.4)):
                stroke(painter, colour, width, x, top - 4, x, top + tall + 4)
        sign = {True: "✓ ", False: "✗ ", None: ""}[candidate.passes]
        words = "–" if candidate.residual_deg is None else degrees(candidate.residual_deg, 2)
        box = QtCore.QRectF(area.right() + 4, area.top(), NUMBER - 14, ROW)
        painter.setPen(pen(colours.ink))
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(box, flags, sign + words)

    def _row_words(self, candidate: Candidate) -> str:
        residual = candidate.residual_deg
        left = "not evaluated" if residual is None else f"residual {degrees(residual, 2)}"
        words = f"{candidate.type}: {left}"
        if candidate.tolerance_deg is not None:
            words += f", tolerance {degrees(candidate.tolerance_deg, 2)}"
        if candidate.type == self._by_data != self._chosen:
            words += "; measured"
        if candidate.type == self._chosen:
            words += "; chosen"
        return words

    def words_at(self, x: float, y: float) -> str:
        """Description of the type at a pixel."""
        row = self._row_at(y)
        if row is not None:
            return self._row_words(self._rows[row])
        is_below, noise = y > TOP + len(self._rows) * ROW, self._noise
        return f"recording noise: {degrees(noise, 2)}" if is_below and noise is not None else ""

    def mouseMoveEvent(self, event: Any) -> None:
        """Highlight the row under the mouse."""
        under = self._row_at(place(event)[1])
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
        row = self._row_at(place(event)[1])
        if row is not None and event.button() == Qt.MouseButton.LeftButton:
            self._choose(row)

    def keyPressEvent(self, event: Any) -> None:
        """Move through the types with Up and Down; select one with Enter or Space."""
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


def paint_range_bar(
    painter: Any, area: Any, lanes: Sequence[ChannelState], colours: Colours
) -> None:
    """Paint the channels of a joint one below the other in a QRectF, one pixel apart."""
    painter.save()
    # Rectangles on whole pixels are sharp only without antialiasing.
    painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing, False)
    painter.translate(area.topLeft())
    gap, count = (1.0 if len(lanes) > 1 else 0.0), max(len(lanes), 1)
    height = (area.height() - gap * (count - 1)) / count
    for row, lane in enumerate(lanes):
        place = QtCore.QRectF(0.0, row * (height + gap), area.width(), height)
        _paint_lane(painter, place, lane, colours)
    zero = 0.5 * area.width()
    stroke(painter, colours.faint, 1.0, zero, 0.0, zero, area.height())
    painter.restore()


def _paint_lane(painter: Any, area: Any, lane: ChannelState, colours: Colours) -> None:
    thick = area.adjusted(0, 0.1 * area.height(), 0, -0.1 * area.height())
    thin = area.adjusted(0, 0.34 * area.height(), 0, -0.34 * area.height())
    own = colours.of_channel(lane.label)
    painter.fillRect(thin, QtGui.QColor(colours.line))
    if lane.range is None:
        painter.fillRect(thick, QtGui.QBrush(QtGui.QColor(own), Qt.BrushStyle.BDiagPattern))
    else:
        is_locked = lane.state == "locked"
        shape, colour = (area, colours.faint) if is_locked else (thick, own)
        stretches = [(band, thin, tint(own, 0.45)) for band in lane.bands]
        # At least wide enough that a locked channel stays visible.
        least = 100.0 * min(MIN_PIECE_PIXELS / area.width(), 1.0)
        for stretch, box, ink in (*stretches, (lane.range, shape, colour)):
            for start, length in bar_segments(*stretch, least):
                x, wide = 0.01 * start * area.width(), 0.01 * length * area.width()
                fill(painter, ink, x, box.top(), wide, box.height())
    marks = [(end, 1.5, colours.ghost) for end in lane.ghost or ()]
    marks += [] if lane.pose is None else [(lane.pose, 2.0, colours.pose)]
    for angle, wide, ink in marks:
        share = 1.0 if angle == 180.0 else (angle + 180.0) % 360.0 / 360.0
        left = share * (area.width() - wide)
        fill(painter, ink, left, area.top(), wide, area.height())
