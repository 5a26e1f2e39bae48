"""Tables of numbers in which empty cells are gaps."""

from __future__ import annotations

import contextlib
import csv
from array import array
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..base.errors import InputError
from ..geometry.arrays import Floats
from ..io.input import ReadLimits
from .text import TextFile
from .tokens import MAX_NUMBER, bad_number, decode_text

_GAPS = frozenset({b"", b"nan", b"-nan", b"null", b"none"})
"""Cell contents that stand for a gap, in lower case."""


def cells_of(line: bytes, separator: bytes) -> list[str]:
    """Cells of a line as text, without quotes."""
    text, mark = decode_text(line).rstrip("\n"), separator.decode()
    try:
        cells = next(csv.reader([text], delimiter=mark), [])
    except csv.Error:  # an unclosed quote beyond the maximum length of a cell
        cells = text.split(mark)
    return [cell.strip() for cell in cells]


class NumberTable:
    """Rows with the same number of values; NaN where a cell is empty, "nan", "null" or "none".

    `width`: cells per row; more empty cells may follow. `values`: shape (rows, width). Empty lines
    and lines that start with `#` are skipped. Raises InputError with line and column for an invalid
    cell, or a row with too few or too many cells.
    """

    def __init__(
        self,
        text: TextFile,
        lines: Iterable[tuple[int, bytes]],
        width: int,
        separator: bytes,
        limits: ReadLimits,
    ) -> None:
        self.text, self.limits, self._separator = text, limits, separator
        values, self._lines = array("d"), array("q")
        for number, line in lines:
            row = line.rstrip(b"\n")
            if not row.strip() or row.lstrip().startswith(b"#"):
                continue
            cells = row.split(self._separator)
            if len(cells) > width and not any(map(bytes.strip, cells[width:])):
                cells = cells[:width]
            if len(cells) != width:
                message = f"has {len(cells)} cells, expected {width} as in the header"
                raise text.fail(message, number, len(row) + 1)
            try:
                if b"_" in row:  # Python accepts 1_000; files do not use it
                    raise ValueError
                values.extend(list(map(float, cells)))
            except ValueError:
                values.extend(self._number(number, cells, n) for n in range(len(cells)))
            self._lines.append(number)
            if len(values) > limits.max_numbers:
                refusal = limits.refusal("max_numbers", "numbers", subject="has")
                raise text.fail(refusal, number)
        self.values: Floats = np.array(values, dtype=np.float64).reshape(-1, width)
        large = np.argwhere(np.abs(self.values) >= MAX_NUMBER)
        if len(large):
            number = self._lines[large[0, 0]]
            row = next(line for n, line in text.lines() if n == number).rstrip(b"\n")
            raise self._bad_cell(number, row.split(separator), int(large[0, 1]))

    def row_error(self, row: int | np.integer[Any], message: str) -> InputError:
        """Return an error with the line number of a row, for the caller to raise."""
        return self.text.fail(message, self._lines[int(row)])

    def _number(self, number: int, cells: list[bytes], index: int) -> float:
        cell = cells[index].strip().strip(b'"').strip()
        if cell.lower() in _GAPS:
            return float("nan")
        if len(cell.split()) == 1 and bad_number(cell) is None:
            with contextlib.suppress(ValueError):
                return float(cell)
        raise self._bad_cell(number, cells, index)

    def _bad_cell(self, number: int, cells: list[bytes], index: int) -> InputError:
        before = self._separator.join(cells[:index])
        column = len(before) + (1 if index == 0 else 2)
        plain = f"{decode_text(cells[index])[:40]!a} is not a number"
        _, message = bad_number(cells[index]) or (0, plain)
        return self.text.fail(message, number, column)
