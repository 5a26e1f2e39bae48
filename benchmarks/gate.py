"""Quality of a gate with limits from five clips of a performer (recipe: docs/command_line.md).

Every clip is checked against limits of five others, drawn by seed. If a subject has fewer clips,
all the others make the limits. A fault is one elbow or knee set 20 degrees past the stretched end
of these limits, or past straight if they end short of it, for 10 frames; it is stopped if that very
limit fails. Another fault turns one other joint for the whole clip; no target, it says what the
rules for all other joints still stop.

The recipe was chosen on half A, also with limits of two and three clips; half B was run once, at
the end. (An earlier recipe, without straight ends, had been run on B before: 0.91 pass.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.evaluation.gate import Gate
from jointlimits_core.evaluation.violations import violations
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.euler import CHANNELS, local_from_rotate
from jointlimits_core.geometry.quaternion import multiply, quaternion_from_axis_angle
from jointlimits_core.limits.layers import with_edits
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.priors import body_parts
from jointlimits_core.limits.records import ArtistEdit
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
PAST_DEG, FRAMES = (20.0, 12.0, 16.0, 30.0), 10
"""Faults at an elbow or knee; the first has the target."""
TURNED_DEG = (120.0, 60.0, 90.0, 180.0)
"""Faults of a whole clip; the first is the one that recipes are compared by."""


@dataclass(frozen=True)
class Recipe:
    """Values for all limits, and for the backward ends of elbows and knees."""

    name: str
    tolerance_deg: float
    for_frames: int
    allow_percent: float
    end_deg: float = 15.0
    """Tolerance at the backward ends, where a single frame counts and none is allowed."""
    straight: bool = True
    """Whether limits that end bent are moved to straight."""

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
    Recipe("the recipe, without straight ends", 60, 30, 50, straight=False),
)
"""Gates: the recipe first; the others show its trade-offs."""


@benchmark
def half_a(quick: bool) -> Iterator[Figure]:
    """CMU 01 and 07, and the first character of Bandai."""
    yield from _half("A", quick)


@benchmark
def half_b(quick: bool) -> Iterator[Figure]:
    """CMU 02, 13 and 49, and the second character of Bandai."""
    yield from _half("B", quick)


class Outcome(NamedTuple):
    """Verdicts of a gate about a clip, unchanged and with faults."""

    passed: bool
    stopped: list[bool]
    """Verdicts by degrees past the end."""
    turned: list[bool]
    """Verdicts by degrees about a random axis."""


def _half(half: str, quick: bool) -> Iterator[Figure]:
    subjects = {name: _results(name, quick) for name in HALVES[half]}
    for name, (results, words) in subjects.items():
        passed, (stopped, *_), (turned, *_) = _shares([result[0] for result in results])
        comment = f"{words}; turned joints {turned:.2f}"
        yield Figure(f"{name}: clips that pass", passed, "share", None, comment)
        yield Figure(f"{name}: elbows and knees that are stopped", stopped, "share")
    every = [result for results, _ in subjects.values() for result in results]
    for number, recipe in enumerate(RECIPES):
        passed, (stopped, *past), (turned, *angles) = _shares([result[number] for result in every])
        targets = (None, None) if number else (PASSED, STOPPED)
        name, words = f"half {half}, {recipe.name}", f"n = {len(every)}"
        also = f"{words}; turned joints {turned:.2f}"
        yield Figure(f"{name}: pass", passed, "share", targets[0], also, at_least=True)
        yield Figure(f"{name}: stopped", stopped, "share", targets[1], words, at_least=True)
        if not number:
            for degrees, share in zip(PAST_DEG[1:], past):
                yield Figure(f"{name}: {degrees:g} degrees past, stopped", share, "share")
            for degrees, share in zip(TURNED_DEG, [turned, *angles]):
                yield Figure(f"{name}: turned by {degrees:g}, stopped", share, "share")


def _shares(outcomes: Sequence[Outcome]) -> tuple[float, list[float], list[float]]:
    """Shares of clips that pass, and of the faults of each size that are stopped."""
    passed, stopped, turned = (np.mean(part, axis=0) for part in zip(*outcomes))
    return float(passed), stopped.tolist(), turned.tolist()


def _results(name: str, quick: bool) -> tuple[list[list[Outcome]], str]:
    """Verdicts of the gate by check and recipe, and a description of the clips."""
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


def _straightened(limit_set: LimitSet, ends: Sequence[str]) -> LimitSet:
    """Limits whose backward ends reach straight, as ``edit --set END=0`` does; others stay."""
    edits = []
    for end in ends:
        name, channel, side = end.rsplit(".", 2)
        bound = limit_set.joints[name].limits[channel].bound_deg(side)
        if bound is not None and (bound > 0.0 if side == "min" else bound < 0.0):
            edits.append(ArtistEdit(name, side, channel, 0.0))
    return with_edits(limit_set, edits)


def _outcomes(
    limit_set: LimitSet, clip: Motion, ends: Sequence[str], random: np.random.Generator
) -> list[Outcome]:
    """Verdict of each recipe's gate about a clip and its faults."""
    straight, end = _straightened(limit_set, ends), str(random.choice(list(ends)))
    first = int(random.uniform(0.2, 0.8) * clip.frame_count)
    bent = [_bent(straight, clip, end, first, past) for past in PAST_DEG]
    others = [name for name in limit_set if _turns(limit_set, name) and name not in end]
    joint, axis = str(random.choice(others)), random.standard_normal(3)
    turned = [_turned(clip, joint, axis, degrees) for degrees in TURNED_DEG]
    found = []
    for recipe in RECIPES:
        limits = straight if recipe.straight else limit_set
        gate, sizes = recipe.gate(limits, ends), None if recipe is RECIPES[0] else 1
        failed, at_end, at_joint = (
            [_failed(limits, one, gate) for one in clips]
            for clips in ([clip], bent[:sizes], turned[:sizes])
        )
        stopped = [end in places for places in at_end]
        wrong = [any(place.startswith(f"{joint}.") for place in places) for places in at_joint]
        found.append(Outcome(not failed[0], stopped, wrong))
    return found


