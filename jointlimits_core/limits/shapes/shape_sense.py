"""Semantic checks of shape data: matching counts, perpendicular axes, non-empty regions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .enclosed_space import space_problem

Data = Mapping[str, Any]
OFF_RIGHT = 1e-6
"""Maximum cosine between perpendicular axes."""
LEAST_ROOM = 1e-6
"""Radians; minimum distance from a sample of a wrap to the faces."""
_SAME = 1e-9
_STRAIGHT = -1e-6


def _two_axes(data: Data) -> Iterator[str]:
    if abs(_dot(data["outer"], data["inner"])) > OFF_RIGHT:
        yield "inner: must be perpendicular to outer"


def _box(data: Data) -> Iterator[str]:
    for at, (low, high) in enumerate(zip(data["low"], data["high"])):
        if low > high:
            yield f"high[{at}]: must be at least low[{at}], {low:g}, not {high:g}"


def _oriented_box(data: Data) -> Iterator[str]:
    yield from _right_angles(data)
    yield from _box(data)


def _right_angles(data: Data) -> Iterator[str]:
    axes = data["axes"]
    for second in range(1, len(axes)):
        for first in range(second):
            if abs(_dot(axes[first], axes[second])) > OFF_RIGHT:
                yield f"axes[{second}]: must be perpendicular to axes[{first}]"


def _half_spaces(data: Data) -> Iterator[str]:
    yield from _as_many(data, "offsets_rad", "directions")
    wrong = space_problem(data["directions"], data["offsets_rad"])
    if wrong:
        yield f"offsets_rad: {wrong}"


def _wrap(data: Data) -> Iterator[str]:
    yield from _as_many(data, "offsets_rad", "directions")
    push = max(2.0 * data["pad_rad"], data["least_rad"])
    pushed = [offset + push for offset in data["offsets_rad"]]
    reach = _reach(data["samples_rad"], data["directions"])
    for at, (direction, farthest, offset) in enumerate(zip(data["directions"], reach, pushed)):
        if farthest / math.hypot(*direction) > offset - LEAST_ROOM:
            yield f"offsets_rad[{at}]: a sample is outside the face"
    wrong = space_problem(data["directions"], pushed)
    if wrong:
        yield f"offsets_rad: {wrong}"


def _reach(
    points: Sequence[Sequence[float]], directions: Sequence[Sequence[float]]
) -> Iterator[float]:
    """Extent of points along directions; opposite directions are computed together."""
    known: dict[tuple[float, ...], float] = {}
    for a, b, c in directions:
        if (a, b, c) not in known:
            along = [a * x + b * y + c * z for x, y, z in points]
            known[-a, -b, -c] = -min(along)
            known[a, b, c] = max(along)
        yield known[a, b, c]


def _implicit(data: Data) -> Iterator[str]:
    yield from _as_many(data, "radii_rad", "centres_rad")
    centres = data["centres_rad"]
    if all(_field(centre, data) < data["level"] for centre in centres):
        yield "level: the region is empty"


def _field(place: Sequence[float], data: Data) -> float:
    """Field of all spheres at a point; see :func:`.implicit.field.fall`."""
    total = 0.0
    for centre, radius in zip(data["centres_rad"], data["radii_rad"]):
        beyond = data["stickiness_per_rad"] * (math.dist(place, centre) - radius)
        total += 1.0 - beyond if beyond <= 0.0 else 0.25 * max(2.0 - beyond, 0.0) ** 2
    return total


def _flat(data: Data) -> Iterator[str]:
    yield from _right_angles(data)
    corners, dimension = data["corners"], len(data["axes"])
    for at, corner in enumerate(corners):
        if len(corner) != dimension:
            yield f"corners[{at}]: expected {dimension} numbers, one per axis, found {len(corner)}"
            return
    if dimension < 2 and len(corners) > dimension + 1:
        yield f"corners: expected at most {dimension + 1}, found {len(corners)}"
    if dimension == 2 and not _goes_round_once(corners):
        yield "corners: must be a convex polygon in counterclockwise order"


def _goes_round_once(corners: Sequence[Sequence[float]]) -> bool:
    """Whether corners turn left everywhere, by one turn in total; duplicates are merged."""
    kept = [b for a, b in zip([corners[-1], *corners], corners) if math.dist(a, b) > _SAME]
    if len(kept) < 3:
        return True
    edges = [(b[0] - a[0], b[1] - a[1]) for a, b in zip([kept[-1], *kept], kept)]
    turns = [
        math.atan2(u * d - v * c, u * c + v * d)
        for (u, v), (c, d) in zip([edges[-1], *edges], edges)
    ]
    return min(turns) > _STRAIGHT and sum(turns) < 3.0 * math.pi


def _as_many(data: Data, name: str, other: str) -> Iterator[str]:
    if len(data[name]) != len(data[other]):
        yield f"{name}: expected {len(data[other])} items, as in {other}, found {len(data[name])}"


def _dot(first: Sequence[float], second: Sequence[float]) -> float:
    return float(sum(a * b for a, b in zip(first, second)))


SENSE: dict[str, Callable[[Data], Iterator[str]]] = {
    "two-axes": _two_axes,
    "box": _box,
    "obb": _oriented_box,
    "ellipsoid": _right_angles,
    "kdop": _half_spaces,
    "kdop-sequential": _half_spaces,
    "hull": _half_spaces,
    "wrap": _wrap,
    "implicit": _implicit,
    "flat": _flat,
}
"""Checks by kind, yielding ``name: what`` for numbers of the right form."""
