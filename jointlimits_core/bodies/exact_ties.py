"""Choice between bodies that fit a joint equally well in exact data.

Bodies that never move relative to each other share their joints: each of them fits equally well. In
motion of a solved skeleton this holds to the last digits, which would then decide. Instead the body
whose sensor is nearest gets the joint; of several equally near, the first of the rigid group, to
which the others are attached as a star.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..arrays import Booleans, Floats, Integers
from .pair_table import PairTable

ROUNDING_M = 1e-5
"""Gaps and distances that differ by less are equal: a table has six decimal places."""
ROUNDING = 1e-5
"""The same for rotation, radians rms."""


def without_ties(weights: Floats, table: PairTable, given: Mapping[int, int]) -> Floats:
    """Weights for the tree with one of each set of identical joints left.

    Parameters
    ----------
    weights : array, shape (bodies, bodies)
        Of :meth:`.pair_table.PairTable.weights`.
    given : mapping of child to parent
        Bodies whose parent is given keep it.

    Returns
    -------
    array, shape (bodies, bodies)
        inf for pairs whose joint was assigned to another pair.
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
    """Lowest index in each body's rigid group, shape (bodies,)."""
    first = np.arange(len(still))
    while True:
        lower = np.where(still | np.eye(len(still), dtype=bool), first, len(still)).min(axis=1)
        if np.array_equal(lower, first):
            return first
        first = lower


def _carriers(levers: Floats, members: Integers) -> Integers:
    """The member that gets the joint with each body: the nearest, or else the first."""
    away = levers[members]
    near: Booleans = away <= away.min(axis=0) + ROUNDING_M
    nearest = members[np.argmin(away, axis=0)]
    return np.asarray(np.where(near.sum(axis=0) == 1, nearest, members[0]))
