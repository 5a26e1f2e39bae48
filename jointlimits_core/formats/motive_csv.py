"""Rigid bodies and markers in CSV files exported by OptiTrack's Motive.

Line 1 alternates names and values ("Format Version", "Length Units", ...). Above the line that
starts with "Frame" and "Time (Seconds)", lines give for each column the type of its object ("Rigid
Body", "Marker", ...), its name, its ID, and the quantity ("Rotation", "Position", ...). Cells are
empty where something was not seen.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from ..arrays import Floats
from ..bodies.markers import MarkerTracks
from ..bodies.tracks import BodyTracks
from .csv_tracks import BodyColumns, CsvTable
from .gap_findings import gap_findings
from .length_units import meters_of
from .number_table import NumberTable, cells_of
from .read_limits import ReadLimits
from .text import TextFile

MOTIVE_START = b"format version"
"""Start of the first line, in lower case."""
_HEADER_LINES = 12
_BODY_TYPES = frozenset({"rigid body", "bone"})
_MARKER_TYPES = ("marker", "rigid body marker", "bone marker")
"""Measured markers, and those of Motive's solution; the first are preferred."""
_AXES = {"x": 0, "y": 1, "z": 2, "w": 3}


class MotiveFile:
    """Header and numbers of an exported take.

    Parameters
    ----------
    name : str
        Name of the clip.
    meters_per_unit, frame_rate : float, optional
        Override the file's own.

    Raises
    ------
    BodyCsvError
        With line and column.
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
        self._take = self._settings(next(lines)[1])
        self._check_settings()
        rows = self._header(lines)
        self._types, self._names, self._kinds, self._axes = rows
        self._table = NumberTable(text, len(self._axes), b",", limits)
        values = self._table.read(lines)
        rate = frame_rate or self._rate()
        scale = meters_per_unit or self._meters()
        self._values = CsvTable(text, self._table, values, scale, rate, 0, 1)
        if len(values) == 0:
            raise text.fail("has a header but no frames")

    def bodies(self) -> BodyTracks | None:
        """Rigid bodies and bones; None if the file has none."""
        columns: dict[str, BodyColumns] = {}
        for index, kind in enumerate(self._types):
            part = self._kinds[index].lower()
            if kind in _BODY_TYPES and part in ("rotation", "position"):
                body = columns.setdefault(self._names[index], BodyColumns())
                target = body.turn if part == "rotation" else body.place
                target.append(index)
        columns = {name: self._ordered(name, body) for name, body in columns.items()}
        return self._values.bodies(columns, self._name) if columns else None

    def markers(self) -> MarkerTracks | None:
        """Measured markers, or those of Motive's solution; None if the file has none."""
        for wanted in _MARKER_TYPES:
            columns: dict[str, list[int]] = {}
            for index, kind in enumerate(self._types):
                if kind == wanted and self._kinds[index].lower() == "position":
                    columns.setdefault(self._names[index], []).append(index)
            if columns:
                return self._tracks({name: self._three(name, at) for name, at in columns.items()})
        return None

    def _tracks(self, columns: dict[str, list[int]]) -> MarkerTracks:
        table, clock = self._values, self._values.clock(self._name)
        places: Floats = clock.even.places(table.places(list(columns.values())))
        present = np.asarray(np.isfinite(places).all(axis=2))
        names, frames = tuple(columns), clock.frames
        gaps = tuple(gap_findings(names, present, frames, self._name))
        source = self._text.source
        return MarkerTracks(
            names, places, present, frames, clock.rate, self._name, source, clock.findings + gaps
        )

    def _settings(self, line: bytes) -> dict[str, str]:
        cells = iter(cells_of(line, b","))
        return {key.lower(): value for key, value in zip(cells, cells)}

    def _check_settings(self) -> None:
        kind = self._take.get("rotation type", "Quaternion")
        if kind.lower() != "quaternion":
            raise self._text.fail(
                f"rotation type is {kind!r}; export it with Rotation Type: Quaternion", 1
            )
        space = self._take.get("coordinate space", "Global")
        if space.lower() not in ("global", "world"):
            raise self._text.fail(
                f"coordinate space is {space!r}; export it with Coordinate Space: Global", 1
            )

    def _meters(self) -> float:
        unit = self._take.get("length units", "Meters")
        meters = meters_of(unit)
        if meters is None:
            raise self._text.fail(f"has the unknown length unit {unit!r}", 1)
        return meters

    def _rate(self) -> float | None:
        for key in ("export frame rate", "capture frame rate"):
            try:
                return float(self._take[key])
            except (KeyError, ValueError):
                continue
        return None

    def _header(
        self, lines: Iterator[tuple[int, bytes]]
    ) -> tuple[list[str], list[str], list[str], list[str]]:
        """Type, name, kind and axis of every column, types in lower case."""
        above: list[list[str]] = []
        for number, line in itertools.islice(lines, _HEADER_LINES):
            cells = cells_of(line, b",")
            if len(cells) > 1 and cells[0].lower() == "frame" and "time" in cells[1].lower():
                return self._parts(above, cells, number)
            if any(cells):
                above.append(cells)
        raise self._text.fail("has no line that starts with Frame,Time (Seconds)")

    def _parts(
        self, above: list[list[str]], axes: list[str], number: int
    ) -> tuple[list[str], list[str], list[str], list[str]]:
        known = _BODY_TYPES.union(_MARKER_TYPES)
        at = next((i for i, row in enumerate(above) if {c.lower() for c in row} & known), None)
        kinds = next((row for row in above[::-1] if "Position" in row or "Rotation" in row), None)
        if at is None or kinds is None or at + 1 >= len(above):
            raise self._text.fail(
                "has no rigid bodies, bones or markers; enable them in the export", number
            )
        width = len(axes)
        rows = [(row + [""] * width)[:width] for row in (above[at], above[at + 1], kinds)]
        types = [cell.lower() for cell in rows[0]]
        return types, rows[1], rows[2], [cell.lower() for cell in axes]

    def _ordered(self, name: str, body: BodyColumns) -> BodyColumns:
        """Columns of a body as x, y, z and x, y, z, w."""
        turn = {self._axes[index]: index for index in body.turn}
        if set(turn) != set(_AXES):
            raise self._text.fail(
                f"rigid body {name!r} has missing or repeated rotation columns (X, Y, Z, W)"
            )
        return BodyColumns(self._three(name, body.place), [turn[axis] for axis in _AXES])

    def _three(self, name: str, columns: list[int]) -> list[int]:
        place = {self._axes[index]: index for index in columns}
        if set(place) != {"x", "y", "z"} or len(columns) != 3:
            raise self._text.fail(f"{name!r} has no X, Y, Z columns; is the name used twice?")
        return [place[axis] for axis in ("x", "y", "z")]
