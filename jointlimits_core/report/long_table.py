"""Tables and lists that may be long: the first rows are open, further ones fold out.

What no page should hold is left to the data, and the page says how much that is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from .markup import Html, element, joined

OPEN_ROWS = 12
"""Rows that stand there at once."""
MOST_ROWS = 100
"""Rows of a table; further ones are in the data."""
Item = TypeVar("Item")


def long_table(
    heads: Sequence[str], rows: Sequence[Html], numbers: Collection[str], kind: str = "still"
) -> Html:
    """A table whose rows fold out after the first ones.

    Parameters
    ----------
    rows : sequence of Html
        As :func:`table_row` gives them, no more than a page holds.
    numbers : collection of str
        Heads of columns of numbers.
    kind : str
        Class of the table.
    """
    return folded(rows, lambda some: table(heads, some, numbers, kind))


def table(heads: Sequence[str], rows: Sequence[Html], numbers: Collection[str], kind: str) -> Html:
    """A table that is moved sideways where the window is too narrow for it."""
    cells = [element("th", head, class_=_right(head, numbers)) for head in heads]
    parts = element("thead", element("tr", *cells)), element("tbody", *rows)
    return element("div", element("table", *parts, class_=kind), class_="wide")


def table_row(heads: Sequence[str], cells: Sequence[object], numbers: Collection[str]) -> Html:
    """One row; its first cell is what it is about."""
    first, *rest = cells
    others = [
        element("td", cell, class_=_right(head, numbers)) for head, cell in zip(heads[1:], rest)
    ]
    return element("tr", element("th", first), *others)


def folded(items: Sequence[Item], shown: Callable[[Sequence[Item]], Html]) -> Html:
    """The first items, and those after them to be folded out."""
    if len(items) <= OPEN_ROWS:
        return shown(items)
    further = items[OPEN_ROWS:]
    fold = element("details", element("summary", f"{len(further)} more"), shown(further))
    return joined([shown(items[:OPEN_ROWS]), fold])


def more_in(data: str, count: int, most: int = MOST_ROWS) -> Html | None:
    """Say where the rest is; nothing if all is here.

    Parameters
    ----------
    data : str
        Name of the file that has all.
    count, most : int
        How many there are, and how many the page holds.
    """
    hidden = count - most
    return element("p", f"{hidden} more in {data}.", class_="note") if hidden > 0 else None


def _right(head: str, numbers: Collection[str]) -> str | None:
    return "right" if head in numbers else None
