"""Limits of a joint carried over to the control that drives it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..base.findings import Finding
from ..geometry import quaternion
from ..geometry.euler import CHANNELS
from . import ranges
from .channel_image import FROM_KEYS, MIN_LOSS_DEG, CarryOverError, Image, LinkedMotion, Region
from .constant_link import MAX_RESIDUAL_DEG, ConstantLink
from .limit_set import AxisLimit, Hinge, JointLimit, RestPose
from .symmetry import Axes, carry_axes

RULE = "carried-over"
"""Rule of the findings that say which joint a control's limits come from."""


def carried_limit(
    limit: JointLimit, motion: LinkedMotion, joint: str, parent: str | None = None
) -> JointLimit:
    """Limits of the control; a finding says where they come from and what they lose.

    `joint`: its name. `parent`: nearest control above. Raises CarryOverError for limits that the
    control's channels cannot hold, or where the motion does not determine the link.
    """
    if not any(axis.is_limited for axis in limit.limits.values()):
        raise CarryOverError("the joint has no limits", "estimate it first")
    image = Image(Region.from_limit(limit, motion), motion)
    unknown = image.unknown_deg()
    if unknown > MAX_RESIDUAL_DEG:
        raise CarryOverError(
            f"the limits turn the joint {unknown:.1f} degrees out of the directions in which it "
            "moves here, where its link to the control is unknown",
            f"turn the control about all three axes in the clip, or {FROM_KEYS}",
        )
    limits = image.limits()
    loss = image.loss_deg(limits)
    rest = RestPose(image.rest_of(limit), True, 0.0)
    made = replace(
        limit,
        parent=parent,
        orientation=motion.orientation,
        limits=limits,
        rest=rest,
        remedies={},
        preferred_deg=rest.rotate_deg,
        hinge=None if limit.hinge is None else _carry_hinge(limit.hinge, motion.link),
        universal=None if limit.universal is None else _carry_axes(limit.universal, motion.link),
        candidate=None,
        advice=None,
        coupled=None,
        root=False,
        findings=(Finding(RULE, _sentence(limit, joint, limits, loss)),),
    )
    return ranges.with_limits(made, limits)


def _carry_axes(axes: Axes, link: ConstantLink) -> Axes:
    """Axes of a joint in the spaces of the control."""
    return carry_axes(axes, link.before, quaternion.conjugate(link.after))


def _carry_hinge(hinge: Hinge, link: ConstantLink) -> Hinge:
    found = _carry_axes(hinge, link)
    along = np.abs(found.axis_child)
    place = int(along.argmax())
    across = float(np.linalg.norm(np.delete(along, place)))
    off = float(np.degrees(np.arctan2(across, along[place])))
    return replace(found, channel=CHANNELS[place], off_channel_deg=off)


def _sentence(
    limit: JointLimit, joint: str, limits: Mapping[str, AxisLimit], loss_deg: float
) -> str:
    """Origin of a control's limits, and what they lose."""
    text = f"limits carried over from the {limit.type} joint {joint}"
    if loss_deg > MIN_LOSS_DEG:
        turning = [channel for channel, axis in limits.items() if axis.state != "locked"]
        spread = f" on {', '.join(turning)}" if limit.type != "ball" else ""
        text += f"; the box{spread} allows up to {loss_deg:.1f} degrees beyond the joint's limits"
    if limit.coupled is not None:
        text += f"; its {limit.coupled.kind} shape stays on the joint"
    return text
