"""Projection of a motion into coupled limits: every rotation moves to the nearest allowed one.

A joint's shape comes first, then ranges that depend on another channel, drivers before dependent
joints. Clamping a channel can move a rotation out of the shape, and projecting into the shape can
move it out of the range. Alternating the two converges to a rotation inside both if there is one
(Bauschke and Borwein, SIAM Review 38, 1996, for convex sets, which these nearly are). Clamping aims
slightly inside the ranges, so that a few rounds suffice instead of ever smaller steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..base.errors import EstimationError
from ..base.progress import Progress, report_progress
from ..geometry import arrays, euler, quaternion
from ..ik.rotate_box import RotateBox, rotate_box_of
from ..limits import layers, records
from ..limits.limit_set import LimitSet
from ..motion.motion import Motion
from ..motion.name_matching import matched_joints
from ..shapes import coupled_limit, fitting
from ..shapes.shape import CoupledShape, Softening, part_way_back

MAX_ROUNDS = 50
INWARD_DEG = 0.01
"""Distance from the ends of its range, in degrees, to which a channel is clamped."""
MAX_SETTLED_DEG = 1e-6
"""Largest excess, in degrees, that counts as inside."""

Ranges = Mapping[int, tuple[arrays.Floats, arrays.Floats]]
"""Minimum and maximum of a channel (0, 1 or 2) in every frame, shape (frames,) each, degrees;
no minimum exceeds its maximum."""


def ranges_from(
    limit_set: LimitSet,
    depending: Sequence[records.Dependency],
    rotations: Mapping[str, arrays.Floats],
) -> Ranges:
    """Ranges of one joint's channels, given the rotations of their drivers.

    Where ranges from several drivers do not overlap, the range is the middle of the gap.
    `depending`: the joint's dependencies. `rotations`: the drivers' rotations relative to their
    parents, shape (frames, 4), by joint name; dependencies on other joints are ignored.
    """
    found: dict[int, tuple[arrays.Floats, arrays.Floats]] = {}
    for item in depending:
        if item.on_joint not in rotations:
            continue
        box = rotate_box_of(limit_set.joints[item.on_joint])
        on = _channels_deg(rotations[item.on_joint], box)[:, euler.CHANNELS.index(item.on_channel)]
        axis, (low, high) = euler.CHANNELS.index(item.channel), item.bounds_deg(on)
        if axis in found:
            low, high = np.maximum(low, found[axis][0]), np.minimum(high, found[axis][1])
        found[axis] = low, high
    for axis, (low, high) in found.items():
        middle = 0.5 * (low + high)
        found[axis] = np.minimum(low, middle), np.maximum(high, middle)
    return found


def into_ranges(
    rotations: arrays.Floats, box: RotateBox, ranges: Ranges, shape: CoupledShape | None
) -> arrays.Floats:
    """Project rotations into a joint's shape and the ranges of its channels.

    `rotations` has shape (frames, 4). `box`: the joint's orientation and the branch of its
    channels. `shape` takes precedence in frames that cannot satisfy both. The result has shape
    (frames, 4); frames that are inside both are unchanged.
    """
    result = np.array(rotations if shape is None else shape.project(rotations))
    left, now = np.arange(len(result)), result
    for _ in range(MAX_ROUNDS + 1):
        channels = _channels_deg(now, box)
        beyond = np.zeros(len(left))
        for axis, (low, high) in ranges.items():
            off = np.maximum(low[left] - channels[:, axis], channels[:, axis] - high[left])
            beyond = np.maximum(beyond, off)
        settled = ~(beyond > MAX_SETTLED_DEG)
        result[left[settled]] = now[settled]
        left, channels = left[~settled], channels[~settled]
        if not len(left):
            break
        for axis, (low, high) in ranges.items():
            inward = np.minimum(INWARD_DEG, 0.5 * (high - low))
            ends = (low + inward)[left], (high - inward)[left]
            channels[:, axis] = np.clip(channels[:, axis], *ends)
        how = box.joint_orient, box.rotate_axis, box.rotate_order
        now = euler.local_from_rotate(np.radians(channels), *how)
        now = now if shape is None else shape.project(now)
    return result


def _channels_deg(rotations: arrays.Floats, box: RotateBox) -> arrays.Floats:
    """Rotate channels in degrees, (frames, 3); NaN where a rotation is not finite."""
    usable = np.isfinite(rotations).all(axis=1, keepdims=True)
    channels = np.degrees(box.channels(np.where(usable, rotations, quaternion.IDENTITY)))
    return np.where(usable, channels, np.nan)


MIN_MOVED_DEG = 1e-3
"""Largest change, in degrees, that counts as unmoved."""


@dataclass(frozen=True)
class Moved:
    """Change of one joint by projection."""

    joint: str
    """Name in the motion."""
    frames: int
    """Number of frames that moved."""
    worst_deg: float
    """Largest change, in degrees."""
    worst_frame: float


def project_motion(
    limit_set: LimitSet,
    motion: Motion,
    softening: Softening | None = None,
    progress: Progress | None = None,
) -> tuple[Motion, tuple[Moved, ...]]:
    """Project a motion into the coupled limits of a limit set.

    `limit_set`: joints without an active coupled limit or dependent channel are unchanged.
    `softening`: soft limits; hard limits by default. Returns the motion without rotate channels,
    which are recomputed when needed, and the joints that changed in any frame, largest change
    first. Raises EstimationError if no joint of the motion has a coupled limit.
    """
    shapes, depending = layers.active_shapes(limit_set), layers.active_dependencies(limit_set)
    found = matched_joints(limit_set.joints, motion.joint_names)
    limited = {*shapes, *(item.joint for item in depending)}
    if not limited & set(found):
        raise EstimationError(_why_none(limit_set, shapes, motion))
    given = {name: motion.rotations[joint].T for name, joint in found.items()}
    hard: dict[str, arrays.Floats] = dict(given)
    rotations, moved = np.array(motion.rotations), []
    names = [name for name in found if name in limited]
    for number, name in enumerate(names):
        report_progress(progress, number, len(names), f"projecting {name}")
        own = [item for item in depending if item.joint == name]
        shape = fitting.shape_of_limit(shapes[name]) if name in shapes else None
        ranges, box = ranges_from(limit_set, own, hard), rotate_box_of(limit_set.joints[name])
        hard[name] = into_ranges(hard[name], box, ranges, shape)
        inside = part_way_back(hard[name], given[name], softening) if softening else hard[name]
        rotations[found[name]] = inside.T
        turned = np.degrees(quaternion.angle_between(given[name], inside))
        worst, count = int(turned.argmax()), int(np.count_nonzero(turned > MIN_MOVED_DEG))
        if count:
            own_name, frame = motion.joint_names[found[name]], float(motion.frames[worst])
            moved.append(Moved(own_name, count, float(turned[worst]), frame))
    moved.sort(key=lambda item: -item.worst_deg)
    return replace(motion, rotations=rotations, rotates=None), tuple(moved)


def _why_none(
    limit_set: LimitSet, shapes: Mapping[str, coupled_limit.CoupledLimit], motion: Motion
) -> str:
    if shapes:
        ours, theirs = ", ".join(list(shapes)[:4]), ", ".join(motion.joint_names[:4])
        return (
            f"clip {motion.name!r} has none of the joints that have a coupled limit: the limits "
            f"have {ours}, the clip has {theirs}"
        )
    if layers.inactive_shapes(limit_set):
        return (
            "an artist's ranges replace every coupled limit; run jointlimits fit again to get both"
        )
    return "the limit set has no coupled limits; run jointlimits fit first"
