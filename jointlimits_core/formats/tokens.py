"""Words and numbers in untrusted text, with their lines and columns."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

from ..base.errors import InputError
from .text import TextFile

MAX_NUMBER = 1e300
"""Numbers must be below this, so that sums and unit conversions cannot overflow."""

_TOKEN = rb"\S+"
# No digit can match two parts of the pattern: a line of a million digits is matched in one pass.
_UNSIGNED = rb"(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_ONE = rb"[+-]?" + _UNSIGNED
# Numbers need no space between them if a sign starts the next number: `0.0-7.5`.
_GLUED = _ONE + rb"(?:[+-]" + _UNSIGNED + rb")*"
_NOT_FINITE = rb"(?i)[+-]?(?:(?:nan|inf|infinity)\b|\d+(?:\.\d*)?#)"


def split_numbers(text: bytes) -> list[float] | None:
    """Numbers in a text, separated by white space or by the sign of the next number.

    Returns None if anything in the text is not a number. "nan" and "inf" count as numbers here.
    """
    if b"_" in text:  # Python accepts 1_000; files do not use it
        return None
    try:
        return list(map(float, text.split()))
    except ValueError:
        pass
    try:
        return list(map(float, re.sub(rb"(?<=[\d.])(?=[+-])", b" ", text).split()))
    except ValueError:
        return None


def bad_number(text: bytes) -> tuple[int, str] | None:
    """Column, from 0, of the first part that is not a finite number, and a message."""
    for match in re.finditer(_TOKEN, text):
        token = match.group()
        shown = ascii(token[:40].decode("latin-1"))
        if re.match(_NOT_FINITE, token):
            return match.start(), f"{shown} is not a finite number; remove or fix this frame"
        if not re.fullmatch(_GLUED, token):
            hint = "; use decimal points" if re.match(rb"[+-]?\d+,\d+", token) else ""
            return match.start(), f"{shown} is not a number{hint}"
        for one in re.finditer(_ONE, token):
            if not abs(float(one.group())) < MAX_NUMBER:
                return match.start() + one.start(), f"{shown} is too large"
    return None


def bad_line(text: TextFile, number: int, line: bytes, skip_words: int = 0) -> InputError:
    """Return an error about the first bad number in a line, for the caller to raise.

    `skip_words`: number of words at the start of the line that are not numbers.
    """
    start = 0
    for match in itertools.islice(re.finditer(_TOKEN, line), skip_words):
        start = match.end()
    column, message = bad_number(line[start:]) or (0, "must be a line of finite numbers")
    return text.fail(message, number, start + column + 1)


MAX_NUMBER_BYTES = 1000
"""Maximum length of numbers without spaces between them, outside the motion data."""

_WORD = re.compile(r"[{}]|[^\s{}]+")
_UP_TO_BRACE = re.compile(r"[^{}]*")


class Word(NamedTuple):
    """Text without white space, or a single brace, and its location (counted from 1)."""

    text: str
    line: int
    column: int

    def __str__(self) -> str:
        return ascii(self.text[:40])


def decode_text(text: bytes) -> str:
    """Decode bytes as UTF-8, or else as Latin-1, which cannot fail."""
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("latin-1")


class WordStream:
    """Words of a file, read line by line."""

    def __init__(self, text: TextFile) -> None:
        self.text = text
        self._lines = text.lines()
        self._number, self._line, self._at = 0, "", 0

    def next(self) -> Word | None:
        """Consume and return the next word; None at the end of the file."""
        while (match := _WORD.search(self._line, self._at)) is None:
            following = next(self._lines, None)
            if following is None:
                return None
            self._number, self._line, self._at = following[0], decode_text(following[1]), 0
        self._at = match.end()
        return Word(match.group(), self._number, match.start() + 1)

    def rest_of_line(self) -> str:
        """Text up to the end of the line or a brace, stripped."""
        match = _UP_TO_BRACE.match(self._line, self._at)
        self._at = match.end() if match else self._at
        return match.group().strip() if match else ""

    def remaining_lines(self) -> Iterator[tuple[int, bytes]]:
        """Number and bytes of each remaining line, starting with the rest of the current line."""
        yield self._number, self._line[self._at :].encode("utf-8")
        yield from self._lines

    def numbers(self, count: int, what: str) -> list[float]:
        """Consume exactly `count` finite numbers, across line ends if necessary.

        Raises InputError with the place of an unexpected word.
        """
        found: list[float] = []
        while len(found) < count:
            word = self.next()
            raw = b"" if word is None else word.text.encode("utf-8")
            if word is None or len(raw) > MAX_NUMBER_BYTES or bad_number(raw) is not None:
                shown = word or "the end of the file; copy or export it again"
                raise self.fail(f"{what} takes {count} numbers, found {shown}", word)
            found += split_numbers(raw) or []
        if len(found) > count:
            raise self.fail(f"{what} takes {count} numbers, but has more", word)
        return found

    def fail(self, message: str, word: Word | None = None) -> InputError:
        """Return an error with the location of a word, for the caller to raise."""
        if word is None:
            return self.text.fail(message)
        return self.text.fail(message, word.line, word.column)
