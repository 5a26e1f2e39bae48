"""Parameter section of a C3D file, checked before a library that trusts its lengths parses it.

Records follow one another: a length and a name, a group number, the distance to the next record;
then a description (groups, whose numbers are negative), or a type, dimensions, values and a
description (parameters). Each must stay inside its own record, and all inside the file.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass

from ..errors import C3dError
from .source import FilePath

DEC = 85
"""Processor types by the byte that states them."""
_TYPES = {-1: 1, 1: 1, 2: 2, 4: 4}
"""Sizes in bytes of characters, one- and two-byte integers, and floats."""
_MOST_DIMENSIONS = 7
_MOST_RECORDS = 20_000
_KINDS = {"USED": 2, "FRAMES": 2, "RATIO": 2, "DATA_START": 2, "RATE": 4, "LABELS": -1, "UNITS": -1}
"""Parameter types that the library assumes."""
_FILLED = frozenset(
    {(group, name) for group in ("POINT", "ANALOG", "ROTATION") for name in ("USED", "DATA_START")}
    | {("POINT", "FRAMES"), ("POINT", "SCALE"), ("POINT", "RATE"), ("ROTATION", "RATIO")}
    | {("ANALOG", "RATE"), ("ANALOG", "GEN_SCALE")}
)
"""Parameters that the library assumes to have a value."""
_GROUPS = frozenset({"POINT", "ANALOG", "ROTATION"})


@dataclass(frozen=True)
class C3dParameter:
    """Name, kind and size of one parameter.

    Parameters
    ----------
    group : int
        Number of its group, positive.
    kind : int
        -1 characters, 1 and 2 integers, 4 floats.
    values : int
        Number of values, the product of the dimensions.
    first : float
        First value of a float or an unsigned two-byte integer; else 0.
    """

    group: int
    name: str
    kind: int
    dimensions: tuple[int, ...]
    values: int
    first: float


def checked_parameters(
    path: FilePath, section: bytes, order: str
) -> dict[tuple[str, str], C3dParameter]:
    """Check that a section can be parsed without leaving any of its records.

    Parameters
    ----------
    path : path-like or str
        For the message.
    section : bytes
        From the first byte of the section, up to the data or the end of the file.
    order : str
        "<" or ">", the byte order of integers.

    Returns
    -------
    dict of (group, name) to C3dParameter
        Names in capitals.

    Raises
    ------
    C3dError
        For the first invalid record.
    """
    groups: dict[int, str] = {}
    parameters: list[C3dParameter] = []
    at: int | None = 4
    for _ in range(_MOST_RECORDS):
        if at is None:
            break
        at = _record(path, section, order, at, groups, parameters)
    else:
        raise _damaged(path, f"more than {_MOST_RECORDS} records")
    return _named(path, groups, parameters)


def _record(
    path: FilePath,
    section: bytes,
    order: str,
    at: int,
    groups: dict[int, str],
    parameters: list[C3dParameter],
) -> int | None:
    """Parse one record; return the start of the next, None after the last."""
    if at + 2 > len(section) or section[at] == 0:
        return None
    length, number = struct.unpack_from("bb", section, at)
    link = at + 2 + abs(length)
    if length == -128 or number == 0 or link + 3 > len(section):
        raise _damaged(path, f"a record without group or truncated, {at} bytes into them")
    name = section[at + 2 : link].decode("latin-1").strip().upper()
    (offset,) = struct.unpack_from(f"{order}h", section, link)
    end = link + offset if offset else len(section)
    if not link + 3 <= end <= len(section):
        raise _damaged(path, f"{name[:40]!a} points outside of them")
    if number < 0:
        if link + 3 + section[link + 2] > end:
            raise _damaged(path, f"the description of group {name[:40]!a} is truncated")
        if -number in groups:
            raise _damaged(path, f"two groups have the number {-number}")
        groups[-number] = name
    else:
        parameters.append(_parameter(path, section, order, (link + 2, end), (number, name)))
    return end if offset else None


def _parameter(
    path: FilePath, section: bytes, order: str, place: tuple[int, int], of: tuple[int, str]
) -> C3dParameter:
    """Type, dimensions, values and description of a parameter, all within its record."""
    at, end = place
    shown = ascii(of[1][:40])
    if at + 2 > end:
        raise _damaged(path, f"{shown} is truncated")
    kind, count = struct.unpack_from("bB", section, at)
    first = at + 2 + count
    # A text without dimensions would be one letter, but the library expects a length.
    fits = kind in _TYPES and count <= _MOST_DIMENSIONS and first <= end
    if not fits or (kind == -1 and count == 0):
        raise _damaged(path, f"{shown} has type {kind} and {count} dimensions")
    dimensions = tuple(section[at + 2 : first])
    values = math.prod(dimensions)
    after = first + values * _TYPES[kind]
    if after > end or (after < end and after + 1 + section[after] > end):
        raise _damaged(path, f"the values of {shown} go beyond the next record")
    number = _number(section, first, kind, order) if values else 0
    return C3dParameter(of[0], of[1], kind, dimensions, values, number)


def _number(section: bytes, at: int, kind: int, order: str) -> float:
    if kind == 2:
        return int(struct.unpack_from(f"{order}H", section, at)[0])
    if kind != 4:
        return 0
    if section[3] != DEC:
        return float(struct.unpack_from(f"{order}f", section, at)[0])
    # Swapped words, and an exponent larger by two.
    words = section[at + 2 : at + 4] + section[at : at + 2]
    return float(struct.unpack("<f", words)[0]) / 4.0


def _named(
    path: FilePath, groups: dict[int, str], parameters: list[C3dParameter]
) -> dict[tuple[str, str], C3dParameter]:
    """Parameters by group and name, with the types of essential ones checked."""
    named: dict[tuple[str, str], C3dParameter] = {}
    for parameter in parameters:
        name = parameter.name
        if parameter.group not in groups:
            raise _damaged(path, f"{name[:40]!a} belongs to no group")
        group = groups[parameter.group]
        if group in _GROUPS and parameter.kind != _KINDS.get(name, parameter.kind):
            raise _damaged(path, f"{group}:{name} has type {parameter.kind}")
        if (group, name) in _FILLED and not parameter.values:
            raise _damaged(path, f"{group}:{name} has no value")
        named[group, name] = parameter
    if ("POINT", "USED") not in named:
        raise _damaged(path, "POINT:USED is missing")
    return named


def _damaged(path: FilePath, what: str) -> C3dError:
    return C3dError(path, f"has damaged parameters: {what}; export it again")
