"""Limit sets from wherever they are: an object, a file, JSON text, or the latest estimate."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Union

import maya.api.OpenMaya as om

from jointlimits_core.limits.limit_file import limit_set_from_json, read_limit_set
from jointlimits_core.limits.limit_set import LimitSet

from .errors import SceneError
from .kept import latest

LimitSource = Union[LimitSet, str, "os.PathLike[str]"]
"""A limit set, the path of a file with one, or its JSON text."""


def limit_set_from(source: LimitSource | None, joints: Sequence[om.MDagPath]) -> LimitSet:
    """Return the limit set that is meant.

    Parameters
    ----------
    source : LimitSet, path-like, str or None
        Nothing stands for the latest estimate of the character that `joints` are of.
    joints : sequence of MDagPath

    Raises
    ------
    SceneError
        If there is no estimate yet, or the limits are of no use in Maya.
    LimitSetError
        If a file or text cannot be read.
    """
    limit_set = _read(source, joints)
    if limit_set.mode == "paper":
        raise SceneError(
            "these limits are the paper's ZYZ angles, which are not Maya's rotate channels; "
            "estimate in the standard mode"
        )
    return limit_set


def _read(source: LimitSource | None, joints: Sequence[om.MDagPath]) -> LimitSet:
    if isinstance(source, LimitSet):
        return source
    if source is None or source == "":
        found = latest(joints)
        if found is None:
            raise SceneError(
                "there is no estimate of these joints yet; estimate first, or name a file with "
                "limits"
            )
        return found
    if isinstance(source, str) and source.lstrip().startswith("{"):
        return limit_set_from_json(source, "the limits that were given")
    return read_limit_set(source)
