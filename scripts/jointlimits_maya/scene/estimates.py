"""Latest estimate of every character.

Estimates are kept in memory and, if made with a button, also in a file in the user's folder, where
they survive a crash and can be inspected. Nothing is written to the scene or next to it.

An estimate belongs to the top joint of its selection, identified by UUID, so joints may be renamed.
An estimate of part of a character does not replace the estimate of the whole character. Estimates
in memory survive "Save As"; files are found only under the scene's old name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from maya import cmds

from jointlimits_core.base.text import file_name
from jointlimits_core.limits.limit_set import LimitSet, read_limit_set, write_limit_set

from ..base import host
from ..base.host import SceneError
from ..base.open_maya import om
from .joints import all_like, short_name

ENDING, WHOLE = ".limits.json", "whole"


class _Key(NamedTuple):
    """Key of an estimate.

    `top`: hash of the top joint's UUID. `part`: "whole" if all joints below it are selected, else a
    hash of the selected joints. `scene`: hash of the scene's path.
    """

    top: str
    part: str
    scene: str


class _Remembered(NamedTuple):
    limit_set: LimitSet
    top: om.MObjectHandle


class Estimate(NamedTuple):
    """An estimate, and the file that it is saved in, if any."""

    limit_set: LimitSet
    path: Path | None = None


_memory: dict[_Key, _Remembered] = {}
"""Estimates in memory, oldest first."""


def keep(limit_set: LimitSet, joints: Sequence[om.MDagPath]) -> None:
    """Keep an estimate in memory for the characters of `joints`."""
    for top, chosen in by_top(joints):
        key = _key_of(top, chosen)
        _memory.pop(key, None)
        _memory[key] = _Remembered(limit_set, om.MObjectHandle(top.node()))


def save(limit_set: LimitSet, joints: Sequence[om.MDagPath]) -> Estimate:
    """Keep an estimate in memory and in the user's folder."""
    keep(limit_set, joints)
    paths = [_path(top, chosen) for top, chosen in by_top(joints)]
    for path in paths:
        write_limit_set(limit_set, path)
    return Estimate(limit_set, paths[0])


def latest(joints: Sequence[om.MDagPath]) -> LimitSet | None:
    """Latest estimate that includes `joints`, or None.

    Order of preference: an estimate of exactly these joints, of the whole character or limb, of
    some of the joints. Raises SceneError if several estimates apply, LimitSetError if the file is
    damaged.
    """
    found = [one for top, chosen in by_top(joints) for one in _estimates_of(top, chosen)]
    if any(one != found[0] for one in found[1:]):
        raise SceneError(
            "these joints were estimated in several parts; select a single part or character, or "
            "estimate all of these joints together"
        )
    return found[0] if found else None


def latest_per_character(
    joints: Sequence[om.MDagPath],
) -> list[tuple[LimitSet | None, list[om.MDagPath]]]:
    """Latest estimate for every character among `joints`.

    Returns each estimate with its joints, from one character or several estimated together. Raises
    the errors of :func:`latest`.
    """
    each: list[tuple[LimitSet | None, list[om.MDagPath]]] = []
    for _, chosen in by_top(joints):
        found = latest(chosen)
        same = next((group for one, group in each if found is not None and one == found), None)
        if same is None:
            each.append((found, list(chosen)))
        else:
            same += chosen
    return each


def page_beside(joints: Sequence[om.MDagPath]) -> Path:
    """Path of the results page for the character of `joints`."""
    path = _path(*by_top(joints)[0])
    return path.with_name(path.name[: -len(ENDING)] + ".html")


def _estimates_of(top: om.MDagPath, chosen: Sequence[om.MDagPath]) -> list[LimitSet]:
    dated = [(path.stat().st_mtime_ns, path) for path in _folder().glob(f"*{ENDING}")]
    files = {}  # oldest first
    for _, path in sorted(dated):
        words = path.name[: -len(ENDING)].rsplit(".", 3)[1:]
        if len(words) == 3:
            files[_Key(*words)] = path
    scene, known = _hash([_scene_name()]), [*(key for key in files if key not in _memory), *_memory]
    here = {
        (key.top, key.part): key
        for key in known
        if key.scene == scene or (key in _memory and _memory[key].top.isValid())
    }
    own = _key_of(top, chosen)
    higher = _lineage(str(top.fullPathName()))[-2::-1]
    alike = {str(one.fullPathName()) for one in all_like(top)}
    above = [path for path in higher if path in alike]
    for wanted in ((own.top, own.part), *((_hash([_uuid(path)]), WHOLE) for path in above)):
        if wanted in here:
            return [_read_estimate(here[wanted], files)]
    below = {_hash([_uuid(joint.fullPathName())]) for joint in chosen}
    return [_read_estimate(key, files) for key in here.values() if key.top in below]


def _read_estimate(key: _Key, files: dict[_Key, Path]) -> LimitSet:
    return _memory[key].limit_set if key in _memory else read_limit_set(files[key])


def _path(top: om.MDagPath, chosen: Sequence[om.MDagPath]) -> Path:
    key, scene = _key_of(top, chosen), _scene_name()
    name = f"{Path(scene).stem or 'untitled'}.{short_name(top.fullPathName())}"
    return _folder() / f"{file_name(name)}.{key.top}.{key.part}.{key.scene}{ENDING}"


def _folder() -> Path:
    return host.user_folder() / "estimates"


def _key_of(top: om.MDagPath, chosen: Sequence[om.MDagPath]) -> _Key:
    inside = f"{top.fullPathName()}|"
    below = sum(str(joint.fullPathName()).startswith(inside) for joint in all_like(top))
    part = WHOLE
    if len(chosen) <= below:
        part = _hash(sorted(_uuid(joint.fullPathName()) for joint in chosen))
    return _Key(_hash([_uuid(top.fullPathName())]), part, _hash([_scene_name()]))


def by_top(joints: Sequence[om.MDagPath]) -> list[tuple[om.MDagPath, list[om.MDagPath]]]:
    """Top joints of a selection, each with the selected joints at or below it."""
    groups: dict[str, tuple[om.MDagPath, list[om.MDagPath]]] = {}
    for joint in joints:  # parents first
        path = str(joint.fullPathName())
        tops = (top for top in _lineage(path) if top in groups)
        groups.setdefault(next(tops, path), (joint, []))[1].append(joint)
    return list(groups.values())


def _lineage(path: str) -> list[str]:
    """Paths of a node and its ancestors, from the top down."""
    parts = path.split("|")
    return ["|".join(parts[:count]) for count in range(2, len(parts) + 1)]


def _uuid(path: str) -> str:
    return "".join(cmds.ls(path, uuid=True) or ())


def _scene_name() -> str:
    return str(cmds.file(query=True, sceneName=True) or "")


def _hash(words: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(words).encode("utf-8")).hexdigest()[:12]
