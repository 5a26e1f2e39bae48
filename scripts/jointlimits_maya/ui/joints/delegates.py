"""Painting of the cells of the joint list: icons, bars and marks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jointlimits_core.limits.vocabulary import LAYERS, degrees

from ..plots import bars, base
from ..toolkit.palette import Colours, colours_for, outside_colour
from ..toolkit.qt import Qt, QtCore, QtGui, QtWidgets, scaled_font
from .model import DATA, FINDINGS, ITEM_ROLE, JOINT, LAYER, RANGE, SURE, TYPE, JointLine

_WITH_BACKGROUND = (
    QtWidgets.QStyle.StateFlag.State_Selected
    | QtWidgets.QStyle.StateFlag.State_MouseOver
    | QtWidgets.QStyle.StateFlag.State_HasFocus
)
SIGN, GAP = 14.0, 5.0
ROW_HEIGHT_PX = 24


@dataclass(frozen=True)
class Brush:
    """Colours of one cell."""

    colours: Colours
    ink: str
    """Text colour; on a selected row, the text colour of the selection."""
    is_selected: bool

    def hue(self, colour: str) -> str:
        """The colour, or the ink on a selected row, whose background might hide the colour."""
        return self.ink if self.is_selected else colour


class JointCell(QtWidgets.QStyledItemDelegate):
    """Cell with a background from the style, and content that depends on the column."""

    def sizeHint(self, option: Any, index: Any) -> Any:
        """Same height for all rows, enough for three lanes; wide enough to keep lanes readable."""
        size = super().sizeHint(option, index)
        width = 150 if index.column() == RANGE else size.width()
        return QtCore.QSize(width, max(ROW_HEIGHT_PX, size.height()))

    def paint(self, painter: Any, option: Any, index: Any) -> None:
        """Paint the style's background, then the content; headings are painted by the style."""
        item, column = index.data(ITEM_ROLE), index.column()
        if item is None:  # the heading of a group
            option.font = scaled_font(option.font, 1.0, bold=True)
            super().paint(painter, option, index)
            return
        # The style paints the background even if the option has no text.
        if option.state & _WITH_BACKGROUND:
            shown = QtWidgets.QStyleOptionViewItem(option)
            widget = shown.widget
            style = widget.style() if widget is not None else QtWidgets.QApplication.style()
            style.drawControl(style.ControlElement.CE_ItemViewItem, shown, painter, widget)
        area = QtCore.QRectF(option.rect).adjusted(4, 0, -4, 0)
        paint_cell = {
            JOINT: paint_name,
            TYPE: paint_type,
            RANGE: paint_lanes,
            SURE: paint_grade,
            FINDINGS: paint_badge,
            LAYER: paint_layers,
        }[column]
        role, colours = QtGui.QPalette.ColorRole, colours_for(option.palette)
        is_selected = bool(option.state & QtWidgets.QStyle.StateFlag.State_Selected)
        ink = option.palette.color(role.HighlightedText if is_selected else role.Text).name()
        if not is_selected and not item.is_wanted:
            ink = colours.faint  # listed only because a descendant matches
        painter.save()
        painter.setClipRect(option.rect)
        brush = Brush(colours, str(ink), is_selected)
        paint_cell(painter, area, item.line, brush, item.cell(column))
        painter.restore()


def paint_name(painter: Any, area: Any, line: JointLine, brush: Brush, text: str) -> None:
    """Paint the name and, if the pose is outside, a triangle and degrees at the right."""
    if line.outside_deg > 0.0:
        words, metrics = degrees(line.outside_deg), painter.fontMetrics()
        width = metrics.horizontalAdvance(words) + SIGN + GAP
        if metrics.horizontalAdvance(text) + width + GAP > area.width():
            words, width = "", SIGN  # the name comes first; the tool tip has the angle
        mark = area.adjusted(max(area.width() - width, 0.0), 0, 0, 0)
        x, y = mark.left(), mark.center().y()
        corners = ((x + 1, y + 5), (x + 11, y + 5), (x + 6, y - 5))
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.setPen(QtGui.QPen(QtGui.QColor(brush.ink), 1.0))
        painter.setBrush(QtGui.QColor(outside_colour(line.outside_deg, brush.colours)))
        painter.drawPolygon(base.polygon(corners))
        paint_text(painter, mark.adjusted(SIGN + 2, 0, 0, 0), words, brush.ink)
        area = area.adjusted(0, 0, -width - GAP, 0)
    # Names differ at the end as often as at the beginning.
    paint_text(painter, area, text, brush.ink, Qt.TextElideMode.ElideMiddle)


