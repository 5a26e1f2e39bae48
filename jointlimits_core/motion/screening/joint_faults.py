"""Faults in single joints: glitches, half turns, slipped zeros, and freezes.

A glitch begins and ends with a sudden step, and after it the motion continues where it would have
been. Each joint is compared with its own motion: a toe that flicks at every step, or a hand with
noisy markers, makes such steps all the time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, product
from typing import NamedTuple

import numpy as np

from ...base.findings import Finding
from ...base.text import plural
from ...geometry import quaternion
from ...geometry.arrays import Floats, Integers
from ..motion import STILL_RAD
from .clip import MAX_EQUAL_RAD, MIN_FAST_RAD, MIN_SLIP_RAD, Clip, angles, jumps, neighbouring_steps

MAX_GLITCH_FRAMES = 10
"""Maximum length of a glitch whose frames may be left out."""
FLIPPED_SECONDS = 1.0
"""Maximum time between a jump of half a turn and the jump back."""
MAX_MISS_SHARE = 0.5
"""Maximum distance from the expected pose after a glitch, as a share of its smaller step."""
MAX_AWAY_SHARE = 1.0 / 3.0
"""Largest distance from the pose before a jump after a slow return, as a share of the jump."""
MIN_OUTSTANDING_FACTOR = 1.5
"""Minimum ratio of a fault's step to any other step of its joint."""
EXEMPT_COUNT = 2
"""Number of a joint's largest steps that are ignored, as they may be other glitches."""
MIN_JUMP_RAD = np.radians(15.0)
"""Smallest step of a glitch."""
MAX_TRIED_JUMPS = 12
"""Number of jumps per joint that are examined as possible slips of its zero, largest first."""
MIN_UNLIKE_FACTOR, MAX_UNLIKE_UNEVEN_SHARE = 2.5, 0.35
"""In less smooth motion, a jump may be a slip if it is this many times as large as any other of its
joint, and the jumps beside it are at most this share of it."""
STAY_SECONDS, MIN_STAY_FRAMES = 0.05, 4
"""Minimum time, and frames, on each side of a slip in which the joint must move smoothly: a toe
that has struck the ground wavers or comes to rest in that time."""
MAX_UNEVEN_SHARE, MAX_KINK_SHARE, MAX_CHANGE_SHARE = 0.2, 0.25, 0.45
"""Maxima, as shares of the slip: jump in that time, difference between the steps just before and
after the slip, and (unless it is outstanding) between the turns before and after it."""
MIN_NEW_SHARE = 0.25
"""Minimum distance of a new pose from every other, as a share of the glitch's smaller step."""
MAX_JUMPING_JOINTS = 3
"""Maximum number of joints that jump because of one faulty joint: its neighbours compensate."""
MAX_RARE_STEPS = 3
"""Maximum number of sudden steps of each of them; toes, for example, flick at every step."""
MAX_DEG_PER_SECOND = 3000.0
"""Speed that hardly any joint except a pitcher's shoulder reaches. The limit for one step is at
least :data:`MIN_FAST_RAD` at a high frame rate, and at most twice that at a low frame rate."""
MIN_HOLDS = 3
"""A joint with at least this many stretches without motion holds keyed poses. If most joints do,
the clip is keyed, and the stretches are not freezes."""
MIN_MOVING_ON_RAD = np.radians(0.1)
"""Smallest step just before or after a freeze that shows that it interrupts motion."""
BUMP_SECONDS = 0.125
"""Time from the middle of a bump to either end of the motion that it interrupts; people rarely move
out and back within twice this time and, if they do, they do so more than once in a clip."""
MIN_BUMP_FACTOR = 1.5
"""Minimum ratio of a bump to the joint's other departures from its path."""
MIN_BUMP_RAD = np.radians(25.0)
"""Minimum distance of a bump's pose from the joint's path and from all other poses of the joint: in
captures, quick motion that is not a fault stays within 24 degrees of another pose."""
MAX_BUMP_EDGE_SHARE = 0.15
"""Share of its largest distance from the path at which a bump begins and ends."""

