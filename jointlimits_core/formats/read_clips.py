"""Reader of several files of the same loose bodies, configured by the option table."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..bodies.marker_bodies import WAYS, Grouping
from ..bodies.tracks import BodyTracks
from ..bodies.way_up import upright
from ..errors import InputError
from ..progress import Progress
from ..unique_names import FreeNames
from .length_units import meters_of
from .marker_groups_file import ENDING, read_marker_groups
from .read import SkeletonSource
from .read_bodies import read_body_clips
from .read_limits import DEFAULT_LIMITS, ReadLimits
from .source import FilePath


def read_clips(
    paths: Sequence[FilePath],
    values: Mapping[str, Any],
    *,
    frame_rate: float | None = None,
    skeleton: SkeletonSource | None = None,
    progress: Progress | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
) -> list[BodyTracks]:
    """Read tracks of loose bodies from files.

    Parameters
    ----------
    paths : sequence of path-like or str
    values : mapping
        Values by name for the option group "tracks"; others are ignored.
    frame_rate, skeleton
        As for :func:`.read_bodies.read_body_clips`.
    progress : callable, optional
        Called as ``progress(done, total, label)`` before each file; False stops.

    Returns
    -------
    list of BodyTracks
        In metres, rotated so that Y is up; clips of the same name are numbered.

    Raises
    ------
    InputError, MissingPackageError
        As :func:`.read_bodies.read_body_clips`; also for an invalid file of marker groups, and for
        a file given twice, which would double its weight.
    ValueError
        For an unknown way of grouping markers.
    Cancelled
        If `progress` returned False.
    """
    found = read_body_clips(
        paths,
        groups=marker_grouping(values["marker_groups"], limits),
        tolerance=0.001 * values["marker_tolerance_mm"],
        meters_per_unit=meters_of(values["track_units"] or ""),
        frame_rate=frame_rate,
        skeleton=skeleton,
        progress=progress,
        limits=limits,
    )
    _refuse_twice(paths, found)
    names = FreeNames(pattern="{} ({})")
    clips = upright(found, values["track_up"])
    return [replace(tracks, name=names.take(tracks.name)) for tracks in clips]


def marker_grouping(how: str, limits: ReadLimits = DEFAULT_LIMITS) -> Grouping:
    """Marker grouping from the value of the option "marker_groups".

    Raises
    ------
    InputError
        For an invalid file of marker groups.
    ValueError
        For an unknown way.
    """
    if how.lower().endswith(ENDING):
        return read_marker_groups(how, limits)
    if how not in WAYS:
        raise ValueError(f"marker_groups must be {', '.join(WAYS)} or a .json file, not {how!r}")
    return how


def _refuse_twice(paths: Sequence[FilePath], clips: Sequence[BodyTracks]) -> None:
    first: dict[str, FilePath] = {}
    for path, clip in zip(paths, clips):
        if clip.source is None:
            continue
        other = first.setdefault(clip.source.sha256, path)
        if other is not path:
            raise InputError(path, f"has the same content as {os.fspath(other)}; pass it only once")
