"""Lines of numbers, read in bulk, with the place of the first bad one."""

from __future__ import annotations

import itertools
import re
from array import array

import numpy as np

from ..arrays import Floats, Integers
from ..errors import InputError
from .read_limits import ReadLimits
from .text import TextFile

LARGEST = 1e300
"""What is larger counts as not finite, so that sums and changes of unit cannot overflow."""

_TOKEN = re.compile(rb"\S+")
# No digit can belong to two parts of a pattern: a line of a million digits is matched in one pass.
_UNSIGNED = rb"(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_ONE = re.compile(rb"[+-]?" + _UNSIGNED)
# Numbers may be glued where a sign shows that a new one begins: `0.0-7.5`.
_GLUED = re.compile(rb"[+-]?" + _UNSIGNED + rb"(?:[+-]" + _UNSIGNED + rb")*")
_SEAM = re.compile(rb"(?<=[\d.])(?=[+-])")
_NOT_FINITE = re.compile(rb"[+-]?(?:(?:nan|inf|infinity)\b|\d+(?:\.\d*)?#)", re.IGNORECASE)
_DECIMAL_COMMA = re.compile(rb"[+-]?\d+,\d+")


def split_numbers(text: bytes) -> list[float] | None:
    """Numbers of a text, apart from each other by white space or by the sign of the next.

    Parameters
    ----------
    text : bytes

    Returns
    -------
    list of float, or None
        None if anything in the text is not a number. "nan" and "inf" are numbers here.
    """
    if b"_" in text:  # Python reads 1_000; files do not mean that
        return None
    try:
        return list(map(float, text.split()))
    except ValueError:
        pass
    try:
        return list(map(float, _SEAM.sub(b" ", text).split()))
    except ValueError:
        return None


def bad_number(text: bytes) -> tuple[int, str] | None:
    """Find the first thing that is not a finite number.

    Parameters
    ----------
    text : bytes

    Returns
    -------
    (column, message) or None
        Column from 0.
    """
    for match in _TOKEN.finditer(text):
        token = match.group()
        shown = ascii(token[:40].decode("latin-1"))
        if _NOT_FINITE.match(token):
            return match.start(), f"{shown} is not a finite number; leave out or repair this frame"
        if not _GLUED.fullmatch(token):
            hint = "; write decimal points" if _DECIMAL_COMMA.match(token) else ""
            return match.start(), f"{shown} is not a number{hint}"
        for one in _ONE.finditer(token):
            if not abs(float(one.group())) < LARGEST:
                return match.start() + one.start(), f"{shown} is too large for a number"
    return None


class NumberRows:
    """Numbers of many lines in one flat array.

    Parameters
    ----------
    text : TextFile
    limits : ReadLimits
    skip_words : int
        Words at the start of each line that are no numbers.
    """

    def __init__(self, text: TextFile, limits: ReadLimits, skip_words: int = 0) -> None:
        self._text, self._most, self._skip = text, limits.max_numbers, skip_words
        self._values, self._counts, self._lines = array("d"), array("q"), array("q")

    def add(self, line: int, numbers: list[float]) -> None:
        """Append the numbers of a line.

        Raises
        ------
        InputError
            If there are more than agreed.
        """
        self._values.extend(numbers)
        self._counts.append(len(numbers))
        self._lines.append(line)
        if len(self._values) > self._most:
            raise self._text.fail(f"has more numbers than max_numbers = {self._most}", line)

    @property
    def size(self) -> int:
        """Numbers so far."""
        return len(self._values)

    @property
    def counts(self) -> Integers:
        """How many numbers each row has, shape (rows,)."""
        return np.array(self._counts, dtype=np.int64)

    @property
    def lines(self) -> Integers:
        """Line number of each row, shape (rows,)."""
        return np.array(self._lines, dtype=np.int64)

    def values(self) -> Floats:
        """All numbers, shape (numbers,).

        Raises
        ------
        InputError
            With the place of the first that is not finite.
        """
        values = np.array(self._values, dtype=np.float64)
        finite = np.abs(values) < LARGEST
        if not finite.all():
            ends = np.cumsum(self.counts)
            row = int(np.searchsorted(ends, np.argmin(finite), side="right"))
            number = self._lines[row]
            _, line = next(itertools.islice(self._text.lines(), number - 1, None))
            raise self.bad_line(number, line)
        return values

    def bad_line(self, number: int, line: bytes) -> InputError:
        """Error of the first bad number of a line, to be raised by the caller."""
        start = 0
        for match in itertools.islice(_TOKEN.finditer(line), self._skip):
            start = match.end()
        column, message = bad_number(line[start:]) or (0, "is not a line of finite numbers")
        return self._text.fail(message, number, start + column + 1)
