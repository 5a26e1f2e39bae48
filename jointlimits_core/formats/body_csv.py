"""CSV tables of rigid bodies: the package's own format, and exports from OptiTrack's Motive.

The package's own format has columns in any order::

    # units: mm
    # frame_rate: 120
    # up: y
    frame,time,hips.px,hips.py,hips.pz,hips.qx,hips.qy,hips.qz,hips.qw,thigh.px,...
    0,0.000,12.1,960.3,4.4,0,0,0,1,80.2,...

A column name is a body's name, a dot, and px, py or pz (position), qx, qy, qz or qw (quaternion
from body to world), or rx, ry or rz (degrees, with `# rotate_order: xyz`). By default, `units` is
m, `up` is guessed, and the frame rate follows from `time` (seconds). Columns may be separated by
commas, semicolons or tabs. An empty cell means that the body was not seen.

In Motive's exports, line 1 alternates between names and values ("Format Version", ...). The lines
above the one that starts with "Frame" and "Time (Seconds)" describe each column: type ("Rigid
Body", "Marker", ...), name and ID of its object, and the quantity ("Rotation", ...).
"""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..base.errors import InputError
from ..geometry import arrays, euler
from ..io.input import FilePath, ReadLimits
from ..skeleton_fit import track_conventions, tracks
from ..skeleton_fit.markers import MarkerTracks
from . import number_table, registry, tokens, tracks_csv
from .text import TextFile, read_text

MOTIVE_START = b"format version"
"""Start of the first line, in lower case."""
_HEADER_LINES = 12
_BODY_TYPES = frozenset({"rigid body", "bone"})
_MARKER_TYPES = ("marker", "rigid body marker", "bone marker")
"""Types of markers, measured or solved by Motive, in order of preference."""
_AXES = "xyzw"
_Header = tuple[list[str], list[str], list[str], list[str]]


class BodyCsvError(InputError):
    """A CSV table of bodies that cannot be read."""


