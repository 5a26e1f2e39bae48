"""Fit of one skeleton to one or several clips of the same loose bodies, without outlier frames.

The skeleton is found by least squares: the tree, its joints, and joints that close a loop. Frames
that fit no joint are left out. Swapped tracks, which explain some of these frames, are then swapped
back, and outliers and joints are computed again. A step is kept only if, in frames that neither fit
used, the joints fit no worse than without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..base.findings import Finding
from ..base.progress import Progress, report_progress
from ..geometry.arrays import Booleans, Floats, Integers, frame_ranges
from . import doubts, joint_centres, likelihood, outliers, result, slips, spectral, tree
from .clips import end_to_end, frames_of, require_usable, same_bodies, track_findings
from .joints import WHITE_SHARE, clear_ratio, fit_joints, place_on_axes
from .residuals import NOISELESS_M, allowing_for_skin, gap_lengths, joint_ends, log_median_gap
from .tracks import BodyTracks

HELD_OUT_SECONDS = 0.5
"""Length of the parts of a clip; odd and even parts are held out in turn."""
MIN_FIGURE_BODIES = 3
"""Size of the smallest separate figure; a pair may be the result of a swap."""
MAX_LOOP_SHARE = 0.1
"""Largest gap of a loop joint as a share of the relative motion of its bodies. If bodies hardly
move and skin slides, nearly every pair fits."""
MAX_EQUAL_LOG_RATIO = 0.1
"""Mean log increase of held-out gaps up to which strides may choose the tree: the standard error of
a mean over fifteen joints, since half a walk is short."""


def fit_pooled(
    clips: Sequence[BodyTracks],
    options: result.BodyOptions | None = None,
    progress: Progress | None = None,
) -> tuple[result.BodyFit, ...]:
    """Fit one skeleton to clips whose sensors are mounted alike; return one fit per clip.

    All fits share the parents, joints, loops and weights. Each clip has its own tracks, used
    frames, slips and findings, and ``extra["swaps"]`` if tracks were swapped back. Bodies that are
    missing from any clip are dropped. Raises the errors of :func:`fit_skeleton`, EstimationError
    if fewer than two bodies are in all clips; Cancelled if `progress` returns False.
    """
    options = options or result.BodyOptions()
    clips = same_bodies(clips)
    report_progress(progress, 0, 2, "finding the joints")
    whole, clips, swaps = _fit_inliers(clips, options)
    report_progress(progress, 1, 2, "looking for slips")
    found = []
    for clip, own, part in zip(clips, swaps, frames_of(clips)):
        fit = _fit_of_clip(whole, clip, part)
        found.append(replace(fit, extra={**fit.extra, "swaps": own}) if own else fit)
    return doubts.find_remounts(slips.with_slips(whole, found))


def fit_skeleton(tracks: BodyTracks, options: result.BodyOptions | None = None) -> result.BodyFit:
    """Find the joints between loose bodies: which bodies they join, positions, axes and gaps.

    Frames that do not fit are left out. Raises EstimationError for a single body, too few frames,
    or bodies in different units; ValueError if a given root or parent does not exist, or
    contradicts another.
    """
    return fit_pooled([tracks], options)[0]


def _fit_of_clip(whole: result.BodyFit, clip: BodyTracks, part: slice) -> result.BodyFit:
    """Part of a pooled fit that belongs to one clip, with findings about its tracks."""
    found = replace(whole, tracks=clip, used=whole.used[:, part])
    on_skeleton = [replace(finding, clip=clip.name) for finding in whole.findings]
    findings = [*clip.findings, *track_findings(clip), *on_skeleton]
    for name, out in zip(clip.names, clip.present & ~found.used):
        if out.any():
            text = f"{name} fits none of its joints in {int(out.sum())} frames, which were left out"
            ranges = frame_ranges(clip.frames, out)
            findings.append(Finding("outliers", text, name, clip.name, ranges, left_out=True))
    return replace(found, findings=tuple(findings))


Swaps = tuple[outliers.BodySwap, ...]


def _fit_inliers(
    clips: Sequence[BodyTracks], options: result.BodyOptions
) -> tuple[result.BodyFit, Sequence[BodyTracks], Sequence[Swaps]]:
    """Fit to the inlier frames, the clips after swapping tracks back, and the swaps."""
    plain, none = plain_fit(clips, options), [()] * len(clips)
    good = plain.used if _fits_everywhere(plain) else outliers.inlier_frames(end_to_end(clips))
    if np.array_equal(good, plain.used):
        return plain, clips, none
    frames = np.concatenate([np.arange(clip.frame_count) for clip in clips])
    shortest = min(clip.frame_count for clip in clips)
    period = max(1, min(round(HELD_OUT_SECONDS * clips[0].frame_rate), shortest // 4))
    part: Booleans = np.asarray(frames // period % 2 == 0)
    turns, gains = [], []
    for judges in (~part, part):
        # Median gaps in held-out frames, for fits without and with outliers.
        fits = [
            plain_fit(clips, options, chosen & ~judges, strides=False)
            for chosen in (good, plain.tracks.present)
        ]
        turns.append((judges, fits[0]))
        held_out = np.broadcast_to(judges, good.shape)
        better, worse = (log_median_gap(fit, fit.tracks, held_out) for fit in fits)
        gains.append(worse - better)
    without = plain_fit(clips, options, good)
    whole = result.better_fit("outlier frames", without, plain, float(np.mean(gains)))
    swaps = [
        outliers.find_swaps(clip, joint_ends(without), good[:, part])
        for clip, part in zip(clips, frames_of(clips))
    ]
    if not any(swaps):
        return whole, clips, none
    changed = [outliers.swap_back(clip, found) for clip, found in zip(clips, swaps)]
    back = plain_fit(changed, options, outliers.inlier_frames(end_to_end(changed)))
    gain = _swaps_gain(clips, changed, turns)
    whole = result.better_fit("swapped tracks", back, whole, gain)
    return (whole, changed, swaps) if whole.tracks is back.tracks else (whole, clips, none)


def _swaps_gain(
    clips: Sequence[BodyTracks],
    changed: Sequence[BodyTracks],
    turns: Sequence[tuple[Booleans, result.BodyFit]],
) -> float:
    """Mean log ratio of gaps before and after swapping back, in held-out frames."""
    before, after = end_to_end(clips), end_to_end(changed)
    logs = []
    for judges, fit in turns:
        ends = joint_ends(fit)
        was, now = (gap_lengths(tracks, ends)[:, judges] for tracks in (before, after))
        other = np.isfinite(was) & np.isfinite(now) & (was != now)
        logs.append(np.log(was[other] / np.maximum(now[other], NOISELESS_M)))
    every = np.concatenate(logs)
    return float(every.mean()) if every.size else -np.inf


def _fits_everywhere(fit: result.BodyFit) -> bool:
    """Whether all bodies are joined tightly, in figures of three or more, and without outliers."""
    loose = any(joint.residual_m > fit.options.free_beyond_m for joint in fit.joints)
    alone = fit.free or any(len(figure) < MIN_FIGURE_BODIES for figure in fit.figures)
    if not fit.joints or alone or loose:
        return False
    ends = joint_ends(fit)
    gaps = gap_lengths(fit.tracks, ends)
    return not outliers.wrong_gaps(gaps, ends.shared_frames(fit.used)).any()


def plain_fit(
    clips: Sequence[BodyTracks],
    options: result.BodyOptions,
    used: Booleans | None = None,
    strides: bool = True,
) -> result.BodyFit:
    """Fit one skeleton to all frames of all clips, end to end, without searching for outliers.

    `used`, (bodies, frames of all clips): frames to fit to, by default all. `strides`: whether
    repeated strides may choose the tree. Raises the errors of :func:`fit_skeleton`.
    """
    pairs = _all_pairs(clips, options, used)
    plain = _fit_by(pairs, None)
    # Likelihood handles white gaps; skin that follows the motion has the same spectral lines.
    white = [one.independent_frames > WHITE_SHARE * one.frames_used for one in plain.joints]
    follows = any(one.hidden_m > 0.0 for one in plain.joints)
    if not strides or 2 * sum(white) > len(white) or follows:
        return plain
    clear = partial(clear_ratio, pairs.tracks, pairs.moments, pairs.used)
    residuals = np.where(pairs.joined, pairs.table.residuals_m, np.inf)
    if len(residuals) < 3 or not tree.is_ambiguous(residuals, clear):
        return plain
    lines = spectral.lines_of_clips(clips, pairs.used, lasting=True)
    if lines is None:
        return plain
    partner = spectral.mirror_partners(spectral.mean_distances(clips))
    fit = _fit_by(pairs, lines, partner)
    names, images = fit.names, enumerate([] if partner is None else partner.tolist())
    sides = tuple((names[one], names[other]) for one, other in images if one < other)
    fit = replace(fit, extra={result.SIDES: sides})
    gain = _strides_gain(pairs, partner)
    return result.better_fit("motion lines", fit, plain, gain, MAX_EQUAL_LOG_RATIO)


def _strides_gain(pairs: _Pairs, partner: Integers | None) -> float:
    """Mean log ratio of gaps by the plain fit to gaps by strides, cross-validated on half clips."""
    counts = [clip.frame_count for clip in pairs.clips]
    first = np.concatenate([np.arange(count) < count // 2 for count in counts])
    parts = frames_of(pairs.clips)
    gains = []
    for own in (first, ~first):
        half, other = (
            [clip.keep_frames(np.flatnonzero(some[part])) for clip, part in zip(pairs.clips, parts)]
            for some in (own, ~own)
        )
        seen = _all_pairs(half, pairs.options, pairs.used[:, own])
        lines = spectral.lines_of_clips(half, seen.used)
        if lines is None:
            return -np.inf
        fits = _fit_by(seen, None), _fit_by(seen, lines, partner)
        judge, used = end_to_end(other), pairs.used[:, ~own]
        plain, special = (log_median_gap(fit, judge, used) for fit in fits)
        gains.append(plain - special)
    return float(np.mean(gains))


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Data about all pairs of bodies, before joints are chosen."""

    clips: Sequence[BodyTracks]
    tracks: BodyTracks
    used: Booleans
    noise: Floats
    options: result.BodyOptions
    moments: joint_centres.PairMoments
    table: joint_centres.PairTable
    joined: Booleans

    def joints(
        self, chosen: Sequence[tuple[int, int]], lines: spectral.MotionLines | None = None
    ) -> list[result.BodyJoint]:
        """Joints of chosen pairs."""
        return fit_joints(self.tracks, self.moments, chosen, self.used, self.noise, lines)


