"""HTML elements; text is escaped unless it already is markup, so escaping cannot be forgotten."""

from __future__ import annotations

import html
from collections.abc import Iterable

from ..wording import printable

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
