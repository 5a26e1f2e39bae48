"""Checks of tracks: errors for unusable ones, findings for suspicious ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arrays import Booleans, Floats
from ..errors import EstimationError
from ..findings import Finding, frame_ranges
from .tracks import BodyTracks

MIXED_UNITS = 50.0
"""Ratio of distances above which a body's unit differs: metres among millimetres give 1000, inches
39."""
LARGEST_M, SMALLEST_M = 50.0, 1e-3
"""Distances between neighbouring bodies outside which the unit is doubtful."""
STILL_RAD, STILL_M = float(np.radians(0.05)), 1e-4


def require_usable(tracks: BodyTracks, used: Booleans, minimum_frames: int) -> None:
    """Raise for tracks in which no joint can be found.

    Parameters
    ----------
    used : array of bool, shape (bodies, frames)
        Frames that count.

    Raises
    ------
    EstimationError
        For a single body, too few frames, or bodies in different units.
    """
    if len(tracks) < 2:
        raise EstimationError(
            f"{tracks.name!r} has one body, {tracks.names[0]!r}; a joint needs two"
        )
    most = int(used.sum(axis=1).max())
    if most < minimum_frames:
        raise EstimationError(
            f"{tracks.name!r} has {most} usable frames; at least {minimum_frames} "
            "are needed to find a joint"
        )
    distance = _typical_distances(tracks, used)
    usual = float(np.nanmedian(distance))
    far = int(np.nanargmax(distance))
    if len(tracks) > 2 and usual > 0.0 and distance[far] > MIXED_UNITS * usual:
        raise EstimationError(
            f"body {tracks.names[far]!r} of {tracks.name!r} is {distance[far]:.3g} m from the "
            f"others, which are within {usual:.3g} m: are its positions in another unit?"
        )


def require_one_unit(clips: Sequence[BodyTracks]) -> None:
    """Raise for clips that cannot all be in metres.

    Parameters
    ----------
    clips : sequence of BodyTracks
        Of the same bodies.

    Raises
    ------
    EstimationError
        Naming the clip whose bodies are far further apart than those of the smallest.
    """
    sizes = [float(np.nanmedian(_typical_distances(clip, clip.present))) for clip in clips]
    widest, nearest = int(np.argmax(sizes)), int(np.argmin(sizes))
    if sizes[widest] > MIXED_UNITS * sizes[nearest]:
        times = sizes[widest] / max(sizes[nearest], 1e-9)
        raise EstimationError(
            f"bodies of {clips[widest].name!r} are {times:.0f} times as far from each other as "
            f"those of {clips[nearest].name!r}: are the two clips in different units?"
        )


def odd_tracks(tracks: BodyTracks) -> list[Finding]:
    """Report anything suspicious in the tracks of a clip.

    Returns
    -------
    list of Finding
        Gaps, doubtful units, bodies never seen or never moving.
    """
    return [*_gaps(tracks), *_units(tracks), *_still(tracks)]


def _gaps(tracks: BodyTracks) -> list[Finding]:
    """Frames without any body, reported once, then the gaps of each body."""
    nothing: Booleans = np.asarray(~tracks.present.any(axis=0))
    found = []
    if nothing.any():
        text = f"no body was seen in {_many(nothing)}: the motion is interpolated over these"
        ranges = frame_ranges(tracks.frames, nothing)
        found.append(Finding("missing-frames", text, None, tracks.name, ranges, left_out=True))
    for name, seen in zip(tracks.names, tracks.present):
        missing: Booleans = ~(seen | nothing)
        # A body that was never seen is reported by another rule.
        if seen.any() and missing.any():
            text = f"{name} was not seen in {_many(missing)}"
            ranges = frame_ranges(tracks.frames, missing)
            found.append(Finding("gaps", text, name, tracks.name, ranges, left_out=True))
    return found


def _many(chosen: Booleans) -> str:
    return f"{int(chosen.sum())} of {len(chosen)} frames ({100.0 * float(chosen.mean()):.1f} %)"


def _typical_distances(tracks: BodyTracks, used: Booleans) -> Floats:
    """Median distance of each body from the centre of all, metres; NaN for one never seen."""
    places = np.where(used[..., None], tracks.positions, np.nan)
    some = places[:, :: max(1, tracks.frame_count // 200)]
    finite: Booleans = np.isfinite(some[..., 0])
    seen: Booleans = np.asarray(finite.any(axis=1))
    typical = np.full(len(places), np.nan)
    if not seen.any():
        return typical
    # Frames in which no body was seen have no centre, and need none.
    some = some[:, finite.any(axis=0)]
    away = np.linalg.norm(some - np.nanmedian(some, axis=0), axis=2)
    typical[seen] = np.nanmedian(away[seen], axis=1)
    return typical


def _units(tracks: BodyTracks) -> list[Finding]:
    distance = _typical_distances(tracks, tracks.present)
    usual = float(np.nanmedian(distance)) if np.isfinite(distance).any() else SMALLEST_M
    if SMALLEST_M <= usual <= LARGEST_M:
        return []
    text = f"bodies are {usual:.3g} m apart; if that is wrong, so is the unit of the positions"
    return [Finding("units", text, None, tracks.name)]


def _still(tracks: BodyTracks) -> list[Finding]:
    found = []
    for body, name in enumerate(tracks.names):
        seen = np.flatnonzero(tracks.present[body])
        if seen.size == 0:
            found.append(Finding("never-seen", f"{name} was never seen", name, tracks.name))
            continue
        turns, places = tracks.rotations[body][:, seen], tracks.positions[body][seen]
        # Cosine of half the angle, for small angles 1 minus an eighth of its square.
        still = float(np.abs(turns[:, 0] @ turns).min()) > 1.0 - STILL_RAD**2 / 8.0
        if still and float(np.abs(places - places[0]).max()) < STILL_M:
            found.append(Finding("never-moves", f"{name} never moves", name, tracks.name))
    return found
