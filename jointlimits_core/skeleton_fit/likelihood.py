"""White noise in tracks, and tree weights from the likelihood of joints.

White noise is measured from fourth and sixth differences between frames; the two must agree, as
bodies move smoothly and skin slides slowly. The most likely tree is the minimum spanning tree whose
weights are log determinants of relative motion (Chow and Liu 1968), those of the joint's gap and of
the rotation. White noise is subtracted from both: as in an analysis of variance, gaps averaged over
neighbouring frames exceed what single frames predict only if they are more than noise (Fisher
1925).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

import numpy as np

from ..geometry.arrays import Booleans, Floats
from ..geometry.quaternion import conjugate, multiply, rotation_vector_from_quaternion
from . import joint_centres, tree
from .clips import frames_of
from .tracks import BodyTracks

ORDERS = (4, 6)
MAX_DISAGREEMENT_SHARE = 0.15
"""Largest difference between results for both orders of differences, as a share, in white noise."""
SCATTER = comb(4 * ORDERS[1], 2 * ORDERS[1]) / comb(2 * ORDERS[1], ORDERS[1]) ** 2 - 1.0
"""Variance of the mean square of white noise after the measured noise is subtracted, as a multiple
of the variance before: noise measured from differences scatters more than the mean square."""
MAX_NEGLIGIBLE_NOISE = 1e-4
"""Largest noise, radians or metres, that is negligible whether it is white or not."""
MIN_FRAMES = 60
MEDIAN_OF_NORMAL = 0.6745
"""Median of the absolute value of a standard normal number."""
MAX_JUMP_FACTOR = 5.0
"""A difference counts as a jump if it exceeds the usual difference by this factor."""
MAX_STILL_FACTOR = 1.05
STILL_RAD, STILL_M = float(np.radians(0.25)), 2e-3
"""Motion up to this factor times the white noise, plus 0.25 degrees or 2 mm rms because optical
clusters drift, counts as none."""
MEAN_SECONDS = 0.1
"""Length of the blocks of frames that are averaged: shorter than any movement of the body."""
MIN_MEANS = 6
MAX_EXCESS_DEVIATIONS = 3.0
"""Largest excess of a gap over noise that is ignored, in standard deviations of the noise."""
POSE_COUNT = 10.0
"""Assumed number of independent poses, as in a few seconds of motion; any number from 6 to 20 gives
the same trees for recorded motion."""
NOISE_LEFT_SHARE = 0.1
"""Share of the orientation noise's variance that is left after subtraction, since the estimate is
only accurate to a few percent."""
MIN_TURNING_RAD = float(np.radians(1.0))
"""Lower bound for rotation; less rotation, as in planar motion, is no evidence of a joint."""
MIN_EIGENVALUE = 1e-9
"""With less relative rotation, square radians, a joint's position in a direction is unknown."""


def orientation_noise(tracks: BodyTracks, used: Booleans) -> Floats:
    """Covariances of white noise in the bodies' own axes, radians squared, (bodies, 3, 3)."""
    found = np.zeros((len(tracks), 3, 3))
    for body in range(len(tracks)):
        turns = tracks.rotations[body].T
        steps = rotation_vector_from_quaternion(multiply(conjugate(turns[:-1]), turns[1:]))
        # Steps already contain first differences of the noise.
        found[body] = _white_noise(steps, used[body, 1:] & used[body, :-1])
    return found


def deviations(noise: Floats) -> Floats:
    """Standard deviation per component, shape (...), from covariances of shape (..., 3, 3)."""
    return np.asarray(np.sqrt(np.trace(noise, axis1=-2, axis2=-1) / 3.0))


def _white_noise(steps: Floats, good: Booleans) -> Floats:
    """Covariance, (3, 3), of the white noise in a series, from its first differences."""
    low, high = ORDERS
    differences = np.diff(steps, low - 1, axis=0)
    first = _covariance(differences, good, low)
    second = _covariance(np.diff(differences, high - low, axis=0), good, high)
    size = float(deviations(second))
    agree = abs(float(deviations(first)) - size) <= MAX_DISAGREEMENT_SHARE * size
    return second if agree or size < MAX_NEGLIGIBLE_NOISE else np.zeros((3, 3))


def _covariance(differences: Floats, good: Booleans, order: int) -> Floats:
    """Covariance of white noise from differences of one order; `good`: first differences to use."""
    if len(differences):
        whole = np.lib.stride_tricks.sliding_window_view(good, order).all(axis=1)
        differences = differences[whole]
    if len(differences) < MIN_FRAMES:
        return np.zeros((3, 3))
    # Jumps of swapped or slipped bodies are not noise.
    sizes = np.abs(np.ascontiguousarray(differences.T))
    typical = np.median(sizes, axis=1)[:, None] / MEDIAN_OF_NORMAL
    kept = differences[np.logical_and.reduce(sizes <= MAX_JUMP_FACTOR * typical)]
    return np.asarray(kept.T @ kept / len(kept) / comb(2 * order, order))


def shrinkage(noise: Floats) -> Floats:
    """Factors S = exp(-(tr Q - Q) / 2), (..., 3, 3), by which noise Q shrinks mean rotations."""
    values, vectors = np.linalg.eigh(noise)
    factors = np.exp(-0.5 * (values.sum(axis=-1, keepdims=True) - values))
    return np.asarray((vectors * factors[..., None, :]) @ np.swapaxes(vectors, -1, -2))


