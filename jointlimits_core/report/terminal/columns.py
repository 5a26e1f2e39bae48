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


def column_sizes(rows: Sequence[Sequence[str]]) -> list[int]:
    """Width of every column; a heading may extend over empty headings to its right."""
    heads, *body = rows
    sizes = [max((columns_of(row[n]) for row in body), default=0) for n in range(len(heads))]
    for n, head in enumerate(heads):
        if n + 1 == len(heads) or heads[n + 1]:
            sizes[n] = max(sizes[n], columns_of(head))
    return sizes


def in_columns(
    rows: Sequence[Sequence[str]], right: Collection[int] = (), indent: str = ""
) -> list[str]:
    """Lines of a table whose first row is the heading, without trailing blanks.

    `right` are the positions of right-aligned columns.
    """
    sizes = column_sizes(rows)

    def line(row: Sequence[str]) -> str:
        text, start = "", 0
        for n, (cell, size) in enumerate(zip(row, sizes)):
            before = start + (size - columns_of(cell) if n in right else 0)
            text += " " * (before - columns_of(text)) + cell if cell else ""
            start += size + len(GAP)
        return text

    heading, *body = map(line, rows)
    wide = sum(sizes) + len(GAP) * (len(sizes) - 1)
    rule = "-" * max(wide, columns_of(heading))
    return [f"{indent}{one}".rstrip() for one in (heading, rule, *body)]


def rest_in_json(total: int, shown: int, indent: str = "") -> list[str]:
    """A line with the number of items that are not shown; none if all are."""
    return [f"{indent}... and {total - shown} more in the JSON"] if total > shown else []
