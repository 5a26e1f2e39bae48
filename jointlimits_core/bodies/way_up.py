"""Up axis of tracks, Y as in most scenes or Z as in laboratories, and conversion to Y up.

BVH files and Maya scenes have Y up, and a walker should be upright in them. Joints are in the
bodies' own coordinates, so the up axis changes no joint and no limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..arrays import Floats
from ..findings import Finding
from ..rotation import multiply
from .tracks import BodyTracks

AUTO = "auto"
WAYS_UP = ("y", "z")
CLEARLY = 1.25
"""Ratio of height to depth above which a figure counts as upright."""
_HALF = float(np.sqrt(0.5))
Y_FROM_Z = np.array([-_HALF, 0.0, 0.0, _HALF])
"""A quarter turn about X, which takes Z to Y."""


def way_up(clips: Sequence[BodyTracks]) -> str:
    """Up axis: as the clips state it, or else a guess.

    Parameters
    ----------
    clips : sequence of BodyTracks
        Clips in one world.

    Returns
    -------
    {"y", "z"}
    """
    stated = [clip.up for clip in clips if clip.up is not None]
    return stated[0] if stated else _guessed(clips)


def upright(clips: Sequence[BodyTracks], up: str = AUTO) -> tuple[BodyTracks, ...]:
    """Tracks of one performer converted to Y up.

    Parameters
    ----------
    up : {"auto", "y", "z"}
        Up axis of the tracks. By default as each file states it; clips that do not are assumed
        to be alike, and it is guessed.

    Returns
    -------
    tuple of BodyTracks
        With ``up`` "y"; a finding reports each conversion.

    Raises
    ------
    ValueError
        For any other value.
    """
    if up not in (AUTO, *WAYS_UP):
        raise ValueError(f"the up axis must be {AUTO}, {' or '.join(WAYS_UP)}, not {up!r}")
    if up != AUTO:
        return tuple(with_y_up(clip, up) for clip in clips)
    silent = [clip for clip in clips if clip.up is None]
    guess, doubt = _guessed(silent), _doubt(silent)
    return tuple(_told(clip, guess, doubt) for clip in clips)


def with_y_up(tracks: BodyTracks, up: str) -> BodyTracks:
    """The same tracks in a world with Y up.

    Parameters
    ----------
    up : {"y", "z"}
        Up axis of the tracks.
    """
    if up == "y":
        return replace(tracks, up="y")
    turns = multiply(Y_FROM_Z, np.moveaxis(tracks.rotations, 1, 2))
    return replace(
        tracks,
        positions=points_with_y_up(tracks.positions, up),
        rotations=np.ascontiguousarray(np.moveaxis(turns, 2, 1)),
        up="y",
    )


def points_with_y_up(points: Floats, up: str) -> Floats:
    """Points converted to Y up.

    Parameters
    ----------
    points : array, shape (..., 3)
    up : {"y", "z"}
        Their up axis now.

    Returns
    -------
    array, shape (..., 3)
    """
    if up == "y":
        return points
    return np.stack([points[..., 0], points[..., 2], -points[..., 1]], axis=-1)


def _told(clip: BodyTracks, guess: str, doubt: str | None) -> BodyTracks:
    """A clip converted if need be, with a finding that reports it or the doubt."""
    up = clip.up or guess
    if clip.up is None and doubt is not None:
        message = (
            f"the up axis is not stated, and {doubt}; {guess.upper()} is assumed; if that is "
            f"wrong, set --up {'y' if guess == 'z' else 'z'} (option track_up)"
        )
        finding = Finding("way-up-unknown", message, clip=clip.name)
        return replace(with_y_up(clip, up), findings=(*clip.findings, finding))
    if up == "y":
        return with_y_up(clip, up)
    if clip.up is None:
        message = (
            "the up axis is not stated; it appears to be Z, so the tracks were turned to Y up; "
            "if that is wrong, set --up y (option track_up)"
        )
    else:
        message = "Z is up in the file; the tracks were turned to Y up, as in Maya and BVH files"
    finding = Finding("turned-upright", message, clip=clip.name)
    return replace(with_y_up(clip, up), findings=(*clip.findings, finding))


def _guessed(clips: Sequence[BodyTracks]) -> str:
    """Up axis of clips that do not state it, judged together as one room; Y if in doubt."""
    if not clips:
        return "y"
    return _looks(np.mean([_sizes(clip) for clip in clips], axis=0)) or "y"


def _doubt(clips: Sequence[BodyTracks]) -> str | None:
    """Reason to doubt the guess; None if there is none."""
    found = {clip.name: _looks(_sizes(clip)) for clip in clips}
    ways = set(found.values())
    if ways >= {"y", "z"}:
        upright = ", ".join(name for name, way in found.items() if way == "z")
        return f"the clips disagree (Z seems to be up in {upright}, and not in the others)"
    if ways == {None}:
        return "the bodies do not show it"
    return None


def _looks(sizes: Floats) -> str | None:
    """Up axis by the sizes: what stands and walks is tall, and travels along the floor.

    Z if bodies extend clearly further along it than along Y, and still further once travel is
    subtracted; Y if they extend clearly further along Y, or travel rules out Z; None if they
    extend about equally far.
    """
    (reach_y, reach_z), (travel_y, travel_z) = sizes
    if reach_z > CLEARLY * reach_y:
        return "z" if reach_z - travel_z > reach_y - travel_y else "y"
    return "y" if reach_y > CLEARLY * reach_z else None


def _sizes(tracks: BodyTracks) -> Floats:
    """Extent of the bodies along Y and Z, and their common travel along them, metres.

    Parameters
    ----------
    tracks : BodyTracks
        Bodies may be missing in any frame, or in all.

    Returns
    -------
    array, shape (2, 2)
        Reach and travel; zeros for a clip in which no two bodies are seen at once.
    """
    bodies = int(np.count_nonzero(tracks.present.any(axis=1)))
    often = tracks.present.sum(axis=0) >= max(2, (bodies + 1) // 2)
    seen = tracks.present[:, often].any(axis=1)
    if not seen.any():
        return np.zeros((2, 2))
    there = tracks.present[np.ix_(seen, often)][..., None]
    places = np.where(there, tracks.positions[np.ix_(seen, often)][..., 1:], np.nan)
    reach = np.mean(np.nanmax(places, axis=0) - np.nanmin(places, axis=0), axis=0)
    # About its own mean, so that a body that goes missing does not move the middle of all.
    middle = np.nanmean(places - np.nanmean(places, axis=1, keepdims=True), axis=0)
    return np.stack([reach, np.ptp(middle, axis=0)])
