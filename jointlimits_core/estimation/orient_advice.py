"""Orient advice: the joint orientation and rotate order that fit the motion best.

A hinge whose axis is not aligned with a channel needs all three channels, and limits on three
channels allow rotations that the hinge cannot make. The advice is to reorient the joint so that its
axis is a channel, or so that both axes of a universal joint are channels. A ball joint keeps its
orientation and gets the rotate order with the smallest box that avoids gimbal lock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..geometry.arrays import ArrayLike, Floats
from ..geometry.euler import CHANNELS, ROTATE_ORDERS, axes_of, gimbal_margin
from ..geometry.quaternion import conjugate, rotate
from ..motion import reorient
from . import orient_search

MAX_KEPT_TILT_RAD = np.radians(3.0)
"""Maximum tolerated angle between axes and channels, or off-axis rotation in the box."""
MIN_GIMBAL_MARGIN_RAD = np.radians(30.0)
"""Minimum distance from gimbal lock for a rotate order to count as avoiding it."""
AT_GIMBAL_RAD = np.radians(5.0)
"""Nearer to gimbal lock than this, the outer channels mean little."""
MIN_WIDE_RAD = np.radians(90.0)
"""If both outer channels are wider than this, limits at gimbal lock mean almost nothing."""
MAX_BETTER_SHARE = 0.25
"""Maximum size of the box in a better order, as a share of the box at gimbal lock."""
MIN_SHRINKAGE_SHARE = 0.10
"""Minimum share by which another order must shrink the box."""
MAX_MIDDLE_REACH_RAD = np.radians(60.0)
"""Largest hinge angle to allow on the middle channel, where 90 degrees are gimbal lock."""
PAD_RAD = np.radians(2.0)
"""Padding of compared boxes, since all boxes with a width of zero are equally small."""

Axes = tuple[ArrayLike, ArrayLike]


class _Joint(NamedTuple):
    rotations: Floats
    orientation: reorient.JointOrientation
    rest: Floats
    rotates: Floats | None
    reach: float | None

    def box_in(self, orientation: reorient.JointOrientation) -> orient_search.EulerBox:
        """Box around the channels in an orientation."""
        return orient_search.euler_box(orientation.turns(self.rotations), orientation.rotate_order)

    def own_box(self) -> orient_search.EulerBox:
        """Box around the current channels; on one branch if their values are known."""
        box = self.box_in(self.orientation)
        if self.rotates is None:
            return box
        return box._replace(low=self.rotates.min(axis=1), high=self.rotates.max(axis=1))


def advise_joints(
    rotations: Floats,
    joint_types: Sequence[str],
    orientations: Sequence[reorient.JointOrientation],
    rests: Floats,
    axes: Sequence[Axes | None],
    *,
    rotates: Floats | None = None,
    reaches: Sequence[float | None] | None = None,
) -> list[reorient.OrientAdvice]:
    """Orient advice for joints; long motions are reduced to their outermost samples.

    The mode is "R" (rotateAxis), "K" (keep), "order" (rotate order), or "none" if there is no gain,
    and for other types. `rotations` has shape (joints, 4, samples): relative to the parent, unit
    quaternions of either sign. `joint_types`: "fixed", "hinge", "universal" or "ball". `rests` has
    shape (joints, 4): local rotation in the rest pose, where the channels of hinges and universal
    joints are zero. `axes`: unit vectors of either sign in each joint's parent and in the joint.
    `rotates` has shape (joints, 3, samples): current channels, radians, on one branch; computed if
    not given. `reaches`: distance from each joint to its most distant descendant, in scene units.
    """
    chosen = orient_search.representatives(rotations)[:, None, :]
    some = np.take_along_axis(rotations, chosen, axis=2)
    unknown = [None] * len(orientations)
    keys = unknown if rotates is None else np.take_along_axis(rotates, chosen, axis=2)
    joints = map(_Joint, some, orientations, rests, keys, unknown if reaches is None else reaches)
    result = []
    for joint, name, pair in zip(joints, joint_types, axes):
        if name == "ball":
            result.append(_ball(joint))
        elif name in ("hinge", "universal") and pair is not None:
            parent, child = (np.asarray(axis, dtype=np.float64) for axis in pair)
            result.append((_hinge if name == "hinge" else _advise_universal)(joint, parent, child))
        else:
            result.append(reorient.OrientAdvice("none", *_fields(joint.orientation)))
    return result


def order_boxes(turns: Floats) -> list[orient_search.EulerBox]:
    """Boxes around rotations, shape (..., 4, samples), in each of the six rotate orders."""
    return [orient_search.euler_box(turns, order) for order in ROTATE_ORDERS]


def best_order(boxes: Sequence[orient_search.EulerBox], own: str) -> str:
    """Order with the smallest box that avoids gimbal lock; `own` if other orders gain little."""
    shares = {box.rotate_order: float(box.share(PAD_RAD)) for box in boxes}
    margins = {box.rotate_order: float(box.margin) for box in boxes}
    clear = [order for order, margin in margins.items() if margin >= MIN_GIMBAL_MARGIN_RAD]
    if not clear:
        best = max(margins, key=lambda order: margins[order])
        return own if margins[own] >= margins[best] - np.radians(1.0) else best
    best = min(clear, key=lambda order: shares[order])
    kept = own in clear and shares[own] * (1.0 - MIN_SHRINKAGE_SHARE) <= shares[best]
    return own if kept else best


def better_order(
    rotations: Floats, orientation: reorient.JointOrientation, rotates: Floats
) -> tuple[str, float, float] | None:
    """Better order for a joint whose limits are useless because of gimbal lock, else None.

    Also returns the share of all rotations that the limits allow, in the joint's own order and in
    the better one. `rotates`, shape (3, samples): radians, on one branch.
    """
    first, _, last = axes_of(orientation.rotate_order)
    widths = np.ptp(rotates, axis=1)
    if min(widths[first], widths[last]) < MIN_WIDE_RAD:
        return None
    if gimbal_margin(rotates.T, orientation.rotate_order).min() >= AT_GIMBAL_RAD:
        return None
    boxes = {box.rotate_order: box for box in order_boxes(orientation.turns(rotations))}
    own = boxes[orientation.rotate_order]
    own = own._replace(low=rotates.min(axis=1), high=rotates.max(axis=1))
    order = best_order(list(boxes.values()), orientation.rotate_order)
    shares = float(own.share(PAD_RAD)), float(boxes[order].share(PAD_RAD))
    return (order, *shares) if shares[1] <= MAX_BETTER_SHARE * shares[0] else None


def _fields(orientation: reorient.JointOrientation) -> tuple[str, reorient.Triple, reorient.Triple]:
    return (
        orientation.rotate_order,
        reorient.degrees_of(orientation.joint_orient),
        reorient.degrees_of(orientation.rotate_axis),
    )


def _ball(joint: _Joint) -> reorient.OrientAdvice:
    """Rotate-order advice for a ball joint."""
    orientation, boxes = joint.orientation, order_boxes(joint.orientation.turns(joint.rotations))
    by_order = {box.rotate_order: box for box in boxes}
    order = best_order(boxes, orientation.rotate_order)
    before, after = by_order[orientation.rotate_order], by_order[order]
    margins = [round(float(np.degrees(box.margin))) for box in (before, after)]
    text = f"rotate order {order} is right; gimbal lock is {margins[0]} degrees away"
    if order != orientation.rotate_order:
        shrunk = round(100.0 * (1.0 - float(after.share(PAD_RAD)) / float(before.share(PAD_RAD))))
        size = f"box {shrunk} % smaller" if shrunk >= 0 else f"box {-shrunk} % larger"
        text = (
            f"rotate order {order}: {size}, gimbal lock {margins[1]}, not {margins[0]} degrees away"
        )
    return reorient.OrientAdvice(
        "none" if order == orientation.rotate_order else "order",
        *_fields(replace(orientation, rotate_order=order)),
        box_share_before=float(before.share()),
        box_share_after=float(after.share()),
        gimbal_margin_before_deg=float(np.degrees(before.margin)),
        gimbal_margin_after_deg=float(np.degrees(after.margin)),
        text=text,
    )


def _hinge(joint: _Joint, parent: Floats, child: Floats) -> reorient.OrientAdvice:
    orientation, channel = reorient.hinge_orientation(joint.orientation, parent, child, joint.rest)
    tilt = _tilt(joint.orientation, parent, child, np.eye(3)[channel], np.eye(3)[channel])
    locked = tuple(name for axis, name in enumerate(CHANNELS) if axis != channel)
    off = _off_axis(joint, orient_search.off_hinge, parent, child)
    if min(tilt, off.permitted_max) <= MAX_KEPT_TILT_RAD:
        return _keep_advice(joint, _clear_order(joint, joint.orientation, channel), 1, off)
    return _strict_advice(joint, _clear_order(joint, orientation, channel), locked, off)


def _advise_universal(joint: _Joint, parent: Floats, child: Floats) -> reorient.OrientAdvice:
    orientation, middle = reorient.universal_orientation(
        joint.orientation, parent, child, joint.rest
    )
    first, _, last = (np.eye(3)[axis] for axis in axes_of(joint.orientation.rotate_order))
    tilt = _tilt(joint.orientation, parent, child, last, first)
    off = _off_axis(joint, orient_search.off_universal, parent, child)
    if min(tilt, off.permitted_max) <= MAX_KEPT_TILT_RAD:
        return _keep_advice(joint, joint.orientation, 2, off)
    return _strict_advice(joint, orientation, (CHANNELS[middle],), off)


class _OffAxis(NamedTuple):
    """Off-axis rotation of the samples, and off-axis rotation in the joint's own box, radians."""

    lost: Floats
    permitted_mean: float
    permitted_max: float


