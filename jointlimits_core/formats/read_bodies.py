"""One function for every file of which loose bodies can be made."""

from __future__ import annotations

import os
from pathlib import Path

from ..bodies.from_motion import bodies_from_motion
from ..bodies.marker_bodies import Grouping, bodies_from_markers
from ..bodies.marker_groups import TOLERANCE_METERS
from ..bodies.markers import MarkerTracks
from ..bodies.tracks import BodyTracks
from ..errors import EstimationError, InputError
from .body_csv import read_body_csv
from .c3d import read_c3d
from .read import SkeletonSource, read_motion
from .source import FilePath
from .text import DEFAULT_LIMITS, ReadLimits, read_head

_TABLES = frozenset({".csv", ".tsv", ".txt"})
_C3D_MAGIC = 0x50


def read_bodies(
    path: FilePath,
    *,
    groups: Grouping = "auto",
    tolerance: float = TOLERANCE_METERS,
    meters_per_unit: float | None = None,
    frame_rate: float | None = None,
    skeleton: SkeletonSource | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
) -> BodyTracks:
    """Read bodies from a C3D, CSV, BVH, AMC or Maya ASCII file.

    Parameters
    ----------
    path : path-like or str
        C3D: rotation channels, or else markers in groups. CSV: our own header or Motive's. A
        motion: each of its joints as a body.
    groups : str, mapping or sequence of MarkerGroup
        How markers are grouped, see :func:`jointlimits_core.bodies.marker_bodies.choose_groups`.
        Anything but "auto" makes bodies of markers even where there are bodies in a C3D file.
    tolerance : float
        Largest change of a distance in a body of markers, metres to either side.
    meters_per_unit : float, optional
        Takes the place of the unit that the file names.
    frame_rate : float, optional
        For CSV and AMC files, which may not say.
    skeleton : Skeleton, path-like or str, optional
        For AMC files.
    limits : ReadLimits

    Returns
    -------
    BodyTracks
        In metres.

    Raises
    ------
    InputError
        With path, line and column where there are some, and what to do; also for files of whose
        markers no body can be made.
    MissingPackageError
        For C3D files where ezc3d is not installed.
    """
    kind = _kind(path)
    markers: MarkerTracks | None = None
    bodies: BodyTracks | None = None
    if kind == "c3d":
        c3d = read_c3d(path, meters_per_unit=meters_per_unit, limits=limits)
        bodies, markers = c3d.bodies, c3d.markers
    elif kind == "table":
        table = read_body_csv(
            path, meters_per_unit=meters_per_unit, frame_rate=frame_rate, limits=limits
        )
        bodies, markers = table.bodies, table.markers
    try:
        if kind == "motion":
            motion = read_motion(path, skeleton, frame_rate=frame_rate, limits=limits)
            bodies = bodies_from_motion(motion, meters_per_unit=meters_per_unit)
        if markers is not None and (bodies is None or groups != "auto"):
            bodies = bodies_from_markers(markers, groups, tolerance)
    except EstimationError as error:
        raise InputError(path, str(error)) from None
    if bodies is None:
        raise InputError(path, "has no bodies")
    return bodies


def _kind(path: FilePath) -> str:
    """Table, C3D or motion: by the first bytes, or else by the ending of the name."""
    head = read_head(path, 512)
    ending = Path(os.fspath(path)).suffix.lower()
    if ending == ".c3d" or (len(head) == 512 and head[1] == _C3D_MAGIC and b"\0" in head):
        return "c3d"
    return "table" if ending in _TABLES else "motion"
