"""Angle dial of a channel: samples, interval, gap and rest pose (the paper's figure 6).

Zero is on the right and angles grow anticlockwise, as in the paper. Samples are spikes whose length
shows how often the motion was there, so every sample counts and none is left out.

Small inline bars and glyphs: ranges on a scale, residuals, joint types.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...base import channel_letter, number
from ...geometry import Floats, Integers
from ...limits import AxisLimit, band_stretches, range_text, single_limit
from ..figures import bar_segments, counts_on_circle, gap_arc, point_at
from .document import Html, element, joined

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


def range_bar(limit: AxisLimit, widest: float | None = None) -> Html:
    """Bar of a channel's range from -180 to 180, bands as thin ends, zero marked.

    `widest` is the widest range of the joint by anatomy, degrees; unknown bands are not drawn.
    """
    parts = []
    if limit.state == "free" or limit.min_deg is None or limit.max_deg is None:
        parts.append(bar_part("range free", 0, 100, 3, 5))
    else:
        for band in band_stretches(limit, widest):
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


RADIUS = 72.0
SPIKE_START, SPIKE_LENGTH = 80.0, 18.0
_SIZE = 256
_TEXT = 109.0
_SAME_POINT_DEG = 0.05


def arc_path(start_deg: float, end_deg: float, radius: float) -> str:
    """SVG path from one angle anticlockwise to another.

    Parameters
    ----------
    start_deg, end_deg : float
        Degrees, `end_deg` not smaller. A span of a turn or more gives the whole circle, and so
        does one so close to it that both ends would round to one point, which draws nothing.
    """
    span = end_deg - start_deg
    if span >= 360.0 - _SAME_POINT_DEG:
        half = start_deg + 180.0
        return arc_path(start_deg, half, radius) + " " + arc_path(half, half + 180.0, radius)
    (x0, y0), (x1, y1) = point_at(start_deg, radius), point_at(end_deg, radius)
    large = int(span > 180.0)
    return f"M{x0:.2f} {y0:.2f} A{radius:g} {radius:g} 0 {large} 0 {x1:.2f} {y1:.2f}"


def spikes_path(counts: Integers) -> str:
    """SVG path with one radial spike per piece that has samples, longer for more.

    Length grows with the cube root, so that one sample in ten thousand is still visible.
    """
    if counts.max(initial=0) == 0:
        return ""
    share = np.cbrt(counts / counts.max())
    lengths = np.where(counts > 0, SPIKE_LENGTH * np.maximum(share, 0.25), 0.0)
    parts = []
    for position in np.flatnonzero(counts):
        angle = float(position) * 360.0 / len(counts)
        (x0, y0), (x1, y1) = (
            point_at(angle, SPIKE_START),
            point_at(angle, SPIKE_START + float(lengths[position])),
        )
        parts.append(f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}")
    return "".join(parts)


def dial(
    channel: str,
    limit: AxisLimit,
    angles_deg: Floats,
    rest_deg: float | None,
    widest: float | None = None,
) -> Html:
    """Angle circle of one channel as inline SVG.

    Parameters
    ----------
    channel : str
        "rotateX", ..., or a ZYZ angle.
    angles_deg : array, shape (samples,)
        On any branch.
    rest_deg : float, optional
        The rest pose's value.
    widest : float, optional
        Widest range of the joint by anatomy, degrees.
    """
    half = _SIZE / 2
    return element(
        "svg",
        element("title", _description(channel, limit, rest_deg, widest)),
        _graduation(),
        element("path", d=spikes_path(counts_on_circle(angles_deg)), class_="spikes"),
        *_arcs(limit, widest),
        None if rest_deg is None else _diamond(rest_deg),
        *_centre(channel, limit),
        viewBox=f"{-half:g} {-half:g} {_SIZE} {_SIZE}",
        class_="dial",
        role="img",
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


def _graduation() -> Html:
    """Quarter and 30-degree marks, with numbers at the quarters."""
    ticks = "".join(
        "M{:.1f} {:.1f}L{:.1f} {:.1f}".format(
            *point_at(a, 59.0 if a % 90 else 55.0), *point_at(a, 64)
        )
        for a in range(0, 360, 30)
    )
    labels = [
        element("text", text, x=x, y=y + 4, class_="degree")
        for text, (x, y) in (
            ("0°", point_at(0, _TEXT)),
            ("90°", point_at(90, _TEXT)),
            ("±180°", point_at(180, _TEXT)),
            ("−90°", point_at(270, _TEXT)),
        )
    ]
    return element("g", element("path", d=ticks, class_="ticks"), *labels)


def _arcs(limit: AxisLimit, widest: float | None) -> list[Html]:
    low, high = limit.min_deg, limit.max_deg
    if low is None or high is None or limit.state == "free":
        only = single_limit(limit)
        ring = element("path", d=arc_path(0, 360, RADIUS), class_="interval free")
        return [ring] if only is None else [ring, _end_marks(only[1])]
    gap = gap_arc(low, high)
    arcs = [] if gap is None else [element("path", d=arc_path(*gap, RADIUS), class_="gap")]
    arcs += [
        element("path", d=arc_path(*band, RADIUS), class_="band")
        for band in band_stretches(limit, widest)
    ]
    if high > low:
        arcs.append(element("path", d=arc_path(low, high, RADIUS), class_="interval"))
    return [*arcs, _end_marks(low, high)]


def _end_marks(*angles_deg: float) -> Html:
    ends = "".join(
        "M{:.1f} {:.1f}L{:.1f} {:.1f}".format(*point_at(a, RADIUS - 8), *point_at(a, RADIUS + 7))
        for a in angles_deg
    )
    return element("path", d=ends, class_="ends")


def _diamond(angle_deg: float) -> Html:
    x, y = point_at(angle_deg, RADIUS)
    return element("path", d=f"M{x:.1f} {y - 7:.1f}l7 7l-7 7l-7 -7Z", class_="rest")


def _centre(channel: str, limit: AxisLimit) -> list[Html]:
    low, high = limit.min_deg, limit.max_deg
    if low is None or high is None or limit.state == "free":
        words = range_text(limit)
    elif limit.state == "locked":
        words = "locked"
    else:
        words = f"{number(high - low)}° wide"
    return [
        element("text", channel_letter(channel), y=2, class_="letter"),
        element("text", words, y=22, class_="width"),
    ]
