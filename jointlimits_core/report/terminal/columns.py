"""Plain text in columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence

GAP = "  "


def columns_of(text: str) -> int:
    """Terminal columns of a text: two for wide characters, none for combining ones."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def in_columns(
    rows: Sequence[Sequence[str]], right: Collection[int] = (), indent: str = ""
) -> list[str]:
    """Lines of a table whose first row is the heading, without trailing blanks.

    Parameters
    ----------
    rows : sequence of sequence of str
        All of one length.
    right : collection of int
        Right-aligned columns.
    indent : str
        Prefix of every line.
    """
    sizes = [max(columns_of(cell) for cell in column) for column in zip(*rows)]

    def cell(text: str, column: int) -> str:
        blank = " " * (sizes[column] - columns_of(text))
        return blank + text if column in right else text + blank

    lines = [GAP.join(cell(text, n) for n, text in enumerate(row)).rstrip() for row in rows]
    rule = "-" * (sum(sizes) + len(GAP) * (len(sizes) - 1))
    return [indent + line for line in (lines[0], rule, *lines[1:])]
