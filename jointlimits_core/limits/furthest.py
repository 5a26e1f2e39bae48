"""How far from zero an angle of a limit set may be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Optional

from .limit_set import JointLimit, LimitSet
from .schema_check import shown

FURTHEST_DEG = 1e7
"""Nearly 28,000 turns: wheels wind up, and a root turns on for hours, but nothing that anybody
animates gets there. Maya itself has no bound; its angles are doubles of radians, which at this
distance still tell a millionth of a degree."""
_Angle = tuple[str, Optional[float]]


def angles_too_far(limit_set: LimitSet) -> Iterator[str]:
    """Sentences on angles that are further from zero than any may be.
    Yields
    ------
    str
        Place in the document, and what is wrong there.
    """
    for place, angle in _every_angle(limit_set):
        if angle is not None and not abs(angle) <= FURTHEST_DEG:
            far = f"is further from zero than {FURTHEST_DEG:,.0f} degrees"
            yield f"{place}: {shown(angle)} {far}"


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