Pair = tuple[int, int]
"""First and last frame."""


def joint_faults(clip: Clip, explained: Collection[int]) -> Iterator[Finding]:
    """Findings about single joints. `explained`: steps that faults of the whole clip explain."""
    if clip.is_keyed:
        return
    sudden = clip.steps.sudden
    kept = np.array([at not in explained for at in sudden.at.tolist()], dtype=bool)
    rare = np.bincount(sudden.joints)[sudden.joints] <= MAX_RARE_STEPS
    crowd = np.bincount(sudden.at[kept & rare], minlength=clip.motion.frame_count)
    frozen, bumps = _frozen_stretches(clip), _lone_bumps(clip)
    sudden_joints, uneven = sudden.joints[kept].tolist(), clip.steps.uneven.tolist()
    for joint in sorted({*sudden_joints, *uneven, *frozen, *bumps}):
        stretches = frozen.get(joint, [])
        known = {*explained, *(last for _, last in stretches)}
        if stretches:
            chosen = clip.frames_between(*stretches)
            text = f"is frozen for {plural(int(chosen.sum()), 'frame')} while other joints move"
            yield clip.finding("frozen", text, joint, chosen)
        yield from _Track(clip, joint, known, crowd).findings(bumps.get(joint))


def _frozen_stretches(clip: Clip) -> dict[int, list[Pair]]:
    """Stretches in which a joint freezes while others move, by joint."""
    found: dict[int, list[Pair]] = {}
    holds = np.bincount(np.array([joint for joint, *_ in clip.steps.frozen], dtype=np.int64))
    if (holds >= MIN_HOLDS).sum() > 0.5 * len(clip.moving_joints):
        return found
    still, sudden = clip.steps.largest < MAX_EQUAL_RAD, clip.steps.sudden
    begins, ends = (
        set(zip(sudden.joints[kind].tolist(), sudden.at[kind].tolist()))
        for kind in (sudden.begins, sudden.ends)
    )
    for joint, first, last in clip.steps.frozen:
        # A joint that jumps into a pose and out again was posed there.
        put = (joint, first - 1) in begins and (joint, last) in ends
        if still[first:last].any() or put:
            continue
        # A joint whose channels are all at an end of their range rests there, unless it jumps away.
        low, high, values = clip.span.low[joint], clip.span.high[joint], clip.rotates[joint]
        room = np.minimum(values[:, first] - low, high - values[:, first])[high - low > STILL_RAD]
        if (room < STILL_RAD).all() and (joint, last) not in ends:
            continue
        # The freeze interrupts motion if the joint moves right before or right after it.
        beside = [step for step in (first - 1, last) if 0 <= step < clip.motion.frame_count - 1]
        q = clip.motion.rotations[joint]
        if any(quaternion.angle_between(q[:, s], q[:, s + 1]) > MIN_MOVING_ON_RAD for s in beside):
            # The first frame in the held pose belongs to the motion, unless the joint jumps there.
            start = first if (joint, first - 1) in begins else first + 1
            found.setdefault(joint, []).append((start, last))
    return found


