"""Choice of the tree by the spectral lines of the motion if residuals are not decisive.

Most of the power of a walk is in narrow lines at the stride frequency and its multiples. The motion
of sliding skin, spread over a band, has little power there; its level is measured beside the lines.
A joint is a linear equation, R_c c + t_c = R_p l + t_p, which filtering over time preserves. The
weight of a pair is its evidence: the probability of the measurements with the joint's position
integrated out, under a normal prior for the distances from sensor to joint (MacKay 1992, "Bayesian
interpolation", equation 3.7). The left and right sides of a figure are evaluated together, and
paired by the bodies' mean distances. Any motion has frequencies that stand out by chance, so lines
only count if the lines of one half of a clip stand out in the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..geometry.arrays import AnyArray, Booleans, Floats, Integers
from .clips import frames_of
from .tracks import BodyTracks
from .tree import typical_weight

MAX_HZ = 8.0
"""Highest frequency of body motion."""
NEIGHBOURS_HZ = 0.35
"""Width of the band on either side of a line in which the level is measured."""
MIN_BINS_BESIDE = 4.0
"""Minimum number of bins on either side of a line for measuring the level."""
LINE_TIMES = 1.4 / float(np.log(2.0))
"""Minimum power of a line, in multiples of the median near it: 1.4 times the mean noise."""
MAX_MISSING_SHARE = 0.2
MEDIAN_OF_POWER = 0.9
"""Ratio of median to mean of chi-squared with 6 degrees of freedom, the power of six numbers."""
LEVER_SHARE = 1.1
"""Typical distance from sensor to joint, as a share of the distance between neighbours."""
PRIOR_SHARE = 0.18
"""Prior standard deviation of that distance per axis, also as a share. Both
were chosen on 40 simulated walks and confirmed on further walks."""
CENTRE_PRIOR_SHARE = 0.3
CENTRE_NOISE_FACTOR = 2.0
"""Wider prior and double noise for joint positions, since the lines of rotations are also noisy:
errors are then 1.4 times, not twice, their stated deviation."""
MEAN_DEVIATION_M = 1e-3
"""Standard deviation of a joint's mean gap, metres."""
DISTANCE_FRAMES = 300
"""Number of frames used to measure distances between bodies."""
MAX_BODIES = 60
MIN_PAIRS = 3
MAX_UNLIKE_SHARE = 0.25
"""Largest rms difference of mirrored distances, as a share of the distance between neighbours."""
MAX_MIDDLE_SHARE = 0.25
"""Largest distance of a middle body from the mirror plane, as a share of neighbours' distance."""
MATCHING_ROUND_COUNT = 3


class MotionLines(NamedTuple):
    """Spectral lines of clips, for the three axes and the position of each body.

    `lines`, (rows, 3, bodies, 4): real and imaginary parts; `level`, (rows, bodies, 4): variance
    beside the lines; `means`, (clips, 3, bodies, 4).
    """

    lines: Floats
    level: Floats
    means: Floats


def motion_lines(tracks: BodyTracks, used: Booleans | None = None) -> MotionLines | None:
    """Lines in a clip's spectrum; None without lines, with many gaps, or with too few frames."""
    seen = tracks.present if used is None else tracks.present & used
    if not _has_levels(tracks, seen):
        return None
    spectrum, mean = _spectrum(tracks, seen)
    power = np.sum(np.abs(spectrum) ** 2, axis=1)
    width = _width(tracks)
    total = power.sum(axis=(1, 2))
    chosen = np.flatnonzero(total > LINE_TIMES * _median_beside(total, width))
    if not chosen.size:
        return None
    level = _median_beside(power, width)[chosen] / (3.0 * MEDIAN_OF_POWER) / 2.0
    lines = np.concatenate([spectrum[chosen].real, spectrum[chosen].imag])
    return MotionLines(lines, np.concatenate([level, level]), mean[None])


def _has_levels(tracks: BodyTracks, seen: Booleans) -> bool:
    """Whether a clip is long enough to measure levels, and has few gaps."""
    is_long = tracks.frame_count >= MIN_BINS_BESIDE / NEIGHBOURS_HZ * tracks.frame_rate
    return is_long and bool((~seen).mean(axis=1).max() <= MAX_MISSING_SHARE)


