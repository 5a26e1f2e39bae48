"""Texts of the time strip."""

from __future__ import annotations

import numpy as np

from ..geometry.strip import StripLayout, mark_at
from ..geometry.strip_rows import Rows, nearest_frame
from ..words import degrees, frame_number, millimetres, tr


def strip_words() -> str:
    """Explanation of the strip for new users."""
    return tr(
        "Every channel over the frames of the clip. Marks below a curve are frames outside the "
        "limits: the further outside, the taller and stronger. The blue band is the range; "
        "hatched frames are excluded from the estimate. For a skeleton from loose tracks, the "
        "first row is the gap between the joint's two bodies, and a triangle marks the frame at "
        "which a body slipped.\n"
        "Click or drag to go to a frame, wheel to zoom, Shift and wheel or the middle button to "
        "pan; the wheel over the names scrolls the rows. Shift-drag selects frames, for example "
        "to exclude them. Left and Right step a frame, with Ctrl to the next place outside or "
        "slip; Up and Down select a row."
    )


def place_words(layout: StripLayout, rows: Rows, x: float, y: float, tolerance_deg: float) -> str:
    """Description of row, frame, value and degrees outside at a pixel."""
    row = layout.row(y)
    if not rows.count or not len(rows.frames):
        return ""
    if x < layout.left:
        return "" if row is None else rows.labels[row]
    at = nearest_frame(rows.frames, layout.frame(x))
    words = tr("frame {frame}", frame=frame_number(float(rows.frames[at])))
    if row is None:
        return words
    words = f"{rows.labels[row]}, {words}"
    if rows.values is not None and np.isfinite(rows.values[row, at]):
        value = float(rows.values[row, at])
        words += f": {millimetres(value) if row in rows.gaps else degrees(value)}"
    mark = mark_at(layout, rows, row, x)
    if mark is not None:
        words += f", {mark.text}"
    if rows.outside_deg[row, at] > tolerance_deg:
        words += ", " + tr("{by} outside", by=degrees(float(rows.outside_deg[row, at])))
    return words
