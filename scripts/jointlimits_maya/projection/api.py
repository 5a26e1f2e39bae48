"""Coupled limits in the rig and on keys: functions for scripts and commands, as in :mod:`.api`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from jointlimits_core.rig import Skipped

from ..base import SceneError
from ..limits import Names
from ..read import joint_choice_from_options, joints_from_options, time_choice_of, values_of
from ..scene import Prepared, ProjectKeysResult, ProjectResult, StopResult, undo
from .keys import KeyOptions, plan_projecting_keys
from .live import ProjectOptions, plan_projecting, plan_stopping
from .shapes import Shaped, ShapeSource, shaped_joints

PROJECT_OPTIONS = ("scene", "project", "live")
"""Option groups of :func:`project_live`."""
STOP_OPTIONS = ("scene",)
KEY_OPTIONS = ("scene", "project", "keys")


def project_live(
    limits: ShapeSource | None = None, joints: Names = (), **options: Any
) -> ProjectResult:
    """Keep joints inside their coupled limits from now on, whatever drives them.

    Inserts a node between a joint's rotation and what drives it; :func:`stop_projecting` removes
    it. The joint is then animated through the node's inputRotate.

    Parameters
    ----------
    limits : LimitSet, path, JSON text, mapping of joint to shape, optional
        Default: the latest estimate of these joints.
    joints : str or sequence of str
        Joints, or groups above them; default for a mapping: its joints.
    **options
        From the groups :data:`PROJECT_OPTIONS`.

    Raises
    ------
    SceneError, LimitSetError, ValueError
        The message says what to do; nothing was changed.
    RuntimeError
        If Maya rejected a change; the scene is as it was.
    """
    prepared = prepare_project(limits, joints, options)
    undo.load_plug_in()
    return undo.done(prepared)


def prepare_project(
    limits: ShapeSource | None, joints: Names, options: Mapping[str, Any]
) -> Prepared[ProjectResult]:
    """Plan :func:`project_live`."""
    values = values_of(options, PROJECT_OPTIONS)
    shaped, skipped = _shaped(limits, joints, values)
    softness = math.radians(values["softness_deg"])
    asked = ProjectOptions(softness, values["falloff"], values["plain_nodes"])
    edit, result = plan_projecting(shaped, asked)
    return Prepared(replace(result, skipped=(*result.skipped, *skipped)), edit)


def stop_projecting(joints: Names = (), **options: Any) -> StopResult:
    """Remove projections, so that joints are driven as before.

    Parameters
    ----------
    joints : str or sequence of str
    **options
        From the groups :data:`STOP_OPTIONS`.
    """
    return undo.done(prepare_stop(joints, options))


def prepare_stop(joints: Names, options: Mapping[str, Any]) -> Prepared[StopResult]:
    """Plan :func:`stop_projecting`."""
    values = values_of(options, STOP_OPTIONS)
    edit, result = plan_stopping(joints_from_options(joints, values))
    return Prepared(result, edit)


def project_keys(
    limits: ShapeSource | None = None, joints: Names = (), **options: Any
) -> ProjectKeysResult:
    """Move keys that are outside coupled limits inside.

    Parameters
    ----------
    limits : LimitSet, path, JSON text, mapping of joint to shape, optional
    joints : str or sequence of str
    **options
        From the groups :data:`KEY_OPTIONS`.

    Returns
    -------
    ProjectKeysResult
        Moved keys, by how much, and where the curves leave the shape between keys.
    """
    return undo.done(prepare_project_keys(limits, joints, options))


def prepare_project_keys(
    limits: ShapeSource | None, joints: Names, options: Mapping[str, Any]
) -> Prepared[ProjectKeysResult]:
    """Plan :func:`project_keys`."""
    values = values_of(options, KEY_OPTIONS)
    shaped, skipped = _shaped(limits, joints, values)
    softness = math.radians(values["softness_deg"])
    asked = KeyOptions(time_choice_of(values["key_range"]), softness, values["falloff"])
    edit, result = plan_projecting_keys(shaped, asked)
    return Prepared(replace(result, skipped=(*result.skipped, *skipped)), edit)


def _shaped(
    limits: ShapeSource | None, joints: Names, values: Mapping[str, Any]
) -> tuple[list[Shaped], tuple[Skipped, ...]]:
    """Chosen joints with their shapes; with a mapping alone, the joints that it names."""
    if (
        isinstance(limits, Mapping)
        and not joints
        and not any(joint_choice_from_options(values).values())
    ):
        values = {**values, "everything": True}
    shaped, skipped = shaped_joints(limits, joints_from_options(joints, values))
    if not shaped and not skipped:
        raise SceneError(
            "this limit set has no coupled limits; fit shapes first (jointlimits fit), or give "
            "shapes by joint name"
        )
    return shaped, skipped
