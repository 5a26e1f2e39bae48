"""Icons for joint types and for grades of limits: one shape each, as in the report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..toolkit import Qt, QtCore, QtGui

_UNIT = 16.0


def paint_type(painter: Any, area: Any, kind: str, colour: str) -> None:
    """Paint the icon of a joint type ("fixed", "hinge", "universal", "ball") in a QRectF."""
    _paint_in(painter, area, colour, _TYPES.get(kind, _unknown))


def paint_grade(painter: Any, area: Any, grade: str, colour: str) -> None:
    """Paint the icon of a grade ("firm", "seen", "open", "untested") or of a layer."""
    _paint_in(painter, area, colour, _GRADES.get(grade, _unknown))


def _paint_in(painter: Any, area: Any, colour: str, paint: Callable[[Any, Any], None]) -> None:
    """Paint in a square of 16 units at the centre of an area."""
    side = min(area.width(), area.height())
    painter.save()
    painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
    painter.translate(area.center().x() - 0.5 * side, area.center().y() - 0.5 * side)
    painter.scale(side / _UNIT, side / _UNIT)
    ink = QtGui.QColor(colour)
    painter.setPen(QtGui.QPen(ink, 1.6))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    paint(painter, ink)
    painter.restore()


def _fixed(painter: Any, ink: Any) -> None:
    painter.setBrush(ink)
    painter.drawRoundedRect(QtCore.QRectF(3.5, 3.5, 9, 9), 1.5, 1.5)


def _hinge(painter: Any, ink: Any) -> None:
    painter.drawLine(QtCore.QPointF(8, 1), QtCore.QPointF(8, 15))
    painter.drawArc(QtCore.QRectF(2.5, 3, 11, 10), -90 * 16, 150 * 16)


def _universal(painter: Any, ink: Any) -> None:
    painter.drawLine(QtCore.QPointF(8, 1), QtCore.QPointF(8, 15))
    painter.drawLine(QtCore.QPointF(1, 8), QtCore.QPointF(15, 8))


def _ball(painter: Any, ink: Any) -> None:
    painter.drawEllipse(QtCore.QRectF(2, 2, 12, 12))
    painter.drawArc(QtCore.QRectF(2, 5.6, 12, 4.8), 180 * 16, 180 * 16)


def _firm(painter: Any, ink: Any) -> None:
    painter.setBrush(ink)
    painter.drawEllipse(QtCore.QRectF(2, 2, 12, 12))


def _seen(painter: Any, ink: Any) -> None:
    painter.drawEllipse(QtCore.QRectF(2, 2, 12, 12))
    painter.setBrush(ink)
    painter.drawChord(QtCore.QRectF(2, 2, 12, 12), 180 * 16, 180 * 16)


def _open(painter: Any, ink: Any) -> None:
    painter.drawEllipse(QtCore.QRectF(2, 2, 12, 12))


def _untested(painter: Any, ink: Any) -> None:
    dotted = QtGui.QPen(ink, 1.6)
    dotted.setDashPattern([1.4, 2.2])
    painter.setPen(dotted)
    painter.drawEllipse(QtCore.QRectF(2, 2, 12, 12))


def _prior(painter: Any, ink: Any) -> None:
    painter.drawRect(QtCore.QRectF(3, 2, 10, 12))
    for y in (6, 10):
        painter.drawLine(QtCore.QPointF(6, y), QtCore.QPointF(10, y))


def _artist(painter: Any, ink: Any) -> None:
    corners = ((2, 14), (3, 10), (11, 2), (14, 5), (6, 13))
    painter.drawPolygon(QtGui.QPolygonF([QtCore.QPointF(x, y) for x, y in corners]))


def _unknown(painter: Any, ink: Any) -> None:
    painter.drawLine(QtCore.QPointF(4, 8), QtCore.QPointF(12, 8))


_TYPES = {"fixed": _fixed, "hinge": _hinge, "universal": _universal, "ball": _ball}
_GRADES = {
    "firm": _firm,
    "seen": _seen,
    "open": _open,
    "untested": _untested,
    "prior": _prior,
    "artist": _artist,
}
