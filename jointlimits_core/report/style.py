"""Style of the report: colours safe for colour-blind readers, style sheet, matplotlib."""

from __future__ import annotations

import importlib
import io
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import MissingPackageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's palette, without the yellow that is lost on white paper.
BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SKY, ORANGE, BLACK, GREY = "#56B4E9", "#E69F00", "#222222", "#9AA3AD"

CLIP_COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, SKY, ORANGE, BLACK)
"""Colours of clips; any further clips share grey."""
TIME_COLOURS, TIME_SHARE = "viridis", 0.9
"""Colour map, and the share of it in use: its last yellow is too pale for a white page."""
INTERVAL, GAP, REST = BLUE, GREEN, VERMILLION

PIXELS_PER_INCH = 144
"""Twice the page's own density, for sharp screens and print."""
FIGURE_INCHES = (5.07, 4.65)
"""A third of the page's width; a point of text then is a pixel on the page."""
_SHADES, _MAXIMUM_COVERAGE = 256, 1


def require_matplotlib() -> None:
    """Check that matplotlib is available.

    Raises
    ------
    MissingPackageError
        With the command that installs it.
    """
    try:
        importlib.import_module("matplotlib.figure")
        importlib.import_module("mpl_toolkits.mplot3d")
    except ImportError as error:
        raise MissingPackageError(
            "the report needs matplotlib, which is not installed: pip install "
            f'"jointlimits[report]" ({error})'
        ) from error


def style_sheet() -> str:
    """Return the page's CSS."""
    return Path(__file__).with_name("report.css").read_text(encoding="utf-8")


def new_figure(width_inches: float, height_inches: float) -> Figure:
    """Empty figure independent of pyplot and global state."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width_inches, height_inches), dpi=PIXELS_PER_INCH, facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def png_bytes(figure: Figure) -> bytes:
    """Draw a figure as a PNG with a small palette, without time stamps or versions."""
    from PIL import Image

    # Pillow's "maximum coverage" keeps the colours of small things, such as the rest pose.
    canvas = figure.canvas
    canvas.draw()
    pixels = np.ascontiguousarray(np.asarray(canvas.buffer_rgba())[..., :3])  # type: ignore[attr-defined]
    stream = io.BytesIO()
    Image.fromarray(pixels).quantize(_SHADES, _MAXIMUM_COVERAGE).save(stream, "png", optimize=True)
    return stream.getvalue()


def png_address(figure: Figure) -> str:
    """``data:`` address of a figure, for an embedded image."""
    return "data:image/png;base64," + b64encode(png_bytes(figure)).decode("ascii")
