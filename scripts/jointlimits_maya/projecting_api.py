"""Coupled limits in the rig and on keys, from names and options: what scripts and commands call.

The functions have the form of those in :mod:`.api`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from jointlimits_core.applying.joint_plan import Skipped

from . import undoable
from .api import Names
from .coupled_shapes import Shaped, ShapeSource, shaped_joints
from .errors import SceneError
from .key_projection import KeyOptions, plan_projecting_keys
from .prepared import Prepared
from .projecting import ProjectOptions, plan_projecting, plan_stopping
from .projection_results import ProjectKeysResult, ProjectResult, StopResult
from .scene_options import (
    joint_choice_from_options,
    joints_from_options,
    time_choice_of,
    values_of,
)

PROJECT_OPTIONS = ("scene", "project", "live")
"""Groups of options that :func:`project_live` takes."""
STOP_OPTIONS = ("scene",)
KEY_OPTIONS = ("scene", "project", "keys")


def project_live(
    limits: ShapeSource | None = None, joints: Names = (), **options: Any
) -> ProjectResult:
    """Keep joints inside their coupled limits from now on, whatever drives them.

    A node is put between what drives a joint's rotation and the joint; :func:`stop_projecting`
    takes it out again. The joint is then animated through the node's inputRotate.

    Parameters
    ----------
    limits : LimitSet, path, JSON text, mapping of joint to shape, optional
        The latest estimate of these joints by default.
    joints : str or sequence of str
        Joints, or groups above them. With a mapping and no names: its joints.
    **options
        Of the groups :data:`PROJECT_OPTIONS`.

    Raises
    ------
    SceneError, LimitSetError, ValueError
        Saying what to do next; nothing was changed.
    RuntimeError
        If Maya refused a change; everything is as it was.
    """
    prepared = prepare_project(limits, joints, options)
    undoable.load_plug_in()
    return undoable.done(prepared)


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
    """Take projections out; what drove a joint before drives it again.

    Parameters
    ----------
    joints : str or sequence of str
    **options
        Of the groups :data:`STOP_OPTIONS`.
    """
    return undoable.done(prepare_stop(joints, options))


def prepare_stop(joints: Names, options: Mapping[str, Any]) -> Prepared[StopResult]:
    """Plan :func:`stop_projecting`."""
    values = values_of(options, STOP_OPTIONS)
    edit, result = plan_stopping(joints_from_options(joints, values))
    return Prepared(result, edit)


def project_keys(
    limits: ShapeSource | None = None, joints: Names = (), **options: Any
) -> ProjectKeysResult:
    """Bring keys inside coupled limits, where they are outside.

    Parameters
    ----------
    limits : LimitSet, path, JSON text, mapping of joint to shape, optional
    joints : str or sequence of str
    **options
        Of the groups :data:`KEY_OPTIONS`.

    Returns
    -------
    ProjectKeysResult
        Which keys moved, by how much, and where the curves leave the shape between keys.
    """
    return undoable.done(prepare_project_keys(limits, joints, options))


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
    """Joints that are meant with their shapes; a mapping means those that it names."""
    if (
        isinstance(limits, Mapping)
        and not joints
        and not any(joint_choice_from_options(values).values())
    ):
        values = {**values, "everything": True}
    shaped, skipped = shaped_joints(limits, joints_from_options(joints, values))
    if not shaped and not skipped:
        raise SceneError(
            "these limits have no coupled limits; fit shapes first (jointlimits fit), or give "
            "shapes by the names of joints"
        )
    return shaped, skipped
