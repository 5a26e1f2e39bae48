"""Losses of MJCF for limits and their figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..limits.limit_set import LimitSet
from ..wording import number
from .body_joints import OWN_AXIS, BodyJoints
from .common_losses import common_losses
from .figure import Figure, FigureJoint
from .loss import Loss, losses_of
from .only_in_json import only_in_json
from .options import ExportOptions


def mjcf_losses(
    limit_set: LimitSet, figure: Figure, turning: Sequence[BodyJoints], options: ExportOptions
) -> Iterator[Loss]:
    """Losses of MJCF besides those of the figure.

    Parameters
    ----------
    turning : sequence of BodyJoints
        One per joint of the figure.
    """
    pairs = list(zip(figure.joints, turning))
    own_axis = {joint.limit_name for joint, one in pairs if _is_on_own_axis(one)}
    yield from common_losses(limit_set, "MJCF", figure.limited_names(), own_axis)
    held = [
        joint
        for joint, one in pairs
        if joint.limit is not None and not one.free and joint.limit_name not in own_axis
    ]
    yield from losses_of(
        [
            (
                "locked-channel",
                "locked channels are fixed at the rest pose, not kept as the narrow range "
                "measured (--locked range writes that range)",
                [joint.name for joint in held if options.locked == "hold" and _has_width(joint)],
            ),
            (
                "root-limits",
                "a free joint has no limits; those of the root are not in the file (--root-joint "
                "hinges writes them)",
                [joint.name for joint, one in pairs if one.free and _is_limited(joint)],
            ),
            (
                "ball-range",
                "a ball joint has one range for all directions; the smallest range that contains "
                "everything the channels allow was written, which allows more (--ball-joints "
                "channels writes the channels)",
                [joint.name for joint, one in pairs if one.ball is not None],
            ),
            (
                "own-axis",
                "one hinge about the joint's own axis was written, with the range measured about "
                "it; padding, published ranges and motion off the axis are not included "
                "(--hinge-joints channels writes the channels)",
                [joint.name for joint, one in pairs if _is_on_own_axis(one)],
            ),
            (
                "rest-outside",
                "the rest pose is outside the limits; the nearest pose inside is used as rest pose",
                [joint.name for joint in held if joint.rests_outside],
            ),
            (
                "one-sided",
                "MJCF has no one-sided ranges; a million radians stand for the missing limit",
                [joint.name for joint in held if _is_one_sided(joint)],
            ),
        ]
    )
    yield from _scene_losses(figure, options)
    yield from only_in_json(limit_set)


def _scene_losses(figure: Figure, options: ExportOptions) -> Iterator[Loss]:
    if options.meters_per_unit is None and figure.skeleton.meters_per_unit is None:
        yield Loss(
            "unknown-unit",
            f"the source does not state its length unit; its numbers were written as metres, so "
            f"the figure is {number(figure.height(), 2)} m in size (--meters-per-unit 0.01 if they "
            "are centimetres)",
        )
    yield Loss(
        "masses",
        "limits contain no bodies: capsules with the density of water were written along the "
        "bones, with collisions off",
    )
    yield Loss(
        "up-axis",
        "MuJoCo uses Z up; the figure is oriented as in the source, with gravity along -Y, which "
        "is correct if Y is up",
    )


def _is_on_own_axis(turning: BodyJoints) -> bool:
    return any(hinge.channel == OWN_AXIS for hinge in turning.hinges)


def _has_width(joint: FigureJoint) -> bool:
    width = joint.box.high - joint.box.low
    return any(locked and width[axis] > 0.0 for axis, locked in enumerate(joint.locked))


def _is_limited(joint: FigureJoint) -> bool:
    return bool(np.isfinite([joint.box.low, joint.box.high]).any())


def _is_one_sided(joint: FigureJoint) -> bool:
    return bool((np.isfinite(joint.box.low) != np.isfinite(joint.box.high)).any())
