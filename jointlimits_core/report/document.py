"""HTML skeleton of every page: one self-contained file."""

from __future__ import annotations

from .markup import Html, element
from .style import style_sheet

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
