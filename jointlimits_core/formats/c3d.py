"""C3D reader: markers, and bodies if the file has rotation channels.

The header and the parameter section are checked before anything that they describe is read.
"""

from __future__ import annotations

import math
import os
import re
import struct
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..base import Finding, InputError, unique_names
from ..geometry import Booleans, Floats
from ..io import DEFAULT_LIMITS, FilePath, ReadLimits, open_regular, read_start, source_file
from ..skeleton_fit import UP_AXES, BodyTracks, MarkerTracks
from .registry import MotionFormat, ReadRequest
from .text import OTHER
from .tracks_csv import METERS, FileTracks, gap_findings, meters_of

BLOCK_BYTES = 512
ROTATION_NUMBERS = 17
"""Numbers of a rotation: a matrix of four by four, column by column, and a residual."""
_MAGIC = 0x50
_MOST_BLOCKS = 255
"""Largest number of parameter blocks that fits into its one-byte count."""
_MANY_FRAMES = 65535
"""Largest two-byte number: stored as last frame by files that are longer than the header states."""
_INTEL, _DEC, _MIPS = 84, 85, 86
_SIZES = {-1: 1, 1: 1, 2: 2, 4: 4}
"""Bytes of characters, one- and two-byte integers, and floats, by the number of their type."""
_MOST_DIMENSIONS = 7
_MOST_RECORDS = 20_000
_KINDS = {"USED": 2, "FRAMES": 2, "RATIO": 2, "DATA_START": 2, "RATE": 4, "LABELS": -1, "UNITS": -1}
"""Types of the parameters that are read."""
_GROUPS = ("POINT", "ANALOG", "ROTATION")
_FILLED = frozenset(
    {(group, name) for group in _GROUPS for name in ("USED", "DATA_START")}
    | {("POINT", "FRAMES"), ("POINT", "SCALE"), ("POINT", "RATE"), ("ROTATION", "RATIO")}
    | {("ANALOG", "RATE")}
)
"""Parameters that must have a value where they exist."""
_SAME_RATE = 0.01
"""Share by which two frame rates may differ, as of 59.94 and 60 Hz."""


class C3dError(InputError):
    """A C3D file that cannot be read."""


