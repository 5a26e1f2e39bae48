"""Check that half-spaces enclose a space that is neither empty, flat nor unbounded.

In plain Python, like all checks of plain data. Half-spaces of fits come in opposite pairs and
contain the origin, or a point a few steps from it (Motzkin and Schoenberg, 1954), which is quick to
test; others are tested by linear programs in three dimensions, one half-space after the other
(Seidel, 1991).
"""

from __future__ import annotations

from collections.abc import Sequence

Wall = tuple[Sequence[float], float]
"""Outward normal and offset."""

THINNEST = 5e-7
"""Radians; half of the smallest padding of a fit."""
WIDEST = 100.0
"""Radians along each coordinate."""
_GOLDEN = 0.6180339887498949
_INDEPENDENT = 0.1
_SLACK = 1e-11
_MOST_STEPS = 40
_BEYOND = 1.5


def space_problem(directions: Sequence[Sequence[float]], offsets: Sequence[float]) -> str:
    """Problem of the space inside half-spaces, or an empty string.

    `directions`, sequence of three numbers each: outward, of approximately unit length. `offsets`,
    sequence of numbers: radians along the unit directions.
    """
    closed = _has_pairs_all_round(directions)
    if closed and min(offsets) > THINNEST:
        return ""
    walls = [
        (_unit(directions[at]), offsets[at] - THINNEST)
        for at in sorted(range(len(offsets)), key=lambda at: at * _GOLDEN % 1.0)
    ]
    if closed and _steps_inside(walls):
        return ""
    for goal in ((1.0, 0.0, 0.0),) if closed else _WAYS:
        point = highest(goal, walls, WIDEST)
        if point is None:
            return "the region is empty"
        if not closed and max(map(abs, point)) > 0.999 * WIDEST:
            return "the region is unbounded"
    return ""


_WAYS = tuple(
    tuple(sign if axis == at else 0.0 for axis in range(3))
    for at in range(3)
    for sign in (1.0, -1.0)
)


def _steps_inside(walls: Sequence[Wall]) -> bool:
    """Whether a few steps from the origin, each through the farthest wall, end behind all."""
    x, y, z = 0.0, 0.0, 0.0
    for _ in range(_MOST_STEPS):
        beyond, (a, b, c) = max([(n[0] * x + n[1] * y + n[2] * z - d, n) for n, d in walls])
        if beyond <= 0.0:
            return True
        step = _BEYOND * beyond
        x, y, z = x - step * a, y - step * b, z - step * c
    return False


def highest(goal: Sequence[float], walls: Sequence[Wall], reach: float) -> list[float] | None:
    """Point behind all walls that is farthest along a goal, or None if there is none.

    `goal`, sequence of numbers: one per dimension. `walls`, sequence of Wall: in an order
    independent of their positions. `reach`: maximum size of each coordinate.
    """
    point = [reach if part >= 0.0 else -reach for part in goal]
    for count, (normal, offset) in enumerate(walls):
        if sum([n * x for n, x in zip(normal, point)]) <= offset + _SLACK:
            continue
        # The farthest point is then on this wall, behind the earlier ones: one dimension fewer.
        found = _highest_on(goal, walls[:count], reach, normal, offset)
        if found is None:
            return None
        point = found
    return point


def _highest_on(
    goal: Sequence[float],
    before: Sequence[Wall],
    reach: float,
    normal: Sequence[float],
    offset: float,
) -> list[float] | None:
    """Farthest point on a wall, by eliminating the coordinate with the largest normal component."""
    if not any(normal):
        return None
    at = max(range(len(normal)), key=lambda axis: abs(normal[axis]))
    short = [part / normal[at] for part in normal]
    del short[at]
    level = offset / normal[at]

    def without(row: Sequence[float]) -> list[float]:
        rest = [*row[:at], *row[at + 1 :]]
        return [part - row[at] * s for part, s in zip(rest, short)]

    walls = [(without(row), right - row[at] * level) for row, right in before]
    walls += [([-s for s in short], reach - level), (short, reach + level)]
    point = highest(without(goal), walls, reach)
    if point is None:
        return None
    return [*point[:at], level - sum([s * x for s, x in zip(short, point)]), *point[at:]]


def _has_pairs_all_round(directions: Sequence[Sequence[float]]) -> bool:
    """Whether three lines, far from coplanar, are present in both directions."""
    there = {(x, y, z) for x, y, z in directions}
    lines = [(x, y, z) for x, y, z in directions if (-x, -y, -z) in there]
    if not lines:
        return False
    a, b, c = lines[0]
    for d, e, f in lines:
        u, v, w = b * f - c * e, c * d - a * f, a * e - b * d
        if u * u + v * v + w * w > _INDEPENDENT:
            return any(abs(u * x + v * y + w * z) > _INDEPENDENT for x, y, z in lines)
    return False


def _unit(direction: Sequence[float]) -> list[float]:
    length = sum([part * part for part in direction]) ** 0.5
    return [part / length for part in direction]