def _tilt(
    orientation: reorient.JointOrientation,
    parent: Floats,
    child: Floats,
    last: Floats,
    first: Floats,
) -> float:
    """Largest angle between an axis and its channel: `first` in the joint, `last` in the parent."""
    inside = rotate(orientation.rotate_axis, child)
    outside = rotate(conjugate(orientation.joint_orient), parent)
    sense = np.copysign(1.0, inside @ first)
    angles = []
    for vector, axis in ((inside, first), (outside, last)):
        # Axes of universal joints have no sign; a hinge axis has the same in joint and parent.
        along = sense * (vector @ axis) if np.array_equal(first, last) else abs(vector @ axis)
        angles.append(float(np.arctan2(np.linalg.norm(np.cross(vector, axis)), along)))
    return max(angles)


def _off_axis(joint: _Joint, off: Callable[..., Floats], parent: Floats, child: Floats) -> _OffAxis:
    box = joint.own_box()
    rotations, weights = orient_search.box_poses(box.low, box.high, joint.orientation)
    angles = off(rotations, parent, child)
    lost = off(joint.rotations.T, parent, child)
    return _OffAxis(lost, float(weights @ angles), float(angles.max()))


def _clear_order(
    joint: _Joint, orientation: reorient.JointOrientation, channel: int
) -> reorient.JointOrientation:
    """Orientation, with a different rotate order if a wide hinge is on the middle channel."""
    if axes_of(orientation.rotate_order)[1] != channel:
        return orientation
    order = next(order for order in ROTATE_ORDERS if axes_of(order)[0] == channel)
    reordered = replace(orientation, rotate_order=order)
    box = joint.box_in(reordered)
    is_wide = max(-box.low[channel], box.high[channel]) > MAX_MIDDLE_REACH_RAD
    return reordered if is_wide else orientation


