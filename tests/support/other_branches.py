"""The same motion with the keys of a joint on other Euler branches."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.euler import local_from_rotate, other_euler
from jointlimits_core.motion.motion import Motion

KINDS = ("whole", "stretch", "mixed")


def rewritten(angles: Floats, order: str, kind: str, rng: np.random.Generator) -> Floats:
    """The same rotations (3, frames) with all, a stretch, or many stretches on other branches."""
    result, frames = angles.copy(), angles.shape[1]
    start = int(rng.integers(0, max(frames // 2, 1)))
    cuts = sorted(rng.integers(0, frames, 6).tolist())
    pieces = {
        "whole": [(0, frames)],
        "stretch": [(start, start + max(frames // 3, 1))],
        "mixed": list(zip([0, *cuts], [*cuts, frames])),
    }[kind]
    for first, stop in pieces:
        if kind != "mixed" or rng.random() < 0.5:
            result[:, first:stop] = other_euler(result[:, first:stop].T, order).T
        result[:, first:stop] += 2.0 * np.pi * rng.integers(-1, 2, 3)[:, None]
    return result


def keyed_otherwise(motion: Motion, row: int, kind: str, rng: np.random.Generator) -> Motion:
    """The motion with the keys of one joint on other branches."""
    assert motion.rotates is not None
    skeleton, rotates, rotations = motion.skeleton, motion.rotates.copy(), motion.rotations.copy()
    order = skeleton.rotate_orders[row]
    rotates[row] = rewritten(rotates[row], order, kind, rng)
    frame = skeleton.joint_orients[row], skeleton.rotate_axes[row], order
    rotations[row] = local_from_rotate(rotates[row].T, *frame).T
    return replace(motion, rotates=rotates, rotations=rotations)
