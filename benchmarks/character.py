"""A synthetic character with smooth motion and a body's mix of joint types.

40 % hinges, 20 % universal joints, 30 % balls and 10 % that do not move; a third of the moving ones
with one degree of noise about every axis, as a marker-based capture has.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.euler import (
    ROTATE_ORDERS,
    axes_of,
    nearest_euler,
    quaternion_from_euler,
    rotate_from_local,
)
from jointlimits_core.geometry.quaternion import multiply, quaternion_from_rotation_vector
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton

MIX = ("hinge",) * 4 + ("universal",) * 2 + ("ball",) * 3 + ("fixed",)
MOVING_CHANNELS = {"fixed": 0, "hinge": 1, "universal": 2, "ball": 3}
NOISE = np.radians(1.0)
FRAME_RATE = 30.0


def character(joints: int, frames: int, *, channels: bool, seed: int = 1) -> Motion:
    """Make a clip.

    Parameters
    ----------
    joints, frames : int
    channels : bool
        Whether the motion has rotate channels of its own, as one from a scene has, or only
        quaternions.
    seed : int

    Returns
    -------
    Motion
    """
    random = np.random.default_rng(seed)
    skeleton = _skeleton(joints, random)
    rotates = np.zeros((joints, 3, frames))
    for joint, order in enumerate(skeleton.rotate_orders):
        for channel in axes_of(order)[: MOVING_CHANNELS[MIX[joint % len(MIX)]]]:
            rotates[joint, channel] = _smooth(frames, random)
    motion = Motion.from_rotates(skeleton, rotates, np.arange(frames), FRAME_RATE, "character")
    noisy = [joint for joint in range(joints) if MIX[joint % len(MIX)] != "fixed"][::3]
    motion = _with_noise(motion, rotates, noisy, random)
    return motion if channels else replace(motion, rotates=None)


def _skeleton(joints: int, random: np.random.Generator) -> Skeleton:
    """Four chains from one root, with oriented joints of all rotate orders."""
    return Skeleton(
        names=tuple(f"joint{index}" for index in range(joints)),
        parents=np.array([-1, *(max(index - 4, 0) for index in range(1, joints))]),
        offsets=random.normal(scale=10.0, size=(joints, 3)),
        joint_orients=quaternion_from_euler(random.uniform(-np.pi, np.pi, (joints, 3))),
        rotate_orders=tuple(ROTATE_ORDERS[index % 6] for index in range(joints)),
    )


def _smooth(frames: int, random: np.random.Generator) -> Floats:
    """Slow waves in radians, with amplitudes of 25 to 65 degrees about a centre near zero."""
    seconds = np.arange(frames) / FRAME_RATE
    frequency, phase = random.uniform(0.2, 2.0, (3, 1)), random.uniform(0.0, 2.0 * np.pi, (3, 1))
    waves = np.sin(2.0 * np.pi * frequency * seconds + phase)
    shares = random.dirichlet(np.ones(3))
    reach, centre = random.uniform(25.0, 65.0), random.uniform(-10.0, 10.0)
    return np.asarray(np.radians(centre + reach * (shares @ waves)))


def _with_noise(
    motion: Motion, rotates: Floats, noisy: list[int], random: np.random.Generator
) -> Motion:
    skeleton, rotations = motion.skeleton, motion.rotations.copy()
    rotates = rotates.copy()
    for joint in noisy:
        shake = random.normal(scale=NOISE, size=(motion.frame_count, 3))
        local = multiply(rotations[joint].T, quaternion_from_rotation_vector(shake))
        orient, axis = skeleton.joint_orients[joint], skeleton.rotate_axes[joint]
        order = skeleton.rotate_orders[joint]
        rotate = rotate_from_local(local, orient, axis, order)
        rotations[joint] = local.T
        rotates[joint] = nearest_euler(rotate, rotates[joint].T, order).T
    return replace(motion, rotations=rotations, rotates=rotates)
