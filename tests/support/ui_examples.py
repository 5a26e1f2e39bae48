"""A small character with motion and limits, for the tests of the window."""

from __future__ import annotations

import time
from functools import cache
from typing import Any

import numpy as np

from jointlimits_core.base.progress import report_progress
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton
from tests.support.made_motion import rotate, waves

JOINTS = (
    "hips",
    "spine",
    "head",
    "LeftArm",
    "LeftForeArm",
    "RightArm",
    "RightForeArm",
    "LeftUpLeg",
    "LeftLeg",
    "RightUpLeg",
    "RightLeg",
)
PARENTS = (-1, 0, 1, 1, 3, 1, 5, 0, 7, 0, 9)
PLACES = {
    "spine": (0, 20, 0),
    "head": (0, 40, 0),
    "LeftArm": (15, 30, 0),
    "LeftForeArm": (25, 0, 0),
    "RightArm": (-15, 30, 0),
    "RightForeArm": (-25, 0, 0),
    "LeftUpLeg": (10, -5, 0),
    "LeftLeg": (0, -40, 0),
    "RightUpLeg": (-10, -5, 0),
    "RightLeg": (0, -40, 0),
}
WORST_FRAME = 57.0
WITH_SPIKES = ("non-finite", "inserted-pose")
"""What is left out where that frame counts; by default it is left out as a spike."""
"""In this frame of "walk" LeftArm is thrown 30 degrees beyond all others."""
WORST_JOINT, WORST_CHANNEL = "LeftArm", "rotateZ"


@cache
def walk(frames: int = 240) -> Motion:
    """Clip with every type of joint, mirrored sides, and one frame that goes too far."""
    return _clip("walk", frames, 1.0, thrown=True)


@cache
def reach(frames: int = 180) -> Motion:
    """Calmer clip of the same character that goes a little further in places."""
    return _clip("reach", frames, 1.1, thrown=False)


@cache
def walk_limits(**options: object) -> LimitSet:
    """Limits from both clips."""
    return estimate([walk(), reach()], EstimateOptions(**options))


def endless(*arguments: Any) -> LimitSet:
    """An estimate that only a cancel ends, in place of `refit`."""
    while True:
        report_progress(arguments[-1], 0, 1, "looking at walk")
        time.sleep(0.005)


def _clip(name: str, frames: int, more: float, thrown: bool) -> Motion:
    """Left and right are each other's mirror image, half a step apart."""
    x, y, z = waves((-20, 60), (-30, 30), (-40, 50), frames=frames)
    half = frames // 2
    arm, forearm = rotate(more * x, y, z), rotate(y=70.0 - 0.9 * more * x)
    thigh, shin = rotate(0.8 * x, 0.3 * y, 0.3 * z), rotate(x=more * x + 25.0)
    if thrown:
        arm = arm.copy()
        arm[int(WORST_FRAME), 2] = 50.0 + 30.0
    other = rotate(more * x, y, z)
    curves = {
        "hips": rotate(0.1 * x, 0.1 * y, 0.1 * z),
        "spine": rotate(0.3 * x, 0.5 * y, 0.2 * z),
        "head": rotate(0.4 * x, y, 0.0 * z),
        "LeftArm": arm,
        "LeftForeArm": forearm,
        "RightArm": np.roll(other, half, axis=0) * (1, -1, -1),
        "RightForeArm": np.roll(forearm, half, axis=0) * (1, -1, -1),
        "LeftUpLeg": thigh,
        "LeftLeg": shin,
        "RightUpLeg": np.roll(thigh, half, axis=0) * (1, -1, -1),
        "RightLeg": np.roll(shin, half, axis=0),
    }
    rotates = np.radians(np.stack([curves[joint].T for joint in JOINTS]))
    return Motion.from_rotates(_skeleton(), rotates, np.arange(frames, dtype=float), 30.0, name)


@cache
def _skeleton() -> Skeleton:
    offsets = np.array([PLACES.get(joint, (0, 0, 0)) for joint in JOINTS], dtype=float)
    return Skeleton(JOINTS, list(PARENTS), offsets=offsets, name="person")
