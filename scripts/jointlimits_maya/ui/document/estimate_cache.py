"""Repeated estimates that summarize only the clips that changed."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

from jointlimits_core.base.errors import EstimationError
from jointlimits_core.base.progress import Progress, report_progress
from jointlimits_core.estimation import pipeline
from jointlimits_core.estimation.options import (
    CLIP_RULE,
    FRAMES_RULE,
    EstimateOptions,
    excluded_clip,
    without_frames,
)
from jointlimits_core.estimation.summary import CharacterSummary, merged
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.motion.motion import Motion

from .state import Exclusions

MOST_KEPT = 256
"""Maximum number of cached summaries; one of a clip of 200 joints takes about two megabytes."""

_Key = tuple[Motion, "tuple[float, ...]", "tuple[str, ...]", "str | int"]


class Summaries:
    """Cache of clip summaries, by options and excluded frames, for several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[_Key, CharacterSummary] = {}
        self.prefetched: tuple[object, LimitSet] | None = None
        """The latest request and its limits, until they are shown."""

    def of(self, clip: Motion, options: EstimateOptions, excluded: Exclusions) -> CharacterSummary:
        """Summary of one clip without its excluded frames; EstimationError if none is left."""
        frames = excluded.frames_of(clip.name)
        key = (clip, frames, options.leave_out, options.samples)
        with self._lock:
            found = self._kept.pop(key, None)
        if found is None:
            found = pipeline.summarize([without_frames(clip, frames)], options)
        with self._lock:
            self._kept[key] = found  # most recent at the end
            while len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]
        return found

    def forget_all_but(self, clips: Sequence[Motion]) -> None:
        """Drop the summaries of clips that are no longer open, and the prefetched limits."""
        self.prefetched = None
        with self._lock:
            self._kept = {key: found for key, found in self._kept.items() if key[0] in clips}


def refitted(
    clips: Sequence[Motion],
    options: EstimateOptions,
    excluded: Exclusions,
    summaries: Summaries,
    progress: Progress | None = None,
) -> LimitSet:
    """Limits without edits, equal to an estimate of the clips without the exclusions.

    Adds to `summaries`. Raises EstimationError if nothing is left or the clips are not of one
    character, and Cancelled if `progress` returned False.
    """
    asked, known = (tuple(clips), options, excluded), summaries.prefetched
    if known is not None and known[0] == asked:
        return known[1]
    kept = [clip for clip in clips if clip.name not in excluded.clips]
    if not kept:
        if clips:
            raise EstimationError("every clip is excluded; include one again")
        raise EstimationError("no motion is open: open one, or estimate from the scene")
    if options.frame == "advised" or options.mode == "paper":
        # These need every frame, not only the stored poses.
        found = pipeline.estimate_pooled(included(clips, excluded), options, progress)[0]
    else:
        found = _from_summaries(kept, options, excluded, summaries, progress)
    left_out = [
        excluded_clip(clip.name, float(clip.frames[0]), float(clip.frames[-1]))
        for clip in clips
        if clip.name in excluded.clips
    ]
    found = replace(found, findings=(*found.findings, *left_out))
    summaries.prefetched = (asked, found)
    return found


def _from_summaries(
    clips: Sequence[Motion],
    options: EstimateOptions,
    excluded: Exclusions,
    summaries: Summaries,
    progress: Progress | None,
) -> LimitSet:
    parts = []
    for number, clip in enumerate(clips):
        report_progress(progress, number, len(clips) + 1, f"looking at {clip.name}")
        parts.append(summaries.of(clip, options, excluded))
    report_progress(progress, len(clips), len(clips) + 1, "deciding types and limits")
    summary = merged(parts)
    found = pipeline.estimate_from_summary(
        summary, options, pipeline.rest_of_frame(clips, options, summary.skeleton)
    )
    report_progress(progress, len(clips) + 1, len(clips) + 1, "done")
    return found


def included(clips: Sequence[Motion], excluded: Exclusions) -> list[Motion]:
    """Clips without the excluded ones, and without their excluded frames."""
    kept = [clip for clip in clips if clip.name not in excluded.clips]
    return [without_frames(clip, excluded.frames_of(clip.name)) for clip in kept]


def exclusions_in(limit_set: LimitSet, clips: Sequence[Motion]) -> Exclusions:
    """Exclusions recorded in a limit set, for the clips that are open."""
    open_clips = {clip.name: clip for clip in clips}
    names, frames = set(), set()
    for finding in limit_set.findings:
        clip = open_clips.get(finding.clip or "")
        if clip is None:
            continue
        if finding.rule == CLIP_RULE:
            names.add(clip.name)
        elif finding.rule == FRAMES_RULE:
            for first, last in finding.frame_ranges:
                inside = clip.frames[(clip.frames >= first) & (clip.frames <= last)]
                frames |= {(clip.name, float(frame)) for frame in inside}
    return Exclusions(frozenset(names), frozenset(frames))
