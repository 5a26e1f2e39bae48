"""Limits from other people: strangers inside them, faults outside, on skeletons of many makers.

Everything that depends on a person leaves this person out. The rank of the reach that makes a limit
and the degrees beyond it are chosen on half A of the people, among those that catch every backward
bend; the swap shows what half B chooses. The share of twists that count, and the elbow bend from
which they do, were chosen with all people in view.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate_with_people
from jointlimits_core.evaluation.violations import violations
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Booleans, Floats
from jointlimits_core.geometry.quaternion import multiply, quaternion_from_axis_angle
from jointlimits_core.limits.merge import PEOPLE_RANK
from jointlimits_core.motion.motion import Motion
from jointlimits_core.people import bones, human_check, neutral
from jointlimits_core.people.people import MARGIN_DEG, People, measure_person

from .figures import Figure, benchmark, best_seconds, shared
from .made_figures import SCHEMES, dressed, role_names
from .make_people import PEOPLE, UNSEEN, clips_of, person_of

EVERYONE = {**PEOPLE, **UNSEEN}
HALVES = {"A": sorted(EVERYONE)[::2], "B": sorted(EVERYONE)[1::2]}
RULES = [(1, 0.0), *((rank, margin) for rank in (2, 3, 4) for margin in (0.0, 5.0, MARGIN_DEG))]
"""Ranks and margins to choose from; larger margins let backward bends of 20 degrees pass."""
OUTSIDE_DEG, CARRIED_DEG = 8.0, 5.0
PAST_DEG, TURNED_DEG = 20.0, 120.0
MAKERS: dict[str, Sequence[str]] = {
    "Bandai 1": ("bandai/dataset-1*.bvh", "round3/lossless/dataset-1*.bvh"),
    "Bandai 2": ("bandai/dataset-2*.bvh",),
    "PFNN": ("pfnn/*.bvh",),
    "NewCaptures": ("round3/bvh/New*.bvh",),
    "biobuddy": ("round3/bvh/biobuddy*.bvh",),
    "Xia": ("xia/*.bvh",),
    "HDM05": ("hdm05/*.amc",),
    "walk01": ("other_bvh/walk01.bvh",),
    "pybvh 1": ("other_bvh/pybvh_bvh_test1.bvh",),
    "pybvh 2": ("other_bvh/pybvh_bvh_test2.bvh",),
    "pybvh 3": ("other_bvh/pybvh_bvh_test3.bvh",),
    "Mixamo": ("other_bvh/test_freebvh.bvh",),
    "mocapbank": ("other_bvh/test_mocapbank.bvh",),
}
"""Skeletons of other makers and people."""
HINGES = tuple(part for part, own in neutral.PARTS.items() if own.plane is not None)
ANIMALS = ("mayausd/UsdExportSkeletonSegfaultTest.ma", "vtool/vtool_quadruped_structure.ma")


class _Clip(NamedTuple):
    """One clip in neutral form."""

    standard: neutral.Standard
    turns: neutral.Turns
    reaches: neutral.Turns

    @classmethod
    def all_of(cls, clips: Sequence[Motion]) -> list[_Clip]:
        standard = neutral.standard_pose(bones.find_figure(clips[0].skeleton), clips)
        turns = [neutral.neutral_turns(standard, clip) for clip in clips]
        return [cls(standard, one, neutral.neutral_reaches(standard, one)) for one in turns]


@cache
def _people() -> People:
    return People(tuple(person_of(name, patterns) for name, patterns in EVERYONE.items()))


@cache
def _clips(patterns: tuple[str, ...]) -> list[_Clip]:
    return _Clip.all_of(clips_of(patterns))


def _limits_without(
    name: str, rule: tuple[int, float] = (PEOPLE_RANK, MARGIN_DEG)
) -> dict[str, Floats]:
    return _people().without(name).limits(*rule)


def _share_outside(name: str, rule: tuple[int, float], chains: bool = True) -> float:
    """Percent of one person's frames with any joint outside the limits of all others."""
    limits, outside = _limits_without(name, rule), []
    for clip in _clips(tuple(EVERYONE[name])):
        excess = human_check.excess_of(clip.standard, limits, clip.reaches)
        joints = clip.standard.figure.chains
        every = [
            beyond * (1 if chains else len(joints.get(part, (0,))))
            for (part, _), beyond in excess.items()
        ]
        outside.append(np.max(every, axis=0) > OUTSIDE_DEG)
    return 100.0 * float(np.concatenate(outside).mean())


