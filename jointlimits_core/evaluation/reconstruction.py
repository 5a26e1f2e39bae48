"""Poses rebuilt from their effectors, held against the poses they came from.

Figure 8 of Engell-Nørregård and Erleben: hands, feet and head of a captured motion are given, the
joints in between are solved, and the better the limits, the nearer the result is to what the person
did. The paper shows pictures; here are the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..motion import Motion
from ..progress import Progress, tell
from ..rotation import angle_between
from .body_ends import body_ends, tip_of, turning_joints
from .ik_solution import POSING, IkOptions, IkSolution
from .inverse_kinematics import Constraints, solve
from .jacobian import Figure, ancestors, figure_of
from .matching import matched_joints


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """How near a solved clip is to the one it was solved from.

    Parameters
    ----------
    joint_deg : array, shape (frames,)
        Mean angle between solved and captured rotations of the joints that turn.
    position : array, shape (frames,)
        Mean distance between solved and captured places of these joints, in the source's unit.
    """

    joint_deg: Floats
    position: Floats
    solution: IkSolution


def body_figure(motion: Motion, ends: Sequence[str] = (), top: str | None = None) -> Figure:
    """Figure of a clip with the ends of the body, or of some chains, as effectors.

    Parameters
    ----------
    ends : sequence of str
        Joints whose far ends are effectors; hands, feet and head by default.
    top : str, optional
        Only this joint and those below it turn.

    Raises
    ------
    ValueError
        If the skeleton has no such joint, or none that is known for a hand, a foot or the head; if
        nothing turns.
    """
    bones = motion.skeleton
    chosen = [_found(motion, name) for name in ends] or list(body_ends(bones).values())
    if not chosen:
        raise ValueError("no joint is named for a hand, a foot or the head")
    effectors = [tip_of(bones, joint) for joint in chosen]
    joints = turning_joints(bones, effectors, motion.animated)
    if top is not None:
        highest = _found(motion, top)
        joints = [joint for joint in joints if highest in ancestors(bones, joint)]
    if not joints:
        raise ValueError("no joint that turns holds one of the ends")
    return figure_of(motion, effectors, joints)


def _found(motion: Motion, name: str) -> int:
    """Index of a joint by its name, or by the end of its path.

    Raises
    ------
    ValueError
    """
    found = matched_joints([name], motion.joint_names)
    if name not in found:
        raise ValueError(f"there is no one joint {name!r}")
    return found[name]


def start_pose(motion: Motion, figure: Figure, rotations: Floats) -> Floats:
    """Give poses of a clip whose turning joints have rotations of their own.

    Parameters
    ----------
    rotations : array, shape (joints, 4)

    Returns
    -------
    array, shape (frames, joints, 4)
    """
    pose = np.array(np.moveaxis(motion.rotations, 2, 0))
    pose[:, figure.joints] = rotations[figure.joints]
    return pose


def reconstructed(
    motion: Motion,
    constraints: Constraints | None = None,
    start: Floats | None = None,
    options: IkOptions = IkOptions(),  # noqa: B008 - frozen
    from_previous: bool = False,
    figure: Figure | None = None,
    targets: Floats | None = None,
    progress: Progress | None = None,
) -> Reconstruction:
    """Solve a clip anew from the ends of its body; its root is given.

    Parameters
    ----------
    constraints : mapping of joint index to JointConstraint, optional
    start : array, shape (joints, 4), optional
        Rotations that every frame starts from; the rest pose by default.
    from_previous : bool
        Start each frame from the one before it, and only the first from `start`.
    figure : Figure, optional
        Effectors and joints that turn; :func:`body_figure` by default.
    targets : array, shape (frames, effectors, 3), optional
        Where the effectors are to go; where the clip has them by default.
    progress : callable, optional
        Called with (frames done, frames, label) now and then; returning False cancels.

    Raises
    ------
    ValueError
        If the skeleton has no joint that is known for a hand, a foot or the head.
    """
    figure = body_figure(motion) if figure is None else figure
    truth = np.moveaxis(motion.rotations, 2, 0)
    world = figure.world(truth)
    targets = figure.points(world) if targets is None else targets
    rest = motion.skeleton.rest_rotations if start is None else start
    poses = start_pose(motion, figure, rest)
    if from_previous:
        solution = _one_after_another(figure, targets, poses, constraints, options, progress)
    else:
        solution = solve(figure, targets, poses, constraints, options, progress)
    there, back = figure.joints, solution.rotations
    angles = np.degrees(angle_between(back[:, there], truth[:, there]))
    places = figure.world(back)[:, there][..., :3, 3] - world[:, there][..., :3, 3]
    return Reconstruction(
        angles.mean(axis=1), np.linalg.norm(places, axis=-1).mean(axis=1), solution
    )


def _one_after_another(
    figure: Figure,
    targets: Floats,
    poses: Floats,
    constraints: Constraints | None,
    options: IkOptions,
    progress: Progress | None,
) -> IkSolution:
    parts: list[IkSolution] = []
    for frame in range(len(targets)):
        tell(progress, frame, len(targets), POSING)
        row = np.array([frame])
        begin = poses[row]
        if parts:
            begin[:, figure.joints] = parts[-1].rotations[:, figure.joints]
        parts.append(solve(figure.take(row), targets[row], begin, constraints, options))
    return IkSolution(
        np.concatenate([part.rotations for part in parts]),
        np.concatenate([part.residual for part in parts]),
        np.concatenate([part.converged for part in parts]),
        np.concatenate([part.iterations for part in parts]),
    )


def mean_rotations(motions: list[Motion]) -> Floats:
    """Mean rotation of every joint over clips of one skeleton, shape (joints, 4).

    The eigenvector of the largest eigenvalue of the moment (Markley et al., 2007); every clip
    counts as much as it is long.
    """
    rotations = np.concatenate([motion.rotations for motion in motions], axis=2)
    moment = rotations @ np.swapaxes(rotations, 1, 2)
    return np.asarray(np.linalg.eigh(moment)[1][..., -1])
