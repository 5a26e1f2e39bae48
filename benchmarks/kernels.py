"""Rotation formulas, a million and one frame of a skeleton at once, beside other libraries."""

from __future__ import annotations

import contextlib
import time
import timeit
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.euler import euler_from_quaternion
from jointlimits_core.geometry.quaternion import (
    matrix_from_quaternion,
    multiply,
    normalized,
    rotation_vector_from_quaternion,
)

from .figures import Figure, benchmark

MANY, QUICK_MANY = 1_000_000, 100_000
FEW = 31
"""Joints of one skeleton."""
Work = Callable[[Floats, Floats], object]
"""What is done with two stacks of quaternions (x, y, z, w)."""
Key = tuple[str, str]
"""Whose formula, and which."""

OURS: dict[str, Work] = {
    "compose": multiply,
    "log": lambda q, p: rotation_vector_from_quaternion(q),
    "Euler": lambda q, p: euler_from_quaternion(q),
    "matrix": lambda q, p: matrix_from_quaternion(q),
}
TARGETS_NS = {"compose": 35.0, "log": 60.0, "Euler": 70.0, "matrix": 60.0}
TARGETS_US = {"compose": 7.0, "Euler": 7.0}


def _scipy(q: Floats, p: Floats) -> dict[str, Callable[[], object]]:
    from scipy.spatial.transform import Rotation

    a, b = Rotation.from_quat(q), Rotation.from_quat(p)
    return {
        "compose": lambda: a * b,
        "log": a.as_rotvec,
        "Euler": lambda: a.as_euler("xyz"),
        "matrix": a.as_matrix,
    }


def _numpy_quaternion(q: Floats, p: Floats) -> dict[str, Callable[[], object]]:
    import quaternion

    a, b = (quaternion.from_float_array(np.roll(one, 1, axis=1)) for one in (q, p))
    return {
        "compose": lambda: a * b,
        "log": lambda: quaternion.as_rotation_vector(a),
        "matrix": lambda: quaternion.as_rotation_matrix(a),
    }


def _rowan(q: Floats, p: Floats) -> dict[str, Callable[[], object]]:
    import rowan

    a, b = (np.roll(one, 1, axis=1) for one in (q, p))
    return {
        "compose": lambda: rowan.multiply(a, b),
        "Euler": lambda: rowan.to_euler(a, "xyz", "extrinsic"),
        "matrix": lambda: rowan.to_matrix(a),
    }


def _pytransform3d(q: Floats, p: Floats) -> dict[str, Callable[[], object]]:
    from pytransform3d import batch_rotations

    a, b = (np.roll(one, 1, axis=1) for one in (q, p))
    return {
        "compose": lambda: batch_rotations.batch_concatenate_quaternions(a, b),
        "log": lambda: batch_rotations.axis_angles_from_quaternions(a),
        "matrix": lambda: batch_rotations.matrices_from_quaternions(a, normalize_quaternions=False),
    }


OTHERS = {
    "SciPy": _scipy,
    "numpy-quaternion": _numpy_quaternion,
    "rowan": _rowan,
    "pytransform3d": _pytransform3d,
}


@benchmark
def many(quick: bool) -> Iterator[Figure]:
    """A clip: every rotation of it in one call."""
    count = QUICK_MANY if quick else MANY
    yield from _compared(count, "ns", 1e9 / count, TARGETS_NS, 3 if quick else 7, 1)


@benchmark
def few(quick: bool) -> Iterator[Figure]:
    """One frame of a skeleton: what a call costs, whatever it does."""
    yield from _compared(FEW, "us", 1e6, TARGETS_US, 10 if quick else 40, 300)


def _compared(
    count: int, unit: str, scale: float, targets: Mapping[str, float], repeats: int, calls: int
) -> Iterator[Figure]:
    """Each formula of `count` rotations, and how many times as long others take."""
    random = np.random.default_rng(7)
    q, p = normalized(random.normal(size=(2, count, 4)))
    works: dict[Key, Callable[[], object]]
    works = {("ours", kind): partial(work, q, p) for kind, work in OURS.items()}
    for name, made in OTHERS.items():
        with contextlib.suppress(ImportError):
            works.update(((name, kind), work) for kind, work in made(q, p).items())
    seconds = _in_turns(works, repeats, calls)
    for kind in OURS:
        ours, label = seconds["ours", kind], f"{kind} of {count:,}"
        yield Figure(label, scale * ours, unit, targets.get(kind), "its target")
        for name in OTHERS:
            if (name, kind) in seconds:
                other = seconds[name, kind]
                what = f"{name} takes {scale * other:.3g} {unit}"
                yield Figure(
                    f"{name} / ours, {label}", other / ours, "x", None, what, at_least=True
                )


def _in_turns(
    works: Mapping[Key, Callable[[], object]], repeats: int, calls: int
) -> dict[Key, float]:
    """Smallest processor time of a call of each, in turn: a busy moment falls on all of them."""
    timers = {key: timeit.Timer(work, timer=time.process_time) for key, work in works.items()}
    best = dict.fromkeys(works, float("inf"))
    for _ in range(repeats):
        for key, timer in timers.items():
            best[key] = min(best[key], timer.timeit(calls) / calls)
    return best
