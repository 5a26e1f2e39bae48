"""Effectors of a figure and their Jacobian, for all frames at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Floats, Integers
from ..kinematics import world_matrices_from_local
from ..motion import Motion
from ..skeleton import Skeleton


@dataclass(frozen=True)
class Effector:
    """A point attached to a joint.

    Parameters
    ----------
    joint : int
        Index of the joint.
    point : tuple of three floats
        In the joint's own space; zero for the joint itself.
    """

    joint: int
    point: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Figure:
    """A skeleton posed in frames, with effectors and the joints that turn to move them.

    Parameters
    ----------
    translations, scales : array, shapes (frames, joints, 3)
    between : mapping of joint index to array (frames, 4, 4)
    joints : array of int, shape (turning,)
        Joints that may turn, parents first.
    """

    skeleton: Skeleton
    translations: Floats
    scales: Floats
    between: Mapping[int, Floats]
    effectors: tuple[Effector, ...]
    joints: Integers

    @property
    def reach(self) -> float:
        """Longest chain from a root to an effector in the source's unit; 1 if that is 0."""
        lengths = np.linalg.norm(self.skeleton.offsets, axis=1)
        longest = 0.0
        for effector in self.effectors:
            chain = ancestors(self.skeleton, effector.joint)[:-1]
            length = float(lengths[chain].sum() + np.linalg.norm(effector.point))
            longest = max(longest, length)
        return longest or 1.0

    def take(self, rows: Integers) -> Figure:
        """Figure in some of its frames."""
        return replace(
            self,
            translations=self.translations[rows],
            scales=self.scales[rows],
            between={joint: matrices[rows] for joint, matrices in self.between.items()},
        )

    def world(self, rotations: Floats) -> Floats:
        """World matrices of poses (frames, joints, 4), shape (frames, joints, 4, 4)."""
        return world_matrices_from_local(
            self.skeleton, rotations, self.translations, self.scales, self.between
        )

    def points(self, world: Floats) -> Floats:
        """World positions of the effectors, shape (frames, effectors, 3)."""
        at = [effector.joint for effector in self.effectors]
        own = np.array([[*effector.point, 1.0] for effector in self.effectors])
        return np.asarray((world[:, at, :3, :] @ own[:, :, None])[..., 0])

    def jacobian(self, world: Floats, points: Floats) -> Floats:
        """Velocities of the effectors per turn of each joint about its own axes.

        Parameters
        ----------
        world : array, shape (frames, joints, 4, 4)
        points : array, shape (frames, effectors, 3)

        Returns
        -------
        array, shape (frames, effectors, 3, turning, 3)
            Length unit per radian: of ``d(point) / d(direction)`` for ``q exp(direction)``.
        """
        turning = world[:, self.joints]
        axes = turning[..., :3, :3]
        # Columns without scale; exact for uniform scale.
        axes = axes / np.linalg.norm(axes, axis=2, keepdims=True)
        arm = points[:, :, None, :] - turning[:, None, :, :3, 3]
        x, y, z = (arm[..., n, None] for n in range(3))
        a, b, c = (axes[:, None, :, n, :] for n in range(3))
        turned = np.stack([b * z - c * y, c * x - a * z, a * y - b * x], axis=2)
        return np.asarray(turned * self.carries[None, :, None, :, None])

    @property
    def carries(self) -> Floats:
        """1 where a turning joint carries an effector, else 0, shape (effectors, turning)."""
        table = np.zeros((len(self.effectors), len(self.joints)))
        for row, effector in enumerate(self.effectors):
            table[row] = np.isin(self.joints, ancestors(self.skeleton, effector.joint))
        return table


def ancestors(skeleton: Skeleton, joint: int) -> list[int]:
    """A joint and all joints above it, upwards."""
    chain = [joint]
    while skeleton.parents[chain[-1]] >= 0:
        chain.append(int(skeleton.parents[chain[-1]]))
    return chain


def figure_of(motion: Motion, effectors: Sequence[Effector], joints: Sequence[int]) -> Figure:
    """Pose the skeleton of a clip in its frames.

    Parameters
    ----------
    motion : Motion
        Source of the root and of all animation except rotations.
    joints : sequence of int
        Joints that may turn; the others keep the rotations of the start pose.

    Raises
    ------
    ValueError
        For no effector, or joints that the skeleton does not have.
    """
    skeleton, count = motion.skeleton, len(motion.skeleton)
    asked = [*joints, *(effector.joint for effector in effectors)]
    if not effectors or any(not 0 <= joint < count for joint in asked):
        raise ValueError(
            f"effectors (at least one) and joints must be indices below {count}, the number of "
            "joints in the skeleton"
        )
    shape = (motion.frame_count, count, 3)
    translations = np.array(np.broadcast_to(skeleton.offsets, shape))
    scales = np.array(np.broadcast_to(skeleton.scales, shape))
    for joint, values in motion.translations.items():
        translations[:, joint] = values
    for joint, values in motion.scales.items():
        scales[:, joint] = values
    turning = np.array(sorted(set(joints)), dtype=np.int64)
    return Figure(skeleton, translations, scales, motion.between, tuple(effectors), turning)
