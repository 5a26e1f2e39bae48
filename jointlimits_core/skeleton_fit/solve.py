"""Skeleton fit by least squares: the tree, its joints, and joints that close a loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from .residuals import allowing_for_skin, joint_ends
from .result import SIDES, BodyFit, BodyJoint, BodyOptions, better_fit
from .tracks import BodyTracks
from .tree_centres import tree_centres

LOOP_EXPLAINS = 0.1
"""Largest gap of a loop joint as a share of the relative motion of its bodies. Where little moves
and skin slides, nearly every pair fits."""


def plain_fit(
    clips: Sequence[BodyTracks], options: BodyOptions, weights: Floats | None = None
) -> BodyFit:
    """Fit one skeleton to all frames of all clips, without looking for errors in them.

    Its tracks are all clips end to end; its findings concern the skeleton only. Raises
    EstimationError, ValueError as :func:`.fit_skeleton`. `clips`: clips of the same bodies in the
    same order. `weights`, shape (bodies, frames of all clips): weight of each frame of a body; 0
    excludes it. All 1 by default.
    """
    pairs = _all_pairs(clips, options, weights)
    plain = _fit_by(pairs, None)
    lines = _chosen_lines(pairs, plain)
    if lines is None:
        return plain
    halves = _in_halves(clips, options, pairs.used)
    alone = by_lines = _fit_by(pairs, lines)
    judged: _Model = _fit_by
    if options.mirror_sides != "off":
        by_lines = _fit_by_sides(pairs, lines)
        judged = _fit_by_sides
        if not np.array_equal(by_lines.parents, alone.parents):
            gain = _held_out_gain(halves, _fit_by_sides, _fit_by)
            by_lines = better_fit("mirror sides", options.mirror_sides, by_lines, alone, gain)
            judged = _fit_by if by_lines.parents is alone.parents else _fit_by_sides
    gain = _held_out_gain(halves, judged, lambda half, _: _fit_by(half, None))
    return better_fit("motion lines", options.motion_lines, by_lines, plain, gain)


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

    @property
    def exact(self) -> bool:
        """Whether joints fit without noise, as in motion that was solved."""
        return tree.typical_weight(self.table.residuals_m) < spectral.EXACT_M

    def joints(
        self, chosen: list[tuple[int, int]], lines: spectral.MotionLines | None = None
    ) -> list[BodyJoint]:
        """Joints of some of the pairs."""
        return fitted_joints(
            self.tracks, self.moments, chosen, self.used, self.noise, self.options, lines
        )


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
    """Fit by the lines of the motion, or else by likelihood."""
    given, roots = tree.given_parents(pairs.tracks.names, pairs.options)
    if lines is not None:
        weights = choice = spectral.line_weights(lines, pairs.joined, partner)
    else:
        weights = np.where(pairs.joined, _plain_weights(pairs), np.inf)
        choice = tree.without_ties(weights, pairs.table, given)
    return _with_joints(pairs, tree.constrained_forest(choice, given, roots), weights, lines)


def _fit_by_sides(pairs: _Pairs, lines: spectral.MotionLines | None) -> BodyFit:
    """The same, where both sides decide together if the figure has two."""
    partner = spectral.mirror_partners(spectral.mean_distances(pairs.clips))
    fit = _fit_by(pairs, lines, partner)
    return replace(fit, extra={SIDES: spectral.sides_of(pairs.tracks.names, partner)})


_Model = Callable[[_Pairs, "spectral.MotionLines | None"], BodyFit]


def _plain_weights(pairs: _Pairs) -> Floats:
    """Weights for the tree by likelihood; in exact data, where no gap has any noise, by gaps."""
    if pairs.exact:
        return pairs.table.weights()
    return likelihood_weights(
        pairs.clips, pairs.used, pairs.moments, pairs.table.centres, pairs.noise
    )


def _chosen_lines(pairs: _Pairs, plain: BodyFit) -> spectral.MotionLines | None:
    """Lines of the motion, if these may or must decide the tree.

    Not where most gaps of the plain fit are white noise, which likelihood describes fully.
    """
    mode = pairs.options.motion_lines
    if mode == "off":
        return None
    if mode == "on":
        return spectral.lines_of_clips(
            pairs.clips, [pairs.used[:, part] for part in frames_of(pairs.clips)]
        )
    white = [one.independent_frames > WHITE_SHARE * one.frames_used for one in plain.joints]
    if 2 * sum(white) > len(white):
        return None
    clear = partial(clear_ratio, pairs.tracks, pairs.moments, pairs.used)
    residuals = np.where(pairs.joined, pairs.table.residuals_m, np.inf)
    return spectral.deciding_lines(pairs.clips, pairs.used, residuals, clear)


_Half = tuple["_Pairs", "spectral.MotionLines | None", "spectral.MotionLines | None"]
"""Pairs and lines of one half of every clip, and the lines of the other half."""


def _in_halves(clips: Sequence[BodyTracks], options: BodyOptions, used: Booleans) -> list[_Half]:
    halves = [_half(clips, used, number) for number in (0, 1)]
    lines = [spectral.lines_of_clips(*half) for half in halves]
    if None in lines:
        return []
    pairs = [
        _all_pairs(seen, options, np.concatenate(kept, axis=1).astype(np.float64))
        for seen, kept in halves
    ]
    return list(zip(pairs, lines, lines[::-1]))


def _held_out_gain(halves: Sequence[_Half], special: _Model, plain: _Model) -> float:
    """Mean log by which the gaps of a plain fit exceed those of a special one.

    Both are fitted to one half of every clip; the gaps are those in the lines of the other half,
    where the motion is largest beside the noise; and the other way round.
    """
    gains = []
    for pairs, lines, judges in halves:
        assert judges is not None
        better, worse = (
            float(np.mean(np.log(spectral.gaps_in_lines(judges, joint_ends(model(pairs, lines))))))
            for model in (special, plain)
        )
        gains.append(worse - better)
    return float(np.mean(gains)) if gains else -np.inf


def _half(
    clips: Sequence[BodyTracks], used: Booleans, number: int
) -> tuple[list[BodyTracks], list[Booleans]]:
    """One half of every clip, and which of its frames count."""
    halves, kept = [], []
    for clip, part in zip(clips, frames_of(clips)):
        length = clip.frame_count // 2
        chosen = range(number * length, (number + 1) * length)
        halves.append(clip.take(chosen))
        kept.append(used[:, part][:, chosen])
    return halves, kept


def _with_joints(
    pairs: _Pairs, edges: list[tuple[int, int]], weights: Floats, lines: spectral.MotionLines | None
) -> BodyFit:
    """The fit whose tree has these edges."""
    residuals = pairs.table.residuals_m
    figures, parents = _rooted(pairs.tracks, edges, pairs.options)
    chosen = [(body, int(parents[body])) for figure in figures for body in figure[1:]]
    joints = pairs.joints(chosen, lines)
    if lines is None and not pairs.exact:
        joints = _placed_by_figure(pairs, figures, joints)
    joints = place_on_axes(pairs.tracks, pairs.used, joints)
    model = "gaps" if pairs.exact else "likelihood" if lines is None else "motion lines"
    joints = _with_margins(joints, residuals, parents)
    loops = _loops(pairs, parents, figures, joints)
    return BodyFit(
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
        findings=tuple(_skeleton_findings(pairs.tracks, figures, joints, loops)),
    )


def _placed_by_figure(
    pairs: _Pairs, figures: list[list[int]], joints: list[BodyJoint]
) -> list[BodyJoint]:
    """Joints placed by the gaps of all of their figure."""
    found: list[BodyJoint] = []
    for figure in figures:
        own = joints[len(found) : len(found) + len(figure) - 1]
        placed = tree_centres(pairs.clips, pairs.tracks, pairs.used, own)
        found += allowing_for_skin(pairs.tracks, pairs.used, placed)
    return found


def _rooted(
    tracks: BodyTracks, edges: list[tuple[int, int]], options: BodyOptions
) -> tuple[list[list[int]], Integers]:
    """Figures with parents before children, the largest first, and all parents."""
    near = tree.neighbours(len(tracks), edges)
    parents = np.full(len(tracks), -1, dtype=np.int64)
    figures = []
    for figure in tree.figures_of(len(tracks), edges):
        order, above = tree.tree_order(near, tree.chosen_root(tracks.names, near, figure, options))
        for body, parent in above.items():
            parents[body] = parent
        figures.append(order)
    return sorted(figures, key=lambda figure: (-len(figure), min(figure))), parents


def _with_margins(joints: list[BodyJoint], residuals: Floats, parents: Integers) -> list[BodyJoint]:
    below = tree.descendants(parents)
    found = []
    for joint in joints:
        other, margin = tree.runner_up_parent(residuals, parents, below, joint.child)
        found.append(replace(joint, next_best=other, margin_m=margin))
    return found


def _loops(
    pairs: _Pairs, parents: Integers, figures: list[list[int]], joints: list[BodyJoint]
) -> list[BodyJoint]:
    """Joints outside the tree."""
    residuals = pairs.table.residuals_m
    explained = pairs.joined & (residuals <= LOOP_EXPLAINS * pairs.table.spreads_m)
    by_child = {joint.child: joint for joint in joints}
    candidates = tree.loop_candidates(
        np.where(explained, residuals, np.inf), parents, figures, by_child, pairs.options.loop_share
    )
    return [
        joint for joint in pairs.joints(candidates) if tree.closes_a_loop(joint, parents, by_child)
    ]


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
