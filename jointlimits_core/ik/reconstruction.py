"""Reconstruction of poses from the ends of the body, compared with the original poses.

As in figure 8 of Engell-Nørregård and Erleben, the hands, feet and head of a captured motion are
given, and the joints between them are solved. The better the limits, the closer the result is to
the performance. The paper shows pictures; this module gives numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.progress import Progress
from ..geometry import arrays, quaternion
from ..motion import joint_names, name_matching
from ..motion.motion import Motion
from ..motion.skeleton import Skeleton
from .jacobian import Effector, Figure, figure_of
from .solver import Constraints, IkOptions, IkSolution, solve


def tip_of(skeleton: Skeleton, joint: int) -> Effector:
    """Far end of a joint's bone: its first child, or else one more step of its own offset."""
    children = np.flatnonzero(skeleton.parents == joint)
    source = int(children[0]) if len(children) else joint
    x, y, z = skeleton.offsets[source].tolist()
    return Effector(joint, (x, y, z))


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """Accuracy of a solved clip compared with the original.

    `joint_deg`, (frames,): mean angle between the solved and captured rotations of the turning
    joints. `position`, (frames,): mean distance between their positions, in the source's unit.
    """

    joint_deg: arrays.Floats
    position: arrays.Floats
    solution: IkSolution


def body_figure(motion: Motion, ends: Sequence[str] = (), top: str | None = None) -> Figure:
    """Figure of a clip with the ends of the body, or of some joints, as effectors.

    The effectors' joints and all joints above them turn if they are animated, except roots. `ends`:
    joints whose far ends are effectors; hands, feet and head by default. `top`: only this joint and
    its descendants turn. Raises ValueError if a joint is missing, if no joint is named like a hand,
    foot or head, or if no joint turns.
    """
    bones = motion.skeleton
    chosen = [_joint_index(motion, name) for name in ends] or list(
        joint_names.body_ends(bones).values()
    )
    if not chosen:
        raise ValueError("no joint is named like a hand, foot or head; give the joints to hold")
    effectors = [tip_of(bones, joint) for joint in chosen]
    above = {joint for effector in effectors for joint in bones.ancestors(effector.joint)}
    joints = sorted(above - bones.placing_joints)
    if motion.animated is not None:
        joints = [joint for joint in joints if bones.names[joint] in motion.animated]
    if top is not None:
        highest = _joint_index(motion, top)
        joints = [joint for joint in joints if highest in bones.ancestors(joint)]
    if not joints:
        raise ValueError("no turning joint moves any of the ends; choose other ends or another top")
    return figure_of(motion, effectors, joints)


def _joint_index(motion: Motion, name: str) -> int:
    """Index of a joint by its name or the end of its path; ValueError unless exactly one."""
    found = name_matching.matched_joints([name], motion.joint_names)
    if name not in found:
        raise ValueError(f"joint {name!r} not found or not unique; give its full path")
    return found[name]


def reconstruct(
    motion: Motion,
    constraints: Constraints | None = None,
    start: arrays.Floats | None = None,
    options: IkOptions = IkOptions(),  # noqa: B008 - frozen
    figure: Figure | None = None,
    progress: Progress | None = None,
) -> Reconstruction:
    """Solve a clip from the ends of its body and the given root.

    `start`, (joints, 4): start rotations of every frame, by default the rest pose. `figure`:
    effectors and turning joints, by default :func:`body_figure`. Raises ValueError if no joint is
    named like a hand, foot or head.
    """
    figure = body_figure(motion) if figure is None else figure
    truth = np.moveaxis(motion.rotations, 2, 0)
    world = figure.world(truth)
    rest = motion.skeleton.rest_rotations if start is None else start
    poses = np.array(truth)
    poses[:, figure.joints] = rest[figure.joints]
    solution = solve(figure, figure.points(world), poses, constraints, options, progress)
    there, back = figure.joints, solution.rotations
    angles = np.degrees(quaternion.angle_between(back[:, there], truth[:, there]))
    places = figure.world(back)[:, there][..., :3, 3] - world[:, there][..., :3, 3]
    return Reconstruction(
        angles.mean(axis=1), np.linalg.norm(places, axis=-1).mean(axis=1), solution
    )
