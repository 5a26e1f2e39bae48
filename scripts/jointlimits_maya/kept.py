"""The latest estimate of every character, from the moment it is made until it is applied.

An estimate is kept in memory and, when an artist made it, as a file in the user's own folder, so
that it survives a crash and can be looked at. Nothing is written into the scene or beside it. It is
found again by the file name of the scene and the top joint of the character (its path and UUID);
after "Save As" under another name, estimate again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import maya.api.OpenMaya as om
from maya import cmds

from jointlimits_core.file_names import file_name
from jointlimits_core.limits.limit_file import read_limit_set, write_limit_set
from jointlimits_core.limits.limit_set import LimitSet

from . import host
from .errors import SceneError
from .names import short_name

_memory: dict[str, LimitSet] = {}


def keep(limit_set: LimitSet, joints: Sequence[om.MDagPath]) -> None:
    """Keep an estimate in memory for the characters that `joints` are of."""
    _memory.update(dict.fromkeys(_keys(joints), limit_set))


def save(limit_set: LimitSet, joints: Sequence[om.MDagPath]) -> Path:
    """Keep an estimate in memory and in the user's folder.

    Returns
    -------
    Path
        The file.
    """
    keep(limit_set, joints)
    paths = [_path(key) for key in _keys(joints)]
    for path in paths:
        write_limit_set(limit_set, path)
    return paths[0]


def latest(joints: Sequence[om.MDagPath]) -> LimitSet | None:
    """Latest estimate of the character that `joints` are of, or None.

    Raises
    ------
    SceneError
        If the joints are of several characters with estimates of their own.
    LimitSetError
        If the file was damaged.
    """
    found = [one for one in map(_kept, _keys(joints)) if one is not None]
    if any(one != found[0] for one in found[1:]):
        raise SceneError("the joints are of several characters; select one of them at a time")
    return found[0] if found else None


def page_beside(joints: Sequence[om.MDagPath]) -> Path:
    """Path for a page about the estimate of the character that `joints` are of."""
    return _path(_keys(joints)[0]).with_suffix(".html")


def _kept(key: str) -> LimitSet | None:
    if key not in _memory and _path(key).is_file():
        _memory[key] = read_limit_set(_path(key))
    return _memory.get(key)


def _path(key: str) -> Path:
    return host.user_folder() / "estimates" / f"{key}.limits.json"


def _keys(joints: Sequence[om.MDagPath]) -> list[str]:
    """One key for each top joint: readable, and one of its kind."""
    scene = str(cmds.file(query=True, sceneName=True) or "")
    keys = []
    for path in dict.fromkeys(_top_joint(str(joint.fullPathName())) for joint in joints):
        identity = [scene, path, *(cmds.ls(path, uuid=True) or ())]
        digest = hashlib.sha256("\n".join(identity).encode("utf-8")).hexdigest()[:12]
        name = f"{Path(scene).stem or 'untitled'}.{short_name(path)}"
        keys.append(f"{file_name(name)}.{digest}")
    return keys


def _top_joint(path: str) -> str:
    """Path of the highest joint above a joint, or of itself."""
    top, parts = path, path.split("|")
    for count in range(len(parts) - 1, 1, -1):
        above = "|".join(parts[:count])
        if cmds.nodeType(above) == "joint":
            top = above
    return top
