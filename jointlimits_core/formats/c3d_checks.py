"""First block and parameter section of a C3D file, checked before a library trusts their lengths.

Records follow one another: a length and a name, a group number, the distance to the next record;
then a description (groups, whose numbers are negative), or a type, dimensions, values and a
description (parameters). Each must stay inside its own record, and all inside the file.

Consistency of counts stored twice in a C3D file, in its header and its parameters.

A file in which they differ is ambiguous. The library that reads it uses the parameters and trusts
them beyond the end of the file.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..base import C3dError
from ..io import FilePath, ReadLimits, open_regular, read_start
from .text import OTHER

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


_MOST_FRAMES = 65535
"""Largest two-byte integer; longer files state their length elsewhere."""
_SCALES = {"SCALE": 4, "OFFSET": 2}
"""Parameters with one value per analog channel, and their types."""

Parameters = Mapping[tuple[str, str], C3dParameter]


def analog_values(
    path: FilePath, stated: tuple[int, int | None, int], parameters: Parameters
) -> int:
    """Compare the header with the parameters.

    Parameters
    ----------
    path : path-like or str
    stated : tuple of int
        From the header: markers, frames (None if beyond its range), analog values per frame.
    parameters : mapping of (group, name) to C3dParameter

    Returns
    -------
    int
        Analog values per frame; some headers store the number of channels instead.

    Raises
    ------
    C3dError
        For the first count that differs.
    """
    points, frames, analog = stated
    _same(path, "markers", points, _first(parameters, "POINT", "USED", points))
    given = _first(parameters, "POINT", "FRAMES", _MOST_FRAMES)
    if frames is not None and given < _MOST_FRAMES:
        _same(path, "frames", frames, given)
    return _analog(path, analog, parameters)


def _analog(path: FilePath, analog: int, parameters: Parameters) -> int:
    """Channels times samples per frame, with a scale for every channel."""
    channels = int(_first(parameters, "ANALOG", "USED", 0))
    rate = _first(parameters, "POINT", "RATE", 0.0)
    sampled = _first(parameters, "ANALOG", "RATE", 0.0)
    if not (math.isfinite(rate) and math.isfinite(sampled) and rate >= 0.0 and sampled >= 0.0):
        raise C3dError(path, "has invalid frame rates; export it again")
    values = channels * (int(sampled / rate) if rate >= 1.0 else 1)
    if analog != channels:
        _same(path, "analog values in a frame", analog, values)
    for name, kind in _SCALES.items() if channels else ():
        found = parameters.get(("ANALOG", name))
        if found is None or found.values < channels or found.kind != kind:
            raise C3dError(
                path, f"has {channels} analog channels, but no ANALOG:{name} for all of them"
            )
    return values


def _first(parameters: Parameters, group: str, name: str, otherwise: float) -> float:
    found = parameters.get((group, name))
    return otherwise if found is None else found.first


def _same(path: FilePath, what: str, header: float, parameter: float) -> None:
    if header != parameter:
        raise C3dError(
            path,
            f"has {header:g} {what} by its header and {parameter:g} by its parameters; "
            "export it again",
        )


BLOCK_BYTES = 512
_MAGIC = 0x50
_MOST_BLOCKS = 255
"""Largest number of parameter blocks that fits into its one-byte count."""
_MANY_FRAMES = 65535
"""Stored last frame of files that are longer than the header can state."""
_PROCESSORS = {84: ("<", 3), DEC: ("<", 1), 86: (">", 0)}
"""Intel, DEC, MIPS: byte order of integers, and the byte with a float's sign."""


@dataclass(frozen=True)
class C3dHeader:
    """Content of the first block.

    Parameters
    ----------
    points : int
        Markers per frame.
    analog_samples : int
        Analog values per frame.
    first_frame, last_frame : int
        As stored; a long file has 65535 as last frame.
    bytes_per_value : int
        4 for floating-point files, 2 for integers.
    data_offset : int
        Bytes before the first frame, 0 if not stated.
    """

    points: int
    analog_samples: int
    first_frame: int
    last_frame: int
    bytes_per_value: int
    data_offset: int

    @property
    def frames(self) -> int:
        """Number of frames, 0 if the header cannot state it."""
        return max(0, self.last_frame - self.first_frame + 1)

    @property
    def data_bytes(self) -> int:
        """Size of the frames in bytes."""
        return self.frames * (4 * self.points + self.analog_samples) * self.bytes_per_value


