"""Item ranges of a manifest as farms write them: ``0-3,7``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator


def items_from_text(text: str, count: int) -> tuple[int, ...]:
    """Positions of characters, sorted and without duplicates.

    Parameters
    ----------
    text : str
        Numbers and inclusive ranges, counted from 0 and separated by commas; empty for all.
    count : int
        Number of characters.

    Raises
    ------
    ValueError
        Describing the invalid text.
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
            raise ValueError(f"item range {part.strip()!r} must not end before it starts")
        check_item(last, count)
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def check_item(item: int, count: int) -> None:
    """Raise ValueError if no character has this position."""
    if item >= count:
        raise ValueError(f"item {item} does not exist: the last item is {count - 1}")


def text_from_items(items: Iterable[int]) -> str:
    """Write the positions in the shortest form."""
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
