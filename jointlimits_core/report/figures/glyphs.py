"""Glyphs for joint types, limit grades and layers, in a square of 16 units; y points down.

Every kind has its own shape, so that none depends on colour.
"""

from __future__ import annotations

from dataclasses import dataclass

SIDE = 16.0
LINE_WIDTH = 1.6


@dataclass(frozen=True)
class Line:
    """Straight lines from corner to corner; if filled, the area that they enclose."""

    corners: tuple[tuple[float, float], ...]
    closed: bool = False
    filled: bool = False


@dataclass(frozen=True)
class Arc:
    """Part of an ellipse centred on (8, 8)."""

    radii: tuple[float, float] = (6.0, 6.0)
    start_deg: float = 0.0
    span_deg: float = 360.0
    """Angles run anticlockwise from the right."""
    filled: bool = False
    """Whether the area between the arc and its chord is filled."""
    dotted: bool = False


_DOWN, _ACROSS = Line(((8, 1), (8, 15))), Line(((1, 8), (15, 8)))
_PAGE = Line(((3, 2), (13, 2), (13, 14), (3, 14)), closed=True)

GLYPHS: dict[str, tuple[Line | Arc, ...]] = {
    "fixed": (Line(((3.5, 3.5), (12.5, 3.5), (12.5, 12.5), (3.5, 12.5)), True, True),),
    "hinge": (_DOWN, Arc((5.5, 5.0), -90.0, 150.0)),
    "universal": (_DOWN, _ACROSS),
    "ball": (Arc(), Arc((6.0, 2.4), 180.0, 180.0)),
    "firm": (Arc(filled=True),),
    "seen": (Arc(), Arc(start_deg=180.0, span_deg=180.0, filled=True)),
    "open": (Arc(),),
    "untested": (Arc(dotted=True),),
    "turns": (Arc(start_deg=60.0, span_deg=330.0), Line(((8, 0.5), (11, 2.8), (8.4, 5.2)))),
    "prior": (_PAGE, Line(((6, 6), (10, 6))), Line(((6, 10), (10, 10)))),
    "people": (_PAGE, Arc(start_deg=0.0, span_deg=360.0)),
    "artist": (Line(((2, 14), (3, 10), (11, 2), (14, 5), (6, 13)), closed=True),),
}
"""Shapes that make up each glyph, from back to front."""
UNKNOWN = (Line(((4, 8), (12, 8))),)
