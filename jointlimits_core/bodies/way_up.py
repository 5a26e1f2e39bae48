"""Which way is up in tracks: Y, as in most scenes, or Z, as in laboratories; and Y up for all.

BVH files and Maya's scenes have Y up, and what walks should walk upright in them. Joints are in the
bodies' own frames: where up is changes no joint, and no limit.
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
"""How many times taller than deep something must be to be taken for upright."""
_HALF = float(np.sqrt(0.5))
Y_FROM_Z = np.array([-_HALF, 0.0, 0.0, _HALF])
"""A quarter turn about X, which takes Z to Y."""


def way_up(clips: Sequence[BodyTracks]) -> str:
    """Which axis is up: as the clips say, or else by a guess.

    Parameters
    ----------
    clips : sequence of BodyTracks
        In one world.

    Returns
    -------
    {"y", "z"}
    """
    said = [clip.up for clip in clips if clip.up is not None]
    return said[0] if said else _guessed(clips)


def upright(clips: Sequence[BodyTracks], up: str = AUTO) -> tuple[BodyTracks, ...]:
    """Tracks of one performer turned so that Y is up.

    Parameters
    ----------
    up : {"auto", "y", "z"}
        Which axis is up in them. By default what each file says; those that do not are taken to be
        alike, and it is guessed.

    Returns
    -------
    tuple of BodyTracks
        With ``up`` "y"; a finding says where they were turned.

    Raises
    ------
    ValueError
        For another word.
    """
    if up not in (AUTO, *WAYS_UP):
        raise ValueError(f"the way up must be {AUTO}, {' or '.join(WAYS_UP)}, not {up!r}")
    if up != AUTO:
        return tuple(with_y_up(clip, up) for clip in clips)
    silent = [clip for clip in clips if clip.up is None]
    guess, doubt = _guessed(silent), _doubt(silent)
    return tuple(_told(clip, guess, doubt) for clip in clips)


def with_y_up(tracks: BodyTracks, up: str) -> BodyTracks:
    """The same tracks in a world whose Y is up.

    Parameters
    ----------
    up : {"y", "z"}
        What is up in them.
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
    """Points turned so that their way up is Y.

    Parameters
    ----------
    points : array, shape (..., 3)
    up : {"y", "z"}
        What it is as they are.

    Returns
    -------
    array, shape (..., 3)
    """
    if up == "y":
        return points
    return np.stack([points[..., 0], points[..., 2], -points[..., 1]], axis=-1)


def _told(clip: BodyTracks, guess: str, doubt: str | None) -> BodyTracks:
    """A clip turned, if need be, with a finding that says so, or that it is not known."""
    up = clip.up or guess
    if clip.up is None and doubt is not None:
        message = (
            f"does not say which way is up, and {doubt}; {guess.upper()} was taken; if that is "
            f"wrong, say so with --up {'y' if guess == 'z' else 'z'} (the option track_up)"
        )
        finding = Finding("way-up-unknown", message, clip=clip.name)
        return replace(with_y_up(clip, up), findings=(*clip.findings, finding))
    if up == "y":
        return with_y_up(clip, up)
    if clip.up is None:
        message = (
            "does not say which way is up; by the looks of it Z is, and it was turned so that Y "
            "is; if that is wrong, say so with --up y (the option track_up)"
        )
    else:
        message = "Z is up in the file; it was turned so that Y is, as in Maya and in BVH files"
    finding = Finding("turned-upright", message, clip=clip.name)
    return replace(with_y_up(clip, up), findings=(*clip.findings, finding))


def _guessed(clips: Sequence[BodyTracks]) -> str:
    """Way up of clips that do not say, all together, as they are of one room; Y if in doubt."""
    if not clips:
        return "y"
    return _looks(np.mean([_sizes(clip) for clip in clips], axis=0)) or "y"


def _doubt(clips: Sequence[BodyTracks]) -> str | None:
    """Why the guess for clips may be wrong; None if nothing speaks against it."""
    found = {clip.name: _looks(_sizes(clip)) for clip in clips}
    ways = set(found.values())
    if ways >= {"y", "z"}:
        upright = ", ".join(name for name, way in found.items() if way == "z")
        return f"the clips disagree (Z seems to be up in {upright}, and not in the others)"
    if ways == {None}:
        return "the bodies do not show it"
    return None


def _looks(sizes: Floats) -> str | None:
    """What stands and walks is tall, and travels along the floor.

    Z if bodies reach clearly further along it than along Y, and still further once it is taken
    off how far they travel; Y if they reach clearly further along that, or Z is ruled out by
    travel; None where they reach about equally far.
    """
    (reach_y, reach_z), (travel_y, travel_z) = sizes
    if reach_z > CLEARLY * reach_y:
        return "z" if reach_z - travel_z > reach_y - travel_y else "y"
    return "y" if reach_y > CLEARLY * reach_z else None


def _sizes(tracks: BodyTracks) -> Floats:
    """How far bodies are apart along Y and Z, and how far they go along them together, metres.

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
