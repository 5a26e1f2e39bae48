"""C3D reader based on ezc3d: markers, and bodies if the file has rotation channels.

The library reads as far as the file states, even beyond its end. So header and parameter section
are checked first: every record must stay inside the parameter section, and counts stored both in
the header and in the parameters must be equal. A record is a length and a name, a group number, the
distance to the next record; then a description (groups, whose numbers are negative), or a type,
dimensions, values and a description (parameters).
"""

from __future__ import annotations

import importlib
import math
import os
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..base import C3dError, Finding, MissingPackageError, unique_names
from ..geometry import Booleans, Floats
from ..io import DEFAULT_LIMITS, FilePath, ReadLimits, open_regular, read_start, source_file
from ..skeleton_fit import UP_AXES, BodyTracks, MarkerTracks
from .registry import MotionFormat
from .text import OTHER
from .tracks_csv import METERS, FileTracks, gap_findings, meters_of

FORMAT = MotionFormat(
    name="c3d",
    endings=(".c3d",),
    advice="has markers or loose bodies but no joints; find its skeleton and limits with: "
    "jointlimits skeleton --estimate",
)

_ROTATION_ENDING = re.compile(r"(?<=.)_4x4\Z", re.IGNORECASE | re.DOTALL)
"""Suffix that some programs add to labels of rotation channels."""
_LABEL_PARAMETERS = ("LABELS", "LABELS2", "LABELS3", "LABELS4", "LABELS5")
"""Names of the continuation parameters; a parameter holds at most 255 labels."""
_LIBRARY_ERRORS = (OSError, RuntimeError, ValueError, LookupError, TypeError, MemoryError)
"""Exceptions of the library for files that it cannot parse."""

BLOCK_BYTES = 512
_MAGIC = 0x50
_MOST_BLOCKS = 255
"""Largest number of parameter blocks that fits into its one-byte count."""
_MANY_FRAMES = 65535
"""Largest two-byte number: stored as last frame by files that are longer than the header states."""
_DEC = 85
_PROCESSORS = {84: ("<", 3), _DEC: ("<", 1), 86: (">", 0)}
"""Intel, DEC, MIPS: byte order of integers, and the byte with a float's sign."""
_SIZES = {-1: 1, 1: 1, 2: 2, 4: 4}
"""Bytes of characters, one- and two-byte integers, and floats, by the number of their type."""
_MOST_DIMENSIONS = 7
_MOST_RECORDS = 20_000
_KINDS = {"USED": 2, "FRAMES": 2, "RATIO": 2, "DATA_START": 2, "RATE": 4, "LABELS": -1, "UNITS": -1}
"""Parameter types that the library assumes."""
_SCALES = {"SCALE": 4, "OFFSET": 2}
"""Parameters with one value per analog channel, and their types."""
_GROUPS = ("POINT", "ANALOG", "ROTATION")
_FILLED = frozenset(
    {(group, name) for group in _GROUPS for name in ("USED", "DATA_START")}
    | {("POINT", "FRAMES"), ("POINT", "SCALE"), ("POINT", "RATE"), ("ROTATION", "RATIO")}
    | {("ANALOG", "RATE"), ("ANALOG", "GEN_SCALE")}
)
"""Parameters that the library assumes to have a value."""