class MotiveFile:
    """Header and numbers of an exported take.

    `meters_per_unit` and `frame_rate` override what the file states. Raises BodyCsvError with line
    and column.
    """

    def __init__(
        self,
        text: TextFile,
        name: str,
        limits: ReadLimits,
        meters_per_unit: float | None = None,
        frame_rate: float | None = None,
    ) -> None:
        self._text, self._name = text, name
        lines = text.lines()
        cells = iter(number_table.cells_of(next(lines)[1], b","))
        self._take = {key.lower(): value for key, value in zip(cells, cells)}
        for key, known in (
            ("Rotation Type", ("Quaternion",)),
            ("Coordinate Space", ("Global", "World")),
        ):
            given = self._take.get(key.lower(), known[0])
            if given.title() not in known:
                message = f"{key.lower()} is {given!r}; export it with {key}: {known[0]}"
                raise text.fail(message, 1)
        self._types, self._names, self._kinds, self._axes = self._header(lines)
        table = number_table.NumberTable(text, lines, len(self._axes), b",", limits)
        rates = [self._take.get(f"{kind} frame rate", "") for kind in ("export", "capture")]
        for stated in rates:
            with contextlib.suppress(ValueError):
                frame_rate = frame_rate or float(stated)
        unit = self._take.get("length units", "Meters")
        scale = meters_per_unit or tracks_csv.meters_of(unit)
        if scale is None:
            raise text.fail(f"has the unknown length unit {unit!r}", 1)
        self._values = tracks_csv.CsvTable(table, scale, frame_rate, 0, 1)
        if len(table.values) == 0:
            raise text.fail("has a header but no frames")

    def bodies(self) -> tracks.BodyTracks | None:
        """Tracks of rigid bodies and bones; None if there are none."""
        columns: dict[str, tracks_csv.BodyColumns] = {}
        for index, kind in enumerate(self._types):
            part = self._kinds[index].lower()
            if kind in _BODY_TYPES and part in ("rotation", "position"):
                body = columns.setdefault(self._names[index], tracks_csv.BodyColumns())
                target = body.turn if part == "rotation" else body.place
                target.append(index)
        for name, body in columns.items():
            turn = {self._axes[index]: index for index in body.turn}
            if set(turn) != set(_AXES):
                message = f"rigid body {name!r} has missing or repeated rotation columns"
                raise self._text.fail(f"{message} (X, Y, Z, W)")
            body.place, body.turn = self._three(name, body.place), [turn[axis] for axis in _AXES]
        return self._values.bodies(columns, self._name) if columns else None

    def markers(self) -> MarkerTracks | None:
        """Tracks of measured markers, else of markers solved by Motive; None if there are none."""
        for wanted in _MARKER_TYPES:
            columns: dict[str, list[int]] = {}
            for index, kind in enumerate(self._types):
                if kind == wanted and self._kinds[index].lower() == "position":
                    columns.setdefault(self._names[index], []).append(index)
            if columns:
                break
        else:
            return None
        table, clock = self._values, self._values.clock(self._name)
        ordered = [self._three(name, at) for name, at in columns.items()]
        places: arrays.Floats = clock.even.places(table.places(ordered))
        present = np.asarray(np.isfinite(places).all(axis=2))
        names, frames = tuple(columns), clock.frames
        found = (*clock.findings, *tracks_csv.gap_findings(names, present, frames, self._name))
        source = self._text.source
        return MarkerTracks(names, places, present, frames, clock.rate, self._name, source, found)

    def _header(self, lines: Iterator[tuple[int, bytes]]) -> _Header:
        """Type, name, kind and axis of every column, with types in lower case."""
        above: list[list[str]] = []
        for number, line in itertools.islice(lines, _HEADER_LINES):
            cells = number_table.cells_of(line, b",")
            if len(cells) > 1 and cells[0].lower() == "frame" and "time" in cells[1].lower():
                header = number
                break
            if any(cells):
                above.append(cells)
        else:
            raise self._text.fail("has no line that starts with Frame,Time (Seconds)")
        known, width = _BODY_TYPES.union(_MARKER_TYPES), len(cells)
        at = next((i for i, row in enumerate(above) if {c.lower() for c in row} & known), None)
        kinds = next((row for row in above[::-1] if "Position" in row or "Rotation" in row), None)
        if at is None or kinds is None or at + 1 >= len(above):
            message = "has no rigid bodies, bones or markers; enable them in the export"
            raise self._text.fail(message, header)
        rows = [(row + [""] * width)[:width] for row in (above[at], above[at + 1], kinds)]
        types = [cell.lower() for cell in rows[0]]
        return types, rows[1], rows[2], [cell.lower() for cell in cells]

    def _three(self, name: str, columns: list[int]) -> list[int]:
        place = {self._axes[index]: index for index in columns}
        if set(place) != {"x", "y", "z"} or len(columns) != 3:
            raise self._text.fail(f"{name!r} has no X, Y, Z columns; is the name used twice?")
        return [place[axis] for axis in ("x", "y", "z")]


_PLACE, _TURN, _ANGLES = ("px", "py", "pz"), ("qx", "qy", "qz", "qw"), ("rx", "ry", "rz")
_EXPECTED = "name columns like hips.px, hips.py, hips.pz, hips.qx, hips.qy, hips.qz, hips.qw"
MAX_COLUMNS_PER_BODY = 9
_SETTINGS = ("units", "frame_rate", "rotate_order", "up")


def read_body_csv(
    path: FilePath,
    meters_per_unit: float | None = None,
    request: registry.ReadRequest = registry.DEFAULT_REQUEST,
) -> tracks_csv.FileTracks:
    """Read a table of bodies.

    The tracks are in metres. `meters_per_unit` and `request.frame_rate` override what the file
    states. Raises BodyCsvError with line and column, and how to fix the problem.
    """
    limits, frame_rate = request.limits, request.frame_rate
    text = read_text(path, limits, BodyCsvError)
    name = Path(os.fspath(path)).stem
    if text.data[:64].strip().strip(b'"').lower().startswith(MOTIVE_START):
        motive = MotiveFile(text, name, limits, meters_per_unit, frame_rate)
        bodies = motive.bodies()
        markers = motive.markers() if bodies is None else None
        if bodies is None and markers is None:
            raise text.fail("has neither rigid bodies nor markers; enable them in the export")
        return tracks_csv.FileTracks(bodies, markers)
    return tracks_csv.FileTracks(_read_own_table(text, name, limits, meters_per_unit, frame_rate))


