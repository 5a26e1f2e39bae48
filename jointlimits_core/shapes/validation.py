"""Validation of the plain data of shapes, before anything is computed from it.

Each kind has a form (count, nesting and size of its numbers) and checks of its meaning (matching
counts, perpendicular axes, nonempty regions). It is plain Python: Maya nodes work without numpy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from typing import Any, Literal

from ..base.text import suggestion
from ..io.json import value_words
from .coupled_limit import CoupledLimit

ShapeName = Literal["hull", "kdop", "box", "obb", "ellipsoid", "implicit", "wrap"]
"""Choices of the option "shape", for type checkers."""
MAX_COORDINATE_RAD = 100.0
"""Radians; coordinates of rotations are much smaller."""


@dataclass(frozen=True)
class Form:
    """Required form of a number, a list of numbers or a list of vectors.

    `count`: (minimum, maximum) number of items, None for a single number. `each`: likewise for the
    entries of each item, None if items are numbers. `low`, `high`: bounds of every number.
    `off_unit`: allowed deviation from length 1 of each vector, or of the whole list.
    """

    count: tuple[int, int] | None = None
    each: tuple[int, int] | None = None
    low: float = -MAX_COORDINATE_RAD
    high: float = MAX_COORDINATE_RAD
    off_unit: float | None = None


def form_problems(value: Any, form: Form, place: str) -> Iterator[str]:
    """Problems with a value, as ``location: problem``; only the first of several wrong items."""
    wrong = "" if form.count is None else _list_problem(value, form.count, place)
    if wrong:
        yield wrong
        return
    items = [(place, value)]
    if form.count is not None:
        items = [(f"{place}[{index}]", item) for index, item in enumerate(value)]
    rows = [(place, value)]
    if form.each is not None:
        rows = items
        wrong = _first_problem(_list_problem(row, form.each, name) for name, row in rows)
        items = [] if wrong else [(name, part) for name, row in rows for part in row]
    wrong = wrong or _first_problem(_number_problem(number, form, name) for name, number in items)
    if wrong:
        yield wrong
    elif form.off_unit is not None:
        for name, row in rows:
            length = math.sqrt(sum([float(part) * part for part in row]))
            if not abs(length - 1.0) <= form.off_unit:
                yield f"{name}: must have length 1, not {length:g}"


def _first_problem(problems: Iterable[str]) -> str:
    """First problem; "" if there is none."""
    return next(filter(None, problems), "")


def _list_problem(value: Any, count: tuple[int, int], place: str) -> str:
    """Problem with a list whose length must be within `count`, (fewest, most); "" if it is."""
    if not isinstance(value, (list, tuple)):
        return f"{place}: expected an array, found {value_words(value)}"
    fewest, most = count
    if fewest <= len(value) <= most:
        return ""
    wanted = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    return f"{place}: expected {wanted} items, found {len(value)}"


def _number_problem(number: Any, form: Form, place: str) -> str:
    """Problem with an item that is not a number or is out of range; "" if there is none."""
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        return f"{place}: expected a number, found {value_words(number)}"
    if not form.low <= number <= form.high:
        low, high = f"{form.low:g}", f"{form.high:g}"
        return f"{place}: must be between {low} and {high}, not {value_words(number)}"
    return ""


Data = Mapping[str, Any]
MAX_COSINE = 1e-6
"""Maximum cosine between perpendicular axes."""
MIN_ROOM_RAD = 1e-6
"""Radians; minimum distance of a wrap's samples from its faces."""
_SAME_CORNER_RAD = 1e-9
_MIN_TURN_RAD = -1e-6
Wall = tuple[Sequence[float], float]
"""Outward normal and offset of a half-space."""
MIN_THICKNESS_RAD = 5e-7
"""Radians; half of the smallest padding that a fit uses."""
_MIN_INDEPENDENCE = 0.1
_GOLDEN_RATIO = 0.6180339887498949
_SLACK_RAD = 1e-11
_WAYS = tuple(
    tuple(sign * (axis == at) for axis in range(3)) for at in range(3) for sign in (1.0, -1.0)
)


