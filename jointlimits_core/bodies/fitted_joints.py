"""Joints of chosen pairs of bodies, with gaps and uncertainties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..arrays import Booleans, Floats
from .body_fit import BodyJoint
from .joint_centres import JointCentres, joint_centres, kinds, noise_tolerance
from .line_evidence import line_centres
from .motion_lines import MotionLines
from .options import BodyOptions
from .pair_moments import PairMoments
from .residuals import independent_frames, joint_gaps, root_mean_square
from .tracks import BodyTracks
from .white_noise import is_independent, orientation_noise, shrinkage

CLEAR_DEVIATIONS = 2.5
WHITE_SHARE = 0.5
"""Share of the frames that must be independent for gaps to count as white noise."""


def fitted_joints(
    tracks: BodyTracks,
    moments: PairMoments,
    pairs: Sequence[tuple[int, int]],
    used: Booleans,
    options: BodyOptions,
    lines: MotionLines | None = None,
) -> list[BodyJoint]:
    """Fit the joints of some pairs and measure their gaps frame by frame.

    Parameters
    ----------
    moments : PairMoments
        Of all pairs.
    pairs : sequence of (child, parent)
    used : array of bool, shape (bodies, frames)
        Frames that count.
    lines : MotionLines, optional
        Lines of the motion, where joints are placed by them.

    Returns
    -------
    list of BodyJoint
        In the order of `pairs`.
    """
    if not pairs:
        return []
    child, parent = np.array(pairs, dtype=np.int64).T
    centres, names = _centres(moments.of(child, parent), orientation_noise(tracks, used), options)
    covariances = None
    if lines is not None:
        placed = line_centres(lines, child, parent)
        centres = replace(centres, in_child=placed.in_child, in_parent=placed.in_parent)
        covariances = placed.covariance_in_child
    found = []
    for row, pair in enumerate(pairs):
        joint = _joint(tracks, centres, row, pair, names[row], used)
        if covariances is not None:
            joint = _with_deviation(joint, covariances[row])
        found.append(joint)
    return found


def _centres(
    moments: PairMoments, noise: Floats, options: BodyOptions
) -> tuple[JointCentres, list[str]]:
    """Places and kinds of joints.

    Where orientations themselves are noisy, turning that noise could cause does not count as motion
    and does not determine a joint's place on its axis. Turning of the bodies about their joints
    does; such a joint still is single-axis if it turns about the others no more than noise would.
    """
    plain = joint_centres(moments)
    both = np.stack([noise[moments.child], noise[moments.parent]], axis=1)
    alone = is_independent(plain.residual_m, plain.in_child, plain.in_parent, both)
    wobble = np.sqrt(2.0 * np.sum(both**2, axis=1))
    factors = np.where(alone[:, None], shrinkage(both), 1.0)
    tolerance = axis_tolerance(plain, np.where(alone, wobble, 0.0), options)
    centres = joint_centres(moments.without_shrinkage(*factors.T), tolerance)
    return centres, kinds(centres, axis_tolerance(plain, wobble, options))


def _with_deviation(joint: BodyJoint, covariance: Floats) -> BodyJoint:
    """The joint with its deviation replaced by a covariance in the child, where known at all."""
    along = joint.directions_in_child
    deviation = np.sqrt(np.einsum("kd,de,ke->k", along, covariance, along))
    return replace(joint, deviation_m=np.where(np.isfinite(joint.deviation_m), deviation, np.inf))


def clear_ratio(
    tracks: BodyTracks, moments: PairMoments, used: Booleans, child: int, parent: int
) -> float:
    """Ratio of another pair's gap to a joint's gap above which the difference is significant.

    The relative error of the rms of n independent gaps of three coordinates is 1 / sqrt(6 n). In
    white noise every frame is independent, so a minute gives one percent; of sliding skin few
    frames are. Mostly white gaps are fully described by their rms, so any difference decides.

    Returns
    -------
    float
        1 + 2.5 standard deviations; 1 for white gaps.
    """
    centres = joint_centres(moments.of([child], [parent]))
    pair = np.array([child]), np.array([parent])
    gaps = joint_gaps(tracks, *pair, centres.in_child, centres.in_parent)[0]
    both: Booleans = used[child] & used[parent]
    independent = independent_frames(tracks, child, parent, np.where(both[:, None], gaps, np.nan))
    if independent > WHITE_SHARE * both.sum():
        return 1.0
    return 1.0 + CLEAR_DEVIATIONS / float(np.sqrt(6.0 * max(independent, 1.0)))


def axis_tolerance(centres: JointCentres, wobble: Floats, options: BodyOptions) -> Floats:
    """Wobble that counts as none, radians, shape (pairs,): given, or from gaps and noise."""
    if options.axis_tolerance_deg is None:
        return noise_tolerance(centres, wobble)
    return np.full(len(centres.residual_m), np.radians(options.axis_tolerance_deg))


def _joint(
    tracks: BodyTracks,
    centres: JointCentres,
    row: int,
    pair: tuple[int, int],
    kind: str,
    used: Booleans,
) -> BodyJoint:
    child, parent = pair
    both: Booleans = used[child] & used[parent]
    in_child, in_parent = centres.in_child[row], centres.in_parent[row]
    ends = np.array([child]), np.array([parent])
    gaps = joint_gaps(tracks, *ends, in_child[None], in_parent[None])[0]
    gaps = np.where(both[:, None], gaps, np.nan)
    residual = float(root_mean_square(gaps[None])[0])
    single = kind == "single-axis"
    return BodyJoint(
        child=child,
        parent=parent,
        centre_in_child=in_child,
        centre_in_parent=in_parent,
        residual_m=residual,
        frames_used=int(both.sum()),
        kind=kind,
        directions_in_child=centres.directions_in_child[row],
        directions_in_parent=centres.directions_in_parent[row],
        wobble=centres.wobble[row],
        deviation_m=_deviation(tracks, pair, gaps, centres.spread_factors()[row]),
        axis_in_child=centres.directions_in_child[row, 0] if single else None,
        axis_in_parent=centres.directions_in_parent[row, 0] if single else None,
    )


def _deviation(tracks: BodyTracks, pair: tuple[int, int], gaps: Floats, factors: Floats) -> Floats:
    """Standard deviation of a joint's place along each direction, metres."""
    frames = int(np.isfinite(gaps).all(axis=1).sum())
    residual = float(root_mean_square(gaps[None])[0])
    # Three coordinates per frame, less the six that the joint's place uses up.
    coordinate = residual * np.sqrt(frames / max(3.0 * frames - 6.0, 1.0))
    independent = max(independent_frames(tracks, *pair, gaps), 1.0)
    known = np.isfinite(factors)
    return np.where(
        known, coordinate * np.where(known, factors, 0.0) / np.sqrt(independent), np.inf
    )
