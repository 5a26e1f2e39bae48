"""Screening of clips for suspicious frames, in single joints and in whole clips."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import fields, replace
from typing import NamedTuple

import numpy as np

from ...base.errors import EstimationError
from ...base.findings import UNEXPLAINED, Finding
from ...base.progress import Progress, report_progress
from ...base.text import plural
from ...geometry import quaternion
from ...geometry.arrays import Booleans, Floats, Integers, frame_ranges, quantiles, runs
from ...geometry.euler import CHANNELS, MIN_FLIP_RAD, axes_of, gimbal_margin, nearest_euler
from ..joint_names import body_ends
from ..mirror import SIGNS, partners
from ..motion import STILL_RAD, Motion
from ..skeleton import Declaration
from .clip import (
    MAX_EQUAL_RAD,
    MIN_STEP_RAD,
    Clip,
    angles,
    choose_branches,
    shortest_freeze,
    steps_of,
)
from .joint_faults import MAX_GLITCH_FRAMES, MAX_MISS_SHARE, MIN_JUMP_RAD, joint_faults
from .screened import CLIP_FAULTS, JOINT_FAULTS, LeftOut, Screened

AT_REST_RAD = np.radians(0.5)
"""A joint counts as resting if it is rotated from its rest pose by no more than this, radians."""
MIN_OUTSTANDING_FACTOR = 2.0
"""Minimum ratio of an outstanding step, summed over all joints, to the 95th percentile of steps."""
MANY_SHARE, MOST_SHARE = 0.4, 0.5
"""Shares of the moving joints; in real motion, at most a third of them step suddenly at once."""
MIN_JOINTS = 5
"""Minimum number of joints in a fault of the whole clip, as one joint's fault moves neighbours."""
REPEATED_SECONDS = 0.5
"""Maximum time between frames and their repetition."""
MAX_SWAPPED_FACTOR = 0.4
"""Two joints count as swapped if swapping them back reduces their steps to this share or less."""
BLOCK_FRAMES = 1024
"""Steps or frames processed together."""
MIN_PAIRS = 2
"""Minimum number of joint pairs of one limb that must be swapped together."""


class Fault(NamedTuple):
    """A fault that affects the whole body, or many joints."""

    rule: str
    message: str
    first: int
    last: int
    steps: tuple[int, ...]
    """Steps that the fault explains, each given by the index of the frame before it."""
    joints: tuple[int, ...] = ()
    """Joints at fault; empty for the whole body."""


def clip_faults(clip: Clip) -> tuple[list[Finding], set[int]]:
    """Findings about a whole clip, one per rule and joint, and the steps that they explain."""
    known: list[Fault] = []
    if clip.is_keyed:
        return [], set()
    for rule in (_inserted_poses, _standstills, _replays, _swaps, _glitches, _cuts):
        # A rule sees the faults found so far, including its own.
        for fault in rule(clip, known):
            known.append(fault)
    alike: dict[tuple[str, int | None], list[Fault]] = {}
    for fault in known:
        for joint in fault.joints or (None,):
            alike.setdefault((fault.rule, joint), []).append(fault)
    found = []
    for (name, joint), faults in alike.items():
        longest = max(faults, key=lambda fault: fault.last - fault.first)
        times = f"{len(faults)} times: " if len(faults) > 1 else ""
        chosen = clip.frames_between(*((fault.first, fault.last) for fault in faults))
        found.append(clip.finding(name, times + longest.message, joint, chosen))
    return found, {step for fault in known for step in fault.steps}


def _unexplained_steps(steps: Sequence[int], known: Sequence[Fault]) -> list[int]:
    """Steps that no known fault explains."""
    explained = {step for fault in known for step in fault.steps}
    return [step for step in steps if step not in explained]


def _shared_steps(clip: Clip, kind: int, share: float) -> list[int]:
    """Steps that start (0), end (1) or both start and end (2) suddenly in many moving joints."""
    least = max(share * len(clip.moving_joints), MIN_JOINTS)
    return np.flatnonzero(clip.steps.together[kind] >= least).tolist()


# Inserted poses -----------------------------------------------------------------------------------


