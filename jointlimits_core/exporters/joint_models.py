"""Joints of one body: stacked hinges equal to Maya's rotate channels, a ball, or a cone.

Also lists the losses of a model with such joints, and formats its numbers for XML.

Simulators rotate a body by its own quaternion and then by its joints in file order, each about an
axis of the body. Maya's rotation is ``JO Rk Rj Ri RO``: three hinges, written in reverse order of
application. A constant rotation C after a hinge about ``e`` can be moved in front of it,
``J(e) C = C J(C^-1 e)``; this is how rotateAxis and locked channels become part of the body,
exactly.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

import numpy as np

from ..base.text import number
from ..estimation.orient_search import haar_share
from ..geometry import quaternion
from ..geometry.arrays import Floats
from ..geometry.euler import CHANNELS, axes_of, quaternion_from_euler
from ..limits.limit_set import LimitSet
from ..motion.reorient import hinge_rest
from ..motion.skeleton import Skeleton
from . import formats
from .figure import BoneShape, FigureJoint, bone_shapes, figure_of
from .losses import Loss, common_losses, losses_of, only_in_json

_BALL_STEP_COUNT = 2000
MAX_TURN_RAD = np.pi
"""Largest possible rotation from a middle pose."""


@dataclass(frozen=True, eq=False)
class BallRange:
    """Middle of a range and the largest rotation from it.

    `middle`, shape (4,): rotation between jointOrient and rotateAxis. `radius`: radians, up to pi;
    pi means no limit. `box_share`, `ball_share`: shares of all rotations that are inside the box
    and inside the range, 0 to 1.
    """

    middle: Floats
    radius: float
    box_share: float
    ball_share: float


def ball_range(low: Floats, high: Floats, rotate_order: str) -> BallRange:
    """Smallest ball joint range that contains every pose of a box.

    Ball joints in other formats allow one angle from a middle pose. The pose of an Euler box
    furthest from the middle is at a corner: with two angles fixed, the cosine of half the rotation
    is ``A cos(a / 2 + b)`` in the third angle ``a``, which is concave between two positive ends.

    `low`, `high`, shape (3,): limits of rotateX, rotateY, rotateZ in radians, finite, ``low <=
    high``. The range contains the whole box up to rounding.
    """
    corners = np.array(list(product(*zip(low.tolist(), high.tolist()))))
    turns = quaternion_from_euler(corners, rotate_order)
    middle = _middle_of_cap(turns)
    least = float((turns @ middle).min())
    radius = MAX_TURN_RAD
    if least > 0.0 and (high - low < 2.0 * np.pi).all():
        radius = 2.0 * float(np.arccos(min(least, 1.0)))
    ball = (radius - np.sin(radius)) / np.pi
    return BallRange(middle, radius, float(haar_share(low, high, rotate_order)), float(ball))


def _middle_of_cap(turns: Floats) -> Floats:
    """Centre of the smallest spherical cap that holds quaternions, all of one sign branch.

    Takes ever shorter steps towards the furthest point (Bădoiu and Clarkson, "Smaller core-sets
    for balls", 2003, the simple algorithm).
    """
    middle = turns.mean(axis=0)
    for step in range(1, _BALL_STEP_COUNT):
        furthest = turns[int(np.argmin(turns @ middle / max(np.linalg.norm(middle), 1e-12)))]
        middle = middle + (furthest - middle) / (step + 1)
    length = float(np.linalg.norm(middle))
    return quaternion.normalize(middle) if length > 1e-9 else np.array(turns[0])


OWN_AXIS_CHANNEL = 3
"""Channel number of a hinge about the joint's own axis, which is not a rotate channel."""
ONE_SIDED_RAD = 1e6
"""Radians written for a missing limit if the other end has a limit."""


@dataclass(frozen=True, eq=False)
class Hinge:
    """One rotate channel of a joint.

    `channel`: 0 for rotateX; :data:`OWN_AXIS_CHANNEL` for a hinge about the joint's own axis.
    `axis`, shape (3,): in body coordinates. `low`, `high`: radians; both None for a free channel.
    """

    channel: int
    axis: Floats
    low: float | None
    high: float | None


@dataclass(frozen=True, eq=False)
class BodyJoints:
    """Joints that rotate one body.

    `turn`, shape (4,): rotation of the body relative to its parent body. `hinges`: in file order.
    `ball`: used instead of hinges. `free`: whether it moves freely in the world. `rest`:
    coordinates of the rest pose: radians for each hinge, or a ball's quaternion (w, x, y, z).
    """

    turn: Floats
    hinges: tuple[Hinge, ...] = ()
    ball: BallRange | None = None
    free: bool = False
    rest: tuple[float, ...] = ()

    @property
    def is_on_own_axis(self) -> bool:
        """Whether a hinge turns about the joint's own axis."""
        return any(hinge.channel == OWN_AXIS_CHANNEL for hinge in self.hinges)


def body_joints(joint: FigureJoint, options: formats.ExportOptions) -> BodyJoints:
    """Joints that rotate the body of a figure joint."""
    box, limit = joint.box, joint.limit
    if joint.is_root and options.root_joint == "free":
        return BodyJoints(quaternion.multiply(joint.before, box.local(joint.rest)), free=True)
    rest_turn = quaternion.multiply(joint.before, box.local(joint.clamped_rest))
    if limit is None or (joint.is_root and options.root_joint == "fixed"):
        return BodyJoints(rest_turn)
    if options.joints_as in ("ball", "both") and limit.type == "ball":
        if np.isfinite(box.high - box.low).all():
            ball = ball_range(box.low, box.high, box.rotate_order)
            return _ball_model(joint, ball, rest_turn)
        if np.isinf([box.low, box.high]).all():
            ball = BallRange(quaternion.IDENTITY, MAX_TURN_RAD, 1.0, 1.0)
            return _ball_model(joint, ball, rest_turn)
    hinge = limit.hinge
    if options.joints_as not in ("hinge", "both") or hinge is None or joint.edited:
        return _hinge_model(joint, options.locked)
    # A hinge about the joint's own axis, with zero at the angle nearest to the rest pose.
    at_rest = hinge_rest(box.local(joint.rest), hinge.axis_parent, hinge.axis_child)
    turn = quaternion.multiply(joint.before, at_rest)
    low, high = np.radians([hinge.min_deg, hinge.max_deg]).tolist()
    if low >= high:
        return BodyJoints(turn)
    rest = float(np.clip(0.0, low, high))
    own = Hinge(OWN_AXIS_CHANNEL, np.array(hinge.axis_child), low, high)
    return BodyJoints(turn, (own,), rest=(rest,))


def _hinge_model(joint: FigureJoint, locked: str) -> BodyJoints:
    """Body with a hinge for each moving channel; the other channels are constant rotations."""
    box = joint.box
    after = box.rotate_axis
    hinges: list[Hinge] = []
    # From the right, starting with the channel that is applied first.
    for axis in axes_of(box.rotate_order):
        unit, low, high = np.eye(3)[axis], float(box.low[axis]), float(box.high[axis])
        # Simulators also reject ranges of zero width.
        if (joint.locked[axis] and locked == "hold") or not low < high:
            held = quaternion.quaternion_from_axis_angle(unit, joint.clamped_rest[axis])
            after = quaternion.multiply(held, after)
            continue
        ends: tuple[float | None, float | None] = None, None
        if low > -np.inf or high < np.inf:
            ends = max(low, -ONE_SIDED_RAD), min(high, ONE_SIDED_RAD)
        hinges.insert(0, Hinge(axis, quaternion.rotate(quaternion.conjugate(after), unit), *ends))
    turn = quaternion.multiply(joint.before, quaternion.multiply(box.joint_orient, after))
    rest = tuple(float(joint.clamped_rest[hinge.channel]) for hinge in hinges)
    return BodyJoints(turn, tuple(hinges), rest=rest)


def _ball_model(joint: FigureJoint, ball: BallRange, rest_turn: Floats) -> BodyJoints:
    """Body with a ball joint whose zero is the middle of its range."""
    box = joint.box
    local = quaternion.multiply(box.joint_orient, quaternion.multiply(ball.middle, box.rotate_axis))
    turn = quaternion.multiply(joint.before, local)
    rest = quaternion.multiply(quaternion.conjugate(turn), rest_turn)
    return BodyJoints(turn, ball=ball, rest=quaternion.w_first(rest))


def channel_name(joint: str, channel: int) -> str:
    """Name of a hinge: its Maya plug, or "hinge" for the joint's own axis."""
    return f"{joint}.{(*CHANNELS, 'hinge')[channel]}"


_GRID_POINTS = 7
_SPHERE_POINTS = 400
"""Number of directions tried as the middle, first over the whole sphere, then closer."""
_WIDEST, _NARROWER, _CONE_STEPS = 0.3, 0.7, 40
_ROUND_COUNT = 12


class ConeRange(NamedTuple):
    """Directions in which the bone of a joint can point.

    `middle`, shape (3,): unit vector, in coordinates before the rotate channels. `radius`: half
    opening angle in radians, up to pi; pi means no limit.
    """

    middle: Floats
    radius: float


def cone_range(low: Floats, high: Floats, rotate_order: str, bone: Floats) -> ConeRange:
    """Small cone that contains every direction of a bone over a box of rotate channels.

    Along one angle, the largest distance between bone and middle has a closed form; over the box,
    it is found by optimizing one angle after the other, starting from every point of a grid.

    `low`, `high`, shape (3,): limits of rotateX, rotateY, rotateZ in radians, finite, ``low <=
    high``. `bone`, shape (3,): unit direction that the channels rotate. The cone contains the whole
    box up to rounding.
    """
    steps = [np.linspace(a, b, _GRID_POINTS) for a, b in zip(low, high)]
    grid = np.array(list(product(*steps)))
    directions = quaternion.rotate(quaternion_from_euler(grid, rotate_order), bone)
    middle = _middle(directions)
    # Smallest cosine of the angle to the middle over the box.
    points, axes = grid.copy(), np.flatnonzero(high > low).tolist()
    for _ in range(_ROUND_COUNT):
        for axis in axes:
            points[:, axis] = _furthest_along(points, axis, low, high, rotate_order, bone, middle)
    turns = quaternion.normalize(quaternion_from_euler(points, rotate_order))
    least = float((quaternion.rotate(turns, bone) @ middle).min())
    return ConeRange(middle, float(np.arccos(np.clip(least, -1.0, 1.0))))


def _middle(directions: Floats) -> Floats:
    """Middle of a small cap around directions: the best of many candidates, refined in steps.

    The cap may be wider than half the sphere; the middle of an enclosing ball is then
    meaningless, so the whole sphere is searched first.
    """
    near = quaternion.sphere_points(_SPHERE_POINTS)
    middle, tried = directions[0], near
    for step in range(_CONE_STEPS + 1):
        tried = np.concatenate([middle[None], tried])
        middle = tried[int(np.argmax((tried @ directions.T).min(axis=1)))]
        tried = quaternion.normalize(middle + _WIDEST * _NARROWER**step * near)
    return np.asarray(middle)


def _furthest_along(
    points: Floats, axis: int, low: Floats, high: Floats, order: str, bone: Floats, middle: Floats
) -> Floats:
    """Value of one angle, with the others fixed, at which the bone is furthest from the middle.

    The cosine between bone and middle is ``A cos(angle) + B sin(angle) + C``: three samples
    determine A and B, and the minimum is at an end or at the trough.
    """
    at = []
    for value in (0.0, 0.5 * np.pi, np.pi):
        probe = points.copy()
        probe[:, axis] = value
        at.append(quaternion.rotate(quaternion_from_euler(probe, order), bone) @ middle)
    cosine, sine = 0.5 * (at[0] - at[2]), at[1] - 0.5 * (at[0] + at[2])
    trough = np.arctan2(-sine, -cosine)
    trough += 2.0 * np.pi * np.ceil((low[axis] - trough) / (2.0 * np.pi))
    bounds = (np.full_like(trough, end[axis]) for end in (low, high))
    ends = np.stack([*bounds, trough], axis=-1)
    heights = cosine[:, None] * np.cos(ends) + sine[:, None] * np.sin(ends)
    heights[trough > high[axis], 2] = np.inf
    return np.asarray(ends[np.arange(len(ends)), np.argmin(heights, axis=1)])


LIKELY_METRES = 0.01, 100.0
"""Sizes of figures that are not worth a remark."""
MESSAGES = {
    "locked-channel": "locked channels are fixed at the rest pose, without the narrow range that "
    "was measured (--locked range writes it)",
    "root-limits": "a free joint has no limits; the root's limits are not in the file "
    "(--root-joint hinges writes them)",
    "ball-range": "a ball joint has one range for all directions; the smallest range that contains "
    "everything the channels allow was written, and it allows more (--joints-as channels writes "
    "the channels)",
    "own-axis": "one hinge about the joint's own axis was written, with the range measured about "
    "it; padding, published ranges and motion off the axis are not included (--joints-as "
    "channels writes the channels)",
    "rest-outside": "the rest pose is outside the limits; the nearest pose inside is used as the "
    "rest pose",
    "one-sided": "{place} has no one-sided ranges; a missing limit was written as 1e6 radians",
}


class BodyModel:
    """Bodies of a figure and the joints that rotate them, as formats with rigid bodies write them.

    `place`: name of the format. `turning`: joints that rotate the body of each figure joint.
    `unit`: metres per length unit of the source. `height`: metres. `roots`, `children`: indices.
    """

    def __init__(
        self, limit_set: LimitSet, skeleton: Skeleton, options: formats.ExportOptions, place: str
    ) -> None:
        self.limit_set, self.options, self.format_name = limit_set, options, place
        self.figure = figure = figure_of(limit_set, skeleton)
        self.turning = [body_joints(joint, options) for joint in figure.joints]
        self.unit = figure.unit(options)
        self.height = figure.height() * self.unit
        self.children = figure.children()
        self.roots = [joint.index for joint in figure.joints if joint.parent < 0]

    def place(self, index: int) -> Floats:
        """Position of a body relative to its parent body, metres, shape (3,)."""
        return self.figure.joints[index].place * self.unit

    def bone_shapes(self, index: int, height: float) -> list[BoneShape]:
        """Shapes from a body to its children, metres, for a figure of this height."""
        return bone_shapes([self.place(child) for child in self.children[index]], height)

    def hinge_words(self) -> str:
        """Number of hinges, and of those with limits."""
        hinges = [hinge for one in self.turning for hinge in one.hinges]
        limited = sum(hinge.low is not None for hinge in hinges)
        return f"{len(hinges)} hinges ({limited} with limits)"

    def losses(
        self,
        *more: Loss,
        unit: str = "its numbers were written as metres",
        messages: Mapping[str, str] = MESSAGES,
        own_rules: Mapping[str, Sequence[str]] | None = None,
    ) -> tuple[Loss, ...]:
        """Losses of the figure and of its joints, of an unknown unit, and `more`.

        `unit`: clause that states which unit was written if the source states none. `messages`:
        message by rule, in the order of the losses. `own_rules`: joint names by rule, for rules
        that only this format has.
        """
        pairs = list(zip(self.figure.joints, self.turning))
        own_axis = {joint.limit_name for joint, one in pairs if one.is_on_own_axis}
        texts = {rule: text.format(place=self.format_name) for rule, text in messages.items()}
        found = {**self._joints_by_loss(own_axis), **(own_rules or {})}
        names = self.figure.limited_names()
        return (
            *self.figure.losses,
            *common_losses(self.limit_set, self.format_name, names, own_axis),
            *losses_of(texts, {rule: found[rule] for rule in messages}),
            *only_in_json(self.limit_set),
            *self._unit_losses(unit),
            *more,
        )

    def _joints_by_loss(self, own_axis: Collection[str]) -> dict[str, Sequence[str]]:
        pairs = list(zip(self.figure.joints, self.turning))
        written = [joint for joint, one in pairs if joint.limit is not None and not one.free]
        held = [joint for joint in written if joint.limit_name not in own_axis]
        locked = held if self.options.locked == "hold" else []
        return {
            "locked-channel": [
                one.name for one in locked if (one.box.high > one.box.low)[list(one.locked)].any()
            ],
            "root-limits": [joint.name for joint, one in pairs if one.free and joint.is_limited],
            "ball-range": [joint.name for joint, one in pairs if one.ball is not None],
            "own-axis": [joint.name for joint, one in pairs if one.is_on_own_axis],
            "rest-outside": [
                joint.name
                for joint, one in pairs
                if (any(one.rest) if one.is_on_own_axis else joint in held and joint.rests_outside)
            ],
            "one-sided": [joint.name for joint in held if joint.is_one_sided],
        }

    def _unit_losses(self, written: str) -> Iterator[Loss]:
        size, (low, high) = number(self.height, 2), LIKELY_METRES
        if self.options.meters_per_unit is None and self.figure.skeleton.meters_per_unit is None:
            yield Loss(
                "unknown-unit",
                f"the source does not state its length unit; {written}, so the figure is {size} m "
                "in size (--meters-per-unit 0.01 if the unit is centimetres)",
            )
        elif not low <= self.height <= high:
            text = f"the figure is {size} m in size; --meters-per-unit changes that"
            yield Loss("unlikely-size", text)


def digits(values: Iterable[float] | Floats) -> str:
    """Numbers as text that reads back as the same doubles."""
    return " ".join(repr(float(value) + 0.0) for value in values)


def attributes(**values: str) -> str:
    """Attributes of an XML element, with a space in front of each."""
    return "".join(f" {name}={quoteattr(value)}" for name, value in values.items())