def _all_pairs(
    clips: Sequence[BodyTracks], options: result.BodyOptions, used: Booleans | None
) -> _Pairs:
    tracks = end_to_end(clips)
    used = tracks.present if used is None else tracks.present & used
    require_usable(tracks, used)
    moments = joint_centres.pair_moments(tracks, used)
    table = joint_centres.pair_table(moments, len(tracks))
    noise = likelihood.orientation_noise(tracks, used)
    still = likelihood.still_bodies(tracks, used, noise)
    joined = tree.may_be_joined(table.residuals_m, table.spreads_m, options, still)
    return _Pairs(clips, tracks, used, noise, options, moments, table, joined)


def _fit_by(
    pairs: _Pairs, lines: spectral.MotionLines | None, partner: Integers | None = None
) -> result.BodyFit:
    """Fit by motion lines if given; otherwise by gaps if data is exact, or else by likelihood."""
    tracks, table = pairs.tracks, pairs.table
    given, roots = tree.given_parents(tracks.names, pairs.options)
    if lines is not None:
        model, weights = "motion lines", spectral.evidence_weights(lines)
    elif tree.typical_weight(table.residuals_m) < tree.MAX_EXACT_M:
        model, weights = "gaps", table.weights()
    else:
        data = pairs.clips, pairs.used, pairs.moments, table.centres, pairs.noise
        model, weights = "likelihood", likelihood.likelihood_weights(*data)
    weights = np.where(pairs.joined, weights, np.inf)
    if partner is not None:
        weights = spectral.symmetrise(weights, partner)
    choice = weights if lines is not None else tree.without_ties(weights, table, given)
    edges = tree.constrained_forest(choice, given, roots)
    figures, parents = tree.rooted_figures(tracks.names, edges, pairs.options)
    joints: list[result.BodyJoint] = []
    for figure in figures:
        fitted = pairs.joints([(body, int(parents[body])) for body in figure[1:]], lines)
        # Skin only follows the motion of its own figure.
        likely = model == "likelihood"
        joints += allowing_for_skin(tracks, pairs.used, fitted) if likely else fitted
    joints = place_on_axes(tracks, pairs.used, joints)
    return _with_runners_up(pairs, parents, figures, joints, weights, model)