def _spectrum(tracks: BodyTracks, seen: Booleans) -> tuple[AnyArray, Floats]:
    """Spectrum under a Hann window, shape (bins, 3, bodies, 4), and mean, shape (3, bodies, 4)."""
    count = tracks.frame_count
    values = np.concatenate([tracks.matrices(), tracks.positions[..., None]], axis=-1)
    frames = np.arange(count)
    for rows, there in zip(values.reshape(len(tracks), count, 12), seen):
        for column in rows.T:
            column[~there] = np.interp(frames[~there], frames[there], column[there])
    values[..., 3] -= values[..., 3].mean(axis=0)
    window = np.hanning(count)[:, None, None]
    window *= np.sqrt(2.0 / (np.sum(window**2) * count))
    bins = min(int(MAX_HZ * count / tracks.frame_rate) + 1, count // 2)
    moving = (window * (own - own.mean(axis=0)) for own in values)
    spectrum = np.stack([np.fft.rfft(own, axis=0)[:bins] for own in moving], axis=2)
    return spectrum, np.moveaxis(values.mean(axis=1), 1, 0)


def _median_beside(values: AnyArray, width: int) -> Floats:
    """Running median along the first axis over `width` bins on either side."""
    width = min(width, len(values) - 1)
    padded = np.pad(values, [(width, width)] + [(0, 0)] * (values.ndim - 1), mode="reflect")
    return np.stack([np.median(padded[i : i + 2 * width + 1], axis=0) for i in range(len(values))])


def neighbour_distance(means: Floats) -> float:
    """Median distance between neighbours in the shortest tree of mean body positions, metres."""
    places = np.swapaxes(means[..., 3], 1, 2)
    apart = np.linalg.norm(places[:, :, None] - places[:, None], axis=3).mean(axis=0)
    return typical_weight(apart)


def evidence_weights(lines: MotionLines) -> Floats:
    """Negative log evidence that each pair is joined, (bodies, bodies), with minimum 1."""
    bodies = lines.means.shape[2]
    scale = neighbour_distance(lines.means)
    prior = (PRIOR_SHARE * scale) ** 2
    weights = np.full((bodies, bodies), np.inf)
    for one in range(1, bodies):
        moments, log_deviations = _problem(lines, one, np.arange(one), scale)
        normal = moments[:, :6, :6] + np.eye(6) / prior
        pull, squared = moments[:, :6, 6], moments[:, 6, 6]
        explained = np.sum(pull * np.linalg.solve(normal, pull[..., None])[..., 0], axis=1)
        freedom = np.linalg.slogdet(normal * prior)[1]
        found = 0.5 * (squared - explained) + 0.5 * freedom + log_deviations
        weights[one, :one] = weights[:one, one] = found
    return np.asarray(weights - weights.min() + 1.0)


def line_centres(
    lines: MotionLines, child: Integers, parent: Integers
) -> tuple[Floats, Floats, Floats]:
    """Joint positions in child and parent, metres, (pairs, 3), and covariances in the child."""
    scale = neighbour_distance(lines.means)
    places, covariances = np.empty((len(child), 6)), np.empty((len(child), 3, 3))
    for row, (one, other) in enumerate(zip(child.tolist(), parent)):
        (moments,), _ = _problem(lines, one, np.array([other]), scale, CENTRE_NOISE_FACTOR)
        normal = moments[:6, :6] + np.eye(6) / (CENTRE_PRIOR_SHARE * scale) ** 2
        inverse = np.linalg.inv(normal)
        places[row] = inverse @ moments[:6, 6]
        covariances[row] = inverse[:3, :3]
    return places[:, :3], places[:, 3:], covariances


def _problem(
    lines: MotionLines, one: int, others: Integers, scale: float, noise: float = 1.0
) -> tuple[Floats, Floats]:
    """Products of the columns of weighted equations, (others, 7, 7), and sums of log deviations."""
    shifted = lines.level[:, one, 3, None] + lines.level[:, others, 3]
    turned = lines.level[:, one, :3].sum(axis=1)[:, None] + lines.level[:, others, :3].sum(axis=2)
    variance = noise * np.maximum(shifted + turned * (LEVER_SHARE * scale) ** 2 / 3.0, 1e-18)
    rows = _equations(lines.lines, one, others) / np.sqrt(variance).T[:, :, None, None]
    mean = _equations(lines.means, one, others) / MEAN_DEVIATION_M
    design = np.concatenate([rows, mean], axis=1).reshape(len(others), -1, 7)
    return np.swapaxes(design, 1, 2) @ design, 1.5 * np.log(variance).sum(axis=0)


def _equations(values: Floats, one: int, others: Integers) -> Floats:
    """Equations with columns R_one, -R_other and t_other - t_one, shape (others, rows, 3, 7)."""
    theirs = np.moveaxis(values[:, :, others], 2, 0)
    ours = np.broadcast_to(values[:, :, one], theirs.shape)
    return np.concatenate(
        [ours[..., :3], -theirs[..., :3], theirs[..., 3:] - ours[..., 3:]], axis=-1
    )


def lines_of_clips(
    clips: Sequence[BodyTracks], used: Booleans, lasting: bool = False
) -> MotionLines | None:
    """Spectral lines of all clips, pooled as evidence for the same joints; None without lines.

    `lasting`: use only clips whose lines last (:func:`lines_last`).
    """
    parts = [(clip, used[:, part]) for clip, part in zip(clips, frames_of(clips))]
    found = [motion_lines(*part) for part in parts if not lasting or lines_last(*part)]
    lines = [one for one in found if one is not None]
    if not lines:
        return None
    return MotionLines(*(np.concatenate(values) for values in zip(*lines)))


def lines_last(tracks: BodyTracks, used: Booleans) -> bool:
    """Whether frequency peaks in each half of a clip also appear in the other, as strides do."""
    half = tracks.frame_count // 2
    halves = []
    for part in (slice(0, half), slice(half, 2 * half)):
        clip = tracks.keep_frames(range(part.start, part.stop))
        seen: Booleans = clip.present & used[:, part]
        if not _has_levels(clip, seen):
            return False
        power = np.sum(np.abs(_spectrum(clip, seen)[0]) ** 2, axis=(1, 2, 3))
        # Slow drift has most of its power in the first bins, in every clip.
        width = _width(clip)
        halves.append((power[width:], _median_beside(power, width)[width:]))
    found = expected = 0.0
    for (here, level), (there, level_there) in (halves, halves[::-1]):
        chosen = here > LINE_TIMES * level
        found, expected = found + there[chosen].sum(), expected + level_there[chosen].sum()
    return bool(found > LINE_TIMES * expected)


def _width(tracks: BodyTracks) -> int:
    """Number of bins on either side of a line in which the level is measured."""
    return max(4, round(NEIGHBOURS_HZ * tracks.frame_count / tracks.frame_rate))


def mean_distances(clips: Sequence[BodyTracks]) -> Floats:
    """Mean distance between bodies, metres, (bodies, bodies); NaN if never seen together."""
    total, count = np.zeros((2, len(clips[0]), len(clips[0])))
    for clip in clips:
        step = max(1, clip.frame_count // DISTANCE_FRAMES)
        few = clip.keep_frames(range(0, clip.frame_count, step))
        places = np.where(few.present[..., None], few.positions, 0.0)
        for body, (place, seen) in enumerate(zip(places, few.present)):
            both = few.present & seen
            total[body] += np.sum(np.linalg.norm(places - place, axis=2) * both, axis=1)
            count[body] += both.sum(axis=1)
    return np.asarray(np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0))


def mirror_partners(distances: Floats) -> Integers | None:
    """Mirror image of each body, (bodies,); a middle body is its own; None if not symmetric.

    Each pair of bodies is tried; the other pairs follow from their distances to it.
    """
    bodies = len(distances)
    if not 2 * MIN_PAIRS <= bodies <= MAX_BODIES or not np.isfinite(distances).all():
        return None
    neighbour = typical_weight(distances)
    best, most, least = None, 0, np.inf
    for one in range(bodies):
        for other in range(one):
            partner = _match_bodies(distances, one, other)
            if partner is None or not _middle_is_flat(distances, partner, neighbour):
                continue
            pairs = int(np.sum(partner != np.arange(bodies)))
            error = float(np.sqrt(np.mean((distances - distances[np.ix_(partner, partner)]) ** 2)))
            if error < MAX_UNLIKE_SHARE * neighbour and (-pairs, error) < (-most, least):
                best, most, least = partner, pairs, error
    return best


def _middle_is_flat(distances: Floats, partner: Integers, neighbour: float) -> bool:
    """Whether the bodies on the mirror plane, and no others, are their own partners."""
    bodies = np.arange(len(distances))
    first = bodies[partner > bodies]
    second = partner[first]
    # Order each pair by side: its first body is on the same side as that of the widest pair.
    widest = int(np.argmax(distances[first, second]))
    turned = distances[first, first[widest]] > distances[first, second[widest]]
    first, second = np.where(turned, second, first), np.where(turned, first, second)
    here, there, across = distances[:, first], distances[:, second], distances[first, second]
    off = (here**2 - there**2) / (2.0 * across)
    # A displaced sensor distorts distant pairs, which get less weight; its own pair gets none.
    own = (bodies[:, None] == first) | (bodies[:, None] == second)
    weights = np.where(own, 0.0, (across / np.maximum(here + there, 1e-9)) ** 2)
    away = np.abs(np.average(off, axis=1, weights=weights))
    middle = partner == bodies
    reach = min(MAX_MIDDLE_SHARE * neighbour, away[~middle].min())
    return not middle.any() or bool(away[middle].max() < reach)


def _match_bodies(distances: Floats, one: int, other: int) -> Integers | None:
    """Partners of all bodies, assuming `one` and `other` are partners; None unless all have one."""
    bodies = np.arange(len(distances))
    known, partner = np.array([one, other]), bodies.copy()
    partner[known] = known[::-1]
    for _ in range(MATCHING_ROUND_COUNT):
        here, there = distances[:, known], distances[:, partner[known]]
        unlike = np.sum(here**2, axis=1)[:, None] + np.sum(there**2, axis=1) - 2.0 * here @ there.T
        partner = np.argmin(unlike + unlike.T, axis=1)
        known = bodies[partner[partner] == bodies]
        if not len(known):
            return None
    found = len(known) == len(bodies) and np.sum(partner > bodies) >= MIN_PAIRS
    return partner if found else None


def symmetrise(weights: Floats, partner: Integers) -> Floats:
    """Tree weights that combine each pair with its mirror image, (bodies, bodies).

    If there is a middle body, partners are not joined: a symmetric tree would contain a ring.
    """
    mirrored = weights[np.ix_(partner, partner)]
    both = np.where(np.isfinite(mirrored), 0.5 * (weights + mirrored), weights)
    bodies = np.arange(len(weights))
    if np.any(partner == bodies):
        across = bodies[partner != bodies]
        both[across, partner[across]] = np.inf
    return np.asarray(both)
