"""Repeated estimates that summarize only the clips that changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

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

MAX_KEPT = 256
"""Maximum number of cached summaries; one of a clip of 200 joints takes about two megabytes."""

Summaries = dict[Any, CharacterSummary]
"""Summaries of clips by clip, excluded frames and options that they depend on."""


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
    kept = [clip for clip in clips if clip.name not in excluded.clips]
    if not kept:
        if clips:
            raise EstimationError("every clip is excluded; include one again")
        raise EstimationError("no motion is open: open one, or estimate from the scene")
    if options.frame == "advised" or options.mode == "paper":
        # These need every frame, not only the stored poses.
        found = pipeline.estimate_pooled(included(clips, excluded), options, progress)[0]
    else:
        parts, steps = [], len(kept) + 1
        for number, clip in enumerate(kept):
            report_progress(progress, number, steps, f"looking at {clip.name}")
            frames = excluded.frames_of(clip.name)
            key = (clip, frames, options.leave_out, options.samples)
            if key not in summaries:
                summaries[key] = pipeline.summarize([without_frames(clip, frames)], options)
            parts.append(summaries[key])
        report_progress(progress, len(kept), steps, "deciding types and limits")
        summary = merged(parts)
        rest = pipeline.rest_of_frame(kept, options, summary.skeleton)
        found = pipeline.estimate_from_summary(summary, options, rest)
        report_progress(progress, steps, steps, "done")
    left_out = [
        excluded_clip(clip.name, float(clip.frames[0]), float(clip.frames[-1]))
        for clip in clips
        if clip.name in excluded.clips
    ]
    return replace(found, findings=(*found.findings, *left_out))


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
