"""Words and numbers of untrusted text, with their places.

Lines of equally many plain numbers are parsed in bulk; any other line one by one, so that an error
names the line and column of the first bad number.
"""

from __future__ import annotations

import itertools
import re
from array import array
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..base.errors import InputError
from ..geometry.arrays import Floats, Integers
from ..io.input import ReadLimits, clip_refusal, most_clip_numbers
from .text import TextFile

LARGEST = 1e300
"""Largest number that counts as finite, so that sums and unit changes cannot overflow."""

CHUNK_NUMBERS = 1 << 22
"""Numbers buffered before they are moved on: 32 MB."""

_TOKEN = rb"\S+"
# No digit can match two parts of the pattern: a line of a million digits is matched in one pass.
_UNSIGNED = rb"(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_ONE = rb"[+-]?" + _UNSIGNED
# Numbers may be joined where a sign starts a new one: `0.0-7.5`.
_GLUED = _ONE + rb"(?:[+-]" + _UNSIGNED + rb")*"
_NOT_FINITE = rb"(?i)[+-]?(?:(?:nan|inf|infinity)\b|\d+(?:\.\d*)?#)"


def split_numbers(text: bytes) -> list[float] | None:
    """Numbers of a text, separated by white space or by the sign of the next.

    Returns None if anything in the text is not a number. "nan" and "inf" are numbers here.
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
    """First part that is not a finite number: its column, from 0, and a message."""
    for match in re.finditer(_TOKEN, text):
        token = match.group()
        shown = ascii(token[:40].decode("latin-1"))
        if re.match(_NOT_FINITE, token):
            return match.start(), f"{shown} is not a finite number; remove or fix this frame"
        if not re.fullmatch(_GLUED, token):
            hint = "; use decimal points" if re.match(rb"[+-]?\d+,\d+", token) else ""
            return match.start(), f"{shown} is not a number{hint}"
        for one in re.finditer(_ONE, token):
            if not abs(float(one.group())) < LARGEST:
                return match.start() + one.start(), f"{shown} is too large"
    return None


class NumberRows:
    """Numbers of many lines, as frames of the same width.

    Data that fits neither lines nor frames is reported at the end, when what follows is known.

    `size`: numbers in total so far.
    """

    def __init__(self, text: TextFile, limits: ReadLimits, width: int) -> None:
        self._text, self._limits, self.width = text, limits, width
        self._most = most_clip_numbers(limits)
        self._values, self._counts, self._lines = array("d"), array("q"), array("q")
        self.size = 0
        self._parts: list[Floats] = []  # of complete frames
        # The rest is less than a frame, so that no number is moved often.
        self._chunk = max(CHUNK_NUMBERS, 2 * width)
        self._bad_line = 0  # first line with a number that is not finite
        self._odd: tuple[int, int] | None = None  # count and line of the first partial frame
        self._even, self._ends = True, 0  # all lines end with a frame; how many do

    def add(self, line: int, numbers: list[float]) -> None:
        """Append the numbers of a line.

        Raises InputError if there are more than the budget or the memory allows.
        """
        self._values.extend(numbers)
        self._counts.append(len(numbers))
        self._lines.append(line)
        self.size += len(numbers)
        if self.size > self._most:
            raise self._text.fail(clip_refusal(self._limits), line)
        if len(self._values) >= self._chunk:
            self._put_away()

    def add_grid(self, grid: Floats) -> bool:
        """Append lines of one frame each, shape (lines, width), unless they need single reading.

        Returns False if nothing was appended: inside a frame, or beyond the budget, where the line
        number is needed.
        """
        if len(self._values) % self.width or self.size + grid.size > self._most:
            return False
        self._put_away()
        self._parts.append(grid)
        self.size += grid.size
        self._ends += len(grid)
        return True

    def finish(self) -> Floats:
        """Check all lines and return the numbers of complete frames, shape (width, frames).

        A frame is a line, several whole lines, or part of a line of whole frames. The last one may
        be truncated. Anything else means a missing or extra number, which would shift all later
        numbers into the wrong channels. Raises InputError with the place of the first number that
        is not finite, or of the first line that does not fit; also without any frame.
        """
        self._put_away()
        if self._bad_line:
            _, line = next(itertools.islice(self._text.lines(), self._bad_line - 1, None))
            raise bad_line(self._text, self._bad_line, line)
        count = self.size // self.width
        if self._ends < count and not self._even and self._odd is not None:
            message = f"{self._odd[0]} numbers, expected {self.width} (one per channel)"
            raise self._text.fail(message, self._odd[1])
        if count == 0:
            raise self._text.fail(f"has no complete frame of {self.width} numbers")
        return np.concatenate([part.T for part in self._parts], axis=1)

    def _put_away(self) -> None:
        """Move complete frames to the columns; less than one stays in memory."""
        counts, lines = np.array(self._counts, np.int64), np.array(self._lines, np.int64)
        values = np.array(self._values, np.float64)
        self._check(values, counts, lines)
        whole = len(values) // self.width * self.width
        self._parts.append(values[:whole].reshape(-1, self.width))
        self._values, self._counts, self._lines = array("d"), array("q"), array("q")
        self._values.extend(values[whole:].tolist())

    def _check(self, values: Floats, counts: Integers, lines: Integers) -> None:
        if len(counts) == 0:
            return
        kept = len(values) - int(counts.sum())  # of a frame started earlier
        ends = kept + np.cumsum(counts)
        finite = np.abs(values[kept:]) < LARGEST
        if not (self._bad_line or finite.all()):
            at = np.searchsorted(ends - kept, np.argmin(finite), side="right")
            self._bad_line = int(lines[at])
        if self._odd is None and (counts != self.width).any():
            row = int(np.argmax(counts != self.width))
            self._odd = int(counts[row]), int(lines[row])
        with_frame = ends % self.width == 0
        self._even = self._even and bool(with_frame.all())
        self._ends += int(with_frame.sum())


def bad_line(text: TextFile, number: int, line: bytes, skip_words: int = 0) -> InputError:
    """Return the error of a line's first bad number, for the caller to raise.

    `skip_words`: non-numeric words at the start of the line.
    """
    start = 0
    for match in itertools.islice(re.finditer(_TOKEN, line), skip_words):
        start = match.end()
    column, message = bad_number(line[start:]) or (0, "must be a line of finite numbers")
    return text.fail(message, number, start + column + 1)


_PLAIN = b"0123456789+-.eE \t\n"
_COMPILED = bool(np.lib.NumpyVersion(np.__version__) >= "1.23.0")
"""Whether `numpy.loadtxt` is compiled; older ones are slower than Python's own splitting."""


