"""What the parts of an estimate cost that nobody can leave out: single passes, and the records."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from jointlimits_core.estimation import estimate
from jointlimits_core.geometry import Floats

from .character import character
from .figures import Figure, benchmark, best_seconds

BLOCK = 4
"""Joints of 10,000 frames that fit the cache together."""


@benchmark
def passes(quick: bool) -> Iterator[Figure]:
    """One look at every number, joints that fit the cache at a time."""
    joints, frames = 100, 1000 if quick else 10_000
    motion = character(joints, frames, channels=True)
    rotations, rotates = motion.rotations, motion.rotates
    assert rotates is not None
    looks: dict[str, Callable[[Floats, Floats], object]] = {
        "copy of the rotations": lambda q, r: q.copy(),
        "moments of the rotations": lambda q, r: q @ np.swapaxes(q, 1, 2),
        "extremes of the channels": lambda q, r: (r.min(axis=2), r.max(axis=2)),
        "largest step of the channels": lambda q, r: np.abs(np.diff(r, axis=2)).max(axis=2),
        "numbers that are none, in both": lambda q, r: (np.isfinite(q).all(), np.isfinite(r).all()),
    }
    blocks = [slice(start, start + BLOCK) for start in range(0, joints, BLOCK)]
    for name, look in looks.items():
        seconds = best_seconds(lambda: [look(rotations[b], rotates[b]) for b in blocks], 15)  # noqa: B023 - called at once
        yield Figure(f"{name}, {joints} x {frames:,}", 1e3 * seconds, "ms")


@benchmark
def records(quick: bool) -> Iterator[Figure]:
    """Dataclasses of the limit set of one character, made again from existing values."""
    joints, frames = 30, 100
    limit_set = estimate(character(joints, frames, channels=True))
    known = [(type(one), _values(one)) for one in _inside(limit_set)]
    gc.collect()
    seconds = best_seconds(lambda: [make(**values) for make, values in known], 50)
    label = f"{len(known)} records of a limit set, {joints} joints"
    yield Figure(label, 1e3 * seconds, "ms", None, f"part of estimate, {joints} x {frames}")


@benchmark
def leanest(quick: bool) -> Iterator[Figure]:
    """Spreads and ranges alone, from keys: the fewest calls of numpy, beside the whole estimate."""
    for joints, frames in ((30, 100), (100, 1000 if quick else 10_000)):
        motion = character(joints, frames, channels=True)
        rotations, rotates = motion.rotations, motion.rotates
        assert rotates is not None
        looks: tuple[Callable[[], object], Callable[[], object]] = (
            lambda: np.linalg.eigvalsh(rotations @ np.swapaxes(rotations, 1, 2)),  # noqa: B023
            lambda: (rotates.min(axis=2), rotates.max(axis=2)),  # noqa: B023
        )
        repeats = 50 if frames == 100 else 7
        least = best_seconds(lambda: [look() for look in looks], repeats)  # noqa: B023
        whole = best_seconds(lambda: estimate(motion), repeats)  # noqa: B023
        what = f"{1e3 * least:.3g} ms beside {1e3 * whole:.3g}"
        label = f"leanest numpy / estimate, {joints} x {frames:,}"
        yield Figure(label, least / whole, "x", None, what, at_least=True)


def _values(record: Any) -> dict[str, Any]:
    return {field.name: getattr(record, field.name) for field in fields(record)}


def _inside(whole: Any) -> Iterator[Any]:
    """Every dataclass within some data, itself included."""
    pending = [whole]
    while pending:
        one = pending.pop()
        if is_dataclass(one):
            yield one
            pending += _values(one).values()
        elif isinstance(one, Mapping):
            pending += one.values()
        elif isinstance(one, tuple):
            pending += one
