"""Header and parameters of C3D files, which are checked before the data that they describe."""

from __future__ import annotations

import math
import struct
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..base.errors import InputError
from ..geometry.arrays import Floats
from ..io.input import FilePath, ReadLimits
from .text import whole_file

BLOCK_BYTES = 512
ROTATION_NUMBERS = 17
"""Number of values per rotation: a 4 x 4 matrix, column by column, and a residual."""
_MAGIC = 0x50
_MAX_BLOCKS = 255
"""Largest number of parameter blocks, which is stored in one byte."""
_MAX_STATED_FRAMES = 65535
"""Largest two-byte number; files with more frames store it as their last frame."""
_INTEL, _DEC, _MIPS = 84, 85, 86
_SIZES = {-1: 1, 1: 1, 2: 2, 4: 4}
"""Bytes per value, by the type's number: characters, integers and floats."""
_MAX_DIMENSIONS = 7
_MAX_RECORDS = 20_000
_COUNT, _NUMBER, _TEXT = (2, 4), (4,), (-1,)
_KINDS = {
    **dict.fromkeys(("USED", "FRAMES", "RATIO", "DATA_START"), _COUNT),
    "RATE": _NUMBER,
    "LABELS": _TEXT,
    "UNITS": _TEXT,
}
"""Permitted types for the parameters that are read; some programs store counts as floats."""
_MAX_COUNT = 2**31
_GROUPS = ("POINT", "ANALOG", "ROTATION")
_FILLED = frozenset(
    {(group, name) for group in _GROUPS for name in ("USED", "DATA_START")}
    | {("POINT", "FRAMES"), ("POINT", "SCALE"), ("POINT", "RATE"), ("ROTATION", "RATIO")}
    | {("ANALOG", "RATE")}
)
"""Parameters that must have a value if they exist."""
_RATE_TOLERANCE = 0.01
"""Relative difference allowed between two frame rates, such as 59.94 and 60 Hz."""


class C3dError(InputError):
    """A C3D file that cannot be read."""


@dataclass(frozen=True)
class C3dHeader:
    """Content of the first block.

    `points`: markers per frame. `analog_samples`: analog values per frame. `first_frame`,
    `last_frame`: as stored; a long file has 65535 as its last frame. `bytes_per_value`: 4 for
    floating-point files, 2 for integers. `data_offset`: bytes before the first frame, 0 if not
    stated. `scale`: length units per integer step. `rate`: frames per second. `parameters`: from
    the section after the header. `frames`: number of frames in the file. `contradictions`:
    contradictory statements in the file, one clause each.
    """

    points: int
    analog_samples: int
    first_frame: int
    last_frame: int
    bytes_per_value: int
    data_offset: int
    scale: float
    rate: float
    parameters: Parameters
    frames: int = 0
    contradictions: tuple[str, ...] = ()

    @property
    def stated_frames(self) -> int:
        """Stated number of frames; long files state it in their parameters."""
        own = max(0, self.last_frame - self.first_frame + 1)
        if self.last_frame < _MAX_STATED_FRAMES:
            return own
        start, end = (self.parameters.long("TRIAL", f"ACTUAL_{e}_FIELD") for e in ("START", "END"))
        stated = end - start + 1 if end else self.parameters.count("POINT", "LONG_FRAMES")
        return max(stated, self.parameters.count("POINT", "FRAMES")) or own

    @property
    def frame_bytes(self) -> int:
        """Size of a frame in bytes."""
        return (4 * self.points + self.analog_samples) * self.bytes_per_value


