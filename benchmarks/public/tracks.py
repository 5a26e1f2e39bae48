"""The tracks of the public benchmark; all but the gate are those of the other benchmarks."""

from __future__ import annotations

import math
from collections.abc import Iterator

from .. import bodies_recorded, functional_joints, ik, people, shapes, types
from ..figures import Figure, SkippedError, benchmark
from .gate_track import FAULTS, Score, gate_scores, mean_of
from .methods import CURVE, METHODS
from .solver_track import shoulders_in_mink
from .splits import user_copy

OUTSIDE_TARGET = 3.0
CAUGHT_TARGETS = (99.0, 35.0, 70.0, 99.0)


@benchmark
def gate(quick: bool) -> Iterator[Figure]:
    """Held-out frames outside, what is caught, and the share of rotations that is allowed."""
    methods = METHODS if quick else (*METHODS, *CURVE)
    scores = gate_scores(user_copy(), quick, methods)
    for number, method in enumerate(methods):
        own = [score for score in scores if score.method == method.name]
        for half in ("", "A", "B"):
            is_aim = number == 0 and not half and not quick
            name = f"{method.name}, {f'half {half}' if half else 'all'}"
            some = [score for score in own if half in ("", score.half)]
            yield from _gate_figures(name, mean_of(some), some, is_aim)
        for score in own:
            value = math.nan if score.outside is None else score.outside
            about = f"missing: {score.missing}" if score.missing else f"{score.frames} frames"
            yield Figure(f"{method.name}, person {score.person}: outside", value, "%", None, about)


def _gate_figures(
    name: str, mean: Score | None, own: list[Score], is_aim: bool
) -> Iterator[Figure]:
    """Figures of a mean over people; NaN if any of them is missing."""
    lost = ", ".join(score.person for score in own if score.missing)
    about = f"{mean.frames} frames, {len(own)} people" if mean else f"missing: {lost}"
    outside, allowed = (math.nan, math.nan) if mean is None else (mean.outside, mean.allowed)
    target = OUTSIDE_TARGET if is_aim else None
    yield Figure(f"{name}: outside", float(outside or 0.0), "%", target, about)
    for kind, aim in zip(FAULTS, CAUGHT_TARGETS):
        caught = mean.caught[kind] if mean else math.nan
        yield Figure(f"{name}: {kind}", caught, "%", aim if is_aim else None, "", True)
    yield Figure(f"{name}: allowed", float(allowed or 0.0), "%")


@benchmark
def joint_type(quick: bool) -> Iterator[Figure]:
    """Types compared with those that authors declare, clean and with five perturbations."""
    yield from types.half_b(quick)
    yield from types.as_the_paper_prints(quick)


@benchmark
def hinge(quick: bool) -> Iterator[Figure]:
    """Hinges by the distance of ArticulateArena, made with known truth."""
    yield from functional_joints.arena(quick)


@benchmark
def nearest_rotation(quick: bool) -> Iterator[Figure]:
    """Projections compared with the true nearest rotations, and projected again."""
    yield from shapes.nearness(quick)


@benchmark
def inverse_kinematics(quick: bool) -> Iterator[Figure]:
    """Bodies found again from hands, feet and head under limits of every form."""
    _reject_quick(quick)
    yield from ik.from_t_pose(quick)


@benchmark
def solver(quick: bool) -> Iterator[Figure]:
    """Hands that reach for random targets in mink, with and without rows of coupled limits."""
    yield from shoulders_in_mink(quick)


@benchmark
def carry_over(quick: bool) -> Iterator[Figure]:
    """Limits of people on skeletons of other makers."""
    yield from people.carried(quick)


@benchmark
def loose_bodies(quick: bool) -> Iterator[Figure]:
    """Skeletons from unlabelled bodies under white noise."""
    _reject_quick(quick)
    yield from bodies_recorded.white_noise(quick)


def _reject_quick(quick: bool) -> None:
    """Say that a track would take longer than the whole quick form may."""
    if quick:
        raise SkippedError("only without --quick")
