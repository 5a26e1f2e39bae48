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


def seen_in(clip: str | None, frame: float | None) -> str:
    """Clip and frame: "walk, frame 9"; empty for a value that no motion has reached."""
    frames = "" if frame is None else frames_words([(frame, frame)])
    return ", ".join(part for part in (clip or "", frames) if part)


def with_place(text: object, clip: str | None, frame: float | None) -> Html:
    """A value with the clip and frame in small letters below it."""
    place = seen_in(clip, frame)
    return element("span", text, element("small", place, class_="seen") if place else None)


def place_of(row: Mapping[str, Any], key: str) -> tuple[str | None, float | None]:
    """Clip and frame of a row, as ``place_of(row, "least")``; an empty key is the row's own."""
    start = f"{key}_" if key else ""
    return row[f"{start}clip"], row[f"{start}frame"]
