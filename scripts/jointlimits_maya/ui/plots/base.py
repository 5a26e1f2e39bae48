"""Base class of plots and views: colours, cached layers, hover texts, drags, shared marks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from jointlimits_core.geometry.arrays import AnyArray
from jointlimits_core.report.figures.glyphs import GLYPHS, LINE_WIDTH, SIDE, UNKNOWN, Arc, Line

from ..toolkit.palette import Colours, colours_of
from ..toolkit.qt import Qt, QtCore, QtGui, QtWidgets, Signal, place, scaled_font

CENTRED = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip


@contextmanager
def painter_on(device: Any) -> Iterator[Any]:
    """Painter on a device, ended even after an error: a painter left open crashes Qt."""
    painter = QtGui.QPainter(device)
    painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
    try:
        yield painter
    finally:
        painter.end()


def pen(colour: Any, width: float = 1.0, dashes: Sequence[float] = (), cap: Any = None) -> Any:
    """Pen in a colour (name or QColor); `dashes`: lengths of dashes and gaps, in pen widths."""
    made = QtGui.QPen(QtGui.QColor(colour), width)
    made.setCapStyle(Qt.PenCapStyle.FlatCap if cap is None else cap)
    if dashes:
        made.setDashPattern(list(dashes))
    return made


def fill(painter: Any, colour: Any, *box: float) -> None:
    """Fill a rectangle, given as left, top, width, height."""
    painter.fillRect(QtCore.QRectF(*box), QtGui.QColor(colour))


def stroke(painter: Any, colour: Any, width: float, *ends: float) -> None:
    """Paint a line, given as x and y of both ends."""
    painter.setPen(pen(colour, width))
    painter.drawLine(QtCore.QLineF(*ends))


def tint(colour: str, opacity: float) -> Any:
    """Colour with an opacity from 0 to 1."""
    made = QtGui.QColor(colour)
    made.setAlphaF(opacity)
    return made


def image_of(pixels: AnyArray, ratio: float) -> Any:
    """Image from premultiplied 0xAARRGGBB device pixels, shape (height, width)."""
    pixels = np.ascontiguousarray(pixels, dtype=np.uint32)
    height, width = pixels.shape
    form = QtGui.QImage.Format.Format_ARGB32_Premultiplied
    # The copy owns its pixels; an image made from a buffer does not.
    image = QtGui.QImage(pixels.data, width, height, 4 * width, form).copy()
    image.setDevicePixelRatio(ratio)
    return image


def text_at(painter: Any, colour: Any, x: float, y: float, words: str) -> None:
    """Paint text centred on a pixel."""
    painter.setPen(pen(colour))
    painter.drawText(QtCore.QRectF(x - 60.0, y - 12.0, 120.0, 24.0), CENTRED, words)


def text_plate(painter: Any, box: Any, plate: Any, ink: Any = None, words: str = "") -> None:
    """Paint a rounded plate that fills a QRectF, with optional text."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QtGui.QColor(plate))
    painter.drawRoundedRect(box, 3, 3)
    if words:
        painter.setPen(pen(ink))
        painter.drawText(box, CENTRED, words)


def polygon(corners: Any) -> Any:
    """Polygon with corners in pixels, shape (corners, 2 or more)."""
    return QtGui.QPolygonF([QtCore.QPointF(float(p[0]), float(p[1])) for p in corners])


def polygons(corners: AnyArray) -> list[Any]:
    """Polygons with corners in pixels, shape (polygons, corners, 2 or more)."""
    # Read from bytes: points made one by one take a third of a figure's time.
    record = np.dtype([("count", ">u4"), ("corners", ">f8", (corners.shape[1], 2))])
    data = np.empty(len(corners), record)
    data["count"], data["corners"] = corners.shape[1], corners[..., :2]
    stream = QtCore.QDataStream(QtCore.QByteArray(data.tobytes()))
    made = [QtGui.QPolygonF() for _ in corners]
    for one in made:
        stream >> one
    return made


def lines(segments: Any) -> list[Any]:
    """Lines with ends in pixels, shape (lines, 2, 2 or more)."""
    return [QtCore.QLineF(float(a[0]), float(a[1]), float(b[0]), float(b[1])) for a, b in segments]


def paint_glyph(painter: Any, area: Any, kind: str, colour: str) -> None:
    """Paint the glyph of a joint type, grade or layer, centred in a QRectF."""
    paint_shapes(painter, area, GLYPHS.get(kind, UNKNOWN), colour)


