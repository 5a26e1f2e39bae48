"""Rotation of joints by anything but their rotate channels, and findings about it.

The rotate channels give the whole rotation of a joint only while its rotate order, jointOrient and
rotateAxis stay the same and no node between it and its parent joint turns. A rotate order that
changes is evaluated in every frame; joints that turn in any other such way get a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..base.findings import MOVING_ORIENTATION, TURNED_BESIDES, Finding
from ..base.text import names_words
from ..geometry import arrays, euler
from . import rest_pose, sampled_rig
from .matrices import rotate_order_name

ORIENTATION_COMPOUNDS = ("jointOrient", "rotateAxis")
SWITCHES = ("rotateOrder", "inheritsTransform")
"""Switches of a joint that change the meaning of its rotate channels."""
TURNED_ABOVE = "turned-above"
"""Rule for controls whose groups turn: limits on their own channels hold, unlike those of a joint
that turns with its groups."""
MIN_TURN_DEG = 0.01
"""A smaller turn counts as rounding, as in screening."""


class MovingOrientation(NamedTuple):
    """Orientation of a joint at every frame.

    `orients`, `axes`, shape (frames, 3): jointOrient and rotateAxis, radians; `orders`, shape
    (frames,): Maya's number for the rotate order, which may be invalid.
    """

    orients: arrays.Floats
    axes: arrays.Floats
    orders: arrays.Floats


def in_first_orientation(
    joint: rest_pose.RigJoint, samples: sampled_rig.JointSamples, orientation: MovingOrientation
) -> tuple[rest_pose.RigJoint, sampled_rig.JointSamples]:
    """Joint and its samples, converted to the orientation of the first frame; no pose changes."""
    orients, axes = map(euler.quaternion_from_euler, (orientation.orients, orientation.axes))
    orders = np.array([rotate_order_name(number) for number in orientation.orders])
    joint = replace(
        joint,
        rotate_order=str(orders[0]),
        joint_orient=orientation.orients[0],
        rotate_axis=orientation.axes[0],
    )
    rotate, local = samples.rotate, np.empty((len(orders), 4))
    for order in np.unique(orders).tolist():
        here = orders == order
        local[here] = euler.local_from_rotate(rotate[here], orients[here], axes[here], order)
    changed: arrays.Booleans = orders != orders[0]
    changed |= (orientation.orients != orientation.orients[0]).any(axis=1)
    changed |= (orientation.axes != orientation.axes[0]).any(axis=1)
    if changed.any():
        turn = euler.turn_from_local(local[changed], joint.orient_quaternion, joint.axis_quaternion)
        # Channels in another orientation do not show the branch; the last unchanged ones do.
        last = np.maximum.accumulate(np.where(changed, 0, np.arange(len(orders))))
        rotate = rotate.copy()
        rotate[changed] = euler.euler_near(turn, rotate[last[changed]], joint.rotate_order)
    return joint, samples._replace(rotate=rotate)


def turned_deg(matrices: arrays.Floats) -> float:
    """Largest rotation from the first of several matrices, shape (frames, 4, 4), in degrees."""
    if len(matrices) < 2 or not np.isfinite(matrices).all():
        return 0.0
    left, _, right = np.linalg.svd(matrices[:, :3, :3])
    turns = left @ right
    cosines = 0.5 * (np.einsum("ij,fij->f", turns[0], turns) - 1.0)
    return float(np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0)).max()))


def source_words(name: str, node_type: str) -> str:
    """Phrase for a node that turns a joint, such as "by 'hand_ik' (ikHandle)"."""
    return f"by {name!r} ({node_type})"


def turned_finding(
    name: str, sources: Sequence[str], degrees: float | None, is_control: bool = False
) -> Finding:
    """Finding about a joint or control that is turned by more than its rotate channels.

    `sources`: such as "by 'offset' (transform) above it"; `degrees`: largest turn, None if unknown.
    Groups above controls are meant to turn, and limits of a control's own channels hold anyway.
    """
    far = "turned" if degrees is None else f"turned by up to {degrees:.1f} degrees"
    rule = TURNED_ABOVE if is_control else TURNED_BESIDES
    rest = "do not cover that: move the motion onto these channels"
    if is_control:
        rest = "hold nonetheless; how far it turns in the world is not known"
    text = (
        f"{far} besides its rotate channels, {names_words(list(dict.fromkeys(sources)))}; limits "
        f"on its rotate channels {rest}"
    )
    return Finding(rule, text, name, degrees=degrees)


def orientation_finding(joint: str, attribute: str, source: str) -> Finding:
    """Finding about a joint whose orientation changes under its rotate channels.

    `source`: from :func:`source_words`.
    """
    text = (
        f"its {attribute} is driven {source} and changes, so limits on its rotate channels would "
        "mean something different in every frame, and none are set: bake its rotation onto them"
    )
    return Finding(MOVING_ORIENTATION, text, joint)


def order_findings(
    joint: str, orders: arrays.Floats, source: Callable[[], str]
) -> Iterator[Finding]:
    """Finding about rotate orders that are invalid, or that change but can be evaluated.

    `orders`, shape (times,): Maya's numbers. `source`: called for a description of their driver.
    """
    wrong = orders[~np.isin(orders, range(len(euler.ROTATE_ORDERS)))]
    if len(wrong):
        yield bad_order_finding(joint, float(wrong[0]))
    elif np.ptp(orders):
        text = (
            f"its rotateOrder is driven {source()} and changes: every frame was read in its own "
            f"order; limits are for order {rotate_order_name(orders[0])}, and keys made in another "
            "order may be outside them"
        )
        yield Finding("changing-rotate-order", text, joint)


def bad_order_finding(
    joint: str, number: float, attribute: str = "rotateOrder", last: int = 5
) -> Finding:
    """Finding about an invalid rotate order; `last`: largest valid order number."""
    text = (
        f"its {attribute} is {number:g}, expected 0 to {last}; its rotation is unknown and "
        f"it gets no limits: set {attribute} in the scene and save again"
    )
    return Finding(MOVING_ORIENTATION, text, joint)


def time_warp_finding(name: str, node_type: str, is_applied: bool) -> Finding:
    """Finding about a scene whose time is warped."""
    result = "was applied: the motion is as shown, not as keyed"
    if not is_applied:
        result = (
            "is not evaluated: the motion is as keyed, not as shown; bake the animation in Maya "
            "to get the motion that is shown"
        )
    return Finding("time-warp", f"the scene's time warp {name!r} ({node_type}) is on and {result}")
