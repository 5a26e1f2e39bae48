"""Clips of the same bodies or markers: joining end to end, splitting again, and checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np

from ..base.errors import EstimationError
from ..base.findings import Finding
from ..geometry.arrays import Booleans, Floats, frame_ranges
from . import markers, result
from .tracks import BodyTracks

MAX_UNIT_RATIO = 50.0
"""Largest ratio of distances in the same unit; metres and millimetres give 1000, inches 39."""
MAX_DISTANCE_M, MIN_DISTANCE_M = 50.0, 1e-3
"""Range of plausible distances between neighbouring bodies, metres."""
STILL_RAD, STILL_M = float(np.radians(0.05)), 1e-4


def require_usable(tracks: BodyTracks, used: Booleans) -> None:
    """Raise EstimationError for a single body, too few frames, or bodies in different units.

    `used`, shape (bodies, frames): frames to be fitted.
    """
    if len(tracks) < 2:
        raise EstimationError(
            f"{tracks.name!r} has one body, {tracks.names[0]!r}; a joint needs two"
        )
    most = int(used.sum(axis=1).max())
    if most < result.MIN_FRAMES:
        raise EstimationError(
            f"{tracks.name!r} has {most} usable frames; at least {result.MIN_FRAMES} "
            "are needed to find a joint"
        )
    distance = _typical_distances(tracks, used)
    usual = float(np.nanmedian(distance))
    far = int(np.nanargmax(distance))
    if len(tracks) > 2 and usual > 0.0 and distance[far] > MAX_UNIT_RATIO * usual:
        raise EstimationError(
            f"body {tracks.names[far]!r} of {tracks.name!r} is {distance[far]:.3g} m from the "
            f"centre, others {usual:.3g} m: are its positions in a different unit?"
        )


def track_findings(tracks: BodyTracks) -> list[Finding]:
    """Findings about gaps, implausible units, and bodies that are never seen or never move."""
    found: list[Finding] = []
    # Frames without any body are reported once rather than for each body.
    nothing: Booleans = np.asarray(~tracks.present.any(axis=0))
    gaps = [~(seen | nothing) & seen.any() for seen in tracks.present]
    for who, out in zip((None, *tracks.names), (nothing, *gaps)):
        if out.any():
            share = f"{int(out.sum())} of {len(out)} frames ({100.0 * float(out.mean()):.1f} %)"
            rule, text = "gaps", f"{who} was not seen in {share}"
            if who is None:
                rule = "missing-frames"
                text = f"no body was seen in {share}: the motion is interpolated there"
            ranges = frame_ranges(tracks.frames, out)
            found.append(Finding(rule, text, who, tracks.name, ranges, left_out=True))
    distance = _typical_distances(tracks, tracks.present)
    usual = float(np.nanmedian(distance)) if np.isfinite(distance).any() else MIN_DISTANCE_M
    if not MIN_DISTANCE_M <= usual <= MAX_DISTANCE_M:
        text = f"bodies are {usual:.3g} m apart; if that is wrong, check the unit of the positions"
        found.append(Finding("units", text, None, tracks.name))
    for body, name in enumerate(tracks.names):
        frames = np.flatnonzero(tracks.present[body])
        if frames.size == 0:
            found.append(Finding("never-seen", f"{name} was never seen", name, tracks.name))
            continue
        turns, places = tracks.rotations[body][:, frames], tracks.positions[body][frames]
        # The cosine of half a small angle is 1 minus an eighth of its square.
        still = float(np.abs(turns[:, 0] @ turns).min()) > 1.0 - STILL_RAD**2 / 8.0
        if still and float(np.abs(places - places[0]).max()) < STILL_M:
            found.append(Finding("never-moves", f"{name} never moves", name, tracks.name))
    return found


def _typical_distances(tracks: BodyTracks, used: Booleans) -> Floats:
    """Median distance of each body from the centre of all bodies, metres; NaN if never seen."""
    few = slice(None, None, max(1, tracks.frame_count // 200))
    some = np.where(used[:, few, None], tracks.positions[:, few], np.nan)
    finite: Booleans = np.isfinite(some[..., 0])
    seen: Booleans = np.asarray(finite.any(axis=1))
    typical = np.full(len(some), np.nan)
    if not seen.any():
        return typical
    some = some[:, finite.any(axis=0)]
    away = np.linalg.norm(some - np.nanmedian(some, axis=0), axis=2)
    typical[seen] = np.nanmedian(away[seen], axis=1)
    return typical


def same_bodies(clips: Sequence[BodyTracks]) -> tuple[BodyTracks, ...]:
    """Clips reduced to their common bodies, with findings about the dropped bodies.

    Raises ValueError if there is no clip; EstimationError for fewer than two common bodies, or
    clips in different units.
    """
    if not clips:
        raise ValueError("to fit a skeleton, at least one clip must be given")
    if len(clips) == 1:
        return tuple(clips)
    seen = [
        {name for name, there in zip(clip.names, clip.present) if there.any()} for clip in clips
    ]
    shared = [name for name in clips[0].names if all(name in names for names in seen)]
    if len(shared) < 2:
        common = f"one body in common, {shared[0]!r}" if shared else "no bodies in common"
        raise EstimationError(
            f"{', '.join(clip.name for clip in clips)} have {common}; pooled clips must share at "
            "least two body names"
        )
    same = []
    for clip in clips:
        findings = list(clip.findings)
        for name in clip.names:
            if name not in shared:
                text = f"{name} was not seen in all clips"
                findings.append(Finding("not-in-all-clips", text, name, clip.name, left_out=True))
        same.append(replace(clip.choose_bodies(shared), findings=tuple(findings)))
    sizes = [float(np.nanmedian(_typical_distances(clip, clip.present))) for clip in same]
    widest, nearest = int(np.argmax(sizes)), int(np.argmin(sizes))
    if sizes[widest] > MAX_UNIT_RATIO * sizes[nearest]:
        times = sizes[widest] / max(sizes[nearest], 1e-9)
        raise EstimationError(
            f"bodies of {same[widest].name!r} are {times:.0f} times as far apart as "
            f"those of {same[nearest].name!r}: are the two clips in different units?"
        )
    return tuple(same)


def end_to_end(clips: Sequence[BodyTracks]) -> BodyTracks:
    """Clips of the same bodies joined into one; frames are counted from 0, findings dropped."""
    if len(clips) == 1:
        return clips[0]
    return BodyTracks(
        clips[0].names,
        np.concatenate([clip.positions for clip in clips], axis=1),
        np.concatenate([clip.rotations for clip in clips], axis=2),
        clips[0].frame_rate,
        np.concatenate([clip.present for clip in clips], axis=1),
        name=", ".join(clip.name for clip in clips),
    )


def markers_end_to_end(clips: Sequence[markers.MarkerTracks]) -> markers.MarkerTracks:
    """Clips joined into one with the markers of all; frames count from 0, findings are dropped."""
    if len(clips) == 1:
        return clips[0]
    names = tuple(dict.fromkeys(name for clip in clips for name in clip.names))
    rows = {name: row for row, name in enumerate(names)}
    total = sum(clip.frame_count for clip in clips)
    positions = np.full((len(names), total, 3), np.nan)
    present: Booleans = np.zeros((len(names), total), dtype=bool)
    for clip, part in zip(clips, frames_of(clips)):
        chosen = [rows[name] for name in clip.names]
        positions[chosen, part] = clip.positions
        present[chosen, part] = clip.present
    name = ", ".join(clip.name for clip in clips)
    frames = np.arange(float(total))
    return markers.MarkerTracks(names, positions, present, frames, clips[0].frame_rate, name)


def frames_of(clips: Sequence[BodyTracks] | Sequence[markers.MarkerTracks]) -> list[slice]:
    """Slice of each clip's frames within the frames of all clips, end to end."""
    stops = list(accumulate(clip.frame_count for clip in clips))
    return [slice(start, stop) for start, stop in zip([0, *stops], stops)]
