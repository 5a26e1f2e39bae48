"""Painting of the time strip."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jointlimits_core.geometry.arrays import Floats, Integers
from jointlimits_core.report.figures.space import step_for, ticks_within

from ..toolkit.palette import OUTSIDE_EDGES_DEG, Colours
from ..toolkit.qt import Qt, QtCore, QtGui
from ..toolkit.words import frame_number
from . import strip_layout
from .base import CENTRED, filled, pen, polygon, text_at, tinted

_SHORTEST, _TICK_PIXELS = 4.0, 70.0


def paint_header(
    painter: Any, layout: strip_layout.StripLayout, rows: strip_layout.Rows, colours: Colours
) -> None:
    """Paint frame numbers, with lines down through the rows."""
    span = layout.span
    most = max(int(layout.track / _TICK_PIXELS), 1)
    step = step_for(span.length, most, min(rows.step, 1.0))
    for tick in ticks_within(span.first, span.last, step):
        x = layout.x(tick)
        painter.setPen(pen(colours.line, 0.8))
        painter.drawLine(
            QtCore.QPointF(x, strip_layout.HEADER_PIXELS - 5), QtCore.QPointF(x, layout.height)
        )
        painter.setPen(pen(colours.faint))
        inner = min(max(x, layout.left + 10.0), layout.left + layout.track - 14.0)
        text_at(
            painter, inner, 0.5 * strip_layout.HEADER_PIXELS - 2.0, frame_number(round(tick, 6))
        )


def paint_curves(
    painter: Any,
    layout: strip_layout.StripLayout,
    rows: strip_layout.Rows,
    cut: tuple[Integers, Integers],
    colours: Colours,
) -> None:
    """Paint the channels over time, and marks; nothing here depends on the limits but the scale."""
    for row in layout.seen_rows:
        if rows.values is not None:
            # Its extent in every pixel column.
            area = _curve_area(layout, rows, row)
            starts, columns = cut
            low, high = strip_layout.value_scale(rows, row)
            scale = area.height() / (high - low)
            end = _end_of(starts, len(rows.frames))
            least = strip_layout.least_in(rows.values[row], starts, end)
            most = strip_layout.worst_in(rows.values[row], starts, end)
            painter.setPen(pen(colours.ink, 1.0))
            ys = area.bottom() - (np.stack([least, most]) - low) * scale
            for line in _zigzags(area.left() + columns + 0.5, ys):
                painter.drawPolyline(line)
        track = _track(layout, row)
        for mark in rows.marks_of(row):  # a line with a triangle at its foot
            x = layout.x(mark.frame)
            if not track.left() <= x <= track.right():
                continue
            foot = track.bottom()
            painter.setPen(pen(colours.rest, 1.4))
            painter.drawLine(QtCore.QPointF(x, track.top()), QtCore.QPointF(x, foot - 8.0))
            painter.setPen(pen(colours.ink, 1.0))
            painter.setBrush(QtGui.QColor(colours.rest))
            painter.drawPolygon(polygon(((x - 5.0, foot), (x + 5.0, foot), (x, foot - 9.0))))
            painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_limits(
    painter: Any,
    layout: strip_layout.StripLayout,
    rows: strip_layout.Rows,
    cut: tuple[Integers, Integers],
    colours: Colours,
) -> None:
    """Paint plates of rows, their ranges as bands, and at the foot what is outside."""
    for row in layout.seen_rows:
        painter.fillRect(_track(layout, row), filled(colours.plate))
        if rows.values is not None:
            _paint_band(painter, _curve_area(layout, rows, row), rows, row, colours)
        if row not in rows.gaps:
            _paint_bar(painter, layout, _foot(layout, row), rows.outside_deg[row], cut, colours)


def _track(layout: strip_layout.StripLayout, row: int) -> Any:
    return QtCore.QRectF(layout.left, layout.top(row) + 2.0, layout.track, layout.row_pixels - 4.0)


def _foot(layout: strip_layout.StripLayout, row: int) -> float:
    """Top of the bar of what is outside."""
    return layout.top(row) + layout.row_pixels - strip_layout.BAR_PIXELS - 3.0


def _curve_area(layout: strip_layout.StripLayout, rows: strip_layout.Rows, row: int) -> Any:
    """Area of a curve; a gap is never outside, so its curve takes the whole row."""
    top = layout.top(row) + 3.0
    foot = _track(layout, row).bottom() if row in rows.gaps else _foot(layout, row)
    return QtCore.QRectF(layout.left, top, layout.track, foot - top)


def _paint_band(
    painter: Any, area: Any, rows: strip_layout.Rows, row: int, colours: Colours
) -> None:
    """Paint the range of a channel."""
    limits = rows.limits(row)
    if limits is None:
        return
    low, high = strip_layout.value_scale(rows, row)
    scale = area.height() / (high - low)
    top, bottom = (area.bottom() - (end - low) * scale for end in limits[::-1])
    band = QtCore.QRectF(area.left(), top, area.width(), max(bottom - top, 1.0))
    own = colours.of_channel(rows.labels[row])
    painter.fillRect(band, tinted(own, 0.13))
    painter.setPen(pen(own, 1.0))
    for y in (top, bottom):
        painter.drawLine(QtCore.QPointF(area.left(), y), QtCore.QPointF(area.right(), y))


def _end_of(starts: Integers, frames: int) -> int:
    """Position after the last visible frame: its column is as wide as the others."""
    if not len(starts):
        return 0
    usual = int(np.median(np.diff(starts))) if len(starts) > 1 else frames
    return min(int(starts[-1]) + max(usual, 1), frames)


def _zigzags(xs: Floats, ys: Floats) -> list[Any]:
    """Lines through both ends of every column, broken at columns with NaN."""
    there = np.flatnonzero(np.isfinite(ys[0]))
    runs = np.split(there, np.flatnonzero(np.diff(there) > 1) + 1)
    found = []
    for run in runs if len(there) else ():
        # Plain numbers take a third of the time.
        points = [
            QtCore.QPointF(x, y)
            for x, low, high in zip(xs[run].tolist(), *ys[:, run].tolist())
            for y in ((low, high) if high != low else (low,))
        ]
        if len(points) == 1:  # Qt does not paint a line of one point
            points.append(points[0] + QtCore.QPointF(0.0, 1.0))
        found.append(QtGui.QPolygonF(points))
    return found


def _paint_bar(
    painter: Any,
    layout: strip_layout.StripLayout,
    top: float,
    outside_deg: Floats,
    cut: tuple[Integers, Integers],
    colours: Colours,
) -> None:
    """Paint degrees outside: more is taller, with another colour."""
    starts, columns = cut
    base = top + strip_layout.BAR_PIXELS
    painter.fillRect(
        QtCore.QRectF(layout.left, base - 1, layout.track, 1), QtGui.QColor(colours.line)
    )
    worst = strip_layout.worst_in(outside_deg, starts, _end_of(starts, len(outside_deg)))
    there = np.flatnonzero(np.nan_to_num(worst) > 0.0)
    levels = np.searchsorted(OUTSIDE_EDGES_DEG, worst[there], side="right")
    wide = max(layout.pixels_per_frame, 1.0)
    starts_at = layout.left + columns[there] - 0.5 * (wide - 1.0)
    lows = np.maximum(starts_at, layout.left)
    # Slight overlap; otherwise antialiasing leaves seams between neighbours.
    highs = np.maximum(starts_at + wide + 0.7, lows + 2.0)
    highs = np.minimum(highs, layout.left + layout.track)
    painter.setPen(Qt.PenStyle.NoPen)
    for level in np.unique(levels).tolist():
        tall = _SHORTEST + (strip_layout.BAR_PIXELS - _SHORTEST) * level / len(OUTSIDE_EDGES_DEG)
        painter.setBrush(filled(colours.outside[level]))
        chosen = levels == level
        ends = zip(lows[chosen].tolist(), highs[chosen].tolist())
        painter.drawRects([QtCore.QRectF(a, base - tall, b - a, tall) for a, b in ends])
    painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_names(
    painter: Any,
    layout: strip_layout.StripLayout,
    rows: strip_layout.Rows,
    chosen: int | None,
    colours: Colours,
) -> None:
    """Paint names beside the rows; the selected one on its own plate."""
    metrics = QtGui.QFontMetricsF(painter.font())
    for row in layout.seen_rows:
        top = layout.top(row)
        box = QtCore.QRectF(4.0, top + 2.0, layout.left - 10.0, layout.row_pixels - 4.0)
        if row == chosen:
            painter.fillRect(box, tinted(colours.focus, 0.28))
            painter.fillRect(
                QtCore.QRectF(box.left(), box.top(), 3.0, box.height()), QtGui.QColor(colours.focus)
            )
        painter.setPen(pen(colours.ink))
        words = metrics.elidedText(rows.labels[row], Qt.TextElideMode.ElideMiddle, box.width() - 10)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(box.adjusted(0, 0, -4, 0), flags, words)


def paint_left_out(
    painter: Any,
    layout: strip_layout.StripLayout,
    stretches: Sequence[tuple[float, float]],
    colours: Colours,
) -> None:
    """Paint excluded frames, hatched."""
    for first, last in stretches:
        a, b = max(layout.x(first), layout.left), min(layout.x(last), layout.left + layout.track)
        if b > a:
            area = QtCore.QRectF(
                a, strip_layout.HEADER_PIXELS, b - a, layout.height - strip_layout.HEADER_PIXELS
            )
            painter.fillRect(area, tinted(colours.ground, 0.55))
            brush = QtGui.QBrush(tinted(colours.faint, 0.6), Qt.BrushStyle.BDiagPattern)
            painter.fillRect(area, brush)


def paint_choice(
    painter: Any, layout: strip_layout.StripLayout, stretch: tuple[float, float], colours: Colours
) -> None:
    """Paint the frames that are being selected."""
    a, b = (layout.x(frame) for frame in stretch)
    area = QtCore.QRectF(a, 2.0, max(b - a, 1.0), layout.height - 4.0)
    painter.fillRect(area, tinted(colours.focus, 0.25))
    painter.setPen(pen(colours.focus, 1.5, (3.0, 2.0)))
    painter.drawRect(area)


def paint_played(
    painter: Any, layout: strip_layout.StripLayout, ends: tuple[float, float], colours: Colours
) -> None:
    """Shade what is before the in point and after the out point, with a line at each."""
    first, last = (layout.x(frame) for frame in ends)
    right = layout.width - layout.right
    for a, b in ((layout.left, first), (last, right)):
        if b > a:
            painter.fillRect(
                QtCore.QRectF(a, 0.0, b - a, layout.height), tinted(colours.plate, 0.7)
            )
    painter.setPen(pen(colours.focus, 1.5))
    for x in (first, last):
        if layout.left <= x <= right:
            painter.drawLine(QtCore.QPointF(x, 0.0), QtCore.QPointF(x, layout.height))


def paint_playhead(
    painter: Any, layout: strip_layout.StripLayout, frame: float, colours: Colours
) -> None:
    """Paint the current frame: a line with its number in a flag; an arrow at the edge if hidden."""
    x = layout.x(frame)
    words = frame_number(frame)
    metrics = QtGui.QFontMetricsF(painter.font())
    half = 0.5 * metrics.horizontalAdvance(words) + 5.0
    low, high = layout.left, layout.left + layout.track
    if not low - 0.5 <= x <= high + 0.5:
        words = f"◀ {words}" if x < low else f"{words} ▶"
        half += 9.0
    middle = min(max(x, low + half - 4.0), high - half + 4.0)
    if low - 0.5 <= x <= high + 0.5:
        painter.setPen(pen(colours.pose, 1.6))
        painter.drawLine(
            QtCore.QPointF(x, strip_layout.HEADER_PIXELS - 4), QtCore.QPointF(x, layout.height)
        )
    flag = QtCore.QRectF(middle - half, 2.0, 2.0 * half, strip_layout.HEADER_PIXELS - 6.0)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QtGui.QColor(colours.pose))
    painter.drawRoundedRect(flag, 3, 3)
    painter.setPen(pen(colours.ground))
    painter.drawText(flag, CENTRED, words)
