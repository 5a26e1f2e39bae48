"""Weights for the tree by the likelihood of joints: a gap no wider than noise, and little turning.

The tree of largest likelihood, where joints move independently of each other, is the lightest
spanning tree of the log determinants of relative motion (Chow and Liu 1968): of the joint's gap and
of the rotation. A chain of two joints turns about more axes than either, which tells a neighbour
from the next but one where both gaps are within noise.

White noise is taken out of both. The equation of a joint is linear in rotations and positions, so
it holds for the means of neighbouring frames, too, in which noise is less: as in an analysis of
variance, the gaps of these means exceed what the frames about them say of noise only if they are
more than noise (Fisher 1925).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..geometry.arrays import Booleans, Floats
from .clips import frames_of
from .joint_centres import JointCentres
from .noise import deviations
from .pairs import BLOCK_NUMBERS, PairMoments, side_by_side
from .tracks import BodyTracks
from .tree import TIE_ROUNDING_M

MEAN_SECONDS = 0.1
"""Length of the means: shorter than any movement of the body."""
MIN_MEANS = 6
SURE = 3.0
"""Standard deviations of noise up to which an excess of the gap says nothing."""
POSES = 10.0
"""Independent poses that are compared: a few seconds of motion; any number from 6 to 20
gives the same trees of recorded motion."""
NOISE_LEFT = 0.1
"""Share of the variance of orientation noise that is left when it is subtracted: its estimate is
good to some percent."""
MIN_TURNING_RAD = float(np.radians(1.0))
"""Rotation below which less is no sign of a joint: motion in one plane has little, too."""
NO_EIGENVALUE = 1e-9
"""Relative rotation, square radians, below which a joint's place is open in a direction."""


def likelihood_weights(
    clips: Sequence[BodyTracks],
    used: Booleans,
    moments: PairMoments,
    centres: JointCentres,
    noise: Floats,
) -> Floats:
    """Negative log-likelihood of a joint of every pair.

    Shape (bodies, bodies): the least is 1, the diagonal inf. `used`, shape (bodies, frames of all
    clips); `moments`: of the used frames of all pairs; `centres`: their joints; `noise`: of
    :func:`.orientation_noise`.
    """
    bodies = len(used)
    excess = _excess(clips, used, moments, centres)
    # Variance of the turning about each direction, without the noise of both bodies.
    across = centres.wobble**2
    about = 0.5 * across.sum(axis=1)[:, None] - across
    variances = deviations(noise) ** 2
    white = variances[moments.child] + variances[moments.parent]
    least = np.maximum(NOISE_LEFT * white, MIN_TURNING_RAD**2)
    turning = np.maximum(about - white[:, None], 0.0) + least[:, None]
    found = POSES * (1.5 * np.log(excess) + 0.5 * np.log(turning).sum(axis=1))
    weights = np.full((bodies, bodies), np.inf)
    upper, lower = (moments.child, moments.parent), (moments.parent, moments.child)
    weights[upper] = weights[lower] = np.where(moments.weight > 0.0, found, np.inf)
    return np.asarray(weights - weights.min() + 1.0)


def _excess(
    clips: Sequence[BodyTracks], used: Booleans, moments: PairMoments, centres: JointCentres
) -> Floats:
    """Mean square gap of all pairs beyond white noise, and what cannot be excluded of it.

    Square metres, shape (pairs,). Gaps of means of frames, at the places that fit these best, are
    held against those of frames about these means, as in an analysis of variance. Pairs with too
    few means have the gap of all frames.
    """
    length = max(2, round(MEAN_SECONDS * clips[0].frame_rate))
    normal, count = _normal_of_means(clips, used, length)
    rows = (moments.child, moments.parent)
    normal, count = normal[rows], count[rows]
    few = count < MIN_MEANS
    normal[few], means = np.eye(7), np.where(few, MIN_MEANS, count)
    # Places of the joints in both bodies, shape (pairs, 6); 0 in open directions.
    values, vectors = np.linalg.eigh(normal[:, :6, :6] / means[:, None, None])
    known = values > NO_EIGENVALUE
    inverse = np.divide(1.0, values, out=np.zeros_like(values), where=known)
    pull = np.einsum("pji,pj->pi", vectors, -normal[:, :6, 6] / means[:, None])
    places = np.einsum("pij,pj->pi", vectors, inverse * pull)
    ends = np.concatenate([places, np.ones((len(places), 1))], axis=1)
    squared = np.einsum("pi,pij,pj->p", ends, normal, ends)
    between = length * squared / (3.0 * means - 6.0)
    total = moments.squared_gap(places[:, :3], places[:, 3:])
    frames = np.maximum(3.0 * moments.weight - 6.0, 1.0)
    within = np.maximum(length * total / frames - between, 0.0) / (length - 1.0)
    unsure = SURE * within * np.sqrt(2.0 / (3.0 * means))
    excess = np.where(few, centres.residual_m**2, np.maximum(between - within, 0.0) + unsure)
    return np.asarray(excess + TIE_ROUNDING_M**2)


def _normal_of_means(
    clips: Sequence[BodyTracks], used: Booleans, length: int
) -> tuple[Floats, Floats]:
    """Products of R_child, -R_parent and t_child - t_parent, summed over means of frames.

    Returns shape (bodies, bodies, 7, 7), and the number of means, shape (bodies, bodies): those of
    `length` frames in all of which both bodies count.
    """
    bodies = len(used)
    product = np.zeros((4 * bodies, 4 * bodies))
    own = np.zeros((bodies, 16, bodies))
    count = np.zeros((bodies, bodies))
    step = length * max(1, BLOCK_NUMBERS // (12 * bodies * length))
    for clip, part in zip(clips, frames_of(clips)):
        for start in range(part.start, part.stop - length + 1, step):
            stop = start + min(step, (part.stop - start) // length * length)
            chosen = used[:, start:stop]
            block = slice(start - part.start, stop - part.start)
            rows = side_by_side(clip, block, chosen.astype(np.float64))
            means = rows.reshape(bodies, 4, 3, -1, length) @ np.full(length, 1.0 / length)
            # Only means of frames that all count.
            whole = chosen.reshape(bodies, -1, length).all(axis=-1).astype(np.float64)
            means *= whole[:, None, None]
            flat = means.reshape(4 * bodies, -1)
            product += flat @ flat.T
            squares = np.einsum("iarn,ibrn->iabn", means, means).reshape(bodies, 16, -1)
            own += squares @ whole.T
            count += whole @ whole.T
    cross = np.swapaxes(product.reshape(bodies, 4, bodies, 4), 1, 2)
    ours = np.moveaxis(own.reshape(bodies, 4, 4, bodies), 3, 1)
    theirs = np.swapaxes(ours, 0, 1)
    normal = np.empty((bodies, bodies, 7, 7))
    normal[..., :3, :3] = ours[..., :3, :3]
    normal[..., 3:6, 3:6] = theirs[..., :3, :3]
    normal[..., :3, 3:6] = -cross[..., :3, :3]
    normal[..., :3, 6] = ours[..., :3, 3] - cross[..., :3, 3]
    normal[..., 3:6, 6] = theirs[..., :3, 3] - cross[..., 3, :3]
    normal[..., 3:6, :3] = np.swapaxes(normal[..., :3, 3:6], -1, -2)
    normal[..., 6, :6] = normal[..., :6, 6]
    normal[..., 6, 6] = ours[..., 3, 3] + theirs[..., 3, 3] - 2.0 * cross[..., 3, 3]
    return normal, count
