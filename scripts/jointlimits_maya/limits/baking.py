"""Function for scripts that bakes joints with their limits off."""

from __future__ import annotations

from typing import Any

from jointlimits_core.base.progress import Progress

from ..base import actions
from ..read.options import joints_from_options, time_choice_of, values_of
from ..scene.results import BakeResult
from ..scene.undo import Prepared, runs_plan
from ..write.bake import plan_bake
from .api import Names


@runs_plan
def bake(
    joints: Names = (), *, progress: Progress | None = None, **options: Any
) -> Prepared[BakeResult]:
    """Bake joints to a key on every frame, with their limits temporarily off.

    Parameters
    ----------
    joints : str or sequence of str
    **options
        Those of the command ``bakeJointLimits``.

    Raises
    ------
    SceneError
        A joint is locked, referenced with its drivers or kept inside its shape, or nothing is
        driven; nothing was changed.
    RuntimeError
        If Maya rejected a change, or a pose would have changed; the scene was restored.
    """
    values = values_of(options, actions.BAKE)
    paths = joints_from_options(joints, values)
    edit, result = plan_bake(paths, time_choice_of(values["time"]), progress)
    return Prepared(result, edit)
