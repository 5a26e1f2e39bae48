"""A joint's ranges as a small bar from -180 to 180 degrees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..geometry.bars import Lane, lane_rows, pieces, scale_position
from ..palette import Colours
from ..qt import Qt, QtCore, QtGui, QtWidgets
from ..words import degrees, one_end, tr
from .picture import Picture, pen

__all__ = ["Lane", "RangeBar", "lane_words", "paint_range_bar"]


def paint_range_bar(painter: Any, area: Any, lanes: Sequence[Lane], colours: Colours) -> None:
    """Paint the lanes of a joint below each other; delegates use it too.

    Parameters
    ----------
    painter : QPainter
    area : QRectF
    lanes : sequence of Lane
        One for each channel.
    """
    painter.save()
    # Rectangles on whole pixels are sharp only without antialiasing.
    painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing, False)
    painter.translate(area.topLeft())
    for lane, (top, height) in zip(lanes, lane_rows(len(lanes), area.height())):
        _paint_lane(painter, QtCore.QRectF(0.0, top, area.width(), height), lane, colours)
    painter.setPen(pen(colours.faint))
    zero = 0.5 * area.width()
    painter.drawLine(QtCore.QPointF(zero, 0.0), QtCore.QPointF(zero, area.height()))
    painter.restore()


def _paint_lane(painter: Any, area: Any, lane: Lane, colours: Colours) -> None:
    thick = area.adjusted(0, 0.1 * area.height(), 0, -0.1 * area.height())
    thin = area.adjusted(0, 0.34 * area.height(), 0, -0.34 * area.height())
    painter.fillRect(thin, QtGui.QColor(colours.line))
    if lane.state == "free" or lane.low is None or lane.high is None:
        stripes = QtGui.QBrush(QtGui.QColor(colours.interval), Qt.BrushStyle.BDiagPattern)
        painter.fillRect(thick, stripes)
    else:
        for band in lane.bands:
            _fill(painter, area, thin, band, colours.band)
        shape, colour = (thick, colours.interval)
        if lane.state == "locked":
            shape, colour = area, colours.faint
        _fill(painter, area, shape, (lane.low, lane.high), colour)
    if lane.ghost is not None:
        for end in lane.ghost:
            x = scale_position(end) * (area.width() - 1.0)
            painter.fillRect(QtCore.QRectF(x, area.top(), 1.5, area.height()), _colour(colours))
    if lane.pose is not None:
        x = scale_position(lane.pose) * (area.width() - 2.0)
        painter.fillRect(
            QtCore.QRectF(x, area.top(), 2.0, area.height()), QtGui.QColor(colours.pose)
        )


def _colour(colours: Colours) -> Any:
    return QtGui.QColor(colours.ghost)


def _fill(painter: Any, area: Any, shape: Any, stretch: tuple[float, float], colour: str) -> None:
    for start, length in pieces(*stretch, area.width()):
        place = QtCore.QRectF(area.left() + start, shape.top(), length, shape.height())
        painter.fillRect(place, QtGui.QColor(colour))


def lane_words(name: str, lane: Lane) -> str:
    """Description of a lane: "X −12.3° to 45.0°", "X locked at 0.0°", "X has no limit"."""
    only = one_end(lane.state, lane.low, lane.high)
    if only:
        return tr("{name} {range}", name=name, range=only)
    if lane.state == "free" or lane.low is None or lane.high is None:
        return tr("{name} has no limit", name=name)
    low, high = degrees(lane.low), degrees(lane.high)
    if lane.state == "locked" and low == high:
        return tr("{name} locked at {low}", name=name, low=low)
    if lane.state == "locked":
        return tr("{name} locked, {low} to {high}", name=name, low=low, high=high)
    return tr("{name} {low} to {high}", name=name, low=low, high=high)


class RangeBar(Picture):
    """Read-only display of one joint's ranges."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumSize(60, 14)
        self._lanes: tuple[Lane, ...] = ()
        self._names: tuple[str, ...] = ()
        self.set_name(tr("Ranges"))

    def sizeHint(self) -> Any:
        """Height of a line of text."""
        return QtCore.QSize(140, 22)

    def set_lanes(self, lanes: Sequence[Lane], names: Sequence[str] = ("X", "Y", "Z")) -> None:
        """Show these channels."""
        self._lanes, self._names = tuple(lanes), tuple(names)
        words = [lane_words(name, lane) for name, lane in zip(names, lanes)]
        self.setAccessibleDescription("; ".join(words))
        self.update()

    def what_is_this(self) -> str:
        """Explanation of the picture for new users."""
        return tr(
            "The range of each rotate channel, from −180° at the left to 180° at the right; the "
            "line in the middle is zero. Solid is allowed, pale ends show where more motion may "
            "move the limit, a full-height mark is a locked channel, stripes mean no limit. "
            "A thin double line is the measured range where it was edited."
        )

    def words_at(self, x: float, y: float) -> str:
        """Description of the lane at a pixel."""
        rows = lane_rows(len(self._lanes), float(self.height()))
        for name, lane, (top, height) in zip(self._names, self._lanes, rows):
            if top <= y <= top + height:
                return lane_words(name, lane)
        return ""

    def paint(self, painter: Any) -> None:
        """All lanes."""
        area = QtCore.QRectF(self.rect()).adjusted(2, 2, -2, -2)
        paint_range_bar(painter, area, self._lanes, self.colours)
