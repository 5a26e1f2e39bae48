"""Euler branches: the choice among all Euler angles of the same rotation.

A rotation has two sets of Euler angles, each with any number of full turns. The second set mirrors
the middle channel of the order and then adds half a turn to every channel. All these changes
preserve distances, so a choice based on distances between angles does not depend on the branch of
the keys. Only one common branch for the whole clip remains to be chosen: the one nearest to zero.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .arrays import ArrayLike, Booleans, Floats, Integers
from .circle import spanned_interval
from .euler import MIN_FLIP_RAD, TURN, axes_of, other_euler, wrap_angle

HALF_TURN = 0.5 * TURN
TIE_TOLERANCE = 1e-9
"""Smaller differences, in radians or radians squared, count as rounding errors."""
UNIQUE_WIDTH = HALF_TURN - TIE_TOLERANCE
"""If three channel widths add up to less, any frame on another branch would widen a channel."""
MAX_NEARER_SHARE = 0.5
"""A step via another branch counts as intended if it is at most this share of the given step."""
BLOCK_FRAMES = 8192
"""Number of frames processed together, so that long clips need no more memory."""
MAX_ROUNDS = 8
"""Maximum number of updates to the middle of the ranges."""


class Branches(NamedTuple):
    """Branches relative to given angles, for the frames of one joint or for several joints."""

    mirrored: Booleans
    """Whether the second set of angles is used, shape (n,)."""
    half_turns: Floats
    """Number of half turns added to X, Y and Z after mirroring, shape (3, n)."""

    def __bool__(self) -> bool:
        return bool(self.mirrored.any() or self.half_turns.any())

    def apply(self, angles: Floats, middle: ArrayLike) -> Floats:
        """Angles (3, n) moved to these branches; bit-identical if no branch changes."""
        signs = middle_signs(self.mirrored, middle)
        return np.asarray(signs * angles + HALF_TURN * self.half_turns)

    def compose(self, later: Branches, middle: ArrayLike) -> Branches:
        """These branches followed by `later` ones (one or n), applied to the resulting angles."""
        signs = middle_signs(later.mirrored, middle)
        half_turns = signs * self.half_turns + later.half_turns
        return Branches(self.mirrored ^ later.mirrored, half_turns)

    def replace_where(self, chosen: Booleans, others: Branches) -> Branches:
        """These branches, replaced by others where `chosen`, shape (n,), is true."""
        return Branches(*(np.where(chosen, b, a) for a, b in zip(self, others)))

    def is_usual(self, channels: Booleans) -> Booleans:
        """Whether each frame is on the most frequent branch, shape (n,).

        `channels`, shape (3,): channels whose full turns count.
        """
        # One whole number per branch: np.unique sorts numbers far faster than rows.
        keys = self.mirrored.astype(np.int64)
        for half_turns in self.half_turns[channels]:
            keys = (keys << 18) + half_turns.astype(np.int64)
        _, which, counts = np.unique(keys, return_inverse=True, return_counts=True)
        return np.asarray(which == counts.argmax())


def middle_signs(mirrored: Booleans, middle: ArrayLike) -> Floats:
    """Factors, 1 or -1, that the second set applies to the channels, shape (3, n).

    `middle`: index of the middle channel of the rotate order, a single index or (n,).
    """
    is_middle = np.arange(3)[:, None] == np.asarray(middle)
    return np.where(is_middle & mirrored, -1.0, 1.0)


def both_sets(angles: Floats, target: Floats, middle: ArrayLike) -> tuple[Branches, Branches]:
    """Branches of both sets of angles (3, n), each with the turns nearest to a target."""
    no = np.zeros(angles.shape[1], dtype=bool)
    second = middle_signs(~no, middle) * angles + HALF_TURN
    turns, turns_of_second = _whole_turns(angles - target), _whole_turns(second - target)
    return Branches(no, 2.0 * turns), Branches(~no, 1.0 + 2.0 * turns_of_second)


def nearest_branches(angles: Floats, target: Floats, middle: ArrayLike) -> Branches:
    """Branches on which angles (3, n) are nearest to a target, (3, n) or (3, 1).

    If two branches are equally near, the branch with the nearer middle angle is chosen, then the
    branch with the larger outer angles. The given branch is not preferred.
    """
    if angles.shape[1] <= BLOCK_FRAMES or np.ndim(middle):
        return _nearest(angles, target, middle)
    starts = range(BLOCK_FRAMES, angles.shape[1], BLOCK_FRAMES)
    parts = np.split(np.broadcast_to(target, angles.shape), starts, axis=1)
    found = [_nearest(*pair, middle) for pair in zip(np.split(angles, starts, axis=1), parts)]
    return Branches(*(np.concatenate(parts, axis=-1) for parts in zip(*found)))


def _nearest(angles: Floats, target: Floats, middle: ArrayLike) -> Branches:
    sets = both_sets(angles, target, middle)
    first, second = (one.apply(angles, middle) - target for one in sets)
    gain = (first * first - second * second).sum(axis=0)
    if (np.abs(gain) <= TIE_TOLERANCE).any():
        is_middle = np.arange(3)[:, None] == np.asarray(middle)
        nearer = np.where(is_middle, np.abs(first) - np.abs(second), 0.0).sum(axis=0)
        larger = np.where(is_middle, 0.0, second - first) * [[4.0], [2.0], [1.0]]
        nearer = np.where(np.abs(nearer) > TIE_TOLERANCE, nearer, larger.sum(axis=0))
        gain = np.where(np.abs(gain) > TIE_TOLERANCE, gain, nearer)
    return sets[0].replace_where(gain > 0.0, sets[1])


def _whole_turns(beyond: Floats) -> Floats:
    """Turns to add to bring angles within half a turn; exactly half a turn stays positive."""
    return np.asarray(-np.ceil(beyond / TURN - 0.5 - TIE_TOLERANCE))


def continuous_branches(angles: Floats, middle: int) -> Branches:
    """Branches on which every frame is nearest to the frame before; the first frame stays put."""
    step = nearest_branches(angles[:, 1:], angles[:, :-1], middle)
    count = angles.shape[1]
    mirrored, half_turns = np.zeros(count, dtype=bool), np.zeros((3, count))
    np.logical_xor.accumulate(step.mirrored, out=mirrored[1:])
    # A step after mirroring adds its half turns to the mirrored middle channel.
    before = middle_signs(mirrored[:-1], middle)
    np.cumsum(before * step.half_turns, axis=1, out=half_turns[:, 1:])
    return Branches(mirrored, half_turns)


def zero_branches(low: Floats, high: Floats, middle: ArrayLike) -> Branches:
    """Branches on which the middles of ranges (3, n) are nearest to zero."""
    return nearest_branches(0.5 * (low + high), np.zeros((3, 1)), middle)


def one_branch(angles: Floats, rotate_order: str) -> Branches:
    """Branches that make a joint's clip continuous, with its ranges nearest to zero.

    `angles` has shape (3, frames): radians. Motion is followed from frame to frame. If it drifts,
    as near gimbal lock, every frame is instead moved as close as possible to the middle of the
    ranges. This is done if it makes the ranges narrower by at least a jump, or so narrow that no
    other branch can be right.
    """
    middle = axes_of(rotate_order)[1]
    found = Branches(np.zeros(angles.shape[1], dtype=bool), np.zeros(angles.shape))
    if _width(angles) >= UNIQUE_WIDTH:
        # From here on, nothing depends on the branches of the keys, even if two are equally near.
        found = nearest_branches(angles, np.zeros((3, 1)), middle)
        angles = found.apply(angles, middle)
        followed = continuous_branches(angles, middle).apply(angles, middle)
        followed_width, centre = _width(followed), np.median(followed, axis=1, keepdims=True)
        del followed  # large for a long clip
        paths = [_branches_around(angles, start, middle) for start in (angles[:, :1], centre)]
        first, second = (_width(one.apply(angles, middle)) for one in paths)
        better = second < first - TIE_TOLERANCE
        together, width = (paths[1], second) if better else (paths[0], first)
        narrow = width < UNIQUE_WIDTH or width < followed_width - MIN_FLIP_RAD - TIE_TOLERANCE
        contiguous = together if narrow else continuous_branches(angles, middle)
        found, angles = found.compose(contiguous, middle), contiguous.apply(angles, middle)
    span = spanned_interval(angles)
    return found.compose(zero_branches(span.low[:, None], span.high[:, None], middle), middle)


def _width(angles: Floats) -> float:
    """Sum of the widths of the three channels, each at most a turn."""
    return float(np.minimum(np.ptp(angles, axis=1), TURN).sum())


def _branches_around(angles: Floats, centre: Floats, middle: int) -> Branches:
    """Branches with each frame as close as possible to the middle of the ranges."""
    best = nearest_branches(angles, centre, middle)
    placed = best.apply(angles, middle)
    for _ in range(MAX_ROUNDS):
        centre = 0.5 * (placed.min(axis=1) + placed.max(axis=1))[:, None]
        found = nearest_branches(angles, centre, middle)
        nearer = found.apply(angles, middle)
        if _width(nearer) >= _width(placed) - TIE_TOLERANCE:
            break
        best, placed = found, nearer
    return best


def continuous_rotates(rotates: Floats, rotate_order: str) -> tuple[Floats, Booleans]:
    """Undo branch changes in one joint's clip where that narrows the ranges.

    `rotates` has shape (3, frames): rotateX, rotateY, rotateZ in radians. Returns channels of the
    same rotations and whether each frame was moved, shape (frames,). Frames on the most frequent
    branch are returned bit for bit; the other frames are moved to this branch.
    """
    frames, middle = rotates.shape[1], axes_of(rotate_order)[1]
    best, best_changed = rotates, np.zeros(frames, dtype=bool)
    jumps = np.flatnonzero((np.abs(np.diff(rotates, axis=1)) > MIN_FLIP_RAD).any(axis=0)) + 1
    if jumps.size == 0:
        return best, best_changed
    starts = np.concatenate([[0], jumps])
    lengths = np.diff(np.append(starts, frames))
    # Near gimbal lock, following the nearest set can drift away, so a continuous path is used only
    # if its ranges are also narrower.
    for mirrors in (False, True):
        pieces = _piece_branches(rotates, starts, middle, mirrors)
        _, which = np.unique(np.vstack(pieces), axis=1, return_inverse=True)
        which = which.reshape(-1)
        main = int((which == np.bincount(which, weights=lengths).argmax()).argmax())
        # Branches relative to the most frequent one.
        signs = middle_signs(pieces.mirrored[[main]], middle)
        half_turns = signs * (pieces.half_turns - pieces.half_turns[:, [main]])
        mirrored = np.repeat(pieces.mirrored ^ pieces.mirrored[main], lengths)
        every = Branches(mirrored, np.repeat(half_turns, lengths, axis=1))
        tried = every.apply(rotates, middle)
        if np.ptp(tried, axis=1).sum() < np.ptp(best, axis=1).sum() - MIN_FLIP_RAD:
            best, best_changed = tried, np.repeat(which != which[main], lengths)
    return best, best_changed


def _piece_branches(rotates: Floats, starts: Integers, middle: int, mirrors: bool) -> Branches:
    """Branch of each piece between jumps, relative to the branch of the first piece."""
    found = Branches(np.zeros(len(starts), dtype=bool), np.zeros((3, len(starts))))
    sets = [Branches(np.full(1, other), np.full((3, 1), float(other))) for other in (False, True)]
    for piece in range(1, len(starts)):
        before = Branches(found.mirrored[[piece - 1]], found.half_turns[:, [piece - 1]])
        last, here = rotates[:, starts[piece] + np.array([-1, 0])].T[..., None]
        target, stay = before.apply(last, middle), before.apply(here, middle)
        tried = []
        for one in sets if mirrors else (before,):
            turns = np.round((one.apply(here, middle) - target) / TURN)
            tried.append(one._replace(half_turns=one.half_turns - 2.0 * turns))
        off = [one.apply(here, middle) - target for one in tried]
        nearest = int(np.argmin([np.sum(apart**2) for apart in off]))
        gain = np.abs(stay - target).max() - np.abs(off[nearest]).max()
        mirrored, half_turns = tried[nearest] if gain > MIN_FLIP_RAD else before
        found.mirrored[piece], found.half_turns[:, piece] = mirrored[0], half_turns[:, 0]
    return found


def branch_changes(angles: ArrayLike, rotate_order: str = "xyz") -> Booleans:
    """Whether Euler angles, shape (times, 3), change branch at each step, (times - 1,)."""
    angles = np.asarray(angles, dtype=np.float64)
    before, after = angles[:-1], angles[1:]
    stay = np.abs(wrap_angle(after - before)).sum(axis=1)
    other = np.abs(wrap_angle(other_euler(after, rotate_order) - before)).sum(axis=1)
    return np.asarray(other < MAX_NEARER_SHARE * stay)


def mixes_branches(angles: ArrayLike, rotate_order: str = "xyz") -> bool:
    """Whether Euler angles, shape (times, 3), jump to another branch or turn."""
    steps = np.diff(np.asarray(angles, dtype=np.float64), axis=0)
    jumps = np.abs(wrap_angle(steps)) <= MAX_NEARER_SHARE * np.abs(steps)
    return bool((jumps & (steps != 0.0)).any() or branch_changes(angles, rotate_order).any())