def _two_axes(data: Data) -> Iterator[str]:
    if abs(_dot(data["outer"], data["inner"])) > MAX_COSINE:
        yield "inner: must be perpendicular to outer"


def _box(data: Data) -> Iterator[str]:
    for at, (low, high) in enumerate(zip(data["low"], data["high"])):
        if low > high:
            yield f"high[{at}]: must be at least low[{at}], {low:g}, not {high:g}"


def _right_angles(data: Data) -> Iterator[str]:
    for (first, a), (second, b) in combinations(enumerate(data["axes"]), 2):
        if abs(_dot(a, b)) > MAX_COSINE:
            yield f"axes[{second}]: must be perpendicular to axes[{first}]"


def _half_spaces(data: Data) -> Iterator[str]:
    yield from _as_many(data, "offsets_rad", "directions")
    yield from space_problems(data["directions"], data["offsets_rad"])


def _wrap(data: Data) -> Iterator[str]:
    yield from _as_many(data, "offsets_rad", "directions")
    push = max(2.0 * data["pad_rad"], data["least_rad"])
    pushed = [offset + push for offset in data["offsets_rad"]]
    # Extent of the samples along each direction, computed together with its opposite.
    reach: dict[tuple[float, ...], float] = {}
    for at, ((a, b, c), offset) in enumerate(zip(data["directions"], pushed)):
        if (a, b, c) not in reach:
            along = [a * x + b * y + c * z for x, y, z in data["samples_rad"]]
            reach[-a, -b, -c] = -min(along)
            reach[a, b, c] = max(along)
        if reach[a, b, c] / math.hypot(a, b, c) > offset - MIN_ROOM_RAD:
            yield f"offsets_rad[{at}]: a sample is outside the face"
    yield from space_problems(data["directions"], pushed)


def _implicit(data: Data) -> Iterator[str]:
    yield from _as_many(data, "radii_rad", "centres_rad")
    centres = data["centres_rad"]
    # The field of all spheres at each centre; see :func:`.implicit_surface.fall`.
    highest_field = 0.0
    for centre in centres:
        total = 0.0
        for other, radius in zip(centres, data["radii_rad"]):
            beyond = data["stickiness_per_rad"] * (math.dist(centre, other) - radius)
            total += 1.0 - beyond if beyond <= 0.0 else 0.25 * max(2.0 - beyond, 0.0) ** 2
        highest_field = max(highest_field, total)
    if highest_field < data["level"]:
        yield "level: the region is empty"


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
    """Whether the path turns left at every corner, by one turn in all; duplicates are merged."""
    pairs = zip([corners[-1], *corners], corners)
    kept = [b for a, b in pairs if math.dist(a, b) > _SAME_CORNER_RAD]
    if len(kept) < 3:
        return True
    edges = [(b[0] - a[0], b[1] - a[1]) for a, b in zip([kept[-1], *kept], kept)]
    sides = zip([edges[-1], *edges], edges)
    turns = [math.atan2(u * d - v * c, u * c + v * d) for (u, v), (c, d) in sides]
    return min(turns) > _MIN_TURN_RAD and sum(turns) < 3.0 * math.pi


def space_problems(
    directions: Sequence[Sequence[float]], offsets: Sequence[float]
) -> Iterator[str]:
    """Problem with the space inside half-spaces, if it is empty, flat or unbounded.

    `directions`: outward, of approximately unit length. `offsets`: radians along them. In most
    fits, half-spaces come in opposite pairs and contain the origin, which is quick to test; others
    need linear programs in three dimensions, one half-space after another (Seidel, 1991).
    """
    closed = _has_pairs_all_round(directions)
    if closed and min(offsets) > MIN_THICKNESS_RAD:
        return
    walls = []
    for at in sorted(range(len(offsets)), key=lambda at: at * _GOLDEN_RATIO % 1.0):
        length = math.hypot(*directions[at])
        walls.append(([part / length for part in directions[at]], offsets[at] - MIN_THICKNESS_RAD))
    for goal in _WAYS[:1] if closed else _WAYS:
        point = highest_point(goal, walls, MAX_COORDINATE_RAD)
        if point is None:
            yield "offsets_rad: the region is empty"
            return
        if not closed and max(map(abs, point)) > 0.999 * MAX_COORDINATE_RAD:
            yield "offsets_rad: the region is unbounded"
            return


