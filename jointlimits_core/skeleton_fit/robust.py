"""Skeleton fit to the frames that agree with it.

Frames that fit no joint are left out first. Swapped tracks, which explain some of them, are then
swapped back, and outliers and joints are computed again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..geometry.arrays import Booleans
from .clips import end_to_end, frames_of
from .outliers import BodySwap, find_swaps, inlier_frames, swapped_back, wrong_gaps
from .residuals import gap_lengths, joint_ends
from .result import BodyFit, BodyOptions, better_fit
from .solve import plain_fit
from .tracks import BodyTracks

NOISELESS_M = 1e-6
"""Differences between gaps below this are rounding."""
HELD_OUT_SECONDS = 0.5
"""Every other half second is held out in turn."""
FIGURE_BODIES = 3
"""Fewest bodies of a figure of its own: two may be joined for being swapped."""


@dataclass(frozen=True, eq=False)
class RobustFit:
    """A fit of several clips, with the corrections made before it.

    `whole`: fit to all clips end to end; `clips`: clips with swapped tracks swapped back; `swaps`:
    swaps of each clip.
    """

    whole: BodyFit
    clips: tuple[BodyTracks, ...]
    swaps: tuple[tuple[BodySwap, ...], ...]


def robust_fit(clips: Sequence[BodyTracks], options: BodyOptions) -> RobustFit:
    """Fit one skeleton to the frames that agree with it.

    All do if no gap of the plain fit is wrong: the search for outliers would leave out motion that
    is rare, too. `clips`: of the same bodies in the same order.
    """
    plain = plain_fit(clips, options)
    as_given = RobustFit(plain, tuple(clips), ((),) * len(clips))
    if _fits_everywhere(plain):
        return as_given
    good = inlier_frames(end_to_end(clips))
    if np.array_equal(good, plain.used):
        return as_given
    turns = [
        (part, plain_fit(clips, options, (good & part).astype(np.float64), strides=False))
        for part in _every_other(clips)
    ]
    gain = _without_outliers_gain(clips, options, turns)
    without = plain_fit(clips, options, good.astype(np.float64))
    whole = better_fit("outlier frames", without, plain, gain)
    if not without.joints:
        return replace(as_given, whole=whole)
    swaps = tuple(
        find_swaps(clip, joint_ends(without), good[:, part])
        for clip, part in zip(clips, frames_of(clips))
    )
    if not any(swaps):
        return replace(as_given, whole=whole)
    changed = [swapped_back(clip, found) for clip, found in zip(clips, swaps)]
    gain = _swaps_gain(clips, changed, turns)
    inliers = inlier_frames(end_to_end(changed)).astype(np.float64)
    back = plain_fit(changed, options, inliers)
    whole = better_fit("swapped tracks", back, whole, gain)
    if whole.tracks is back.tracks:
        return RobustFit(whole, tuple(changed), swaps)
    return replace(as_given, whole=whole)


def _every_other(clips: Sequence[BodyTracks]) -> tuple[Booleans, Booleans]:
    """Every other half second of all clips, and the rest, shape (frames,) each."""
    frames = np.concatenate([np.arange(clip.frame_count) for clip in clips])
    shortest = min(clip.frame_count for clip in clips)
    period = max(1, min(round(HELD_OUT_SECONDS * clips[0].frame_rate), shortest // 4))
    first: Booleans = np.asarray(frames // period % 2 == 0)
    return first, ~first


def _without_outliers_gain(
    clips: Sequence[BodyTracks], options: BodyOptions, turns: Sequence[tuple[Booleans, BodyFit]]
) -> float:
    """Mean log by which median gaps of a fit to all frames exceed those of one without outliers.

    In frames that neither has seen. A body that is joined to nothing has the largest gap allowed.
    """
    gains = []
    for part, without in turns:
        seen = np.broadcast_to(part, without.used.shape) & without.tracks.present
        plain = plain_fit(clips, options, seen.astype(np.float64), strides=False)
        worse, better = (_median_gaps(fit, ~part) for fit in (plain, without))
        gains.append(worse - better)
    return float(np.mean(gains))


def _median_gaps(fit: BodyFit, judges: Booleans) -> float:
    """Mean logarithm of the median gap of each joint in some frames."""
    lengths = gap_lengths(fit.tracks, joint_ends(fit))[:, judges]
    seen = lengths[np.isfinite(lengths).any(axis=1)]
    sizes = np.full(len(fit.tracks) - 1, fit.options.free_beyond_m)
    sizes[: len(seen)] = np.nanmedian(seen, axis=1) if len(seen) else 0.0
    return float(np.mean(np.log(np.maximum(sizes, NOISELESS_M))))


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
    for part, fit in turns:
        ends = joint_ends(fit)
        was, now = (gap_lengths(tracks, ends)[:, ~part] for tracks in (before, after))
        other = np.isfinite(was) & np.isfinite(now) & (was != now)
        logs.append(np.log(was[other] / np.maximum(now[other], NOISELESS_M)))
    every = np.concatenate(logs)
    return float(every.mean()) if every.size else -np.inf


def _fits_everywhere(fit: BodyFit) -> bool:
    """Whether all bodies are joined, none loosely, and no gap is far beyond the usual ones.

    Bodies that were swapped may be joined to nothing.
    """
    loose = [joint.residual_m > fit.options.free_beyond_m for joint in fit.joints]
    alone = fit.free or any(len(figure) < FIGURE_BODIES for figure in fit.figures)
    if not loose or alone or any(loose):
        return False
    ends = joint_ends(fit)
    gaps = gap_lengths(fit.tracks, ends)
    return not wrong_gaps(gaps, fit.used[ends.child] & fit.used[ends.parent]).any()