@dataclass(frozen=True)
class C3dHeader:
    """Content of the first block.

    `points`: markers per frame. `analog_samples`: analog values per frame. `first_frame`,
    `last_frame`: as stored; a long file has 65535 as last frame. `bytes_per_value`: 4 for
    floating-point files, 2 for integers. `data_offset`: bytes before the first frame, 0 if not
    stated. `scale`: units of one step of an integer. `rate`: frames per second. `parameters`: of
    the section that follows. `frames`: held by the file. `contradictions`: what the file states and
    does not hold, a clause each.
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
        """Number of frames; of a long file, for which the header has no room, by its parameters."""
        if self.last_frame < _MANY_FRAMES:
            return max(0, self.last_frame - self.first_frame + 1)
        start, end = (self.parameters.long("TRIAL", f"ACTUAL_{e}_FIELD") for e in ("START", "END"))
        stated = end - start + 1 if end else int(self.parameters.number("POINT", "LONG_FRAMES"))
        return max(stated, int(self.parameters.number("POINT", "FRAMES")))

    @property
    def frame_bytes(self) -> int:
        """Size of a frame in bytes."""
        return (4 * self.points + self.analog_samples) * self.bytes_per_value


def checked_header(path: FilePath, limits: ReadLimits) -> C3dHeader:
    """Read the first block and compare it with the parameters and the file size.

    Raises C3dError if this is not a C3D file, is too large, holds no frame of its markers, or its
    parameters are damaged, or differ from the header and the data do not show which is right.
    """
    head, size = read_start(path, BLOCK_BYTES, C3dError, OTHER)
    if size > limits.max_file_bytes:
        raise C3dError(path, limits.refusal("max_file_bytes", "bytes", size, subject="has"))
    if not head:
        raise C3dError(path, "is empty; copy or export it again")
    if len(head) < BLOCK_BYTES or head[1] != _MAGIC:
        raise C3dError(path, "is not a C3D file: it does not start with a header block")
    section = _section(path, head[0], size)
    if section[3] not in (_INTEL, _DEC, _MIPS):
        raise C3dError(path, f"has the unknown processor type {section[3]}")
    header = _parsed(head, Numbers(section[3]), Parameters(path, section))
    header = _with_counts_of_data(path, header, size)
    numbers = header.frames * header.points * 4
    if numbers > limits.max_numbers:
        raise C3dError(path, limits.refusal("max_numbers", "numbers", numbers, subject="has"))
    header.parameters.check_rotations(header.frames, size)
    return header


def _with_counts_of_data(path: FilePath, header: C3dHeader, size: int) -> C3dHeader:
    """The header with the numbers of markers, analog values and frames that the file holds."""
    parameters, contradictions = header.parameters, list(header.contradictions)
    end = parameters.start_of_rotations() or size
    end = min(end, size) if end > header.data_offset else size
    used = int(parameters.number("POINT", "USED"))
    given = int(parameters.number("POINT", "FRAMES", _MANY_FRAMES))
    frames = {header.stated_frames}
    if header.last_frame < _MANY_FRAMES and given < _MANY_FRAMES:
        frames.add(given)
    if header.points != used:
        contradictions.append(f"{header.points} markers by its header and {used} by its parameters")
        header = _with_markers_that_fill(path, header, used, frames, end)
    header = replace(header, analog_samples=parameters.analog_values(header))
    if not (header.data_offset and header.frame_bytes):
        return replace(header, frames=max(frames), contradictions=tuple(contradictions))
    room = max(0, end - header.data_offset) // header.frame_bytes
    held = max((count for count in frames if count <= room), default=room)
    stated = " or ".join(map(str, sorted(frames)))
    if not held and max(frames):
        raise C3dError(
            path,
            f"is truncated: {stated} frames of {header.points} markers, and not one is whole in "
            f"{size} bytes; copy it again",
        )
    if frames != {held}:
        contradictions.append(f"{stated} frames by its header and parameters, and data for {room}")
    return replace(header, frames=held, contradictions=tuple(contradictions))


def _with_markers_that_fill(
    path: FilePath, header: C3dHeader, used: int, frames: Collection[int], end: int
) -> C3dHeader:
    """The header with the number of markers whose frames fill the file but for a block."""
    for points in (used, header.points):
        tried = replace(header, points=points)
        needed = {tried.data_offset + count * tried.frame_bytes for count in frames}
        if any(0 <= end - last <= BLOCK_BYTES for last in needed):
            return tried
    raise C3dError(
        path,
        f"has {header.points} markers by its header and {used} by its parameters, and its data "
        "show neither; export it again",
    )


def _section(path: FilePath, block: int, size: int) -> bytes:
    """Parameter section and what follows, up to its largest size or the file's end."""
    start = (block - 1) * BLOCK_BYTES
    if block < 2 or start + 4 > size:
        raise C3dError(path, f"is truncated: its parameters start at block {block}, beyond its end")
    with open_regular(path, C3dError, OTHER) as stream:
        stream.seek(start)
        return stream.read(_MOST_BLOCKS * BLOCK_BYTES)


class Numbers:
    """Numbers as a processor stores them.

    `processor`: 84 Intel, 85 DEC, 86 MIPS. DEC floats have their two words swapped, and an exponent
    larger by two.
    """

    def __init__(self, processor: int) -> None:
        self._is_dec = processor == _DEC
        self._order = ">" if processor == _MIPS else "<"

    def integers(self, data: bytes, signed: bool = False) -> Floats:
        """Two-byte integers."""
        return np.frombuffer(data, f"{self._order}{'i' if signed else 'u'}2").astype(np.float64)

    def floats(self, data: bytes) -> Floats:
        """Four-byte floats."""
        # Some bit patterns of NaN signal when they are converted.
        with np.errstate(invalid="ignore"):
            if not self._is_dec:
                return np.frombuffer(data, f"{self._order}f4").astype(np.float64)
            words = np.frombuffer(data, "<u2").reshape(-1, 2)[:, ::-1]
            return np.ascontiguousarray(words).view("<f4")[:, 0].astype(np.float64) / 4.0


