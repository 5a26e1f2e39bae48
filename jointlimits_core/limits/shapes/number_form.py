"""Numbers of a shape's plain data: how many there are, how they are nested, how large they are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..schema_check import shown

FARTHEST = 100.0
"""Radians; rotations have coordinates of a few."""


@dataclass(frozen=True)
class Form:
    """What a number, a list of numbers or a list of vectors has to be.

    Parameters
    ----------
    count : (int, int), optional
        Fewest and most items; None for a single number.
    each : (int, int), optional
        Fewest and most numbers of each item; None where the items are numbers.
    low, high : float
        Of every number.
    off_unit : float, optional
        How far the length of each vector, or of the whole list, may be from 1.
    """

    count: tuple[int, int] | None = None
    each: tuple[int, int] | None = None
    low: float = -FARTHEST
    high: float = FARTHEST
    off_unit: float | None = None


def form_problems(value: Any, form: Form, place: str) -> Iterator[str]:
    """Yield what is wrong with a value, ``place: what``.

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
    """The first number that is none, or too large or small; all of them at once if none is."""
    low, high = form.low, form.high
    # What is no number at all stands in no order, and NaN is in none either.
    if set(map(type, numbers)) <= {float, int} and all(low <= one <= high for one in numbers):
        return
    names = [name for name, row in zip(places, rows) for _ in row] if rows else places
    for number, name in zip(numbers, names):
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            yield f"{name}: expected a number, found {shown(number)}"
            return
        if not low <= number <= high:
            yield f"{name}: {shown(number)} is not from {low:g} to {high:g}"
            return


def _length_problems(
    rows: Iterable[Sequence[float]], off_unit: float, names: Iterable[str]
) -> Iterator[str]:
    for row, name in zip(rows, names):
        length = math.sqrt(sum([float(part) * part for part in row]))
        if not abs(length - 1.0) <= off_unit:
            yield f"{name}: has the length {length:g}, not 1"
            return
