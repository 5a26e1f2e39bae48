"""Faults of whole clips: inserted poses, frozen and repeated frames, swapped sides, missing frames.

They show in the steps that many joints take at once. Each fault explains the steps at its ends, so
that no later rule reports them again.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

import numpy as np

from ...base import Finding, plural
from ...base.records import NamedTuple
from ...geometry import (
    Booleans,
    Floats,
    Integers,
    angle_between,
    conjugate,
    multiply,
    quantiles,
    rotation_vector_from_quaternion,
)
from ..mirror import SIGNS, partners
from ..out_of_core import release
from .clip import EXACT, LEAST, STILL, Clip, angles, runs, shortest_freeze
from .joint_faults import JUMP, LONGEST_GLITCH, RETURN

AT_REST = np.radians(0.5)
"""Largest rotation, radians, from the rest pose of a joint that counts as in it."""
OUTSTANDING = 2.0
"""Such a step is, over all joints, this many times as large as nineteen in twenty."""
MANY, MOST = 0.4, 0.5
"""Shares of the moving joints. In motion no more than a third steps suddenly at once."""
FEWEST = 5
"""Fewest joints with a fault of the whole clip; the neighbours of one at fault make up for it."""
REPEATED_SECONDS = 0.5
"""Longest time after which frames are repeated."""
SWAPPED = 0.4
"""Swapping two joints makes their steps smaller by this factor where they were swapped."""
AT_ONCE = 1024
"""Steps looked at together."""
PAIRS = 2
"""Fewest pairs of joints that are swapped together."""


class Fault(NamedTuple):
    """A fault of the whole clip."""

    rule: str
    message: str
    first: int
    last: int
    steps: tuple[int, ...]
    """Steps explained by it, each the index of the frame before."""


def clip_faults(clip: Clip) -> tuple[list[Finding], set[int]]:
    """Findings about a whole clip, one of each rule, and the sudden steps that they explain."""
    known: list[Fault] = []
    for rule in (_inserted_poses, _standstills, _replays, _swaps, _glitches, _cuts):
        # A rule sees what those before it have found, and what it has found itself.
        for fault in rule(clip, known):
            known.append(fault)
    rules = dict.fromkeys(fault.rule for fault in known)
    return [_finding(clip, [f for f in known if f.rule == rule]) for rule in rules], _explained(
        known
    )


def _finding(clip: Clip, faults: Sequence[Fault]) -> Finding:
    """Finding about faults of one rule, in the words of the longest."""
    longest = max(faults, key=lambda fault: fault.last - fault.first)
    text = longest.message if len(faults) == 1 else f"{len(faults)} times: {longest.message}"
    chosen = clip.between(*((fault.first, fault.last) for fault in faults))
    return clip.finding(longest.rule, text, None, chosen)


def _explained(known: Sequence[Fault]) -> set[int]:
    return {step for fault in known for step in fault.steps}


def _unexplained(steps: Sequence[int], known: Sequence[Fault]) -> list[int]:
    """Steps left to explain."""
    explained = _explained(known)
    return [step for step in steps if step not in explained]


def _together(clip: Clip, kind: int, share: float) -> list[int]:
    """Steps that a share of the moving joints begins (0), ends (1), or both (2) at once."""
    least = max(share * len(clip.moving), FEWEST)
    return np.flatnonzero(clip.steps.together[kind] >= least).tolist()


# Inserted poses -----------------------------------------------------------------------------------


def _inserted_poses(clip: Clip, known: Sequence[Fault]) -> Iterator[Fault]:
    """Rest poses between two jumps of the whole body, or between one and an end of the clip."""
    last = clip.motion.frame_count - 1
    steps = clip.steps
    if not len(steps.total):
        return
    wide = (steps.largest > JUMP) & (steps.total > OUTSTANDING * quantiles(steps.total, 0.95))
    cuts = np.flatnonzero(wide).tolist()
    if not cuts:
        return
    joints = _turning(clip, cuts)
    enters: list[int] = []
    leaves: list[int] = []
    for cut in cuts:
        before, behind = _rests(clip, joints, cut), _rests(clip, joints, cut + 1)
        if before is not behind:
            (enters if behind else leaves).append(cut)
    for enter in (-1, *enters):
        leave = next((cut for cut in leaves if cut > enter), last)
        inside = np.arange(enter + 1, leave + 1)
        # A body that is back at rest soon has left the rest pose in a glitch.
        glitch = any(0 < cut - leave <= LONGEST_GLITCH for cut in enters) or any(
            0 < enter - cut <= LONGEST_GLITCH for cut in leaves
        )
        if len(inside) <= last and not glitch and _rests(clip, joints, inside):
            text = (
                f"{plural(len(inside), 'frame')} in the rest pose, cut off by a jump: not part of "
                "the motion"
            )
            yield Fault("inserted-pose", text, enter + 1, leave, (enter, leave))


def _turning(clip: Clip, cuts: Sequence[int]) -> Integers:
    """Joints below the root that turn elsewhere than in jumps: a rest pose moves fingers, too."""
    motion = clip.motion
    moves = (clip.spans.max(axis=1) > STILL) & (motion.skeleton.parents >= 0)
    for joint in np.flatnonzero(moves):
        turns = np.delete(np.diff(motion.rotations[joint], axis=1), cuts, axis=1)
        moves[joint] = np.abs(turns).max(initial=0.0) > EXACT
        release(motion.rotations[joint])
    return np.flatnonzero(moves)


def _rests(clip: Clip, moving: Integers, frames: int | Integers) -> bool:
    """Whether most moving joints are in their rest pose, or have all channels at zero."""
    motion, chosen, joints = clip.motion, np.atleast_1d(frames), moving[:, None]
    if not len(joints):
        return False
    turns = motion.rotations[joints, :, chosen]
    same = np.abs(np.sum(turns * motion.skeleton.rest_rotations[joints], axis=2))
    resting = same > np.cos(AT_REST / 2)
    if motion.rotates is not None:
        resting |= np.abs(motion.rotates[joints, :, chosen]).max(axis=2) < AT_REST
    return bool((resting.mean(axis=0) > MOST).all())


# Frozen and repeated frames -----------------------------------------------------------------------


def _standstills(clip: Clip, known: Sequence[Fault]) -> Iterator[Fault]:
    """Frames in which nothing moves, in a clip that moves."""
    same = clip.steps.largest < EXACT
    if same.all():
        return
    inserted = clip.between(*((fault.first, fault.last) for fault in known))
    shortest = shortest_freeze(clip.motion)
    for first, last in runs(same):
        count = last - first + 1
        if first == 0:
            if count > 2:
                text = f"the first {count} frames are identical"
                yield Fault("frozen-start", text, first, last, (last,))
        elif inserted[first + 1]:
            continue
        elif last - first >= shortest:
            text = f"{count} identical frames: nothing moves"
            yield Fault("frozen", text, first, last, (last,))
        else:
            text = f"{plural(last - first, 'frame')} repeated: the pose before is held"
            yield Fault("repeated-frames", text, first + 1, last, (last,))


def _replays(clip: Clip, known: Sequence[Fault]) -> Iterator[Fault]:
    """Frames that occur twice, the second time after a step back."""
    count, mark = clip.motion.frame_count, clip.steps.mark
    longest = min(int(REPEATED_SECONDS * clip.motion.frame_rate), count - 2)
    for lag in range(2, longest + 1):
        for start, stop in runs(np.abs(mark[lag:] - mark[:-lag]) < EXACT):
            first, last = start + lag, stop + lag - 1
            if last > first > 1 and _is_replay(clip, first, last, lag):
                text = f"{last - first + 1} frames repeat those {lag} frames before"
                yield Fault("repeated-frames", text, first, last, (first - 1, last))


def _is_replay(clip: Clip, first: int, last: int, lag: int) -> bool:
    """Whether moving frames are the same as before, and the first of them is a step back."""
    if (clip.steps.largest[first:last] < EXACT).any():
        return False
    q = clip.motion.rotations[:, :, first - lag : last + 1]
    if angles(q[:, :, lag:], q[:, :, :-lag]).max() > EXACT:
        return False
    behind, back = (
        rotation_vector_from_quaternion(multiply(conjugate(q[:, :, lag - k - 1]), q[:, :, lag - k]))
        for k in (1, 0)
    )
    # A cycle that repeats continues in its own direction.
    return float((behind * back).sum()) < 0.0


# Swapped sides ------------------------------------------------------------------------------------


def _swaps(clip: Clip, known: Sequence[Fault]) -> Iterator[Fault]:
    """Stretches in which joints of the left have the rotations of the right."""
    partner = partners(clip.motion.joint_names)
    left = np.flatnonzero(partner > np.arange(len(partner)))
    if len(left) < PAIRS:
        return
    sudden = np.flatnonzero(clip.steps.together[:2].max(axis=0) >= 2 * PAIRS).tolist()
    steps = np.array(_unexplained(sudden, known), dtype=np.int64)
    begun: dict[int, Booleans] = {}
    for step, pairs in _swapped_pairs(clip.motion.rotations, left, partner[left], steps):
        same = [start for start, others in begun.items() if (pairs & others).sum() >= PAIRS]
        if same:
            yield _swap(pairs | begun.pop(same[0]), same[0] + 1, step, (same[0], step))
        elif pairs.sum() >= PAIRS:
            begun[step] = pairs
    # They are swapped up to a step or behind it, whichever is shorter, unless frames are missing.
    last, cuts = clip.motion.frame_count - 1, _together(clip, 2, MANY)
    for start in begun.keys() - set(cuts):
        part = (0, start) if 2 * start < last else (start + 1, last)
        yield _swap(begun[start], *part, (start,))


def _swap(pairs: Booleans, first: int, last: int, steps: tuple[int, ...]) -> Fault:
    text = f"left and right are swapped in {int(pairs.sum())} pairs of joints"
    return Fault("swapped-sides", text, first, last, steps)


def _swapped_pairs(
    rotations: Floats, left: Integers, right: Integers, steps: Integers
) -> Iterator[tuple[int, Booleans]]:
    """Every step, and the pairs for which it is large, and small with changed places, (pairs,)."""
    # The other side's rotation as it is, or mirrored.
    maps = np.array([[*signs, 1] for signs in SIGNS])
    for some in np.split(steps, range(AT_ONCE, len(steps), AT_ONCE)):
        # Poses (steps, pairs, 4) of the left and the right, and of the right and the left.
        before, after = (
            np.array([rotations[side, :, at[:, None]] for side in (left, right)])
            for at in (some, some + 1)
        )
        straight = angle_between(before, after).sum(axis=0)
        ways = (angle_between(before[::-1] * way, after).sum(axis=0) for way in maps)
        crossed = functools.reduce(np.minimum, ways)
        swapped = (straight > LEAST) & (crossed < SWAPPED * straight)
        yield from zip(some.tolist(), swapped)


# Glitches and cuts --------------------------------------------------------------------------------


def _glitches(clip: Clip, known: Sequence[Fault]) -> Iterator[Fault]:
    """Most joints leave at once, and are back a few frames later."""
    backs = _unexplained(_together(clip, 1, MOST), known)
    done = 0
    for there in _unexplained(_together(clip, 0, MOST), known):
        if there <= done:
            continue
        near = (back for back in backs if there < back <= there + LONGEST_GLITCH)
        back = next((back for back in near if _returns(clip, there, back)), None)
        if back is not None:
            text = (
                f"most joints are in another pose for {plural(back - there, 'frame')}, then back "
                "where they were"
            )
            yield Fault("glitch", text, there + 1, back, (there, back))
            done = back


def _returns(clip: Clip, there: int, back: int) -> bool:
    pose, away, after = (
        clip.motion.rotations[clip.moving, :, frame] for frame in (there, there + 1, back + 1)
    )
    return bool(angle_between(pose, after).sum() < RETURN * angle_between(pose, away).sum())


def _cuts(clip: Clip, known: Sequence[Fault]) -> Iterator[Fault]:
    """Steps of many joints at once that nothing else explains."""
    for step in _unexplained(_together(clip, 2, MANY), known):
        # At an end of the clip there are no steps on one side to compare with.
        if 1 < step < clip.motion.frame_count - 3:
            joints = int(clip.steps.together[2, step])
            text = f"{joints} joints jump at once: frames are missing, or two clips were joined"
            yield Fault("dropped-frames", text, step, step + 1, (step,))