def paint_shapes(painter: Any, area: Any, shapes: Sequence[Line | Arc], colour: str) -> None:
    """Paint shapes drawn on a 16-unit square, centred in a QRectF."""
    side = min(area.width(), area.height())
    painter.save()
    painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
    painter.translate(area.center().x() - 0.5 * side, area.center().y() - 0.5 * side)
    painter.scale(side / SIDE, side / SIDE)
    for shape in shapes:
        path = QtGui.QPainterPath()
        painter.setPen(QtGui.QPen(QtGui.QColor(colour), LINE_WIDTH))
        if isinstance(shape, Line):
            path.addPolygon(polygon(shape.corners))
        else:
            (rx, ry), middle = shape.radii, 0.5 * SIDE
            box = QtCore.QRectF(middle - rx, middle - ry, 2.0 * rx, 2.0 * ry)
            path.arcMoveTo(box, shape.start_deg)
            path.arcTo(box, shape.start_deg, shape.span_deg)
            if shape.dotted:
                painter.setPen(pen(colour, LINE_WIDTH, (1.4, 2.2), Qt.PenCapStyle.SquareCap))
        if shape.filled or (isinstance(shape, Line) and shape.closed):
            path.closeSubpath()
        painter.setBrush(QtGui.QColor(colour) if shape.filled else Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
    painter.restore()


def paint_rest_mark(
    painter: Any, at: Any, colours: Colours, size: float = 7.0, edge: float = 1.4
) -> None:
    """Paint the rest-pose mark, a diamond, at a pixel."""
    x, y = float(at[0]), float(at[1])
    painter.setPen(pen(colours.ground, edge))
    painter.setBrush(QtGui.QColor(colours.rest))
    painter.drawPolygon(polygon(((x, y - size), (x + size, y), (x, y + size), (x - size, y))))


def paint_pose_mark(painter: Any, at: Any, colours: Colours) -> None:
    """Paint the current-pose mark, a ring around a dot, at a pixel."""
    middle = QtCore.QPointF(float(at[0]), float(at[1]))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((colours.ground, 5.0), (colours.pose, 2.2)):
        painter.setPen(pen(colour, width))
        painter.drawEllipse(middle, 7.0, 7.0)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QtGui.QColor(colours.pose))
    painter.drawEllipse(middle, 2.4, 2.4)


def paint_handle(
    painter: Any, at: Any, radius: float, own: str, colours: Colours, is_max: bool, is_active: bool
) -> None:
    """Paint the handle of a limit at a pixel: a disc with a minus or a plus."""
    x, y, arm = float(at[0]), float(at[1]), 0.5 * radius
    painter.setPen(pen(own, 2.4 if is_active else 1.4))
    painter.setBrush(QtGui.QColor(own if is_active else colours.ground))
    painter.drawEllipse(QtCore.QPointF(x, y), radius, radius)
    sign = colours.ground if is_active else own
    stroke(painter, sign, 1.8, x - arm, y, x + arm, y)
    if is_max:
        stroke(painter, sign, 1.8, x, y - arm, x, y + arm)


