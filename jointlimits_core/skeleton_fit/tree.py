"""Hierarchy of bodies: the tree whose joints fit best, and its root.

O'Brien et al. (2000), section 3.3: bodies are nodes, every pair is an edge weighted by the residual
of its best joint, and the hierarchy is the minimum spanning tree. Bodies that never move relative
to each other fit a joint equally well: the joint goes to the body with the nearest sensor, or else
to the first body of the rigid group, to which the other bodies are attached as a star.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..geometry.arrays import Booleans, Floats, Integers
from ..motion.joint_names import words_of
from .joint_centres import PairTable
from .residuals import NOISELESS_M
from .result import FREE_SHARE, LOOP_SHARE, BodyJoint, BodyOptions

TIE_ROUNDING_M = 1e-5
"""Largest difference between gaps or distances that count as equal: tables have six decimals."""
TIE_ROUNDING_RAD = 1e-5
"""Largest difference between rotations that count as equal, radians rms."""
SAME_PLACE_M = 1e-3
"""Two joints of a body count as one if they are no further apart than this, even without noise."""
MAX_SAME_PLACE_GAPS = 2.0
"""Allowance added to :data:`SAME_PLACE_M`, in multiples of the joints' larger gap."""
MIN_PATH_JOINTS = 3
"""Minimum number of joints on the tree path between two bodies that a loop joint connects."""
FORCED = -1.0
"""Weight of a joint that the caller gave: lower than any residual, so it is always kept."""
ROUNDING_M = 1e-7
"""Largest difference between residuals of exact data that counts as rounding."""
MAX_AMBIGUOUS_RATIO = 1.1
"""Residuals alone decide if the best replacement's residual is this many times the joint's."""
MAX_EXACT_M = 5e-4
"""Largest residual of exact data, in which nothing slides and residuals can decide."""
MAX_TYPICAL_RATIO = 3.0
MAX_CAP_RATIO = 2.5
ROOT_WORDS = frozenset(("pelvis", "hips", "root", "waist", "sacrum"))


def without_ties(weights: Floats, table: PairTable, given: Mapping[int, int]) -> Floats:
    """Weights for the tree; inf for all but one of each set of identical joints."""
    still = (table.residuals_m <= TIE_ROUNDING_M) & (table.turning <= TIE_ROUNDING_RAD)
    joined = still | np.eye(len(still), dtype=bool)
    # The lowest index in each body's rigid group.
    first = np.arange(len(still))
    for _ in range(len(still)):
        first = np.where(joined, first, len(still)).min(axis=1)
    groups = np.flatnonzero(np.bincount(first, minlength=len(first)) > 1)
    if not groups.size:
        return weights
    kept: Booleans = np.ones(weights.shape, dtype=bool)
    for hub in groups.tolist():
        members = np.flatnonzero(first == hub)
        # Member that gets the joint with each body: the nearest, or else the first.
        away = table.levers_m[members]
        near: Booleans = away <= away.min(axis=0) + TIE_ROUNDING_M
        nearest = members[np.argmin(away, axis=0)]
        carriers = np.where(near.sum(axis=0) == 1, nearest, members[0])
        same_joint = first != hub
        carried = members[:, None] == carriers[None]
        kept[np.ix_(members, same_joint)] &= carried[:, same_joint]
        kept[np.ix_(same_joint, members)] &= carried[:, same_joint].T
        # Within the group, the hub is joined to each other member.
        own: Booleans = np.array([given.get(body, hub) == hub for body in members.tolist()])
        star = (members == hub)[:, None] & own
        kept[np.ix_(members, members)] = star | star.T
    return np.asarray(np.where(kept, weights, np.inf))


def spanning_forest(weights: Floats) -> list[tuple[int, int]]:
    """Edges (earlier body, new body) of the minimum spanning forest, by Prim's algorithm."""
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


def typical_weight(weights: Floats) -> float:
    """Median weight of the edges of the minimum spanning forest; 0 if it has none."""
    tree = spanning_forest(weights)
    return float(np.median([weights[edge] for edge in tree])) if tree else 0.0


def constrained_forest(
    weights: Floats, given: Mapping[int, int], roots: Sequence[int]
) -> list[tuple[int, int]]:
    """Lightest forest with the given joints, and each root in its own tree; else ValueError."""
    count = len(weights)
    # An extra node, joined to all roots, keeps them apart; its edges are left out of the result.
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


