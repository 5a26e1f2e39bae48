"""Faults of clips: share found of those put into clean clips, and false alarms on clean clips.

Two halves, by maker and subject; every threshold was chosen on A. A fault has a random clip of a
random maker or subject, a random joint that turns by 8 degrees or more, and a random time between
a fifth and four fifths of the clip; offsets are about a random axis.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from jointlimits_core.base.findings import Finding
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Floats, Integers
from jointlimits_core.geometry.quaternion import (
    angle_between,
    conjugate,
    multiply,
    quaternion_from_axis_angle,
    rotation_vector_from_quaternion,
)
from jointlimits_core.limits.ranges import ends_of
from jointlimits_core.motion.mirror import partners
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.screening.rules import screen

from .figures import Figure, benchmark, shared

HALVES = {
    "A": {
        **{f"CMU {name}": (f"cmu_asfamc/{name}*/*.amc",) for name in ("01", "07", "11", "16")},
        "CMU as BVH": ("cmu_bvh/*.bvh",),
        "PFNN": ("pfnn/*.bvh",),
        "Bandai 1": ("bandai/dataset-1*.bvh",),
    },
    "B": {
        **{f"CMU {name}": (f"cmu_asfamc/{name}/*.amc",) for name in ("02", "03", "49")},
        "HDM05": ("hdm05/*.amc",),
        "Xia": ("xia/*.bvh",),
        "others": ("other_bvh/*.bvh",),
        "Bandai 2": ("bandai/dataset-2*.bvh",),
    },
}
SHORTEST, LONGEST = 60, 600
"""Fewest and most frames of a clip that gets faults; longer clips are cut at random."""
FULL, QUICK = 100, 8
"""Faults of each kind in each half."""
FOUND, FALSE = 0.95, 5.0
"""Targets: share found, and false frames in 100,000 frames of joints."""
TORN = 5000.0
"""Radians per second squared before and after a jump that no joint has: the toe of a walker would
go through 40 g. At 120 Hz that is a jump of 20 degrees from rest to rest."""
TORN_ROOT = 0.98
"""Share of a clip's frames after which the root jumps less than where frames are missing."""
JUDGED = {"spike", "glitch", "zero-slip", "dropped-frames", "swapped-sides"}
LEGS = ("leg", "foot", "toe", "knee", "ankle", "femur", "tibia", "shin", "thigh")

Faulty = tuple[Motion, "Integers | None", int, int]
"""Clip, joints at fault (None for all), and first and last frame."""


