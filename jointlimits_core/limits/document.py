"""Validation of limit-set documents, against the schema and beyond what it can express."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base import errors, findings
from ..geometry.euler import CHANNELS
from ..io.input import DEFAULT_LIMITS
from ..io.json import parsed_json, problems, value_words

if TYPE_CHECKING:
    from .limit_set import LimitSet

FORMAT, FORMAT_VERSION = "jointlimits.limit-set", 1
NEXT = "not a limits file of this program; estimate again, or name another file"
NEWER = "written by a newer version of this program; update it, or estimate again"
FIT_AGAIN = "fit the shapes again (jointlimits fit)"
OTHER_FILE = "choose a .limits.json file written by this program"
NOT_WRITTEN = "nothing was written, as the file could not be read back; correct the value"
MAX_ANGLE_DEG = 1e7
"""Largest angle in a limit set: nearly 28,000 turns, enough for wheels and roots that keep turning.
Maya itself has no limit; its angles are doubles in radians, still exact to a millionth of a degree
at this size."""
_ANGLES = (
    *("min_deg", "max_deg", "value_deg", "band_deg", "rotate_deg", "preferred_deg"),
    *("joint_orient_deg", "rotate_axis_deg"),
)


def angle_problem(angle: object) -> str | None:
    """Problem with an angle that a limit set cannot hold; None if it can."""
    number = isinstance(angle, (int, float)) and not isinstance(angle, bool)
    if number and abs(angle) <= MAX_ANGLE_DEG:  # type: ignore[arg-type]
        return None
    most = f"{MAX_ANGLE_DEG:,.0f}"
    return f"must be between -{most} and {most} degrees, not {value_words(angle)}"


def angle_range_problems(limit_set: LimitSet) -> Iterator[str]:
    """Problems with angles beyond :data:`MAX_ANGLE_DEG`, each with its place in the document."""
    for name, joint in limit_set.joints.items():
        records: dict[str, object] = {}
        for channel, axis in joint.limits.items():
            records[f"limits.{channel}."] = axis
            for side in ("min", "max"):
                records[f"limits.{channel}.source.{side}."] = getattr(axis.source, side)
        records |= {"hinge.": joint.hinge, "rest.": joint.rest}
        records |= {f"remedies.{key}.": pose for key, pose in joint.remedies.items()}
        for place, record in {**records, "": joint, "orientation.": joint.orientation}.items():
            for field, value in vars(record).items() if record is not None else ():
                angles = value if isinstance(value, tuple) else (value,)
                for angle in angles if field in _ANGLES and value is not None else ():
                    wrong = angle_problem(angle)
                    if wrong is not None:
                        yield f"joints.{name}.{place}{field}: {wrong}"


@lru_cache(maxsize=1)
def limit_set_schema() -> dict[str, Any]:
    """JSON Schema of a limit set."""
    path = Path(__file__).with_name("limit_set.schema.json")
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


def checked_data(text: str, name: str) -> dict[str, Any]:
    """Plain data of a limit set that follows the schema.

    Raises LimitSetError with line and column for text that is not JSON, otherwise with the place in
    the document.
    """
    data: dict[str, Any] = parsed_json(text, name, errors.LimitSetError, "limit set")
    if isinstance(data, dict):
        version = data.get("version")
        if isinstance(version, int) and version > FORMAT_VERSION:
            text = f"version: expected {FORMAT_VERSION}, found {version}; {NEWER}"
            raise errors.LimitSetError(name, text)
        _rename_orientations(data)
    wrong = next(problems(data, limit_set_schema()), None)
    if wrong is not None:
        raise errors.LimitSetError(name, f"{wrong}; {NEXT}")
    return data


def _rename_orientations(data: dict[str, Any]) -> None:
    """Rename orientations, which were called frames up to version 0.1."""
    joints, options = data.get("joints"), data.get("options")
    parts = list(joints.values()) if isinstance(joints, dict) else []
    for part in (*parts, options):
        if isinstance(part, dict) and "frame" in part and "orientation" not in part:
            part["orientation"] = part.pop("frame")
    edits = data.get("edits")
    for edit in edits if isinstance(edits, list) else ():
        if isinstance(edit, dict) and edit.get("target") == "frame":
            edit["target"] = "orientation"


def check(limit_set: LimitSet, name: str, mend: str = NEXT) -> None:
    """Raise :class:`.LimitSetError` for problems that a schema cannot express.

    `mend`: advice at the end of the message.
    """
    wrong = next(chain(angle_range_problems(limit_set), _contradictions(limit_set)), None)
    if wrong is not None:
        raise errors.LimitSetError(name, f"{wrong}; {mend}")
    # Shapes are not built while reading, so their data is checked here.
    for joint, limit in limit_set.joints.items():
        if limit.coupled is not None:
            from ..shapes.validation import shape_problems

            for wrong in shape_problems(vars(limit.coupled)):
                raise errors.LimitSetError(name, f"joints.{joint}.coupled.{wrong}; {FIT_AGAIN}")


def checked_text(limit_set: LimitSet, name: str) -> str:
    """JSON text of a limit set; raises LimitSetError for a set that could not be read back."""
    check(limit_set, name, NOT_WRITTEN)
    try:
        text = json.dumps(limit_set.to_dict(), indent=1, allow_nan=False) + "\n"
    except ValueError as error:
        raise errors.LimitSetError(name, f"{error}; {NOT_WRITTEN}") from None
    if len(text) > DEFAULT_LIMITS.max_json_bytes:
        raise errors.LimitSetError(
            name,
            f"needs {len(text):,} bytes, but only {DEFAULT_LIMITS.max_json_bytes:,} can be read; "
            "nothing was written; shorten its notes",
        )
    return text


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
            elif axis.width_deg < 0.0:
                yield f"{place}: min_deg {axis.min_deg:g} is above max_deg {axis.max_deg:g}"


READ_AS = "read-as"
"""Rule for findings about values from earlier versions."""
SHAPES = {"kdop-sequential": "kdop"}
"""Former shape names, each with the nearest current name."""


def set_of_today(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Plain data of a limit set from any version, with outdated values replaced and noted."""
    joints: dict[str, Mapping[str, Any]] = dict(data["joints"])
    for name, joint in data["joints"].items():
        coupled: Mapping[str, Any] = joint.get("coupled") or {}
        region: Mapping[str, Any] = coupled.get("region", {})
        old = region.get("kind")
        if old in SHAPES:
            kind = SHAPES[old]
            note = findings.Finding(READ_AS, f"its shape, {old!r}, is read as {kind!r}", name)
            shape = {**coupled, "kind": kind, "region": {**region, "kind": kind}}
            notes = [*joint["findings"], note.to_dict()]
            joints[name] = {**joint, "coupled": shape, "findings": notes}
    purpose = data.get("purpose", "")
    notes = [findings.Finding(READ_AS, f"its purpose, {purpose!r}, is not kept").to_dict()]
    return {
        **{name: value for name, value in data.items() if name != "purpose"},
        "joints": joints,
        "findings": [*data["findings"], *(notes if purpose else ())],
    }
