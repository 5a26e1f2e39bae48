"""Left and right of a figure, found from its bodies' mean distances, without their names.

Most figures have two similar sides. Where skin slides, the evidence for a joint on each side is
weak; together it counts twice. And where a body in the middle is its own mirror image, two mirrored
bodies are not joined to each other: a symmetric tree would contain a ring otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..geometry import Floats, Integers
from .tracks import BodyTracks
from .tree import spanning_forest

LOOKED_AT = 300
"""Frames used to measure distances between bodies."""
MOST_BODIES = 60
FEWEST_PAIRS = 3
ALIKE = 0.25
"""Largest rms change of distances, as a share of the distance between neighbours."""
MIDDLE = 0.25
"""Largest distance from the middle of a body that is its own mirror image, in the same unit."""
ROUNDS = 3


def mean_distances(clips: Sequence[BodyTracks]) -> Floats:
    """Mean distance of every two bodies over the frames in which both were seen.

    Shape (bodies, bodies): metres; NaN for two never seen together.
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
    """Mirror image of each body.

    A figure is symmetric if distances stay the same when every body takes its partner's place.
    Every two bodies are tried as partners; the partners of the others follow from their distances
    to bodies that have partners already. `distances`, shape (bodies, bodies): of
    :func:`mean_distances`. Int, shape (bodies,): each body's partner; itself for one in the middle.
    None for a figure without two sides.
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
    """Whether exactly the bodies on the mirror plane are their own partners."""
    bodies = np.arange(len(distances))
    first = bodies[partner > bodies]
    second = partner[first]
    # Which of each two is on the same side as the first of the widest pair.
    widest = int(np.argmax(distances[first, second]))
    turned = distances[first, first[widest]] > distances[first, second[widest]]
    first, second = np.where(turned, second, first), np.where(turned, first, second)
    here, there, across = distances[:, first], distances[:, second], distances[first, second]
    off = (here**2 - there**2) / (2.0 * across)
    # A sensor a little out of place distorts far pairs, so they get less weight, its own none.
    own = (bodies[:, None] == first) | (bodies[:, None] == second)
    say = np.where(own, 0.0, (across / np.maximum(here + there, 1e-9)) ** 2)
    away = np.abs(np.average(off, axis=1, weights=say))
    middle = partner == bodies
    return not middle.any() or bool(away[middle].max() < min(reach, away[~middle].min()))


def _matched(distances: Floats, one: int, other: int) -> Integers | None:
    """Partners of all bodies if these two are partners; None if any has none."""
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


def symmetrised(weights: Floats, partner: Integers) -> Floats:
    """Weights for the tree that combine each pair with its mirror image.

    Shape (bodies, bodies). `weights`, shape (bodies, bodies): inf for pairs that are not joined;
    `partner`, shape (bodies,).
    """
    mirrored = weights[np.ix_(partner, partner)]
    both = np.where(np.isfinite(mirrored), 0.5 * (weights + mirrored), weights)
    bodies = np.arange(len(weights))
    if np.any(partner == bodies):
        across = bodies[partner != bodies]
        both[across, partner[across]] = np.inf
    return np.asarray(both)
