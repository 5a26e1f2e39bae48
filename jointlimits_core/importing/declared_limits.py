"""Limit set from the limits that the author of a file declared.

Nothing is measured: no limit has a clip, and all are in the lowest layer ("prior").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ..arrays import Floats
from ..euler import axes_of, euler_from_quaternion
from ..evaluation.rotate_box import RotateBox
from ..findings import Finding
from ..joint_frame import CHANNELS
from ..limits.furthest import FURTHEST_DEG
from ..limits.limit_set import (
    AxisLimit,
    AxisSource,
    BoundSource,
    Evidence,
    Frame,
    Hinge,
    JointLimit,
    LimitSet,
    RestPose,
    Universal,
)
from ..limits.ranges import LOCKED_DEG, TURN_DEG
from ..reframe import JointFrame
from ..rotation import conjugate, multiply, quaternion_from_axis_angle, rotated
from ..skeleton import Declaration, Skeleton

HALF_TURN_DEG = 180.0
FEASIBLE_DEG = 0.1
NOT_MEASURED = Evidence(
    dict.fromkeys(("fixed", "hinge", "universal", "ball")),
    *(None, 0.0, (0.0, 0.0, 0.0), 0.0, 0, "no motion"),
)


def declared_limits(
    skeleton: Skeleton,
    stands_deg: Mapping[str, Floats] | None = None,
    findings: Sequence[Finding] = (),
) -> LimitSet:
    """Build a limit set from declarations.

    Parameters
    ----------
    skeleton : Skeleton
        With `declarations`; a joint without one is free.
    stands_deg : mapping of joint name to array, shape (3,), optional
        Values of the locked channels of a joint; zero by default.
    findings : sequence of Finding
        About the file; those about a joint are added to it.

    Returns
    -------
    LimitSet
        In the joints' own orientations. Reversed ranges are swapped, with a finding.
    """
    joints = {}
    for index, name in enumerate(skeleton.names):
        parent = int(skeleton.parents[index])
        frame = JointFrame(
            skeleton.joint_orients[index],
            skeleton.rotate_axes[index],
            skeleton.rotate_orders[index],
        )
        joints[name] = declared_joint(
            name,
            None if parent < 0 else skeleton.names[parent],
            frame,
            skeleton.rest_rotations[index],
            skeleton.declarations.get(name, Declaration()),
            (stands_deg or {}).get(name, np.zeros(3)),
            [finding for finding in findings if finding.joint == name],
        )
    whole = tuple(finding for finding in findings if finding.joint not in joints)
    return LimitSet(skeleton.name, joints, rest_source=skeleton.rest_source, findings=whole)


def declared_joint(
    name: str,
    parent: str | None,
    frame: JointFrame,
    rest_rotation: Floats,
    declared: Declaration,
    stands_deg: Floats,
    findings: Sequence[Finding] = (),
) -> JointLimit:
    """Limits of one joint.

    Parameters
    ----------
    parent : str, optional
    rest_rotation : array, shape (4,)
        Local rotation in the rest pose.
    stands_deg : array, shape (3,)
        Values of locked channels.
    findings : sequence of Finding
        Existing findings about the joint.
    """
    low, high, turned = _ranges(declared)
    limits = {
        channel: _axis(declared, channel, float(low[n]), float(high[n]), float(stands_deg[n]))
        for n, channel in enumerate(CHANNELS)
    }
    ends = np.array([_ends(limit) for limit in limits.values()])
    order = frame.rotate_order
    box = RotateBox(order, frame.joint_orient, frame.rotate_axis, *np.radians(ends.T))
    rest = np.degrees(box.channels(rest_rotation))
    kind, hinge, universal = _kind(limits, rest, frame)
    pairs = np.array([frame.joint_orient, frame.rotate_axis])
    orient_deg, axis_deg = np.degrees(euler_from_quaternion(pairs, "xyz"))
    inside = np.clip(rest, ends[:, 0], ends[:, 1])
    outside = float(np.abs(rest - inside).max())
    return JointLimit(
        kind,
        parent,
        NOT_MEASURED,
        Frame(order, _three(orient_deg), _three(axis_deg)),
        limits,
        RestPose(_three(rest), outside <= FEASIBLE_DEG, outside),
        {
            "nearest-pose": None,
            "middle": RestPose(_three(_middle(ends)), True, 0.0),
            "circular-mean": None,
        },
        _three(inside),
        hinge,
        universal,
        findings=(*findings, *_reversed_findings(name, turned)),
    )


def _ranges(declared: Declaration) -> tuple[Floats, Floats, list[str]]:
    """Limits in degrees, infinite where there is none, and the channels that were reversed.

    A limit beyond the largest allowed angle counts as none; exporters write such placeholders.
    """
    low, high, turned = np.full(3, -np.inf), np.full(3, np.inf), []
    for n, channel in enumerate(CHANNELS):
        least, most = (
            None if end is None or abs(end) > FURTHEST_DEG else end
            for end in declared.limits_deg.get(channel, (None, None))
        )
        if least is not None and most is not None and least > most:
            least, most = most, least
            turned.append(channel)
        low[n] = -np.inf if least is None else least
        high[n] = np.inf if most is None else most
    return low, high, turned


def _reversed_findings(name: str, turned: list[str]) -> Iterator[Finding]:
    for channel in turned:
        text = f"the file has min and max of {channel} reversed; they were swapped"
        yield Finding("exchanged-bounds", text, name)


def _axis(declared: Declaration, channel: str, low: float, high: float, stands: float) -> AxisLimit:
    if channel in declared.locked or (declared.dof is not None and channel not in declared.dof):
        at = BoundSource("prior", value_deg=stands)
        return AxisLimit("locked", stands, stands, TURN_DEG, AxisSource(at, at))
    least, most = (value if np.isfinite(value) else None for value in (low, high))
    if least is None and most is None:
        return AxisLimit("free")
    gap = None if least is None or most is None else max(TURN_DEG - (most - least), 0.0)
    ends = [None if end is None else BoundSource("prior", value_deg=end) for end in (least, most)]
    return AxisLimit("limited", least, most, gap, AxisSource(*ends))


def _ends(limit: AxisLimit) -> tuple[float, float]:
    low = -np.inf if limit.min_deg is None else limit.min_deg
    return low, np.inf if limit.max_deg is None else limit.max_deg


def _middle(ends: Floats) -> Floats:
    """Middle of every range; the limit of a one-sided range, zero for a free channel."""
    low, high = ends.T
    closed = np.isfinite(ends).all(axis=1)
    halves = 0.5 * (np.where(closed, low, 0.0) + np.where(closed, high, 0.0))
    return np.asarray(np.where(closed, halves, np.clip(0.0, low, high)))


def _kind(
    limits: Mapping[str, AxisLimit], rest: Floats, frame: JointFrame
) -> tuple[str, Hinge | None, Universal | None]:
    """Type of a joint by its moving channels, and its axes."""
    ends = [_ends(limit) for limit in limits.values()]
    moving = [n for n, (low, high) in enumerate(ends) if high - low > LOCKED_DEG]
    if not moving:
        return "fixed", None, None
    if len(moving) == 3:
        return "ball", None, None
    pose = np.clip(rest, *np.array(ends).T)
    axes = {n: _axes_of_channel(n, pose, frame) for n in moving}
    if len(moving) == 1:
        (n,) = moving
        span = np.nan_to_num(
            np.array(ends[n]) - rest[n], posinf=HALF_TURN_DEG, neginf=-HALF_TURN_DEG
        )
        parent, child = map(_three, axes[n])
        return "hinge", Hinge(parent, child, CHANNELS[n], 0.0, *span.tolist()), None
    inner, outer = sorted(moving, key=lambda n: axes_of(frame.rotate_order).index(n))
    if abs(float(axes[inner][0] @ axes[outer][0])) > 1e-6:
        # A middle channel locked away from zero: not at right angles.
        return "ball", None, None
    return "universal", None, Universal(_three(axes[outer][0]), _three(axes[inner][1]))


def _axes_of_channel(channel: int, pose_deg: Floats, frame: JointFrame) -> tuple[Floats, Floats]:
    """Axis of a channel in the parent's and in the joint's own coordinates, at a pose."""
    turns = {n: quaternion_from_axis_angle(np.eye(3)[n], np.radians(pose_deg[n])) for n in range(3)}
    applied = list(axes_of(frame.rotate_order))
    at = applied.index(channel)
    inner, outer = frame.rotate_axis, frame.joint_orient
    for n in applied[:at]:
        inner = multiply(turns[n], inner)
    for n in reversed(applied[at + 1 :]):
        outer = multiply(outer, turns[n])
    unit = np.eye(3)[channel]
    return rotated(outer, unit), rotated(conjugate(inner), unit)


def _three(values: Floats) -> tuple[float, float, float]:
    x, y, z = (float(value) + 0.0 for value in values)
    return x, y, z
