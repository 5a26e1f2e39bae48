"""Draws the icons of the shelf: each once, as shapes, from which the SVG and the PNGs are made.

    python icons/make_icons.py

needs Qt for Python. 32 pixels are what a shelf shows, 64 what it takes on screens with twice the
resolution, under the name with ``_200`` that Maya looks for there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

SIZE = 64
PIXELS = {"": 32, "_200": 64}  # live check: icon-200-suffix
HERE = Path(__file__).resolve().parent

BONE, RANGE, BOUND, WRONG, RIGHT, DARK = (
    *("#e8e8e8", "#56b4c9", "#f0b14a"),
    *("#ee6a56", "#86c96f", "#2b2b2b"),
)

Point = tuple[float, float]
"""x, and y downwards."""


@dataclass(frozen=True)
class Line:
    """A polyline with round ends, or a closed and filled one."""

    points: tuple[Point, ...]
    colour: str
    width: float = 5.0
    opacity: float = 1.0
    dashes: tuple[float, float] | None = None
    filled: bool = False


def _direction(degrees: float) -> Point:
    return math.cos(math.radians(degrees)), -math.sin(math.radians(degrees))


def _arc(centre: Point, radius: float, first: float, last: float) -> tuple[Point, ...]:
    """Points of an arc, degrees counter-clockwise from the right."""
    steps = max(2, int(abs(last - first) / 4))
    angles = [first + (last - first) * step / steps for step in range(steps + 1)]
    return tuple(
        (centre[0] + radius * _direction(a)[0], centre[1] + radius * _direction(a)[1])
        for a in angles
    )


def disc(centre: Point, radius: float, colour: str) -> Line:
    """A filled circle."""
    return Line(_arc(centre, radius, 0, 360), colour, 0.0, filled=True)


def fan(centre: Point, radius: float, first: float, last: float, colour: str = RANGE) -> Line:
    """A filled sector: a range of motion."""
    return Line((centre, *_arc(centre, radius, first, last)), colour, 0.0, 0.55, filled=True)


def ray(centre: Point, radius: float, degrees: float, colour: str, width: float = 5.0) -> Line:
    """A line from the joint outwards."""
    x, y = _direction(degrees)
    return Line((centre, (centre[0] + radius * x, centre[1] + radius * y)), colour, width)


def _bone(degrees: float = 40.0, colour: str = BONE) -> tuple[Line, ...]:
    """The lower bone from the left, the upper one at an angle, and the joint between them."""
    return (
        ray(JOINT, 20, 180, BONE, 7.0),
        ray(JOINT, 34, degrees, colour, 7.0),
        disc(JOINT, 7.5, BONE),
        disc(JOINT, 4.0, DARK),
    )


def _track(place: Point) -> tuple[Line, ...]:
    """A locator: a cross, as Maya draws it."""
    x, y = place
    return (Line(((x - 9, y), (x + 9, y)), RANGE, 4.0), Line(((x, y - 9), (x, y + 9)), BOUND, 4.0))


JOINT = (25.0, 47.0)
REACH = 35.0
LOW, HIGH = -12.0, 84.0
_BOUNDS = (ray(JOINT, REACH, LOW, BOUND, 4.0), ray(JOINT, REACH, HIGH, BOUND, 4.0))
_SAMPLES = tuple(
    disc(_arc(JOINT, radius, angle, angle)[0], 2.6, RANGE)
    for angle, radius in zip((-12, 2, 16, 30, 62, 76, 90, 104), (35, 32, 36, 33, 36, 32, 35, 33))
)

ICONS: dict[str, tuple[Line, ...]] = {
    # A window with a dial in it.
    "window": (
        Line(((5, 8), (59, 8), (59, 57), (5, 57)), BONE, 0.0, filled=True),
        Line(((8, 18), (56, 18), (56, 54), (8, 54)), DARK, 0.0, filled=True),
        fan((32.0, 47.0), 25, 12, 150),
        ray((32.0, 47.0), 25, 12, BOUND, 4.0),
        ray((32.0, 47.0), 25, 150, BOUND, 4.0),
        disc((32.0, 47.0), 4.5, BONE),
        disc((11.5, 13.0), 2.2, WRONG),
        disc((18.5, 13.0), 2.2, BOUND),
    ),
    # Samples of motion around a joint.
    "estimate": (*_SAMPLES, *_bone(46)),
    # The range with its bounds, and a tick.
    "apply": (
        fan(JOINT, REACH, LOW, HIGH),
        *_BOUNDS,
        *_bone(46),
        Line(((5, 17), (11, 24), (21, 7)), RIGHT, 5.5),
    ),
    # The range above a switch.
    "switch": (
        fan((24.0, 32.0), 27, LOW, HIGH),
        ray((24.0, 32.0), 27, LOW, BOUND, 4.0),
        ray((24.0, 32.0), 27, HIGH, BOUND, 4.0),
        Line(((18, 51), (46, 51)), BONE, 19.0),
        disc((45.5, 51.0), 7.0, "#3f8f4f"),
    ),
    # A bone outside of the range.
    "check": (
        fan(JOINT, REACH, LOW, 55),
        ray(JOINT, REACH, LOW, BOUND, 4.0),
        ray(JOINT, REACH, 55, BOUND, 4.0),
        *_bone(98, WRONG),
    ),
    # The range gone, and a cross.
    "clear": (
        Line(_arc(JOINT, REACH, LOW, HIGH), BOUND, 3.5, dashes=(5.0, 6.0)),
        *_bone(46),
        Line(((5, 7), (20, 22)), WRONG, 5.5),
        Line(((20, 7), (5, 22)), WRONG, 5.5),
    ),
    # Loose tracks with their axes, and the bones that were found between them.
    "skeleton": (
        Line(((14, 10), (31, 28), (22, 50)), BONE, 6.5),
        Line(((31, 28), (50, 40)), BONE, 6.5),
        *_track((14.0, 10.0)),
        *_track((50.0, 40.0)),
        *_track((22.0, 50.0)),
        disc((31.0, 28.0), 7.5, BONE),
        disc((31.0, 28.0), 4.0, DARK),
    ),
    # A page with ranges as bars.
    "results": (
        Line(((11, 5), (53, 5), (53, 59), (11, 59)), BONE, 0.0, filled=True),
        Line(((19, 18), (36, 18)), "#2f8ca3", 6.0),
        Line(((27, 32), (45, 32)), "#2f8ca3", 6.0),
        Line(((19, 46), (31, 46)), "#2f8ca3", 6.0),
        Line(((41, 46), (45, 46)), "#c9542f", 6.0),
    ),
}


def svg(shapes: tuple[Line, ...]) -> str:
    """The icon as SVG."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">',
            *(f"  {_element(shape)}" for shape in shapes),
            "</svg>\n",
        ]
    )


