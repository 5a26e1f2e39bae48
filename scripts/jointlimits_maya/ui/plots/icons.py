"""Icons of commands, drawn in the colour of the window's text."""

from __future__ import annotations

from typing import Any

from jointlimits_core.report.figures.glyphs import SIDE, Arc, Line

from ..toolkit.qt import Qt, QtCore, QtGui
from .base import paint_shapes, painter_on

Shapes = tuple["Line | Arc", ...]
_HEAD = Line(((3, 2), (3, 7), (8, 7)))
_RIGHT_HEAD = Line(((13, 2), (13, 7), (8, 7)))
_TRAY = Line(((2, 10), (2, 14), (14, 14), (14, 10)))

ICONS: dict[str, Shapes] = {
    "estimate": (
        Line(((8, 12), (2.5, 5))),
        Line(((8, 12), (13.5, 5))),
        Line(((2.5, 5), (5, 3.2), (8, 2.6), (11, 3.2), (13.5, 5))),
        Line(((7, 11), (9, 11), (9, 13), (7, 13)), True, True),
    ),
    "apply_limits": (Line(((2.5, 8.5), (6.5, 12.5), (13.5, 3.5))),),
    "preview_clamping": (
        Line(((3, 2), (3, 14))),
        Line(((13, 2), (13, 14))),
        Line(((6, 4.5), (11, 8), (6, 11.5)), True, True),
    ),
    "open_limits": (Line(((2, 13), (2, 4), (6, 4), (7.5, 6), (14, 6), (14, 13)), True),),
    "save": (_TRAY, Line(((8, 2), (8, 10))), Line(((4.5, 7), (8, 10.5), (11.5, 7)))),
    "undo": (_HEAD, Line(((3, 7), (6, 4), (10, 4), (13, 7), (13, 10), (11, 13), (7, 13)))),
    "redo": (_RIGHT_HEAD, Line(((13, 7), (10, 4), (6, 4), (3, 7), (3, 10), (5, 13), (9, 13)))),
    "mirror": (
        Line(((8, 1), (8, 15))),
        Line(((6, 4), (6, 12), (3, 12)), True),
        Line(((10, 4), (10, 12), (13, 12)), True, True),
    ),
    "pin": (
        Line(((4, 2), (12, 2))),
        Line(((5.5, 2), (5, 8), (11, 8), (10.5, 2))),
        Line(((3, 8), (13, 8))),
        Line(((8, 8), (8, 15))),
    ),
    "reset": (
        Line(((2.5, 2.5), (2.5, 13.5))),
        Line(((13, 8), (6, 8))),
        Line(((9, 4.5), (5.5, 8), (9, 11.5))),
    ),
    "what_is_this": (
        Line(((5, 5.5), (5.5, 3.5), (8, 2.5), (10.5, 3.5), (11, 5.5), (8, 8.5), (8, 10.5))),
        Line(((7.2, 12.4), (8.8, 12.4), (8.8, 14), (7.2, 14)), True, True),
    ),
    "toggle_character": (
        Line(((6.5, 1.5), (9.5, 1.5), (9.5, 4.5), (6.5, 4.5)), True),
        Line(((8, 4.5), (8, 9.5))),
        Line(((3, 6.5), (13, 6.5))),
        Line(((4.5, 15), (8, 9.5), (11.5, 15))),
    ),
    "show": (
        Line(((2, 8), (10.5, 8))),
        Line(((7, 4.5), (10.5, 8), (7, 11.5))),
        Line(((13.5, 2.5), (13.5, 13.5))),
    ),
    "exclude": (Arc(), Line(((3.8, 3.8), (12.2, 12.2)))),
    "play": (Line(((4, 2.5), (13, 8), (4, 13.5)), True, True),),
    "pause": (
        Line(((4, 3), (6.5, 3), (6.5, 13), (4, 13)), True, True),
        Line(((9.5, 3), (12, 3), (12, 13), (9.5, 13)), True, True),
    ),
    "in_point": (Line(((8, 2), (4.5, 2), (4.5, 14), (8, 14))),),
    "out_point": (Line(((8, 2), (11.5, 2), (11.5, 14), (8, 14))),),
}
"""Shapes of each icon, drawn on a 16-unit square; most are named after their command."""
PIXELS = int(SIDE)


def icon_of(name: str, palette: Any) -> Any:
    """Icon with a name, in a palette's colours; empty if the name is unknown."""
    icon = QtGui.QIcon()
    shapes = ICONS.get(name)
    if shapes is None:
        return icon
    ink, groups = QtGui.QPalette.ColorRole.WindowText, QtGui.QPalette.ColorGroup
    for mode, colour in (
        (QtGui.QIcon.Mode.Normal, palette.color(groups.Active, ink).name()),
        (QtGui.QIcon.Mode.Disabled, palette.color(groups.Disabled, ink).name()),
    ):
        for ratio in (1, 2):
            pixmap = QtGui.QPixmap(PIXELS * ratio, PIXELS * ratio)
            pixmap.fill(Qt.GlobalColor.transparent)
            pixmap.setDevicePixelRatio(ratio)
            with painter_on(pixmap) as painter:
                paint_shapes(painter, QtCore.QRectF(0.0, 0.0, PIXELS, PIXELS), shapes, colour)
            icon.addPixmap(pixmap, mode)
    return icon