@benchmark
def strangers(quick: bool) -> Iterator[Figure]:
    """Frames of a person with any joint outside the limits of all others by over 8 degrees."""
    shares = {
        rule: {name: _share_outside(name, rule) for name in EVERYONE}
        for rule in ([(PEOPLE_RANK, MARGIN_DEG)] if quick else RULES)
    }
    for rule, found in shares.items():
        values = list(found.values())
        is_used = rule == (PEOPLE_RANK, MARGIN_DEG)
        worst = max(found, key=lambda name: found[name])
        label = f"rank {rule[0]}, margin {rule[1]:g}"
        about = f"median {np.median(values):.2f}, worst {worst}"
        yield Figure(f"{label}, mean", float(np.mean(values)), "%", 4.0 if is_used else None, about)
        yield Figure(f"{label}, worst", found[worst], "%", 18.0 if is_used else None)
        unseen = float(np.mean([found[name] for name in UNSEEN]))
        yield Figure(f"{label}, three people that are not in the file", unseen, "%")
    whole = [_share_outside(name, (PEOPLE_RANK, MARGIN_DEG), False) for name in EVERYONE]
    yield Figure("spine and neck as one joint, mean", float(np.mean(whole)), "%")
    for own, other in () if quick else ("AB", "BA"):
        robust = [rule for rule in shares if rule[0] > 1]
        best = min(robust, key=lambda rule: np.mean([shares[rule][name] for name in HALVES[own]]))
        share = float(np.mean([shares[best][name] for name in HALVES[other]]))
        about = f"rank {best[0]}, margin {best[1]:g}, best on half {own}"
        yield Figure(f"half {other}, rule chosen on half {own}", share, "%", 4.0, about)


@benchmark
def caught(quick: bool) -> Iterator[Figure]:
    """Elbows and knees bent backwards by 20 degrees, and limbs twisted by 120, that are outside."""
    backwards: dict[str, list[float]] = {}
    twisted: dict[str, list[float]] = {}
    for name in list(EVERYONE)[: 3 if quick else None]:
        limits = _limits_without(name)
        for clip in _clips(tuple(EVERYONE[name])):
            for (part, side), turns in clip.turns.items():
                if part in ("elbow", "knee"):
                    excess = float(np.max(np.array([-PAST_DEG, PAST_DEG]) - limits[part]))
                    backwards.setdefault(part, []).append(excess > OUTSIDE_DEG)
                if part not in ("shoulder", "hip"):
                    continue
                for degrees in (TURNED_DEG, -TURNED_DEG):
                    bone = neutral.PARTS[part].bone
                    turn = multiply(turns, quaternion_from_axis_angle(bone, np.radians(degrees)))
                    values = neutral.reaches(part, turn)
                    known = ~np.isnan(clip.reaches[part, side][:, neutral.TWIST]).any(axis=1)
                    beyond = np.max(values - limits[part], axis=1)
                    twisted.setdefault(part, []).extend(beyond[known] > OUTSIDE_DEG)
    for part, found in backwards.items():
        yield Figure(f"{part} bent backwards", 100.0 * float(np.mean(found)), "%", 99.0, "", True)
    for part, found in twisted.items():
        yield Figure(f"{part} twisted", 100.0 * float(np.mean(found)), "%", 99.0, "", True)