def _inserted_poses(clip: Clip, known: Sequence[Fault]) -> Iterator[Fault]:
    """Still poses between two jumps of the whole body, or between a jump and an end of the clip.

    Such a pose is a rest pose, or the only pose that the clip holds.
    """
    motion, steps, last = clip.motion, clip.steps, clip.motion.frame_count - 1
    shortest = shortest_freeze(motion)
    if not last:
        return
    outstanding = steps.total > MIN_OUTSTANDING_FACTOR * quantiles(steps.total, 0.95)
    cuts = np.flatnonzero((steps.largest > MIN_JUMP_RAD) & outstanding).tolist()
    if not cuts:
        return
    # Joints below the root that also turn outside jumps: a jump to rest also moves fingers.
    widest = (clip.span.high - clip.span.low).max(axis=1)
    moves = (widest > STILL_RAD) & (motion.skeleton.parents >= 0)
    for joint in np.flatnonzero(moves):
        turns = np.delete(np.diff(motion.rotations[joint], axis=1), cuts, axis=1)
        moves[joint] = np.abs(turns).max(initial=0.0) > MAX_EQUAL_RAD
    joints = np.flatnonzero(moves)
    holds = [run for run in runs(steps.largest < MAX_EQUAL_RAD) if np.ptp(run) >= shortest]
    shared = {*_shared_steps(clip, 2, MANY_SHARE)}
    only = holds if len(holds) == 1 and shared & {holds[0][0] - 1, holds[0][1]} else []
    held = clip.frames_between(*only)

    def is_posed(frames: int | Integers) -> bool:
        return bool(held[frames].all()) or _rests(clip, joints, frames)

    sides = [(cut, is_posed(cut), is_posed(cut + 1)) for cut in cuts]
    enters = [cut for cut, before, after in sides if after and not before]
    leaves = [cut for cut, before, after in sides if before and not after]
    for enter in (-1, *enters):
        leave = next((cut for cut in leaves if cut > enter), last)
        inside = np.arange(enter + 1, leave + 1)
        # A body that is soon at rest again left the rest pose only in a glitch.
        away = [cut - leave for cut in enters] + [enter - cut for cut in leaves]
        glitch = any(0 < frames <= MAX_GLITCH_FRAMES for frames in away)
        if len(inside) <= last and not glitch and is_posed(inside):
            pose = "the rest pose" if _rests(clip, joints, inside) else "one pose"
            text = f"{plural(len(inside), 'frame')} in {pose}, cut off by a jump"
            yield Fault("inserted-pose", text, enter + 1, leave, (enter, leave))


def _rests(clip: Clip, moving: Integers, frames: int | Integers) -> bool:
    """Whether most moving joints are in their rest pose, or have all channels at zero."""
    motion, chosen, joints = clip.motion, np.atleast_1d(frames), moving[:, None]
    if not len(joints):
        return False
    skeleton, turns = motion.skeleton, motion.rotations[joints, :, chosen]
    poses = [skeleton.rest_rotations]
    if motion.rotates is not None:
        poses.append(quaternion.multiply(skeleton.joint_orients, skeleton.rotate_axes))
    same = [np.abs(np.sum(turns * pose[joints], axis=2)) for pose in poses]
    resting = np.max(same, axis=0) > np.cos(AT_REST_RAD / 2)
    return bool((resting.mean(axis=0) > MOST_SHARE).all())


# Frozen and repeated frames -----------------------------------------------------------------------


def _standstills(clip: Clip, known: Sequence[Fault]) -> Iterator[Fault]:
    """Frames in which nothing moves, in a clip that moves."""
    same = clip.steps.largest < MAX_EQUAL_RAD
    if same.all():
        return
    inserted = clip.frames_between(*((fault.first, fault.last) for fault in known))
    shortest = shortest_freeze(clip.motion)
    for first, last in runs(same):
        if first == 0:
            if last > 1:
                text = f"the first {last + 1} frames are identical"
                yield Fault("frozen-start", text, first, last, (last,))
            continue
        # The first frame in the held pose belongs to the motion.
        if not inserted[first + 1]:
            rule = "frozen" if last - first >= shortest else "repeated-frames"
            text = f"nothing moves for {plural(last - first, 'frame')}"
            yield Fault(rule, text, first + 1, last, (last,))


def _replays(clip: Clip, known: Sequence[Fault]) -> Iterator[Fault]:
    """Frames that occur twice, the second time after a jump back."""
    count, mark = clip.motion.frame_count, clip.steps.mark
    longest = min(int(REPEATED_SECONDS * clip.motion.frame_rate), count - 2)
    for lag in range(2, longest + 1):
        for start, stop in runs(np.abs(mark[lag:] - mark[:-lag]) < MAX_EQUAL_RAD):
            first, last = start + lag, stop + lag - 1
            if last > first > 1 and _is_replay(clip, first, last, lag):
                text = f"{last - first + 1} frames repeat what came {lag} frames earlier"
                yield Fault("repeated-frames", text, first, last, (first - 1, last))


