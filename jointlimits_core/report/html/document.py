"""Building blocks of every page: escaped elements, tables, the document."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from ...base.text import printable

_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})
_VOID = frozenset(["br", "hr", "img", "input", "meta"])


class Html(str):
    """Markup that goes into the page unchanged."""

    __slots__ = ()


def markup(content: object) -> Html:
    """Return markup unchanged and anything else as escaped, printable text."""
    return content if isinstance(content, Html) else _escaped(str(content))


@lru_cache(maxsize=4096)
def _escaped(text: str) -> Html:
    return Html(printable(text).translate(_ENTITIES))


def joined(parts: Iterable[object]) -> Html:
    """Concatenate parts; text among them is escaped."""
    return Html("".join([part if type(part) is Html else markup(part) for part in parts]))


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
    parts = [f"<{name}", *[_attribute(*item) for item in attributes.items()], ">"]
    if name not in _VOID:
        parts += [
            child if type(child) is Html else markup(child)
            for child in children
            if child is not None
        ]
        parts += ["</", name, ">"]
    return Html("".join(parts))


@lru_cache(maxsize=4096, typed=True)
def _attribute(key: str, value: object) -> str:
    """An attribute with the space before it; many elements have the same ones."""
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    if isinstance(value, float):
        value = f"{value:.2f}".rstrip("0").rstrip(".")
        return f' {name}="{value}"'
    return f' {name}="{markup(value)}"'


def cell(content: object, kind: str | None = None) -> Html:
    """One cell of a table; `kind` is its class."""
    return element("td", content, class_=kind)


def table_row(heading: object, *cells: object, kind: str | None = None) -> Html:
    """One row of a table; texts become cells, the first one a heading."""
    first = heading if _is_cell(heading) else element("th", heading, scope="row")
    rest = (one if _is_cell(one) else cell(one) for one in cells)
    return element("tr", first, *rest, class_=kind)


def _is_cell(content: object) -> bool:
    return isinstance(content, Html) and content.startswith(("<td", "<th"))


def table(
    rows: Sequence[Html],
    kind: str,
    heads: Sequence[object] = (),
    right: Collection[object] = (),
    tools: str | None = None,
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
    tools : str, optional
        Id of the search field of a sortable table.
    """
    cells = []
    for head in heads:
        if _is_cell(head):
            cells.append(head)
        elif head == "":  # a column of pictures
            cells.append(element("td"))
        else:
            kind_of_head = "right" if head in right else None
            cells.append(element("th", head, scope="col", class_=kind_of_head))
    top = element("thead", element("tr", *cells)) if cells else None
    return element("table", top, element("tbody", *rows), class_=kind, data_tools=tools)


def find_tools(identity: str, words: str, kinds: Iterable[tuple[str, str]]) -> Html:
    """Search field and filter of a sortable table; hidden until the script runs.

    `kinds`: words in the rows' ``data-kinds``, each with its name; the first, "", is all rows.
    """
    options = [element("option", name, value=kind) for kind, name in kinds]
    return element(
        "div",
        element("input", type="search", placeholder="Search", aria_label=words),
        element("select", *options, aria_label=f"{words}: which"),
        element("span", "", class_="count", role="status"),
        id=identity,
        class_="tools",
        hidden=True,
    )


def wide(*content: Html) -> Html:
    """Content that scrolls sideways where the window is too narrow."""
    return element("div", *content, class_="wide", tabindex=0, role="group", aria_label="Table")


def section(
    title: object, *content: Html | None, note: object = None, **attributes: object
) -> Html:
    """A section of the page with its heading, and a note below that."""
    words = None if note is None else element("p", note, class_="note")
    return element("section", element("h2", title), words, *content, **attributes)


def folded(title: object, *content: Html | None, **attributes: object) -> Html:
    """A part of the page that folds open, with its heading."""
    heading = element("summary", element("h2", title))
    return element("details", heading, *content, **{"class_": "fold", **attributes})


def titled_list(title: object, items: Sequence[object], kind: str | None = None) -> Html | None:
    """A list with its heading; None if it is empty."""
    if not items:
        return None
    listed = element("ul", *(element("li", item) for item in items))
    return element("div", element("h3", title), listed, class_=kind)


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


def _texts(*names: str) -> str:
    """Contents of the package's files."""
    here = Path(__file__)
    return "".join(here.with_name(name).read_text(encoding="utf-8") for name in names)


def data_block(identity: str, data: object) -> Html:
    """Data for the page's script, escaped so that nothing in it can close the block."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    text = text.replace("<", "\\u003c").replace("&", "\\u0026")
    return element("script", Html(text), type="application/json", id=identity)


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def document(
    title: str,
    *content: Html | None,
    version: str,
    sheets: Sequence[str] = (),
    scripts: Sequence[str] = (),
    form: str | None = None,
    kind: str | None = None,
) -> str:
    """Return a complete HTML document.

    Parameters
    ----------
    *content : Html or None
        Contents from top to bottom.
    version : str
        Program version, for the footer.
    sheets : sequence of str
        Style sheets of this package besides that of every page.
    scripts : sequence of str
        Files of this package that make up the only script allowed to run; none by default.
    form : str, optional
        Marks the page as one that may be overwritten, see :mod:`jointlimits_core.io.json`.
    kind : str, optional
        Class of the page's content, for its own style.
    """
    style, script = _texts("report.css", *sheets), _texts(*scripts)
    # Content security policy: no network, and only this style sheet and this script.
    allowed = f"; script-src {_hash(script)}" if script else ""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        None if form is None else element("meta", name="generator", content=form),
        element(
            "meta",
            http_equiv="Content-Security-Policy",
            content=Html(f"default-src 'none'; style-src {_hash(style)}{allowed}; base-uri 'none'"),
        ),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", Html(style)),
    )
    footer = element("footer", f"Written by jointlimits {version}.")
    main = element("main", *content, class_=kind, id="page")
    run = element("script", Html(script)) if script else None
    body = element("body", main, footer, run)
    return "<!DOCTYPE html>\n" + element("html", head, body, lang="en") + "\n"
