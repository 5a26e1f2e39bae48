"""Index page of the characters of a batch: one row each, which is sorted, searched and filtered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote

from ...base.text import plural
from ...base.version import __version__
from .document import Html, document, element, find_tools, picture, section, table, wide

MOST_ROWS = 2_000
"""Most characters on the page; the table has all."""
PICTURE_SIZE = 120.0
"""Width and height of the picture that the bones are drawn for."""
KINDS = (("", "all characters"), ("look", "to look at"), ("failed", "without limits"))
NUMBERS = ("clips", "joints", "to look at")
HEADS = ("", "character", *NUMBERS, "status")
LINKS = (
    "Names link to a character's page, or to its limit set where it has no page; the option report "
    "in a manifest adds pages."
)


class LibraryRow(NamedTuple):
    """One character.

    `clips`, `joints`: None if it has no limits. `report`, `limits`: names of files beside the page,
    empty if there are none. `bones`: picture as the path of an SVG.
    """

    character: str
    status: str
    clips: int | None
    joints: int | None
    to_look_at: int
    report: str
    limits: str
    message: str
    bones: str = ""


def library_page(rows: Sequence[LibraryRow], counts: str, form: str, more_in: str) -> str:
    """Self-contained HTML page.

    `counts`: sentence about all. `form`: marks the page as one that may be overwritten. `more_in`:
    name of the table with the characters beyond :data:`MOST_ROWS`.
    """
    title = f"Joint limits of {plural(len(rows), 'character')}"
    shown = [_row(row) for row in rows[:MOST_ROWS]]
    listed = table(shown, "characters sortable", HEADS, NUMBERS, tools="find-character")
    hidden = len(rows) - len(shown)
    return document(
        title,
        element("header", element("h1", title), element("p", counts, class_="lead")),
        section(
            "Characters",
            find_tools("find-character", "Search characters", KINDS),
            wide(listed),
            element("p", f"{hidden} more in {more_in}.", class_="note") if hidden else None,
            note=LINKS,
        ),
        version=__version__,
        sheets=("library.css",),
        scripts=("tables.js",),
        form=form,
    )


def _row(row: LibraryRow) -> Html:
    ok = row.status == "ok"
    numbers = row.clips, row.joints, row.to_look_at if ok else None
    status = row.status if ok else f"{row.status}: {row.message}"
    kind = "failed" if not ok else "look" if row.to_look_at else ""
    file, size = row.report or row.limits, PICTURE_SIZE
    bones = element("path", d=row.bones, class_="bones")
    # The leading "./" keeps a name from being read as another protocol.
    name = element("a", row.character, href=f"./{quote(file)}") if file else row.character
    return element(
        "tr",
        element("td", picture(row.character, size, size, bones, kind=None) if row.bones else None),
        element("th", name, scope="row"),
        *(element("td", number, class_="right") for number in numbers),
        element("td", status),
        data_kinds=kind,
    )
