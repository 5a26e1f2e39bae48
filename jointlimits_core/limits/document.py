"""Checks of limit sets as documents: the schema, and what a schema cannot express."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from ..base import LimitSetError
from ..geometry import CHANNELS
from ..io import parsed_json, problems, shown
from ..shapes import shape_problems

if TYPE_CHECKING:
    from .limit_set import JointLimit, LimitSet

FORMAT = "jointlimits.limit-set"


FORMAT_VERSION = 1


NEXT = "not a limits file of this program; estimate again, or name another file"


NEWER = "written by a newer version of this program; update it, or estimate again"


FIT_AGAIN = "fit the shapes again (jointlimits fit)"


OTHER_FILE = "name a .limits.json file written by this program"
MAX_ANGLE_DEG = 1e7
"""Nearly 28,000 turns, beyond anything that is animated, even wheels and roots that keep turning.
Maya itself has no limit; its angles are doubles of radians, still exact to a millionth of a degree
at this size."""
_Angle = tuple[str, Optional[float]]


def angle_range_problems(limit_set: LimitSet) -> Iterator[str]:
    """Error messages about angles beyond :data:`MAX_ANGLE_DEG`.

    The result is place in the document, and what is wrong there.
    """
    for place, angle in _every_angle(limit_set):
        if angle is not None and not abs(angle) <= MAX_ANGLE_DEG:
            yield (
                f"{place}: must be between -{MAX_ANGLE_DEG:,.0f} and {MAX_ANGLE_DEG:,.0f} degrees, "
                f"not {shown(angle)}"
            )


def _every_angle(limit_set: LimitSet) -> Iterator[_Angle]:
    for name, joint in limit_set.joints.items():
        for place, angle in _angles(joint):
            yield f"joints.{name}.{place}", angle
    for number, edit in enumerate(limit_set.edits):
        if isinstance(edit.value, (int, float)):
            yield f"edits[{number}].value", edit.value


def _angles(joint: JointLimit) -> Iterator[_Angle]:
    for channel, axis in joint.limits.items():
        yield f"limits.{channel}.min_deg", axis.min_deg
        yield f"limits.{channel}.max_deg", axis.max_deg
        for end in ("min", "max"):
            source = getattr(axis.source, end)
            if source is not None:
                place = f"limits.{channel}.source.{end}"
                yield f"{place}.value_deg", source.value_deg
                yield from ((f"{place}.band_deg", angle) for angle in source.band_deg or ())
    if joint.hinge is not None:
        yield "hinge.min_deg", joint.hinge.min_deg
        yield "hinge.max_deg", joint.hinge.max_deg
    poses = {"rest": joint.rest, **{f"remedies.{key}": one for key, one in joint.remedies.items()}}
    for place, pose in poses.items():
        if pose is not None:
            yield from ((f"{place}.rotate_deg", angle) for angle in pose.rotate_deg)
    yield from (("preferred_deg", angle) for angle in joint.preferred_deg)
    yield from (("frame.joint_orient_deg", angle) for angle in joint.frame.joint_orient_deg)
    yield from (("frame.rotate_axis_deg", angle) for angle in joint.frame.rotate_axis_deg)


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
    data: dict[str, Any] = parsed_json(text, name, LimitSetError, "limit set")
    version = data.get("version") if isinstance(data, dict) else None
    if isinstance(version, int) and version > FORMAT_VERSION:
        raise LimitSetError(name, f"version: expected {FORMAT_VERSION}, found {version}; {NEWER}")
    wrong = next(problems(data, limit_set_schema()), None)
    if wrong is not None:
        raise LimitSetError(name, f"{wrong}; {NEXT}")
    return data


def check(limit_set: LimitSet, name: str) -> None:
    """Raise :class:`.LimitSetError` for what a schema cannot express."""
    wrong = next(chain(angle_range_problems(limit_set), _contradictions(limit_set)), None)
    if wrong is not None:
        raise LimitSetError(name, f"{wrong}; {NEXT}")
    wrong = next(_unusable_shapes(limit_set), None)
    if wrong is not None:
        raise LimitSetError(name, f"{wrong}; {FIT_AGAIN}")


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
