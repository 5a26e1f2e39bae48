"""Hierarchy of bodies: the tree whose joints fit best.

O'Brien et al. (2000), section 3.3: bodies are nodes, every pair is an edge weighted by the residual
of its best joint, and the hierarchy is the minimum spanning tree. The tree does not depend on its
root; the root only sets which end of each joint is the parent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..arrays import Booleans, Floats, Integers

FORCED = -1.0
"""Weight of a given joint: below every residual."""
ROUNDING = 1e-7
"""Differences between residuals of exact data that are rounding only, metres."""


def spanning_forest(weights: Floats) -> list[tuple[int, int]]:
    """Minimum spanning forest: connects all that can be connected (Prim's algorithm).

    Parameters
    ----------
    weights : array, shape (bodies, bodies)
        Symmetric; inf where two bodies cannot be joined. The diagonal is ignored. Zero is an
        ordinary weight.

    Returns
    -------
    list of (body, body)
        The first was in the tree before the second; ties go to the lowest index.
    """
    count = len(weights)
    nearest = np.zeros(count, dtype=np.int64)
    cost = np.full(count, np.inf)
    waiting: Booleans = np.ones(count, dtype=bool)
    edges = []
    for _ in range(count):
        open_cost = np.where(waiting, cost, np.inf)
        body = int(np.argmin(open_cost))
        if np.isfinite(open_cost[body]):
            edges.append((int(nearest[body]), body))
        else:
            body = int(np.argmax(waiting))
        waiting[body] = False
        closer = waiting & (weights[body] < cost)
        nearest[closer], cost[closer] = body, weights[body][closer]
    return edges


def constrained_forest(
    weights: Floats, given: Mapping[int, int], roots: Sequence[int]
) -> list[tuple[int, int]]:
    """The lightest forest with the given joints and at most one given root per tree.

    Parameters
    ----------
    weights : array, shape (bodies, bodies)
        Non-negative, as for :func:`spanning_forest`.
    given : mapping of child to parent

    Returns
    -------
    list of (body, body)

    Raises
    ------
    ValueError
        If the given joints form a cycle, or join two of the roots.
    """
    count = len(weights)
    # An extra node joined to all roots keeps them apart; it is removed again below.
    extended = np.full((count + 1, count + 1), np.inf)
    extended[:count, :count] = weights
    for child, parent in given.items():
        extended[child, parent] = extended[parent, child] = FORCED
    for root in roots:
        extended[count, root] = extended[root, count] = FORCED
    edges = spanning_forest(extended)
    chosen = {frozenset(edge) for edge in edges}
    wanted = [frozenset(pair) for pair in given.items()]
    wanted += [frozenset((count, root)) for root in roots]
    if not chosen.issuperset(wanted):
        raise ValueError("the given parents must not form a cycle or join two roots")
    return [edge for edge in edges if count not in edge]


def figures_of(count: int, edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Connected bodies, each list in increasing order; single bodies included."""
    near = neighbours(count, edges)
    left = set(range(count))
    figures = []
    while left:
        figure = sorted(tree_order(near, min(left))[0])
        left -= set(figure)
        figures.append(figure)
    return figures


def neighbours(count: int, edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Bodies joined to each body, in increasing order."""
    near: list[list[int]] = [[] for _ in range(count)]
    for one, other in edges:
        near[one].append(other)
        near[other].append(one)
    return [sorted(bodies) for bodies in near]


def tree_order(near: Sequence[Sequence[int]], root: int) -> tuple[list[int], dict[int, int]]:
    """Walk a tree from its root: bodies with parents before children, and their parents."""
    parents = {root: -1}
    order = []
    pending = [root]
    while pending:
        body = pending.pop()
        order.append(body)
        children = [other for other in near[body] if other != parents[body]]
        parents.update((child, body) for child in children)
        pending.extend(reversed(children))
    return order, parents


def middle_body(near: Sequence[Sequence[int]], figure: Sequence[int]) -> int:
    """The body that splits a figure most evenly.

    Removing it leaves the smallest possible largest piece; ties go to the body with the most
    neighbours, then to the lowest index.
    """
    order, parents = tree_order(near, figure[0])
    below = dict.fromkeys(figure, 1)
    for body in reversed(order[1:]):
        below[parents[body]] += below[body]

    def largest_piece(body: int) -> int:
        pieces = [below[other] for other in near[body] if other != parents[body]]
        return max([len(figure) - below[body], *pieces])

    return min(figure, key=lambda body: (largest_piece(body), -len(near[body]), body))


def path_between(parents: Integers, one: int, other: int) -> list[tuple[int, int]]:
    """Joints (child, parent) on the path between two bodies of one figure."""
    ways = []
    for body in (one, other):
        way = []
        while parents[body] >= 0:
            way.append((body, int(parents[body])))
            body = int(parents[body])
        ways.append(way)
    shared = set(ways[0]) & set(ways[1])
    return [joint for way in ways for joint in way if joint not in shared]


def hangs_below(parents: Integers) -> Booleans:
    """Descendants of each body.

    Parameters
    ----------
    parents : array of int, shape (bodies,)

    Returns
    -------
    array of bool, shape (bodies, bodies)
        ``[a, b]`` is True if b is a or one of its descendants.
    """
    below: Booleans = np.eye(len(parents), dtype=bool)
    for body in range(len(parents)):
        above = int(parents[body])
        while above >= 0:
            below[above, body] = True
            above = int(parents[above])
    return below


def next_best_parent(
    residuals: Floats, parents: Integers, below: Booleans, child: int
) -> tuple[int | None, float]:
    """The runner-up for a body's parent, and how much worse it fits.

    Parameters
    ----------
    residuals : array, shape (bodies, bodies)
    parents : array of int, shape (bodies,)
    below : array of bool, shape (bodies, bodies)
        Of :func:`hangs_below`.
    child : int
        A body with a parent.

    Returns
    -------
    body : int or None
        None if there is no candidate except the body's own descendants.
    margin : float
        Its residual minus the parent's, 0 where they differ by rounding only; inf if there is no
        candidate. Negative if the runner-up fits better: the parents were given, or chosen by
        something other than residuals.
    """
    parent = int(parents[child])
    cost = np.where(below[child], np.inf, residuals[child])
    cost[parent] = np.inf
    best = int(np.argmin(cost))
    if not np.isfinite(cost[best]):
        return None, float("inf")
    margin = float(cost[best] - residuals[child, parent])
    return best, 0.0 if abs(margin) < ROUNDING else margin