def _parsed(head: bytes, numbers: Numbers, parameters: Parameters) -> C3dHeader:
    points, analog, first, last = (int(value) for value in numbers.integers(head[2:10]))
    block = int(numbers.integers(head[16:18])[0])
    scale, rate = (float(numbers.floats(head[at : at + 4])[0]) for at in (12, 20))
    # A negative scale means floating-point values.
    size, offset = 4 if math.copysign(1.0, scale) < 0.0 else 2, max(0, block - 1) * BLOCK_BYTES
    offset = offset or max(0, int(parameters.number("POINT", "DATA_START")) - 1) * BLOCK_BYTES
    scale = abs(parameters.number("POINT", "SCALE", scale))
    given = parameters.number("POINT", "RATE", rate)
    differing: tuple[str, ...] = ()
    if 0.0 < rate < math.inf and abs(given - rate) > _SAME_RATE * rate:
        differing = (f"{rate:g} Hz by its header and {given:g} Hz by its parameters",)
    rate = rate if given == 0.0 else given
    return C3dHeader(
        points, analog, first, last, size, offset, scale, rate, parameters, contradictions=differing
    )


@dataclass(frozen=True)
class _Parameter:
    """One parameter.

    `group`: number of its group, positive. `kind`: -1 characters, 1 and 2 integers, 4 floats.
    `sizes`: its dimensions. `data`: its values.
    """

    group: int
    name: str
    kind: int
    sizes: tuple[int, ...]
    data: bytes


