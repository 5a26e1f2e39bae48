"""Projection of a motion into coupled limits: every rotation moves to the nearest allowed one.

A joint's shape comes first, then ranges that depend on another channel, at the poses that their
drivers get, which come first (:mod:`jointlimits_core.ik.dependent_ranges`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..base.errors import EstimationError
from ..base.progress import Progress, report_progress
from ..geometry import quaternion
from ..ik.constraints import JointConstraint, ShapeLimit
from ..ik.dependent_ranges import with_dependent_ranges
from ..limits import layers
from ..limits.limit_set import LimitSet
from ..motion.motion import Motion
from ..motion.name_matching import matched_joints
from ..shapes import coupled_limit, fitting
from ..shapes.shape import Softening, part_way_back

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
    rotations, moved = np.array(motion.rotations), []
    names = [name for name in found if name in limited]
    for number, name in enumerate(names):
        report_progress(progress, number, len(names), f"projecting {name}")
        joint = found[name]
        limit = JointConstraint()
        if name in shapes:
            limit = ShapeLimit(fitting.shape_of_limit(shapes[name]))
        own = [item for item in depending if item.joint == name]
        limit = with_dependent_ranges(limit, limit_set, own, found)
        inside = limit.project(np.moveaxis(rotations[[*limit.drivers, joint]], 2, 0))[:, -1]
        given = motion.rotations[joint].T
        inside = part_way_back(inside, given, softening) if softening else inside
        rotations[joint] = inside.T
        turned = np.degrees(quaternion.angle_between(given, inside))
        worst, count = int(turned.argmax()), int(np.count_nonzero(turned > MIN_MOVED_DEG))
        if count:
            own_name, frame = motion.joint_names[joint], float(motion.frames[worst])
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
