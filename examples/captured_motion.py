"""Motion that looks captured: poses and gaits, played by bodies that are never quite still.

A performer is a table: bones, poses and the times at which they are reached, and the cycles of a
gait. Curves run through the poses without stopping there; joints further from the root follow
later; every channel wanders and trembles a little, and the two sides are not alike. The feet that
are on the ground carry the body along.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from jointlimits_core.geometry.arrays import ArrayLike, Floats
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton

Angles = tuple[float, float, float]
Pose = Mapping[str, Angles]

RATE = 30.0
LAG = 0.02
"""Seconds that a joint follows behind its parent."""
WANDER_DEG, TREMBLE_DEG = 1.1, 0.05
WANDER_HERTZ = (0.17, 0.29, 0.53, 0.97)
SOFT_CM = 1.0
"""Height above the ground, in centimeters, at which a foot carries a third as much."""


@dataclass(frozen=True)
class Bone:
    """A joint and the bone below it; all joints are world-aligned at rest.

    Parameters
    ----------
    name, parent : str
        The root has the parent "".
    offset : (x, y, z)
        From the parent, in centimeters.
    order : str
        Rotate order as Maya names it.
    end : (x, y, z), optional
        End of the last bone of a limb.
    """

    name: str
    parent: str
    offset: Angles
    order: str = "yxz"
    end: Angles = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Gait:
    """Angles that repeat while it lasts, added to those of the poses.

    Parameters
    ----------
    begin, end, period : float
        Seconds.
    cycles : mapping of a joint and an axis, such as "LeftLeg x", to (phase, angles)
        Part of a period by which they come earlier, and degrees at even steps of one period.
    """

    begin: float
    end: float
    period: float
    cycles: Mapping[str, tuple[float, Sequence[float]]]


@dataclass(frozen=True)
class Fault:
    """A joint that the capture loses: turned by some degrees in a few frames."""

    joint: str
    first: int
    last: int
    degrees: Angles


@dataclass(frozen=True)
class Performer:
    """What moves, and how.

    Parameters
    ----------
    score : list of (seconds, pose)
        Degrees of every joint that is not at rest. Angles of joints called "Right" are those of the
        mirrored left one.
    feet : mapping of joint to height
        Centimeters above the ground at which a joint stands; without any, the root stays.
    alive : float
        Part of the usual wander and tremble.
    """

    name: str
    bones: Sequence[Bone]
    score: Sequence[tuple[float, Pose]]
    gait: Gait | None = None
    feet: Mapping[str, float] = field(default_factory=dict)
    alive: float = 1.0
    fault: Fault | None = None
    seed: int = 1


def _through(times: ArrayLike, values: ArrayLike, at: Floats) -> Floats:
    """Smooth curve through every value, which slows down only where it turns."""
    t, v = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
    steps = np.diff(t)
    slopes = np.diff(v) / steps
    before, after = slopes[:-1], slopes[1:]
    both = np.where(before * after > 0.0, before + after, np.inf)
    ends = np.concatenate([[0.0], 2.0 * before * after / both, [0.0]])  # their harmonic mean
    k = np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(steps) - 1)
    u = np.clip((at - t[k]) / steps[k], 0.0, 1.0)
    rise, fall = u * u * (3.0 - 2.0 * u), 1.0 - u
    bend = steps[k] * (u * fall * fall * ends[k] - u * u * fall * ends[k + 1])
    return np.asarray(v[k] + rise * (v[k + 1] - v[k]) + bend)


def _repeating(angles: Sequence[float], phase: Floats) -> Floats:
    """Smooth curve through angles at even steps of a phase, which repeats at 1."""
    spectrum = np.fft.rfft(angles)
    keep = np.arange(len(spectrum))
    turn = np.exp(2j * np.pi * np.outer(phase, keep))
    weight = np.where((keep == 0) | (2 * keep == len(angles)), 1.0, 2.0)
    return np.asarray((turn * (weight * spectrum)).real.sum(axis=1) / len(angles))


def _restless(generator: random.Random, seconds: Floats, alive: float) -> Floats:
    """Degrees by which a channel wanders and trembles."""
    wander = np.zeros_like(seconds)
    for hertz in WANDER_HERTZ:
        phase, size = 6.28 * generator.random(), generator.random() / len(WANDER_HERTZ)
        wander += size * np.sin(2 * np.pi * hertz * seconds + phase)
    # The sum of twelve numbers of 0..1 is nearly normal, and the same on every machine.
    tremble = [sum(generator.random() for _ in range(12)) - 6.0 for _ in seconds]
    return alive * (WANDER_DEG * wander + TREMBLE_DEG * np.array(tremble))


def _degrees(performer: Performer, seconds: Floats) -> Floats:
    """Rotate channels, shape (joints, 3, frames)."""
    generator, depth = random.Random(performer.seed), {"": -1}
    times = [time for time, _ in performer.score]
    found = np.empty((len(performer.bones), 3, len(seconds)))
    for index, bone in enumerate(performer.bones):
        depth[bone.name] = depth[bone.parent] + 1
        at = seconds - LAG * depth[bone.name]
        for axis in range(3):
            values = [pose.get(bone.name, (0.0, 0.0, 0.0))[axis] for _, pose in performer.score]
            found[index, axis] = _through(times, values, at)
            found[index, axis] += _stepping(performer.gait, f"{bone.name} {'xyz'[axis]}", at)
            found[index, axis] += _restless(generator, seconds, performer.alive)
        if bone.name.startswith("Right"):
            found[index, 1:] *= -1.0
        if performer.fault is not None and performer.fault.joint == bone.name:
            lost = slice(performer.fault.first, performer.fault.last + 1)
            found[index, :, lost] += np.array(performer.fault.degrees)[:, None]
    return found


def _stepping(gait: Gait | None, channel: str, at: Floats) -> Floats:
    if gait is None or channel not in gait.cycles:
        return np.zeros_like(at)
    size = np.interp(at, [gait.begin, gait.begin + 0.6, gait.end - 0.6, gait.end], [0, 1, 1, 0])
    size = size * size * (3.0 - 2.0 * size)
    phase, angles = gait.cycles[channel]
    return size * _repeating(angles, phase + (at - gait.begin) / gait.period)


def _carried(motion: Motion, feet: Mapping[str, float]) -> Floats:
    """Path of the root on which feet on the ground stay where they are, shape (frames, 3)."""
    matrices = motion.all_world_matrices()
    names = list(motion.skeleton.names)
    places = np.stack([matrices[:, names.index(name), :3, 3] for name in feet])
    above = places[..., 1] - np.array(list(feet.values()))[:, None]
    lowest = above.min(axis=0)
    load = np.exp((lowest - above) / SOFT_CM)
    load /= load.sum(axis=0)
    steps = np.diff(places, axis=1) * (0.5 * (load[:, 1:] + load[:, :-1]))[..., None]
    path = np.zeros((motion.frame_count, 3))
    path[1:] = -np.cumsum(steps.sum(axis=0), axis=0)
    path[:, 1] = -lowest
    window = np.hanning(9)[1:-1]
    padded = np.pad(path, ((3, 3), (0, 0)), mode="edge")
    smooth = [np.convolve(column, window / window.sum(), mode="valid") for column in padded.T]
    return np.stack(smooth, axis=1)


def _rounded(values: Floats) -> Floats:
    # In two steps: a tie must not hang on the last bit of somebody's cosine.
    return np.asarray(np.round(np.round(values, 7), 2) + 0.0)


def perform(performer: Performer) -> Motion:
    """Motion of a performer, in whole hundredths of a degree and of a centimeter."""
    bones = performer.bones
    names = [bone.name for bone in bones]
    skeleton = Skeleton(
        names=tuple(names),
        parents=np.array([names.index(bone.parent) if bone.parent else -1 for bone in bones]),
        offsets=np.array([bone.offset for bone in bones]),
        rotate_orders=tuple(bone.order for bone in bones),
        name=performer.name,
        meters_per_unit=0.01,
    )
    seconds = np.arange(round(performer.score[-1][0] * RATE)) / RATE
    degrees = _rounded(_degrees(performer, seconds))
    made = skeleton, np.radians(degrees), np.arange(len(seconds)), RATE, performer.name
    path = np.tile(skeleton.offsets[0], (len(seconds), 1))
    if performer.feet:
        path = _rounded(path + _carried(Motion.from_rotates(*made), performer.feet))
    return Motion.from_rotates(*made, translations={0: path})