class Parameters:
    """Parameters by group and name, in capitals.

    `section`: from the first byte of the section, up to the data or the end of the file. Raises
    C3dError for the first invalid record.
    """

    def __init__(self, path: FilePath, section: bytes) -> None:
        self._path, self._section, self.numbers = path, section, Numbers(section[3])
        self._order = ">" if section[3] == _MIPS else "<"
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

    def texts(self, group: str, name: str) -> list[str]:
        """Texts of a parameter; none if it is missing or holds numbers."""
        found = self._named.get((group, name))
        if found is None or found.kind != -1:
            return []
        length = found.sizes[0]
        ends = range(length, len(found.data) + 1, length) if length else ()
        cells = (found.data[end - length : end] for end in ends)
        return [cell.decode("utf-8", "replace").rstrip("\0").strip() for cell in cells]

    def number(self, group: str, name: str, otherwise: float = 0.0) -> float:
        """First number of a parameter: a float, or an unsigned two-byte integer."""
        found = self._named.get((group, name))
        if found is None or not found.data or found.kind not in (2, 4):
            return otherwise
        read = self.numbers.floats if found.kind == 4 else self.numbers.integers
        return float(read(found.data[: found.kind])[0])

    def long(self, group: str, name: str) -> int:
        """Number of two words, the lower one first; 0 if it is missing."""
        found = self._named.get((group, name))
        if found is None or found.kind != 2 or len(found.data) < 4:
            return 0
        low, high = self.numbers.integers(found.data[:4])
        return int(low + 65536 * high)

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
        fits = kind in _SIZES and dimensions <= _MOST_DIMENSIONS and first <= end
        if not fits or (kind == -1 and dimensions == 0):
            raise self._damaged(f"{shown} has type {kind} and {dimensions} dimensions")
        sizes = tuple(section[at + 2 : first])
        after = first + math.prod(sizes) * _SIZES[kind]
        if after > end or (after < end and after + 1 + section[after] > end):
            raise self._damaged(f"the values of {shown} go beyond the next record")
        return _Parameter(group, name, kind, sizes, section[first:after])

    def _by_name(self) -> Mapping[tuple[str, str], _Parameter]:
        """All parameters, with the types of essential ones checked."""
        named: dict[tuple[str, str], _Parameter] = {}
        for one in self._found:
            if one.group not in self._groups:
                raise self._damaged(f"{one.name[:40]!a} belongs to no group")
            group, name = key = self._groups[one.group], one.name
            if group in _GROUPS and one.kind != _KINDS.get(name, one.kind):
                raise self._damaged(f"{group}:{name} has type {one.kind}")
            if key in _FILLED and not one.data:
                raise self._damaged(f"{group}:{name} has no value")
            named[key] = one
        if ("POINT", "USED") not in named:
            raise self._damaged("POINT:USED is missing")
        return named

    def analog_values(self, header: C3dHeader) -> int:
        """Analog values per frame; some headers store the number of channels instead.

        Raises C3dError if the header has another count.
        """
        channels = int(self.number("ANALOG", "USED"))
        rate, sampled = self.number("POINT", "RATE"), self.number("ANALOG", "RATE")
        if not (0.0 <= rate < math.inf and 0.0 <= sampled < math.inf):
            raise C3dError(self._path, "has invalid frame rates; export it again")
        values = channels * (int(sampled / rate) if rate >= 1.0 else 1)
        if header.analog_samples not in (channels, values):
            raise C3dError(
                self._path,
                f"has {header.analog_samples} analog values in a frame by its header and {values} "
                "by its parameters; export it again",
            )
        return values

    def start_of_rotations(self) -> int:
        """Bytes before rotation data; 0 if there are none."""
        used, block = (int(self.number("ROTATION", name)) for name in ("USED", "DATA_START"))
        return max(0, block - 1) * BLOCK_BYTES if used else 0

    def check_rotations(self, frames: int, size: int) -> None:
        """Check the size of rotation data."""
        used, ratio = (int(self.number("ROTATION", name)) for name in ("USED", "RATIO"))
        needed = frames * used * max(ratio, 1) * ROTATION_NUMBERS * 4
        if used and self.start_of_rotations() + needed > size:
            message = f"is truncated: {used} rotations per frame need {needed} bytes"
            raise C3dError(self._path, message)


FORMAT = MotionFormat(
    name="c3d",
    endings=(".c3d",),
    advice="has markers or loose bodies but no joints; find its skeleton and limits with: "
    "jointlimits skeleton --estimate",
    read_tracks="read_request",
    contents="`.c3d` with `jointlimits skeleton`: markers, or positions and orientations of "
    "separate bodies; the skeleton is worked out first",
)

_ROTATION_ENDING = re.compile(r"(?<=.)_4x4\Z", re.IGNORECASE | re.DOTALL)
"""Suffix that some programs add to labels of rotation channels."""
_LABEL_PARAMETERS = ("LABELS", "LABELS2", "LABELS3", "LABELS4", "LABELS5")
"""Names of the continuation parameters; a parameter holds at most 255 labels."""

_LEAST_M, _MOST_M, _CHOSEN_FRAMES = 0.005, 200.0, 200
"""Extents, metres, that the markers of a frame have: they are as large as the least of these
themselves. Measured in so many frames."""


def read_request(path: FilePath, meters_per_unit: float | None, request: ReadRequest) -> FileTracks:
    """Read what a request asks for; the frame rate is the file's."""
    return read_c3d(path, meters_per_unit=meters_per_unit, limits=request.limits)


