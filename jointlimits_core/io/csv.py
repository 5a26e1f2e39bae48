"""CSV text for spreadsheets, in which no cell is a formula."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence

from ..base.text import printable

FORMULA_STARTS = "=+-@\t\r"
"""First characters that make a spreadsheet evaluate a cell (OWASP, "CSV Injection")."""


def csv_text(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """CSV text of a heading and rows.

    None, and numbers that are not finite, become empty cells. Other numbers have enough digits to
    be read back exactly. Text is made printable; text that a spreadsheet would take for a formula
    gets a leading apostrophe, as spreadsheets themselves write it.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return stream.getvalue()


def _cell(value: object) -> str:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return repr(value + 0)
    text = printable(str(value))
    return f"'{text}" if text[:1] and text[0] in FORMULA_STARTS else text
