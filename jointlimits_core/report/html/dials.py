"""Inline SVG of the page: dials of channels (the paper's figure 6), bars, glyphs of types."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from ...base.text import channel_letter, number
from ...limits.limit_set import AxisLimit
from ...limits.ranges import span_of
from ...limits.vocabulary import band_stretches, range_text
from ..figures import circle
from ..figures.glyphs import GLYPHS, Arc, Line
from .document import Html, element


@lru_cache(maxsize=64)
def glyph(kind: str) -> Html:
    """Glyph of a joint type, grade or layer, the size of a letter, hidden from screen readers."""
    shapes = (_line(one) if isinstance(one, Line) else _arc(one) for one in GLYPHS.get(kind, ()))
    return element("svg", *shapes, viewBox="0 0 16 16", class_="glyph", aria_hidden="true")


def _line(line: Line) -> Html:
    corners = "L".join(f"{x:g} {y:g}" for x, y in line.corners)
    path = f"M{corners}{'Z' if line.closed else ''}"
    return element("path", d=path, class_="full" if line.filled else None)


def _arc(arc: Arc) -> Html:
    kind, (rx, ry) = "full" if arc.filled else None, arc.radii
    if arc.span_deg == 360.0:
        dashes = "2 3.5" if arc.dotted else None
        return element("circle", cx=8, cy=8, r=rx, stroke_dasharray=dashes, class_=kind)
    turns = np.radians([arc.start_deg, arc.start_deg + arc.span_deg])
    (x0, x1), (y0, y1) = 8.0 + rx * np.cos(turns), 8.0 - ry * np.sin(turns)
    path = f"M{x0:.4g} {y0:.4g}A{rx:g} {ry:g} 0 0 0 {x1:.4g} {y1:.4g}{'Z' if arc.filled else ''}"
    return element("path", d=path, class_=kind)


def type_badge(kind: str) -> Html:
    """Glyph and word in the type's colour."""
    return element("span", glyph(kind), kind, class_=f"type type-{kind}")


def bar_part(kind: str, start: float, length: float, top: float = 2, height: float = 7) -> Html:
    """One piece of a bar, which is 100 wide and 11 high; `kind` is a class in the style sheet."""
    return element("rect", x=start, y=top, width=length, height=height, class_=kind)


def bar(*parts: Html | None) -> Html:
    """Pieces as an inline bar, hidden from screen readers."""
    return element(
        "svg",
        *parts,
        viewBox="0 0 100 11",
        preserveAspectRatio="none",
        class_="bar",
        aria_hidden="true",
    )


def angle_bar(parts: Iterable[Html]) -> Html:
    """Pieces on the scale from -180 to 180 degrees, on a thin rail; zero is marked."""
    return bar(bar_part("rail", 0, 100, 4, 3), *parts, bar_part("zero", 49.7, 0.6, 0, 11))


def range_bar(limit: AxisLimit, widest: float | None = None) -> Html:
    """Bar of a channel's range from -180 to 180, bands as thin ends, zero marked.

    `widest` is the widest range of the joint by anatomy, degrees; unknown bands are not drawn.
    """
    span = span_of(limit)
    if span is None:
        return angle_bar([bar_part("range free", 0, 100, 3, 5)])
    bands = (
        piece for band in band_stretches(limit, widest) for piece in circle.bar_segments(*band)
    )
    parts = [bar_part("band", *piece, 3.5, 4) for piece in bands]
    parts += [bar_part(f"range {limit.state}", *piece) for piece in circle.bar_segments(*span, 1.0)]
    return angle_bar(parts)


def share_bar(share: float, chosen: bool) -> Html:
    """Bar of a number between 0 and 1."""
    width = 100.0 * min(max(share, 0.0), 1.0)
    kind = "range" if chosen else "share"
    return bar(bar_part("rail", 0, 100), bar_part(kind, 0, max(width, 0.6)))


_SIZE = 256
_SAME_POINT_DEG = 0.05


