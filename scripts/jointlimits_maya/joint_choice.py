"""Which joints are meant: a selection, a root, a namespace, a pattern, or all of the scene."""

from __future__ import annotations

from collections.abc import Sequence

import maya.api.OpenMaya as om
from maya import cmds

from . import host
from .errors import SceneError
from .names import short_name
from .scene_joints import all_joints


def chosen_joints(
    names: Sequence[str] = (),
    *,
    root: str = "",
    namespace: str = "",
    pattern: str = "",
    everything: bool = False,
) -> list[om.MDagPath]:
    """Joints that are meant, parents before their children, in the order of the outliner.

    Parameters
    ----------
    names : sequence of str
        Joints, or groups above joints; each stands for itself and all that is below it, and a
        channel for its joint. If neither these nor anything else is given, the selection is taken.
    root : str
        One more of these.
    namespace : str
        Only joints whose names are in it, or in a namespace inside it; alone, all of them.
    pattern : str
        Only joints that match, with Maya's wildcards (``*`` does not reach into namespaces);
        alone, all that match.
    everything : bool
        All joints of the scene.

    Returns
    -------
    list of MDagPath

    Raises
    ------
    SceneError
        If a node does not exist, or no joint is left; the message says what to do.
    """
    tops = _tops([*names, *([root] if root else [])])
    if not (tops or namespace or pattern or everything):
        tops = _selected()
    joints = [joint for joint in all_joints() if not tops or _is_below(joint, tops)]
    if namespace:
        inside = namespace.strip(":") + ":"
        joints = [j for j in joints if short_name(j.fullPathName()).startswith(inside)]
    if pattern:
        matching = set(cmds.ls(pattern, type="joint", long=True) or ())
        joints = [joint for joint in joints if joint.fullPathName() in matching]
    if not joints:
        raise SceneError(_none_found(tops, namespace, pattern))
    return joints


def _tops(names: Sequence[str]) -> list[str]:
    """Full paths of nodes by their names; of a name that several have, all."""
    found = []
    for name in names:
        paths = cmds.ls(_node(name), long=True, type="transform") or ()
        if not paths:
            reason = "is neither a joint nor a group" if cmds.objExists(name) else "does not exist"
            raise SceneError(f"{name!r} {reason}; give a joint, or a group above joints")
        found += [str(path) for path in paths]
    return found


def _selected() -> list[str]:
    """Full paths of the selected joints and groups."""
    selected = cmds.ls(selection=True, long=True) or ()
    if not selected:
        raise SceneError(f"nothing is selected; {_what_to_do()}")
    tops = cmds.ls(*(_node(name) for name in selected), long=True, type="transform") or ()
    if not tops:
        name = short_name(selected[0])
        raise SceneError(f"{name!r} is neither a joint nor a group; {_what_to_do()}")
    return [str(path) for path in tops]


def _node(name: str) -> str:
    """Node of a channel such as ``knee.rotateZ``; names of nodes have no dots."""
    return str(name).partition(".")[0]


def _what_to_do() -> str:
    if host.is_interactive():
        return "select the root joint of a character, or a group above it"
    return "give the name of a root joint, or of a group above it"


def _is_below(joint: om.MDagPath, tops: Sequence[str]) -> bool:
    path = joint.fullPathName()
    return any(path == top or path.startswith(f"{top}|") for top in tops)


def _none_found(tops: Sequence[str], namespace: str, pattern: str) -> str:
    where = [f"below {', '.join(short_name(top) for top in tops[:3])}"] if tops else []
    where += [f"in the namespace {namespace!r}"] if namespace else []
    where += [f"matching {pattern!r}"] if pattern else []
    place = " ".join(where) or "in the scene"
    return f"there are no joints {place}; {_what_to_do()}"
