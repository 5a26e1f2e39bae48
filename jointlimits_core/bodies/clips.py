"""Joining of several clips of the same bodies or markers end to end, and splitting them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np

from ..arrays import Booleans
from ..errors import EstimationError
from ..findings import Finding
from .markers import MarkerTracks
from .track_checks import require_one_unit
from .tracks import BodyTracks


def same_bodies(clips: Sequence[BodyTracks]) -> tuple[BodyTracks, ...]:
    """Clips reduced to the bodies that all of them have, in the order of the first.

    Returns
    -------
    tuple of BodyTracks
        With a note for each body that was left out.

    Raises
    ------
    ValueError
        If there is no clip.
    EstimationError
        If fewer than two bodies were seen in all clips, or the clips' units differ.
    """
    if not clips:
        raise ValueError("at least one clip must be given to fit a skeleton to")
    if len(clips) == 1:
        return tuple(clips)
    seen = [_seen(clip) for clip in clips]
    shared = [name for name in clips[0].names if all(name in names for names in seen)]
    if len(shared) < 2:
        common = f"one body in common, {shared[0]!r}" if shared else "no bodies in common"
        raise EstimationError(
            f"{', '.join(clip.name for clip in clips)} have {common}; clips that are pooled must "
            "have at least two bodies of the same names"
        )
    same = tuple(_only_shared(clip, shared) for clip in clips)
    require_one_unit(same)
    return same


def _seen(clip: BodyTracks) -> set[str]:
    return {name for name, seen in zip(clip.names, clip.present) if seen.any()}


def _only_shared(clip: BodyTracks, shared: Sequence[str]) -> BodyTracks:
    left_out = tuple(
        Finding(
            "not-in-all-clips", f"{name} was not seen in all clips", name, clip.name, left_out=True
        )
        for name in clip.names
        if name not in shared
    )
    return replace(clip.only(shared), findings=clip.findings + left_out)


def end_to_end(clips: Sequence[BodyTracks]) -> BodyTracks:
    """All frames of all clips in one; findings stay with the clips.

    Parameters
    ----------
    clips : sequence of BodyTracks
        Clips of the same bodies in the same order.

    Returns
    -------
    BodyTracks
        With the first clip's frame rate, and frames numbered from 0.
    """
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


def markers_end_to_end(clips: Sequence[MarkerTracks]) -> MarkerTracks:
    """All frames of all clips in one, with every marker that any of them has.

    Returns
    -------
    MarkerTracks
        With the first clip's frame rate, and frames numbered from 0; without findings.
    """
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
    return MarkerTracks(names, positions, present, frames, clips[0].frame_rate, name)


def frames_of(clips: Sequence[BodyTracks] | Sequence[MarkerTracks]) -> list[slice]:
    """Position of each clip's frames among the frames of all clips, end to end."""
    stops = list(accumulate(clip.frame_count for clip in clips))
    return [slice(start, stop) for start, stop in zip([0, *stops], stops)]
