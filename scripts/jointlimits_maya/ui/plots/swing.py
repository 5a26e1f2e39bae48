"""Swing and twist of a ball joint: bone direction on a disc, twist on a strip."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from jointlimits_core.geometry.arrays import ArrayLike, Floats, Integers
from jointlimits_core.limits.vocabulary import MINUS, degrees
from jointlimits_core.report.figures.swing import (
    TWIST_BIN_DEG,
    DiscLayout,
    DiscView,
    density,
    disc_panned,
    disc_zoomed,
    reach_for,
    rings_of,
    twist_counts,
)

from ..toolkit.palette import Colours, rgb_table
from ..toolkit.qt import Qt, QtCore, QtGui, QtWidgets
from ..toolkit.words import counted
from .base import (
    CENTRED,
    DraggedPicture,
    image_of,
    paint_pose_mark,
    paint_rest_mark,
    pen,
    polygon,
    text_at,
    tinted,
)

CELL_PIXELS = 2.0
_FAINTEST = 0.28
_HOVER_PIXELS = 9.0
_WIDEST = 1.6
"""A rest pose beyond this multiple of the samples' distance from the centre is left outside."""


class SwingDisc(DraggedPicture):
    """Swing on a disc, seen along the bone, with the twist below."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(120, 100)
        self.setAccessibleName("Swing and twist")
        self._names = ("X", "Y", "Z")
        self._outlines: tuple[Floats, ...] = ()
        self._limits: tuple[float, float] | None = None
        self._rest: tuple[float, float, float] | None = None
        self._pose: tuple[float, float, float] | None = None
        self._data = 0
        self.set_samples(np.zeros((0, 2)), np.zeros(0))

    def sizeHint(self) -> Any:
        """Room for a disc and the strip below it."""
        return QtCore.QSize(330, 390)

    # --- display ------------------------------------------------------------------------------

    def set_samples(self, swing: ArrayLike, twist: ArrayLike) -> None:
        """Set the swing, (samples, 2), and the twist, (samples,), of all samples.

        See :func:`jointlimits_core.report.figures.swing_and_twist`.
        """
        both = np.column_stack([np.asarray(swing, dtype=np.float64).reshape(-1, 2), twist])
        self._indices = np.flatnonzero(np.isfinite(both).all(axis=1))
        kept = both[self._indices]
        self._swing, self._twist = kept[:, :2], kept[:, 2]
        self._counts = twist_counts(self._twist)
        self._data += 1
        self.view = DiscView(self._reach())
        count = len(self._swing)
        self.setAccessibleDescription(counted(count, "{count} sample", "{count} samples"))
        self.update()

    def set_axis_names(self, bone: str, first: str, second: str) -> None:
        """Name the axis along the bone and the two that it swings about."""
        self._names = (bone, first, second)
        self._data += 1
        self.update()

    def set_outlines(self, outlines: Sequence[ArrayLike]) -> None:
        """Set the outlines of the limits: closed, each of shape (corners, 2)."""
        self._outlines = tuple(np.asarray(one, dtype=np.float64) for one in outlines)
        self.update()

    def set_twist_range(self, low: float | None, high: float | None) -> None:
        """Set the range of the twist; None for both if there is none."""
        self._limits = None if low is None or high is None else (low, high)
        self.update()

    def set_rest(self, x: float | None, y: float = 0.0, twist: float = 0.0) -> None:
        """Set the rest pose: swing about both axes, and twist; None if there is none."""
        self._rest = None if x is None else (x, y, twist)
        self.view = DiscView(self._reach())
        self.update()

    def _reach(self) -> float:
        """Swing at the rim: of all samples, and of the rest pose unless it is far from them."""
        reach = reach_for(self._swing)
        if self._rest is None or math.hypot(*self._rest[:2]) > _WIDEST * reach:
            return reach
        return max(reach, reach_for(np.array([self._rest[:2]])))

    def set_pose(self, x: float | None, y: float = 0.0, twist: float = 0.0) -> None:
        """Set the current pose: swing about both axes, and twist; None if there is none."""
        self._pose = None if x is None else (x, y, twist)
        self.update()

    def what_is_this(self) -> str:
        """Explanation of the picture for new users."""
        return (
            "A ball joint seen along its bone. On the disc, every pose is the direction of the "
            "bone: further from the centre means more swing, darker means more often. The blue "
            "outline is what the limits allow. The strip below is the twist, the rotation of the "
            "bone about itself, with its range in blue. The diamond is the rest pose, the ring "
            "and the vertical line are the current pose.\n"
            "Wheel to zoom, drag to pan, double click to see everything; click to go to the frame "
            "of the nearest pose."
        )

    # --- painting -----------------------------------------------------------------------------

    @property
    def layout_now(self) -> DiscLayout:
        """Layout at the current size."""
        return DiscLayout(self.view, self.width(), self.height())

    def paint(self, painter: Any) -> None:
        """Paint the cached rings and samples, then the rest on top of them."""
        layout, colours = self.layout_now, self.colours
        font = self.small_font(0.85)

        def below(on: Any) -> None:
            names = (self._names[1], self._names[2])
            paint_rings(on, layout, names, colours, font)
            on.save()
            on.setClipPath(disc_path(layout))
            image = density_image(layout, self._swing, colours, self.ratio)
            on.drawImage(QtCore.QPointF(0, 0), image)
            on.restore()

        painter.drawImage(0, 0, self.layer("samples", (self._data, self.view), below))
        painter.save()
        painter.setClipPath(disc_path(layout))
        paint_ring_numbers(painter, layout, colours, font)
        paint_outlines(painter, layout, self._outlines, colours)
        painter.restore()
        # Whole marks, even where one is half beyond the rim; none whose centre is beyond it.
        for at, paint_mark in ((self._rest, paint_rest_mark), (self._pose, paint_pose_mark)):
            if at is not None and layout.shows(at[:2]):
                paint_mark(painter, layout.pixel(at[:2]), colours)
        paint_twist(painter, layout, self._counts, self._limits, colours, font)
        left, top, _, _ = layout.strip
        painter.setPen(pen(colours.ink))
        painter.drawText(QtCore.QPointF(left, top - 4.0), f"twist about {self._names[0]}")
        rest = None if self._rest is None else self._rest[2]
        pose = None if self._pose is None else self._pose[2]
        paint_twist_marks(painter, layout, rest, pose, colours)

    # --- under the mouse ------------------------------------------------------------------------

    def sample_at(self, x: float, y: float) -> int | None:
        """Index of the nearest sample within a few pixels, in the given arrays."""
        layout = self.layout_now
        if not len(self._swing):
            return None
        if layout.in_strip(y):
            away = np.abs(self._twist - layout.twist(x)) / TWIST_BIN_DEG
            near = 1.0
        else:
            here = layout.swing(x, y)
            away = np.hypot(self._swing[:, 0] - here[0], self._swing[:, 1] - here[1])
            near = _HOVER_PIXELS / layout.pixels_per_degree
        best = int(away.argmin())
        return int(self._indices[best]) if away[best] <= near else None

    def words_at(self, x: float, y: float) -> str:
        """Description of swing or twist at a pixel, with the number of samples there."""
        layout = self.layout_now
        if layout.in_strip(y):
            twist = layout.twist(x)
            count = int(self._counts[min(int((twist + 180.0) / TWIST_BIN_DEG), 179)])
            samples = counted(count, "{count} sample", "{count} samples")
            return f"twist {degrees(twist)}: {samples}"
        first, second = layout.swing(x, y)
        total = float(np.hypot(first, second))
        if total > layout.view.reach_deg:
            return ""
        names = self._names
        swing = f"{names[1]} {degrees(first)}, {names[2]} {degrees(second)}"
        return f"swing {degrees(total)}: {swing}"

    # --- mouse and keyboard -----------------------------------------------------------------------

    def _look(self, view: DiscView) -> None:
        self.view = view
        self.update()

    def dragged_by(self, event: Any, dx: float, dy: float) -> None:
        """Pan the view."""
        self._look(disc_panned(self.layout_now, dx, dy))

    def mouseDoubleClickEvent(self, event: Any) -> None:
        """Show everything again."""
        self._look(DiscView(self.view.reach_deg))

    def wheelEvent(self, event: Any) -> None:
        """Zoom at the mouse position."""
        point = event.position()
        factor = 1.0015 ** event.angleDelta().y()
        self._look(disc_zoomed(self.layout_now, factor, point.x(), point.y()))
        event.accept()

    def keyPressEvent(self, event: Any) -> None:
        """+ and - zoom, arrows pan, Home shows everything."""
        keys, key = Qt.Key, event.key()
        shifts = {
            keys.Key_Left: (20.0, 0.0),
            keys.Key_Right: (-20.0, 0.0),
            keys.Key_Up: (0.0, 20.0),
            keys.Key_Down: (0.0, -20.0),
        }
        layout = self.layout_now
        if key in shifts:
            self._look(disc_panned(layout, *shifts[key]))
        elif key in (keys.Key_Plus, keys.Key_Equal):
            self._look(disc_zoomed(layout, 1.25, *layout.centre))
        elif key == keys.Key_Minus:
            self._look(disc_zoomed(layout, 0.8, *layout.centre))
        elif key == keys.Key_Home:
            self._look(DiscView(self.view.reach_deg))
        else:
            super().keyPressEvent(event)


def disc_path(layout: DiscLayout) -> Any:
    """Area of the picture that the disc may fill."""
    path = QtGui.QPainterPath()
    middle = QtCore.QPointF(*layout.pixel((0.0, 0.0)))
    radius = layout.view.reach_deg * layout.pixels_per_degree
    path.addEllipse(middle, radius, radius)
    window = QtGui.QPainterPath()
    side = layout.radius + 1.0
    window.addEllipse(QtCore.QPointF(*layout.centre), side, side)
    return path.intersected(window)


def paint_rings(
    painter: Any, layout: DiscLayout, names: tuple[str, str], colours: Colours, font: Any
) -> None:
    """Paint the disc, rings with their degrees, and the two axes."""
    path = disc_path(layout)
    painter.setPen(pen(colours.line))
    painter.setBrush(QtGui.QColor(colours.plate))
    painter.drawPath(path)
    painter.save()
    painter.setClipPath(path)
    middle = QtCore.QPointF(*layout.pixel((0.0, 0.0)))
    reach = layout.view.reach_deg * layout.pixels_per_degree
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(colours.line, 0.9))
    for ring in rings_of(layout):
        radius = ring * layout.pixels_per_degree
        painter.drawEllipse(middle, radius, radius)
    painter.drawLine(middle - QtCore.QPointF(reach, 0), middle + QtCore.QPointF(reach, 0))
    painter.drawLine(middle - QtCore.QPointF(0, reach), middle + QtCore.QPointF(0, reach))
    painter.restore()
    painter.setFont(font)
    painter.setPen(pen(colours.ink))
    x, y = layout.centre
    beside = layout.radius + 11.0
    for dx, dy, words in (
        (beside, 0.0, f"+{names[0]}"),
        (-beside, 0.0, f"{MINUS}{names[0]}"),
        (0.0, -beside, f"+{names[1]}"),
        (0.0, beside, f"{MINUS}{names[1]}"),
    ):
        text_at(painter, x + dx, y + dy, words)


def paint_ring_numbers(painter: Any, layout: DiscLayout, colours: Colours, font: Any) -> None:
    """Paint the degrees of the rings, above the samples."""
    painter.setFont(font)
    path = disc_path(layout)
    metrics = QtGui.QFontMetricsF(font)
    for ring in rings_of(layout):
        at = np.array([np.cos(np.radians(45.0)), np.sin(np.radians(45.0))]) * ring
        x, y = (float(value) for value in layout.pixel(at))
        words = f"{ring:g}°"
        half = 0.5 * metrics.horizontalAdvance(words) + 2.0
        box = QtCore.QRectF(x - half, y - 0.5 * metrics.height(), 2 * half, metrics.height())
        if not path.contains(box):
            continue
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tinted(colours.plate, 0.75))
        painter.drawRoundedRect(box, 3, 3)
        painter.setPen(pen(colours.faint))
        painter.drawText(box, CENTRED, words)


def density_image(layout: DiscLayout, swing: Floats, colours: Colours, ratio: float) -> Any:
    """Image of all samples: darker, or lighter on dark windows, where there are more."""
    cell = max(round(CELL_PIXELS * ratio), 1) / ratio
    columns, rows = int(layout.width / cell) + 1, int(layout.height / cell) + 1
    counts = density(layout.pixel(swing) / cell, columns, rows)
    share = np.log1p(counts) / max(np.log1p(counts.max(initial=0)), 1e-9)
    opacity = np.where(counts > 0, _FAINTEST + (1.0 - _FAINTEST) * share, 0.0)
    channels = np.rint(rgb_table([colours.ink])[0] * opacity[..., None]).astype(np.uint32)
    alpha = np.rint(opacity * 255.0).astype(np.uint32) << np.uint32(24)
    pixels = alpha | (channels[..., 0] << 16) | (channels[..., 1] << 8) | channels[..., 2]
    image = image_of(pixels, 1.0)
    device = round(cell * ratio)
    image = image.scaled(
        columns * device,
        rows * device,
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.FastTransformation,
    )
    image.setDevicePixelRatio(ratio)
    return image


def paint_outlines(
    painter: Any, layout: DiscLayout, outlines: Sequence[Floats], colours: Colours
) -> None:
    """Paint the outlines of the limits."""
    painter.setPen(pen(colours.interval, 2.0))
    painter.setBrush(tinted(colours.interval, 0.14))
    for outline in outlines:
        painter.drawPolygon(polygon(layout.pixel(outline)))


def paint_twist(
    painter: Any,
    layout: DiscLayout,
    counts: Integers,
    limits: tuple[float, float] | None,
    colours: Colours,
    font: Any,
) -> None:
    """Paint the strip: a histogram above a bar with the range, and numbers below."""
    left, top, width, height = layout.strip
    base = top + height
    painter.fillRect(QtCore.QRectF(left, top, width, height), QtGui.QColor(colours.plate))
    most = max(int(counts.max(initial=0)), 1)
    for piece in np.flatnonzero(counts):
        x = layout.twist_x(float(piece) * TWIST_BIN_DEG - 180.0)
        wide = width * TWIST_BIN_DEG / 360.0
        tall = max(float(np.cbrt(counts[piece] / most)) * (height - 2.0), 3.0)
        bar = QtCore.QRectF(x, base - tall, max(wide - 0.4, 1.0), tall)
        painter.fillRect(bar, QtGui.QColor(colours.samples))
    painter.fillRect(QtCore.QRectF(left, base, width, 2.0), QtGui.QColor(colours.line))
    if limits is not None:
        a, b = (layout.twist_x(min(max(end, -180.0), 180.0)) for end in limits)
        area = QtCore.QRectF(a, top, max(b - a, 1.0), height)
        painter.fillRect(area, tinted(colours.interval, 0.14))
        bar = QtCore.QRectF(a, top + height - 1.0, b - a, 4.0)
        painter.fillRect(bar, QtGui.QColor(colours.interval))
        painter.setPen(pen(colours.interval, 2.0))
        for x in (a, b):
            painter.drawLine(QtCore.QPointF(x, top - 3.0), QtCore.QPointF(x, top + height + 4.0))
    painter.setFont(font)
    for tick in (-180, -90, 0, 90, 180):
        x = layout.twist_x(tick)
        painter.setPen(pen(colours.line))
        painter.drawLine(QtCore.QPointF(x, top), QtCore.QPointF(x, base + 5.0))
        painter.setPen(pen(colours.faint))
        inner = min(max(x, left + 12.0), left + width - 14.0)
        text_at(painter, inner, base + 12.0, f"{tick}°".replace("-", MINUS))


def paint_twist_marks(
    painter: Any, layout: DiscLayout, rest: float | None, pose: float | None, colours: Colours
) -> None:
    """Paint rest pose and current pose on the strip."""
    _, top, _, height = layout.strip
    if rest is not None:
        paint_rest_mark(painter, (layout.twist_x(rest), top + height), colours, 6.0, 1.2)
    if pose is not None:
        x = layout.twist_x(pose)
        painter.setPen(pen(colours.pose, 2.0))
        painter.drawLine(QtCore.QPointF(x, top - 5.0), QtCore.QPointF(x, top + height))