def _failed(limit_set: LimitSet, clip: Motion, gate: Gate) -> list[str]:
    """Limits that fail, as "JOINT.CHANNEL.SIDE"."""
    found = gate.judge(violations(limit_set, clip, gate.tolerance, branch="circle"))
    return [f"{one.joint}.{one.channel}.{one.side}" for one in found.bounds if not one.passed]


def _turns(limit_set: LimitSet, name: str) -> bool:
    """Whether a joint is a ball or universal joint with limits."""
    joint = limit_set.joints[name]
    limited = any(axis.state == "limited" for axis in joint.limits.values())
    return joint.type in ("ball", "universal") and limited


def _bent(limit_set: LimitSet, clip: Motion, end: str, first: int, degrees: float) -> Motion:
    """Clip with a channel some degrees past an end for some frames."""
    name, channel, side = end.rsplit(".", 2)
    bound = limit_set.joints[name].limits[channel].bound_deg(side)
    assert bound is not None
    assert clip.rotates is not None
    skeleton = clip.skeleton
    joint, frames = skeleton.index(name), slice(first, first + FRAMES)
    rotates, past = clip.rotates.copy(), bound + (degrees if side == "max" else -degrees)
    rotates[joint, CHANNELS.index(channel), frames] = np.radians(past)
    rotations, order = clip.rotations.copy(), skeleton.rotate_orders[joint]
    how = skeleton.joint_orients[joint], skeleton.rotate_axes[joint], order
    rotations[joint, :, frames] = local_from_rotate(rotates[joint, :, frames].T, *how).T
    return replace(clip, rotates=rotates, rotations=rotations)


def _turned(clip: Motion, name: str, axis: Floats, degrees: float) -> Motion:
    """Clip in which a joint is turned about an axis throughout."""
    turn = quaternion_from_axis_angle(axis / np.linalg.norm(axis), np.radians(degrees))
    joint, rotations = clip.skeleton.index(name), clip.rotations.copy()
    rotations[joint] = multiply(rotations[joint].T, turn).T
    return replace(clip, rotations=rotations, rotates=None)