def departures(rotations: Floats, frame_rate: float) -> Floats:
    """Distance of each pose from the path between the poses a little earlier and later, radians.

    The path runs straight, or as a cubic through both poses with the motion's velocity there
    (Hermite), whichever is nearer. `rotations`, (4, frames); the result is (frames,), 0 at both
    ends.
    """
    half, frames = max(round(BUMP_SECONDS * frame_rate), 2), rotations.shape[1]
    some = max(half // 3, 1)
    found, margin = np.zeros(frames), half + some
    if frames > 2 * margin:
        q = quaternion.sign_coherent(rotations.T).T
        before, start, middle, end, after = (
            q[:, k : frames - 2 * margin + k] for k in (0, some, margin, margin + half, 2 * margin)
        )
        straight = middle - 0.5 * (start + end)
        curve = 0.25 * half / some * ((start - before) - (after - end))
        away = [np.linalg.norm(one, axis=0) for one in (straight, straight - curve)]
        found[margin:-margin] = 4.0 * np.arcsin(np.minimum(0.5 * np.min(away, axis=0), 1.0))
    return found


class _Bump(NamedTuple):
    """Frames in which a joint leaves its path and returns; both ends are steps."""

    there: int
    back: int
    size: float
    """Distance from the path, radians."""


def _lone_bumps(clip: Clip) -> dict[int, _Bump]:
    """Bumps by joint; those of more than three joints at the same time are motion of the body."""
    half = max(round(BUMP_SECONDS * clip.motion.frame_rate), 2)
    found: dict[int, _Bump] = {}
    for joint in clip.moving_joints.tolist():
        q = clip.motion.rotations[joint]
        away = departures(q, clip.motion.frame_rate)
        at, last = int(away.argmax()), len(away) - 1
        near = np.arange(max(at - 2 * half, 0), min(at + 2 * half, last) + 1)
        usual = np.delete(away, near).max(initial=0.0)
        if away[at] < max(MIN_BUMP_RAD, MIN_BUMP_FACTOR * usual):
            continue
        inside = np.arange(at - half, at + half + 1)
        if angles(q[:, at, None], np.delete(q, inside, axis=1)).min(initial=np.pi) < MIN_BUMP_RAD:
            continue
        bump = quaternion.sign_coherent(q[:, inside].T)
        path = np.linspace(bump[0], bump[-1], len(bump))
        off = np.linalg.norm(bump - path, axis=1)
        small = np.flatnonzero(off < MAX_BUMP_EDGE_SHARE * off.max())
        there, back = small[small < half].max(), small[small > half].min() - 1
        found[joint] = _Bump(at - half + int(there), at - half + int(back), float(away[at]))
    ends = np.array([bump[:2] for bump in found.values()]).reshape(-1, 2)
    return {
        joint: bump
        for joint, bump in found.items()
        if ((ends[:, 0] <= bump.back) & (ends[:, 1] >= bump.there)).sum() <= MAX_JUMPING_JOINTS
    }


class _Track:
    """Rotations and sudden steps of one joint."""

    def __init__(self, clip: Clip, joint: int, known: Collection[int], crowd: Integers) -> None:
        sudden = clip.steps.sudden
        own = sudden.joints == joint
        own[own] = [at not in known for at in sudden.at[own].tolist()]
        at, begins, ends = sudden.at[own], sudden.begins[own], sudden.ends[own]
        self.clip, self.joint, self.crowd, self.known = clip, joint, crowd, known
        self.at, self.begins, self.ends = at.tolist(), at[begins].tolist(), at[ends].tolist()
        self.rotations = clip.motion.rotations[joint]
        self.steps = angles(self.rotations[:, :-1], self.rotations[:, 1:])
        self.few = max(int(np.ceil(STAY_SECONDS * clip.motion.frame_rate)), MIN_STAY_FRAMES)
        fast = np.radians(MAX_DEG_PER_SECOND) / clip.motion.frame_rate
        self.fast = float(np.clip(fast, MIN_FAST_RAD, 2.0 * MIN_FAST_RAD))
        self.ordinary = self.steps < self.fast
        self.ordinary[[step for step in known if 0 <= step < len(self.steps)]] = False

    def findings(self, bump: _Bump | None) -> Iterator[Finding]:
        """Findings of the joint, one per kind of fault."""
        returns = list(self._returns())
        glitches = [pair for pair in returns if self._stands_out(*pair)]
        reported = {step for pair in glitches for step in pair}
        fast = [s for s in self.at if s not in reported and self.steps[s] >= self.fast]
        taken = {step for pair in returns for step in pair} | set(fast)
        alone = set(self.begins) & set(self.ends) - taken
        excursions = self._lasting_excursions(sorted(alone))
        taken |= {step for pair in excursions for step in pair}
        text = "is off by up to {1} in {0}"
        for is_spike, is_sure in product((True, False), (True, False)):
            some = [
                (there, back)
                for there, back in glitches
                if (back - there == 1) is is_spike and self._is_sure(there, back) is is_sure
            ]
            yield from self._finding("spike" if is_spike else "glitch", text, some, is_sure)
        yield from self._finding("glitch", text, excursions, sure=False)
        sizes = jumps(self.rotations[None])[0]
        turns, staying = self._stretches(fast)
        returned, slipped = self._slips(sizes, taken)
        text = "jumps by up to {1} and back after {0}"
        yield from self._finding("half-turn", text, [*turns, *returned])
        text = "jumps by up to {1} and stays offset: marker shift?"
        slips = [(step, step + 1) for step in (*staying, *slipped)]
        yield from self._finding("zero-slip", text, slips, sizes=sizes)
        taken.update(chain(*turns, *returned, *slips))
        if bump is not None and not any(bump.there <= step <= bump.back for step in taken):
            text = "is off by up to {1} in {0}, in a pose that it has nowhere else"
            distance = np.full(len(self.steps), bump.size)
            yield from self._finding("excursion", text, [bump[:2]], sure=False, sizes=distance)

    def _finding(
        self,
        rule: str,
        text: str,
        pairs: Collection[Pair],
        sure: bool = True,
        sizes: Floats | None = None,
    ) -> Iterator[Finding]:
        """Finding about the frames between pairs of steps, if there are any."""
        if pairs:
            chosen = self.clip.frames_between(*((there + 1, back) for there, back in pairs))
            sizes = self.steps if sizes is None else sizes
            # The last step of the clip is not followed by another one.
            steps = [step for step in chain(*pairs) if step < len(sizes)]
            size = np.degrees(sizes[steps].max())
            message = text.format(plural(int(chosen.sum()), "frame"), f"{size:.0f} degrees")
            found = self.clip.finding(rule, message, self.joint, chosen, sure)
            yield replace(found, degrees=float(size))

    def _returns(self) -> Iterator[Pair]:
        """Steps there and back: a sudden start and a sudden end, then the motion as before."""
        # Smaller steps cannot stand out, even if a glitch's own steps and exempt steps are ignored.
        aside = EXEMPT_COUNT + MAX_GLITCH_FRAMES + 1
        usual = _nearly_largest(self.steps[self.ordinary], aside)
        least = max(MIN_OUTSTANDING_FACTOR * usual, MIN_JUMP_RAD)
        done = 0
        for there in self.begins:
            if self.steps[there] >= least and there > done:
                back = self._back_from(there, least)
                if back is not None:
                    done = back
                    yield there, back

    def _back_from(self, there: int, least: float = 0.0) -> int | None:
        """First step of at least this size that ends a glitch; None if there is none."""
        last = min(there + MAX_GLITCH_FRAMES, len(self.steps) - 2)
        near = (back for back in self.ends if there < back <= last and self.steps[back] >= least)
        return next((back for back in near if self._miss(there, back) < MAX_MISS_SHARE), None)

    def _miss(self, there: int, back: int) -> float:
        """Angle to the expected pose after a glitch, as a share of its smaller step."""
        q = self.rotations
        rates = [self._turn(there - 1), self._turn(back + 1)]
        ahead = quaternion.quaternion_from_rotation_vector(
            (back + 1 - there) * np.mean(rates, axis=0)
        )
        expected = q[:, there], quaternion.multiply(q[:, there], ahead)
        miss = min(float(quaternion.angle_between(one, q[:, back + 1])) for one in expected)
        return miss / self._size(there, back)

    def _size(self, there: int, back: int) -> float:
        return float(min(self.steps[there], self.steps[back]))

    def _stands_out(self, there: int, back: int) -> bool:
        """Whether a glitch is faster than nearly all other motion of the joint."""
        others = self.ordinary.copy()
        others[there : back + 1] = False
        fastest = _nearly_largest(self.steps[others], EXEMPT_COUNT)
        return bool(self._size(there, back) >= max(MIN_OUTSTANDING_FACTOR * fastest, MIN_JUMP_RAD))

    def _is_sure(self, there: int, back: int) -> bool:
        """Whether a glitch is too fast for any joint, or far from the joint's other poses."""
        size, inside = self._size(there, back), np.arange(there + 1, back + 1)
        others = np.delete(self.rotations, inside, axis=1)
        alike = np.abs(self.rotations[:, inside].T @ others).max(axis=1).min()
        return size >= self.fast or bool(2.0 * np.arccos(min(alike, 1.0)) > MIN_NEW_SHARE * size)

    def _stretches(self, fast: Sequence[int]) -> tuple[list[Pair], list[int]]:
        """Pairs of jumps there and back, and jumps without a return."""
        longest = max(int(FLIPPED_SECONDS * self.clip.motion.frame_rate), MAX_GLITCH_FRAMES)
        pairs: list[Pair] = []
        for near in np.split(np.array(fast, int), np.flatnonzero(np.diff(fast) > longest) + 1):
            # An odd number leaves one without a partner, chosen so that the pairs are shortest.
            places = range(0, len(near), 2) if len(near) % 2 else ()
            rests = [np.delete(near, place) for place in places] or [near]
            some = min(rests, key=lambda rest: (rest[1::2] - rest[::2]).sum())
            pairs += zip(some[::2].tolist(), some[1::2].tolist())
        returns, staying = self._slow_returns({*fast} - {*chain(*pairs)}, longest)
        return [*pairs, *returns], staying

    def _slow_returns(self, jumps: Iterable[int], longest: int) -> tuple[list[Pair], list[int]]:
        """Displaced stretches that begin or end slowly, and jumps without such a stretch.

        Within `longest` frames on one side of a jump, the joint is near its pose on the other.
        """
        pairs, staying, q = [], [], self.rotations
        for step in jumps:
            before = angles(q[:, max(step - longest, 0) : step + 1], q[:, [step + 1]])[::-1]
            after = angles(q[:, [step]], q[:, step + 1 : step + longest + 2])
            found = []
            for sign, away in ((-1, before), (1, after)):
                near = np.flatnonzero(away < MAX_AWAY_SHARE * self.steps[step])[:1]
                found += [(frames, away[frames], sign) for frames in near.tolist()]
            if found:
                frames, _, sign = min(found)
                pairs.append((min(step, step + sign * frames), max(step, step + sign * frames)))
            else:
                staying.append(step)
        return pairs, staying

    def _lasting_excursions(self, steps: list[int]) -> list[Pair]:
        """Excursion between the two most sudden steps, if they are opposite and close together."""
        before, after = neighbouring_steps(self.steps[None])
        surplus = self.steps - np.maximum(before[0], after[0])
        alone = [step for step in steps if self.crowd[step] <= MAX_JUMPING_JOINTS]
        alone = sorted(alone, key=lambda step: -surplus[step])[:2]
        others = self.ordinary.copy()
        others[alone] = False
        least = max(MIN_OUTSTANDING_FACTOR * _nearly_largest(surplus[others]), MIN_SLIP_RAD)
        found = sorted(step for step in alone if surplus[step] >= least)
        found = [step for step in found if step < 1 or self._back_from(step) is None]
        if len(found) < 2 or 2 * (found[1] - found[0]) > len(self.steps):
            return []
        there, back = (self._turn(step) for step in found)
        opposite = there @ back < -0.5 * np.linalg.norm(there) * np.linalg.norm(back)
        return [(found[0], found[1])] if opposite else []

    def _slips(self, sizes: Floats, taken: Collection[int]) -> tuple[list[Pair], list[int]]:
        """Unexplained jumps among the largest: with a slow return, and without one (slips)."""
        free = self.ordinary & (self.crowd[: len(sizes)] <= MAX_JUMPING_JOINTS)
        # The neighbours of a joint that turns faster than possible may compensate for it.
        too_fast = np.flatnonzero(self.clip.steps.largest >= self.fast)
        for step in (*taken, *self.known, *too_fast.tolist()):
            free[max(step - 1, 0) : step + 2] = False
        beside = np.pad(sizes, 1)
        peaks = (sizes >= np.maximum(beside[:-2], beside[2:])) & (sizes >= MIN_SLIP_RAD) & free
        steps = sorted(np.flatnonzero(peaks).tolist(), key=lambda step: -sizes[step])
        around = {step: self._unevenness(step) for step in steps[:MAX_TRIED_JUMPS]}
        if sum(uneven <= MAX_UNEVEN_SHARE for uneven, _ in around.values()) > MAX_RARE_STEPS:
            return [], []  # a toe that flicks at every step
        slips = {step for step, found in around.items() if self._is_slip(step, sizes, *found)}
        turning = {step for step in slips if around[step][1] > MAX_CHANGE_SHARE}
        returns, staying = self._slow_returns(turning, self.few)
        return returns, [*slips - turning, *staying]

    def _is_slip(self, step: int, sizes: Floats, uneven: float, change: float) -> bool:
        """Whether the joint moves on smoothly after a jump, or jumps that far only once."""
        others = self.ordinary.copy()
        others[max(step - 2, 0) : step + 3] = False
        usual = _nearly_largest(sizes[others], EXEMPT_COUNT)
        if uneven > MAX_UNEVEN_SHARE:
            is_unlike = sizes[step] >= MIN_UNLIKE_FACTOR * usual
            return bool(is_unlike and uneven <= MAX_UNLIKE_UNEVEN_SHARE)
        return bool(change <= MAX_CHANGE_SHARE or sizes[step] >= MIN_OUTSTANDING_FACTOR * usual)

    def _unevenness(self, step: int) -> tuple[float, float]:
        """Largest jump beside a jump, and difference between the turns before and after it.

        Both are shares of the jump, and infinite near an end of the clip, or if there is no jump.
        """
        few = self.few
        if not few < step < len(self.steps) - few - 1:
            return np.inf, np.inf
        turns = np.array([self._turn(k) for k in range(step - few - 1, step + few + 2)])
        expected = 0.5 * (turns[few] + turns[few + 2])
        # The step back from a dip is smaller than its difference from the neighbouring steps.
        size = min(np.linalg.norm(turns[few + 1]), np.linalg.norm(turns[few + 1] - expected))
        if size == 0.0:
            return np.inf, np.inf
        turns[few + 1] = expected
        uneven = np.linalg.norm(turns[1:-1] - 0.5 * (turns[:-2] + turns[2:]), axis=1)
        # A foot on the ground turns back immediately.
        uneven[few] = (
            np.linalg.norm(turns[few + 2] - turns[few]) * MAX_UNEVEN_SHARE / MAX_KINK_SHARE
        )
        change = turns[few + 2 : -1].sum(axis=0) - turns[1 : few + 1].sum(axis=0)
        return float(uneven.max() / size), float(np.linalg.norm(change) / size)

    def _turn(self, step: int) -> Floats:
        """Rotation vector of a step."""
        q = self.rotations
        return quaternion.rotation_vector_from_quaternion(
            quaternion.multiply(quaternion.conjugate(q[:, step]), q[:, step + 1])
        )


def _nearly_largest(values: Floats, exempt: int = 0) -> float:
    """Largest value after leaving out the top `exempt`, or the top thousandth if that is more."""
    place = len(values) - 1 - max(exempt, len(values) // 1000)
    return float(np.partition(values, place)[place]) if place >= 0 else 0.0
