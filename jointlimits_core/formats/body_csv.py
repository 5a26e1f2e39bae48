"""Tables of rigid bodies (CSV): our own header, and what OptiTrack's Motive exports.

Our own, whose columns may stand in any order::

    # units: mm
    # frame_rate: 120
    # up: y
    frame,time,hips.px,hips.py,hips.pz,hips.qx,hips.qy,hips.qz,hips.qw,thigh.px,...
    0,0.000,12.1,960.3,4.4,0,0,0,1,80.2,...

A column is a body's name, a dot and one of px, py, pz (position) and qx, qy, qz, qw (quaternion
from body to world) or rx, ry, rz (degrees, with `# rotate_order: xyz`). `units` is m and
`up` is guessed where the file does not say; the frame rate comes from `time` (seconds) then.
Columns may be separated by commas, semicolons or tabs. An empty cell says that the body was not
seen.
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
    """What a table has: bodies, or the markers of a file without any."""

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
        Take the place of what the file says.

    Returns
    -------
    CsvTracks
        In metres.

    Raises
    ------
    BodyCsvError
        With line and column, and what to do.
    """
    text = read_text(path, limits, BodyCsvError)
    name = Path(os.fspath(path)).stem
    if text.data[:64].strip().strip(b'"').lower().startswith(MOTIVE_START):
        motive = MotiveFile(text, name, limits, meters_per_unit, frame_rate)
        bodies = motive.bodies()
        markers = motive.markers() if bodies is None else None
        if bodies is None and markers is None:
            raise text.fail("has neither rigid bodies nor markers; tick them when you export it")
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
        raise text.fail("has a header and no frames", number)
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
    """Settings in comments, and the line with the names of the columns."""
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
    raise text.fail("has comments and nothing else")


def _columns(
    text: TextFile, number: int, names: Sequence[str], rotate_order: str
) -> dict[str, BodyColumns]:
    """Where the numbers of each body are; raises for what is missing or twice there."""
    if rotate_order not in ROTATE_ORDERS:
        raise text.fail(f"rotate_order {rotate_order!r} is none of {', '.join(ROTATE_ORDERS)}")
    found: dict[str, dict[str, int]] = {}
    for index, name in enumerate(names):
        body, dot, part = name.rpartition(".")
        if dot and not body.strip() and part.lower() in _PLACE + _TURN + _ANGLES:
            raise text.fail(f"column {name!r} has no name of a body before its dot", number)
        if not dot or part.lower() not in _PLACE + _TURN + _ANGLES:
            continue
        parts = found.setdefault(body, {})
        if part.lower() in parts:
            raise text.fail(f"column {name!r} is there twice", number)
        parts[part.lower()] = index
    if not found:
        raise text.fail(_nothing_found(names), number)
    return {body: _of_body(text, number, body, at, rotate_order) for body, at in found.items()}


def _of_body(
    text: TextFile, number: int, body: str, parts: dict[str, int], rotate_order: str
) -> BodyColumns:
    angles = any(part in parts for part in _ANGLES)
    if angles and any(part in parts for part in _TURN):
        raise text.fail(f"body {body!r} has both a quaternion and angles; leave out one", number)
    turn = _ANGLES if angles else _TURN
    missing = [f"{body}.{part}" for part in (*_PLACE, *turn) if part not in parts]
    if missing == [f"{body}.{part}" for part in _PLACE]:
        raise text.fail(_ONLY_ROTATIONS, number)
    if missing:
        raise text.fail(f"has no column {', '.join(missing)}", number)
    order = rotate_order if angles else None
    return BodyColumns([parts[p] for p in _PLACE], [parts[p] for p in turn], order)


_ONLY_ROTATIONS = (
    "has rotations and no positions, as inertial sensors give them; where a joint is follows only "
    "from both: add positions, or use a system that tracks them"
)


def _nothing_found(names: Sequence[str]) -> str:
    letters = {name.lower().strip() for name in names}
    if {"w", "x", "y", "z"} <= letters or {"qw", "qx", "qy", "qz"} <= letters:
        return _ONLY_ROTATIONS
    return f"is no table of bodies that is known here; {_EXPECTED}"


def _meters(text: TextFile, settings: dict[str, str]) -> float:
    unit = settings.get("units", "m")
    meters = meters_of(unit)
    if meters is None:
        raise text.fail(f"measures in {unit!r}; units are m, cm, mm, in or ft")
    return meters


def _up(text: TextFile, settings: dict[str, str]) -> str | None:
    up = settings.get("up", "").lower()
    if up and up not in WAYS_UP:
        raise text.fail(f"has {up!r} up; up is {' or '.join(WAYS_UP)}")
    return up or None


def _rate(text: TextFile, settings: dict[str, str]) -> float | None:
    if "frame_rate" not in settings:
        return None
    try:
        return float(settings["frame_rate"])
    except ValueError:
        raise text.fail(f"frame_rate {settings['frame_rate']!r} is no number") from None