def _with_runners_up(
    pairs: _Pairs,
    parents: Integers,
    figures: list[list[int]],
    joints: list[result.BodyJoint],
    weights: Floats,
    model: str,
) -> result.BodyFit:
    """Fit of a tree, with runner-up parents and the joints that close loops."""
    residuals, below = pairs.table.residuals_m, tree.descendants(parents)
    for row, joint in enumerate(joints):
        other, margin = tree.runner_up_parent(residuals, parents, below, joint.child)
        joints[row] = replace(joint, next_best=other, margin_m=margin)
    by_child = {joint.child: joint for joint in joints}
    explained = pairs.joined & (residuals <= MAX_LOOP_SHARE * pairs.table.spreads_m)
    gaps = np.where(explained, residuals, np.inf)
    candidates = pairs.joints(tree.loop_candidates(gaps, parents, figures, by_child))
    loops = [one for one in candidates if tree.closes_a_loop(one, parents, by_child)]
    fit = result.BodyFit(
        tracks=pairs.tracks,
        options=pairs.options,
        parents=parents,
        joints=tuple(joints),
        loops=tuple(loops),
        figures=tuple(tuple(figure) for figure in figures if len(figure) > 1),
        free=tuple(figure[0] for figure in figures if len(figure) == 1),
        residuals_m=residuals,
        weights=weights,
        used=pairs.used,
        model=model,
    )
    return replace(fit, findings=tuple(_skeleton_findings(fit)))


def _skeleton_findings(fit: result.BodyFit) -> Iterator[Finding]:
    names, clip = fit.names, fit.tracks.name
    if not fit.figures:
        text = "no two bodies are joined: these are separate objects, not a skeleton"
        yield Finding("no-skeleton", text, clip=clip)
    elif fit.free:
        text = f"joined to nothing: {', '.join(names[body] for body in fit.free)}"
        yield Finding("free-bodies", text, clip=clip)
    if len(fit.figures) > 1:
        text = f"{len(fit.figures)} figures that are not joined to each other"
        yield Finding("several-figures", text, clip=clip)
    for child, parent in ((one.child, one.parent) for one in fit.joints if one.kind == "rigid"):
        text = f"{names[child]} does not move relative to {names[parent]}"
        text += ", so their joint, if there is one, cannot be located"
        yield Finding("no-relative-motion", text, names[child], clip)
    for loop in fit.loops:
        text = f"{names[loop.child]} and {names[loop.parent]} are also joined, closing a loop"
        yield Finding("loop", text, names[loop.child], clip)