@dataclass(frozen=True)
class C3dHeader:
    """Content of the first block.

    `points`: markers per frame. `analog_samples`: analog values per frame. `first_frame`,
    `last_frame`: as stored; a long file has 65535 as last frame. `bytes_per_value`: 4 for
    floating-point files, 2 for integers. `data_offset`: bytes before the first frame, 0 if not
    stated.
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
    """Read the first block and compare it with the parameters and the file size.

    Raises C3dError if this is not a C3D file, is too large or truncated, or its parameters are
    damaged or differ from the header.
    """
    head, size = read_start(path, BLOCK_BYTES, C3dError, OTHER)
    if size > limits.max_file_bytes:
        raise C3dError(path, limits.refusal("max_file_bytes", "bytes", size, subject="has"))
    if not head:
        raise C3dError(path, "is empty")
    if len(head) < BLOCK_BYTES or head[1] != _MAGIC:
        raise C3dError(path, "is not a C3D file: it does not start with a header block")
    section = _section(path, head[0], size)
    if section[3] not in _PROCESSORS:
        raise C3dError(path, f"has the unknown processor type {section[3]}")
    order, sign_byte = _PROCESSORS[section[3]]
    header = _parsed(head, order, sign_byte)
    numbers = header.frames * header.points * 4
    if numbers > limits.max_numbers:
        raise C3dError(path, limits.refusal("max_numbers", "numbers", numbers, subject="has"))
    parameters = _Parameters(path, section, order)
    header = replace(header, analog_samples=parameters.analog_values(header))
    if header.data_offset and header.data_offset + header.data_bytes > size:
        raise C3dError(
            path,
            f"is truncated: {header.frames} frames of {header.points} markers need "
            f"{header.data_offset + header.data_bytes} bytes, found {size}; copy it again",
        )
    parameters.check_rotations(header.frames, size)
    return header


def _section(path: FilePath, block: int, size: int) -> bytes:
    """Parameter section and what follows, up to its largest size or the file's end."""
    start = (block - 1) * BLOCK_BYTES
    if block < 2 or start + 4 > size:
        raise C3dError(path, f"is truncated: its parameters start at block {block}, beyond its end")
    with open_regular(path, C3dError, OTHER) as stream:
        stream.seek(start)
        return stream.read(_MOST_BLOCKS * BLOCK_BYTES)


def _parsed(head: bytes, order: str, sign_byte: int) -> C3dHeader:
    points, analog, first, last = struct.unpack_from(f"{order}4H", head, 2)
    (block,) = struct.unpack_from(f"{order}H", head, 16)
    # A negative scale means floating-point values.
    size = 4 if head[12 + sign_byte] & 0x80 else 2
    return C3dHeader(points, analog, first, last, size, max(0, block - 1) * BLOCK_BYTES)


@dataclass(frozen=True)
class _Parameter:
    """One parameter.

    `group`: number of its group, positive. `kind`: -1 characters, 1 and 2 integers, 4 floats.
    `count`: number of values, the product of the dimensions. `first`: first value of a float or an
    unsigned two-byte integer; else 0.
    """

    group: int
    name: str
    kind: int
    count: int
    first: float