def arc_path(start_deg: float, end_deg: float, radius: float) -> str:
    """SVG path from one angle anticlockwise to another, `end_deg` not smaller.

    A span of a turn or more gives the whole circle, and so does one so close to it that both ends
    would round to one point, which draws nothing.
    """
    span = end_deg - start_deg
    if span >= 360.0 - _SAME_POINT_DEG:
        half = start_deg + 180.0
        return arc_path(start_deg, half, radius) + " " + arc_path(half, half + 180.0, radius)
    (x0, y0), (x1, y1) = circle.point_at(start_deg, radius), circle.point_at(end_deg, radius)
    large = int(span > 180.0)
    return f"M{x0:.2f} {y0:.2f} A{radius:g} {radius:g} 0 {large} 0 {x1:.2f} {y1:.2f}"


def _radial(lines: Iterable[tuple[float, float, float]]) -> str:
    """SVG path of lines at an angle, from one radius to another."""
    return "".join(
        "M{:.1f} {:.1f}L{:.1f} {:.1f}".format(
            *circle.point_at(angle, inner), *circle.point_at(angle, outer)
        )
        for angle, inner, outer in lines
    )


def dial(
    channel: str,
    limit: AxisLimit,
    rest_deg: float | None,
    widest: float | None = None,
    number: int | None = None,
) -> Html:
    """Angle circle of one channel, a rotate channel or a ZYZ angle, as inline SVG.

    `widest` is the widest range of the joint by anatomy, degrees. `number` tells the page's script
    of which channel to add the poses: 0 to 2, or 3 for the angle about a hinge's axis.
    """
    half = _SIZE / 2
    arcs = [
        element(
            "path",
            d=arc_path(start, end, circle.RING),
            class_="interval free" if kind == "free" else kind,
        )
        for kind, start, end in circle.dial_arcs(limit, band_stretches(limit, widest))
    ]
    x, y = circle.point_at(rest_deg or 0.0, circle.RING)
    diamond = f"M{x:.1f} {y - 7:.1f}l7 7l-7 7l-7 -7Z"
    ends = _radial((angle, *circle.END_MARK) for angle in circle.limit_angles(limit))
    return element(
        "svg",
        element("title", _description(channel, limit, rest_deg, widest)),
        _graduation(),
        *arcs,
        element("path", d=ends, class_="ends") if ends else None,
        None if rest_deg is None else element("path", d=diamond, class_="rest"),
        *_centre(channel, limit),
        viewBox=f"{-half:g} {-half:g} {_SIZE} {_SIZE}",
        class_="dial",
        role="img",
        data_axis=number,
    )


def _description(
    channel: str, limit: AxisLimit, rest_deg: float | None, widest: float | None
) -> str:
    letter = channel_letter(channel)
    words = f"Angle circle of {letter}: "
    if limit.min_deg is None or limit.max_deg is None:
        words += range_text(limit)
    else:
        words += f"{number(limit.min_deg)} to {number(limit.max_deg)} degrees"
    bands = [end for stretch in band_stretches(limit, widest) for end in stretch]
    if bands:
        words += f", 90 % band {number(min(bands))} to {number(max(bands))}"
    return words if rest_deg is None else f"{words}, rest pose at {number(rest_deg)} degrees"


@lru_cache(maxsize=1)
def _graduation() -> Html:
    """Quarter and 30-degree marks, with numbers at the quarters."""
    labels = []
    for angle, words in circle.QUARTERS:
        x, y = circle.point_at(angle, circle.LABELS)
        labels.append(element("text", words, x=x, y=y + 4, class_="degree"))
    return element("g", element("path", d=_radial(circle.dial_ticks()), class_="ticks"), *labels)


def _centre(channel: str, limit: AxisLimit) -> list[Html]:
    span, letter = span_of(limit), channel_letter(channel)
    if span is None:
        words = range_text(limit)
    elif limit.state == "locked":
        words = "locked"
    else:
        words = f"{number(span[1] - span[0])}° wide"
    return [
        element("text", letter, y=2, class_=f"letter letter-{letter}"),
        element("text", words, y=22, class_="width"),
    ]
