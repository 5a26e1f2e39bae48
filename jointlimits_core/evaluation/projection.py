"""Projection of a motion into coupled limits: every rotation to the nearest allowed one.

A joint's shape comes first, then ranges that depend on another channel. Joints are processed in the
order of the limit set, drivers before what depends on them, so that their new rotations count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Floats
from ..errors import EstimationError
from ..limits.coupled_limit import CoupledLimit
from ..limits.dependency import Dependency
from ..limits.in_force import dependencies_in_force, shapes_in_force, shapes_set_aside
from ..limits.limit_set import LimitSet
from ..limits.shapes.fitting import shape_of_limit
from ..limits.shapes.shape import Shape
from ..limits.shapes.softening import Softening, part_way_back
from ..motion import Motion
from ..progress import Progress, tell
from ..rotation import angle_between
from .dependent_channels import into_ranges, ranges_from
from .matching import matched_joints
from .rotate_box import rotate_box_of

MOVED_DEG = 1e-3
"""Smaller changes count as unmoved."""


@dataclass(frozen=True)
class Moved:
    """Change of one joint by projection.

    Parameters
    ----------
    joint : str
        Name in the motion.
    frames : int
        Number of frames that moved.
    worst_deg : float
        Largest change.
    """

    joint: str
    frames: int
    worst_deg: float
    worst_frame: float


def projected(
    limit_set: LimitSet,
    motion: Motion,
    softening: Softening | None = None,
    progress: Progress | None = None,
) -> tuple[Motion, tuple[Moved, ...]]:
    """Project a motion into the coupled limits of a limit set.

    Parameters
    ----------
    limit_set : LimitSet
        Joints without an active coupled limit or dependent channel are unchanged.
    softening : Softening, optional
        Soft limits; hard ones by default.
    progress : callable, optional
        Called with (done, total, label) before each joint; returning False cancels.

    Returns
    -------
    motion : Motion
        With rotations only; rotate channels are recomputed when needed.
    moved : tuple of Moved
        Joints with a changed frame, largest change first.

    Raises
    ------
    EstimationError
        If no joint of the motion has a coupled limit.
    Cancelled
        If `progress` returned False.
    """
    shapes, depending = shapes_in_force(limit_set), dependencies_in_force(limit_set)
    found = matched_joints(limit_set.joints, motion.joint_names)
    limited = {*shapes, *(item.joint for item in depending)}
    if not limited & set(found):
        raise EstimationError(_why_none(limit_set, shapes, motion))
    given = {name: motion.rotations[joint].T for name, joint in found.items()}
    hard: dict[str, Floats] = dict(given)
    rotations, moved = np.array(motion.rotations), []
    names = [name for name in found if name in limited]
    for number, name in enumerate(names):
        tell(progress, number, len(names), f"projecting {name}")
        own = [item for item in depending if item.joint == name]
        shape = shape_of_limit(shapes[name]) if name in shapes else None
        hard[name] = _inside(limit_set, name, own, shape, hard)
        inside = part_way_back(hard[name], given[name], softening) if softening else hard[name]
        rotations[found[name]] = inside.T
        change = _moved(motion.joint_names[found[name]], given[name], inside, motion.frames)
        moved += [change] if change.frames else []
    moved.sort(key=lambda item: -item.worst_deg)
    return replace(motion, rotations=rotations, rotates=None), tuple(moved)


def _inside(
    limit_set: LimitSet,
    name: str,
    depending: Sequence[Dependency],
    shape: Shape | None,
    rotations: Mapping[str, Floats],
) -> Floats:
    """Rotations of one joint inside its limits, given the rotations of the others."""
    ranges = ranges_from(limit_set, depending, rotations)
    return into_ranges(rotations[name], rotate_box_of(limit_set.joints[name]), ranges, shape)


def _why_none(limit_set: LimitSet, shapes: Mapping[str, CoupledLimit], motion: Motion) -> str:
    if shapes:
        ours, theirs = ", ".join(list(shapes)[:4]), ", ".join(motion.joint_names[:4])
        return (
            f"clip {motion.name!r} has none of the joints that have a coupled limit: the limits "
            f"have {ours}, the clip has {theirs}"
        )
    if shapes_set_aside(limit_set):
        return (
            "an artist's ranges replace every coupled limit; run jointlimits fit again to have both"
        )
    return "the limit set has no coupled limits; run jointlimits fit first"


def _moved(joint: str, given: Floats, inside: Floats, frames: Floats) -> Moved:
    turned = np.degrees(angle_between(given, inside))
    worst = int(turned.argmax())
    count = int(np.count_nonzero(turned > MOVED_DEG))
    return Moved(joint, count, float(turned[worst]), float(frames[worst]))