def _keep_advice(
    joint: _Joint, orientation: reorient.JointOrientation, freedom: int, off: _OffAxis
) -> reorient.OrientAdvice:
    """Advice to keep an orientation whose widest channels (nearly) match the axes."""
    own, order = joint.orientation.rotate_order, orientation.rotate_order
    after = joint.own_box() if order == own else joint.box_in(orientation)
    narrow = np.argsort(after.high - after.low, kind="stable")[: 3 - freedom]
    locked = tuple(name for axis, name in enumerate(CHANNELS) if axis in narrow)
    most = np.degrees(off.permitted_max)
    used, through = " and ".join(_used_channels(locked)), "degrees of other rotation through"
    mode = "K" if order == own else "order"
    text = f"orientation kept: it turns about {used}, and its box lets at most {most:.1f} {through}"
    if mode == "order":
        text = (
            f"rotate order {order}, orientation kept: it turns about {used}; in order {own} the "
            f"box lets up to {most:.0f} {through}"
        )
    return _axes_advice(mode, joint, orientation, locked, off, after, text)


def _strict_advice(
    joint: _Joint, orientation: reorient.JointOrientation, locked: tuple[str, ...], off: _OffAxis
) -> reorient.OrientAdvice:
    """Advice for an orientation in which the locked channels are not needed."""
    after = joint.box_in(orientation)
    used = np.array([name not in locked for name in CHANNELS])
    strict = after._replace(low=used * after.low, high=used * after.high)
    mean, most = np.degrees(off.permitted_mean), np.degrees(off.permitted_max)
    text = (
        f"turns about {' and '.join(_used_channels(locked))} alone; the box of its own channels "
        f"lets {mean:.0f} degrees of other rotation through ({most:.0f} at most)"
    )
    return _axes_advice("R", joint, orientation, locked, off, strict, text)


def _used_channels(locked: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in CHANNELS if name not in locked)


def _axes_advice(
    mode: str,
    joint: _Joint,
    orientation: reorient.JointOrientation,
    locked: tuple[str, ...],
    off: _OffAxis,
    after: orient_search.EulerBox,
    text: str,
) -> reorient.OrientAdvice:
    """Advice for a hinge or universal joint, with its gain; `after`: box in the new orientation."""
    before, most = joint.own_box(), float(off.lost.max())
    return reorient.OrientAdvice(
        mode,
        *_fields(orientation),
        used=_used_channels(locked),
        locked=locked,
        box_share_before=float(before.share()),
        box_share_after=float(after.share()),
        gimbal_margin_before_deg=float(np.degrees(before.margin)),
        gimbal_margin_after_deg=float(np.degrees(after.margin)),
        off_axis_mean_deg=float(np.degrees(off.permitted_mean)),
        off_axis_max_deg=float(np.degrees(off.permitted_max)),
        strict_rms_deg=float(np.degrees(np.sqrt(np.mean(off.lost**2)))),
        strict_max_deg=float(np.degrees(most)),
        strict_move=None if joint.reach is None else 2.0 * np.sin(0.5 * most) * joint.reach,
        text=text,
    )