class _Parameters:
    """Parameters by group and name, in capitals.

    `section`: from the first byte of the section, up to the data or the end of the file. `order`:
    "<" or ">", the byte order of integers. Raises C3dError for the first invalid record.
    """

    def __init__(self, path: FilePath, section: bytes, order: str) -> None:
        self._path, self._section, self._order = path, section, order
        self._groups: dict[int, str] = {}
        self._found: list[_Parameter] = []
        at: int | None = 4
        for _ in range(_MOST_RECORDS):
            if at is None:
                break
            at = self._record(at)
        else:
            raise self._damaged(f"more than {_MOST_RECORDS} records")
        self._named = self._by_name()

    def _damaged(self, what: str) -> C3dError:
        return C3dError(self._path, f"has damaged parameters: {what}; export it again")

    def _record(self, at: int) -> int | None:
        """Parse one record; return the start of the next, None after the last."""
        section, groups = self._section, self._groups
        if at + 2 > len(section) or section[at] == 0:
            return None
        length, number = struct.unpack_from("bb", section, at)
        link = at + 2 + abs(length)
        if length == -128 or number == 0 or link + 3 > len(section):
            raise self._damaged(f"a record without group or truncated, {at} bytes into them")
        name = section[at + 2 : link].decode("latin-1").strip().upper()
        (offset,) = struct.unpack_from(f"{self._order}h", section, link)
        end = link + offset if offset else len(section)
        if not link + 3 <= end <= len(section):
            raise self._damaged(f"{name[:40]!a} points outside of them")
        if number > 0:
            self._found.append(self._parameter(link + 2, end, number, name))
        elif link + 3 + section[link + 2] > end:
            raise self._damaged(f"the description of group {name[:40]!a} is truncated")
        elif -number in groups:
            raise self._damaged(f"two groups have the number {-number}")
        else:
            groups[-number] = name
        return end if offset else None

    def _parameter(self, at: int, end: int, group: int, name: str) -> _Parameter:
        """Type, dimensions, values and description of a parameter, all within its record."""
        section, shown = self._section, ascii(name[:40])
        if at + 2 > end:
            raise self._damaged(f"{shown} is truncated")
        kind, dimensions = struct.unpack_from("bB", section, at)
        first = at + 2 + dimensions
        # A text without dimensions would be one letter, but the library expects a length.
        fits = kind in _SIZES and dimensions <= _MOST_DIMENSIONS and first <= end
        if not fits or (kind == -1 and dimensions == 0):
            raise self._damaged(f"{shown} has type {kind} and {dimensions} dimensions")
        count = math.prod(section[at + 2 : first])
        after = first + count * _SIZES[kind]
        if after > end or (after < end and after + 1 + section[after] > end):
            raise self._damaged(f"the values of {shown} go beyond the next record")
        return _Parameter(group, name, kind, count, self._number(first, kind) if count else 0)

    def _number(self, at: int, kind: int) -> float:
        section = self._section
        if kind == 2:
            return int(struct.unpack_from(f"{self._order}H", section, at)[0])
        if kind != 4:
            return 0
        if section[3] != _DEC:
            return float(struct.unpack_from(f"{self._order}f", section, at)[0])
        # Swapped words, and an exponent larger by two.
        words = section[at + 2 : at + 4] + section[at : at + 2]
        return float(struct.unpack("<f", words)[0]) / 4.0

    def _by_name(self) -> Mapping[tuple[str, str], _Parameter]:
        """All parameters, with the types of essential ones checked."""
        named: dict[tuple[str, str], _Parameter] = {}
        for one in self._found:
            if one.group not in self._groups:
                raise self._damaged(f"{one.name[:40]!a} belongs to no group")
            group, name = key = self._groups[one.group], one.name
            if group in _GROUPS and one.kind != _KINDS.get(name, one.kind):
                raise self._damaged(f"{group}:{name} has type {one.kind}")
            if key in _FILLED and not one.count:
                raise self._damaged(f"{group}:{name} has no value")
            named[key] = one
        if ("POINT", "USED") not in named:
            raise self._damaged("POINT:USED is missing")
        return named

    def _first(self, group: str, name: str, otherwise: float = 0) -> float:
        found = self._named.get((group, name))
        return otherwise if found is None else found.first

    def analog_values(self, header: C3dHeader) -> int:
        """Analog values per frame; some headers store the number of channels instead.

        Raises C3dError for the first count of the header that differs.
        """
        self._check_same("markers", header.points, self._first("POINT", "USED"))
        given = self._first("POINT", "FRAMES", _MANY_FRAMES)
        if header.last_frame < _MANY_FRAMES and given < _MANY_FRAMES:
            self._check_same("frames", header.frames, given)
        channels = int(self._first("ANALOG", "USED"))
        rate, sampled = self._first("POINT", "RATE"), self._first("ANALOG", "RATE")
        if not (0.0 <= rate < math.inf and 0.0 <= sampled < math.inf):
            raise C3dError(self._path, "has invalid frame rates; export it again")
        values = channels * (int(sampled / rate) if rate >= 1.0 else 1)
        if header.analog_samples != channels:
            self._check_same("analog values in a frame", header.analog_samples, values)
        for name, kind in _SCALES.items() if channels else ():
            found = self._named.get(("ANALOG", name))
            if found is None or found.count < channels or found.kind != kind:
                raise C3dError(
                    self._path,
                    f"has {channels} analog channels, but no ANALOG:{name} for all of them",
                )
        return values

    def _check_same(self, what: str, header: float, parameter: float) -> None:
        if header != parameter:
            raise C3dError(
                self._path,
                f"has {header:g} {what} by its header and {parameter:g} by its parameters; "
                "export it again",
            )

    def check_rotations(self, frames: int, size: int) -> None:
        """Check the size of rotation data, sixteen numbers and a residual each."""
        used, ratio, block = (
            int(self._first("ROTATION", name)) for name in ("USED", "RATIO", "DATA_START")
        )
        frames = max(frames, int(self._first("POINT", "FRAMES")))
        needed = frames * used * max(ratio, 1) * 17 * 4
        if used and max(0, block - 1) * BLOCK_BYTES + needed > size:
            message = f"is truncated: {used} rotations per frame need {needed} bytes"
            raise C3dError(self._path, message)


