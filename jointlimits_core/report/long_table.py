"""Long tables and lists: the first rows are open, further ones fold out.

Rows that a page should not hold are in the data only, and the page gives their number.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from .markup import Html, element, joined

OPEN_ROWS = 12
"""Rows that are open at first."""
MOST_ROWS = 100
"""Most rows of a table; further ones are in the data."""
Item = TypeVar("Item")


def long_table(
    heads: Sequence[str], rows: Sequence[Html], numbers: Collection[str], kind: str = "still"
) -> Html:
    """A table whose rows fold out after the first few.

    Parameters
    ----------
    rows : sequence of Html
        Rows of :func:`table_row`, at most as many as a page holds.
    numbers : collection of str
        Heads of columns of numbers.
    kind : str
        Class of the table.
    """
    return folded(rows, lambda some: table(heads, some, numbers, kind))


def table(heads: Sequence[str], rows: Sequence[Html], numbers: Collection[str], kind: str) -> Html:
    """A table that scrolls sideways where the window is too narrow."""
    cells = [element("th", head, class_=_right(head, numbers)) for head in heads]
    parts = element("thead", element("tr", *cells)), element("tbody", *rows)
    return element("div", element("table", *parts, class_=kind), class_="wide")


def table_row(heads: Sequence[str], cells: Sequence[object], numbers: Collection[str]) -> Html:
    """One row; the first cell is its heading."""
    first, *rest = cells
    others = [
        element("td", cell, class_=_right(head, numbers)) for head, cell in zip(heads[1:], rest)
    ]
    return element("tr", element("th", first), *others)


def folded(items: Sequence[Item], shown: Callable[[Sequence[Item]], Html]) -> Html:
    """The first items open, the others folded."""
    if len(items) <= OPEN_ROWS:
        return shown(items)
    further = items[OPEN_ROWS:]
    fold = element("details", element("summary", f"{len(further)} more"), shown(further))
    return joined([shown(items[:OPEN_ROWS]), fold])


def more_in(data: str, count: int, most: int = MOST_ROWS) -> Html | None:
    """Where the remaining rows are; None if all are shown.

    Parameters
    ----------
    data : str
        Name of the file with all rows.
    count, most : int
        Number of rows, and how many the page holds.
    """
    hidden = count - most
    return element("p", f"{hidden} more in {data}.", class_="note") if hidden > 0 else None


def _right(head: str, numbers: Collection[str]) -> str | None:
    return "right" if head in numbers else None
