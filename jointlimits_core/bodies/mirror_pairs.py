"""Left and right of a figure, told from where its bodies are on average, without their names.

Most figures have two sides that are alike. Where skin slides, what the bodies of one side say of
a joint is weak, and so is what those of the other say; together they say it twice. And where a
body in the middle has its own mirror image, two that are each other's are not joined: a tree that
its mirror image leaves as it is would have a ring otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arrays import Floats, Integers
from .hierarchy import spanning_forest
from .tracks import BodyTracks

LOOKED_AT = 300
"""Frames that say how far bodies are from each other."""
MOST_BODIES = 60
FEWEST_PAIRS = 3
ALIKE = 0.25
"""How much distances may change, rms, as a share of the distance between neighbours."""
MIDDLE = 0.25
"""Distance from the middle up to which a body is its own mirror image, the same."""
ROUNDS = 3


def mean_distances(clips: Sequence[BodyTracks]) -> Floats:
    """Mean distance of every two bodies over the frames in which both were seen.

    Returns
    -------
    array, shape (bodies, bodies)
        Metres; NaN for two that were never seen together.
    """
    total, count = np.zeros((2, len(clips[0]), len(clips[0])))
    for clip in clips:
        few = clip.take(range(0, clip.frame_count, max(1, clip.frame_count // LOOKED_AT)))
        places = np.where(few.present[..., None], few.positions, 0.0)
        for body, (place, seen) in enumerate(zip(places, few.present)):
            both = few.present & seen
            total[body] += np.sum(np.linalg.norm(places - place, axis=2) * both, axis=1)
            count[body] += both.sum(axis=1)
    return np.asarray(np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0))


def mirror_partners(distances: Floats) -> Integers | None:
    """Which body is the mirror image of which.

    A figure is its mirror image where distances do not change when every body is put in its
    partner's place. Each two bodies are tried as each other's partners, and what that makes of
    the others is worked out from their distances to those that have partners already.

    Parameters
    ----------
    distances : array, shape (bodies, bodies)
        Of :func:`mean_distances`.

    Returns
    -------
    array of int, shape (bodies,), or None
        Each body's partner; itself for one in the middle. None for what has no two sides.
    """
    bodies = len(distances)
    if not 2 * FEWEST_PAIRS <= bodies <= MOST_BODIES or not np.isfinite(distances).all():
        return None
    neighbour = float(np.median([distances[edge] for edge in spanning_forest(distances)]))
    best, most, least = None, 0, np.inf
    for one in range(bodies):
        for other in range(one):
            partner = _matched(distances, one, other)
            if partner is None or not _middle_is_flat(distances, partner, MIDDLE * neighbour):
                continue
            pairs = int(np.sum(partner != np.arange(bodies)))
            error = float(np.sqrt(np.mean((distances - distances[np.ix_(partner, partner)]) ** 2)))
            if error < ALIKE * neighbour and (-pairs, error) < (-most, least):
                best, most, least = partner, pairs, error
    return best


def _middle_is_flat(distances: Floats, partner: Integers, reach: float) -> bool:
    """Whether bodies are their own partners where they are on the plane, and only there."""
    bodies = np.arange(len(distances))
    first = bodies[partner > bodies]
    second = partner[first]
    # Which of each two is on the side of the pair that is farthest apart.
    widest = int(np.argmax(distances[first, second]))
    turned = distances[first, first[widest]] > distances[first, second[widest]]
    first, second = np.where(turned, second, first), np.where(turned, first, second)
    here, there, across = distances[:, first], distances[:, second], distances[first, second]
    off = (here**2 - there**2) / (2.0 * across)
    # Where a sensor is a little off its place, far pairs say little. Its own pair has no say.
    own = (bodies[:, None] == first) | (bodies[:, None] == second)
    say = np.where(own, 0.0, (across / np.maximum(here + there, 1e-9)) ** 2)
    away = np.abs(np.average(off, axis=1, weights=say))
    middle = partner == bodies
    return not middle.any() or bool(away[middle].max() < min(reach, away[~middle].min()))


def _matched(distances: Floats, one: int, other: int) -> Integers | None:
    """Partners of all, if these two are partners; None if somebody is left over."""
    bodies = np.arange(len(distances))
    known, partner = np.array([one, other]), bodies.copy()
    partner[known] = known[::-1]
    for _ in range(ROUNDS):
        here, there = distances[:, known], distances[:, partner[known]]
        unlike = np.sum(here**2, axis=1)[:, None] + np.sum(there**2, axis=1) - 2.0 * here @ there.T
        partner = np.argmin(unlike + unlike.T, axis=1)
        known = bodies[partner[partner] == bodies]
        if not len(known):
            return None
    found = len(known) == len(bodies) and np.sum(partner > bodies) >= FEWEST_PAIRS
    return partner if found else None


def with_both_sides(weights: Floats, partner: Integers) -> Floats:
    """Weights for the tree that say for each pair what it and its mirror image say together.

    Parameters
    ----------
    weights : array, shape (bodies, bodies)
        inf for pairs that are not joined.
    partner : array of int, shape (bodies,)

    Returns
    -------
    array, shape (bodies, bodies)
    """
    mirrored = weights[np.ix_(partner, partner)]
    both = np.where(np.isfinite(mirrored), 0.5 * (weights + mirrored), weights)
    bodies = np.arange(len(weights))
    if np.any(partner == bodies):
        across = bodies[partner != bodies]
        both[across, partner[across]] = np.inf
    return np.asarray(both)