def checked_header(path: FilePath, limits: ReadLimits) -> C3dHeader:
    """Read the first block and compare it with the parameters and the file size.

    Raises C3dError if the file is not C3D, is too large, has no complete frame, or has damaged
    parameters, or if the parameters differ from the header and the data fit neither.
    """
    data = whole_file(path, limits, C3dError).data
    if len(data) < BLOCK_BYTES or data[1] != _MAGIC:
        raise C3dError(path, "is not a C3D file: it does not start with a header block")
    start = (data[0] - 1) * BLOCK_BYTES
    if data[0] < 2 or start + 4 > len(data):
        text = f"is truncated: its parameters start at block {data[0]}, beyond its end"
        raise C3dError(path, text)
    section = data[start : start + _MAX_BLOCKS * BLOCK_BYTES]
    if section[3] not in (_INTEL, _DEC, _MIPS):
        raise C3dError(path, f"has the unknown processor type {section[3]}")
    header = _parse_header(data[:BLOCK_BYTES], Numbers(section[3]), Parameters(path, section))
    header = _settle_counts(path, header, data)
    numbers = header.frames * header.points * 4
    if numbers > limits.max_numbers:
        raise C3dError(path, limits.refusal("max_numbers", "numbers", numbers, subject="has"))
    start, used, ratio = header.parameters.rotations()
    needed = header.frames * used * ratio * ROTATION_NUMBERS * 4
    if used and start + needed > len(data):
        message = f"is truncated: {used} rotations per frame need {needed} bytes"
        raise C3dError(path, message)
    return header


def _settle_counts(path: FilePath, header: C3dHeader, data: bytes) -> C3dHeader:
    """Header with the actual number of markers, analog values and frames."""
    parameters, contradictions = header.parameters, list(header.contradictions)
    size = len(data)
    end = parameters.rotations()[0] or size
    end = min(end, size) if end > header.data_offset else size
    used = parameters.count("POINT", "USED")
    given = parameters.count("POINT", "FRAMES", _MAX_STATED_FRAMES)
    frames = {header.stated_frames}
    if header.last_frame < _MAX_STATED_FRAMES and given != _MAX_STATED_FRAMES:
        frames.add(given)
    if header.points != used:
        contradictions.append(f"{header.points} markers in its header and {used} in its parameters")
        header = _settle_markers(path, header, used, frames, end)
    header = replace(header, analog_samples=parameters.analog_values(header))
    if not (header.data_offset and header.frame_bytes):
        return replace(header, frames=max(frames), contradictions=tuple(contradictions))
    room = max(0, end - header.data_offset) // header.frame_bytes
    held = max((count for count in frames if count <= room), default=room)
    stated = " or ".join(map(str, sorted(frames)))
    if not held and max(frames):
        frames_stated = f"{stated} frames of {header.points} markers"
        message = f"is truncated: {frames_stated}, but none is complete in {size} bytes"
        raise C3dError(path, f"{message}; copy it again")
    spare = BLOCK_BYTES // header.frame_bytes
    beyond = room - held > spare
    if frames != {held} or beyond:
        contradictions.append(f"{stated} frames in its header and parameters, and data for {room}")
    if beyond:
        held = _count_unstated_frames(header, held, data[:end])
    return replace(header, frames=held, contradictions=tuple(contradictions))


