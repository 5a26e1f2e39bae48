"""Clips and frames that the user leaves out of an estimate, each recorded as a finding."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..base import EstimationError, Finding, OptionError, frame_ranges, names_words, plural
from ..motion import Motion
from .summary import CharacterSummary

FRAMES_RULE, CLIP_RULE = "ignored-frames", "ignored-clip"
"""Rules of the findings that record what was left out."""
_FRAMES = re.compile(r"(.+):(-?\d+(?:\.\d+)?)(?:-(-?\d+(?:\.\d+)?))?")
_Ranges = Mapping[str, Sequence[tuple[float, float]]]


def excluded_frames(wishes: Iterable[str]) -> tuple[dict[str, list[tuple[float, float]]], set[str]]:
    """Read what is to be left out, as "walk:120-160", "walk:7" or "walk" for a whole clip.

    Returns `ranges`, the first and last frames by clip; and `clips`, the names of whole clips.
    Raises OptionError for frames that end before they begin.
    """
    ranges: dict[str, list[tuple[float, float]]] = {}
    clips = set()
    for wish in wishes:
        found = _FRAMES.fullmatch(wish)
        if found is None:
            clips.add(wish)
            continue
        first = float(found[2])
        last = first if found[3] is None else float(found[3])
        if last < first:
            raise OptionError("exclude", f"must have frames in order, not {wish!r}")
        ranges.setdefault(found[1], []).append((first, last))
    return ranges, clips


def without_ranges(clip: Motion, ranges: _Ranges) -> Motion:
    """Clip without the frames that are to be left out of it."""
    chosen = np.zeros(clip.frame_count, dtype=bool)
    for first, last in ranges.get(clip.name, ()):
        chosen |= (clip.frames >= first) & (clip.frames <= last)
    return without_frames(clip, clip.frames[chosen].tolist())


def without_frames(clip: Motion, frames: Sequence[float]) -> Motion:
    """Clip without some frames, and with a finding about it; EstimationError if none is left."""
    chosen = np.isin(clip.frames, np.asarray(frames, dtype=np.float64))
    if not chosen.any():
        return clip
    if chosen.all():
        raise EstimationError(
            f"every frame of {clip.name} is excluded: exclude the clip, or include frames again"
        )
    text = f"{plural(int(chosen.sum()), 'frame')} excluded by the artist"
    ranges = frame_ranges(clip.frames, chosen)
    record = Finding(FRAMES_RULE, text, None, clip.name, ranges, left_out=True)
    left = clip.take(np.flatnonzero(~chosen))
    return replace(left, findings=(*clip.findings, record))


def excluded_clip(name: str, first: float, last: float) -> Finding:
    """Record of a clip that was left out."""
    return Finding(CLIP_RULE, "excluded by the artist", None, name, ((first, last),), left_out=True)


def without_clips(
    summary: CharacterSummary, wishes: Iterable[str]
) -> tuple[CharacterSummary, list[Finding]]:
    """Summary without whole clips that are to be left out, and their records.

    Raises EstimationError for a clip that there is not, for frames of a clip that come from a
    summary, which cannot be left out any more, and if no clip remains.
    """
    ranges, names = excluded_frames(wishes)
    clips = {clip.clip.name: clip for clip in summary.clips}
    missing = [name for name in (*names, *ranges) if name not in clips]
    if missing:
        some = names_words(list(clips), 8, "clip")
        raise EstimationError(f"no clip {missing[0]!r} to exclude; the clips are {some}")
    for name in ranges:
        if all(item.rule != FRAMES_RULE for item in clips[name].findings):
            raise EstimationError(
                f"no frame of {name} could be excluded: it has no such frames, or is a summary "
                "of which only whole clips can be; give the clip itself"
            )
    records = [clips[name].clip for name in sorted(names)]
    kept = tuple(clip for clip in summary.clips if clip.clip.name not in names)
    if not kept:
        raise EstimationError("every clip is excluded; include one again")
    findings = [excluded_clip(one.name, one.first_frame, one.last_frame) for one in records]
    return replace(summary, clips=kept), findings
