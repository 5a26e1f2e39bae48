"""Small inline bars and glyphs: ranges on a scale, residuals, joint types."""

from __future__ import annotations

from collections.abc import Iterable

from ..limits.limit_set import AxisLimit
from .bands import band_extensions
from .markup import Html, element, joined

_GLYPHS = {
    "fixed": '<rect x="3" y="3" width="10" height="10" rx="1.5"/>',
    "hinge": '<path d="M8 1V15" /><path d="M8 11A5 5 0 0 0 13 5"/>',
    "universal": '<path d="M8 1V15M1 8H15"/>',
    "ball": '<circle cx="8" cy="8" r="6"/><path d="M2 8A6 2.4 0 0 0 14 8"/>',
}


def type_glyph(kind: str) -> Html:
    """Glyph of a joint type, the size of a letter, hidden from screen readers."""
    inner = Html(_GLYPHS.get(kind, ""))
    return element("svg", inner, viewBox="0 0 16 16", class_="glyph", aria_hidden="true")


def type_badge(kind: str) -> Html:
    """Glyph and word in the type's colour."""
    return element("span", type_glyph(kind), kind, class_=f"type type-{kind}")


def bar_segments(low_deg: float, high_deg: float) -> tuple[tuple[float, float], ...]:
    """Pieces of the scale from -180 to 180 covered by a range.

    Parameters
    ----------
    low_deg, high_deg : float
        On any branch, `high_deg` not smaller.

    Returns
    -------
    tuple of (start, length)
        In percent of the scale. A range past the end of the scale continues at its start; one of
        a turn or more covers all of it.
    """
    span = high_deg - low_deg
    if span >= 360.0:
        return ((0.0, 100.0),)
    start = (low_deg + 180.0) % 360.0
    # A range that ends at exactly 180 must not wrap, and 360 % 360 is 0.
    first = min(span, 360.0 - start)
    pieces = [(start, first)]
    if span > first:
        pieces.append((0.0, span - first))
    return tuple((begin / 3.6, length / 3.6) for begin, length in pieces)


def bar_part(kind: str, start: float, length: float, top: float = 2, height: float = 7) -> Html:
    """One piece of a bar.

    Parameters
    ----------
    kind : str
        Class in the style sheet.
    start, length : float
        In percent of the bar.
    top, height : float
        A bar is 11 high.
    """
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


def range_bar(limit: AxisLimit) -> Html:
    """Bar of a channel's range from -180 to 180, bands as thin ends, zero marked."""
    parts = []
    if limit.state == "free" or limit.min_deg is None or limit.max_deg is None:
        parts.append(bar_part("range free", 0, 100, 3, 5))
    else:
        for band in band_extensions(limit):
            for start, length in bar_segments(*band):
                parts.append(bar_part("band", start, length, 3.5, 4))
        for start, length in bar_segments(limit.min_deg, limit.max_deg):
            shown = max(length, 1.0)
            begin = min(max(start + 0.5 * (length - shown), 0.0), 100.0 - shown)
            parts.append(bar_part(f"range {limit.state}", begin, shown))
    return angle_bar(parts)


def share_bar(share: float, chosen: bool) -> Html:
    """Bar of a number between 0 and 1."""
    width = 100.0 * min(max(share, 0.0), 1.0)
    kind = "range" if chosen else "share"
    return bar(bar_part("rail", 0, 100), bar_part(kind, 0, max(width, 0.6)))


def dots(colours: list[tuple[str, str]]) -> Html:
    """Legend: coloured dots with their names."""
    return joined(
        element(
            "span",
            element("span", class_="dot", style=f"background:{colour}"),
            name,
            class_="legend-item",
        )
        for colour, name in colours
    )