@benchmark
def flips(quick: bool) -> Iterator[Figure]:
    """Degrees that a flip of one person's hip moves its limits: of 5 frames, and of half a clip."""
    people = _people()
    for label, length in (("5 frames", 5), ("the second half of a clip", 0)):
        moves: list[tuple[float, float, float]] = []
        for name in list(EVERYONE)[: 2 if quick else None]:
            clips = clips_of(EVERYONE[name])
            clip = max(clips, key=lambda one: one.frame_count)
            first = clip.frame_count // 2
            end = first + (length * neutral.sample_step(clip) or clip.frame_count)
            others = [one for one in clips if one is not clip]
            by_flip, by_loss = (
                _moved(people, name, [*others, changed])
                for changed in (_flipped(clip, first, end), _without(clip, first, end))
            )
            moves.append((np.abs(by_flip).max(), by_flip.max(), np.abs(by_loss).max()))
        most, widest, lost = np.max(moves, axis=0)
        yield Figure(f"flip of {label} moves a limit by at most", most, "deg", 3.0)
        yield Figure(f"flip of {label} widens a limit by at most", widest, "deg", 3.0)
        yield Figure("leaving these frames out moves a limit of the hip by", lost, "deg")


def _flipped(clip: Motion, first: int, end: int) -> Motion:
    """The clip with the left hip turned by half a turn in some frames."""
    rotations = clip.rotations.copy()
    row = bones.find_figure(clip.skeleton).joints["left hip"]
    turn = quaternion_from_axis_angle([0.0, 0.0, 1.0], np.pi)
    rotations[row, :, first:end] = multiply(rotations[row, :, first:end].T, turn).T
    return Motion(clip.skeleton, rotations, clip.frames, clip.frame_rate, clip.name)


def _without(clip: Motion, first: int, end: int) -> Motion:
    return clip.keep_frames([*range(first), *range(min(end, clip.frame_count), clip.frame_count)])


def _moved(people: People, name: str, clips: Sequence[Motion]) -> Floats:
    """Degrees by which the hip's limits widen where one person has other clips."""
    changed = People((*people.without(name).persons, measure_person(clips, name)))
    before, after = people.limits()["hip"], changed.limits()["hip"]
    return after[np.isfinite(before)] - before[np.isfinite(before)]


@benchmark
def carried(quick: bool) -> Iterator[Figure]:
    """Frames outside by over 5 degrees on skeletons of other makers, by part; mean of skeletons."""
    limits = _people().limits()
    yield from _carried_figures(limits, "", quick)
    for part, own in neutral.PARTS.items():
        if own.plane is None and part in limits:
            limits[part][neutral.TWIST] = np.inf
    yield from _carried_figures(limits, " without twist", quick)


def _carried_figures(limits: dict[str, Floats], label: str, quick: bool) -> Iterator[Figure]:
    found: dict[str, dict[str, float]] = {}
    for maker in list(MAKERS)[: 3 if quick else None]:
        for part, share in _shares_by_part(_clips(tuple(MAKERS[maker])), limits).items():
            found.setdefault(part, {})[maker] = share
    for part, shares in found.items():
        if part in HINGES and label:
            continue
        worst = max(shares, key=lambda maker: shares[maker])
        others = np.mean([share for maker, share in shares.items() if maker != worst])
        about = f"{len(shares)} skeletons, worst {worst} {shares[worst]:.1f}, others {others:.2f}"
        kind = "hinge" if part in HINGES else "ball joint"
        yield Figure(f"{kind}, {part}{label}", np.mean(list(shares.values())), "%", 1.0, about)
    bandai = [clip for maker in ("Bandai 1", "Bandai 2") for clip in _clips(tuple(MAKERS[maker]))]
    shares = _shares_by_part(bandai, limits)
    about = f"{len(bandai)} clips; " + ", ".join(f"{p} {s:.2f}" for p, s in shares.items())
    mean = float(np.mean(list(shares.values())))
    yield Figure(f"all Bandai clips, mean of joints{label}", mean, "%", 0.5, about)


