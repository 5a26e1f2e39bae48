"""HTML skeleton of every page: one self-contained file.

HTML elements; text is escaped unless it already is markup, so escaping cannot be forgotten.

Long tables and lists: the first rows are open, further ones fold out.

Rows that a page should not hold are in the data only, and the page gives their number.

Style of the report: colours safe for colour-blind readers, style sheet, matplotlib.
"""

from __future__ import annotations

import html
import importlib
import io
from base64 import b64encode
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Sequence,
)
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ...base import MissingPackageError, printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_VOID = frozenset(["br", "hr", "img", "input", "meta"])


class Html(str):
    """Markup that goes into the page unchanged."""

    __slots__ = ()


def markup(content: object) -> Html:
    """Return markup unchanged and anything else as escaped, printable text."""
    if isinstance(content, Html):
        return content
    return Html(html.escape(printable(str(content)), quote=True))


def joined(parts: Iterable[object]) -> Html:
    """Concatenate parts; text among them is escaped."""
    return Html("".join(map(markup, parts)))


def element(name: str, /, *children: object, **attributes: object) -> Html:
    """One element.

    Parameters
    ----------
    *children : Html or object
        Text is escaped, None is left out.
    **attributes
        ``class_`` becomes class, ``_`` inside a name "-". True gives a bare attribute, None and
        False none; numbers have at most two decimals.
    """
    words = "".join(
        _attribute(key.rstrip("_").replace("_", "-"), value)
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Html(f"<{name}{words}>")
    inner = joined(child for child in children if child is not None)
    return Html(f"<{name}{words}>{inner}</{name}>")


def _attribute(name: str, value: object) -> str:
    if value is True:
        return f" {name}"
    if isinstance(value, float):
        value = f"{value:.2f}".rstrip("0").rstrip(".")
    return f' {name}="{markup(value)}"'


OPEN_ROWS = 12
"""Rows that are open at first."""
MOST_ROWS = 100
"""Most rows of a table; further ones are in the data."""
Item = TypeVar("Item")


def long_table(
    heads: Sequence[str], rows: Sequence[Html], numbers: Collection[str], kind: str = "still"
) -> Html:
    """A table whose rows fold out after the first few.

    Parameters
    ----------
    rows : sequence of Html
        Rows of :func:`table_row`, at most as many as a page holds.
    numbers : collection of str
        Heads of columns of numbers.
    kind : str
        Class of the table.
    """
    return folded(rows, lambda some: table(heads, some, numbers, kind))


def table(heads: Sequence[str], rows: Sequence[Html], numbers: Collection[str], kind: str) -> Html:
    """A table that scrolls sideways where the window is too narrow."""
    cells = [element("th", head, class_=_right(head, numbers)) for head in heads]
    parts = element("thead", element("tr", *cells)), element("tbody", *rows)
    return element("div", element("table", *parts, class_=kind), class_="wide")


def table_row(heads: Sequence[str], cells: Sequence[object], numbers: Collection[str]) -> Html:
    """One row; the first cell is its heading."""
    first, *rest = cells
    others = [
        element("td", cell, class_=_right(head, numbers)) for head, cell in zip(heads[1:], rest)
    ]
    return element("tr", element("th", first), *others)


def folded(items: Sequence[Item], shown: Callable[[Sequence[Item]], Html]) -> Html:
    """The first items open, the others folded."""
    if len(items) <= OPEN_ROWS:
        return shown(items)
    further = items[OPEN_ROWS:]
    fold = element("details", element("summary", f"{len(further)} more"), shown(further))
    return joined([shown(items[:OPEN_ROWS]), fold])


def more_in(data: str, count: int, most: int = MOST_ROWS) -> Html | None:
    """Where the remaining rows are; None if all are shown.

    Parameters
    ----------
    data : str
        Name of the file with all rows.
    count, most : int
        Number of rows, and how many the page holds.
    """
    hidden = count - most
    return element("p", f"{hidden} more in {data}.", class_="note") if hidden > 0 else None


def _right(head: str, numbers: Collection[str]) -> str | None:
    return "right" if head in numbers else None


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


# No network, and no script except one whose hash is given; the browser enforces it.
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def document(
    title: str,
    *content: Html | None,
    version: str,
    more_css: str = "",
    script_hash: str | None = None,
    form: str | None = None,
) -> str:
    """Return a complete HTML document.

    Parameters
    ----------
    *content : Html or None
        Contents from top to bottom.
    version : str
        Program version, for the footer.
    more_css : str
        Rules added to those of every page.
    script_hash : str, optional
        Hash of the only script allowed to run; none by default.
    form : str, optional
        Identifies the page as one that may be overwritten, see :mod:`..own_files`.
    """
    policy = _POLICY if script_hash is None else f"{_POLICY}; script-src '{script_hash}'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        None if form is None else element("meta", name="generator", content=form),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", Html(style_sheet() + more_css)),
    )
    footer = element("footer", f"Written by jointlimits {version}.")
    body = element("body", element("main", *content, footer))
    return "<!DOCTYPE html>\n" + element("html", head, body, lang="en") + "\n"
