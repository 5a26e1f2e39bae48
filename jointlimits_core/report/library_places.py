"""Links of the library page to limits files, and the clip and frame of a value.

Pages lie beside the limits files, so links are plain file names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from ..wording import frames_words
from .markup import Html, element

Link = Callable[[str], object]
"""Turns a character's name into the contents of a cell."""


def links_to(limit_sets: Mapping[str, str]) -> Link:
    """Names linked to limits files.

    Parameters
    ----------
    limit_sets : mapping of character to str
        File names; a character without one gets a name without a link.
    """

    def link(name: str) -> object:
        file = limit_sets.get(name)
        # The leading "./" keeps a name from being read as another protocol.
        return name if file is None else element("a", name, href=f"./{quote(file)}")

    return link


def seen_in(seen: Mapping[str, Any] | None) -> Html | None:
    """Clip and frame, with the findings there: "walk, frame 9: spike".

    Parameters
    ----------
    seen : mapping, optional
        As :class:`jointlimits_core.library.oddities.Seen` has it.

    Returns
    -------
    Html or None
        None for a value that no motion reached.
    """
    if seen is None or seen["clip"] is None:
        return None
    frame = seen["frame"]
    place = seen["clip"] if frame is None else f"{seen['clip']}, {frames_words([(frame, frame)])}"
    rules = ", ".join(seen["findings"])
    return element("span", place, element("b", f": {rules}", class_="warn") if rules else None)


def with_place(value: object, seen: Mapping[str, Any] | None) -> Html:
    """A value with clip and frame in small type below it."""
    place = seen_in(seen)
    return element("span", value, None if place is None else element("small", place, class_="seen"))
