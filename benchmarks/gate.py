"""How good a gate limits of five clips of a performer are, by the recipe of docs/command_line.md.

Every clip is checked against limits of five others, drawn by seed. Of a subject with fewer clips
all others make the limits. A fault is one elbow or knee set 20 degrees past the stretched end of
these limits for 10 frames; it is stopped if that very limit fails. Another fault turns one other
joint for the whole clip; no target, it says what the rules for all other joints still stop.

The recipe was chosen on half A; half B was run once, at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.evaluation.gate import Gate
from jointlimits_core.evaluation.violations import Violations, violations
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.euler import CHANNELS, local_from_rotate
from jointlimits_core.geometry.quaternion import multiply, quaternion_from_axis_angle
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.priors import body_parts
from jointlimits_core.motion.motion import Motion

from .figures import Figure, benchmark, shared

HALVES = {
    "A": {
        **{f"CMU {name}": f"cmu_asfamc/{name}*/*.amc" for name in ("01", "07")},
        "Bandai 1": "bandai/dataset-1*.bvh",
    },
    "B": {
        **{f"CMU {name}": f"cmu_asfamc/{name}*/*.amc" for name in ("02", "13", "49")},
        "Bandai 2": "bandai/dataset-2*.bvh",
    },
}
CLIPS = 5
"""Clips that make the limits."""
FULL, QUICK = 5, 1
"""Draws of them per clip."""
PASSED, STOPPED = 0.95, 0.95
PAST_DEG, FRAMES = 20.0, 10
"""The fault at an elbow or knee."""
TURNED_DEG = 120.0
"""The fault of a whole clip."""


@dataclass(frozen=True)
class Recipe:
    """Values for all limits, and for the backward ends of elbows and knees."""

    name: str
    tolerance_deg: float
    for_frames: int
    allow_percent: float
    end_deg: float = 15.0
    """Tolerance at the backward ends, where a single frame counts and none is allowed."""

    def gate(self, limit_set: LimitSet, ends: Sequence[str]) -> Gate:
        """Gate of limits, given the backward ends as "JOINT.CHANNEL.SIDE"."""
        given = (self.tolerance_deg, self.for_frames, self.allow_percent)
        tolerance, least, allowed = (
            ",".join([f"{each:g}", *(f"{end}={strict:g}" for end in ends)])
            for each, strict in zip(given, (self.end_deg, 1, 0))
        )
        return Gate.from_values(limit_set, tolerance, least, allowed)


RECIPES = (
    Recipe("the recipe", 60, 30, 50),
    Recipe("no rules", 0.1, 1, 0, 0.1),
    Recipe("20 degrees everywhere but at the ends", 20, 1, 0),
    Recipe("20 degrees, for 30, allow 25", 20, 30, 25),
    Recipe("45 degrees, for 30, allow 25", 45, 30, 25),
    Recipe("60 degrees, for 30, allow 25", 60, 30, 25),
    Recipe("90 degrees, for 30, allow 50", 90, 30, 50),
    Recipe("the recipe, 5 degrees at the ends", 60, 30, 50, 5),
    Recipe("the recipe, 10 degrees at the ends", 60, 30, 50, 10),
)
"""The first is the recipe; the others show what it trades."""


@benchmark
def half_a(quick: bool) -> Iterator[Figure]:
    """CMU 01 and 07, and the first character of Bandai."""
    yield from _half("A", quick)


@benchmark
def half_b(quick: bool) -> Iterator[Figure]:
    """CMU 02, 13 and 49, and the second character of Bandai."""
    yield from _half("B", quick)


def _half(half: str, quick: bool) -> Iterator[Figure]:
    subjects = {name: _results(name, quick) for name in HALVES[half]}
    every = [result for results, _ in subjects.values() for result in results]
    for name, (results, words) in subjects.items():
        passed, stopped, turned = np.mean([result[0] for result in results], axis=0)
        comment = f"{words}; turned joints {turned:.2f}"
        yield Figure(f"{name}: clips that pass", float(passed), "share", None, comment)
        yield Figure(f"{name}: elbows and knees that are stopped", float(stopped), "share")
    for number, recipe in enumerate(RECIPES):
        passed, stopped, turned = np.mean([result[number] for result in every], axis=0)
        targets = (None, None) if number else (PASSED, STOPPED)
        name, words = f"half {half}, {recipe.name}", f"n = {len(every)}"
        also = f"{words}; turned joints {turned:.2f}"
        yield Figure(f"{name}: pass", float(passed), "share", targets[0], also, at_least=True)
        yield Figure(f"{name}: stopped", float(stopped), "share", targets[1], words, at_least=True)


def _results(name: str, quick: bool) -> tuple[list[list[tuple[bool, bool, bool]]], str]:
    """By check and recipe: passes as it is, fault stopped, turned joint stopped; and the clips."""
    (pattern,) = (half[name] for half in HALVES.values() if name in half)
    clips = [read_motion(path) for path in sorted(shared("data/mocap").glob(pattern))]
    ends, used = _backward_ends(estimate(clips)), min(CLIPS, len(clips) - 1)
    random, results = np.random.default_rng([*map(ord, name)]), []
    for at, clip in enumerate(clips):
        others = [other for other in range(len(clips)) if other != at]
        for _ in range(1 if used < CLIPS else QUICK if quick else FULL):
            chosen = sorted(random.choice(others, used, replace=False).tolist())
            limit_set = estimate([clips[other] for other in chosen])
            results.append(_outcomes(limit_set, clip, ends, random))
    few = "" if used == CLIPS else " (too few for five)"
    return (
        results,
        f"{len(clips)} clips, limits of {used}{few}, n = {len(results)}; ends {ends[::2]}",
    )


def _backward_ends(limit_set: LimitSet) -> list[str]:
    """Straight ends of elbows and knees as "JOINT.CHANNEL.SIDE", read off the table of limits.

    The widest channel of the joint is the one that bends, and its end nearest to zero is straight.
    """
    found = []
    for name, part in body_parts(list(limit_set.joints)).items():
        if part in ("elbow", "knee"):
            axes = limit_set.joints[name].limits
            channel, axis = max(axes.items(), key=lambda pair: pair[1].width_deg)
            side = "min" if abs(axis.min_deg or 0.0) < abs(axis.max_deg or 0.0) else "max"
            found.append(f"{name}.{channel}.{side}")
    return found


def _outcomes(
    limit_set: LimitSet, clip: Motion, ends: Sequence[str], random: np.random.Generator
) -> list[tuple[bool, bool, bool]]:
    """Of each recipe: clip passes, fault is stopped at its limit, turned joint is stopped."""
    end = str(random.choice(list(ends)))
    bent = _bent(limit_set, clip, end, random)
    others = [name for name in limit_set if _turns(limit_set, name) and name not in end]
    joint = str(random.choice(others))
    turned = _turned(clip, joint, random)
    found = []
    for recipe in RECIPES:
        gate = recipe.gate(limit_set, ends)
        whole, faulty, wrong = (_judged(limit_set, one, gate) for one in (clip, bent, turned))
        failed = [
            f"{one.joint}.{one.channel}.{one.side}" for one in faulty.bounds if not one.passed
        ]
        is_stopped = any(not one.passed and one.joint == joint for one in wrong.bounds)
        found.append((all(one.passed for one in whole.bounds), end in failed, is_stopped))
    return found


def _judged(limit_set: LimitSet, clip: Motion, gate: Gate) -> Violations:
    return gate.judge(violations(limit_set, clip, gate.tolerance, branch="circle"))


def _turns(limit_set: LimitSet, name: str) -> bool:
    """Whether a joint is a ball or universal joint with limits."""
    joint = limit_set.joints[name]
    limited = any(axis.state == "limited" for axis in joint.limits.values())
    return joint.type in ("ball", "universal") and limited


def _bent(limit_set: LimitSet, clip: Motion, end: str, random: np.random.Generator) -> Motion:
    """Clip with a channel some degrees past an end for some frames."""
    name, channel, side = end.rsplit(".", 2)
    bound = limit_set.joints[name].limits[channel].bound_deg(side)
    assert bound is not None
    assert clip.rotates is not None
    skeleton = clip.skeleton
    joint, first = skeleton.index(name), int(random.uniform(0.2, 0.8) * clip.frame_count)
    rotates, frames = clip.rotates.copy(), slice(first, first + FRAMES)
    past = bound + (PAST_DEG if side == "max" else -PAST_DEG)
    rotates[joint, CHANNELS.index(channel), frames] = np.radians(past)
    rotations, order = clip.rotations.copy(), skeleton.rotate_orders[joint]
    how = skeleton.joint_orients[joint], skeleton.rotate_axes[joint], order
    rotations[joint, :, frames] = local_from_rotate(rotates[joint, :, frames].T, *how).T
    return replace(clip, rotates=rotates, rotations=rotations)


def _turned(clip: Motion, name: str, random: np.random.Generator) -> Motion:
    """Clip in which a joint is turned about a random axis all through."""
    axis, rotations = random.standard_normal(3), clip.rotations.copy()
    turn = quaternion_from_axis_angle(axis / np.linalg.norm(axis), np.radians(TURNED_DEG))
    joint = clip.skeleton.index(name)
    rotations[joint] = multiply(rotations[joint].T, turn).T
    return replace(clip, rotations=rotations, rotates=None)
