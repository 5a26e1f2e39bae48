"""Which characters of a manifest a run is for, as a farm says it: ``0-3,7``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator


def items_from_text(text: str, count: int) -> tuple[int, ...]:
    """Positions of characters, in order and each once.

    Parameters
    ----------
    text : str
        Numbers and ranges with both ends included, counted from 0 and separated by commas; empty
        for all.
    count : int
        How many characters there are.

    Raises
    ------
    ValueError
        Saying what is wrong with the text.
    """
    if not text.strip():
        return tuple(range(count))
    found: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,9})(?:\s*-\s*(\d{1,9}))?\s*", part, re.ASCII)
        if match is None:
            raise ValueError(f"items must be like 0-3 or 0-3,7, not {text!r}")
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last:
            raise ValueError(f"items {part.strip()!r} end before they begin")
        check_item(last, count)
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def check_item(item: int, count: int) -> None:
    """Raise ValueError for the position of a character that there is not."""
    if item >= count:
        raise ValueError(f"there is no item {item}: the last one is {count - 1}")


def text_from_items(items: Iterable[int]) -> str:
    """Say the same positions as briefly as they can be said."""
    return ",".join(
        f"{first}" if first == last else f"{first}-{last}" for first, last in _runs(items)
    )


def _runs(items: Iterable[int]) -> Iterator[tuple[int, int]]:
    run: tuple[int, int] | None = None
    for item in sorted(set(items)):
        if run is not None and item == run[1] + 1:
            run = run[0], item
            continue
        if run is not None:
            yield run
        run = item, item
    if run is not None:
        yield run