def _count_unstated_frames(header: C3dHeader, held: int, data: bytes) -> int:
    """Number of frames in a file that has data for more frames than it states.

    Beyond 65535, two-byte counts stay at that value in some files and restart from 0 in others.
    """
    end = len(data)
    room = (end - header.data_offset) // header.frame_bytes
    again = room - (room - held) % (_MAX_STATED_FRAMES + 1)
    if again > held and room - again <= BLOCK_BYTES // header.frame_bytes:
        return again
    if header.last_frame < _MAX_STATED_FRAMES or held > _MAX_STATED_FRAMES:
        return held
    tail = data[max(header.data_offset, end - BLOCK_BYTES) :]
    # The last block is padded with zeros.
    last = end - len(tail) + len(tail.rstrip(b"\0"))
    return min(room, -(-(last - header.data_offset) // header.frame_bytes))


def _settle_markers(
    path: FilePath, header: C3dHeader, used: int, frames: Collection[int], end: int
) -> C3dHeader:
    """Header with the number of markers that fits the data size to within a block."""
    for points in (used, header.points):
        tried = replace(header, points=points)
        needed = {tried.data_offset + count * tried.frame_bytes for count in frames}
        if any(0 <= end - last <= BLOCK_BYTES for last in needed):
            return tried
    message = f"has {header.points} markers in its header and {used} in its parameters"
    raise C3dError(path, f"{message}, and its data fit neither; export it again")


class Numbers:
    """Decoder for numbers as a processor stores them.

    `processor`: 84 Intel, 85 DEC, 86 MIPS. DEC floats have their words swapped and an exponent that
    is larger by 2.
    """

    def __init__(self, processor: int) -> None:
        self._is_dec = processor == _DEC
        self.order = ">" if processor == _MIPS else "<"

    def integers(self, data: bytes, signed: bool = False) -> Floats:
        """Decode two-byte integers."""
        return np.frombuffer(data, f"{self.order}{'i' if signed else 'u'}2").astype(np.float64)

    def floats(self, data: bytes) -> Floats:
        """Decode four-byte floats."""
        # Converting a signalling NaN raises a warning.
        with np.errstate(invalid="ignore"):
            if not self._is_dec:
                return np.frombuffer(data, f"{self.order}f4").astype(np.float64)
            words = np.frombuffer(data, "<u2").reshape(-1, 2)[:, ::-1]
            return np.ascontiguousarray(words).view("<f4")[:, 0].astype(np.float64) / 4.0


def _parse_header(head: bytes, numbers: Numbers, parameters: Parameters) -> C3dHeader:
    points, analog, first, last = (int(value) for value in numbers.integers(head[2:10]))
    block = int(numbers.integers(head[16:18])[0])
    scale, rate = (float(numbers.floats(head[at : at + 4])[0]) for at in (12, 20))
    # A negative scale means floating-point values.
    size, offset = 4 if math.copysign(1.0, scale) < 0.0 else 2, max(0, block - 1) * BLOCK_BYTES
    offset = offset or max(0, parameters.count("POINT", "DATA_START") - 1) * BLOCK_BYTES
    scale = abs(parameters.number("POINT", "SCALE", scale))
    given = parameters.number("POINT", "RATE", rate)
    differing: tuple[str, ...] = ()
    if 0.0 < rate < math.inf and abs(given - rate) > _RATE_TOLERANCE * rate:
        differing = (f"{rate:g} Hz in its header and {given:g} Hz in its parameters",)
    rate = rate if given == 0.0 else given
    return C3dHeader(
        points, analog, first, last, size, offset, scale, rate, parameters, contradictions=differing
    )


@dataclass(frozen=True)
class _Parameter:
    """One parameter.

    `group`: number of its group, positive. `kind`: -1 characters, 1 and 2 integers, 4 floats.
    `sizes`: its dimensions. `data`: bytes of its values.
    """

    group: int
    name: str
    kind: int
    sizes: tuple[int, ...]
    data: bytes


class Parameters:
    """Parameters by group and name, both in capitals.

    `section`: bytes of the file from the first parameter block on. Raises C3dError at the first
    invalid record.
    """

    def __init__(self, path: FilePath, section: bytes) -> None:
        self._path, self._section, self.numbers = path, section, Numbers(section[3])
        self._groups: dict[int, str] = {}
        self._named: dict[tuple[str, str], _Parameter] = {}
        for one in list(self._records()):  # a group may come after its parameters
            if one.group not in self._groups:
                raise self._damage_error(f"{one.name[:40]!a} belongs to no group")
            group, name = key = self._groups[one.group], one.name
            if group in _GROUPS and one.kind not in _KINDS.get(name, (one.kind,)):
                raise self._damage_error(f"{group}:{name} has type {one.kind}")
            if key in _FILLED and not one.data:
                raise self._damage_error(f"{group}:{name} has no value")
            self._named[key] = one
        if ("POINT", "USED") not in self._named:
            raise self._damage_error("POINT:USED is missing")

    def texts(self, group: str, name: str) -> list[str]:
        """Texts of a parameter; none if it is missing or holds numbers."""
        found = self._named.get((group, name))
        if found is None or found.kind != -1:
            return []
        length = found.sizes[0]
        ends = range(length, len(found.data) + 1, length) if length else ()
        cells = (found.data[end - length : end] for end in ends)
        return [cell.decode("utf-8", "replace").rstrip("\0").strip() for cell in cells]

    def continued_texts(self, group: str, name: str) -> list[str]:
        """Texts of a parameter and its continuations ("LABELS2", ...), up to 255 texts in each."""
        found, part, number = [], name, 1
        while (group, part) in self._named:
            found += self.texts(group, part)
            number += 1
            part = f"{name}{number}"
        return found

    def number(self, group: str, name: str, otherwise: float = 0.0) -> float:
        """First number of a parameter: a float, or an unsigned two-byte integer."""
        found = self._named.get((group, name))
        if found is None or not found.data or found.kind not in (2, 4):
            return otherwise
        read = self.numbers.floats if found.kind == 4 else self.numbers.integers
        return float(read(found.data[: found.kind])[0])

    def count(self, group: str, name: str, otherwise: int = 0) -> int:
        """First number of a parameter as a count; 0 if it is negative or not a number."""
        value = self.number(group, name, float(otherwise))
        return int(min(value, _MAX_COUNT)) if value > 0.0 else 0

    def long(self, group: str, name: str) -> int:
        """Number stored as two words, the lower one first, or as one number; 0 if missing."""
        found = self._named.get((group, name))
        if found is None or found.kind != 2 or len(found.data) < 4:
            return self.count(group, name)
        low, high = self.numbers.integers(found.data[:4])
        return int(low + 65536 * high)

    def _damage_error(self, what: str) -> C3dError:
        return C3dError(self._path, f"has damaged parameters: {what}; export it again")

    def _records(self) -> Iterator[_Parameter]:
        """Parameters in file order; names of groups are stored along the way, by number."""
        section, end, offset = self._section, 4, 1
        for _ in range(_MAX_RECORDS):
            at = end
            if not offset or at + 2 > len(section) or section[at] == 0:
                return
            length, number = struct.unpack_from("bb", section, at)
            link = at + 2 + abs(length)
            if length == -128 or number == 0 or link + 3 > len(section):
                text = f"the record {at} bytes into them has no group or is truncated"
                raise self._damage_error(text)
            name = section[at + 2 : link].decode("latin-1").strip().upper()
            (offset,) = struct.unpack_from(f"{self.numbers.order}h", section, link)
            end = link + offset if offset else len(section)
            if not link + 3 <= end <= len(section):
                raise self._damage_error(f"{name[:40]!a} points outside of them")
            if number > 0:
                yield self._parameter(link + 2, end, number, name)
            elif link + 3 + section[link + 2] > end:
                raise self._damage_error(f"the description of group {name[:40]!a} is truncated")
            elif -number in self._groups:
                raise self._damage_error(f"two groups have the number {-number}")
            else:
                self._groups[-number] = name
        raise self._damage_error(f"more than {_MAX_RECORDS} records")

    def _parameter(self, at: int, end: int, group: int, name: str) -> _Parameter:
        """Parameter whose type, dimensions, values and description must be within its record."""
        section, shown = self._section, ascii(name[:40])
        if at + 2 > end:
            raise self._damage_error(f"{shown} is truncated")
        kind, dimensions = struct.unpack_from("bB", section, at)
        first = at + 2 + dimensions
        fits = kind in _SIZES and dimensions <= _MAX_DIMENSIONS and first <= end
        if not fits or (kind == -1 and dimensions == 0):
            raise self._damage_error(f"{shown} has type {kind} and {dimensions} dimensions")
        sizes = tuple(section[at + 2 : first])
        after = first + math.prod(sizes) * _SIZES[kind]
        if after > end or (after < end and after + 1 + section[after] > end):
            raise self._damage_error(f"the values of {shown} run past the start of the next record")
        return _Parameter(group, name, kind, sizes, section[first:after])

    def analog_values(self, header: C3dHeader) -> int:
        """Analog values per frame; some headers store the number of channels instead.

        Raises C3dError if the count in the header is neither.
        """
        channels = self.count("ANALOG", "USED")
        rate, sampled = self.number("POINT", "RATE"), self.number("ANALOG", "RATE")
        if not (0.0 <= rate < math.inf and 0.0 <= sampled < math.inf):
            raise C3dError(self._path, "has invalid frame rates; export it again")
        values = channels * (round(sampled / rate) if rate >= 1.0 else 1)
        if header.analog_samples not in (channels, values):
            message = f"has {header.analog_samples} analog values per frame in its header"
            message += f" and {values} in its parameters; export it again"
            raise C3dError(self._path, message)
        return values

    def rotations(self) -> tuple[int, int, int]:
        """Bytes before the rotation data, rotations per sample, and samples per frame."""
        used, ratio, block = (
            self.count("ROTATION", name) for name in ("USED", "RATIO", "DATA_START")
        )
        return max(0, block - 1) * BLOCK_BYTES if used else 0, used, max(ratio, 1)