def read_c3d(
    path: FilePath, *, meters_per_unit: float | None = None, limits: ReadLimits = DEFAULT_LIMITS
) -> FileTracks:
    """Read markers and rotation channels.

    The tracks are in metres; `meters_per_unit` overrides the file's unit. A sample with a negative
    residual, at exactly 0, 0, 0 or not finite is a gap; residuals do not count if all are negative.
    Raises C3dError if the file is damaged, cut short or too large, or has neither markers nor
    rotations.
    """
    file = _File(path, checked_header(path, limits), meters_per_unit)
    markers, bodies = file.markers(), file.bodies()
    if markers is None and bodies is None:
        raise C3dError(path, "has neither markers nor rotations")
    return FileTracks(bodies, markers)


class _File:
    """A file whose header was checked."""

    def __init__(self, path: FilePath, header: C3dHeader, meters_per_unit: float | None) -> None:
        self._path, self._header, self._meters_per_unit = path, header, meters_per_unit
        self._name, self._source = Path(os.fspath(path)).stem, source_file(path)
        # Frames count from 1; some programs write 0.
        self._first = float(max(header.first_frame, 1))
        shown = [text.lower()[-1:] for text in header.parameters.texts("POINT", "Y_SCREEN")]
        # The sign is ignored: some files with their floor at Z = 0 have -Z there.
        self._up = shown[0] if shown and shown[0] in UP_AXES else None

    def _block(self, block: float, size: int) -> bytes:
        with open_regular(self._path, C3dError, OTHER) as stream:
            stream.seek(max(0, int(block) - 1) * BLOCK_BYTES)
            data = stream.read(size)
        if len(data) < size:
            raise C3dError(self._path, f"is truncated: {size} bytes of data, found {len(data)}")
        return data

    def _points(self) -> Floats:
        """Places and residual of every marker in file units, shape (frames, markers, 4)."""
        header = self._header
        if not header.data_offset or not header.frames:
            raise C3dError(self._path, "does not say where its frames are; export it again")
        data = self._block(
            header.data_offset // BLOCK_BYTES + 1, header.frames * header.frame_bytes
        )
        rows = np.frombuffer(data, np.uint8).reshape(header.frames, header.frame_bytes)
        own = np.ascontiguousarray(rows[:, : 4 * header.points * header.bytes_per_value]).tobytes()
        numbers, whole = header.parameters.numbers, header.bytes_per_value == 2
        values = numbers.integers(own, signed=True) * header.scale if whole else numbers.floats(own)
        return np.asarray(values.reshape(header.frames, header.points, 4))

    def markers(self) -> MarkerTracks | None:
        """Markers; None if the file has none."""
        if not self._header.points:
            return None
        rate = self._rate(self._header.rate)
        values = self._points().swapaxes(0, 1)
        positions = np.ascontiguousarray(values[..., :3])
        residuals = values[..., 3]
        invalid = bool((residuals < 0.0).all() and positions.any())
        present = _present(positions, np.zeros_like(residuals) if invalid else residuals)
        scale, findings = self._scale("POINT")
        if invalid:
            message = (
                "Every sample is marked as invalid by its residual; they were read nevertheless."
            )
            findings.append(Finding("residuals-negative", message, clip=self._name))
        if self._meters_per_unit is None:
            scale, doubts = _plausible(scale, positions, present, self._name)
            findings += doubts
        labels, renamed = _unique(self._labels("POINT", len(positions), "marker"))
        frames: Floats = self._first + np.arange(positions.shape[1], dtype=np.float64)
        positions = np.where(present[..., None], positions * scale, np.nan)
        findings += self._contradictions()
        notes = (*findings, *renamed, *gap_findings(labels, present, frames, self._name))
        source, up = self._source, self._up
        return MarkerTracks(labels, positions, present, frames, rate, self._name, source, notes, up)

    def bodies(self) -> BodyTracks | None:
        """Bodies from rotation channels; None if the file has none."""
        parameters = self._header.parameters
        used, ratio, block = (
            int(parameters.number("ROTATION", name)) for name in ("USED", "RATIO", "DATA_START")
        )
        ratio = max(ratio, 1)
        frames = self._header.frames * ratio
        if not (used and block and frames):
            return None
        data = self._block(block, frames * used * ROTATION_NUMBERS * 4)
        numbers = parameters.numbers.floats(data).reshape(frames, used, ROTATION_NUMBERS)
        matrices = numbers[..., :16].reshape(frames, used, 4, 4).swapaxes(2, 3)
        rate = self._rate(self._header.rate * ratio)
        scale, findings = self._scale("ROTATION", "POINT")
        given = self._labels("ROTATION", used, "body")
        labels, renamed = _unique([_ROTATION_ENDING.sub("", label) for label in given])
        times: Floats = self._first + np.arange(frames, dtype=np.float64) / ratio
        try:
            tracks = BodyTracks.from_matrices(
                labels, matrices, rate, meters_per_unit=scale, name=self._name, frames=times
            )
        except ValueError as error:
            raise C3dError(self._path, str(error)) from None
        findings += self._contradictions()
        return replace(tracks, source=self._source, findings=(*findings, *renamed), up=self._up)

    def _contradictions(self) -> list[Finding]:
        """What the file states and does not hold."""
        header = self._header
        held = f"{header.frames} frames of {header.points} markers at {header.rate:g} Hz were read"
        return [
            Finding("counts-differ", f"The file has {what}; {held}.", clip=self._name)
            for what in header.contradictions
        ]

    def _rate(self, value: float) -> float:
        if not (np.isfinite(value) and value > 0.0):
            message = f"frame rate must be finite and above 0, not {value:g} Hz"
            raise C3dError(self._path, message)
        return value

    def _scale(self, *groups: str) -> tuple[float, list[Finding]]:
        """Metres per unit, from the first group that names one."""
        scale = self._meters_per_unit
        if scale is not None:
            if not (np.isfinite(scale) and scale > 0.0):
                raise ValueError(f"meters_per_unit must be positive, not {scale}")
            return float(scale), []
        for group in groups:
            units = self._header.parameters.texts(group, "UNITS")
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

    def _labels(self, group: str, count: int, what: str) -> list[str]:
        """Labels of a group, one per channel; unnamed ones are numbered."""
        texts = self._header.parameters.texts
        found = [label for name in _LABEL_PARAMETERS for label in texts(group, name)]
        labels = (found + [""] * count)[:count]
        # Like the points that Vicon's programs leave unlabelled among others.
        stem = "*" if what == "marker" and any(labels) else what
        return [label or f"{stem}{index + 1}" for index, label in enumerate(labels)]