def highest_point(goal: Sequence[float], walls: Sequence[Wall], reach: float) -> list[float] | None:
    """Point behind all walls farthest in the direction `goal`, in any dimension, or None.

    `walls`: in an order unrelated to their positions. `reach`: maximum size of each coordinate.
    """
    point = [reach if part >= 0.0 else -reach for part in goal]
    for count, (normal, offset) in enumerate(walls):
        if sum([n * x for n, x in zip(normal, point)]) <= offset + _SLACK_RAD:
            continue
        # Otherwise the farthest point is on this wall, a problem with one dimension fewer.
        found = _highest_point_on(goal, walls[:count], reach, (normal, offset))
        if found is None:
            return None
        point = found
    return point


def _highest_point_on(
    goal: Sequence[float], before: Sequence[Wall], reach: float, wall: Wall
) -> list[float] | None:
    """Farthest point on a wall, by eliminating the coordinate with the largest normal component."""
    normal, offset = wall
    if not any(normal):
        return None
    at = max(range(len(normal)), key=lambda axis: abs(normal[axis]))
    short = [part / normal[at] for part in normal]
    del short[at]
    level = offset / normal[at]

    def eliminate(row: Sequence[float]) -> list[float]:
        rest = [*row[:at], *row[at + 1 :]]
        return [part - row[at] * s for part, s in zip(rest, short)]

    walls = [(eliminate(row), right - row[at] * level) for row, right in before]
    walls += [([-s for s in short], reach - level), (short, reach + level)]
    point = highest_point(eliminate(goal), walls, reach)
    if point is None:
        return None
    return [*point[:at], level - sum([s * x for s, x in zip(short, point)]), *point[at:]]


def _has_pairs_all_round(directions: Sequence[Sequence[float]]) -> bool:
    """Whether the directions include three opposite pairs that are far from coplanar."""
    there = {(x, y, z) for x, y, z in directions}
    lines = [(x, y, z) for x, y, z in directions if (-x, -y, -z) in there]
    if not lines:
        return False
    a, b, c = lines[0]
    for d, e, f in lines:
        u, v, w = b * f - c * e, c * d - a * f, a * e - b * d
        if u * u + v * v + w * w > _MIN_INDEPENDENCE:
            return any(abs(u * x + v * y + w * z) > _MIN_INDEPENDENCE for x, y, z in lines)
    return False


def _as_many(data: Data, name: str, other: str) -> Iterator[str]:
    if len(data[name]) != len(data[other]):
        yield f"{name}: expected {len(data[other])} items, as in {other}, found {len(data[name])}"


def _dot(first: Sequence[float], second: Sequence[float]) -> float:
    return float(sum(a * b for a, b in zip(first, second)))


CHECKS: dict[str, tuple[Callable[[Data], Iterator[str]], ...]] = {
    "two-axes": (_two_axes,),
    "box": (_box,),
    "obb": (_right_angles, _box),
    "ellipsoid": (_right_angles,),
    **dict.fromkeys(("kdop", "hull"), (_half_spaces,)),
    "wrap": (_wrap,),
    "implicit": (_implicit,),
    "flat": (_flat,),
}
"""Checks by kind, which yield ``name: problem`` for numbers of the right form."""

MAX_HALF_SPACES = 1024
MAX_CORNERS = 8192
MAX_SAMPLES = 256
MAX_SPHERES = 128
"""Sizes that no fit exceeds; larger shapes would take a rig seconds instead of microseconds."""

THREE = (3, 3)
_VECTOR = Form(THREE)
_AXES = Form(THREE, THREE, off_unit=1e-6)
_UNIT = Form(THREE, off_unit=1e-6)
_CENTRE = {"centre": Form((4, 4), off_unit=1e-6)}
_HALF_SPACES = {
    # Stored with only a few decimals.
    "directions": Form((4, MAX_HALF_SPACES), THREE, off_unit=1e-4),
    "offsets_rad": Form((4, MAX_HALF_SPACES)),
}
_LENGTH = Form(low=0.0)
_RANGE = {"low": _VECTOR, "high": _VECTOR}