def number_grid(text: bytes, width: int) -> Floats | None:
    """Parse lines that all have the same count of plain numbers; None for anything else.

    `text`: lines; empty ones may be skipped or rejected. `width`: numbers per line, at least one.
    Returns shape (lines, width), exactly the values of Python's `float`; None unless every line has
    `width` numbers, all plain, finite and separated by spaces or tabs.
    """
    grid = _loaded(text, text.splitlines())
    if grid is None or grid.shape[1] != width or not (np.abs(grid) < LARGEST).all():
        return None
    return grid


def number_row(text: bytes) -> Floats | None:
    """Plain numbers of a text with any line ends, as Python's `float` reads them; else None."""
    text = text.replace(b"\r", b" ").replace(b"\n", b" ")
    row = _loaded(text, [text])
    return None if row is None else row[0]


def _loaded(text: bytes, lines: list[bytes]) -> Floats | None:
    if not text or text.isspace() or text.translate(None, _PLAIN):
        return None
    try:
        if _COMPILED:
            return np.loadtxt(lines, comments=None, ndmin=2)
        # With a non-number at the end of each line, unequal counts show.
        words = b" nan ".join([*lines, b""]).split()
        grid = np.fromiter(map(float, words), np.float64, len(words)).reshape(len(lines), -1)
    except ValueError:
        return None
    return grid[:, :-1] if np.isnan(grid[:, -1]).all() else None


MAX_NUMBER_BYTES = 1000
"""Longest word of numbers outside of the motion data."""

_WORD = re.compile(r"[{}]|[^\s{}]+")
_UP_TO_BRACE = re.compile(r"[^{}]*")


class Word(NamedTuple):
    """Text without white space, or one brace, and its place (counted from 1)."""

    text: str
    line: int
    column: int

    def __str__(self) -> str:
        return ascii(self.text[:40])


def decoded(text: bytes) -> str:
    """Text of some bytes: UTF-8, else Latin-1, so that every name can be read."""
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("latin-1")


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

        Raises InputError at the unexpected word.
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
