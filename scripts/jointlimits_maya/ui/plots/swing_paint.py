"""Painting of the swing disc and its twist strip."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jointlimits_core.geometry import AnyArray, Floats, Integers

from ..toolkit import MINUS, Colours, Qt, QtCore, QtGui, rgb_table
from .base import image_of, pen, tinted
from .cloud_paint import polygon
from .swing_layout import (
    TWIST_BIN_DEG,
    DiscLayout,
    density,
    rings_of,
)

CELL_PIXELS = 2.0
_FAINTEST = 0.28


def disc_path(layout: DiscLayout) -> Any:
    """Area of the picture that the disc may fill."""
    path = QtGui.QPainterPath()
    middle, radius = QtCore.QPointF(*layout.pixel((0.0, 0.0))), 0.0
    radius = layout.view.reach_deg * layout.pixels_per_degree
    path.addEllipse(middle, radius, radius)
    window = QtGui.QPainterPath()
    x, y = layout.centre
    side = layout.radius + 1.0
    window.addEllipse(QtCore.QPointF(x, y), side, side)
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
    _axis_names(painter, layout, names, colours, font)


def _axis_names(
    painter: Any, layout: DiscLayout, names: tuple[str, str], colours: Colours, font: Any
) -> None:
    painter.setFont(font)
    painter.setPen(pen(colours.ink))
    x, y = layout.centre
    beside = layout.radius + 11.0
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip
    for dx, dy, words in (
        (beside, 0.0, f"+{names[0]}"),
        (-beside, 0.0, f"{MINUS}{names[0]}"),
        (0.0, -beside, f"+{names[1]}"),
        (0.0, beside, f"{MINUS}{names[1]}"),
    ):
        painter.drawText(QtCore.QRectF(x + dx - 20, y + dy - 10, 40, 20), flags, words)


def paint_ring_numbers(painter: Any, layout: DiscLayout, colours: Colours, font: Any) -> None:
    """Paint the degrees of the rings, above the samples."""
    painter.setFont(font)
    path = disc_path(layout)
    metrics = QtGui.QFontMetricsF(font)
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip
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
        painter.drawText(box, flags, words)


def density_image(layout: DiscLayout, swing: Floats, colours: Colours, ratio: float) -> Any:
    """Image of all samples: darker, or lighter on dark windows, where there are more."""
    cell = max(round(CELL_PIXELS * ratio), 1) / ratio
    columns, rows = int(layout.width / cell) + 1, int(layout.height / cell) + 1
    counts = density(layout.pixel(swing) / cell, columns, rows)
    share = np.log1p(counts) / max(np.log1p(counts.max(initial=0)), 1e-9)
    opacity = np.where(counts > 0, _FAINTEST + (1.0 - _FAINTEST) * share, 0.0)
    image = image_of(_premultiplied(colours.ink, opacity), 1.0)
    whole = QtCore.Qt.TransformationMode.FastTransformation
    device = round(cell * ratio)
    image = image.scaled(
        columns * device, rows * device, Qt.AspectRatioMode.IgnoreAspectRatio, whole
    )
    image.setDevicePixelRatio(ratio)
    return image


def _premultiplied(colour: str, opacity: Floats) -> AnyArray:
    channels = np.rint(rgb_table([colour])[0] * opacity[..., None]).astype(np.uint32)
    alpha = np.rint(opacity * 255.0).astype(np.uint32) << np.uint32(24)
    return alpha | (channels[..., 0] << 16) | (channels[..., 1] << 8) | channels[..., 2]


def paint_outlines(
    painter: Any, layout: DiscLayout, outlines: Sequence[Floats], colours: Colours
) -> None:
    """Paint the outlines of the limits."""
    painter.setPen(pen(colours.interval, 2.0))
    painter.setBrush(tinted(colours.interval, 0.14))
    for outline in outlines:
        painter.drawPolygon(polygon(layout.pixel(outline)))


def paint_swing_marks(
    painter: Any, layout: DiscLayout, rest: Floats | None, pose: Floats | None, colours: Colours
) -> None:
    """Paint the rest pose as a diamond, the current pose as a ring around a dot."""
    if rest is not None:
        x, y = (float(value) for value in layout.pixel(rest))
        painter.setPen(pen(colours.ground, 1.4))
        painter.setBrush(QtGui.QColor(colours.rest))
        painter.drawPolygon(polygon(np.array([[x, y - 7], [x + 7, y], [x, y + 7], [x - 7, y]])))
    if pose is not None:
        at = QtCore.QPointF(*(float(value) for value in layout.pixel(pose)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, width in ((colours.ground, 5.0), (colours.pose, 2.2)):
            painter.setPen(pen(colour, width))
            painter.drawEllipse(at, 7.0, 7.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QtGui.QColor(colours.pose))
        painter.drawEllipse(at, 2.4, 2.4)


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
        _paint_twist_range(painter, layout, limits, colours)
    painter.setFont(font)
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip
    for tick in (-180, -90, 0, 90, 180):
        x = layout.twist_x(tick)
        painter.setPen(pen(colours.line))
        painter.drawLine(QtCore.QPointF(x, top), QtCore.QPointF(x, base + 5.0))
        painter.setPen(pen(colours.faint))
        inner = min(max(x, left + 12.0), left + width - 14.0)
        words = f"{tick}°".replace("-", MINUS)
        painter.drawText(QtCore.QRectF(inner - 30, base + 4.0, 60, 16), flags, words)


def _paint_twist_range(
    painter: Any, layout: DiscLayout, limits: tuple[float, float], colours: Colours
) -> None:
    _, top, _, height = layout.strip
    a, b = (layout.twist_x(min(max(end, -180.0), 180.0)) for end in limits)
    area = QtCore.QRectF(a, top, max(b - a, 1.0), height)
    painter.fillRect(area, tinted(colours.interval, 0.14))
    bar = QtCore.QRectF(a, top + height - 1.0, b - a, 4.0)
    painter.fillRect(bar, QtGui.QColor(colours.interval))
    painter.setPen(pen(colours.interval, 2.0))
    for x in (a, b):
        painter.drawLine(QtCore.QPointF(x, top - 3.0), QtCore.QPointF(x, top + height + 4.0))


def paint_twist_marks(
    painter: Any, layout: DiscLayout, rest: float | None, pose: float | None, colours: Colours
) -> None:
    """Paint rest pose and current pose on the strip."""
    _, top, _, height = layout.strip
    if rest is not None:
        x, y = layout.twist_x(rest), top + height
        painter.setPen(pen(colours.ground, 1.2))
        painter.setBrush(QtGui.QColor(colours.rest))
        painter.drawPolygon(polygon(np.array([[x, y - 6], [x + 6, y], [x, y + 6], [x - 6, y]])))
    if pose is not None:
        x = layout.twist_x(pose)
        painter.setPen(pen(colours.pose, 2.0))
        painter.drawLine(QtCore.QPointF(x, top - 5.0), QtCore.QPointF(x, top + height))


def paint_twist_title(painter: Any, layout: DiscLayout, name: str, colours: Colours) -> None:
    """Paint the title of the strip."""
    left, top, _, _ = layout.strip
    painter.setPen(pen(colours.ink))
    painter.drawText(QtCore.QPointF(left, top - 4.0), f"twist about {name}")
