"""Function for scripts that bakes joints with their limits off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jointlimits_core.base.progress import Progress

from ..base import actions
from ..read.options import joints_from_options, time_choice_of, values_of
from ..scene import undo
from ..scene.results import BakeResult
from ..scene.undo import Prepared
from ..write.bake import plan_bake
from .api import Names


def bake(joints: Names = (), *, progress: Progress | None = None, **options: Any) -> BakeResult:
    """Bake joints to a key on every frame, with their limits off meanwhile.

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
    return undo.run_plan(prepare_bake(joints, options, progress))


def prepare_bake(
    joints: Names, options: Mapping[str, Any], progress: Progress | None = None
) -> Prepared[BakeResult]:
    """Plan :func:`bake`."""
    values = values_of(options, actions.BAKE)
    paths = joints_from_options(joints, values)
    edit, result = plan_bake(paths, time_choice_of(values["time"]), progress)
    return Prepared(result, edit)
