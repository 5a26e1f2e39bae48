"""How bodies hang together: the tree whose joints fit best.

O'Brien et al. (2000), section 3.3: bodies are nodes, every pair is an edge that weighs what its
best joint leaves open, and the hierarchy is the spanning tree that weighs least. The tree does not
depend on its root; the root only says which way its joints are read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..arrays import Booleans, Floats, Integers

FORCED = -1.0
"""Weight of a joint that is given: below every residual."""
ROUNDING = 1e-7
"""Residuals of exact data differ by so much and mean nothing by it; metres."""


def spanning_forest(weights: Floats) -> list[tuple[int, int]]:
    """Joints of least total weight that connect all that can be connected (Prim's algorithm).

    Parameters
    ----------
    weights : array, shape (bodies, bodies)
        Symmetric; inf where two bodies cannot be joined. The diagonal does not matter. Zero is a
        weight like any other.

    Returns
    -------
    list of (body, body)
        The first was in the tree before the second; of equals the lowest index is taken.
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
    """The lightest forest that has the given joints, and no two of the given roots in one tree.

    Parameters
    ----------
    weights : array, shape (bodies, bodies)
        Not negative, as for :func:`spanning_forest`.
    given : mapping of child to parent

    Returns
    -------
    list of (body, body)

    Raises
    ------
    ValueError
        If the given joints go round in a circle, or join two of the roots.
    """
    count = len(weights)
    # A node of no body holds the roots apart: it is joined to all of them, and taken out again.
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
        raise ValueError("the parents that were given go round in a circle, or join two roots")
    return [edge for edge in edges if count not in edge]


def figures_of(count: int, edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Bodies that hang together, each list in increasing order; single bodies included."""
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
    """Walk a tree from its root: bodies with parents before children, and everybody's parent."""
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

    Without it the largest of the pieces that are left is as small as can be; of equals the one
    with the most neighbours is taken, then the one with the lowest index.
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
    """Joints (child, parent) on the tree's way between two bodies of one figure."""
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
    """Who hangs below whom.

    Parameters
    ----------
    parents : array of int, shape (bodies,)

    Returns
    -------
    array of bool, shape (bodies, bodies)
        ``[a, b]`` is True if b is a, or hangs below it at any distance.
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
    """The body that a body would hang on next, and by how much it fits worse.

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
        None if there is no other that does not hang on the child itself.
    margin : float
        Its residual less that of the parent, and 0 where they differ by rounding only; inf if
        there is none. Negative if the other fits better: the parents were given, or something
        else than residuals told them.
    """
    parent = int(parents[child])
    cost = np.where(below[child], np.inf, residuals[child])
    cost[parent] = np.inf
    best = int(np.argmin(cost))
    if not np.isfinite(cost[best]):
        return None, float("inf")
    margin = float(cost[best] - residuals[child, parent])
    return best, 0.0 if abs(margin) < ROUNDING else margin
