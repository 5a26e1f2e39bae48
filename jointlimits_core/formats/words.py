"""Words of a structured text with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import InputError
from .number_rows import bad_number, split_numbers
from .text import TextFile

MAX_NUMBER_BYTES = 1000
"""Longest word of numbers outside of the motion data."""

_WORD = re.compile(r"[{}]|[^\s{}]+")
_UP_TO_BRACE = re.compile(r"[^{}]*")


@dataclass(frozen=True)
class Word:
    """Text without white space, or one brace, and its place (counted from 1)."""

    text: str
    line: int
    column: int

    def __str__(self) -> str:
        return ascii(self.text[:40])


def decoded(line: bytes) -> str:
    """Text of a line: UTF-8, else Latin-1, so that every name can be read."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("latin-1")


class WordStream:
    """The words of a file, read line by line."""

    def __init__(self, text: TextFile) -> None:
        self.text = text
        self._lines = text.lines()
        self._number, self._line, self._at = 0, "", 0

    def peek(self) -> Word | None:
        """Return the next word without consuming it; None at the end of the file."""
        while True:
            match = _WORD.search(self._line, self._at)
            if match is not None:
                self._at = match.start()
                return Word(match.group(), self._number, match.start() + 1)
            following = next(self._lines, None)
            if following is None:
                return None
            self._number, self._line, self._at = following[0], decoded(following[1]), 0

    def next(self) -> Word | None:
        """Return and consume the next word; None at the end of the file."""
        word = self.peek()
        if word is not None:
            self._at += len(word.text)
        return word

    def rest_of_line(self) -> str:
        """Text up to the end of the line or a brace, stripped."""
        match = _UP_TO_BRACE.match(self._line, self._at)
        self._at = match.end() if match else self._at
        return match.group().strip() if match else ""

    def remaining_lines(self) -> Iterator[tuple[int, bytes]]:
        """Number and bytes of the remaining lines, starting with the rest of the current one."""
        yield self._number, self._line[self._at :].encode("utf-8")
        yield from self._lines

    def numbers(self, count: int, what: str) -> list[float]:
        """Consume exactly `count` finite numbers, across line ends if necessary.

        Raises
        ------
        InputError
            At the unexpected word.
        """
        found: list[float] = []
        while len(found) < count:
            word = self.next()
            raw = b"" if word is None else word.text.encode("utf-8")
            if word is None or len(raw) > MAX_NUMBER_BYTES or bad_number(raw) is not None:
                raise self.fail(f"{what} takes {count} numbers, found {word or 'the end'}", word)
            found += split_numbers(raw) or []
        if len(found) > count:
            raise self.fail(f"{what} takes {count} numbers, but has more", word)
        return found

    def fail(self, message: str, word: Word | None = None) -> InputError:
        """Return an error at a word, for the caller to raise."""
        if word is None:
            return self.text.fail(message)
        return self.text.fail(message, word.line, word.column)