def _shares_by_part(clips: Sequence[_Clip], limits: dict[str, Floats]) -> dict[str, float]:
    """Percent of frames outside, by part, mean of both sides."""
    found: dict[str, list[Booleans]] = {}
    for clip in clips:
        excess = human_check.excess_of(clip.standard, limits, clip.reaches)
        for (part, _), beyond in excess.items():
            found.setdefault(part, []).append(beyond > CARRIED_DEG)
    return {part: 100.0 * float(np.concatenate(some).mean()) for part, some in found.items()}


@benchmark
def made(quick: bool) -> Iterator[Figure]:
    """The same for people that are not in the file, with names of other makers and other axes."""
    limits = _people().without(*UNSEEN).limits()
    for number, scheme in enumerate(SCHEMES):
        shares: list[float] = []
        for patterns in list(UNSEEN.values())[: 1 if quick else None]:
            clips = clips_of(patterns)
            names = role_names(bones.find_figure(clips[0].skeleton), scheme)
            worn = [dressed(clip, names, number, 45.0 * (number % 2)) for clip in clips]
            shares += _shares_by_part(_Clip.all_of(worn), limits).values()
        yield Figure(f"{scheme} (made), mean of joints", float(np.mean(shares)), "%", 1.0)


@benchmark
def starters(quick: bool) -> Iterator[Figure]:
    """Frames of a rig's own motion outside its starter limits with a pad of 5 degrees, by joint.

    How much of a spine's bend one joint gets was chosen on half B of the makers, as the least of
    n ** -1/2, -1/3, -1/4 and 1 that leaves less than 1 %; half A reports. People are left out of
    their own limits.
    """
    makers = list(MAKERS)[2:]
    halves = {"half A": makers[::2], "half B (chosen on)": makers[1::2], "people": list(EVERYONE)}
    for label, names in halves.items():
        yield _starters_figure(label, names[: 1 if quick else None])


def _starters_figure(label: str, names: Sequence[str]) -> Figure:
    """Mean of joints, and the worst, over the skeletons of some makers or people."""
    shares, worst = [0.0], (0.0, "")
    for maker in names:
        people = _people().without(maker)
        clips = clips_of({**MAKERS, **EVERYONE}[maker])
        options = EstimateOptions(pad_deg=CARRIED_DEG)
        limits = estimate_with_people([clips[0].keep_frames([0])], people, options)[0]
        found: dict[str, int] = {}
        for clip in clips:
            frames: dict[str, int] = {}
            for bound in violations(limits, clip).bounds:
                frames[bound.joint] = max(frames.get(bound.joint, 0), bound.frames)
            found = {**found, **{name: found.get(name, 0) + n for name, n in frames.items()}}
        limited = [
            name
            for name, joint in limits.joints.items()
            if any(axis.is_limited for axis in joint.limits.values())
        ]
        count = sum(clip.frame_count for clip in clips)
        own = [100.0 * found.get(name, 0) / count for name in limited]
        shares += own
        worst = max(worst, (max(own), f"{maker} {limited[int(np.argmax(own))]}"))
    about = f"{len(shares) - 1} joints; worst {worst[1]} {worst[0]:.1f}"
    mean = float(np.mean(shares[1:]))
    return Figure(f"own frames outside starter limits, {label}", mean, "%", 1.0, about)


@benchmark
def refused(quick: bool) -> Iterator[Figure]:
    """Number of animal skeletons that are mistaken for a human figure."""
    taken = 0
    for name in ANIMALS:
        try:
            bones.find_figure(read_motion(shared(f"data/maya/{name}")).skeleton)
            taken += 1
        except bones.NotHumanError:
            continue
    yield Figure("animals taken for people", taken, "", 0, f"of {len(ANIMALS)}")


@benchmark
def speed(quick: bool) -> Iterator[Figure]:
    """Seconds to check a clip of a rig with 75 joints, and to make its starter limits."""
    clip = read_motion(shared("data/mocap/geno/Geno_stance.bvh"))
    people = _people()
    for name, work in (
        ("check", lambda: human_check.check_people(clip, people)),
        ("starter limits", lambda: estimate_with_people([clip], people, EstimateOptions())),
    ):
        yield Figure(f"{name}, rig of 75 joints", best_seconds(work, 3), "s", 1.0)
