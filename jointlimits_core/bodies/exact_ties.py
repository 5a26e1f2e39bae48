"""Which bodies carry a joint where exact data leave a choice.

Bodies that never move against each other all carry what one of them carries, equally well. In
motion of a solved skeleton that is so to the last digits, and these would decide. Here the body
whose sensor is nearest to the joint carries it, and where several are equally near, the first of
the bodies that keep together; on that one the others hang like the points of a star.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..arrays import Booleans, Floats, Integers
from .pair_table import PairTable

ROUNDING_M = 1e-5
"""Gaps and distances that differ by less are alike: a table has six digits after the point."""
ROUNDING = 1e-5
"""The same for turning, radians rms."""


def without_ties(weights: Floats, table: PairTable, given: Mapping[int, int]) -> Floats:
    """Weights for the tree in which of joints that are the same one is left.

    Parameters
    ----------
    weights : array, shape (bodies, bodies)
        Of :meth:`.pair_table.PairTable.weights`.
    given : mapping of child to parent
        Who hangs on a parent that is given needs no other.

    Returns
    -------
    array, shape (bodies, bodies)
        inf where another pair has the same joint, and is to have it.
    """
    still = (table.residuals_m <= ROUNDING_M) & (table.turning <= ROUNDING)
    first = _first_of_group(still)
    groups = np.flatnonzero(np.bincount(first, minlength=len(first)) > 1)
    if not groups.size:
        return weights
    kept: Booleans = np.ones(weights.shape, dtype=bool)
    for hub in groups.tolist():
        members = np.flatnonzero(first == hub)
        carriers = _carriers(table.levers_m, members)
        same_joint = first != hub
        carried = members[:, None] == carriers[None]
        kept[np.ix_(members, same_joint)] &= carried[:, same_joint]
        kept[np.ix_(same_joint, members)] &= carried[:, same_joint].T
        kept[np.ix_(members, members)] = _star(members, hub, given)
    return np.asarray(np.where(kept, weights, np.inf))


def _star(members: Integers, hub: int, given: Mapping[int, int]) -> Booleans:
    """Pairs of the hub and each other member, shape (members, members)."""
    own: Booleans = np.array([given.get(body, hub) == hub for body in members.tolist()])
    star = (members == hub)[:, None] & own
    return np.asarray(star | star.T)


def _first_of_group(still: Booleans) -> Integers:
    """Lowest index of the bodies with which each keeps together, shape (bodies,)."""
    first = np.arange(len(still))
    while True:
        lower = np.where(still | np.eye(len(still), dtype=bool), first, len(still)).min(axis=1)
        if np.array_equal(lower, first):
            return first
        first = lower


def _carriers(levers: Floats, members: Integers) -> Integers:
    """Which member carries the joint with each body: the nearest, or else the first."""
    away = levers[members]
    near: Booleans = away <= away.min(axis=0) + ROUNDING_M
    nearest = members[np.argmin(away, axis=0)]
    return np.asarray(np.where(near.sum(axis=0) == 1, nearest, members[0]))
