"""Limit sets from an object, a file, JSON text, or the latest estimate."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Union

import maya.api.OpenMaya as om

from jointlimits_core.limits import LimitSet, read_limit_set

from ..base import SceneError
from ..scene import latest
from .existing_limits import limits_on_joints

LimitSource = Union[LimitSet, str, "os.PathLike[str]"]
"""A limit set, the path of a file with one, or its JSON text."""
ON_JOINTS = "those on the joints"
"""Name for limits that come from the joints, not from an estimate."""


def limit_set_from(source: LimitSource | None, joints: Sequence[om.MDagPath]) -> LimitSet:
    """Read or look up a limit set.

    `source`: None or "" means the latest estimate of the character of `joints`. Raises SceneError
    if there is no estimate yet, or Maya cannot use the limits, LimitSetError if a file or text
    cannot be read.
    """
    limit_set = _read(source, joints)
    if limit_set.mode == "paper":
        raise SceneError(
            "these limits are ZYZ angles of the paper mode, which do not fit Maya's rotate "
            "channels; estimate in the standard mode"
        )
    return limit_set


def limits_to_check(
    source: LimitSource | None, joints: Sequence[om.MDagPath]
) -> tuple[LimitSet, str]:
    """Limits to check joints against, and their name in reports.

    `source`: None or "" means the latest estimate or, without one, the limits on the joints. Raises
    the errors of :func:`limit_set_from`.
    """
    if source is None or source == "":
        existing = None if latest(joints) is not None else limits_on_joints(joints)
        if existing is not None:
            return existing, ON_JOINTS
    text = "" if source is None or isinstance(source, LimitSet) else os.fspath(source)
    named = "" if text.lstrip().startswith("{") else text
    return limit_set_from(source, joints), named


def _read(source: LimitSource | None, joints: Sequence[om.MDagPath]) -> LimitSet:
    if isinstance(source, LimitSet):
        return source
    if source is None or source == "":
        found = latest(joints)
        if found is None:
            raise SceneError(
                "there is no estimate of these joints yet; estimate them first, or give a limits "
                "file"
            )
        return found
    if isinstance(source, str) and source.lstrip().startswith("{"):
        return LimitSet.from_json(source, "the limits that were given")
    return read_limit_set(source)