def require_ezc3d() -> Any:
    """Import ezc3d; raises MissingPackageError, saying what to install."""
    try:
        return importlib.import_module("ezc3d")
    except ImportError as error:
        raise MissingPackageError(
            "C3D files need ezc3d, which is not installed; install it with: pip install "
            f'"jointlimits[c3d]" (Python 3.10 or newer; {error})'
        ) from error


def read_c3d(
    path: FilePath, *, meters_per_unit: float | None = None, limits: ReadLimits = DEFAULT_LIMITS
) -> FileTracks:
    """Read markers and rotation channels.

    The tracks are in metres; `meters_per_unit` overrides the file's unit. A sample with a negative
    residual, at exactly 0, 0, 0 or not finite is a gap. Raises C3dError if the file is damaged, cut
    short or too large, or has neither markers nor rotations. Raises MissingPackageError if ezc3d is
    not installed.
    """
    header = checked_header(path, limits)
    content = _opened(path, require_ezc3d())
    _check_frames(path, header, content["data"]["points"].shape[2], os.path.getsize(path))
    file = _File(path, content, meters_per_unit)
    markers, bodies = file.markers(), file.bodies()
    if markers is None and bodies is None:
        raise C3dError(path, "has neither markers nor rotations")
    return FileTracks(bodies, markers)


def _opened(path: FilePath, ezc3d: Any) -> Mapping[str, Any]:
    try:
        content: Mapping[str, Any] = ezc3d.c3d(os.fspath(path))
    except _LIBRARY_ERRORS as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
        raise C3dError(path, f"is damaged or not a readable C3D file: {reason}") from None
    return content


def _check_frames(path: FilePath, header: C3dHeader, frames: int, size: int) -> None:
    """Check the frame count, as the library silently accepts truncated files."""
    if 0 < frames < header.frames and header.last_frame < 65535:
        raise C3dError(path, f"has {frames} frames, but its header states {header.frames}")
    if frames * header.points * 4 * header.bytes_per_value > size:
        raise C3dError(path, f"is too small for {frames} frames of {header.points} markers")


