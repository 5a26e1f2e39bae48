"""Colours of the pictures, light and dark, that colour-blind people can distinguish.

The hues are those of Okabe and Ito, as in the report, and paler on dark windows such as Maya's.
Colour alone carries no meaning: everything also has its own shape, width or pattern.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from jointlimits_core import report
from jointlimits_core.geometry.arrays import ArrayLike, Floats

from .qt import QtGui, QtWidgets


@dataclass(frozen=True)
class Colours:
    """Every colour of the pictures, as "#rrggbb"."""

    dark: bool
    ground: str
    plate: str
    """Background of a picture, and of areas in it."""
    ink: str
    faint: str
    line: str
    """Text, secondary text, and grids."""
    samples: str
    """Colour of motion that is not coloured by clip."""
    interval: str
    gap: str
    band: str
    """The range, the empty part of the circle, and the part where a limit may be wider."""
    rest: str
    pose: str
    """Rest pose and current pose."""
    alarm: str
    """A joint outside its limits."""
    ghost: str
    """Measured range that an artist has edited."""
    focus: str
    """Keyboard focus."""
    outside: tuple[str, str, str, str, str]
    """Colours for degrees outside, small to large, with increasing contrast to the background."""
    clips: tuple[str, ...]
    """Colours of the first clips; the remaining clips share `other_clip`."""
    other_clip: str
    axes: tuple[str, str, str]
    """X, Y and Z: red, green and blue, as in Maya."""

    def of_channel(self, label: str) -> str:
        """Colour of a channel by the last letter of its label, such as "X" or "rotate X"."""
        return dict(zip("XYZ", self.axes)).get(label[-1:], self.interval)


_PALETTE = json.loads(Path(str(report.__file__)).with_name("palette.json").read_text("utf-8"))
"""Palette of pages and pictures, which share the colour of a joint outside its limits."""


def _colours(mode: str) -> Colours:
    own: dict[str, Any] = _PALETTE[f"window-{mode}"]
    own = {key: tuple(one) if isinstance(one, list) else one for key, one in own.items()}
    return Colours(mode == "dark", alarm=_PALETTE[mode]["outside"], **own)


LIGHT, DARK = _colours("light"), _colours("dark")
OUTSIDE_EDGES_DEG = (1.0, 5.0, 15.0, 45.0)
"""Degrees outside the limits at which the colour changes."""

# Nine colours along matplotlib's viridis, whose lightness grows evenly.
_VIRIDIS = (
    *((68, 1, 84), (71, 45, 123), (59, 82, 139), (44, 114, 142), (33, 145, 140)),
    *((40, 174, 128), (94, 201, 98), (173, 220, 48), (253, 231, 37)),
)
_TIME_ENDS = {False: (0.0, 0.9), True: (0.25, 1.0)}


def colours_of(widget: QtWidgets.QWidget) -> Colours:
    """Colours that suit a widget's window."""
    return colours_for(widget.palette())


def colours_for(palette: QtGui.QPalette) -> Colours:
    """Light or dark colours, to match a palette."""
    role = QtGui.QPalette.ColorRole
    window, text = palette.color(role.Window), palette.color(role.WindowText)
    return DARK if window.lightness() < text.lightness() else LIGHT


def show_choice(menu: QtWidgets.QWidget) -> None:
    """Show the chosen line of a menu in the colour of the keyboard focus."""
    palette, colours, role = menu.palette(), colours_of(menu), QtGui.QPalette.ColorRole
    palette.setColor(role.Highlight, QtGui.QColor(colours.focus))
    palette.setColor(role.HighlightedText, QtGui.QColor(colours.ground))
    menu.setPalette(palette)


def clip_colours(count: int, colours: Colours) -> tuple[str, ...]:
    """One colour per clip; clips beyond the palette share a colour."""
    return (*colours.clips[:count], *[colours.other_clip] * max(count - 7, 0))


def time_rgb(share: ArrayLike, colours: Colours) -> Floats:
    """Colours from the start (`share` 0) to the end (1) of a clip, shape (..., 3), from 0 to 255.

    The end of the scale that would vanish against the background is left out.
    """
    low, high = _TIME_ENDS[colours.dark]
    at = (low + (high - low) * np.clip(np.asarray(share, dtype=float), 0.0, 1.0)) * 8.0
    return np.stack([np.interp(at, np.arange(9), column) for column in zip(*_VIRIDIS)], axis=-1)


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of "#rrggbb"."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def outside_colour(outside_deg: float, colours: Colours) -> str:
    """Colour of an angle outside the limits, in degrees."""
    return colours.outside[int(np.searchsorted(OUTSIDE_EDGES_DEG, outside_deg, side="right"))]


def rgb_table(hex_colours: Sequence[str]) -> Floats:
    """Colours as an array, shape (colours, 3)."""
    return np.array([rgb(colour) for colour in hex_colours], dtype=np.float64).reshape(-1, 3)