class Picture(QtWidgets.QWidget):
    """A painted widget.

    Subclasses override :meth:`paint`, and :meth:`words_at` to describe what is at a pixel.
    """

    hovered = Signal(str)
    """Description of what is under the mouse, in one line; empty if there is nothing."""
    what = ""
    """Hover text that explains the widget to new users."""
    usual_size = (240, 180)
    """Preferred width and height."""
    min_size = (0, 0)
    title = ""
    """Name for screen readers."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumSize(*self.min_size)
        self.setAccessibleName(self.title)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setWhatsThis(self.what)
        self._layers: dict[str, tuple[Hashable, Any]] = {}
        self._shown_text = ""

    def paint(self, painter: Any) -> None:
        """Paint the content on top of the background."""
        raise NotImplementedError

    def words_at(self, x: float, y: float) -> str:
        """Description of what is at a pixel, in one line; "" if there is nothing."""
        return ""

    def is_own_key(self, event: Any) -> bool:
        """Whether the widget handles a key itself, before any shortcut does."""
        return False

    @property
    def colours(self) -> Colours:
        """Colours that match the window's palette."""
        return colours_of(self)

    @property
    def ratio(self) -> float:
        """Device pixels per logical pixel."""
        return float(self.devicePixelRatioF())

    def layer(self, name: str, key: Hashable, paint: Callable[[Any], None]) -> Any:
        """Transparent image of the widget's size, repainted only after a change."""

        def paint_layer(width: int, height: int) -> Any:
            image = QtGui.QImage(width, height, QtGui.QImage.Format.Format_ARGB32_Premultiplied)
            image.setDevicePixelRatio(self.ratio)
            image.fill(Qt.GlobalColor.transparent)
            with painter_on(image) as painter:
                painter.setFont(self.font())
                paint(painter)
            return image

        return self.cached_image(name, key, paint_layer)

    def cached_image(self, name: str, key: Hashable, make: Callable[[int, int], Any]) -> Any:
        """Image that `make` returns for a size in device pixels; made again only after a change.

        `key`: everything that the image depends on besides size, pixel density and colours.
        """
        full = (key, self.width(), self.height(), self.ratio, self.colours.dark)
        known = self._layers.get(name)
        if known is None or known[0] != full:
            size = (max(round(side * self.ratio), 1) for side in (self.width(), self.height()))
            known = self._layers[name] = (full, make(*size))
        return known[1]

    def small_font(self, share: float = 0.85, bold: bool = False) -> Any:
        """The widget's font, scaled."""
        return scaled_font(self.font(), share, bold)

    def sizeHint(self) -> Any:
        """Preferred size of the widget."""
        return QtCore.QSize(*self.usual_size)

    def paintEvent(self, event: Any) -> None:
        """Paint the background and the content."""
        with painter_on(self) as painter:
            painter.fillRect(self.rect(), QtGui.QColor(self.colours.ground))
            painter.setFont(self.font())
            self.paint(painter)

    def changeEvent(self, event: Any) -> None:
        """Repaint everything after a change of colours or fonts."""
        kinds = QtCore.QEvent.Type
        if event.type() in (kinds.PaletteChange, kinds.StyleChange, kinds.FontChange):
            self._layers.clear()
            self.update()
        super().changeEvent(event)

    def event(self, event: Any) -> bool:
        """Show the tool tip under the mouse, and handle keys before shortcuts do."""
        kinds = QtCore.QEvent.Type
        if event.type() == kinds.ToolTip:
            words = self.words_at(float(event.pos().x()), float(event.pos().y()))
            QtWidgets.QToolTip.showText(event.globalPos(), words, self)
            return True
        if event.type() == kinds.ShortcutOverride and self.is_own_key(event):
            event.accept()
            return True
        return bool(super().event(event))

    def mouseMoveEvent(self, event: Any) -> None:
        """Describe what is under the mouse."""
        self.say(self.words_at(*place(event)))

    def leaveEvent(self, event: Any) -> None:
        """Clear the description."""
        self.say("")

    def look(self, view: Any) -> None:
        """Show another view of the same content."""
        self.view = view
        self.update()

    def say(self, words: str) -> None:
        """Emit the description of what is under the mouse, if it has changed."""
        if words != self._shown_text:
            self._shown_text = words
            self.hovered.emit(words)

    def wheel_zoom(self, event: Any) -> tuple[float, float, float]:
        """Zoom factor of a wheel turn; mouse x, y from the centre, as shares of the short side."""
        point, side = event.position(), max(min(self.width(), self.height()), 1)
        x, y = (point.x() - 0.5 * self.width()) / side, (point.y() - 0.5 * self.height()) / side
        return 1.0015 ** event.angleDelta().y(), x, y

    def paint_empty(self, painter: Any, words: str) -> None:
        """Paint a message instead of the content."""
        painter.setPen(pen(self.colours.faint))
        area = QtCore.QRectF(self.rect()).adjusted(8, 8, -8, -8)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(area, flags, words)


CLICK_PIXELS = 3.0
"""Maximum mouse movement between press and release that still counts as a click."""


class DraggedPicture(Picture):
    """View of samples that can be dragged with any mouse button."""

    sample_clicked = Signal(int)
    """Index of the clicked sample in the given arrays."""

    def __init__(self) -> None:
        super().__init__()
        self._drag: tuple[float, float] | None = None
        self._dragged = 0.0

    def drag_by(self, event: Any, dx: float, dy: float) -> None:
        """Handle a drag by a number of pixels."""
        raise NotImplementedError

    def sample_at(self, x: float, y: float) -> int | None:
        """Index (into the given arrays) of the sample at a pixel; None if there is none."""
        return None

    def mousePressEvent(self, event: Any) -> None:
        """Begin a drag or a click."""
        self._drag, self._dragged = place(event), 0.0

    def mouseMoveEvent(self, event: Any) -> None:
        """Continue a drag, or describe what is under the mouse."""
        if self._drag is None:
            super().mouseMoveEvent(event)
            return
        x, y = place(event)
        dx, dy = x - self._drag[0], y - self._drag[1]
        self._drag = (x, y)
        self._dragged += abs(dx) + abs(dy)
        if self._dragged > CLICK_PIXELS:
            self.drag_by(event, dx, dy)

    def mouseReleaseEvent(self, event: Any) -> None:
        """End a drag, or click if the mouse hardly moved."""
        clicked, self._drag = self._drag is not None and self._dragged <= CLICK_PIXELS, None
        if clicked and event.button() == Qt.MouseButton.LeftButton:
            self.click(event)

    def click(self, event: Any) -> None:
        """Select the sample under the mouse."""
        sample = self.sample_at(*place(event))
        if sample is not None:
            self.sample_clicked.emit(sample)
