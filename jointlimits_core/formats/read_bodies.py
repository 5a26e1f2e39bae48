"""Reader for loose bodies in one or more files of one performer.

Markers are grouped into bodies; a JSON file may name the groups:
``{"thigh": ["RTHI*"], "upper_arm": {"limb": ["RUPA", "RELB", "RWRA+RWRB"]}}``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..base.errors import EstimationError, InputError, OptionError, text_of
from ..base.progress import Progress
from ..base.text import FreeNames
from ..io import json, progress_line
from ..io.input import DEFAULT_LIMITS, FilePath, ReadLimits
from ..skeleton_fit import marker_bodies, markers, track_conventions
from ..skeleton_fit.tracks import BodyTracks, bodies_from_motion
from . import registry, tokens, tracks_csv
from .text import read_text

ENDING = ".json"
EXAMPLE = '{"thigh": ["RTHI*"], "upper_arm": {"limb": ["RUPA", "RELB", "RWRA"]}}'


def read_marker_groups(
    path: FilePath, limits: ReadLimits = DEFAULT_LIMITS
) -> markers.GroupPatterns:
    """Read the label patterns for each body name, for :func:`.markers.groups_by_name`.

    Raises InputError with line and column if the text is not JSON, or with the body's name if the
    labels of a body are invalid.
    """
    text = read_text(path, limits, InputError)
    words = tokens.decode_text(text.data)
    data = json.parsed_json(words, str(path), InputError, "file of marker groups")
    if not isinstance(data, dict) or not data:
        raise InputError(path, f"has no bodies; expected something like {EXAMPLE}")
    for body, labels in data.items():
        if not _are_labels(labels):
            raise InputError(path, f"labels of body {body!r} are invalid; write {EXAMPLE}")
    return data


def _are_labels(labels: Any) -> bool:
    if isinstance(labels, dict):
        return list(labels) == ["limb"] and _are_labels(labels["limb"])
    return isinstance(labels, list) and bool(labels) and all(isinstance(x, str) for x in labels)


_C3D_MAGIC = 0x50
_NO_TRACKS = (
    "has no readable tracks; expected C3D or CSV files of bodies or markers, or motions (BVH, AMC, "
    "Maya ASCII)"
)


def read_bodies(path: FilePath, **options: Any) -> BodyTracks:
    """Read bodies from one file; the options are those of :func:`read_body_clips`."""
    return read_body_clips([path], **options)[0]


def read_body_clips(
    paths: Sequence[FilePath],
    *,
    groups: marker_bodies.Grouping = "auto",
    tolerance: float = markers.TOLERANCE_M,
    meters_per_unit: float | None = None,
    frame_rate: float | None = None,
    skeleton: registry.SkeletonSource | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
    progress: Progress | None = None,
) -> tuple[BodyTracks, ...]:
    """Read bodies from C3D, CSV, BVH, AMC or Maya ASCII files of one performer.

    Bodies made from markers are consistent across files: each group has the same shape and axes in
    all of them (:func:`.marker_bodies.bodies_from_clips`). Raises InputError with path, line and
    column where known, and what to do, including for markers that form no body and for bodies in
    a different convention. Raises Cancelled if `progress` returned False.

    `paths`: bodies come from the rotation channels or else the grouped markers of a C3D file, from
    the bodies or markers of a CSV file with our header or Motive's, or from the joints of a motion
    file. `groups`: way of grouping markers, see
    :func:`jointlimits_core.skeleton_fit.choose_groups`; unless "auto", bodies are made from markers
    even if a C3D file has bodies. `tolerance`: largest change in a distance within a marker body,
    in metres, either way. `meters_per_unit` overrides the files' units. `frame_rate`: for CSV and
    AMC files that state none. `skeleton`: for AMC files. Returns each file's tracks, in metres.
    """
    found: list[BodyTracks | markers.MarkerTracks] = []
    files = progress_line.FilesProgress(progress, paths)
    for path in paths:
        files.next(path)
        tracks = _read_tracks(path, meters_per_unit, frame_rate, skeleton, limits)
        uses_markers = tracks.markers is not None and (tracks.bodies is None or groups != "auto")
        chosen = tracks.markers if uses_markers else tracks.bodies
        if chosen is None:
            raise InputError(path, "has no bodies")
        other = (
            track_conventions.other_convention(chosen) if isinstance(chosen, BodyTracks) else None
        )
        if other is not None:
            raise InputError(path, other)
        found.append(chosen)
    clips = [(path, one) for path, one in zip(paths, found) if not isinstance(one, BodyTracks)]
    made = iter(_bodies_of_markers(clips, groups, tolerance) if clips else ())
    return tuple(one if isinstance(one, BodyTracks) else next(made) for one in found)


def _bodies_of_markers(
    clips: Sequence[tuple[FilePath, markers.MarkerTracks]],
    groups: marker_bodies.Grouping,
    tolerance: float,
) -> Sequence[BodyTracks]:
    try:
        return marker_bodies.bodies_from_clips([clip for _, clip in clips], groups, tolerance)
    except ValueError as error:
        # Errors in marker names are about a file; other errors in the grouping are the caller's.
        if isinstance(error, EstimationError) or isinstance(groups, Mapping):
            raise InputError(clips[0][0], text_of(error)) from None
        raise


def _read_tracks(
    path: FilePath,
    meters_per_unit: float | None,
    frame_rate: float | None,
    skeleton: registry.SkeletonSource | None,
    limits: ReadLimits,
) -> tracks_csv.FileTracks:
    # C3D files are recognised by their first bytes, other formats by the file extension.
    head = registry.read_head(path, 512)
    found = registry.format_by_ending(path)
    if len(head) == 512 and head[1] == _C3D_MAGIC and b"\0" in head:
        found = registry.motion_formats()["c3d"]
    elif found is None or found.read_tracks is None:
        is_table = Path(os.fspath(path)).suffix.lower() in registry.TRACK_ENDINGS
        found = registry.motion_formats()["csv"] if is_table else None
    if found is not None:
        request = registry.ReadRequest(frame_rate=frame_rate, limits=limits)
        read_tracks: Callable[..., tracks_csv.FileTracks] = found.implementation("read_tracks")
        return read_tracks(path, meters_per_unit, request)
    if registry.motion_format(path) is None:
        raise InputError(path, _NO_TRACKS)
    motion = registry.read_motion(path, skeleton, frame_rate=frame_rate, limits=limits)
    try:
        return tracks_csv.FileTracks(bodies_from_motion(motion, meters_per_unit=meters_per_unit))
    except EstimationError as error:
        raise InputError(path, text_of(error)) from None


def read_clips(
    paths: Sequence[FilePath],
    values: Mapping[str, Any],
    *,
    frame_rate: float | None = None,
    skeleton: registry.SkeletonSource | None = None,
    progress: Progress | None = None,
    limits: ReadLimits = DEFAULT_LIMITS,
) -> list[BodyTracks]:
    """Read tracks of loose bodies from files, with options.

    The tracks are in metres, rotated so that Y is up; clips with the same name are numbered.
    `values`: values of the option group "tracks" by name; other options are ignored. `frame_rate`,
    `skeleton`, `progress`, `limits`: as for :func:`read_body_clips`. Raises InputError as that
    function does, and for an invalid file of marker groups or a file that is given twice, which
    would double its weight. Raises ValueError for an unknown way of grouping markers. Raises
    Cancelled if `progress` returned False.
    """
    found = read_body_clips(
        paths,
        groups=marker_grouping(values["marker_groups"], limits),
        meters_per_unit=tracks_csv.meters_of(values["track_units"] or ""),
        frame_rate=frame_rate,
        skeleton=skeleton,
        progress=progress,
        limits=limits,
    )
    first: dict[str, FilePath] = {}
    for path, clip in zip(paths, found):
        other = path if clip.source is None else first.setdefault(clip.source.sha256, path)
        if other is not path:
            raise InputError(path, f"has the same content as {os.fspath(other)}; give it only once")
    names = FreeNames(pattern="{} ({})")
    clips = track_conventions.turn_upright(found, values["track_up"])
    return [replace(tracks, name=names.reserve(tracks.name)) for tracks in clips]


def marker_grouping(how: str, limits: ReadLimits = DEFAULT_LIMITS) -> marker_bodies.Grouping:
    """Marker grouping for a value of the option "marker_groups".

    Raises InputError for an invalid file of marker groups, ValueError for an unknown grouping.
    """
    if how.lower().endswith(ENDING):
        return read_marker_groups(how, limits)
    if how not in marker_bodies.WAYS:
        ways = ", ".join(marker_bodies.WAYS)
        raise OptionError("marker_groups", f"must be {ways} or a .json file, not {how!r}")
    return how
