"""Loop of targets for the end of a limb: a kick forward, up, and far behind the body.

After Holden's demonstration of a leg: without limits the knee follows the foot anywhere.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..arrays import Floats
from ..motion import Motion
from .jacobian import Figure, ancestors

FRAMES = 120
BELOW, FORWARD, RISE = 0.68, 0.62, 0.30
"""Centre of the loop below the top of the limb, and its half axes, in lengths of the limb."""


def standing(motion: Motion, frames: int = FRAMES) -> Motion:
    """Clip that holds the first frame of another."""
    held = motion.take([0])
    return replace(
        motion,
        rotations=np.repeat(held.rotations, frames, axis=2),
        rotates=None,
        frames=np.arange(frames, dtype=np.float64),
        translations={j: np.repeat(v, frames, axis=0) for j, v in held.translations.items()},
        scales={j: np.repeat(v, frames, axis=0) for j, v in held.scales.items()},
        between={j: np.repeat(v, frames, axis=0) for j, v in held.between.items()},
        frame_rate=30.0,
    )


def loop_targets(motion: Motion, figure: Figure, forward: Floats, up: Floats) -> Floats:
    """Targets of a figure's single effector along the loop.

    Parameters
    ----------
    figure : Figure
        With one effector; the loop is placed below the topmost turning joint.
    forward, up : array, shapes (3,)
        Unit, in world space.

    Returns
    -------
    array, shape (frames, 1, 3)
    """
    chain = ancestors(motion.skeleton, figure.effectors[0].joint)
    top = next(joint for joint in reversed(chain) if joint in figure.joints)
    limb = chain[: chain.index(top)]
    lengths = np.linalg.norm(motion.skeleton.offsets[limb], axis=1)
    length = float(lengths.sum() + np.linalg.norm(figure.effectors[0].point))
    phase = np.linspace(0.0, 2.0 * np.pi, motion.frame_count)
    along, across = FORWARD * np.sin(phase), RISE * np.cos(phase) - BELOW
    way = length * (along[:, None] * forward + across[:, None] * up)
    return np.asarray((motion.all_world_matrices()[:, top, :3, 3] + way)[:, None])
