"""What an estimate pays for, and what nobody can leave out: calls and single passes."""

from __future__ import annotations

import cProfile
import hashlib
import pstats
import re
import sys
import time
import timeit
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from jointlimits_core.estimation.pipeline import estimate, estimate_from_summary, summarize
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.euler import euler_from_quaternion, local_from_rotate
from jointlimits_core.geometry.quaternion import multiply, normalized
from jointlimits_core.motion.motion import Motion

from .character import character
from .figures import Figure, benchmark, best_seconds, shared
from .motion_files import channel_values, maya_text
from .other_readers import AMC_READERS, CLIP, reading, without_comments
from .reading import FRAMES, JOINTS, QUICK_FRAMES, written

BLOCK = 8
"""Joints of 10,000 frames that fit the cache together."""


@benchmark
def passes(quick: bool) -> Iterator[Figure]:
    """One look at every number, joints that fit the cache at a time."""
    joints, frames = 100, 1000 if quick else 10_000
    motion = character(joints, frames, channels=True)
    rotations, rotates = motion.rotations, motion.rotates
    assert rotates is not None
    looks: dict[str, Callable[[Floats, Floats], object]] = {
        "moments of the rotations": lambda q, r: q @ np.swapaxes(q, 1, 2),
        "steps of the rotations, and sudden ones": lambda q, r: _sudden(
            np.arccos(np.minimum(np.abs(np.einsum("jkf,jkf->jf", q[..., :-1], q[..., 1:])), 1.0))
        ),
        "turns that differ": lambda q, r: (
            np.einsum("jkf,jkf->jf", q[..., :-2], q[..., 2:]) - q[:, 0, 2:] ** 2
        ).min(axis=1),
        "hinge angles of the rotations": lambda q, r: (q[:, :1] / q[:, 1:2]).argmax(axis=2),
        "extremes of the channels": lambda q, r: (r.min(axis=2), r.max(axis=2)),
        "near both ends of the channels": lambda q, r: [
            np.diff(r > 0.0, axis=2).sum(axis=2) for _ in range(2)
        ],
        "held at both ends of the channels": lambda q, r: [
            np.minimum(np.minimum(r[..., :-2], r[..., 1:-1]), r[..., 2:]).argmax(axis=2)
            for _ in range(2)
        ],
        "frames beside gaps of the channels": lambda q, r: ((r <= -0.1) | (r >= 0.1)).sum(),
        "parts of the circle that are filled, by a fifth of the frames": lambda q, r: np.bincount(
            (r[..., ::5] * 180.0).astype(np.intp).ravel() + 1000
        ),
        "extremes of stretches": lambda q, r: [
            end.reduceat(r, np.arange(16) * r.shape[2] // 16, axis=2)
            for end in (np.minimum, np.maximum)
        ],
        "numbers that are none": lambda q, r: q.sum(),
    }
    blocks = [slice(start, start + BLOCK) for start in range(0, joints, BLOCK)]
    took = {}
    for name, look in looks.items():
        took[name] = best_seconds(lambda: [look(rotations[b], rotates[b]) for b in blocks], 15)  # noqa: B023 - called at once
        yield Figure(f"{name}, {joints} x {frames:,}", 1e3 * took[name], "ms")
    summary = summarize([motion])
    rest = best_seconds(lambda: estimate_from_summary(summary), 15)
    yield Figure(f"estimate from the summary, {joints} x {frames:,}", 1e3 * rest, "ms")
    only = replace(motion, rotates=None)
    euler = best_seconds(lambda: euler_from_quaternion(np.swapaxes(rotations, 1, 2)), 3)
    yield Figure(f"Euler angles of the rotations, {joints} x {frames:,}", 1e3 * euler, "ms")
    least = sum(took.values()) + rest
    for source, one, bare in (("channels", motion, least), ("quaternions", only, least + euler)):
        whole = best_seconds(lambda: estimate(one), 5)  # noqa: B023 - called at once
        words = f"{1e3 * bare:.3g} beside {1e3 * whole:.3g} ms; jumps of single joints not counted"
        name = f"all of these / estimate, {joints} x {frames:,}, {source}"
        yield Figure(name, bare / whole, "x", None, words, at_least=True)


def _sudden(steps: Floats) -> object:
    """How many joints take a step twice as large as the one before, the one after, and both."""
    half, larger = 0.5 * steps, np.maximum(steps[:, :-1], steps[:, 1:])
    begins, ends = half[:, 2:] > larger[:, :-1], half[:, :-2] > larger[:, 1:]
    return [one.sum(axis=0, dtype=np.int32) for one in (begins, ends, begins & ends)]


@benchmark
def calls(quick: bool) -> Iterator[Figure]:
    """Calls that an estimate of a short clip makes, at the price of the cheapest one."""
    motion = character(30, 100, channels=True)
    estimate(motion)
    found = {"call": 0, "c_call": 0}

    def count(frame: object, event: str, argument: object) -> None:
        if event in found:
            found[event] += 1

    sys.setprofile(count)
    try:
        estimate(motion)
    finally:
        sys.setprofile(None)
    small, out = np.zeros((30, 3)), np.zeros((30, 3))
    many = range(1000)
    few = character(10, 40, channels=True)
    least = best_seconds(lambda: estimate(few), 10 if quick else 50)
    price = best_seconds(lambda: [np.add(small, small, out=out) for _ in many], 20) / len(many)
    whole = best_seconds(lambda: estimate(motion), 10 if quick else 50)
    what = f"functions of Python, operators left out; the whole takes {1e3 * whole:.3g} ms"
    yield Figure("calls of functions in C, 30 x 100", found["c_call"], "", None, "operators not in")
    yield Figure("calls of functions in Python, 30 x 100", found["call"], "")
    yield Figure("estimate of 10 x 40: nearly the same calls, hardly any data", 1e3 * least, "ms")
    name = "as many calls as of C at np.add of 90 numbers"
    yield Figure(name, 1e3 * price * found["c_call"], "ms", None, what)


@benchmark
def profile(quick: bool) -> Iterator[Figure]:
    """Where an estimate takes its time: functions that take 4 % or more, with what they call."""
    for joints, frames, repeats in ((30, 100, 50), (100, 1000 if quick else 10_000, 3)):
        motion = character(joints, frames, channels=True)
        estimate(motion)
        run = cProfile.Profile(time.process_time)
        run.runcall(lambda: [estimate(motion) for _ in range(repeats)])  # noqa: B023
        stats: Any = pstats.Stats(run)
        rows = {
            f"{Path(file).stem}.{name}": row
            for (file, _, name), row in stats.stats.items()
            if "jointlimits_core" in file
        }
        whole = rows["pipeline.estimate"][3]
        for name, (_, count, own, total, _) in sorted(rows.items(), key=lambda one: -one[1][3]):
            if 0.04 * whole <= total and "<" not in name:
                what = f"{1e3 * own / repeats:.3g} ms its own, called {count // repeats} x"
                label = f"{name}, {joints} x {frames:,}"
                yield Figure(label, 1e3 * total / repeats, "ms", None, what)


@benchmark
def few(quick: bool) -> Iterator[Figure]:
    """Kernels of 31 rotations: the calls of their formulas, with nothing between them."""
    q = normalized(np.random.default_rng(7).normal(size=(31, 4)))
    euler = (
        (1, 2, "arctan2 multiply subtract subtract add"),
        (2, 1, "negative sqrt floor"),
        (2, 2, "arctan2 add add divide multiply subtract maximum"),
        (4, 2, "subtract multiply"),
    )
    compose = ((16, 2, "multiply multiply"), (4, 2, "add add add"))
    yield _few("Euler angles", euler, (8,), lambda: euler_from_quaternion(q))
    yield _few("compose", compose, (16, 16), lambda: multiply(q, q))


def _few(
    name: str,
    steps: Iterable[tuple[int, int, str]],
    taken: tuple[int, ...],
    kernel: Callable[[], object],
) -> Figure:
    """Calls on rows of 31 numbers, and some that take rows; each step: rows, inputs, functions."""
    calls: list[tuple[np.ufunc, tuple[Floats, ...], Floats]] = []
    for rows, inputs, names in steps:
        given, made = np.ones((rows, 31)), np.ones((rows, 31))
        calls += [(getattr(np, each), (given,) * inputs, made) for each in names.split()]
    components, four = [np.arange(count) % 4 for count in taken], np.ones((4, 31))

    def bare() -> None:
        for each in components:
            four.take(each, axis=0)
        for call, arguments, out in calls:
            call(*arguments, out=out)

    least, ours = (
        min(timeit.repeat(work, timer=time.process_time, number=300, repeat=40)) / 300
        for work in (bare, kernel)
    )
    comment = f"{1e6 * least:.3g} us beside {1e6 * ours:.3g}"
    label = f"{len(taken) + len(calls)} bare calls / {name} of 31"
    return Figure(label, least / ours, "x", None, comment, at_least=True)


@benchmark
def amc(quick: bool) -> Iterator[Figure]:
    """An AMC clip: hash, numbers by one call of numpy, and turns, beside reading it."""
    skeleton, clip = shared(f"{CLIP[: CLIP.rindex('_')]}.asf"), shared(f"{CLIP}.amc")
    with without_comments(clip) as path:
        words = [word for word in path.read_bytes().split() if word[:1] in b"-.0123456789"]
        bare = _bare(path, [b" ".join(words)], read_motion(path, skeleton=skeleton))
        least = best_seconds(bare, 3 if quick else 15)
        yield _beside(path.name, least, lambda: read_motion(path, skeleton=skeleton), quick)
        for reader in AMC_READERS:
            if find_spec(reader.module.partition(".")[0]) is not None:
                theirs = best_seconds(reading(reader, path), 3)
                name = f"{reader.package} / hash, numbers and turns alone"
                yield Figure(name, theirs / least, "x", None, "no reader of numpy gains more")


@benchmark
def maya_ascii(quick: bool) -> Iterator[Figure]:
    """The same for a scene with a key on every frame: a list of numbers for every channel."""
    values = channel_values(JOINTS, QUICK_FRAMES if quick else FRAMES)
    with written(("scene.ma", maya_text(values))) as (path,):
        lists = re.findall(rb'\.ktv\[.*?\]" ([^;]*)', path.read_bytes())
        least = best_seconds(_bare(path, lists, read_motion(path)), 3 if quick else 15)
        yield _beside(path.name, least, lambda: read_motion(path), quick)


def _bare(path: Path, lists: list[bytes], motion: Motion) -> Callable[[], None]:
    """Hash of a file, its lists of numbers each by one call of numpy, and the turns of a motion."""
    bones = motion.skeleton
    frames = list(zip(bones.joint_orients, bones.rotate_axes, bones.rotate_orders))
    assert motion.rotates is not None
    angles = list(np.ascontiguousarray(np.swapaxes(motion.rotates, 1, 2)))

    def bare() -> None:
        hashlib.sha256(path.read_bytes())
        for one in lists:
            np.loadtxt([one], comments=None)
        for rotate, frame in zip(angles, frames):
            local_from_rotate(rotate, *frame)

    return bare


def _beside(file: str, least: float, read: Callable[[], object], quick: bool) -> Figure:
    """What reading must take beside what it takes."""
    ours = best_seconds(read, 3 if quick else 15)
    comment = f"{1e3 * least:.3g} ms beside {1e3 * ours:.3g}"
    name = f"hash, numbers and turns alone / read {file}"
    return Figure(name, least / ours, "x", None, comment, at_least=True)
