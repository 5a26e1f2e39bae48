"""Joints that close a loop: pairs outside the tree that fit like joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..geometry import Booleans, Floats, Integers
from .result import BodyJoint
from .tree import path_between

SAME_PLACE_M = 1e-3
"""Two joints this close in a body are one, even without noise."""
SAME_PLACE_GAPS = 2.0
"""The same in multiples of their gaps."""
NOISELESS_M = 1e-6
"""Differences between gaps below this are rounding."""

SHORTEST_WAY = 3
"""Joints of the tree between two bodies that a further one can join."""


def loop_candidates(
    residuals: Floats,
    parents: Integers,
    figures: Sequence[Sequence[int]],
    joints: Mapping[int, BodyJoint],
    share: float,
) -> list[tuple[int, int]]:
    """Pairs outside the tree with a gap not much larger than the joints between them.

    Returns (later, earlier) bodies in the order of the figures; the earlier would be the parent.

    Parameters
    ----------
    residuals : array, shape (bodies, bodies)
        Gap of every pair, metres; inf where two cannot be joined.
    parents : array of int, shape (bodies,)
    figures : sequence of sequence of int
        Parents before children.
    share : float
        As in :class:`.options.BodyOptions`.
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
