"""Skeleton fit by least squares: the tree, its joints, and joints that close a loop.

The robust fit excludes frames that fit no joint first. Swapped tracks, which explain some of them,
are then swapped back, and outliers and joints are computed again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..base import Finding
from ..geometry import Booleans, Floats, Integers
from .clips import end_to_end, frames_of, require_usable
from .joint_centres import PairTable, pair_table
from .joints import clear_ratio, fitted_joints, place_on_axes
from .likelihood import likelihood_weights
from .noise import orientation_noise, still_bodies
from .outliers import BodySwap, find_swaps, inlier_frames, swapped_back, wrong_gaps
from .pairs import PairMoments, pair_moments
from .residuals import joint_ends, joint_gaps
from .result import COMPARED, SIDES, BodyFit, BodyJoint, BodyOptions, Comparison
from .skin import allowing_for_skin
from .spectral import (
    EXACT_M,
    MotionLines,
    deciding_lines,
    gaps_in_lines,
    line_weights,
    lines_of_clips,
    mean_distances,
    mirror_partners,
    sides_of,
)
from .tracks import BodyTracks
from .tree import (
    chosen_root,
    constrained_forest,
    descendants,
    figures_of,
    given_parents,
    may_be_joined,
    neighbours,
    path_between,
    runner_up_parent,
    spanning_forest,
    tree_order,
    without_ties,
)
from .tree_centres import tree_centres

LOOP_EXPLAINS = 0.1
"""Largest gap of a loop joint as a share of the relative motion of its bodies. Where little moves
and skin slides, nearly every pair fits."""
SAME_PLACE_M = 1e-3
"""Two joints this close in a body are one, even without noise."""
SAME_PLACE_GAPS = 2.0
"""The same in multiples of their gaps."""
NOISELESS_M = 1e-6
"""Differences between gaps below this are rounding."""
EQUAL_GAPS = 0.05
"""Mean log ratio of held-out gaps up to which two models are equally good, half the standard error
of a mean over fifteen joints; then the model whose evidence called it in stays."""
FIGURE_BODIES = 3
"""Fewest bodies of a figure of its own: two may be joined for being swapped."""
SHORTEST_WAY = 3
"""Joints of the tree between two bodies that a further one can join."""


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
    lines = _deciding_lines(pairs) if options.motion_lines else None
    if lines is None:
        return plain
    by_lines = _fit_by(pairs, lines)
    gain = _held_out_gain(clips, options, pairs.used)
    better = gain > -EQUAL_GAPS
    chosen, other = (by_lines, plain) if better else (plain, by_lines)
    compared = Comparison("motion lines", better, gain, other)
    return replace(chosen, extra={**chosen.extra, COMPARED: (compared,)})


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
        residuals = self.table.residuals_m
        tree = [residuals[edge] for edge in spanning_forest(residuals)]
        return not tree or float(np.median(tree)) < EXACT_M

    def joints(
        self, chosen: list[tuple[int, int]], lines: MotionLines | None = None
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
    joined = may_be_joined(table.residuals_m, table.spreads_m, options, still)
    return _Pairs(clips, tracks, used, noise, options, moments, table, joined)


def _fit_by(pairs: _Pairs, lines: MotionLines | None) -> BodyFit:
    """Fit by the lines of the motion, or else by likelihood."""
    given, roots = given_parents(pairs.tracks.names, pairs.options)
    extra = {}
    if lines is not None:
        sides = pairs.options.mirror_sides
        partner = mirror_partners(mean_distances(pairs.clips)) if sides else None
        weights = choice = line_weights(lines, pairs.joined, partner)
        extra = {SIDES: sides_of(pairs.tracks.names, partner)}
    else:
        weights = np.where(pairs.joined, _plain_weights(pairs), np.inf)
        choice = without_ties(weights, pairs.table, given)
    fit = _with_joints(pairs, constrained_forest(choice, given, roots), weights, lines)
    return replace(fit, extra=extra)


def _plain_weights(pairs: _Pairs) -> Floats:
    """Weights for the tree by likelihood; in exact data, where no gap has any noise, by gaps."""
    if pairs.exact:
        return pairs.table.weights()
    return likelihood_weights(pairs.clips, pairs.used, pairs.moments, pairs.noise)


def _deciding_lines(pairs: _Pairs) -> MotionLines | None:
    """Lines of the motion, if these may decide the tree."""
    clear = partial(clear_ratio, pairs.tracks, pairs.moments, pairs.used)
    residuals = np.where(pairs.joined, pairs.table.residuals_m, np.inf)
    return deciding_lines(pairs.clips, pairs.used, residuals, clear)


def _held_out_gain(clips: Sequence[BodyTracks], options: BodyOptions, used: Booleans) -> float:
    """Mean log by which the plain fit's gaps exceed those of the fit by lines.

    Both are fitted to one half of every clip; the gaps are those in the lines of the other half,
    where the motion is largest beside the noise; and the other way round.
    """
    halves = [_half(clips, used, number) for number in (0, 1)]
    gains = []
    for (seen, kept), (held_out, judging) in (halves, halves[::-1]):
        pairs = _all_pairs(seen, options, np.concatenate(kept, axis=1).astype(np.float64))
        lines, judges = lines_of_clips(seen, kept), lines_of_clips(held_out, judging)
        if lines is None or judges is None:
            return -np.inf
        plain, by_lines = (
            float(np.mean(np.log(gaps_in_lines(judges, joint_ends(_fit_by(pairs, model))))))
            for model in (None, lines)
        )
        gains.append(plain - by_lines)
    return float(np.mean(gains))


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
    pairs: _Pairs, edges: list[tuple[int, int]], weights: Floats, lines: MotionLines | None
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
    near = neighbours(len(tracks), edges)
    parents = np.full(len(tracks), -1, dtype=np.int64)
    figures = []
    for figure in figures_of(len(tracks), edges):
        order, above = tree_order(near, chosen_root(tracks.names, near, figure, options))
        for body, parent in above.items():
            parents[body] = parent
        figures.append(order)
    return sorted(figures, key=lambda figure: (-len(figure), min(figure))), parents


def _with_margins(joints: list[BodyJoint], residuals: Floats, parents: Integers) -> list[BodyJoint]:
    below = descendants(parents)
    found = []
    for joint in joints:
        other, margin = runner_up_parent(residuals, parents, below, joint.child)
        found.append(replace(joint, next_best=other, margin_m=margin))
    return found


def _loops(
    pairs: _Pairs, parents: Integers, figures: list[list[int]], joints: list[BodyJoint]
) -> list[BodyJoint]:
    """Joints outside the tree."""
    residuals = pairs.table.residuals_m
    explained = pairs.joined & (residuals <= LOOP_EXPLAINS * pairs.table.spreads_m)
    by_child = {joint.child: joint for joint in joints}
    candidates = loop_candidates(
        np.where(explained, residuals, np.inf), parents, figures, by_child, pairs.options.loop_share
    )
    return [joint for joint in pairs.joints(candidates) if closes_a_loop(joint, parents, by_child)]


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


def loop_candidates(
    residuals: Floats,
    parents: Integers,
    figures: Sequence[Sequence[int]],
    joints: Mapping[int, BodyJoint],
    share: float,
) -> list[tuple[int, int]]:
    """Pairs outside the tree with a gap not much larger than the joints between them.

    Returns (later, earlier) bodies in the order of the figures; the earlier would be the parent.
    `residuals`, shape (bodies, bodies): gap of every pair, metres; inf where two cannot be joined.
    `parents`, shape (bodies,). `figures`: parents before children. `share`: as in
    :class:`.BodyOptions`.
    """
    found = []
    for figure in figures:
        largest = max((joints[body].residual_m for body in figure[1:]), default=0.0)
        near: Booleans = residuals[np.ix_(figure, figure)] <= share * largest + NOISELESS_M
        for later, earlier in np.argwhere(np.tril(near, -1)).tolist():
            pair = figure[later], figure[earlier]
            if parents[pair[0]] == pair[1] or parents[pair[1]] == pair[0]:
                continue
            path = [joints[child] for child, _ in path_between(parents, *pair)]
            # Three bodies joined in a ring cannot move; what looks like one is a stiff chain.
            if len(path) < SHORTEST_WAY:
                continue
            # Where a joint on the path does not move, both its bodies fit whatever fits one.
            if any(joint.kind == "rigid" for joint in path):
                continue
            if residuals[pair] <= share * max(joint.residual_m for joint in path) + NOISELESS_M:
                found.append(pair)
    return found


def closes_a_loop(loop: BodyJoint, parents: Integers, joints: Mapping[int, BodyJoint]) -> bool:
    """Whether a candidate is a joint of its own, and not one on its path again.

    Several bodies can be joined in one point, and a joint that hardly moves repeats those of its
    neighbour; then the candidate lies, in one of its bodies, at a joint of the tree. `parents` has
    shape (bodies,).
    """
    if loop.kind == "rigid":
        return False
    path = [joints[child] for child, _ in path_between(parents, loop.child, loop.parent)]
    return not any(_same_place(loop, joint) for joint in path)


def _same_place(one: BodyJoint, other: BodyJoint) -> bool:
    """Whether two joints that share a body are in the same place in it, as far as is known."""
    reach = SAME_PLACE_M + SAME_PLACE_GAPS * max(one.residual_m, other.residual_m)
    for body in {one.child, one.parent} & {other.child, other.parent}:
        (place, unknown), (other_place, other_unknown) = _in(one, body), _in(other, body)
        difference = place - other_place
        for direction in (*unknown, *other_unknown):
            difference = difference - direction * (direction @ difference)
        if np.linalg.norm(difference) <= reach:
            return True
    return False


def _in(joint: BodyJoint, body: int) -> tuple[Floats, Floats]:
    """Place of a joint in one of its bodies, and the directions along which it is unknown."""
    unknown = ~np.isfinite(joint.deviation_m)
    if body == joint.child:
        return joint.centre_in_child, joint.directions_in_child[unknown]
    return joint.centre_in_parent, joint.directions_in_parent[unknown]


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
    none: tuple[BodySwap, ...] = ()
    whole = plain_fit(clips, options)
    if _fits_everywhere(whole):
        return RobustFit(whole, tuple(clips), (none,) * len(clips))
    good = inlier_frames(end_to_end(clips))
    whole = plain_fit(clips, options, good.astype(np.float64))
    sought = options.find_swaps and whole.joints
    swaps = [
        find_swaps(clip, joint_ends(whole), good[:, part]) if sought else none
        for clip, part in zip(clips, frames_of(clips))
    ]
    if any(swaps):
        clips = [swapped_back(clip, found) for clip, found in zip(clips, swaps)]
        good = inlier_frames(end_to_end(clips))
        whole = plain_fit(clips, options, good.astype(np.float64))
    return RobustFit(whole, tuple(clips), tuple(swaps))


def _fits_everywhere(fit: BodyFit) -> bool:
    """Whether all bodies are joined, none loosely, and no gap is far beyond the usual ones.

    Bodies that were swapped may be joined to nothing.
    """
    loose = [joint.residual_m > fit.options.free_beyond_m for joint in fit.joints]
    alone = fit.free or any(len(figure) < FIGURE_BODIES for figure in fit.figures)
    if not loose or alone or any(loose):
        return False
    ends = joint_ends(fit)
    gaps = np.linalg.norm(joint_gaps(fit.tracks, *ends), axis=2)
    return not wrong_gaps(gaps, fit.used[ends.child] & fit.used[ends.parent]).any()
