"""HTML elements. Text is escaped unless it is already markup, so forgetting cannot hurt."""

from __future__ import annotations

import html
from collections.abc import Iterable

from ..wording import printable

_VOID = frozenset(["br", "hr", "img", "input", "meta"])


class Html(str):
    """Markup that may stand in the page as it is."""

    __slots__ = ()


def markup(content: object) -> Html:
    """Give markup as it is and anything else as escaped, printable text."""
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
        ``class_`` stands for class, ``_`` inside a name for "-". True gives a bare attribute, None
        and False none; numbers are written with at most two decimals.
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
