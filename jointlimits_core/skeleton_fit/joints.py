"""Joints between chosen pairs of bodies: gaps, positions on their axes, and uncertainties.

A single-axis joint fits equally well anywhere along its axis. It is placed where the path from one
body's joints, via the axis, to the other body's joints is shortest, just as a knee lies where the
line from hip to ankle crosses its axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..geometry.arrays import Booleans, Floats
from . import likelihood, residuals, result, spectral
from .joint_centres import (
    MIN_TOLERANCE_RAD,
    JointCentres,
    PairMoments,
    joint_centres,
    kinds,
    noise_tolerance,
)
from .tracks import BodyTracks

LEAN_RAD = 0.1
"""Standard deviation, radians, of a limb's lean away from the perpendicular to its joint's axis."""
MAX_SWEEPS = 100
STILL_M = 1e-6
"""Largest step, metres per sweep, of a joint that counts as settled."""
INDEPENDENT_SHARE = 0.5
"""Minimum squared gap, as a share of what independent orientation noise is expected to cause."""
MIN_CLEAR_DEVIATIONS = 2.5
MAX_STILL_DEVIATIONS = 3.0
"""Largest rotation that counts as none, in standard errors of the measured noise; under 1 % of
still pairs exceed it."""
WELL_PLACED_M = 0.004
"""Largest acceptable standard deviation, metres, of a position found from little rotation."""
WHITE_SHARE = 0.5
"""Share of the frames that must be independent for gaps to count as white noise."""


def place_on_axes(
    tracks: BodyTracks, used: Booleans, joints: Sequence[result.BodyJoint]
) -> list[result.BodyJoint]:
    """Place single-axis joints where limbs cross their axes, with the uncertainty of each."""
    placed = list(joints)
    known = [np.isfinite(joint.deviation_m) for joint in joints]
    open_rows = [
        row
        for row, joint in enumerate(joints)
        if joint.kind == "single-axis" and not known[row][0] and known[row][1:].all()
    ]
    for _ in range(MAX_SWEEPS):
        longest = 0.0
        for row in open_rows:
            joint, (along, away) = placed[row], _neighbours_across(placed, row)
            if along.size:
                # The straight path crosses the axis closer to the end that is nearer the axis.
                step = float(np.average(along, weights=1.0 / away))
                placed[row] = replace(
                    joint,
                    centre_in_child=joint.centre_in_child + step * joint.directions_in_child[0],
                    centre_in_parent=joint.centre_in_parent + step * joint.directions_in_parent[0],
                )
                longest = max(longest, abs(step))
        if longest < STILL_M:
            break
    for row in open_rows:
        joint, (_, away) = placed[row], _neighbours_across(placed, row)
        if away.size:
            # Each side's error is its lean times its distance; its weight is 1 / distance.
            on_axis = LEAN_RAD * float(np.sqrt(len(away)) / np.sum(1.0 / away))
        else:
            # Assume a deviation of the rms distance across the axis: two levers, two directions.
            ends = (
                (joint.centre_in_child, joint.directions_in_child[0]),
                (joint.centre_in_parent, joint.directions_in_parent[0]),
            )
            levers = [centre - (centre @ axis) * axis for centre, axis in ends]
            on_axis = float(np.linalg.norm(levers) / 2.0)
        both = used[None, joint.child] & used[joint.parent]
        gap = residuals.root_mean_square(residuals.joint_gap(tracks, *joint.ends)[None], both)
        placed[row] = replace(joint, residual_m=float(gap[0]), on_axis_m=on_axis)
    return placed


def _neighbours_across(joints: Sequence[result.BodyJoint], row: int) -> tuple[Floats, Floats]:
    """Distances along and from the axis, metres, of neighbouring joints that lie beside it."""
    joint = joints[row]
    above = [other.centre_in_child for other in joints if other.child == joint.parent]
    beside = [
        other.centre_in_parent
        for other in joints
        if other.parent == joint.parent and other is not joint
    ]
    below = [other.centre_in_parent for other in joints if other.parent == joint.child]
    found = []
    for others, centre, axis in (
        (above or beside, joint.centre_in_parent, joint.directions_in_parent[0]),
        (below, joint.centre_in_child, joint.directions_in_child[0]),
    ):
        if others:
            step = np.mean(others, axis=0) - centre
            distance = float(step @ axis)
            found.append((distance, float(np.linalg.norm(step - distance * axis))))
    across = np.array([one for one in found if one[1] > abs(one[0])]).reshape(-1, 2)
    return across[:, 0], across[:, 1]


def is_independent(
    residual_m: Floats, in_child: Floats, in_parent: Floats, noise: Floats
) -> Booleans:
    """Whether orientation noise is independent of position noise, shape (pairs,).

    Independent noise adds a mean squared gap of c' (tr Q - Q) c at a lever c. If gaps are smaller,
    bodies were rotated about their joints, as in a solved skeleton. `noise`, shape (pairs, 2, 3,
    3): covariances Q of child and parent, square radians.
    """
    levers = np.stack([in_child, in_parent], axis=1)
    total = np.trace(noise, axis1=2, axis2=3) * np.sum(levers**2, axis=2)
    opened = np.sum(total - np.einsum("psi,psij,psj->ps", levers, noise, levers), axis=1)
    return np.asarray(residual_m**2 >= INDEPENDENT_SHARE * opened)


def fit_joints(
    tracks: BodyTracks,
    moments: PairMoments,
    pairs: Sequence[tuple[int, int]],
    used: Booleans,
    noise: Floats,
    lines: spectral.MotionLines | None,
) -> list[result.BodyJoint]:
    """Joints of pairs (child, parent) with exact gaps, placed by motion lines if given."""
    if not pairs:
        return []
    child, parent = np.array(pairs, dtype=np.int64).T
    centres, names = _centres(tracks, moments.select_pairs(child, parent), used, noise)
    covariances = None
    if lines is not None:
        in_child, in_parent, covariances = spectral.line_centres(lines, child, parent)
        centres = replace(centres, in_child=in_child, in_parent=in_parent)
    found = []
    for row, pair in enumerate(pairs):
        joint = _fit_joint(tracks, pair, centres, row, names[row], used)
        if covariances is not None:
            directions = joint.directions_in_child
            deviation = np.sqrt(np.einsum("kd,de,ke->k", directions, covariances[row], directions))
            known = np.isfinite(joint.deviation_m)
            joint = replace(joint, deviation_m=np.where(known, deviation, np.inf))
        found.append(joint)
    return found


def _fit_joint(
    tracks: BodyTracks,
    pair: tuple[int, int],
    centres: JointCentres,
    row: int,
    kind: str,
    used: Booleans,
) -> result.BodyJoint:
    """Joint of one pair, with its gap and the position deviation that follows from the gap."""
    one, other = pair
    both: Booleans = used[one] & used[other]
    frames = int(both.sum())
    ends = centres.in_child[row], centres.in_parent[row]
    gaps = np.where(both[:, None], residuals.joint_gap(tracks, one, other, *ends), np.nan)
    residual = float(residuals.root_mean_square(gaps[None], both[None])[0])
    independent = max(residuals.independent_frames(tracks, one, other, gaps), 1.0)
    in_one, in_other = centres.directions_in_child[row], centres.directions_in_parent[row]
    # Each frame has three coordinates; the joint's position uses up six of them in all.
    coordinate = residual * np.sqrt(frames / max(3.0 * frames - 6.0, 1.0))
    factors = centres.spread_factors()[row]
    known = np.isfinite(factors)
    deviation = coordinate * np.where(known, factors, 0.0) / np.sqrt(independent)
    single = kind == "single-axis"
    return result.BodyJoint(
        child=one,
        parent=other,
        centre_in_child=ends[0],
        centre_in_parent=ends[1],
        residual_m=residual,
        frames_used=frames,
        kind=kind,
        directions_in_child=in_one,
        directions_in_parent=in_other,
        wobble=centres.wobble[row],
        deviation_m=np.where(known, deviation, np.inf),
        independent_frames=independent,
        axis_in_child=in_one[0] if single else None,
        axis_in_parent=in_other[0] if single else None,
    )


def _centres(
    tracks: BodyTracks, moments: PairMoments, used: Booleans, noise: Floats
) -> tuple[JointCentres, list[str]]:
    """Positions and kinds of joints; rotation within orientation noise counts as no motion."""
    plain = joint_centres(moments)
    both = np.stack([noise[moments.child], noise[moments.parent]], axis=1)
    alone = is_independent(plain.residual_m, plain.in_child, plain.in_parent, both)
    factors = np.where(alone[:, None, None, None], likelihood.shrinkage(both), np.eye(3))
    cleaned = moments.without_shrinkage(factors[:, 0], factors[:, 1])

    wobble = np.sqrt(2.0 * np.sum(likelihood.deviations(both) ** 2, axis=1))
    still, single = (noise_tolerance(plain, w) for w in (np.where(alone, wobble, 0.0), wobble))
    # White noise that remains after its measured size is subtracted.
    size = np.linalg.norm(both, axis=(2, 3)).sum(axis=1)
    error = size * np.sqrt(0.5 * likelihood.SCATTER / np.maximum(moments.weight, 1.0))
    least = np.minimum(
        np.maximum(np.sqrt(2.0 * MAX_STILL_DEVIATIONS * error), MIN_TOLERANCE_RAD), still
    )
    free = joint_centres(cleaned)
    measured: Booleans = alone & (np.trace(both, axis1=2, axis2=3) > 0.0).all(axis=1)
    # Only if the gaps determine no position at all, so a slip does not turn a hinge into a ball.
    measured &= (free.wobble[:, 1] <= still) & (free.wobble[:, 2] > least)
    factors = joint_centres(cleaned, least).spread_factors()
    for row in np.flatnonzero(measured).tolist():
        pair = int(moments.child[row]), int(moments.parent[row])
        white, independent = _whiteness(tracks, used, free, row, *pair)
        largest = float(factors[row][np.isfinite(factors[row])].max(initial=0.0))
        if white and largest * free.residual_m[row] <= WELL_PLACED_M * np.sqrt(3.0 * independent):
            still[row] = single[row] = least[row]
    centres = joint_centres(cleaned, still)
    return centres, kinds(centres, single)


def clear_ratio(
    tracks: BodyTracks, moments: PairMoments, used: Booleans, child: int, parent: int
) -> float:
    """Ratio of another pair's gap to a joint's gap above which they differ significantly.

    It is 1 + 2.5 standard deviations: the rms of n independent gaps with three coordinates has a
    relative error of 1 / sqrt(6 n). For white gaps, which their rms describes completely, it is 1.
    """
    centres = joint_centres(moments.select_pairs([child], [parent]))
    white, independent = _whiteness(tracks, used, centres, 0, child, parent)
    if white:
        return 1.0
    return 1.0 + MIN_CLEAR_DEVIATIONS / float(np.sqrt(6.0 * max(independent, 1.0)))


def _whiteness(
    tracks: BodyTracks, used: Booleans, centres: JointCentres, row: int, child: int, parent: int
) -> tuple[bool, float]:
    """Whether the gaps of a joint are white noise, and the number of independent frames."""
    gaps = residuals.joint_gap(tracks, child, parent, centres.in_child[row], centres.in_parent[row])
    both: Booleans = used[child] & used[parent]
    independent = residuals.independent_frames(
        tracks, child, parent, np.where(both[:, None], gaps, np.nan)
    )
    return independent > WHITE_SHARE * float(both.sum()), independent
