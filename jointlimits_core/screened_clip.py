"""Quantities shared by the screening rules, computed a few joints at a time."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from .arrays import Booleans, Floats
from .continuity import JUMP, continuous_rotates
from .findings import Finding, frame_ranges
from .joint_frame import rotate_from_local
from .large_arrays import blocks, by_rows, is_large, release
from .motion import Motion

BLOCK_BYTES = 1 << 20
"""Bytes of an array processed at a time."""

SPIKE = np.radians(15.0)
"""Smallest step between frames, radians, that may be a spike."""


@dataclass(frozen=True, eq=False)
class Steps:
    """Rotation between frames, radians."""

    largest: Floats
    """Largest over all joints, (frames - 1,)."""
    twice: Booleans
    """Whether a joint has two large steps in a row, (joints,)."""
    moved: Floats
    """Furthest rotation from the first frame, (joints,)."""


@dataclass(frozen=True, eq=False)
class Clip:
    """A motion and the quantities shared by the rules."""

    motion: Motion
    rotates: Floats
    """On one branch, (joints, 3, frames)."""
    changed: Mapping[int, Booleans]
    """Frames moved to that branch, per affected joint, (frames,)."""
    lows: Floats
    """Minima of the channels, (joints, 3)."""
    highs: Floats
    steps: Steps

    @property
    def spans(self) -> Floats:
        """Width of the channels, (joints, 3)."""
        return np.asarray(self.highs - self.lows)

    def finding(self, rule: str, message: str, joint: int | None, chosen: Booleans) -> Finding:
        """Finding about chosen frames, (frames,), of the clip or of one joint."""
        name = None if joint is None else self.motion.joint_names[joint]
        ranges = frame_ranges(self.motion.frames, chosen)
        return Finding(rule, message, name, self.motion.name, ranges)


def prepared(motion: Motion, on_one_branch: bool) -> Clip:
    """Prepare a clip for screening.

    Parameters
    ----------
    motion : Motion
        With finite rotations.
    on_one_branch : bool
        Move rotate channels that jump between Euler branches to one branch.
    """
    rotates = _rotates(motion) if motion.rotates is None else motion.rotates
    lows, highs = _ends(rotates)
    changed: dict[int, Booleans] = {}
    # A channel whose range is smaller than a jump cannot jump.
    wide = np.flatnonzero((highs - lows > JUMP).any(axis=1)) if on_one_branch else ()
    jumping = [int(joint) for joint in wide if _jumps(rotates[joint])]
    if jumping:
        rotates = _on_one_branch(motion, rotates, jumping, changed)
        lows, highs = _ends(rotates)
    return Clip(motion, rotates, changed, lows, highs, _steps(motion.rotations))


def _ends(rotates: Floats) -> tuple[Floats, Floats]:
    """Minima and maxima of every channel, (joints, 3)."""
    lows, highs = np.empty(rotates.shape[:2]), np.empty(rotates.shape[:2])
    for part in blocks(rotates, size=BLOCK_BYTES):
        lows[part], highs[part] = rotates[part].min(axis=2), rotates[part].max(axis=2)
    return lows, highs


def _jumps(rotates: Floats) -> bool:
    found = bool(np.abs(np.diff(rotates, axis=1)).max(initial=0.0) > JUMP)
    release(rotates)
    return found


def _on_one_branch(
    motion: Motion, rotates: Floats, jumping: Collection[int], changed: dict[int, Booleans]
) -> Floats:
    """Rotates with the jumping joints on one branch; `changed` receives the moved frames."""

    def row(joint: int) -> Floats:
        values: Floats = rotates[joint]
        if joint in jumping:
            values, moved = continuous_rotates(values, motion.skeleton.rotate_orders[joint])
            if moved.any():
                changed[joint] = moved
        release(rotates[joint])
        return values

    return by_rows(len(rotates), rotates.shape[1:], row)


def _steps(rotations: Floats) -> Steps:
    """Rotation between frames, computed a few joints at a time."""
    joints, _, frames = rotations.shape
    largest = np.zeros(frames - 1)
    twice, moved = np.zeros(joints, dtype=bool), np.zeros(joints)
    for part in blocks(rotations, size=BLOCK_BYTES):
        some = rotations[part]
        steps = angles(some[:, :, :-1], some[:, :, 1:])
        np.maximum(largest, steps.max(axis=0), out=largest)
        twice[part] = (np.minimum(steps[:, :-1], steps[:, 1:]) > SPIKE).any(axis=1)
        alike = np.abs(some[:, None, :, 0] @ some)[:, 0].min(axis=1)
        moved[part] = 2.0 * np.arccos(np.minimum(alike, 1.0))
    return Steps(largest, twice, moved)


def angles(first: Floats, second: Floats) -> Floats:
    """Angle between rotations (..., 4, n), shape (..., n); up to 1e-7 for equal ones."""
    alike = np.abs(np.einsum("...kf,...kf->...f", first, second))
    return np.asarray(2.0 * np.arccos(np.minimum(alike, 1.0)))


def _rotates(motion: Motion) -> Floats:
    """Rotate channels, (joints, 3, frames), computed per rotate order."""
    skeleton = motion.skeleton
    shape = (len(skeleton), 3, motion.frame_count)
    if is_large(shape):
        return by_rows(shape[0], shape[1:], lambda joint: _rotates_of(motion, [joint])[0])
    result = np.empty(shape)
    for order in set(skeleton.rotate_orders):
        group = [j for j, name in enumerate(skeleton.rotate_orders) if name == order]
        result[group] = _rotates_of(motion, group)
    return result


def _rotates_of(motion: Motion, group: list[int]) -> Floats:
    """Rotate channels of joints of one order, (joints, 3, frames)."""
    skeleton = motion.skeleton
    local = np.moveaxis(motion.rotations[group], 1, 2)
    orient, axis = skeleton.joint_orients[group, None], skeleton.rotate_axes[group, None]
    rotates = rotate_from_local(local, orient, axis, skeleton.rotate_orders[group[0]])
    release(motion.rotations[group[0]])
    return np.asarray(np.moveaxis(rotates, 2, 1))
