"""Baseline of a check: what was outside before, so that only news fails.

A limit is known if the same motion (the clip of that name) was beyond it before, and now goes no
further, by more than the tolerance, and lasts no longer, by as many frames as count (``--for``).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..base.errors import InputError
from ..base.version import __version__
from ..geometry.euler import CHANNELS
from ..io.input import DEFAULT_LIMITS, FilePath, ReadLimits
from ..io.json import json_text, parsed_json, problems, value_words
from ..io.output import write_text_atomically
from ..limits.limit_set import LimitSet
from ..limits.records import BOUNDS
from .violations import Violations

FORMAT, FORMAT_VERSION = "jointlimits.baseline", 1
ANOTHER = "write a new one with --write-baseline"


def _object(**properties: Any) -> dict[str, Any]:
    """Schema of an object with exactly these properties."""
    fields = {"properties": properties, "required": list(properties)}
    return {"type": "object", **fields, "additionalProperties": False}


_TEXT, _FRAMES, _DEG = {"type": "string"}, {"type": "integer", "minimum": 1}, {"type": "number"}
_PLACES = {"type": "object", "additionalProperties": _object(frames=_FRAMES, worst_deg=_DEG)}
_SCHEMA = _object(
    format={"const": FORMAT},
    version={"const": FORMAT_VERSION},
    program_version=_TEXT,
    character=_TEXT,
    motions={"type": "object", "additionalProperties": _PLACES},
)


class Known(NamedTuple):
    """Frames beyond one limit of a motion, and the worst of them."""

    frames: int
    worst_deg: float


@dataclass(frozen=True)
class Baseline:
    """What is known of the motions of one character."""

    path: str
    motions: Mapping[str, Mapping[str, Known]]
    """By motion, then by "JOINT.CHANNEL.SIDE"."""

    def known(self, motion: str, joint: str, channel: str, side: str) -> Known | None:
        """What is known about one limit in a motion, if anything."""
        return self.motions.get(motion, {}).get(f"{joint}.{channel}.{side}")


def read_baseline(
    path: FilePath, limit_set: LimitSet, limits: ReadLimits = DEFAULT_LIMITS
) -> Baseline:
    """Read a baseline of these limits.

    Raises InputError for a file that cannot be read, breaks the schema or is of other limits.
    """
    text = json_text(path, InputError, "name a baseline of --write-baseline", limits)
    data = parsed_json(text, os.fspath(path), InputError, "baseline")
    found = data.get("format") if isinstance(data, dict) else None
    if found != FORMAT:
        text = f"expected a baseline (format {FORMAT!r}), found {value_words(found)}"
        raise InputError(path, f"{text}; {ANOTHER}")
    wrong = next(problems(data, _SCHEMA), None)
    if wrong is not None:
        raise InputError(path, f"{wrong}; {ANOTHER}")
    if data["character"] != limit_set.character:
        text = f"a baseline of {data['character']!r}, but the limits are of {limit_set.character!r}"
        raise InputError(path, f"{text}; {ANOTHER}")
    for motion, places in data["motions"].items():
        for place in places:
            joint, channel, side = ["", "", *place.rsplit(".", 2)][-3:]
            fits = channel == "shape" or (channel in CHANNELS and side in BOUNDS)
            if joint not in limit_set.joints or not fits:
                text = f"motions.{motion}: the limits have no {place!r}: a baseline of other limits"
                raise InputError(path, f"{text}; {ANOTHER}")
    motions = {
        motion: {place: Known(**record) for place, record in places.items()}
        for motion, places in data["motions"].items()
    }
    return Baseline(os.fspath(path), motions)


def write_baseline(path: FilePath, character: str, motions: Iterable[Violations]) -> None:
    """Write everything outside the limits as known, completely or not at all.

    `character`: of the limits.
    """
    found: dict[str, dict[str, Known]] = {}
    for checked in motions:
        places = found.setdefault(checked.clip, {})
        for item in checked.bounds:
            # A range and a dependency may be beyond the same side.
            place = f"{item.joint}.{item.channel}.{item.side}"
            before = places.get(place, Known(0, 0.0))
            frames, worst = max(before.frames, item.frames), max(before.worst_deg, item.worst_deg)
            places[place] = Known(frames, worst)
    data = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "program_version": __version__,
        "character": character,
        "motions": {
            motion: {place: known._asdict() for place, known in places.items()}
            for motion, places in found.items()
        },
    }
    write_text_atomically(path, json.dumps(data, indent=1, allow_nan=False) + "\n")
