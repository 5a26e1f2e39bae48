"""Joints of a robot model: consecutive hinges as rotate channels of one Maya joint.

With ``local = q H1 H2 H3``, where the hinges turn about e1, e2, e3, and a rotation C that takes
axes of the channels to these, ``local = (q C) R C^-1``: jointOrient is ``q C``, rotateAxis is
``C^-1``, and the channel of the last hinge is applied first. C exists if the axes are orthogonal;
the smallest such rotation is used. Two hinges at another angle become the outer channels of a
joint whose middle channel is locked: the rotation about the axis between them makes up for the
angle.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations, product
from typing import Optional, Union

import numpy as np

from ..base import Finding
from ..geometry import (
    CHANNELS,
    IDENTITY,
    ROTATE_ORDERS,
    Booleans,
    Floats,
    Integers,
    conjugate,
    multiply,
    quaternion_between_vectors,
    quaternion_from_axis_angle,
    quaternion_from_matrix,
    rotated,
)
from ..io import FilePath, ReadLimits
from ..motion import Declaration, JointOrientation, Skeleton
from .xml import XmlElement

RIGHT_ANGLE, OF_TWO = 1e-4, 1e-6
"""Cosine above which two or three axes count as not orthogonal; files round."""
PARALLEL = 1e-3
"""Sine below which axes count as parallel."""
LETTERS = "xyz"
PLUG = re.compile(r".*\.(rotate[XYZ])", re.DOTALL)
"""Name of a hinge that states its channel, as the exporters write it."""


@dataclass(frozen=True, eq=False)
class ChannelStack:
    """Rotate channels equivalent to hinges.

    `channels`: one per hinge, 0 for rotateX. `signs`: -1 where the channel turns against the hinge.
    `locked_at`, shape (3,): radians at which channels without hinge are locked.
    """

    frame: JointOrientation
    channels: tuple[int, ...]
    signs: tuple[float, ...]
    locked_at: Floats = field(default_factory=lambda: np.zeros(3))


def channel_stack(
    turn: Floats, axes: Sequence[Floats], named: Sequence[int] | None = None
) -> ChannelStack | None:
    """Find rotate channels for hinges.

    Parameters
    ----------
    turn : array, shape (4,)
        Rotation in front of the hinges.
    axes : sequence of array, shape (3,)
        Unit axes in file order, the outermost first; in body coordinates.
    named : sequence of int, optional
        Channels, if the hinges' names state them.

    Returns
    -------
    ChannelStack, or None for more than three hinges, three that are not orthogonal, or two that are
    parallel
    """
    if len(axes) > 3 or (len(axes) == 3 and not _at_right_angles(axes, RIGHT_ANGLE)):
        return None
    if len(axes) == 2 and not _at_right_angles(axes, OF_TWO):
        return _around_a_locked_channel(turn, axes[0], axes[1], named)
    onto, channels, signs = _least_turn(axes, named)
    frame = JointOrientation(multiply(turn, onto), conjugate(onto), _order(channels))
    return ChannelStack(frame, channels, signs)


def _around_a_locked_channel(
    turn: Floats, outer: Floats, inner: Floats, named: Sequence[int] | None
) -> ChannelStack | None:
    """Two hinges at any angle: ``q C Rk Rj(locked) Ri C^-1`` behind a rotation that undoes Rj."""
    across = outer - inner * float(outer @ inner)
    length = float(np.linalg.norm(across))
    if length < PARALLEL:
        return None
    onto, channels, signs = _least_turn([across / length, inner], named)
    k, i = channels
    j = 3 - k - i
    unit = np.eye(3)
    # The outer axis before Rj(locked), in coordinates after it.
    seen = rotated(conjugate(onto), signs[0] * outer)
    sense = float(np.cross(unit[j], unit[k]) @ unit[i])
    still = -sense * float(np.arctan2(seen[i], seen[k]))
    before = multiply(onto, quaternion_from_axis_angle(unit[j], np.asarray(-still)))
    locked_at = np.zeros(3)
    locked_at[j] = still
    order = "".join(LETTERS[n] for n in (i, j, k))
    frame = JointOrientation(multiply(turn, before), conjugate(onto), order)
    return ChannelStack(frame, channels, signs, locked_at)


def _least_turn(
    axes: Sequence[Floats], named: Sequence[int] | None
) -> tuple[Floats, tuple[int, ...], tuple[float, ...]]:
    """Smallest candidate rotation with its channels and signs, or that of the named channels."""
    candidates = list(_candidates(axes))
    if named is not None:
        as_named = [c for c in candidates if c[1] == tuple(named) and min(c[2], default=1.0) > 0.0]
        candidates = as_named or candidates
    # |w| is the cosine of half the angle; ties prefer fewer sign changes.
    return max(candidates, key=lambda c: (round(abs(float(c[0][3])), 9), sum(c[2]), c[1][::-1]))


def _at_right_angles(axes: Sequence[Floats], tolerance: float) -> bool:
    return all(abs(float(a @ b)) < tolerance for a, b in combinations(axes, 2))


def _candidates(
    axes: Sequence[Floats],
) -> Iterator[tuple[Floats, tuple[int, ...], tuple[float, ...]]]:
    """Rotations that map channel axes to hinge axes, with channels and signs."""
    if not axes:
        yield IDENTITY, (), ()
        return
    senses = product((1.0, -1.0), repeat=len(axes))
    ways = list(product(permutations(range(3), len(axes)), senses))
    # Vectorized: a model has many hinges, and this dominates the time of reading one.
    targets = np.array([signs for _, signs in ways])[:, :, None] * np.array(axes)
    turns, mirrored = _onto(np.array([channels for channels, _ in ways]), targets)
    for (channels, signs), onto, is_mirror in zip(ways, turns, mirrored):
        if not is_mirror:
            yield onto, channels, signs


def _onto(channels: Integers, targets: Floats) -> tuple[Floats, Booleans]:
    """Rotations that map channel axes to targets, and which of them would mirror.

    `channels` has shape (ways, count), `targets` (ways, count, 3); rotations have (ways, 4).
    """
    unit = np.eye(3)
    if channels.shape[1] == 1:
        turns = quaternion_between_vectors(unit[channels[:, 0]], targets[:, 0])
        return turns, np.zeros(len(turns), dtype=bool)
    if channels.shape[1] == 2:
        last = 3 - channels.sum(axis=1)
        first, second = unit[channels[:, 0]], unit[channels[:, 1]]
        senses = np.einsum("ni,ni->n", np.cross(first, second), unit[last])
        third = senses[:, None] * np.cross(targets[:, 0], targets[:, 1])
        third /= np.linalg.norm(third, axis=1)[:, None]
        channels = np.concatenate([channels, last[:, None]], axis=1)
        targets = np.concatenate([targets, third[:, None]], axis=1)
    matrices = np.zeros((len(channels), 3, 3))
    np.put_along_axis(matrices, channels[:, None, :], np.swapaxes(targets, 1, 2), axis=2)
    left, _, right = np.linalg.svd(matrices)
    nearest = left @ right
    mirrored = np.linalg.det(nearest) <= 0.0
    nearest[mirrored] = unit
    return quaternion_from_matrix(nearest), mirrored


def _order(channels: tuple[int, ...]) -> str:
    """First Maya rotate order with this channel sequence, last one first."""
    letters = [LETTERS[channel] for channel in reversed(channels)]
    return next(
        o for o in ROTATE_ORDERS if [letter for letter in o if letter in letters] == letters
    )


@dataclass(frozen=True)
class ModelFormat:
    """An XML format of robot models; a reader declares it in its own module."""

    name: str
    """Lower case."""
    words: str
    """Description for users."""
    element: str
    """Name of the outermost element."""
    read: str | Callable[[FilePath, ReadLimits], ModelJoints]
    """``read(path, limits: ReadLimits) -> ModelJoints``; or its name in `module`."""
    module: str = ""


NOT_CHANNELS = "not-channels"
"""Rule of findings about joints that Maya cannot represent, whose ranges are not imported."""
KEY_OUTSIDE = "key-outside"
"""Rule of findings about poses stored in a file that its own limits do not allow."""
ONE_SIDED = 1e6
"""Radians written for an end without limit where the other has one; read as none."""
OUTSIDE_DEG = 0.1
"""Smallest excess of such a pose; files round."""
_Ends = tuple[Optional[float], Optional[float]]
RangeWriter = Callable[[Optional[float], Optional[float]], Union[str, Mapping[str, str]]]
"""Attributes for a range in degrees, None for an end without limit; or why it cannot be written."""


@dataclass(frozen=True, eq=False)
class ModelHinge:
    """One hinge.

    `axis`, shape (3,): unit vector in coordinates of the rotating body. `low_deg`, `high_deg`: None
    where there is no limit. `channel`: rotate channel stated by its name. `element`: element whose
    attributes hold the range. `attributes`: those for another range.
    """

    axis: Floats
    low_deg: float | None = None
    high_deg: float | None = None
    channel: int | None = None
    element: XmlElement | None = None
    attributes: RangeWriter | None = None


@dataclass(frozen=True, eq=False)
class ModelJoint:
    """Connection of a body to its parent.

    `parent`: index of the parent joint, -1 for none. `turn`, shape (4,): rotation of the body
    relative to its parent with every hinge at zero. `hinges`: outermost first. `ball_deg`: instead
    of hinges: rotates freely, up to this far from `turn`; infinite for no limit.
    """

    name: str
    parent: int
    turn: Floats = field(default_factory=lambda: IDENTITY)
    hinges: Sequence[ModelHinge] = ()
    ball_deg: float | None = None


@dataclass(frozen=True, eq=False)
class ModelJoints:
    """Joints of a model.

    `skeleton`: orientations and declarations, without positions, which limits do not need.
    `locked_deg`, by joint, shape (3,): values of locked channels where they are not zero.
    `findings`: what could not be imported. `hinges`, by joint: each hinge with its channel, and -1
    where the channel turns against it; none for joints that channels cannot represent.
    """

    skeleton: Skeleton
    locked_deg: Mapping[str, Floats]
    findings: tuple[Finding, ...]
    hinges: Mapping[str, Sequence[tuple[ModelHinge, str, float]]]


def model_joints(
    joints: Sequence[ModelJoint], name: str, findings: Sequence[Finding] = ()
) -> ModelJoints:
    """Convert the joints of a model into Maya joints.

    `joints`: parents first, names unique. `findings`: from the reader; more are added.
    """
    found_findings = list(findings)
    found = [_maya_joint(joint, found_findings) for joint in joints]
    frames, declared, locked, stacked = zip(*found)
    names = tuple(joint.name for joint in joints)
    skeleton = Skeleton(
        names,
        np.array([joint.parent for joint in joints], dtype=np.int64),
        rest_rotations=np.array([joint.turn for joint in joints]),
        rest_source="zero of the model",
        rotate_orders=tuple(frame.rotate_order for frame in frames),
        joint_orients=np.array([frame.joint_orient for frame in frames]),
        rotate_axes=np.array([frame.rotate_axis for frame in frames]),
        declarations=dict(zip(names, declared)),
        name=name,
    )
    locked_deg = {joint: np.degrees(at) for joint, at in zip(names, locked) if at.any()}
    return ModelJoints(skeleton, locked_deg, tuple(found_findings), dict(zip(names, stacked)))


def _maya_joint(
    joint: ModelJoint, findings: list[Finding]
) -> tuple[JointOrientation, Declaration, Floats, list[tuple[ModelHinge, str, float]]]:
    """Orientation, limits and locked values equivalent to a model joint, and its hinges."""
    plain = JointOrientation(joint.turn, IDENTITY, "xyz")
    if joint.ball_deg is not None:
        return plain, _ball(joint.name, joint.ball_deg, findings), np.zeros(3), []
    named = [hinge.channel for hinge in joint.hinges if hinge.channel is not None]
    all_named = named if len(named) == len(joint.hinges) else None
    stack = channel_stack(joint.turn, [hinge.axis for hinge in joint.hinges], all_named)
    if stack is None:
        text = (
            f"its {len(joint.hinges)} hinges are not the rotate channels of one joint (two about "
            "different axes, or three at right angles); the joint is imported as free"
        )
        findings.append(Finding(NOT_CHANNELS, text, joint.name))
        return plain, Declaration(), np.zeros(3), []
    channels = [CHANNELS[channel] for channel in stack.channels]
    stacked = list(zip(joint.hinges, channels, stack.signs))
    ends = {
        channel: turned(hinge.low_deg, hinge.high_deg, sign) for hinge, channel, sign in stacked
    }
    dof = tuple(channel for channel in CHANNELS if channel in ends)
    limited = {channel: pair for channel, pair in ends.items() if pair != (None, None)}
    return stack.frame, Declaration(dof, limited), stack.locked_at, stacked


def turned(low: float | None, high: float | None, sign: float) -> _Ends:
    """Limits of a channel that turns with its hinge, or against it; of the hinge likewise."""
    if sign > 0.0:
        return low, high
    return None if high is None else 0.0 - high, None if low is None else 0.0 - low


def _ball(name: str, degrees: float, findings: list[Finding]) -> Declaration:
    """Smallest channel ranges that contain all rotations up to an angle.

    Below 90 degrees no channel exceeds the rotation angle; above, the outer two may take any
    value.
    """
    if not np.isfinite(degrees):
        return Declaration()
    inner = min(degrees, 90.0)
    around: _Ends = (-degrees, degrees) if degrees < 90.0 else (None, None)
    text = (
        f"a ball joint that rotates up to {degrees:.6g} degrees in all directions; the channel "
        "ranges that contain this allow more"
    )
    findings.append(Finding("ball-range", text, name))
    limits = {"rotateX": around, "rotateY": (-inner, inner), "rotateZ": around}
    return Declaration(
        CHANNELS, {key: ends for key, ends in limits.items() if ends != (None, None)}
    )
