"""Coupled limit for single rotations, without numpy where its kind allows that."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from .scalar_charts import scalar_chart
from .scalar_regions import bounds_of, box_nearest, scalar_nearest
from .scalar_rotation import Four, Three
from .shape_data import refuse, shape_problems

Project = Callable[[Four], Four]
"""Takes a unit quaternion (x, y, z, w); returns an allowed one as the same object."""


def compact_text(data: Mapping[str, Any]) -> str:
    """JSON of a shape on one line without blanks, which referenced scenes may strip.

    Raises
    ------
    ValueError
        For data that JSON cannot represent.
    """
    try:
        return json.dumps(data, separators=(",", ":"), allow_nan=False)
    except (TypeError, RecursionError) as error:
        raise ValueError(f"not a valid shape: {error}") from None


@lru_cache(maxsize=512)
def project_from_text(text: str) -> Project:
    """Projection onto the shape in a JSON text; cached by text.

    Parameters
    ----------
    text : str
        From :func:`compact_text`; other white space is allowed.

    Raises
    ------
    ValueError
        With the problem of the text.
    ImportError
        For a shape that needs numpy where it is not installed.
    """
    try:
        return scalar_project(json.loads(text, parse_constant=_reject_constant))
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error}") from None
    except RecursionError:
        raise ValueError("not a valid shape: nested too deeply") from None


def _reject_constant(number: str) -> float:
    raise ValueError(f"{number} is not allowed in a shape")


def scalar_project(data: Mapping[str, Any]) -> Project:
    """Projection onto a shape, in plain Python where possible, else with numpy.

    Parameters
    ----------
    data : mapping
        A shape's ``to_dict``.

    Raises
    ------
    ValueError
        With the place of the error.
    """
    refuse(shape_problems(data))
    nearest, chart = scalar_nearest(data["region"]), scalar_chart(data["coordinates"])
    if nearest is None or chart is None:
        return _batched(data)
    to_bounds = box_nearest(*bounds_of(nearest))

    def project(q: Four) -> Four:
        point = chart.coordinates(q)
        best = nearest(point)
        if best is point:
            return q
        least = _square(best, point)
        for other in chart.others(point):
            # A point farther from the bounds is farther from the region.
            if _square(to_bounds(other), other) < least:
                found = nearest(other)
                if _square(found, other) < least:
                    best, least = found, _square(found, other)
        return chart.rotation(best) if least > 0.0 else q

    return project


def _square(a: Three, b: Three) -> float:
    x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    return x * x + y * y + z * z


def _batched(data: Mapping[str, Any]) -> Project:
    """Projection by the shape itself, in batches of one rotation."""
    from .fitting import shape_from_dict

    shape = shape_from_dict(data)

    def project(q: Four) -> Four:
        x, y, z, w = shape.project(q).tolist()
        return q if (x, y, z, w) == q else (x, y, z, w)

    return project
