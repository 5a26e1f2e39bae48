"""Baseline of a check: earlier violations, recorded so that only new ones fail.

A limit passes if the same motion (the clip of that name) was beyond it before, and now goes no
further (by more than the tolerance) and stays no longer (by as many frames as count, ``--for``).
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.errors import InputError
from ..base.version import __version__
from ..geometry.euler import CHANNELS
from ..io.input import DEFAULT_LIMITS, FilePath, ReadLimits
from ..io.json import json_text, parsed_json, problems, value_words
from ..io.output import write_text_atomically
from ..limits.limit_set import LimitSet
from ..limits.records import BOUNDS

if TYPE_CHECKING:
    from .check_result import CheckResult

FORMAT, FORMAT_VERSION = "jointlimits.baseline", 1
ANOTHER = "write a new one (check --write-baseline, or write_baseline in Python)"


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


class Entry(NamedTuple):
    """Frames beyond one limit of a motion, and the worst of them."""

    frames: int
    worst_deg: float


@dataclass(frozen=True)
class Baseline:
    """Violations accepted earlier in the motions of one character."""

    path: str
    motions: Mapping[str, Mapping[str, Entry]]
    """Entries by motion, then by "JOINT.CHANNEL.SIDE"."""

    def entry(self, motion: str, joint: str, channel: str, side: str) -> Entry | None:
        """Entry about one limit in a motion, if there is one."""
        return self.motions.get(motion, {}).get(f"{joint}.{channel}.{side}")


def read_baseline(
    path: FilePath, limit_set: LimitSet, limits: ReadLimits = DEFAULT_LIMITS
) -> Baseline:
    """Read a baseline for these limits, for :func:`jointlimits_core.check`.

    `limits`: size limits of the file. Raises InputError for a file that cannot be read, breaks the
    schema or belongs to other limits.
    """
    text = json_text(path, InputError, "name a file from write_baseline", limits)
    data = parsed_json(text, os.fspath(path), InputError, "baseline")
    found = data.get("format") if isinstance(data, dict) else None
    if found != FORMAT:
        text = f"expected a baseline (format {FORMAT!r}), found {value_words(found)}"
        raise InputError(path, f"{text}; {ANOTHER}")
    wrong = next(problems(data, _SCHEMA), None)
    if wrong is not None:
        raise InputError(path, f"{wrong}; {ANOTHER}")
    if data["character"] != limit_set.character:
        text = f"the baseline is for {data['character']!r}, the limits for {limit_set.character!r}"
        raise InputError(path, f"{text}; {ANOTHER}")
    for motion, places in data["motions"].items():
        for place in places:
            joint, channel, side = ["", "", *place.rsplit(".", 2)][-3:]
            fits = channel == "shape" or (channel in CHANNELS and side in BOUNDS)
            if joint not in limit_set.joints or not fits:
                text = f"motions.{motion}: {place!r} is not one of these limits"
                raise InputError(path, f"{text}; {ANOTHER}")
    motions = {
        motion: {place: Entry(**record) for place, record in places.items()}
        for motion, places in data["motions"].items()
    }
    return Baseline(os.fspath(path), motions)


def reject_same_names(motions: Iterable[str]) -> None:
    """Raise ValueError if two motions of a baseline have the same name."""
    twice = next((name for name, count in Counter(motions).items() if count > 1), None)
    if twice is not None:
        raise ValueError(
            f"two motions are called {twice}, and a baseline tells motions apart by name; "
            "check them separately, each with its own baseline"
        )


def write_baseline(result: CheckResult, path: FilePath) -> None:
    """Write everything outside the limits as a baseline, completely or not at all.

    Unreadable motions are left out. Raises ValueError for two motions with the same name.
    """
    found: dict[str, dict[str, Entry]] = {}
    checked = [clip.violations for clip in result.clips if clip.violations is not None]
    reject_same_names(one.clip for one in checked)
    for one in checked:
        places = found.setdefault(one.clip, {})
        for item in one.bounds:
            # A range and a dependency may be exceeded on the same side.
            place = f"{item.joint}.{item.channel}.{item.side}"
            before = places.get(place, Entry(0, 0.0))
            frames, worst = max(before.frames, item.frames), max(before.worst_deg, item.worst_deg)
            places[place] = Entry(frames, worst)
    data = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "program_version": __version__,
        "character": result.character,
        "motions": {
            motion: {place: entry._asdict() for place, entry in places.items()}
            for motion, places in found.items()
        },
    }
    write_text_atomically(path, json.dumps(data, indent=1, allow_nan=False) + "\n")
