"""Check that the angles of a limit set are in a plausible range."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Optional

from ..io.json import shown
from .limit_set import JointLimit, LimitSet

FURTHEST_DEG = 1e7
"""Nearly 28,000 turns, beyond anything that is animated, even wheels and roots that keep turning.
Maya itself has no limit; its angles are doubles of radians, still exact to a millionth of a degree
at this size."""
_Angle = tuple[str, Optional[float]]


def angles_too_far(limit_set: LimitSet) -> Iterator[str]:
    """Error messages about angles beyond :data:`FURTHEST_DEG`.

    Yields
    ------
    str
        Place in the document, and what is wrong there.
    """
    for place, angle in _every_angle(limit_set):
        if angle is not None and not abs(angle) <= FURTHEST_DEG:
            yield (
                f"{place}: must be between -{FURTHEST_DEG:,.0f} and {FURTHEST_DEG:,.0f} degrees, "
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
