"""JSON part of a summary file: names, records and findings."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

from ..limits.schema_check import problems
from .summary import CharacterSummary

FORMAT, VERSION = "jointlimits.summary", 1
MOST_DIGITS = 300
"""Most digits of a whole number; a float still holds it."""

_TEXT = {"type": "string"}
_TEXT_OR_NONE = {"type": ["string", "null"]}
_NUMBER = {"type": "number"}
_NAMES = {"type": "array", "items": _TEXT}


def _object(**properties: Any) -> dict[str, Any]:
    """Schema of an object with exactly these properties."""
    return {
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "additionalProperties": False,
    }


_FINDING = _object(
    rule=_TEXT,
    message=_TEXT,
    joint=_TEXT_OR_NONE,
    clip=_TEXT_OR_NONE,
    frame_ranges={
        "type": "array",
        "items": {"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 2},
    },
    left_out={"type": "boolean"},
)
_RECORD = _object(
    name=_TEXT,
    file=_TEXT_OR_NONE,
    sha256=_TEXT_OR_NONE,
    frames={"type": "integer", "minimum": 1},
    first_frame=_NUMBER,
    last_frame=_NUMBER,
    frame_rate={"type": "number", "minimum": 0},
)
_CLIP = _object(
    clip=_RECORD,
    from_source={"type": "boolean"},
    animated={"type": ["array", "null"], "items": _TEXT},
    findings={"type": "array", "items": _FINDING},
    count={"type": "integer", "minimum": 1},
)
SCHEMA = _object(
    format={"const": FORMAT},
    version={"const": VERSION},
    skeleton=_object(
        names={**_NAMES, "minItems": 1},
        rotate_orders={**_NAMES, "minItems": 1},
        rest_source=_TEXT,
        name=_TEXT,
        meters_per_unit={"type": ["number", "null"]},
    ),
    clips={"type": "array", "items": _CLIP, "minItems": 1},
)
"""JSON Schema of the document."""


def text_of_summary(summary: CharacterSummary) -> str:
    """JSON text, the same for the same content."""
    skeleton = summary.skeleton
    document = {
        "format": FORMAT,
        "version": VERSION,
        "skeleton": {
            "names": list(skeleton.names),
            "rotate_orders": list(skeleton.rotate_orders),
            "rest_source": skeleton.rest_source,
            "name": skeleton.name,
            "meters_per_unit": skeleton.meters_per_unit,
        },
        "clips": [
            {
                "clip": asdict(clip.clip),
                "from_source": clip.from_source,
                "animated": None if clip.animated is None else sorted(clip.animated),
                "findings": [finding.to_dict() for finding in clip.findings],
                "count": clip.count,
            }
            for clip in summary.clips
        ],
    }
    return json.dumps(document, allow_nan=False)


def document_from_text(text: str) -> dict[str, Any]:
    """Read and check JSON text.

    Returns
    -------
    dict
        Follows :data:`SCHEMA`; every number is finite.

    Raises
    ------
    ValueError
        Naming the place in the document, for text that is not JSON or not a summary's.
    """
    try:
        data: dict[str, Any] = json.loads(
            text, parse_constant=_refused, parse_int=_whole_number, parse_float=_decimal_number
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None
    wrong = next(problems(data, SCHEMA), None)
    if wrong is not None:
        raise ValueError(wrong)
    return data


def _refused(word: str) -> Any:
    raise ValueError(f"{word[:20]} is not a valid number in a summary")


def _whole_number(word: str) -> int:
    return int(word) if len(word) <= MOST_DIGITS else _refused(word)


def _decimal_number(word: str) -> float:
    number = float(word)
    return number if math.isfinite(number) else _refused(word)
