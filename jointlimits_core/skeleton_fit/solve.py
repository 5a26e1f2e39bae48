"""Skeleton fit by least squares: the tree, its joints, and joints that close a loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..base.findings import Finding
from ..geometry.arrays import Booleans, Floats, Integers
from . import spectral, tree
from .clips import end_to_end, frames_of, require_usable
from .joint_centres import PairTable, pair_table
from .joints import WHITE_SHARE, clear_ratio, fitted_joints, place_on_axes
from .likelihood import likelihood_weights
from .noise import orientation_noise, still_bodies
from .pairs import PairMoments, pair_moments
from .residuals import allowing_for_skin, log_median_gap
from .result import SIDES, BodyFit, BodyJoint, BodyOptions, better_fit
from .tracks import BodyTracks

LOOP_EXPLAINS = 0.1
"""Largest gap of a loop joint as a share of the relative motion of its bodies. Where little moves
and skin slides, nearly every pair fits."""
EQUAL_STRIDES = 0.1
"""Mean log ratio of held-out gaps up to which strides choose the tree, a standard error of a mean
over fifteen joints: halves of a walk are short."""


def plain_fit(
    clips: Sequence[BodyTracks],
    options: BodyOptions,
    weights: Floats | None = None,
    strides: bool = True,
) -> BodyFit:
    """Fit one skeleton to all frames of all clips, without looking for errors in them.

    Its tracks are all clips end to end; its findings concern the skeleton only. Raises
    EstimationError, ValueError as :func:`.fit_skeleton`. `clips`: clips of the same bodies in the
    same order. `weights`, shape (bodies, frames of all clips): weight of each frame of a body; 0
    excludes it. All 1 by default. `strides`: whether strides that repeat may choose the tree.
    """
    pairs = _all_pairs(clips, options, weights)
    plain = _fit_by(pairs, None)
    if not strides or _needs_no_strides(plain):
        return plain
    clear = partial(clear_ratio, pairs.tracks, pairs.moments, pairs.used)
    residuals = np.where(pairs.joined, pairs.table.residuals_m, np.inf)
    lines = spectral.deciding_lines(clips, pairs.used, residuals, clear)
    if lines is None:
        return plain
    partner = spectral.mirror_partners(spectral.mean_distances(clips))
    fit = _fit_by(pairs, lines, partner)
    names, images = pairs.tracks.names, enumerate([] if partner is None else partner.tolist())
    sides = tuple((names[one], names[other]) for one, other in images if one < other)
    fit = replace(fit, extra={SIDES: sides})
    gain = _strides_gain(pairs, partner)
    return better_fit("motion lines", fit, plain, gain, EQUAL_STRIDES)


def _needs_no_strides(fit: BodyFit) -> bool:
    """Whether most gaps are white noise, which likelihood describes, or skin follows the motion.

    The latter is in the lines of the motion, too.
    """
    white = [one.independent_frames > WHITE_SHARE * one.frames_used for one in fit.joints]
    return 2 * sum(white) > len(white) or any(one.hidden_m > 0.0 for one in fit.joints)


def _strides_gain(pairs: _Pairs, partner: Integers | None) -> float:
    """Mean log by which gaps without strides exceed those by strides, where neither has seen them.

    Each half of every clip is fitted both ways, and judged by the other half.
    """
    counts = [clip.frame_count for clip in pairs.clips]
    first = np.concatenate([np.arange(count) < count // 2 for count in counts])
    parts = frames_of(pairs.clips)
    gains = []
    for own in (first, ~first):
        half, other = (
            [clip.take(np.flatnonzero(some[part])) for clip, part in zip(pairs.clips, parts)]
            for some in (own, ~own)
        )
        seen = _all_pairs(half, pairs.options, pairs.used[:, own].astype(np.float64))
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
    """Data on all pairs of bodies, before any is chosen."""

    clips: Sequence[BodyTracks]
    tracks: BodyTracks
    used: Booleans
    noise: Floats
    options: BodyOptions
    moments: PairMoments
    table: PairTable
    joined: Booleans

    def joints(
        self, chosen: Sequence[tuple[int, int]], lines: spectral.MotionLines | None = None
    ) -> list[BodyJoint]:
        """Joints of some of the pairs."""
        data = self.tracks, self.moments, chosen, self.used, self.noise, self.options
        return fitted_joints(*data, lines)


def _all_pairs(clips: Sequence[BodyTracks], options: BodyOptions, weights: Floats | None) -> _Pairs:
    tracks = end_to_end(clips)
    used: Booleans = tracks.present if weights is None else tracks.present & (weights > 0.0)
    require_usable(tracks, used, options.minimum_frames)
    moments = pair_moments(tracks, weights)
    table = pair_table(moments, len(tracks), options.minimum_frames)
    noise = orientation_noise(tracks, used)
    still = still_bodies(tracks, used, noise)
    joined = tree.may_be_joined(table.residuals_m, table.spreads_m, options, still)
    return _Pairs(clips, tracks, used, noise, options, moments, table, joined)


def _fit_by(
    pairs: _Pairs, lines: spectral.MotionLines | None, partner: Integers | None = None
) -> BodyFit:
    """Fit by the lines of the motion, or else by likelihood, or by gaps that have no noise."""
    tracks, table = pairs.tracks, pairs.table
    given, roots = tree.given_parents(tracks.names, pairs.options)
    exact = tree.typical_weight(table.residuals_m) < spectral.EXACT_M
    if lines is not None:
        model = "motion lines"
        evidence = np.where(pairs.joined, spectral.evidence_weights(lines), np.inf)
        weights = evidence if partner is None else spectral.symmetrised(evidence, partner)
        choice = weights
    else:
        model = "gaps" if exact else "likelihood"
        data = pairs.clips, pairs.used, pairs.moments, table.centres, pairs.noise
        plain = table.weights() if exact else likelihood_weights(*data)
        weights = np.where(pairs.joined, plain, np.inf)
        choice = tree.without_ties(weights, table, given)
    edges = tree.constrained_forest(choice, given, roots)
    figures, parents = tree.rooted_figures(tracks.names, edges, pairs.options)
    joints: list[BodyJoint] = []
    for figure in figures:
        fitted = pairs.joints([(body, int(parents[body])) for body in figure[1:]], lines)
        # Skin follows the motion of its own figure.
        likely = model == "likelihood"
        joints += allowing_for_skin(tracks, pairs.used, fitted) if likely else fitted
    joints = place_on_axes(tracks, pairs.used, joints)
    return _with_runners_up(pairs, parents, figures, joints, weights, model)


def _with_runners_up(
    pairs: _Pairs,
    parents: Integers,
    figures: list[list[int]],
    joints: list[BodyJoint],
    weights: Floats,
    model: str,
) -> BodyFit:
    """The fit of a tree, with the next best parents and the joints that close a loop."""
    tracks, residuals, below = pairs.tracks, pairs.table.residuals_m, tree.descendants(parents)
    for row, joint in enumerate(joints):
        other, margin = tree.runner_up_parent(residuals, parents, below, joint.child)
        joints[row] = replace(joint, next_best=other, margin_m=margin)
    by_child = {joint.child: joint for joint in joints}
    explained = pairs.joined & (residuals <= LOOP_EXPLAINS * pairs.table.spreads_m)
    gaps = np.where(explained, residuals, np.inf)
    share = pairs.options.loop_share
    candidates = pairs.joints(tree.loop_candidates(gaps, parents, figures, by_child, share))
    loops = [one for one in candidates if tree.closes_a_loop(one, parents, by_child)]
    return BodyFit(
        tracks=tracks,
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
        findings=tuple(_skeleton_findings(tracks, figures, joints, loops)),
    )


def _skeleton_findings(
    tracks: BodyTracks, figures: list[list[int]], joints: list[BodyJoint], loops: list[BodyJoint]
) -> list[Finding]:
    """Findings on the skeleton."""
    names = tracks.names
    found = []
    free = [names[figure[0]] for figure in figures if len(figure) == 1]
    real = [figure for figure in figures if len(figure) > 1]
    if not real:
        text = "no two bodies are joined: these are separate objects, not a skeleton"
        found.append(Finding("no-skeleton", text, None, tracks.name))
    elif free:
        text = f"joined to nothing: {', '.join(free)}"
        found.append(Finding("free-bodies", text, None, tracks.name))
    if len(real) > 1:
        text = f"{len(real)} figures that are not joined to each other"
        found.append(Finding("several-figures", text, None, tracks.name))
    for joint in joints:
        if joint.kind == "rigid":
            text = f"{names[joint.child]} does not move relative to {names[joint.parent]}"
            text += ", so their joint, if there is one, cannot be located"
            found.append(Finding("no-relative-motion", text, names[joint.child], tracks.name))
    for loop in loops:
        text = f"{names[loop.child]} and {names[loop.parent]} are also joined, closing a loop"
        found.append(Finding("loop", text, names[loop.child], tracks.name))
    return found