def checked_header(path: FilePath, limits: ReadLimits) -> C3dHeader:
    """Read the first block and compare it with the file size.

    Parameters
    ----------
    path : path-like or str

    Raises
    ------
    C3dError
        If this is not a C3D file, is too large or truncated, or its parameters point outside of
        their section.
    """
    head, size = read_start(path, BLOCK_BYTES, C3dError, OTHER)
    if size > limits.max_file_bytes:
        raise C3dError(path, limits.refusal("max_file_bytes", "bytes", size, subject="has"))
    if not head:
        raise C3dError(path, "is empty")
    if len(head) < BLOCK_BYTES or head[1] != _MAGIC:
        raise C3dError(path, "is not a C3D file: it does not start with a header block")
    section = _section(path, head[0], size)
    order, sign_byte = _processor(path, section)
    header = _parsed(head, order, sign_byte)
    numbers = header.frames * header.points * 4
    if numbers > limits.max_numbers:
        raise C3dError(path, limits.refusal("max_numbers", "numbers", numbers, subject="has"))
    parameters = checked_parameters(path, section, order)
    frames = header.frames if header.last_frame < _MANY_FRAMES else None
    counts = (header.points, frames, header.analog_samples)
    header = replace(header, analog_samples=analog_values(path, counts, parameters))
    if header.data_offset and header.data_offset + header.data_bytes > size:
        raise C3dError(
            path,
            f"is truncated: {header.frames} frames of {header.points} markers need "
            f"{header.data_offset + header.data_bytes} bytes, found {size}; copy it again",
        )
    _check_rotations(path, header, parameters, size)
    return header


def _check_rotations(
    path: FilePath,
    header: C3dHeader,
    parameters: Mapping[tuple[str, str], C3dParameter],
    size: int,
) -> None:
    """Check the size of rotation data, sixteen numbers and a residual each."""
    keys = [("ROTATION", name) for name in ("USED", "RATIO", "DATA_START")]
    found = [parameters.get(key) for key in (*keys, ("POINT", "FRAMES"))]
    used, ratio, block, frames = (0 if one is None else int(one.first) for one in found)
    needed = max(header.frames, frames) * used * max(ratio, 1) * 17 * 4
    if used and max(0, block - 1) * BLOCK_BYTES + needed > size:
        raise C3dError(path, f"is truncated: {used} rotations per frame need {needed} bytes")


def _section(path: FilePath, block: int, size: int) -> bytes:
    """Parameter section and what follows, up to its largest size or the file's end."""
    start = (block - 1) * BLOCK_BYTES
    if block < 2 or start + 4 > size:
        raise C3dError(path, f"is truncated: its parameters start at block {block}, beyond its end")
    with open_regular(path, C3dError, OTHER) as stream:
        stream.seek(start)
        return stream.read(_MOST_BLOCKS * BLOCK_BYTES)


def _processor(path: FilePath, section: bytes) -> tuple[str, int]:
    """Number format, as stated at the start of the parameters."""
    if section[3] not in _PROCESSORS:
        raise C3dError(path, f"has the unknown processor type {section[3]}")
    return _PROCESSORS[section[3]]


def _parsed(head: bytes, order: str, sign_byte: int) -> C3dHeader:
    points, analog, first, last = struct.unpack_from(f"{order}4H", head, 2)
    (block,) = struct.unpack_from(f"{order}H", head, 16)
    # A negative scale means floating-point values.
    size = 4 if head[12 + sign_byte] & 0x80 else 2
    offset = max(0, block - 1) * BLOCK_BYTES
    return C3dHeader(points, analog, first, last, size, offset)
