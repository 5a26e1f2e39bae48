"""Validation of the plain data of shapes, before anything is computed from it.

Used for all inputs: files, the text in a node, data from a script. It is plain Python, as nodes
work without numpy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from ..coupled_limit import CoupledLimit
from ..schema_check import shown
from .number_form import Form, form_problems
from .shape_sense import SENSE

MOST_HALF_SPACES = 1024
MOST_CORNERS = 8192
MOST_SAMPLES = 256
MOST_SPHERES = 128
"""Larger shapes take seconds where a rig has microseconds, and no fit produces them."""

THREE = (3, 3)
_VECTOR = Form(THREE)
_AXES = Form(THREE, THREE, off_unit=1e-6)
_UNIT = Form(THREE, off_unit=1e-6)
_CENTRE = {"centre": Form((4, 4), off_unit=1e-6)}
_HALF_SPACES = {
    # Stored with few decimals.
    "directions": Form((4, MOST_HALF_SPACES), THREE, off_unit=1e-4),
    "offsets_rad": Form((4, MOST_HALF_SPACES)),
}
_LENGTH = Form(low=0.0)
_RANGE = {"low": _VECTOR, "high": _VECTOR}

CHART_FORMS: dict[str, dict[str, Form]] = {
    "rotation-vector": _CENTRE,
    "swing-twist": {**_CENTRE, "axis": _UNIT},
    "two-axes": {**_CENTRE, "outer": _UNIT, "inner": _UNIT},
}
"""Kinds of coordinates, each with the form of its numbers."""

REGION_FORMS: dict[str, dict[str, Form]] = {
    "box": _RANGE,
    "obb": {"axes": _AXES, **_RANGE},
    "ellipsoid": {"middle": _VECTOR, "axes": _AXES, "radii": Form(THREE, low=1e-9)},
    "kdop": _HALF_SPACES,
    "kdop-sequential": _HALF_SPACES,
    "hull": _HALF_SPACES,
    "implicit": {
        "centres_rad": Form((1, MOST_SPHERES), THREE),
        "radii_rad": Form((1, MOST_SPHERES)),
        "stickiness_per_rad": Form(low=1e-3, high=1e5),
        "level": Form(low=1e-9, high=1e6),
    },
    "wrap": {
        **_HALF_SPACES,
        "samples_rad": Form((1, MOST_SAMPLES), THREE),
        "pad_rad": _LENGTH,
        "least_rad": _LENGTH,
    },
    "flat": {
        "origin": _VECTOR,
        "axes": Form((0, 2), THREE, off_unit=1e-6),
        "corners": Form((1, MOST_CORNERS), (0, 2)),
        "radius": _LENGTH,
        "slack": _LENGTH,
    },
}
"""Kinds of regions, each with the form of its numbers."""

_BESIDE = {field.name for field in fields(CoupledLimit)}
"""Fields of a coupled limit allowed beside coordinates and region."""


def shape_problems(data: Any) -> Iterator[str]:
    """Problems of the plain data of a shape, as ``place: what``.

    Parameters
    ----------
    data : object
        A shape's ``to_dict``, or a coupled limit as in a limit set.
    """
    if not isinstance(data, Mapping):
        yield f"shape: expected an object, found {shown(data)}"
        return
    for name in ("coordinates", "region"):
        if name not in data:
            yield f"shape: {name!r} is missing"
    for name in data:
        if name not in _BESIDE:
            yield f"{_named(name)}: unknown field"
    if "coordinates" in data and "region" in data:
        yield from chart_problems(data["coordinates"])
        yield from region_problems(data["region"])
        wrong = _kind_problem(data)
        if wrong:
            yield wrong


def chart_problems(data: Any) -> Iterator[str]:
    """Problems of the plain data of coordinates."""
    return _problems(data, CHART_FORMS, "coordinates")


def region_problems(data: Any) -> Iterator[str]:
    """Problems of the plain data of a region."""
    return _problems(data, REGION_FORMS, "region")


def refuse(problems: Iterator[str]) -> None:
    """Raise ValueError for the first problem, if any."""
    wrong = next(problems, None)
    if wrong is not None:
        raise ValueError(f"not a valid shape: {wrong}")


def _kind_problem(data: Mapping[str, Any]) -> str:
    region = data["region"]
    there = region.get("kind") if isinstance(region, Mapping) else None
    if data.get("kind", there) == there:
        return ""
    return f"kind: must be {shown(there)} like the region's, not {shown(data['kind'])}"


def _problems(data: Any, kinds: Mapping[str, Mapping[str, Form]], place: str) -> Iterator[str]:
    if not isinstance(data, Mapping):
        yield f"{place}: expected an object, found {shown(data)}"
        return
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        yield f"{place}.kind: must be one of {', '.join(kinds)}, not {shown(kind)}"
        return
    valid = True
    for wrong in _form_problems(data, kinds[kind], place):
        valid = False
        yield wrong
    if valid and kind in SENSE:
        yield from (f"{place}.{wrong}" for wrong in SENSE[kind](data))


def _form_problems(data: Mapping[str, Any], forms: Mapping[str, Form], place: str) -> Iterator[str]:
    for name in data:
        if name != "kind" and name not in forms:
            yield f"{place}.{_named(name)}: unknown field"
    for name, form in forms.items():
        if name in data:
            yield from form_problems(data[name], form, f"{place}.{name}")
        else:
            yield f"{place}: {name!r} is missing"


def _named(name: Any) -> str:
    return name[:40] if isinstance(name, str) else shown(name)
