"""The frame of every page: one file that needs nothing from anywhere."""

from __future__ import annotations

from .markup import Html, element
from .style import style_sheet

# No network, and no script but one whose hash is given; the browser holds the page to it.
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def document(
    title: str,
    *content: Html | None,
    version: str,
    more_css: str = "",
    script_hash: str | None = None,
    form: str | None = None,
) -> str:
    """Return a whole HTML document.

    Parameters
    ----------
    *content : Html or None
        What stands in it, from top to bottom.
    version : str
        Of the program, for the last line.
    more_css : str
        Rules beside those that every page has.
    script_hash : str, optional
        Hash of the one script that may run; none may by default.
    form : str, optional
        What the page is known by where it may be replaced, see :mod:`..own_files`.
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