CHART_FORMS: dict[str, dict[str, Form]] = {
    "rotation-vector": _CENTRE,
    "swing-twist": {**_CENTRE, "axis": _UNIT},
    "two-axes": {**_CENTRE, "outer": _UNIT, "inner": _UNIT},
}
"""Required forms of the numbers in each kind of coordinates."""

REGION_FORMS: dict[str, dict[str, Form]] = {
    "box": _RANGE,
    "obb": {"axes": _AXES, **_RANGE},
    "ellipsoid": {"middle": _VECTOR, "axes": _AXES, "radii": Form(THREE, low=1e-9)},
    **dict.fromkeys(("kdop", "hull"), _HALF_SPACES),
    "implicit": {
        "centres_rad": Form((1, MAX_SPHERES), THREE),
        "radii_rad": Form((1, MAX_SPHERES)),
        "stickiness_per_rad": Form(low=1e-3, high=1e5),
        "level": Form(low=1e-9, high=1e6),
    },
    "wrap": {
        "samples_rad": Form((1, MAX_SAMPLES), THREE),
        **_HALF_SPACES,
        "pad_rad": _LENGTH,
        "least_rad": _LENGTH,
    },
    "flat": {
        "origin": _VECTOR,
        "axes": Form((0, 2), THREE, off_unit=1e-6),
        "corners": Form((1, MAX_CORNERS), (0, 2)),
        "radius": _LENGTH,
        "slack": _LENGTH,
    },
}
"""Required forms of the numbers in each kind of region."""

_BESIDE = {field.name for field in fields(CoupledLimit)}
"""Names of the fields that a shape's data may have."""


def shape_problems(data: Any) -> Iterator[str]:
    """Problems with the plain data of a shape, as ``location: problem``.

    `data`: a shape's ``to_dict``, or a coupled limit as in a limit set.
    """
    if not isinstance(data, Mapping):
        yield f"shape: expected an object, found {value_words(data)}"
        return
    for name in ("coordinates", "region"):
        if name not in data:
            yield f"shape: {name!r} is missing"
    for name in data:
        if name not in _BESIDE:
            yield f"{_field_name(name)}: unknown field"
    if "coordinates" in data and "region" in data:
        yield from part_problems(data["coordinates"], "coordinates")
        yield from part_problems(data["region"], "region")
        region = data["region"]
        kind = region.get("kind") if isinstance(region, Mapping) else None
        if data.get("kind", kind) != kind:
            own = value_words(data["kind"])
            yield f"kind: must be {value_words(kind)} like the region's, not {own}"


def raise_first_problem(problems: Iterator[str]) -> None:
    """Raise ValueError for the first problem, if any."""
    wrong = next(problems, None)
    if wrong is not None:
        raise ValueError(f"not a valid shape: {wrong}")


def part_problems(data: Any, place: str) -> Iterator[str]:
    """Problems with the plain data of a shape's "coordinates" or "region"."""
    if not isinstance(data, Mapping):
        yield f"{place}: expected an object, found {value_words(data)}"
        return
    kinds = CHART_FORMS if place == "coordinates" else REGION_FORMS
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        near = suggestion(kind, kinds) if isinstance(kind, str) else ""
        yield f"{place}.kind: must be one of {', '.join(kinds)}, not {value_words(kind)}{near}"
        return
    forms, of_form = kinds[kind], []
    for name in data:
        if name != "kind" and name not in forms:
            of_form.append(f"{place}.{_field_name(name)}: unknown field")
    for name, form in forms.items():
        if name in data:
            of_form += form_problems(data[name], form, f"{place}.{name}")
        else:
            of_form.append(f"{place}: {name!r} is missing")
    yield from of_form
    for check in () if of_form else CHECKS.get(kind, ()):
        yield from (f"{place}.{wrong}" for wrong in check(data))


def _field_name(name: Any) -> str:
    return name[:40] if isinstance(name, str) else value_words(name)