def _is_replay(clip: Clip, first: int, last: int, lag: int) -> bool:
    """Whether moving frames repeat earlier ones, beginning with a jump back."""
    if (clip.steps.largest[first:last] < MAX_EQUAL_RAD).any():
        return False
    q = clip.motion.rotations[:, :, first - lag : last + 1]
    if angles(q[:, :, lag:], q[:, :, :-lag]).max() > MAX_EQUAL_RAD:
        return False
    behind, back = (
        quaternion.rotation_vector_from_quaternion(
            quaternion.multiply(quaternion.conjugate(q[:, :, lag - k - 1]), q[:, :, lag - k])
        )
        for k in (1, 0)
    )
    # A cycle that repeats continues in the same direction.
    return float((behind * back).sum()) < 0.0


# Swapped sides ------------------------------------------------------------------------------------


def _swaps(clip: Clip, known: Sequence[Fault]) -> Iterator[Fault]:
    """Stretches in which the left arm or leg has the rotations of the right one."""
    skeleton, last = clip.motion.skeleton, clip.motion.frame_count - 1
    partner, ends = partners(clip.motion.joint_names), body_ends(skeleton)
    sudden = np.flatnonzero(clip.steps.together[:2].max(axis=0) >= 2 * MIN_PAIRS).tolist()
    steps = np.array(_unexplained_steps(sudden, known), dtype=np.int64)
    cuts = _shared_steps(clip, 2, MANY_SHARE)
    paired = np.flatnonzero(partner >= 0).tolist()
    for end, limb in (("left foot", "leg"), ("left hand", "arm")):
        left = [joint for joint in skeleton.ancestors(ends.get(end, 0)) if joint in paired]
        found = list(_swapped_steps(clip.motion.rotations, np.array(left), partner[left], steps))
        text = f"has the rotations of the other {limb}"
        limbs = [joint for joint in paired if set(left) & set(skeleton.ancestors(joint))]
        both = (*limbs, *partner[limbs].tolist())
        for start, stop in zip(found[::2], found[1::2]):
            yield Fault("swapped-sides", text, start + 1, stop, (start, stop), both)
        # Without a second step, the shorter part is swapped, unless frames are missing.
        for start in found[len(found) // 2 * 2 :]:
            if start not in cuts:
                part = (0, start) if 2 * start < last else (start + 1, last)
                yield Fault("swapped-sides", text, *part, (start,), both)


def _swapped_steps(
    rotations: Floats, left: Integers, right: Integers, steps: Integers
) -> Iterator[int]:
    """Steps at which most joints of a limb jump unless left and right are swapped."""
    if len(left) < MIN_PAIRS:
        return
    # The other side's rotation, unchanged or mirrored.
    maps = np.array([[*signs, 1] for signs in SIGNS])
    for some in np.split(steps, range(BLOCK_FRAMES, len(steps), BLOCK_FRAMES)):
        # Poses of both sides, (2, steps, pairs, 4).
        before, after = (
            np.array([rotations[side, :, at[:, None]] for side in (left, right)])
            for at in (some, some + 1)
        )
        straight = quaternion.angle_between(before, after).sum(axis=0)
        ways = [quaternion.angle_between(before[::-1] * way, after).sum(axis=0) for way in maps]
        jumping = straight > MIN_STEP_RAD
        swapped = jumping & (np.min(ways, axis=0) < MAX_SWAPPED_FACTOR * straight)
        least = np.maximum(MIN_PAIRS, MOST_SHARE * jumping.sum(axis=1))
        yield from some[swapped.sum(axis=1) >= least].tolist()


# Glitches and cuts --------------------------------------------------------------------------------


def _glitches(clip: Clip, known: Sequence[Fault]) -> Iterator[Fault]:
    """Frames to which most joints jump at once, to jump back a few frames later."""
    backs = _unexplained_steps(_shared_steps(clip, 1, MOST_SHARE), known)
    done = 0
    for there in _unexplained_steps(_shared_steps(clip, 0, MOST_SHARE), known):
        if there <= done:
            continue
        start, *others = np.moveaxis(
            clip.motion.rotations[clip.moving_joints, :, there : there + MAX_GLITCH_FRAMES + 2],
            2,
            0,
        )
        off = [quaternion.angle_between(start, pose).sum() for pose in others]
        near = (back for back in backs if there < back <= there + MAX_GLITCH_FRAMES)
        back = next((one for one in near if off[one - there] < MAX_MISS_SHARE * off[0]), None)
        if back is not None:
            text = f"most joints jump, and jump back after {plural(back - there, 'frame')}"
            yield Fault("glitch", text, there + 1, back, (there, back))
            done = back


def _cuts(clip: Clip, known: Sequence[Fault]) -> Iterator[Fault]:
    """Steps of many joints at once that no other fault explains."""
    for step in _unexplained_steps(_shared_steps(clip, 2, MANY_SHARE), known):
        # At an end of the clip there are no steps on one side to compare with.
        if 1 < step < clip.motion.frame_count - 3:
            joints = int(clip.steps.together[2, step])
            text = f"{joints} joints jump at once: missing frames or joined clips?"
            yield Fault("dropped-frames", text, step, step + 1, (step,))


LEFT_OUT_BY_DEFAULT = ("non-finite", "inserted-pose", "spike", "glitch")

GIMBAL_RAD = np.radians(5.0)
MIN_SAMPLES = 6
"""Minimum number of frames for a range; the paper requires 4 to 6 (section 3)."""


def screen(
    motion: Motion,
    skip_rules: Collection[str] = (),
    leave_out: Collection[str] = LEFT_OUT_BY_DEFAULT,
    progress: Progress | None = None,
    excluded: Booleans | None = None,
) -> Screened:
    """Screen a clip.

    `skip_rules`: names of :data:`RULES` to turn off, except "non-finite". `leave_out`: names of
    :data:`RULES` whose frames are excluded. Non-finite frames are always excluded, since nothing
    can be computed from them. `excluded`: frames that the user leaves out, (joints, frames); they
    take part in screening, so that leaving them out changes nothing that is found elsewhere. Raises
    EstimationError if no usable frame remains.
    """
    if excluded is None:
        excluded = np.zeros((len(motion.skeleton), motion.frame_count), dtype=bool)
    report_progress(progress, 0, len(_CHANNEL_RULES), f"screening {motion.name}")
    is_broken = ~np.isfinite(motion.rotations).all(axis=(0, 1))
    if is_broken.all():
        raise EstimationError(f"clip {motion.name!r} has no frame with finite rotations")
    broken: list[Finding] = []
    if is_broken.any():
        text = f"{plural(int(is_broken.sum()), 'frame')} with non-finite values"
        ranges = frame_ranges(motion.frames, is_broken)
        broken = [Finding("non-finite", text, None, motion.name, ranges, left_out=True)]
        motion, excluded = motion.keep_frames(np.flatnonzero(~is_broken)), excluded[:, ~is_broken]
    on_one_branch = "euler-flip" not in skip_rules
    clip = Clip(motion, *choose_branches(motion, on_one_branch), steps_of(motion))
    on_clip, explained = clip_faults(clip)
    every = [*on_clip, *joint_faults(clip, explained.union(clip.gaps))]
    for number, rule in enumerate(_CHANNEL_RULES.values()):
        report_progress(progress, number, len(_CHANNEL_RULES), f"screening {motion.name}")
        every += rule(clip)
    found = [
        replace(finding, left_out=finding.left_out and finding.rule in leave_out)
        for finding in every
        if finding.rule not in skip_rules
    ]
    lost = LeftOut(clip, found, excluded)
    rest = [item for one in found if (item := lost.without_excluded(one)) is not None]
    findings = (*motion.findings, *broken, *map(lost.with_limits, rest))
    main = lost.remove_frames(lost.whole, on_one_branch)
    return main._replace(findings=findings, apart=lost.clips_of_joints(on_one_branch))


class Screenings:
    """Cache of screened clips, for steps that screen alike: each clip is screened only once."""

    def __init__(self) -> None:
        self._held: dict[tuple[object, ...], tuple[Motion, Screened]] = {}

    def screen(
        self,
        motion: Motion,
        leave_out: Collection[str],
        excluded: Booleans,
        progress: Progress | None = None,
    ) -> Screened:
        """Result of :func:`screen`, reused for clips that differ only in their findings."""
        own = [id(getattr(motion, item.name)) for item in fields(Motion) if item.name != "findings"]
        key = (*own, tuple(leave_out), np.flatnonzero(excluded).tobytes())
        if key not in self._held:
            # The clip is kept too, so that no other object can get the ids of its fields.
            found = screen(motion, leave_out=leave_out, progress=progress, excluded=excluded)
            self._held[key] = motion, found
        return self._held[key][1]


def _euler_flips(clip: Clip) -> Iterator[Finding]:
    """Keys on a different Euler branch from most keys of the joint."""
    if clip.motion.rotates is None:
        return
    for joint, changed in clip.changed.items():
        keys, at = clip.motion.rotates[joint].T, np.flatnonzero(np.diff(changed))
        order = clip.motion.skeleton.rotate_orders[joint]
        near = nearest_euler(keys[at + 1], keys[at], order)
        if not (np.abs(near - keys[at + 1]) > MIN_FLIP_RAD).any():  # passed through gimbal lock
            continue
        text = f"{plural(int(changed.sum()), 'frame')} keyed on another Euler branch: filter keys"
        yield clip.finding("euler-flip", text, int(joint), changed)


def _gimbal(clip: Clip) -> Iterator[Finding]:
    """Frames near gimbal lock, where two channels share an axis."""
    orders = clip.motion.skeleton.rotate_orders
    middle = np.arange(len(orders)), [axes_of(order)[1] for order in orders]
    reach = np.maximum(clip.span.high[middle], -clip.span.low[middle])
    for joint in np.flatnonzero(reach > 0.5 * np.pi - GIMBAL_RAD):
        order = orders[joint]
        near = gimbal_margin(clip.rotates[joint].T, order) < GIMBAL_RAD
        if near.any():
            text = (
                f"{plural(int(near.sum()), 'frame')} within {np.degrees(GIMBAL_RAD):.0f} degrees "
                f"of gimbal lock in rotate order {order}: the outer channels are ill-defined there"
            )
            yield clip.finding("gimbal", text, int(joint), near)


def _never_moves(clip: Clip) -> Iterator[Finding]:
    """Joints that do not move."""
    motion, none = clip.motion, np.zeros(clip.motion.frame_count, dtype=bool)
    turned = {item.joint for item in motion.findings if item.rule in UNEXPLAINED}
    for joint in np.flatnonzero(~(clip.steps.moving | clip.turning.any(axis=1))):
        name = motion.joint_names[joint]
        if name not in turned:
            is_animated = motion.animated is None or name in motion.animated
            verb = "does not move" if is_animated else "not animated"
            yield clip.finding("never-moves", f"{verb} in this clip", int(joint), none)


def _too_few_samples(clip: Clip) -> Iterator[Finding]:
    """Too few frames for a range."""
    count = clip.motion.frame_count
    if count < MIN_SAMPLES:
        text = f"only {plural(count, 'frame')}; a meaningful range needs at least {MIN_SAMPLES}"
        yield clip.finding("too-few-samples", text, None, np.zeros(count, dtype=bool))


def _clamped_source(clip: Clip) -> Iterator[Finding]:
    """Samples that lie exactly on declared limits, suspiciously often."""
    enough = max(3, clip.motion.frame_count // 100)
    # Limits clamp the keyed values, on any branch.
    keyed = clip.rotates if clip.motion.rotates is None else clip.motion.rotates
    for joint, name in enumerate(clip.motion.joint_names):
        declared = clip.motion.skeleton.declarations.get(name, Declaration())
        for channel, bounds in declared.limits_deg.items():
            values = np.degrees(keyed[joint, CHANNELS.index(channel)])
            low, high = values.min() - 1e-4, values.max() + 1e-4
            for bound in (end for end in bounds if end is not None and low < end < high):
                piled = np.abs(values - bound) < 1e-4
                if enough <= piled.sum() < len(values):
                    text = (
                        f"{int(piled.sum())} frames of {channel} are exactly on the existing limit "
                        f"{bound:g}: the source may have been clamped"
                    )
                    yield clip.finding("clamped-source", text, joint, piled)


_CHANNEL_RULES: dict[str, Callable[[Clip], Iterator[Finding]]] = {
    "euler-flip": _euler_flips,
    "gimbal": _gimbal,
    "never-moves": _never_moves,
    "too-few-samples": _too_few_samples,
    "clamped-source": _clamped_source,
}

RULES = ("non-finite", *CLIP_FAULTS, *JOINT_FAULTS, *_CHANNEL_RULES)
