"""Joint selection: by selection, names, root, namespace or pattern, or the whole scene."""

from __future__ import annotations

from collections.abc import Sequence

import maya.api.OpenMaya as om
from maya import cmds

from .errors import SceneError
from .names import short_name
from .scene_joints import all_joints
from .transform_choice import Wanted, named_transforms, selected_transforms

CHARACTER = Wanted(
    "is neither a joint nor a group",
    "give the name of a root joint, or of a group above it",
    "select the root joint of a character, or a group above it",
)


def chosen_joints(
    names: Sequence[str] = (),
    *,
    root: str = "",
    namespace: str = "",
    pattern: str = "",
    everything: bool = False,
) -> list[om.MDagPath]:
    """Chosen joints, parents before their children, in Outliner order.

    Parameters
    ----------
    names : sequence of str
        Joints, or groups above joints, each with everything below it; a channel stands for its
        joint. If no argument is given, the selection is used.
    root : str
        One more name.
    namespace : str
        Only joints in this namespace or one nested in it; alone, all of them.
    pattern : str
        Only joints that match, with Maya's wildcards (``*`` does not match into namespaces);
        alone, all that match.
    everything : bool
        All joints of the scene.

    Returns
    -------
    list of MDagPath

    Raises
    ------
    SceneError
        If a node does not exist or no joint is left; the message says what to do.
    """
    tops = named_transforms([*names, *([root] if root else [])], CHARACTER)
    if not (tops or namespace or pattern or everything):
        tops = selected_transforms(CHARACTER)
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


def _is_below(joint: om.MDagPath, tops: Sequence[str]) -> bool:
    path = joint.fullPathName()
    return any(path == top or path.startswith(f"{top}|") for top in tops)


def _none_found(tops: Sequence[str], namespace: str, pattern: str) -> str:
    where = [f"below {', '.join(short_name(top) for top in tops[:3])}"] if tops else []
    where += [f"in the namespace {namespace!r}"] if namespace else []
    where += [f"matching {pattern!r}"] if pattern else []
    place = " ".join(where) or "in the scene"
    return f"there are no joints {place}; {CHARACTER.what_to_do()}"