def still_bodies(tracks: BodyTracks, used: Booleans, noise: Floats) -> Booleans:
    """Bodies that do not move in the world, (bodies,), such as the floor; none if all are still."""
    still: Booleans = np.zeros(len(tracks), dtype=bool)
    for body, seen in enumerate(used):
        if seen.sum() < 3:
            continue
        places, turns = tracks.positions[body][seen], tracks.rotations[body][:, seen]
        # The largest eigenvalue of the mean of q q' is 1 minus a quarter of the mean squared angle.
        turned = 4.0 * (1.0 - float(np.linalg.eigvalsh(turns @ turns.T / seen.sum())[-1]))
        if not _is_still(turned, deviations(noise[body]), STILL_RAD):
            continue
        moved = float(np.mean(np.sum((places - places.mean(axis=0)) ** 2, axis=1)))
        steps = np.diff(tracks.positions[body], axis=0)
        shaken = deviations(_white_noise(steps, seen[1:] & seen[:-1]))
        still[body] = _is_still(moved, shaken, STILL_M)
    return still if not still.all() else np.zeros_like(still)


def _is_still(squared: float, noise: Floats, least: float) -> bool:
    """Whether white noise in three components explains a mean square."""
    return bool(squared <= 3.0 * (MAX_STILL_FACTOR * noise) ** 2 + least**2)


def likelihood_weights(
    clips: Sequence[BodyTracks],
    used: Booleans,
    moments: joint_centres.PairMoments,
    centres: joint_centres.JointCentres,
    noise: Floats,
) -> Floats:
    """Negative log-likelihood that each pair is joined, (bodies, bodies), with minimum 1."""
    bodies = len(used)
    excess = _excess(clips, used, moments, centres)
    # Variance of the rotation about each direction, from which both bodies' noise is subtracted.
    across = centres.wobble**2
    about = 0.5 * across.sum(axis=1)[:, None] - across
    variances = deviations(noise) ** 2
    white = variances[moments.child] + variances[moments.parent]
    least = np.maximum(NOISE_LEFT_SHARE * white, MIN_TURNING_RAD**2)
    turning = np.maximum(about - white[:, None], 0.0) + least[:, None]
    found = POSE_COUNT * (1.5 * np.log(excess) + 0.5 * np.log(turning).sum(axis=1))
    weights = np.full((bodies, bodies), np.inf)
    upper, lower = (moments.child, moments.parent), (moments.parent, moments.child)
    weights[upper] = weights[lower] = np.where(moments.weight > 0.0, found, np.inf)
    return np.asarray(weights - weights.min() + 1.0)


def _excess(
    clips: Sequence[BodyTracks],
    used: Booleans,
    moments: joint_centres.PairMoments,
    centres: joint_centres.JointCentres,
) -> Floats:
    """Mean square gap in excess of white noise, plus its uncertainty, square metres, (pairs,)."""
    length = max(2, round(MEAN_SECONDS * clips[0].frame_rate))
    normal, count = _normal_of_means(clips, used, length)
    rows = (moments.child, moments.parent)
    normal, count = normal[rows], count[rows]
    few = count < MIN_MEANS
    normal[few], means = np.eye(7), np.where(few, MIN_MEANS, count)
    # Positions of the joints in both bodies, shape (pairs, 6); 0 in unknown directions.
    values, vectors = np.linalg.eigh(normal[:, :6, :6] / means[:, None, None])
    known = values > MIN_EIGENVALUE
    inverse = np.divide(1.0, values, out=np.zeros_like(values), where=known)
    pull = np.einsum("pji,pj->pi", vectors, -normal[:, :6, 6] / means[:, None])
    places = np.einsum("pij,pj->pi", vectors, inverse * pull)
    ends = np.concatenate([places, np.ones((len(places), 1))], axis=1)
    squared = np.einsum("pi,pij,pj->p", ends, normal, ends)
    between = length * squared / (3.0 * means - 6.0)
    total = moments.squared_gap(places[:, :3], places[:, 3:])
    frames = np.maximum(3.0 * moments.weight - 6.0, 1.0)
    within = np.maximum(length * total / frames - between, 0.0) / (length - 1.0)
    unsure = MAX_EXCESS_DEVIATIONS * within * np.sqrt(2.0 / (3.0 * means))
    excess = np.where(few, centres.residual_m**2, np.maximum(between - within, 0.0) + unsure)
    return np.asarray(excess + tree.TIE_ROUNDING_M**2)


def _normal_of_means(
    clips: Sequence[BodyTracks], used: Booleans, length: int
) -> tuple[Floats, Floats]:
    """Products of block means of R_child, -R_parent and t_child - t_parent, and block counts."""
    bodies = len(used)
    step = length * max(1, joint_centres.BLOCK_COUNT // (12 * bodies * length))

    def blocks() -> Iterator[tuple[Floats, Floats]]:
        for clip, part in zip(clips, frames_of(clips)):
            for start in range(part.start, part.stop - length + 1, step):
                stop = start + min(step, (part.stop - start) // length * length)
                chosen = used[:, start:stop]
                block = slice(start - part.start, stop - part.start)
                rows = joint_centres.side_by_side(clip, block, chosen.astype(np.float64))
                means = rows.reshape(bodies, 4, 3, -1, length) @ np.full(length, 1.0 / length)
                # Only blocks in which all frames count.
                yield means, chosen.reshape(bodies, -1, length).all(axis=-1).astype(np.float64)

    products, _, count = joint_centres.pair_products(blocks(), bodies)
    # R_child, -R_parent and t_child - t_parent as combinations of all eight columns.
    wanted = np.delete(np.diag([1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0]), 3, axis=1)
    wanted[3, 6] = 1.0
    return wanted.T @ products @ wanted, count
