"""Several characters at once, each with its own latest estimate, in one edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

import maya.api.OpenMaya as om

from jointlimits_core.applying.joint_plan import Skipped
from jointlimits_core.limits.limit_set import LimitSet

from .kept import latest_each
from .limit_source import LimitSource, limit_set_from
from .names import joint_names
from .prepared import Prepared
from .results import WriteResult
from .scene_edit import SceneEdit

ADVICE = "estimate it first, or give a limits file"


def limits_of_each(
    source: LimitSource | None, joints: Sequence[om.MDagPath]
) -> tuple[list[tuple[LimitSet, list[om.MDagPath]]], tuple[Skipped, ...]]:
    """Limit sets, each with its joints.

    Parameters
    ----------
    source : LimitSet, path-like, str or None
        None or "" means the latest estimate of every character.
    joints : sequence of MDagPath

    Returns
    -------
    parts : list of (LimitSet, list of MDagPath)
        At least one.
    skipped : tuple of Skipped
        Characters without an estimate, if others have one.

    Raises
    ------
    SceneError, LimitSetError
        As :func:`~jointlimits_maya.limit_source.limit_set_from`.
    """
    each = latest_each(joints) if source is None or source == "" else []
    parts = [(found, group) for found, group in each if found is not None]
    if not parts:
        return [(limit_set_from(source, joints), list(joints))], ()
    without = [group[0] for found, group in each if found is None]
    skipped = [Skipped(name, "", "no estimate yet", ADVICE) for name in joint_names(without)]
    return [(limit_set_from(found, group), group) for found, group in parts], tuple(skipped)


def groups_to_check(
    source: LimitSource | None, joints: Sequence[om.MDagPath]
) -> list[list[om.MDagPath]]:
    """Groups of joints to check against one limit set each; a single group if one is given.

    Parameters
    ----------
    source : LimitSet, path-like, str or None
    joints : sequence of MDagPath
    """
    each = latest_each(joints) if source is None or source == "" else []
    return [group for found, group in each if found is not None] or [list(joints)]


def together(
    parts: Sequence[Prepared[WriteResult]], skipped: Sequence[Skipped] = ()
) -> Prepared[WriteResult]:
    """Combine plans for different joints.

    Parameters
    ----------
    parts : sequence of Prepared
        At least one; their edits are not done yet.
    skipped : sequence of Skipped
        Further skipped items.
    """
    result = _joined([part.result for part in parts])
    result = replace(result, skipped=(*result.skipped, *skipped))
    if len(parts) == 1:
        return replace(parts[0], result=result)
    edits = [part.edit for part in parts if part.edit is not None]
    edit = SceneEdit(edits[0].label)
    for one in edits:
        edit.extend(one)
    return Prepared(result, edit)


def _joined(values: Sequence[Any]) -> Any:
    """Values combined recursively: mappings and tuples merged, else the first."""
    known = [value for value in values if value is not None]
    first = known[0] if known else None
    if isinstance(first, Mapping):
        return {key: item for value in known for key, item in value.items()}
    if isinstance(first, tuple):
        return tuple(item for value in known for item in value)
    if is_dataclass(first) and not isinstance(first, type):
        names = [item.name for item in fields(first)]
        return replace(first, **{n: _joined([getattr(v, n) for v in known]) for n in names})
    return first
