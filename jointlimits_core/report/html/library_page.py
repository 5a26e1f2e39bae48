"""Index page of a batch: a table with one row per character, to sort, search and filter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote

from ...base.text import plural
from ...base.version import __version__
from .page import Piece, cell, document, find_field, note, piece, row, table

MAX_ROWS = 2_000
"""Maximum number of characters on the page; the table file lists all."""
PICTURE_PIXELS = 120.0
"""Width and height of the picture of the bones."""
KINDS = (("", "all characters"), ("look", "to look at"))
NUMBERS = ("to look at", "clips", "joints")
LINKS = (
    "A name links to the character's page, or to its limit set if it has no page; the option "
    "“report” in the manifest adds pages."
)


class LibraryRow(NamedTuple):
    """One character.

    `clips`, `joints`: None without limits. `report`, `limits`: names of files beside the page, or
    empty. `bones`: SVG path of the picture.
    """

    character: str
    status: str
    clips: int | None
    joints: int | None
    to_look_at: int
    suggestions: int
    report: str
    limits: str
    message: str
    bones: str = ""

    @property
    def numbers(self) -> tuple[int | None, ...]:
        """Entries to look at, None if nothing was measured; clips, and joints."""
        return self.to_look_at if self.status == "ok" else None, self.clips, self.joints


def library_page(rows: Sequence[LibraryRow], counts: str, form: str, more_in: str) -> str:
    """Index as a self-contained HTML page.

    `counts`: sentence about all characters. `form`: format name of pages that may be overwritten.
    `more_in`: name of the table file with the characters beyond :data:`MAX_ROWS`.
    """
    title = f"Joint limits of {plural(len(rows), 'character')}"
    shown, hidden = rows[:MAX_ROWS], len(rows) - MAX_ROWS
    without = dict.fromkeys(one.status for one in rows if one.status != "ok")
    kinds = [*KINDS, *((status, status) for status in sorted(without))]
    find = find_field("find-character", "Search characters", kinds)
    heads = ("", "character", "status", *NUMBERS)
    listed = table("characters", heads, map(_row, shown), NUMBERS, find)
    more = note(f"{hidden} more in {more_in}.") if hidden > 0 else None
    content = [
        piece("header", piece("h1", title), piece("p", counts, class_="lead")),
        piece("section", listed, more, title="Characters", note=LINKS),
    ]
    plain = [(one.character, one.status, *one.numbers, one.message) for one in shown]
    return document(title, content, ((*heads[1:], "reason"), plain), __version__, form=form)


def _row(one: LibraryRow) -> Piece:
    file, kinds = one.report or one.limits, "look" if one.to_look_at else ""
    bones = piece("bones", d=one.bones, label=one.character, size=PICTURE_PIXELS)
    # The leading "./" keeps a name with a colon from being read as a URL scheme.
    name = piece("a", one.character, href=f"./{quote(file)}") if file else one.character
    reason = piece("p", one.message, class_="note") if one.message else None
    return row(
        piece("td", bones if one.bones else None),
        piece("th", name, reason, scope="row"),
        one.status,
        *(cell(number, "right") for number in one.numbers),
        data_kinds=kinds if one.status == "ok" else one.status,
    )
