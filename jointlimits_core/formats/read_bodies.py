"""Reader of loose bodies from any supported file, or from several of one performer."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..bodies.conventions import other_convention
from ..bodies.from_motion import bodies_from_motion
from ..bodies.marker_bodies import Grouping, bodies_from_clips
from ..bodies.marker_groups import TOLERANCE_METERS
from ..bodies.markers import MarkerTracks
from ..bodies.tracks import BodyTracks
from ..errors import EstimationError, InputError
from ..progress import Progress
from .body_csv import read_body_csv
from .c3d import read_c3d
from .files_progress import FilesProgress
from .read import KNOWN_KINDS, SkeletonSource, motion_kind, read_motion
from .read_limits import DEFAULT_LIMITS, ReadLimits
from .source import FilePath
from .text import read_head

_TABLES = frozenset({".csv", ".tsv", ".txt"})
_C3D_MAGIC = 0x50
_NO_TRACKS = (
    "has no readable tracks; expected C3D or CSV files of bodies or markers, or motions (BVH, AMC, "
    "Maya ASCII)"
)


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
    """Read bodies from one file; as :func:`read_body_clips`."""
    return read_body_clips(
        [path],
        groups=groups,
        tolerance=tolerance,
        meters_per_unit=meters_per_unit,
        frame_rate=frame_rate,
        skeleton=skeleton,
        limits=limits,
    )[0]


def read_body_clips(
    paths: Sequence[FilePath],
    *,
    groups: Grouping = "auto",
    tolerance: float = TOLERANCE_METERS,
    meters_per_unit: float | None = None,
    frame_rate: float | None = None,
    skeleton: SkeletonSource | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
    progress: Progress | None = None,
) -> tuple[BodyTracks, ...]:
    """Read bodies from C3D, CSV, BVH, AMC or Maya ASCII files of one performer.

    Bodies made of markers are consistent across files: one group, one shape, one set of axes
    (:func:`.marker_bodies.bodies_from_clips`).

    Parameters
    ----------
    paths : sequence of path-like or str
        C3D: rotation channels, else grouped markers. CSV: our own header or Motive's. Motion
        files: each joint as a body.
    groups : str, mapping or sequence of MarkerGroup
        How markers are grouped, see :func:`jointlimits_core.bodies.marker_bodies.choose_groups`.
        Anything but "auto" builds bodies from markers even if a C3D file has bodies.
    tolerance : float
        Largest change of a distance within a body of markers, metres to either side.
    meters_per_unit : float, optional
        Overrides the files' units.
    frame_rate : float, optional
        For CSV and AMC files that do not state it.
    skeleton : Skeleton, path-like or str, optional
        Skeleton of AMC files.
    progress : callable, optional
        Called as ``progress(done, total, label)`` before each file; False stops.

    Returns
    -------
    tuple of BodyTracks
        One per file, in metres.

    Raises
    ------
    InputError
        With path, line and column where known, and what to do; also for markers that form no body,
        and for bodies in another convention.
    MissingPackageError
        For C3D files if ezc3d is not installed.
    Cancelled
        If `progress` returned False.
    """
    found: list[BodyTracks | MarkerTracks] = []
    files = FilesProgress(progress, paths)
    for path in paths:
        files.next(path)
        bodies, markers = _read(path, meters_per_unit, frame_rate, skeleton, limits)
        chosen = markers if markers is not None and (bodies is None or groups != "auto") else bodies
        if chosen is None:
            raise InputError(path, "has no bodies")
        if isinstance(chosen, BodyTracks):
            _refuse_other_convention(path, chosen)
        found.append(chosen)
    marked = [number for number, one in enumerate(found) if isinstance(one, MarkerTracks)]
    clips = [one for one in found if isinstance(one, MarkerTracks)]
    made = _made([paths[number] for number in marked], clips, groups, tolerance)
    of_markers = dict(zip(marked, made))
    return tuple(
        one if isinstance(one, BodyTracks) else of_markers[number]
        for number, one in enumerate(found)
    )


def _refuse_other_convention(path: FilePath, bodies: BodyTracks) -> None:
    found = other_convention(bodies)
    if found is not None:
        raise InputError(path, found.sentence())


def _made(
    paths: Sequence[FilePath], clips: Sequence[MarkerTracks], groups: Grouping, tolerance: float
) -> tuple[BodyTracks, ...]:
    """Bodies built from the markers of some files."""
    if not clips:
        return ()
    try:
        return bodies_from_clips(clips, groups, tolerance)
    except EstimationError as error:
        raise InputError(paths[0], str(error)) from None
    except ValueError as error:
        # Errors in marker names belong to a file, errors in the grouping to the caller.
        if isinstance(groups, Mapping):
            raise InputError(paths[0], str(error)) from None
        raise


def _read(
    path: FilePath,
    meters_per_unit: float | None,
    frame_rate: float | None,
    skeleton: SkeletonSource | None,
    limits: ReadLimits,
) -> tuple[BodyTracks | None, MarkerTracks | None]:
    """Bodies and markers of one file."""
    kind = _kind(path)
    if kind == "c3d":
        c3d = read_c3d(path, meters_per_unit=meters_per_unit, limits=limits)
        return c3d.bodies, c3d.markers
    if kind == "table":
        table = read_body_csv(
            path, meters_per_unit=meters_per_unit, frame_rate=frame_rate, limits=limits
        )
        return table.bodies, table.markers
    if motion_kind(path) not in KNOWN_KINDS:
        raise InputError(path, _NO_TRACKS)
    motion = read_motion(path, skeleton, frame_rate=frame_rate, limits=limits)
    try:
        return bodies_from_motion(motion, meters_per_unit=meters_per_unit), None
    except EstimationError as error:
        raise InputError(path, str(error)) from None


def _kind(path: FilePath) -> str:
    """Table, C3D or motion: by the first bytes, else by the file extension."""
    head = read_head(path, 512)
    ending = Path(os.fspath(path)).suffix.lower()
    if ending == ".c3d" or (len(head) == 512 and head[1] == _C3D_MAGIC and b"\0" in head):
        return "c3d"
    return "table" if ending in _TABLES else "motion"