def _element(shape: Line) -> str:
    points = " ".join(f"{x:.4g},{y:.4g}" for x, y in shape.points)
    opacity = f' opacity="{shape.opacity:g}"' if shape.opacity < 1 else ""
    if shape.filled:
        return f'<polygon points="{points}" fill="{shape.colour}"{opacity}/>'
    dashes = f' stroke-dasharray="{shape.dashes[0]:g} {shape.dashes[1]:g}"' if shape.dashes else ""
    return (
        f'<polyline points="{points}" fill="none" stroke="{shape.colour}" '
        f'stroke-width="{shape.width:g}" stroke-linecap="round" stroke-linejoin="round"'
        f"{dashes}{opacity}/>"
    )


def write_png(shapes: tuple[Line, ...], path: Path, pixels: int) -> None:
    """Write the icon with a transparent background."""
    from PySide6 import QtCore, QtGui, QtSvg

    image = QtGui.QImage(pixels, pixels, QtGui.QImage.Format.Format_ARGB32)
    image.fill(QtCore.Qt.GlobalColor.transparent)
    painter = QtGui.QPainter(image)
    painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
    QtSvg.QSvgRenderer(svg(shapes).encode("utf-8")).render(painter)
    painter.end()
    image.save(str(path))


def main() -> None:
    """Write every icon."""
    for name, shapes in ICONS.items():
        stem = HERE / f"jointLimits_{name}"
        stem.with_suffix(".svg").write_text(svg(shapes), encoding="utf-8")
        for suffix, pixels in PIXELS.items():
            write_png(shapes, stem.with_name(f"{stem.name}{suffix}.png"), pixels)


if __name__ == "__main__":
    main()
