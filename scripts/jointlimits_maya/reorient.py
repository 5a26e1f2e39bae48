"""Joints of the open scene given other frames, without moving anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import maya.api.OpenMaya as om

from jointlimits_core.limits.frame_advice import FrameAdvice

from .results import ReorientResult
from .scene_edit import SceneEdit

LABEL = "Re-orient Joints"


@dataclass
class ReorientPlan:
    """A change of frames that is worked out but not done.

    Parameters
    ----------
    edit : SceneEdit
    result : ReorientResult
    rotate_now_deg : mapping of joint name to (x, y, z)
        Channels of the re-oriented joints at the current time, in their new frames.
    frames_before : mapping of joint name to mapping
        jointOrient and rotateAxis in radians and rotateOrder, as they were.
    """

    edit: SceneEdit
    result: ReorientResult
    rotate_now_deg: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    frames_before: dict[str, dict[str, Any]] = field(default_factory=dict)


def plan_reorient(
    advice: Mapping[str, FrameAdvice],
    joints: Sequence[om.MDagPath],
    mode: str,
    *,
    replaces_limits: frozenset[str] = frozenset(),
    branches_deg: Mapping[str, tuple[float, float, float]] | None = None,
) -> ReorientPlan:
    """Work out what has to change so that joints have their advised frames."""
    raise NotImplementedError
