"""Rotate channels without jumps: the same rotations on one branch.

A rotation has endlessly many sets of Euler angles: full turns may be added to each channel, and
the outer channels may turn by half a turn while the middle one is mirrored. A curve that changes
from one set to another shows the same pose, but its numbers jump, and so would limits read from it.
"""

from __future__ import annotations

import numpy as np

from .arrays import Booleans, Floats
from .euler import axes_of, nearest_euler

JUMP = 0.5 * np.pi
"""Smaller steps from frame to frame cannot be a change of branch."""


def continuous_rotates(rotates: Floats, rotate_order: str) -> tuple[Floats, Booleans]:
    """Undo changes of branch along one joint's clip.

    Parameters
    ----------
    rotates : array, shape (3, frames)
        rotateX, rotateY, rotateZ in radians.
    rotate_order : str

    Returns
    -------
    rotates : array, shape (3, frames)
        The same rotations. The branch that holds most frames is kept as it is, to the bit; the
        others are brought to it.
    changed : array of bool, shape (frames,)
        The frames that were brought over.
    """
    frames = rotates.shape[1]
    steps = np.abs(np.diff(rotates, axis=1))
    jumps = np.flatnonzero((steps > JUMP).any(axis=0)) + 1
    if jumps.size == 0:
        return rotates, np.zeros(frames, dtype=bool)
    starts = np.concatenate([[0], jumps])
    lengths = np.diff(np.append(starts, frames))
    branches = _branches(rotates, starts, lengths, rotate_order)
    keys, which = np.unique(branches, axis=0, return_inverse=True)
    which = which.reshape(-1)
    main = int(np.argmax(np.bincount(which, weights=lengths)))
    result = rotates.copy()
    changed = np.repeat(which != main, lengths)
    for number, key in enumerate(keys):
        if number != main:
            chosen = np.repeat(which == number, lengths)
            moved = _apply(rotates[:, chosen].T, key, rotate_order)
            result[:, chosen] = _undo(moved, keys[main], rotate_order).T
    return result, changed


def _branches(rotates: Floats, starts: Floats, lengths: Floats, rotate_order: str) -> Floats:
    """Branch of every piece between jumps: (mirrored, turns x, y, z), relative to the first."""
    branches = np.zeros((len(starts), 4))
    for piece in range(1, len(starts)):
        before = rotates[:, starts[piece] - 1]
        here = rotates[:, starts[piece]]
        target = _apply(before, branches[piece - 1], rotate_order)
        stay = _apply(here, branches[piece - 1], rotate_order)
        nearest = nearest_euler(here, target, rotate_order)
        gain = np.abs(stay - target).max() - np.abs(nearest - target).max()
        branches[piece] = branches[piece - 1]
        if gain > JUMP:
            branches[piece] = _branch_between(here, nearest, rotate_order)
    return branches


def _branch_between(angles: Floats, moved: Floats, rotate_order: str) -> Floats:
    """Return the branch that takes `angles` to `moved`, another set of the same rotation."""
    for mirrored in (0.0, 1.0):
        base = _apply(angles, np.array([mirrored, 0.0, 0.0, 0.0]), rotate_order)
        turns = (moved - base) / (2.0 * np.pi)
        if np.abs(turns - np.round(turns)).max() < 1e-6:
            return np.concatenate([[mirrored], np.round(turns)])
    raise AssertionError("the angles are not sets of one rotation")


def _mirror(angles: Floats, half_turn: float, rotate_order: str) -> Floats:
    middle = axes_of(rotate_order)[1]
    result = angles + half_turn
    result[..., middle] = np.pi - angles[..., middle]
    return result


def _apply(angles: Floats, branch: Floats, rotate_order: str) -> Floats:
    base = _mirror(angles, np.pi, rotate_order) if branch[0] else angles
    return np.asarray(base + 2.0 * np.pi * branch[1:])


def _undo(angles: Floats, branch: Floats, rotate_order: str) -> Floats:
    base = np.asarray(angles - 2.0 * np.pi * branch[1:])
    return _mirror(base, -np.pi, rotate_order) if branch[0] else base
