"""CSV tables of rigid bodies: our own header, and exports of OptiTrack's Motive.

Our own format, with columns in any order::

    # units: mm
    # frame_rate: 120
    # up: y
    frame,time,hips.px,hips.py,hips.pz,hips.qx,hips.qy,hips.qz,hips.qw,thigh.px,...
    0,0.000,12.1,960.3,4.4,0,0,0,1,80.2,...

A column is a body's name, a dot and one of px, py, pz (position) and qx, qy, qz, qw (quaternion
from body to world) or rx, ry, rz (degrees, with `# rotate_order: xyz`). Where the file does not
state them, `units` is m, `up` is guessed and the frame rate comes from `time` (seconds). Columns
may be separated by commas, semicolons or tabs. An empty cell means the body was not seen.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..bodies.markers import MarkerTracks
from ..bodies.tracks import BodyTracks
from ..bodies.way_up import WAYS_UP
from ..errors import BodyCsvError
from ..euler import ROTATE_ORDERS
from .csv_tracks import BodyColumns, CsvTable
from .length_units import meters_of
from .motive_csv import MOTIVE_START, MotiveFile
from .number_table import NumberTable, cells_of, separator_of
from .read_limits import DEFAULT_LIMITS, ReadLimits
from .source import FilePath
from .text import TextFile, read_text
from .words import decoded

_PLACE, _TURN, _ANGLES = ("px", "py", "pz"), ("qx", "qy", "qz", "qw"), ("rx", "ry", "rz")
_EXPECTED = "name columns like hips.px, hips.py, hips.pz, hips.qx, hips.qy, hips.qz, hips.qw"
COLUMNS_PER_BODY = 9
_SETTINGS = ("units", "frame_rate", "rotate_order", "up")


@dataclass(frozen=True, eq=False)
class CsvTracks:
    """Content of a table: bodies, or the markers of a file without bodies."""

    bodies: BodyTracks | None
    markers: MarkerTracks | None = None


def read_body_csv(
    path: FilePath,
    *,
    meters_per_unit: float | None = None,
    frame_rate: float | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
) -> CsvTracks:
    """Read a table of bodies.

    Parameters
    ----------
    path : path-like or str
    meters_per_unit, frame_rate : float, optional
        Override the file's own.

    Returns
    -------
    CsvTracks
        In metres.

    Raises
    ------
    BodyCsvError
        With line and column, and how to fix it.
    """
    text = read_text(path, limits, BodyCsvError)
    name = Path(os.fspath(path)).stem
    if text.data[:64].strip().strip(b'"').lower().startswith(MOTIVE_START):
        motive = MotiveFile(text, name, limits, meters_per_unit, frame_rate)
        bodies = motive.bodies()
        markers = motive.markers() if bodies is None else None
        if bodies is None and markers is None:
            raise text.fail("has neither rigid bodies nor markers; enable them in the export")
        return CsvTracks(bodies, markers)
    return CsvTracks(_own(text, name, limits, meters_per_unit, frame_rate))


def _own(
    text: TextFile,
    name: str,
    limits: ReadLimits,
    meters_per_unit: float | None,
    frame_rate: float | None,
) -> BodyTracks:
    lines = text.lines()
    settings, number, header = _head(text, lines)
    separator = separator_of(header)
    names = cells_of(header, separator)
    if len(names) > limits.max_joints * COLUMNS_PER_BODY:
        bodies = limits.refusal("max_joints", "bodies", -(-len(names) // COLUMNS_PER_BODY))
        raise text.fail(f"has {len(names)} columns, those of {bodies}")
    columns = _columns(text, number, names, settings.get("rotate_order", "xyz"))
    table = NumberTable(text, len(names), separator, limits)
    values = table.read(lines)
    if len(values) == 0:
        raise text.fail("has a header but no frames", number)
    lower = [cell.lower() for cell in names]
    content = CsvTable(
        text,
        table,
        values,
        meters_per_unit or _meters(text, settings),
        frame_rate or _rate(text, settings),
        lower.index("frame") if "frame" in lower else None,
        lower.index("time") if "time" in lower else None,
    )
    return replace(content.bodies(columns, name), up=_up(text, settings))


def _head(text: TextFile, lines: Iterator[tuple[int, bytes]]) -> tuple[dict[str, str], int, bytes]:
    """Settings in comments, and the line with the column names."""
    settings: dict[str, str] = {}
    for number, line in lines:
        row = line.strip()
        if not row:
            continue
        if not row.startswith(b"#"):
            return settings, number, line
        key, colon, value = decoded(row.lstrip(b"#")).partition(":")
        if colon and key.strip().lower() in _SETTINGS:
            settings[key.strip().lower()] = value.strip()
    raise text.fail("has only comments")


def _columns(
    text: TextFile, number: int, names: Sequence[str], rotate_order: str
) -> dict[str, BodyColumns]:
    """Columns of each body; raises for missing or repeated ones."""
    if rotate_order not in ROTATE_ORDERS:
        raise text.fail(f"rotate_order {rotate_order!r} must be one of {', '.join(ROTATE_ORDERS)}")
    found: dict[str, dict[str, int]] = {}
    for index, name in enumerate(names):
        body, dot, part = name.rpartition(".")
        if dot and not body.strip() and part.lower() in _PLACE + _TURN + _ANGLES:
            raise text.fail(f"column {name!r} has no body name before its dot", number)
        if not dot or part.lower() not in _PLACE + _TURN + _ANGLES:
            continue
        parts = found.setdefault(body, {})
        if part.lower() in parts:
            raise text.fail(f"column {name!r} appears twice", number)
        parts[part.lower()] = index
    if not found:
        raise text.fail(_nothing_found(names), number)
    return {body: _of_body(text, number, body, at, rotate_order) for body, at in found.items()}


def _of_body(
    text: TextFile, number: int, body: str, parts: dict[str, int], rotate_order: str
) -> BodyColumns:
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
    return BodyColumns([parts[p] for p in _PLACE], [parts[p] for p in turn], order)


_ONLY_ROTATIONS = (
    "has rotations but no positions, as from inertial sensors; joint positions can only be found "
    "from both: add positions, or use a system that tracks them"
)


def _nothing_found(names: Sequence[str]) -> str:
    letters = {name.lower().strip() for name in names}
    if {"w", "x", "y", "z"} <= letters or {"qw", "qx", "qy", "qz"} <= letters:
        return _ONLY_ROTATIONS
    return f"is not a known table of bodies; {_EXPECTED}"


def _meters(text: TextFile, settings: dict[str, str]) -> float:
    unit = settings.get("units", "m")
    meters = meters_of(unit)
    if meters is None:
        raise text.fail(f"has units {unit!r}; units must be m, cm, mm, in or ft")
    return meters


def _up(text: TextFile, settings: dict[str, str]) -> str | None:
    up = settings.get("up", "").lower()
    if up and up not in WAYS_UP:
        raise text.fail(f"has up {up!r}; up must be {' or '.join(WAYS_UP)}")
    return up or None


def _rate(text: TextFile, settings: dict[str, str]) -> float | None:
    if "frame_rate" not in settings:
        return None
    try:
        return float(settings["frame_rate"])
    except ValueError:
        raise text.fail(f"frame_rate {settings['frame_rate']!r} is not a number") from None
