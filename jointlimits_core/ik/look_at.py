"""Look-at: the spine turns first, then neck and head, each within its limits.

This follows Holden's demonstration. From the lowest joint of the chain upwards, each joint takes
its share of the remaining turn, as far as its limits allow; the joints above take the rest, the
last joint all of it. Passes are repeated because the head moves while the spine bends, and because
the spine can turn further if the head cannot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.progress import Progress, report_progress
from ..geometry import quaternion
from ..geometry.arrays import ArrayLike, Booleans, Floats
from ..motion.joint_names import HEAD, body_ends
from ..motion.motion import Motion
from ..motion.skeleton import Skeleton
from . import jacobian, solver
from .constraints import JointConstraint

MAX_PASSES = 20
MAX_OFF_RAD = np.radians(0.1)
"""The gaze counts as on the target if it is off by no more than this, in radians."""


@dataclass(frozen=True, eq=False)
class LookAt:
    """Poses that look at a target as far as the limits allow."""

    rotations: Floats
    """Rotations of all joints, shape (frames, joints, 4)."""
    off_deg: Floats
    """Remaining angle to the target, shape (frames,)."""
    reached: Booleans
    """Whether the remaining angle is within the tolerance, shape (frames,)."""


def gaze_chain(skeleton: Skeleton) -> list[int]:
    """Joints that turn the head, from the base of the spine to the head itself.

    Raises ValueError if no joint is named head, or the head is a root.
    """
    head = body_ends(skeleton).get(HEAD)
    if head is None:
        raise ValueError("no joint of the skeleton is named head")
    above = reversed(skeleton.ancestors(head))
    chain = [joint for joint in above if joint not in skeleton.placing_joints]
    if not chain:
        raise ValueError("the head is the root of the skeleton, so no joint can turn it")
    return chain


def face_direction(skeleton: Skeleton) -> Floats:
    """Direction that the head faces in the rest pose, in the head's own space, unit, shape (3,).

    It is perpendicular to the up direction and to the line from the right to the left side. Raises
    ValueError if the skeleton has no head, or no left and right hands or feet.
    """
    ends = body_ends(skeleton)
    world = skeleton.rest_world_matrices()
    place = world[..., :3, 3]
    for left, right in (("left hand", "right hand"), ("left foot", "right foot")):
        if {left, right, HEAD} <= set(ends):
            aside = place[ends[left]] - place[ends[right]]
            up = place[ends[HEAD]] - place[skeleton.ancestors(ends[HEAD])[-1]]
            forward = world[ends[HEAD], :3, :3].T @ np.cross(aside, up)
            length = float(np.linalg.norm(forward))
            if length > 0.0:
                return np.asarray(forward / length)
    raise ValueError(
        "cannot find the front of the skeleton: it needs a head and left and right hands or feet"
    )


def look_at(
    motion: Motion,
    targets: ArrayLike,
    constraints: solver.Constraints | None = None,
    chain: Sequence[int] | None = None,
    forward: ArrayLike | None = None,
    progress: Progress | None = None,
) -> LookAt:
    """Turn spine, neck and head in every frame so that the head faces a point.

    Each frame starts from its own pose, brought inside the limits. `targets`, (frames, 3) or (3,):
    world positions. `chain`: joints that turn, lowest first and the head last, by default
    :func:`gaze_chain`. `forward`, (3,): direction that the last joint faces in its own space,
    by default :func:`face_direction`. Raises ValueError for targets that are not finite, or a
    skeleton without a known head or front.
    """
    joints = gaze_chain(motion.skeleton) if chain is None else list(chain)
    goal = np.broadcast_to(np.asarray(targets, np.float64), (motion.frame_count, 3))
    if not np.isfinite(goal).all():
        raise ValueError("targets must be finite")
    ahead = face_direction(motion.skeleton) if forward is None else np.asarray(forward, np.float64)
    figure = jacobian.figure_of(motion, [jacobian.Effector(joints[-1])], joints)
    limits = {joint: (constraints or {}).get(joint, JointConstraint()) for joint in joints}
    pose = np.array(np.moveaxis(motion.rotations, 2, 0))
    for joint in joints:
        pose[:, joint] = limits[joint].project(pose[:, joint])
    off = _gaze_error(figure, pose, goal, joints[-1], ahead)
    for number in range(MAX_PASSES):
        tried = _pass(figure, pose, goal, joints, ahead, limits, number, progress)
        reached = _gaze_error(figure, tried, goal, joints[-1], ahead)
        better = reached < off
        pose[better], off = tried[better], np.minimum(off, reached)
        if not (better & (off > MAX_OFF_RAD)).any():
            break
    return LookAt(pose, np.degrees(off), off <= MAX_OFF_RAD)


def _pass(
    figure: jacobian.Figure,
    start: Floats,
    goal: Floats,
    joints: Sequence[int],
    ahead: Floats,
    limits: solver.Constraints,
    number: int,
    progress: Progress | None,
) -> Floats:
    """One pass over the joints, each taking its share of the remaining turn."""
    pose = np.array(start)
    for place, joint in enumerate(joints):
        done = number * len(joints) + place
        report_progress(progress, done, MAX_PASSES * len(joints), "turning")
        world = figure.world(pose)
        now, wanted = _directions(world[:, joints[-1]], goal, ahead)
        turn = quaternion.rotation_vector_from_quaternion(
            quaternion.quaternion_between_vectors(now, wanted)
        )
        axes = world[:, joint, :3, :3]
        axes = axes / np.linalg.norm(axes, axis=1, keepdims=True)
        own = (turn[:, None] @ axes)[:, 0] / (len(joints) - place)
        turned = quaternion.multiply(
            pose[:, joint], quaternion.quaternion_from_rotation_vector(own)
        )
        pose[:, joint] = limits[joint].project(turned)
    return pose


def _directions(head: Floats, goal: Floats, ahead: Floats) -> tuple[Floats, Floats]:
    """Unit directions of the gaze and of the target, (frames, 3) each."""
    gaze, way = head[:, :3, :3] @ ahead, goal - head[:, :3, 3]
    length = np.linalg.norm(way, axis=1, keepdims=True)
    gaze = gaze / np.linalg.norm(gaze, axis=1, keepdims=True)
    # A target at the head's own position counts as reached.
    return gaze, np.where(length > 0.0, way / np.where(length > 0.0, length, 1.0), gaze)


def _gaze_error(
    figure: jacobian.Figure, pose: Floats, goal: Floats, head: int, ahead: Floats
) -> Floats:
    """Angle between gaze and target, radians, shape (frames,)."""
    now, wanted = _directions(figure.world(pose)[:, head], goal, ahead)
    across = np.linalg.norm(np.cross(now, wanted), axis=1)
    return np.asarray(np.arctan2(across, np.sum(now * wanted, axis=1)))
