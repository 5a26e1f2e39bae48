"""Euler filter: rotate channels without jumps, on one branch.

A rotation has infinitely many sets of Euler angles: full turns may be added to each channel, and
the outer channels may change by half a turn while the middle one is mirrored. A curve that switches
sets shows the same pose, but its values jump, and so would limits measured from it.
"""

from __future__ import annotations

import numpy as np

from .arrays import Booleans, Floats, Integers
from .euler import TURN, axes_of, nearest_euler

JUMP = 0.5 * np.pi
"""Smallest step between frames that can be a change of branch, radians."""


def continuous_rotates(rotates: Floats, rotate_order: str) -> tuple[Floats, Booleans]:
    """Undo branch changes in one joint's clip where that narrows the ranges.

    Parameters
    ----------
    rotates : array, shape (3, frames)
        rotateX, rotateY, rotateZ in radians.

    Returns
    -------
    rotates : array, shape (3, frames)
        The same rotations. The branch with most frames is kept bit for bit; the others are
        moved to it.
    changed : array of bool, shape (frames,)
        The frames that were moved.
    """
    frames = rotates.shape[1]
    best, best_changed = rotates, np.zeros(frames, dtype=bool)
    jumps = np.flatnonzero((np.abs(np.diff(rotates, axis=1)) > JUMP).any(axis=0)) + 1
    if jumps.size == 0:
        return best, best_changed
    starts = np.concatenate([[0], jumps])
    # Near gimbal lock, following the nearest set can drift away from all others, so a continuous
    # path is used only if its ranges are also narrower.
    for mirrors in (False, True):
        branches = _branches(rotates, starts, rotate_order, mirrors)
        tried, changed = _on_main_branch(rotates, starts, branches, rotate_order)
        if np.ptp(tried, axis=1).sum() < np.ptp(best, axis=1).sum() - JUMP:
            best, best_changed = tried, changed
    return best, best_changed


def _on_main_branch(
    rotates: Floats, starts: Integers, branches: Floats, rotate_order: str
) -> tuple[Floats, Booleans]:
    """Move all pieces to the branch with most frames."""
    lengths = np.diff(np.append(starts, rotates.shape[1]))
    keys, which = np.unique(branches, axis=0, return_inverse=True)
    which = which.reshape(-1)
    main = int(np.argmax(np.bincount(which, weights=lengths)))
    result = rotates.copy()
    for number, key in enumerate(keys):
        if number != main:
            chosen = np.repeat(which == number, lengths)
            moved = _apply(rotates[:, chosen].T, key, rotate_order)
            result[:, chosen] = _undo(moved, keys[main], rotate_order).T
    return result, np.repeat(which != main, lengths)


def _branches(rotates: Floats, starts: Integers, rotate_order: str, mirrors: bool) -> Floats:
    """Branch of each piece between jumps: (mirrored, turns x, y, z), relative to the first."""
    branches = np.zeros((len(starts), 4))
    for piece in range(1, len(starts)):
        before, here = rotates[:, starts[piece] - 1], rotates[:, starts[piece]]
        target = _apply(before, branches[piece - 1], rotate_order)
        stay = _apply(here, branches[piece - 1], rotate_order)
        if mirrors:
            nearest = nearest_euler(here, target, rotate_order)
        else:
            nearest = stay - TURN * np.round((stay - target) / TURN)
        gain = np.abs(stay - target).max() - np.abs(nearest - target).max()
        branches[piece] = branches[piece - 1]
        if gain > JUMP:
            branches[piece] = _branch_between(here, nearest, rotate_order)
    return branches


def _branch_between(angles: Floats, moved: Floats, rotate_order: str) -> Floats:
    """Branch that takes `angles` to `moved`, another set for the same rotation."""
    plain, mirrored = (moved - angles) / TURN, (moved - _mirror(angles, np.pi, rotate_order)) / TURN
    off_plain, off_mirrored = (np.abs(t - np.round(t)).max() for t in (plain, mirrored))
    if off_plain <= off_mirrored:
        return np.concatenate([[0.0], np.round(plain)])
    return np.concatenate([[1.0], np.round(mirrored)])


def _mirror(angles: Floats, half_turn: float, rotate_order: str) -> Floats:
    middle = axes_of(rotate_order)[1]
    result = angles + half_turn
    result[..., middle] = np.pi - angles[..., middle]
    return result


def _apply(angles: Floats, branch: Floats, rotate_order: str) -> Floats:
    base = _mirror(angles, np.pi, rotate_order) if branch[0] else angles
    return np.asarray(base + TURN * branch[1:])


def _undo(angles: Floats, branch: Floats, rotate_order: str) -> Floats:
    base = np.asarray(angles - TURN * branch[1:])
    return _mirror(base, -np.pi, rotate_order) if branch[0] else base
