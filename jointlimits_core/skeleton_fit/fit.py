"""Fit of one skeleton to one or several clips of the same loose bodies, to frames that agree.

Frames that fit no joint are left out first. Swapped tracks, which explain some of them, are then
swapped back, and outliers and joints are computed again. Each step is taken only where joints fit
no worse than without it in frames that neither fit has seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..base.findings import Finding
from ..base.progress import Progress, report_progress
from ..geometry.arrays import Booleans, Floats, frame_ranges
from .clips import end_to_end, frames_of, same_bodies, track_findings
from .doubts import remounted
from .outliers import BodySwap, find_swaps, inlier_frames, swapped_back, wrong_gaps
from .residuals import NOISELESS_M, gap_lengths, joint_ends, log_median_gap
from .result import BodyFit, BodyOptions, better_fit
from .slips import with_slips
from .solve import plain_fit
from .tracks import BodyTracks

HELD_OUT_SECONDS = 0.5
"""Every other half second is held out in turn."""
MIN_FIGURE_BODIES = 3
"""Smallest separate figure. A pair may only be linked by a swap."""


def fit_pooled(
    clips: Sequence[BodyTracks],
    options: BodyOptions | None = None,
    progress: Progress | None = None,
) -> tuple[BodyFit, ...]:
    """Fit one skeleton to several clips.

    Raises EstimationError, ValueError as :func:`fit_skeleton`; also for clips that have no two
    bodies in common. Raises Cancelled if `progress` returned False. `clips`: of the same bodies,
    with sensors mounted alike; bodies missing in a clip are dropped. `progress`: called as
    ``progress(done, total, label)`` before each step; False stops.

    Returns one fit per clip. All share the parents, joints, loops and weights, fitted to all clips;
    tracks, used frames, slips and findings are the clip's own, as is ``extra["swaps"]`` where
    tracks were swapped back.
    """
    options = options or BodyOptions()
    clips = same_bodies(clips)
    report_progress(progress, 0, 2, "finding the joints")
    whole, clips, swaps = _fit_inliers(clips, options)
    report_progress(progress, 1, 2, "looking for slips")
    found = []
    for clip, own, part in zip(clips, swaps, frames_of(clips)):
        fit = _fit_of_clip(whole, clip, part)
        found.append(replace(fit, extra={**fit.extra, "swaps": own}) if own else fit)
    return remounted(with_slips(whole, found))


def fit_skeleton(
    tracks: BodyTracks, options: BodyOptions | None = None, weights: Floats | None = None
) -> BodyFit:
    """Find which bodies are joined, where, about which axes, and how well.

    `weights`, shape (bodies, frames): weight of each frame of a body; 0 excludes it. If given,
    frames that do not fit are not searched for. Bodies to which nothing is joined are free; if all
    are, no joint is found, and a finding reports it. Raises EstimationError if there is only one
    body, too few frames, or bodies in different units. Raises ValueError if a given root or parent
    does not exist, or contradicts another.
    """
    options = options or BodyOptions()
    if weights is None:
        return fit_pooled([tracks], options)[0]
    return _fit_of_clip(plain_fit([tracks], options, weights), tracks, slice(None))


def _fit_of_clip(whole: BodyFit, clip: BodyTracks, part: slice) -> BodyFit:
    """Part of a fit to all clips that belongs to one, with the findings on its tracks."""
    found = replace(whole, tracks=clip, used=whole.used[:, part])
    on_skeleton = [replace(finding, clip=clip.name) for finding in whole.findings]
    findings = [*clip.findings, *track_findings(clip), *on_skeleton]
    for name, out in zip(clip.names, clip.present & ~found.used):
        if out.any():
            text = f"{name} fits none of its joints in {int(out.sum())} frames; they were left out"
            ranges = frame_ranges(clip.frames, out)
            findings.append(Finding("outliers", text, name, clip.name, ranges, left_out=True))
    return replace(found, findings=tuple(findings))


Swaps = tuple[BodySwap, ...]


def _fit_inliers(
    clips: Sequence[BodyTracks], options: BodyOptions
) -> tuple[BodyFit, Sequence[BodyTracks], Sequence[Swaps]]:
    """Fit to the frames of all clips that agree with each other.

    All do if no gap of the plain fit is wrong: the search for outliers would leave out motion that
    is rare, too. Returns the fit, the clips with swapped tracks swapped back, and their swaps.
    """
    plain, none = plain_fit(clips, options), [()] * len(clips)
    if _fits_everywhere(plain):
        return plain, clips, none
    good = inlier_frames(end_to_end(clips))
    if np.array_equal(good, plain.used):
        return plain, clips, none
    frames = np.concatenate([np.arange(clip.frame_count) for clip in clips])
    shortest = min(clip.frame_count for clip in clips)
    period = max(1, min(round(HELD_OUT_SECONDS * clips[0].frame_rate), shortest // 4))
    part: Booleans = np.asarray(frames // period % 2 == 0)
    turns = [
        (judges, plain_fit(clips, options, (good & ~judges).astype(np.float64), strides=False))
        for judges in (~part, part)
    ]
    without = plain_fit(clips, options, good.astype(np.float64))
    gain = _without_outliers_gain(clips, options, turns)
    whole = better_fit("outlier frames", without, plain, gain)
    swaps = [
        find_swaps(clip, joint_ends(without), good[:, part])
        for clip, part in zip(clips, frames_of(clips))
    ]
    if not any(swaps):
        return whole, clips, none
    changed = [swapped_back(clip, found) for clip, found in zip(clips, swaps)]
    gain = _swaps_gain(clips, changed, turns)
    back = plain_fit(changed, options, inlier_frames(end_to_end(changed)).astype(np.float64))
    whole = better_fit("swapped tracks", back, whole, gain)
    return (whole, changed, swaps) if whole.tracks is back.tracks else (whole, clips, none)


def _without_outliers_gain(
    clips: Sequence[BodyTracks], options: BodyOptions, turns: Sequence[tuple[Booleans, BodyFit]]
) -> float:
    """Mean log by which median gaps of a fit to all frames exceed those of one without outliers.

    In frames that neither has seen.
    """
    gains = []
    for judges, without in turns:
        seen = without.tracks.present & ~judges
        plain = plain_fit(clips, options, seen.astype(np.float64), strides=False)
        held_out = np.broadcast_to(judges, seen.shape)
        worse, better = (log_median_gap(fit, fit.tracks, held_out) for fit in (plain, without))
        gains.append(worse - better)
    return float(np.mean(gains))


def _swaps_gain(
    clips: Sequence[BodyTracks],
    changed: Sequence[BodyTracks],
    turns: Sequence[tuple[Booleans, BodyFit]],
) -> float:
    """Mean log by which gaps of the frames that are swapped back were wider before.

    The joints are those of the other frames.
    """
    before, after = end_to_end(clips), end_to_end(changed)
    logs = []
    for judges, fit in turns:
        ends = joint_ends(fit)
        was, now = (gap_lengths(tracks, ends)[:, judges] for tracks in (before, after))
        other = np.isfinite(was) & np.isfinite(now) & (was != now)
        logs.append(np.log(was[other] / np.maximum(now[other], NOISELESS_M)))
    every = np.concatenate(logs)
    return float(every.mean()) if every.size else -np.inf


def _fits_everywhere(fit: BodyFit) -> bool:
    """Whether all bodies are joined, none loosely, and no gap is far beyond the usual ones.

    Bodies that were swapped may be joined to nothing.
    """
    loose = [joint.residual_m > fit.options.free_beyond_m for joint in fit.joints]
    alone = fit.free or any(len(figure) < MIN_FIGURE_BODIES for figure in fit.figures)
    if not loose or alone or any(loose):
        return False
    ends = joint_ends(fit)
    gaps = gap_lengths(fit.tracks, ends)
    return not wrong_gaps(gaps, fit.used[ends.child] & fit.used[ends.parent]).any()
