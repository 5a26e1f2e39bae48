"""Form of the numbers in a shape's plain data: count, nesting and size."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..schema_check import shown

FARTHEST = 100.0
"""Radians; coordinates of rotations are much smaller."""


@dataclass(frozen=True)
class Form:
    """Required form of a number, a list of numbers or a list of vectors.

    Parameters
    ----------
    count : (int, int), optional
        Minimum and maximum number of items; None for a single number.
    each : (int, int), optional
        Minimum and maximum length of each item; None if the items are numbers.
    low, high : float
        Of every number.
    off_unit : float, optional
        Allowed deviation from length 1 of each vector, or of the whole list.
    """

    count: tuple[int, int] | None = None
    each: tuple[int, int] | None = None
    low: float = -FARTHEST
    high: float = FARTHEST
    off_unit: float | None = None


def form_problems(value: Any, form: Form, place: str) -> Iterator[str]:
    """Problems of a value, as ``place: what``.

    Parameters
    ----------
    value : object
    """
    if form.count is None:
        yield from _number_problems([value], form, [place])
        return
    wrong = _list_problem(value, form.count, place)
    if wrong:
        yield wrong
        return
    places = [f"{place}[{index}]" for index in range(len(value))]
    if form.each is None:
        yield from _number_problems(value, form, places)
        rows, names = [value], [place]
    else:
        found = [_list_problem(row, form.each, name) for row, name in zip(value, places)]
        if any(found):
            yield next(wrong for wrong in found if wrong)
            return
        yield from _number_problems([part for row in value for part in row], form, places, value)
        rows, names = value, places
    if form.off_unit is not None:
        yield from _length_problems(rows, form.off_unit, names)


def _list_problem(value: Any, count: tuple[int, int], place: str) -> str:
    if not isinstance(value, (list, tuple)):
        return f"{place}: expected an array, found {shown(value)}"
    fewest, most = count
    if fewest <= len(value) <= most:
        return ""
    wanted = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    return f"{place}: expected {wanted} items, found {len(value)}"


def _number_problems(
    numbers: Sequence[Any], form: Form, places: Sequence[str], rows: Sequence[Any] = ()
) -> Iterator[str]:
    """First item that is not a number or out of range; tests all at once first."""
    low, high = form.low, form.high
    # Values of other types cannot be compared, and comparisons with NaN are false.
    if set(map(type, numbers)) <= {float, int} and all(low <= one <= high for one in numbers):
        return
    names = [name for name, row in zip(places, rows) for _ in row] if rows else places
    for number, name in zip(numbers, names):
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            yield f"{name}: expected a number, found {shown(number)}"
            return
        if not low <= number <= high:
            yield f"{name}: must be between {low:g} and {high:g}, not {shown(number)}"
            return


def _length_problems(
    rows: Iterable[Sequence[float]], off_unit: float, names: Iterable[str]
) -> Iterator[str]:
    for row, name in zip(rows, names):
        length = math.sqrt(sum([float(part) * part for part in row]))
        if not abs(length - 1.0) <= off_unit:
            yield f"{name}: must have length 1, not {length:g}"
            return