def _read_own_table(
    text: TextFile,
    name: str,
    limits: ReadLimits,
    meters_per_unit: float | None,
    frame_rate: float | None,
) -> tracks.BodyTracks:
    lines = text.lines()
    settings, number, header = _head(text, lines)
    separator = max((b",", b";", b"\t"), key=header.count)
    names = number_table.cells_of(header, separator)
    if len(names) > limits.max_joints * MAX_COLUMNS_PER_BODY:
        bodies, subject = -(-len(names) // MAX_COLUMNS_PER_BODY), f"has {len(names)} columns, for"
        raise text.fail(limits.refusal("max_joints", "bodies", bodies, subject))
    columns = _columns(text, number, names, settings.get("rotate_order", "xyz"))
    table = number_table.NumberTable(text, lines, len(names), separator, limits)
    if len(table.values) == 0:
        raise text.fail("has a header but no frames", number)
    unit, rate = settings.get("units", "m"), settings.get("frame_rate")
    scale = meters_per_unit or tracks_csv.meters_of(unit)
    if scale is None:
        raise text.fail(f"units must be m, cm, mm, in or ft, not {unit!r}")
    try:
        frame_rate = frame_rate or (None if rate is None else float(rate))
    except ValueError:
        raise text.fail(f"frame_rate {rate!r} is not a number") from None
    lower = [cell.lower() for cell in names]
    columns_of_time = (lower.index(one) if one in lower else None for one in ("frame", "time"))
    content = tracks_csv.CsvTable(table, scale, frame_rate, *columns_of_time)
    up = settings.get("up", "").lower()
    if up and up not in track_conventions.UP_AXES:
        raise text.fail(f"up must be {' or '.join(track_conventions.UP_AXES)}, not {up!r}")
    return replace(content.bodies(columns, name), up=up or None)


def _head(text: TextFile, lines: Iterator[tuple[int, bytes]]) -> tuple[dict[str, str], int, bytes]:
    """Settings from comments, and the number and bytes of the line with the column names."""
    settings: dict[str, str] = {}
    for number, line in lines:
        row = line.strip()
        if not row:
            continue
        if not row.startswith(b"#"):
            return settings, number, line
        key, colon, value = tokens.decode_text(row.lstrip(b"#")).partition(":")
        if colon and key.strip().lower() in _SETTINGS:
            settings[key.strip().lower()] = value.strip()
    raise text.fail("has only comments")


def _columns(
    text: TextFile, number: int, names: Sequence[str], rotate_order: str
) -> dict[str, tracks_csv.BodyColumns]:
    """Columns of each body; raises BodyCsvError if some are missing or repeated."""
    if rotate_order not in euler.ROTATE_ORDERS:
        known = ", ".join(euler.ROTATE_ORDERS)
        raise text.fail(f"rotate_order must be one of {known}, not {rotate_order!r}")
    found: dict[str, dict[str, int]] = {}
    for index, name in enumerate(names):
        body, dot, part = name.rpartition(".")
        if not dot or part.lower() not in _PLACE + _TURN + _ANGLES:
            continue
        if not body.strip():
            raise text.fail(f"column {name!r} has no body name before its dot", number)
        parts = found.setdefault(body, {})
        if part.lower() in parts:
            raise text.fail(f"column {name!r} appears twice", number)
        parts[part.lower()] = index
    if not found:
        letters = {name.lower().strip() for name in names}
        if letters.issuperset(_AXES) or letters.issuperset(_TURN):
            raise text.fail(_ONLY_ROTATIONS, number)
        raise text.fail(f"is not a known table of bodies; {_EXPECTED}", number)
    return {body: _body_columns(text, number, body, at, rotate_order) for body, at in found.items()}


def _body_columns(
    text: TextFile, number: int, body: str, parts: dict[str, int], rotate_order: str
) -> tracks_csv.BodyColumns:
    angles = any(part in parts for part in _ANGLES)
    if angles and any(part in parts for part in _TURN):
        raise text.fail(f"body {body!r} has both a quaternion and angles; remove one", number)
    turn = _ANGLES if angles else _TURN
    missing = [f"{body}.{part}" for part in (*_PLACE, *turn) if part not in parts]
    if missing == [f"{body}.{part}" for part in _PLACE]:
        raise text.fail(_ONLY_ROTATIONS, number)
    if missing:
        raise text.fail(f"has no column {', '.join(missing)}", number)
    order = rotate_order if angles else None
    return tracks_csv.BodyColumns([parts[p] for p in _PLACE], [parts[p] for p in turn], order)


_ONLY_ROTATIONS = (
    "has rotations but no positions, as from inertial sensors; joint positions can only be found "
    "from both: add positions, or use a system that tracks them"
)
