"""Limit sets as JSON text and files."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from ..errors import LimitSetError
from ..geometry.joint_frame import CHANNELS
from ..io.budget import DEFAULT_LIMITS, ReadLimits
from ..io.json import json_text, parsed_json, problems
from ..io.output import write_text_atomically
from ..shapes.validation import shape_problems
from .document import angles_too_far
from .limit_set import FORMAT_VERSION, LimitSet

NEXT = "not a limits file of this program; estimate again, or name another file"
NEWER = "written by a newer version of this program; update it, or estimate again"
FIT_AGAIN = "fit the shapes again (jointlimits fit)"
OTHER_FILE = "name a .limits.json file written by this program"


@lru_cache(maxsize=1)
def limit_set_schema() -> dict[str, Any]:
    """JSON Schema of a limit set."""
    path = Path(__file__).with_name("limit_set.schema.json")
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


def json_from_limit_set(limit_set: LimitSet) -> str:
    """JSON text of a limit set: the same bytes for the same content."""
    return json.dumps(limit_set.to_dict(), indent=1, allow_nan=False) + "\n"


def limit_set_from_json(text: str, name: str = "limit set") -> LimitSet:
    """Read and check JSON text.

    Parameters
    ----------
    name : str
        Name of the document in errors.

    Raises
    ------
    LimitSetError
        With line and column for text that is not JSON, otherwise with the place in the document.
    """
    data = parsed_json(text, name, LimitSetError, "limit set")
    version = data.get("version") if isinstance(data, dict) else None
    if isinstance(version, int) and version > FORMAT_VERSION:
        raise LimitSetError(name, f"version: expected {FORMAT_VERSION}, found {version}; {NEWER}")
    wrong = next(problems(data, limit_set_schema()), None)
    if wrong is not None:
        raise LimitSetError(name, f"{wrong}; {NEXT}")
    try:
        limit_set = LimitSet.from_dict(data)
    except ValueError as error:
        # Contradictions between fields, which the schema cannot express.
        raise LimitSetError(name, f"{error}; {NEXT}") from None
    wrong = next(chain(angles_too_far(limit_set), _contradictions(limit_set)), None)
    if wrong is not None:
        raise LimitSetError(name, f"{wrong}; {NEXT}")
    wrong = next(_unusable_shapes(limit_set), None)
    if wrong is not None:
        raise LimitSetError(name, f"{wrong}; {FIT_AGAIN}")
    return limit_set


def _contradictions(limit_set: LimitSet) -> Iterator[str]:
    """Problems that a schema cannot express: missing channels, min above max."""
    needed = set(CHANNELS) if limit_set.mode == "standard" else set()
    for joint, limit in limit_set.joints.items():
        for channel in sorted(needed - set(limit.limits)):
            yield f"joints.{joint}.limits: {channel!r} is missing"
        for channel, axis in limit.limits.items():
            place = f"joints.{joint}.limits.{channel}"
            if axis.state != "free" and axis.min_deg is None and axis.max_deg is None:
                yield f"{place}: {axis.state} without min_deg and max_deg"
            elif (
                axis.min_deg is not None
                and axis.max_deg is not None
                and axis.min_deg > axis.max_deg
            ):
                yield f"{place}: min_deg {axis.min_deg:g} is above max_deg {axis.max_deg:g}"


def _unusable_shapes(limit_set: LimitSet) -> Iterator[str]:
    """Problems of the coupled shapes, which are not built while reading."""
    for joint, limit in limit_set.joints.items():
        if limit.coupled is not None:
            for wrong in shape_problems(vars(limit.coupled)):
                yield f"joints.{joint}.coupled.{wrong}"


def read_limit_set(path: str | os.PathLike[str], limits: ReadLimits = DEFAULT_LIMITS) -> LimitSet:
    """Read a limit set from a file.

    Parameters
    ----------
    path : path-like
    limits : ReadLimits
        Only `max_json_bytes` is used.

    Raises
    ------
    LimitSetError
        If the file cannot be read or does not follow the schema.
    """
    text = json_text(path, LimitSetError, OTHER_FILE, limits)
    return limit_set_from_json(text, os.fspath(path))


def write_limit_set(limit_set: LimitSet, path: str | os.PathLike[str]) -> None:
    """Write a limit set to a file, completely or not at all."""
    write_text_atomically(path, json_from_limit_set(limit_set))
