"""Building blocks of every page: escaped elements, tables, colours, figures, the document."""

from __future__ import annotations

import html
import importlib
import io
from base64 import b64encode
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

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


def cell(content: object, kind: str | None = None) -> Html:
    """One cell of a table; `kind` is its class."""
    return element("td", content, class_=kind)


def table_row(heading: object, *cells: object, kind: str | None = None) -> Html:
    """One row of a table; texts become cells, the first one a heading."""
    first = heading if _is_cell(heading) else element("th", heading)
    rest = (one if _is_cell(one) else cell(one) for one in cells)
    return element("tr", first, *rest, class_=kind)


def _is_cell(content: object) -> bool:
    return isinstance(content, Html) and content.startswith(("<td", "<th"))


def table(
    rows: Sequence[Html], kind: str, heads: Sequence[object] = (), right: Collection[object] = ()
) -> Html:
    """A table.

    Parameters
    ----------
    kind : str
        Class of the table.
    heads : sequence of str or Html
        Heads of the columns; none by default.
    right : collection of str
        Heads of right-aligned columns.
    """
    cells = [
        head if _is_cell(head) else element("th", head, class_="right" if head in right else None)
        for head in heads
    ]
    top = element("thead", element("tr", *cells)) if cells else None
    return element("table", top, element("tbody", *rows), class_=kind)


def wide(*content: Html) -> Html:
    """Content that scrolls sideways where the window is too narrow."""
    return element("div", *content, class_="wide")


def section(
    title: object, *content: Html | None, note: object = None, **attributes: object
) -> Html:
    """A section of the page with its heading, and a note below that."""
    words = None if note is None else element("p", note, class_="note")
    return element("section", element("h2", title), words, *content, **attributes)


def titled_list(
    title: object, items: Sequence[object], kind: str | None = None, level: str = "h3"
) -> Html | None:
    """A list with its heading; None if it is empty."""
    if not items:
        return None
    listed = element("ul", *(element("li", item) for item in items))
    return element("div", element(level, title), listed, class_=kind)


def picture(name: str, width: float, height: float, *parts: Html | None, kind: str | None) -> Html:
    """Inline SVG with a name for screen readers."""
    return element(
        "svg",
        element("title", name),
        *parts,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        class_=kind,
        role="img",
        aria_label=name,
    )


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


def style_sheet(*names: str) -> str:
    """CSS of the package's files."""
    here = Path(__file__)
    return "".join(here.with_name(name).read_text(encoding="utf-8") for name in names)


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
    try:
        picture = Image.fromarray(pixels).quantize(_SHADES, _MAXIMUM_COVERAGE)
    except ValueError:  # Pillow's word for it is "quantization error"
        raise MemoryError from None
    picture.save(stream, "png", optimize=True)
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
        element("style", Html(style_sheet("report.css") + more_css)),
    )
    footer = element("footer", f"Written by jointlimits {version}.")
    body = element("body", element("main", *content, footer))
    return "<!DOCTYPE html>\n" + element("html", head, body, lang="en") + "\n"
