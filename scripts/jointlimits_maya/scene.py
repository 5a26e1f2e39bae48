"""Motion from the open scene."""

from __future__ import annotations

from collections.abc import Sequence

import maya.api.OpenMaya as om

from jointlimits_core.motion import Motion
from jointlimits_core.progress import Progress

from .bind_pose import RestChoice
from .time_choice import TimeChoice


def motion_from_scene(
    joints: Sequence[om.MDagPath],
    time: TimeChoice | None = None,
    rest: RestChoice | None = None,
    progress: Progress | None = None,
) -> Motion:
    """Read joints and their animation from the open scene, which is left as it was."""
    raise NotImplementedError
