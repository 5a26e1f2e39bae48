"""A coupled limit for one rotation at a time, without numpy where its kind allows that."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from math import pi
from typing import Any

from .scalar_charts import scalar_chart
from .scalar_regions import reach, scalar_nearest
from .scalar_rotation import Four

Project = Callable[[Four], Four]
"""Takes a unit quaternion (x, y, z, w); gives one that is allowed back as the same object."""


def compact_text(data: Mapping[str, Any]) -> str:
    """JSON of a shape on one line without a blank, which referenced scenes may strip."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False)


@lru_cache(maxsize=512)
def project_from_text(text: str) -> Project:
    """Projection onto the shape that a JSON text describes; the same text is read once.

    Parameters
    ----------
    text : str
        As :func:`compact_text` gives it; other white space is allowed.

    Raises
    ------
    ValueError
        Saying what is wrong with the text.
    ImportError
        For a shape that is computed with numpy where there is none.
    """
    try:
        data = json.loads(text)
        return scalar_project(data)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(f"this is no shape: {type(error).__name__} {error}") from None


def scalar_project(data: Mapping[str, Any]) -> Project:
    """Projection onto a shape: in plain Python, or with the core's batches where it has to be.

    Parameters
    ----------
    data : mapping
        As a shape's ``to_dict`` gives it.
    """
    nearest = scalar_nearest(data["region"]) if "region" in data else None
    # A region beyond half a turn has two coordinates for one rotation; batches know how.
    if nearest is None or reach(nearest) > pi:
        return _batched(data)
    coordinates, rotation = scalar_chart(data["coordinates"])

    def project(q: Four) -> Four:
        point = coordinates(q)
        found = nearest(point)
        return q if found is point or found == point else rotation(found)

    return project


def _batched(data: Mapping[str, Any]) -> Project:
    """Projection by the shape itself, one rotation a batch."""
    from .fitting import shape_from_dict

    shape = shape_from_dict(data)

    def project(q: Four) -> Four:
        x, y, z, w = shape.project(q).tolist()
        return q if (x, y, z, w) == q else (x, y, z, w)

    return project


