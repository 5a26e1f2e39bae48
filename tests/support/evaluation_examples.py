"""Limit sets and clips by hand, for the tests of the evaluation."""

from __future__ import annotations

from typing import Any

import numpy as np

from jointlimits_core.limits.limit_set import (
    AxisLimit,
    ClipRecord,
    JointLimit,
    LimitSet,
    Orientation,
)
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton
from tests.support.limit_set_examples import FREE, joint, lock, span

CHANNELS = ("rotateX", "rotateY", "rotateZ")
PLAIN = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def box(*ranges: tuple[float, float] | None, kind: str = "ball", order: str = "xyz") -> JointLimit:
    """A joint with a range per channel; None is free, an empty range locked."""
    axes = [FREE if r is None else lock(r[0]) if r[0] == r[1] else span(*r) for r in ranges]
    return joint(kind, axes, orientation=Orientation(order, *PLAIN))


def limits(joints: dict[str, JointLimit], clips: tuple[str, ...] = ("walk",), **rest: Any):
    records = tuple(ClipRecord(name, None, None, 100, 0.0, 99.0, 30.0) for name in clips)
    return LimitSet("person", joints, records, **rest)


def one_sided(low: float | None, high: float | None) -> AxisLimit:
    return AxisLimit("limited", low, high)


def chain(rotates_deg: dict[str, Any], length: float = 10.0, name: str = "clip", **skeleton: Any):
    """Joints one below the other, each so far along X from the one above, and a tip at the end."""
    names = (*rotates_deg, "tip")
    count = max(len(values) for values in rotates_deg.values())
    rotates = np.zeros((len(names), 3, count))
    for row, values in enumerate(rotates_deg.values()):
        rotates[row] = np.broadcast_to(values, (count, 3)).T
    offsets = np.zeros((len(names), 3))
    offsets[1:, 0] = length
    bones = Skeleton(names, np.arange(-1, len(names) - 1), offsets, **skeleton)
    return Motion.from_rotates(bones, np.radians(rotates), np.arange(count) + 1.0, 30.0, name)


def without_rotates(motion: Motion) -> Motion:
    """The same clip as rotations only."""
    return Motion(motion.skeleton, motion.rotations, motion.frames, motion.frame_rate, motion.name)
