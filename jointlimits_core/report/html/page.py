"""HTML pages: text, tables and figures as data, which the script ``page.js`` draws.

Contents are text, numbers, None (nothing), pieces, or lists of contents. Without a script the page
shows one table as plain HTML.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from ...base.text import printable
from ..figures import character, glyphs

Piece = dict[str, Any]
SCRIPTS = (
    *("player.js", "content.js", "charts.js", "page.js", "character.js", "limits_page.js"),
    *("check_page.js", "panels.js"),
)
"""The parts of the script, in order."""
NO_SCRIPT = "A script draws this page, but does not run here. Below is its table, without pictures."
MAX_DEPTH = 12
"""Maximum number of indented levels in a hierarchy."""


def piece(kind: str, /, *content: object, **fields: object) -> Piece:
    """One piece of a page: a figure or table that the script draws, or an HTML element.

    `content`: contents of the element. `fields`: data of the figure, or attributes; ``class_``
    becomes ``class``, ``_`` inside a name becomes ``-``, and fields that are None are left out.
    """
    made: Piece = {"is": kind}
    if content:
        made["in"] = content[0] if len(content) == 1 else list(content)
    for key, value in fields.items():
        if value is not None:
            made[key.rstrip("_").replace("_", "-")] = value
    return made


def table(
    kind: str,
    heads: Sequence[object],
    rows: Iterable[object],
    right: Collection[str] = (),
    find: Piece | None = None,
) -> Piece:
    """A table with CSS class `kind`; each row is a list of contents and cells, or a :func:`row`.

    `right`: heads of right-aligned columns. `find`: search field from :func:`find_field`, which
    also makes the table sortable.
    """
    numbers = {head: piece("th", head, class_="right", scope="col") for head in right}
    cells = [numbers.get(head, head) if isinstance(head, str) else head for head in heads]
    return piece("table", class_=kind, heads=cells, rows=list(rows), find=find)


def row(*cells: object, **fields: object) -> Piece:
    """One row of a table; the first content is its heading."""
    return piece("tr", **fields) | {"cells": list(cells)}


def cell(content: object, kind: str = "n") -> Piece:
    """A cell with CSS class `kind`; the default is for numbers."""
    return piece("td", content, class_=kind)


def find_field(identity: str, label: str, kinds: Iterable[tuple[str, str]]) -> Piece:
    """Search field and filter of a table.

    `kinds`: words in the rows' ``data-kinds``, each with its label; the first, "", means all rows.
    """
    return {"id": identity, "label": label, "kinds": list(kinds)}


def titled_list(title: object, items: Sequence[object], kind: str | None = None) -> Piece | None:
    """A list with its heading; None if it is empty."""
    if not items:
        return None
    return piece("div", piece("h3", title), piece("ul", list(items)), class_=kind)


def note(*words: object) -> Piece:
    """A paragraph in small print."""
    return piece("p", *words, class_="note")


@cache
def _texts(*names: str) -> str:
    """Joined contents of files in this folder."""
    here = Path(__file__).parent
    return "".join((here / name).read_text(encoding="utf-8") for name in names)


def _make_printable(data: Any) -> Any:
    if isinstance(data, str):
        return printable(data)
    if isinstance(data, dict):
        return {key: _make_printable(value) for key, value in data.items()}
    return [_make_printable(value) for value in data] if isinstance(data, (list, tuple)) else data


def _block(identity: str, data: Any) -> str:
    """Data for the page's script; no text in it can close the block or garble a display."""
    text = json.dumps(_make_printable(data), separators=(",", ":"), allow_nan=False)
    text = text.replace("<", "\\u003c").replace("&", "\\u0026")
    return f'<script type="application/json" id="{identity}">{text}</script>\n'


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _escape(content: object) -> str:
    return "" if content is None else html.escape(printable(str(content)))


def _plain_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    table = "<tr>" + "".join(f'<th scope="col">{_escape(head)}</th>' for head in heads)
    for first, *rest in rows:
        cells = "".join(f"<td>{_escape(cell)}</td>" for cell in rest)
        table += f'</tr>\n<tr><th scope="row">{_escape(first)}</th>{cells}'
    return f"<table>\n{table}</tr>\n</table>"


def _style() -> str:
    """Style sheet, with the colours of the light and the dark theme."""
    modes = json.loads(_texts("../palette.json"))
    light, dark = (
        ";".join(f"--{name}:{colour}" for name, colour in modes[mode].items())
        for mode in ("light", "dark")
    )
    style = f":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{"
    return style + f":root:not(.printing){{{dark}}}}}\n{_texts('page.css')}"


def document(
    title: str,
    content: Sequence[object],
    plain: tuple[Sequence[str], Iterable[Sequence[object]]],
    version: str,
    kind: str = "",
    data: dict[str, Any] | None = None,
    form: str | None = None,
) -> str:
    """Return a complete HTML document with contents from top to bottom.

    `plain`: heads and rows of the table that is shown without a script. `version`: program version.
    `kind`: CSS class of the page's content. `data`: data of moving figures, by block id. `form`:
    format name that marks the page as one that may be overwritten, see
    :mod:`jointlimits_core.io.json`.
    """
    script, style = _texts(*SCRIPTS), _style()
    shown = {
        "kind": kind,
        "content": content,
        "glyphs": {name: [asdict(part) for part in parts] for name, parts in glyphs.GLYPHS.items()},
        "states": [[key, word] for key, word in character.STATE_NAMES.items()],
        "marks": character.STATE_CORNERS,
        "sizes": character.STATE_SIZES,
    }
    blocks = [_block(identity, block) for identity, block in (data or {}).items()]
    made_by = "" if form is None else f'<meta name="generator" content="{_escape(form)}">\n'
    # Content security policy: no network, and only this style sheet and this script.
    policy = f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}"
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
{made_by}<meta http-equiv="Content-Security-Policy" content="{policy}; base-uri 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{_escape(title)}</title>
<style>{style}</style>
</head><body><main id="page"><noscript><section><h1>{_escape(title)}</h1>
<p class="warn">{NO_SCRIPT}</p>
<div class="wide">{_plain_table(*plain)}</div></section></noscript></main>
<footer>Written by jointlimits {_escape(version)}.</footer>
{_block("page-data", shown)}{"".join(blocks)}<script>{script}</script>
</body></html>
"""