def neighbours(count: int, edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Bodies joined to each body, in increasing order."""
    near: list[list[int]] = [[] for _ in range(count)]
    for one, other in edges:
        near[one].append(other)
        near[other].append(one)
    return [sorted(bodies) for bodies in near]


def tree_order(near: Sequence[Sequence[int]], root: int) -> tuple[list[int], dict[int, int]]:
    """Bodies of a tree, parents before children, and the parent of each."""
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
    """Body whose removal splits the tree most evenly; in a tie, the one with most neighbours."""

    def largest_piece(body: int) -> int:
        cut = [[other for other in bodies if other != body] for bodies in near]
        return max((len(tree_order(cut, other)[0]) for other in near[body]), default=0)

    return min(figure, key=lambda body: (largest_piece(body), -len(near[body]), body))


def descendants(parents: Integers) -> Booleans:
    """Descendants, shape (bodies, bodies): ``[a, b]`` is True if b is below a, or a itself."""
    below: Booleans = np.eye(len(parents), dtype=bool)
    for body, above in enumerate(parents.tolist()):
        while above >= 0:
            below[above, body] = True
            above = int(parents[above])
    return below


def joints_between(
    below: Booleans, joints: Mapping[int, BodyJoint], one: int, other: int
) -> list[BodyJoint]:
    """Joints on the path between two bodies of one figure; `below`: from :func:`descendants`."""
    return [joints[child] for child in np.flatnonzero(below[:, one] != below[:, other]).tolist()]


def runner_up_parent(
    residuals: Floats, parents: Integers, below: Booleans, child: int
) -> tuple[int | None, float]:
    """Runner-up for a body's parent, and the excess of its residual, metres; or None and inf.

    The excess is 0 if only rounding separates the two, and negative if the parents were given, or
    chosen by something other than residuals. `below`: from :func:`descendants`.
    """
    parent = int(parents[child])
    cost = np.where(below[child], np.inf, residuals[child])
    cost[parent] = np.inf
    best = int(np.argmin(cost))
    if not np.isfinite(cost[best]):
        return None, float("inf")
    margin = float(cost[best] - residuals[child, parent])
    return best, 0.0 if abs(margin) < ROUNDING_M else margin


def replacement_weights(weights: Floats, parents: Integers, child: int) -> Floats:
    """Weights of pairs with one body below `child`, which could replace its joint; else inf."""
    below = descendants(parents)[child]
    across = np.where(below[:, None] & ~below, weights, np.inf)
    across[child, parents[child]] = np.inf
    return np.asarray(across)


def near_ties(
    weights: Floats, parents: Integers, child: int, margin: float
) -> tuple[tuple[int, int], ...]:
    """Pairs that would replace a joint for at most `margin` more weight, the lightest first."""
    across = replacement_weights(weights, parents, child)
    near = np.argwhere(across <= weights[child, parents[child]] + margin)
    order = np.argsort(across[tuple(near.T)], kind="stable")
    return tuple((int(one), int(other)) for one, other in near[order])


def is_ambiguous(residuals: Floats, clear: Callable[[int, int], float] | None = None) -> bool:
    """Whether any joint in the lightest tree fits only slightly better than its best replacement.

    `clear`: ratio above which residuals decide for two bodies; at most 1.1, the default.
    """
    edges = spanning_forest(residuals)
    parents = np.full(len(residuals), -1)
    for parent, child in edges:
        parents[child] = parent
    for parent, child in edges:
        own = float(residuals[parent, child])
        if own >= MAX_EXACT_M:
            ratio = replacement_weights(residuals, parents, child).min() / own
            if ratio < MAX_AMBIGUOUS_RATIO and (clear is None or ratio < clear(parent, child)):
                return True
    return False


def may_be_joined(
    residuals: Floats, spreads: Floats, options: BodyOptions, still: Booleans
) -> Booleans:
    """Pairs that may be joined rather than just move near each other, (bodies, bodies).

    A pair is not joined if its gap is large both for this recording (three times its typical gap,
    clamped between ``free_beyond_m`` and 2.5 times that) and relative to the motion between the two
    bodies. A body that does not move in the world is only joined to a moving one, and only if the
    joint explains that motion as tightly as other joints do, like a door in its frame.
    """
    typical = typical_weight(residuals)
    limit = options.free_beyond_m * np.clip(
        MAX_TYPICAL_RATIO * typical / options.free_beyond_m, 1.0, MAX_CAP_RATIO
    )
    explained = residuals <= FREE_SHARE * spreads
    fits = explained | (residuals <= limit)
    as_tight = explained & (residuals <= MAX_TYPICAL_RATIO * typical)
    fits = np.where(still[:, None] | still, as_tight, fits) & ~(still[:, None] & still)
    return np.asarray(fits & np.isfinite(residuals))


def given_parents(
    names: Sequence[str], options: BodyOptions
) -> tuple[dict[int, int], tuple[int, ...]]:
    """Indices of given parents by child, and of given roots; ValueError for an unknown body."""
    number = {name: index for index, name in enumerate(names)}
    asked = {*options.parents, *options.parents.values(), options.root}
    unknown = sorted(name for name in asked if name and name not in number)
    if unknown:
        raise ValueError(f"no body {unknown[0]!r}; the bodies are: {', '.join(names)}")
    parents = {}
    for child, parent in options.parents.items():
        if child == parent:
            raise ValueError(f"body {child!r} cannot be its own parent")
        if parent is not None:
            parents[number[child]] = number[parent]
    roots = tuple(number[child] for child, parent in options.parents.items() if parent is None)
    return parents, roots


def chosen_root(
    names: Sequence[str], near: Sequence[Sequence[int]], figure: Sequence[int], options: BodyOptions
) -> int:
    """Root of a figure: given, named as a root, or most central; ValueError if contradicted."""
    parents, roots = given_parents(names, options)
    wanted = [body for body in figure if body in roots or names[body] == options.root]
    possible = wanted or list(figure)
    fitting = []
    for body in possible:
        above = tree_order(near, body)[1]
        if all(above[child] == parents[child] for child in figure if child in parents):
            fitting.append(body)
    if not fitting or len(wanted) > 1:
        raise ValueError(
            "the given parents do not agree with each other or with the root, in the figure with "
            f"{', '.join(names[body] for body in figure)}"
        )
    called = [body for body in fitting if ROOT_WORDS & set(words_of(names[body]))]
    if len(called) == 1:
        return called[0]
    middle = middle_body(near, figure)
    return middle if middle in fitting else fitting[0]


def rooted_figures(
    names: Sequence[str], edges: Sequence[tuple[int, int]], options: BodyOptions
) -> tuple[list[list[int]], Integers]:
    """Figures, largest first, with parents before children; and every body's parent, (bodies,)."""
    near = neighbours(len(names), edges)
    parents = np.full(len(names), -1, dtype=np.int64)
    figures, left = [], set(range(len(names)))
    while left:
        figure = sorted(tree_order(near, min(left))[0])
        left -= set(figure)
        order, above = tree_order(near, chosen_root(names, near, figure, options))
        for body, parent in above.items():
            parents[body] = parent
        figures.append(order)
    return sorted(figures, key=lambda figure: (-len(figure), min(figure))), parents


def loop_candidates(
    residuals: Floats,
    parents: Integers,
    figures: Sequence[Sequence[int]],
    joints: Mapping[int, BodyJoint],
) -> list[tuple[int, int]]:
    """Pairs (later, earlier) outside the tree with a gap as narrow as those on their tree path."""
    found, below = [], descendants(parents)
    for figure in figures:
        largest = max((joints[body].residual_m for body in figure[1:]), default=0.0)
        near: Booleans = residuals[np.ix_(figure, figure)] <= LOOP_SHARE * largest + NOISELESS_M
        for later, earlier in np.argwhere(np.tril(near, -1)).tolist():
            pair = figure[later], figure[earlier]
            if parents[pair[0]] == pair[1] or parents[pair[1]] == pair[0]:
                continue
            path = joints_between(below, joints, *pair)
            # Three bodies joined in a ring cannot move; such a ring is really a stiff chain. Where
            # a joint on the path does not move, any joint of one of its bodies also fits the other.
            if len(path) < MIN_PATH_JOINTS or any(joint.kind == "rigid" for joint in path):
                continue
            most = max(joint.residual_m for joint in path)
            if residuals[pair] <= LOOP_SHARE * most + NOISELESS_M:
                found.append(pair)
    return found


def closes_a_loop(loop: BodyJoint, parents: Integers, joints: Mapping[int, BodyJoint]) -> bool:
    """Whether a loop candidate is a new joint, and not one on the path between its bodies.

    If several bodies are joined at one point, the candidate lies at a joint of the tree.
    """
    if loop.kind == "rigid":
        return False
    path = joints_between(descendants(parents), joints, loop.child, loop.parent)
    return not any(_same_place(loop, joint) for joint in path)


def _same_place(one: BodyJoint, other: BodyJoint) -> bool:
    """Whether two joints have the same position, as far as it is known, in a body they share."""
    reach = SAME_PLACE_M + MAX_SAME_PLACE_GAPS * max(one.residual_m, other.residual_m)
    for body in {one.child, one.parent} & {other.child, other.parent}:
        places, unknown = [], []
        for joint in (one, other):
            is_child = body == joint.child
            places.append(joint.centre_in_child if is_child else joint.centre_in_parent)
            along = joint.directions_in_child if is_child else joint.directions_in_parent
            unknown += list(along[~np.isfinite(joint.deviation_m)])
        difference = places[0] - places[1]
        for direction in unknown:
            difference = difference - direction * (direction @ difference)
        if np.linalg.norm(difference) <= reach:
            return True
    return False
