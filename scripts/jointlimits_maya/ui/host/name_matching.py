"""Matching of joint names between the limits and the scene, where joints may be renamed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from jointlimits_core.limits import LimitSet
from jointlimits_core.motion import Motion, matched_joints

SAME_TURN, SAME_ANGLE = 1e-9, 1e-6
"""Rounding tolerances: 1 - cosine of half a rotation, and radians of a channel."""


def missing_joints(limits: LimitSet, there: Iterable[str]) -> frozenset[str]:
    """Joints with limits that are missing from a scene, under any namespace.

    Parameters
    ----------
    there : iterable of str
        Names of the character's joints in the scene.
    """
    return frozenset(limits.joints) - set(matched_joints(limits.joints, sorted(there)))


def names_in(limits: LimitSet, there: Iterable[str], names: Sequence[str]) -> tuple[str, ...]:
    """Names in the limits of some of the scene's joints; joints without limits are left out."""
    every = sorted(there)
    called = {every[place]: name for name, place in matched_joints(limits.joints, every).items()}
    return tuple(called[name] for name in names if name in called)


def moves_alike(before: Motion, now: Motion) -> bool:
    """Whether a motion still has all frames of an earlier reading, with the same poses."""
    places = np.searchsorted(now.frames, before.frames)
    if before.joint_names != now.joint_names or places.max() >= now.frame_count:
        return False
    if not np.array_equal(now.frames[places], before.frames):
        return False
    # A quaternion and its negative are the same rotation; either may have been read.
    cosines = np.abs((before.rotations * now.rotations[:, :, places]).sum(axis=1))
    return bool((1.0 - cosines < SAME_TURN).all()) and _same_branch(before, now, places)


def _same_branch(before: Motion, now: Motion, places: np.ndarray[Any, Any]) -> bool:
    """Whether the keyed values are the same, whole turns included."""
    if before.rotates is None or now.rotates is None:
        return before.rotates is now.rotates
    return bool(np.allclose(before.rotates, now.rotates[:, :, places], atol=SAME_ANGLE, rtol=0.0))