def paint_type(painter: Any, area: Any, line: JointLine, brush: Brush, text: str) -> None:
    """Paint the icon and the name of the type."""
    base.paint_glyph(painter, sign_area(area), line.kind, brush.ink)
    _paint_word(painter, area, text, brush.ink)


def paint_lanes(painter: Any, area: Any, line: JointLine, brush: Brush, _: str) -> None:
    """Paint bars on their own background, so that a selection does not tint them."""
    place = area.adjusted(0, 2, 0, -2)
    painter.fillRect(place.adjusted(-2, -1, 2, 1), QtGui.QColor(brush.colours.ground))
    bars.paint_range_bar(painter, place, line.lanes, brush.colours)


def paint_grade(painter: Any, area: Any, line: JointLine, brush: Brush, text: str) -> None:
    """Paint the coloured icon and the name of the weakest grade; nothing if no limit is graded."""
    if line.grade:
        colours = brush.colours
        hues = {"firm": colours.gap, "seen": colours.interval, "open": colours.rest}
        hue = brush.hue(hues.get(line.grade, colours.faint))
        base.paint_glyph(painter, sign_area(area), line.grade, hue)
        _paint_word(painter, area, text, brush.ink)


def paint_badge(painter: Any, area: Any, line: JointLine, brush: Brush, text: str) -> None:
    """Paint the number of findings in a badge, filled if the joint itself is doubtful."""
    if not text:
        return
    text = f"! {text}" if line.is_doubtful else text
    height = min(16.0, area.height() - 4)
    width = max(height, painter.fontMetrics().horizontalAdvance(text) + 10.0)
    badge = QtCore.QRectF(area.left(), area.center().y() - 0.5 * height, width, height)
    painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
    painter.setPen(QtGui.QPen(QtGui.QColor(brush.ink), 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if line.is_doubtful:
        painter.setBrush(QtGui.QColor(brush.colours.rest))
    painter.drawRoundedRect(badge, 0.5 * height, 0.5 * height)
    painter.setPen(QtGui.QColor(brush.colours.ground if line.is_doubtful else brush.ink))
    painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, text)


def paint_layers(painter: Any, area: Any, line: JointLine, brush: Brush, text: str) -> None:
    """Paint icons of the layers above the motion, and the text; most joints have no such layer."""
    above = [layer for layer in line.layers if layer in LAYERS]
    for layer in above:
        base.paint_glyph(painter, sign_area(area), layer, brush.ink)
        area = area.adjusted(SIGN + GAP, 0, 0, 0)
    if not above or area.width() >= painter.fontMetrics().horizontalAdvance(text):
        is_plain = line.layers == (DATA,)
        paint_text(painter, area, text, brush.hue(brush.colours.faint) if is_plain else brush.ink)


def paint_text(
    painter: Any, area: Any, text: str, ink: str, where: Any = Qt.TextElideMode.ElideRight
) -> None:
    """Paint a line of text, elided at `where` if it does not fit."""
    painter.setPen(QtGui.QColor(ink))
    fitting = painter.fontMetrics().elidedText(text, where, max(int(area.width()), 0))
    painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, fitting)


def _paint_word(painter: Any, area: Any, text: str, ink: str) -> None:
    """Paint a word beside an icon, but only if the word fits."""
    area = area.adjusted(SIGN + GAP, 0, 0, 0)
    if area.width() >= painter.fontMetrics().horizontalAdvance(text) - 1:
        paint_text(painter, area, text, ink)


def sign_area(area: Any) -> Any:
    """Square at the left end of a cell."""
    return QtCore.QRectF(area.left(), area.center().y() - 0.5 * SIGN, SIGN, SIGN)
