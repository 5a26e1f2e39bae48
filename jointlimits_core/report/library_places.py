"""Where the page of a library leads to: a character's limit set, and the clip and frame of a value.

Pages lie beside the limit sets, so that links are plain names of files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from ..wording import frames_words
from .markup import Html, element

Link = Callable[[str], object]
"""Gives the name of a character as what stands in a cell."""


def links_to(limit_sets: Mapping[str, str]) -> Link:
    """Names that lead to limit sets.

    Parameters
    ----------
    limit_sets : mapping of character to str
        Names of files; a character that is in none is a name without a link.
    """

    def link(name: str) -> object:
        file = limit_sets.get(name)
        # The dot, so that no name can be taken for another protocol.
        return name if file is None else element("a", name, href=f"./{quote(file)}")

    return link


def seen_in(seen: Mapping[str, Any] | None) -> Html | None:
    """Clip and frame, with what was found there: "walk, frame 9: spike".

    Parameters
    ----------
    seen : mapping, optional
        As :class:`jointlimits_core.library.oddities.Seen` has it.

    Returns
    -------
    Html or None
        None for a value that no motion has reached.
    """
    if seen is None or seen["clip"] is None:
        return None
    frame = seen["frame"]
    place = seen["clip"] if frame is None else f"{seen['clip']}, {frames_words([(frame, frame)])}"
    rules = ", ".join(seen["findings"])
    return element("span", place, element("b", f": {rules}", class_="warn") if rules else None)


def with_place(value: object, seen: Mapping[str, Any] | None) -> Html:
    """A value with clip and frame in small letters below it."""
    place = seen_in(seen)
    return element("span", value, None if place is None else element("small", place, class_="seen"))