def _present(positions: Floats, residuals: Floats) -> Booleans:
    """Valid samples: finite, not exactly at the origin, residual not negative."""
    finite = np.isfinite(positions).all(axis=2)
    return np.asarray(finite & (positions != 0.0).any(axis=2) & ~(residuals < 0.0))


def _plausible(
    scale: float, positions: Floats, present: Booleans, clip: str
) -> tuple[float, list[Finding]]:
    """Metres per unit, a thousand times more or less where no markers can lie as by the unit."""
    step = max(1, positions.shape[1] // _CHOSEN_FRAMES)
    chosen = np.where(present[..., None], positions, np.nan)[:, ::step]
    chosen = chosen[:, np.isfinite(chosen).any(axis=(0, 2))]
    if not chosen.size:
        return scale, []
    extent = float(np.median((np.nanmax(chosen, axis=0) - np.nanmin(chosen, axis=0)).max(axis=1)))
    times = (
        1000.0 if 0.0 < extent * scale < _LEAST_M else 0.001 if extent * scale > _MOST_M else 1.0
    )
    if times == 1.0 or not _LEAST_M <= extent * scale * times <= _MOST_M:
        return scale, []
    message = (
        f"By the unit that the file states its markers lie {extent * scale:.3g} m apart; "
        f"{extent * scale * times:.3g} m were taken."
    )
    return scale * times, [Finding("unit-implausible", message, clip=clip)]


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