class _File:
    """Content of a file as the library gives it."""

    def __init__(
        self, path: FilePath, content: Mapping[str, Any], meters_per_unit: float | None
    ) -> None:
        self._path, self._content, self._meters_per_unit = path, content, meters_per_unit
        self._name, self._source = Path(os.fspath(path)).stem, source_file(path)
        self._first = float(content["header"]["points"]["first_frame"]) + 1.0
        shown = [str(value).strip().lower()[-1:] for value in self._values("POINT", "Y_SCREEN")]
        # The sign is ignored: some files with their floor at Z = 0 have -Z there.
        self._up = shown[0] if shown and shown[0] in UP_AXES else None

    def markers(self) -> MarkerTracks | None:
        """Markers; None if the file has none."""
        data = self._content["data"]
        if not (data["points"].shape[1] and data["points"].shape[2]):
            return None
        rate = self._rate("points")
        positions = np.moveaxis(data["points"][:3], 0, 2)
        positions = np.ascontiguousarray(positions, dtype=np.float64)
        scale, findings = self._scale("POINT")
        present = _present(positions, data["meta_points"]["residuals"])
        labels, renamed = _unique(self._labels("POINT", len(positions), "marker"))
        frames: Floats = self._first + np.arange(positions.shape[1], dtype=np.float64)
        positions = np.where(present[..., None], positions * scale, np.nan)
        notes = (*findings, *renamed, *gap_findings(labels, present, frames, self._name))
        source, up = self._source, self._up
        return MarkerTracks(labels, positions, present, frames, rate, self._name, source, notes, up)

    def bodies(self) -> BodyTracks | None:
        """Bodies from rotation channels; None if the file has none."""
        rotations = self._content["data"]["rotations"]
        if not (rotations.shape[2] and rotations.shape[3]):
            return None
        # From [row, column, body, frame].
        matrices = np.asarray(rotations, np.float64).transpose(3, 2, 0, 1)
        rate = self._rate("rotations")
        ratio = rate / (self._content["header"]["points"]["frame_rate"] or rate)
        scale, findings = self._scale("ROTATION", "POINT")
        given = self._labels("ROTATION", matrices.shape[1], "body")
        labels, renamed = _unique([_ROTATION_ENDING.sub("", label) for label in given])
        frames: Floats = self._first + np.arange(len(matrices), dtype=np.float64) / ratio
        try:
            tracks = BodyTracks.from_matrices(
                labels, matrices, rate, meters_per_unit=scale, name=self._name, frames=frames
            )
        except ValueError as error:
            raise C3dError(self._path, str(error)) from None
        return replace(tracks, source=self._source, findings=(*findings, *renamed), up=self._up)

    def _rate(self, kind: str) -> float:
        value = float(self._content["header"][kind]["frame_rate"])
        if not (np.isfinite(value) and value > 0.0):
            message = f"frame rate must be finite and above 0, not {value:g} Hz"
            raise C3dError(self._path, message)
        return value

    def _scale(self, *groups: str) -> tuple[float, list[Finding]]:
        """Metres per unit, from the first group that names one."""
        scale = self._meters_per_unit
        if scale is not None and not (np.isfinite(scale) and scale > 0.0):
            raise ValueError(f"meters_per_unit must be positive, not {scale}")
        if scale is not None:
            return float(scale), []
        for group in groups:
            units = [str(unit).strip() for unit in self._values(group, "UNITS")]
            if units and units[0]:
                meters = meters_of(units[0])
                if meters is None:
                    known = ", ".join(sorted(METERS, key=len)[:5])
                    message = (
                        f"has the unknown length unit {units[0][:40]!a} (known: {known}, ...); set "
                        "its length in metres (meters_per_unit)"
                    )
                    raise C3dError(self._path, message)
                return meters, []
        message = (
            "The file does not state its length unit; millimetres, the C3D standard, are assumed."
        )
        return 0.001, [Finding("unit-not-given", message)]

    def _values(self, group: str, name: str) -> list[Any]:
        """Values of a parameter; empty if it is missing."""
        found = self._content["parameters"]
        if group not in found or name not in found[group]:
            return []
        return list(np.atleast_1d(found[group][name]["value"]))

    def _labels(self, group: str, count: int, what: str) -> list[str]:
        """Labels of a group, one per channel; unnamed ones are numbered."""
        found = [
            str(label).strip() for name in _LABEL_PARAMETERS for label in self._values(group, name)
        ]
        labels = (found + [""] * count)[:count]
        # Like the points that Vicon's programs leave unlabelled among others.
        stem = "*" if what == "marker" and any(labels) else what
        return [label or f"{stem}{index + 1}" for index, label in enumerate(labels)]


def _present(positions: Floats, residuals: Any) -> Booleans:
    """Valid samples: finite, not exactly at the origin, residual not negative."""
    finite = np.isfinite(positions).all(axis=2)
    there = np.asarray(finite & (positions != 0.0).any(axis=2))
    errors = np.asarray(residuals, dtype=np.float64)
    if errors.ndim == 3 and errors.shape[1:] == there.shape:
        there &= ~(errors[0] < 0.0)
    return there


def _unique(labels: Sequence[str]) -> tuple[tuple[str, ...], list[Finding]]:
    """Labels without their subject, numbered where repeated.

    Each label loses its own subject, unless two subjects have markers of the same name.
    """
    bare = [label.partition(":")[2] or label for label in labels]
    if len(set(bare)) == len(set(labels)):
        labels = bare
    unique = unique_names(labels, str)
    repeated = dict.fromkeys(label for label, name in zip(labels, unique) if name != label)
    if not repeated:
        return tuple(unique), []
    message = f"Used more than once: {', '.join(list(repeated)[:10])}; repeats got a number."
    return tuple(unique), [Finding("repeated-labels", message)]