@dataclass(frozen=True, eq=False)
class Place:
    """Where a fault goes."""

    motion: Motion
    joint: int
    frame: int
    random: np.random.Generator

    def offset(self, frames: int, degrees: float, kind: str = "constant") -> Faulty:
        """Turn the joint for some frames: constant, ramp up and down, smooth, or shaking."""
        last = min(self.frame + frames, self.motion.frame_count) - 1
        axis = self._axis()
        rotations = self.motion.rotations.copy()
        for frame in range(self.frame, last + 1):
            share = 1.0
            if kind == "ramp":
                share -= abs(2.0 * (frame - self.frame) - frames + 1) / (frames + 1)
            elif kind == "smooth":
                share = np.sin(np.pi * (frame - self.frame + 1) / (frames + 1)) ** 2
            elif kind == "shaking":
                axis = self._axis()
            turn = quaternion_from_axis_angle(axis, np.radians(share * degrees))
            rotations[self.joint, :, frame] = multiply(rotations[self.joint, :, frame], turn)
        return self._with(rotations), np.array([self.joint]), self.frame, last

    def negated(self, frames: int) -> Faulty | None:
        """Negate the joint's furthest channel; None if the clip has no channels."""
        if self.motion.rotates is None:
            return None
        rotates, last = self.motion.rotates.copy(), self.frame + frames - 1
        part = rotates[self.joint, :, self.frame : last + 1]
        part[np.abs(part).max(axis=1).argmax()] *= -1.0
        motion = self.motion
        made = Motion.from_rotates(motion.skeleton, rotates, motion.frames, motion.frame_rate, "")
        return self._with(made.rotations), np.array([self.joint]), self.frame, last

    def _axis(self) -> Floats:
        axis = self.random.standard_normal(3)
        return np.asarray(axis / np.linalg.norm(axis))

    def _with(self, rotations: Floats) -> Motion:
        return replace(self.motion, rotations=rotations, rotates=None)

    def at_rest(self, first: int, frames: int) -> Faulty:
        """All joints in the rest pose."""
        rotations = self.motion.rotations.copy()
        rest = self.motion.skeleton.rest_rotations[:, :, None]
        rotations[:, :, first : first + frames] = rest
        return self._with(rotations), None, first, first + frames - 1

    def frozen(self, first: int, frames: int, one: bool = False) -> Faulty:
        """One joint, or all joints, holding their pose."""
        rotations = self.motion.rotations.copy()
        joints = np.array([self.joint]) if one else np.arange(len(rotations))
        held = rotations[joints][:, :, first : first + 1]
        rotations[joints, :, first : first + frames] = held
        return self._with(rotations), joints if one else None, first, first + frames - 1

    def swapped(self, frames: int) -> Faulty | None:
        """Both legs with each other's rotations; None if the joints have other names."""
        names, partner = self.motion.joint_names, partners(self.motion.joint_names)
        legs = [j for j, name in enumerate(names) if any(word in name.lower() for word in LEGS)]
        legs = [joint for joint in legs if partner[joint] >= 0]
        if len(legs) < 4:
            return None
        rotations = self.motion.rotations.copy()
        stretch = slice(self.frame, self.frame + frames)
        rotations[legs, :, stretch] = self.motion.rotations[partner[legs], :, stretch]
        last = min(self.frame + frames, self.motion.frame_count) - 1
        return self._with(rotations), None, self.frame, last

    def reordered(self, *parts: Integers, last: int) -> Faulty:
        """Other frames of the clip, one after the other."""
        chosen = np.concatenate(parts)
        rotations = np.ascontiguousarray(self.motion.rotations[:, :, chosen])
        frames = np.arange(len(chosen), dtype=float)
        plain = replace(self.motion, translations={}, scales={}, between={})
        changed = replace(plain, rotations=rotations, rotates=None, frames=frames)
        return changed, None, self.frame - 1, last

    def few(self, least: int, most: int) -> int:
        """A random number of frames."""
        return int(self.random.integers(least, most + 1))

    def seconds(self, least: float, most: float) -> int:
        """A random number of frames of that duration, at most a quarter of the clip."""
        frames = int(self.random.uniform(least, most) * self.motion.frame_rate)
        return min(frames, self.motion.frame_count // 4)

    def part(self, first: int, last: int | None = None) -> Integers:
        """Frames from a first one up to a last one, exclusive."""
        return np.arange(first, self.motion.frame_count if last is None else last)


def _dropped(place: Place) -> Faulty:
    before, after = place.part(0, place.frame), place.part(place.frame + 10)
    return place.reordered(before, after, last=place.frame)


def _doubled(place: Place) -> Faulty:
    count, at = place.few(2, 5), place.frame
    doubled = np.repeat(place.part(at, at + count), 2)
    return place.reordered(place.part(0, at), doubled, place.part(at + count), last=at + 2 * count)


def _replayed(place: Place) -> Faulty:
    count, at = place.few(2, 5), place.frame
    return place.reordered(place.part(0, at), place.part(at - count), last=at + count)


def _end(place: Place, frames: int) -> int:
    return place.motion.frame_count - frames


@dataclass(frozen=True)
class Kind:
    """A kind of fault, and the rules that report it."""

    name: str
    rules: tuple[str, ...]
    make: Callable[[Place], Faulty | None]
    target: float | None = FOUND
    if_wider: float | None = None
    """Target for faults that would widen a limit, if it differs."""


SHORT, FREEZE = ("spike", "glitch"), ("frozen", "repeated-frames")
KINDS = (
    Kind("spike of 20 degrees", SHORT, lambda at: at.offset(1, 20.0), None),
    Kind("spike of 40 degrees", SHORT, lambda at: at.offset(1, 40.0)),
    Kind("spike of 90 degrees", SHORT, lambda at: at.offset(1, 90.0)),
    Kind("glitch of 20 degrees", SHORT, lambda at: at.offset(at.few(2, 10), 20.0), None),
    Kind("glitch of 40 degrees", SHORT, lambda at: at.offset(at.few(2, 10), 40.0)),
    Kind("glitch of 90 degrees", SHORT, lambda at: at.offset(at.few(2, 10), 90.0)),
    Kind(
        "shaking by 40 degrees",
        (*SHORT, "half-turn"),
        lambda at: at.offset(at.few(2, 10), 40.0, "shaking"),
    ),
    Kind(
        "ramp of 60 degrees",
        (*SHORT, "excursion"),
        lambda at: at.offset(at.few(2, 10), 60.0, "ramp"),
        None,
    ),
    Kind(
        "40 degrees for 15 to 60 frames",
        (*SHORT, "zero-slip"),
        lambda at: at.offset(at.few(15, 60), 40.0),
    ),
    Kind("rest pose at the start", ("inserted-pose",), lambda at: at.at_rest(0, at.few(1, 10))),
    Kind(
        "rest pose in the middle",
        ("inserted-pose",),
        lambda at: at.at_rest(at.frame, at.few(1, 10)),
    ),
    Kind(
        "rest pose at the end",
        ("inserted-pose",),
        lambda at: at.at_rest(_end(at, frames := at.few(1, 10)), frames),
    ),
    Kind("frozen in the middle", FREEZE, lambda at: at.frozen(at.frame, at.seconds(0.25, 1.0))),
    Kind(
        "frozen end",
        FREEZE,
        lambda at: at.frozen(_end(at, frames := at.seconds(0.25, 1.0)), frames),
    ),
    Kind("frozen joint", FREEZE, lambda at: at.frozen(at.frame, at.seconds(0.25, 1.0), True)),
    Kind("half turn that stays", ("zero-slip",), lambda at: at.offset(10**6, 180.0)),
    Kind("half turn and back", ("half-turn",), lambda at: at.offset(at.few(11, 40), 180.0)),
    Kind("slip of 15 degrees", ("zero-slip", "glitch"), lambda at: at.offset(10**6, 15.0)),
    Kind("slip of 30 degrees", ("zero-slip", "glitch"), lambda at: at.offset(10**6, 30.0)),
    Kind("legs swapped for 20 frames", ("swapped-sides",), lambda at: at.swapped(20)),
    Kind("10 frames missing", ("dropped-frames",), _dropped),
    Kind("frames doubled", FREEZE, _doubled),
    Kind("frames shown again", ("repeated-frames",), _replayed),
    Kind(
        "smooth bump of 60 degrees",
        (*SHORT, "excursion"),
        lambda at: at.offset(at.seconds(0.2, 0.2), 60.0, "smooth"),
        *(None, 0.9),
    ),
    Kind(
        "channel negated for 15 frames",
        (*SHORT, "half-turn", "excursion"),
        lambda at: at.negated(min(15, at.motion.frame_count - at.frame)),
        *(None, 0.9),
    ),
)


@benchmark
def injected(quick: bool) -> Iterator[Figure]:
    """Planted faults: share found, and share left out."""
    for half in HALVES:
        groups = clips_of(half)
        for number, kind in enumerate(KINDS):
            random = np.random.default_rng([ord(half), number])
            hits = list(outcomes(groups, kind, random, QUICK if quick else FULL))
            found, left_out = np.mean(hits, axis=0)
            beside = f"{left_out:.2f} left out, n = {len(hits)}"
            name = f"{kind.name}, found, half {half}"
            yield Figure(name, float(found), "share", kind.target, beside, at_least=True)


def outcomes(
    groups: Mapping[str, list[Motion]], kind: Kind, random: np.random.Generator, count: int
) -> Iterator[tuple[bool, bool]]:
    """For a number of faults: whether each was found, and left out."""
    for _, faulty in drawn(groups, kind, random, count):
        hits = [item for item in screen(faulty[0]).findings if _means(item, kind, faulty)]
        yield bool(hits), any(item.left_out for item in hits)


def drawn(
    groups: Mapping[str, list[Motion]], kind: Kind, random: np.random.Generator, count: int
) -> Iterator[tuple[Motion, Faulty]]:
    """Random clips, without and with a fault."""
    while count:
        clips = groups[str(random.choice(list(groups)))]
        whole = clips[int(random.integers(len(clips)))]
        start = int(random.integers(max(whole.frame_count - LONGEST, 0) + 1))
        motion = whole.keep_frames(np.arange(start, min(start + LONGEST, whole.frame_count)))
        moving = _moving(motion)
        if not len(moving):
            continue
        frame = int(random.uniform(0.2, 0.8) * motion.frame_count)
        faulty = kind.make(Place(motion, int(random.choice(moving)), frame, random))
        if faulty is not None:
            count -= 1
            yield motion, faulty


def _means(item: Finding, kind: Kind, faulty: Faulty) -> bool:
    """Whether a finding is about a fault."""
    motion, joints, first, last = faulty
    names = motion.joint_names if joints is None else [motion.joint_names[j] for j in joints]
    start, stop = (
        motion.frames[max(first - 1, 0)],
        motion.frames[min(last + 1, len(motion.frames) - 1)],
    )
    overlaps = any(a <= stop and b >= start for a, b in item.frame_ranges)
    return item.rule in kind.rules and overlaps and (item.joint is None or item.joint in names)


@benchmark
def clean(quick: bool) -> Iterator[Figure]:
    """Findings in untouched clips; real faults in these count, too.

    Equal frames, rest poses and half turns are facts and need no judgement; what remains are steps
    that a person might make. Those are false at most that nothing else proves to be breaks.
    """
    rules = sorted({rule for kind in KINDS for rule in kind.rules})
    for half in HALVES:
        found, samples, groups = [], 0, clips_of(half)
        for group, clips in groups.items():
            some = clips[:: 8 if quick else 1]
            samples += sum(clip.frame_count * len(clip.skeleton) for clip in some)
            found += [(group, clip, item) for clip in some for item in screen(clip).findings]
        for rule in rules:
            lengths = [_length(clip, item) for _, clip, item in found if item.rule == rule]
            name = f"{rule}, frames of clean clips, half {half}"
            comment = f"{len(lengths)} findings"
            yield Figure(name, 1e5 * sum(lengths) / samples, "per 100,000", None, comment)
        judged = [one for one in found if is_judged(one[2])]
        counted = ((_length, "listed frames", None), (unproven, "false frames at most", FALSE))
        for count, words, target in counted:
            doubtful = {
                group: sum(count(clip, item) for name, clip, item in judged if name == group)
                for group in groups
            }
            listed = ", ".join(f"{group} {number}" for group, number in doubtful.items() if number)
            number = sum(doubtful.values())
            name = f"{words}, half {half}"
            yield Figure(name, 1e5 * number / samples, "per 100,000", target, f"{number}: {listed}")


@benchmark
def torn(quick: bool) -> Iterator[Figure]:
    """The clip in which most is found: what the root's position says, which no rule looks at."""
    (path,) = shared("data/mocap/pfnn").glob("*.bvh")
    clip = read_motion(path)
    (item,) = (one for one in screen(clip).findings if one.rule == "dropped-frames")
    places = [first for first, _ in item.frame_ranges]
    jumps = sum(_root_jumps(clip, item, first) for first in places)
    name = f"places where the root jumps more than in {TORN_ROOT:.0%} of the frames"
    yield Figure(name, jumps, f"of {len(places)}")
    steps = np.linalg.norm(np.diff(clip.translations[0], axis=0), axis=1)
    last = int(np.searchsorted(clip.frames, places[-1]))
    ratio = float(steps[last] / np.median(steps))
    yield Figure("step of the root at the last place", ratio, "median steps")
    turns = angle_between(clip.rotations[:, :, last], clip.rotations[:, :, last + 1])
    yield Figure("largest rotation of a joint there", float(np.degrees(turns.max())), "deg")
    equal = (
        np.abs(np.diff(clip.rotations[:, :, last + 1 :], axis=2)).max(axis=(0, 1)) < 1e-9
    ).sum()
    yield Figure("equal frames behind it", int(equal) + 1, "frames")


def unproven(clip: Motion, item: Finding) -> int:
    """Frames of a finding, except where something that no rule uses proves a break."""
    is_torn = _root_jumps if item.joint is None else _is_impossible
    kept = [(a, b) for a, b in item.frame_ranges if not is_torn(clip, item, a)]
    return _length(clip, replace(item, frame_ranges=tuple(kept)))


def _root_jumps(clip: Motion, item: Finding, first: float) -> bool:
    """Whether the root's position jumps after a frame, unlike after nearly all others."""
    moved = [np.diff(place, axis=0) for place in clip.translations.values() if np.ptp(place)]
    if not moved:
        return False
    jumps = np.linalg.norm(moved[0][1:-1] - 0.5 * (moved[0][:-2] + moved[0][2:]), axis=1)
    here = jumps[int(np.searchsorted(clip.frames, first)) - 1]
    return bool(np.mean(jumps < here) >= TORN_ROOT)


def _is_impossible(clip: Motion, item: Finding, first: float) -> bool:
    """Whether a joint would speed up and slow down more than any joint can, to a jump's frame."""
    at = int(np.searchsorted(clip.frames, first)) - 1
    q = clip.rotations[clip.skeleton.index(item.joint or "")].T[at - 1 : at + 3]
    turns = rotation_vector_from_quaternion(multiply(conjugate(q[:-1]), q[1:]))
    changes = np.linalg.norm(np.diff(turns, axis=0), axis=1) * clip.frame_rate**2
    return len(changes) == 2 and bool(changes.min() >= TORN)


def _length(clip: Motion, item: Finding) -> int:
    inside = [(clip.frames >= a) & (clip.frames <= b) for a, b in item.frame_ranges]
    return int(np.any(inside, axis=0).sum()) if inside else 0


def is_judged(item: Finding) -> bool:
    """Whether a person could make the steps of a finding: no flip by over 100 degrees."""
    size = re.search(r"up to (\d+) degrees", item.message)
    return item.rule in JUDGED and not (size is not None and int(size[1]) > 100)


@benchmark
def limits_without_faults(quick: bool) -> Iterator[Figure]:
    """Limits of clean clips that change if spikes and glitches are left out."""
    keep = EstimateOptions(leave_out=("non-finite", "inserted-pose"))
    for half in HALVES:
        clips = [clip for group in clips_of(half).values() for clip in group][:: 8 if quick else 1]
        number, changed, names = 0, 0, []
        for clip in clips:
            with_all, without = estimate(clip, keep).joints, estimate(clip).joints
            for name, joint in with_all.items():
                pairs = [
                    (ends_of(joint.limits[channel]), ends_of(without[name].limits[channel]))
                    for channel in joint.limits
                ]
                number += 2 * len(pairs)
                moved = sum(abs(a - b) > 1.0 for pair in pairs for a, b in zip(*pair))
                changed += moved
                names += [f"{clip.name} {name}"] * bool(moved)
        comment = f"{changed} of {number:,}: {', '.join(names)}"
        yield Figure(f"limits changed, half {half}", 100.0 * changed / number, "%", None, comment)


def clips_of(half: str) -> dict[str, list[Motion]]:
    """Clips of a half with enough frames, by maker or subject."""
    folder = shared("data/mocap")
    groups: dict[str, list[Motion]] = {}
    for name, patterns in HALVES[half].items():
        files = [path for pattern in patterns for path in sorted(folder.glob(pattern))]
        motions = [read_motion(path) for path in files]
        groups[name] = [
            one for one in motions if len(one.frames) >= SHORTEST and _moving(one).any()
        ]
    return groups


def _moving(motion: Motion) -> Integers:
    """Joints below the root that turn by 8 degrees or more."""
    turns = angle_between(
        np.moveaxis(motion.rotations, 1, 2), np.moveaxis(motion.rotations[:, :, :1], 1, 2)
    ).max(axis=1)
    return np.flatnonzero((turns > np.radians(8.0)) & (motion.skeleton.parents >= 0))
