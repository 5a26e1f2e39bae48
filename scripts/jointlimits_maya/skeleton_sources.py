"""Choice of the tracked transforms to build a skeleton from."""

from __future__ import annotations

from collections.abc import Sequence

import maya.api.OpenMaya as om
from maya import cmds

from .attributes import Attributes, source_of
from .drivers import Drivers, node_of
from .errors import SceneError
from .names import short_name
from .skeleton_quality import is_built
from .transform_choice import Wanted, named_transforms, selected_transforms

TRACKS = Wanted(
    "is not a transform",
    "give the names of the tracked locators, groups or joints",
    "select the tracked locators, groups or joints, or a group above them",
)
_KINDS = ["transform", "joint"]
"""Node types that can be tracked; excludes constraints and IK handles, also transforms."""


def tracked_transforms(names: Sequence[str] = ()) -> list[om.MDagPath]:
    """Chosen transforms, each once, in the order given.

    Parameters
    ----------
    names : sequence of str
        A transform that nothing moves stands for what moves below it, if anything does. Default:
        the selection.

    Returns
    -------
    list of MDagPath

    Raises
    ------
    SceneError
        If a node does not exist or is no transform, or nothing is selected.
    """
    tops = named_transforms(names, TRACKS) if names else selected_transforms(TRACKS)
    tops = [str(top) for top in cmds.ls(tops, long=True, exactType=_KINDS) or ()]
    if not tops:
        raise SceneError(f"constraints and IK handles are not tracks; {TRACKS.what_to_do()}")
    solved = Drivers().solved
    found: dict[str, om.MDagPath] = {}
    for top in tops:
        path = om.MDagPath.getAPathTo(node_of(top))
        below = [] if _is_moved(path, solved) else _driven_below(top, solved)
        for one in below or [path]:
            found.setdefault(str(one.fullPathName()), one)
    return list(found.values())


def without_built(
    sources: Sequence[om.MDagPath],
) -> tuple[list[om.MDagPath], list[om.MDagPath]]:
    """Separate tracks from joints that were built from tracks and move with them.

    Parameters
    ----------
    sources : sequence of MDagPath

    Returns
    -------
    tracks, built : list of MDagPath

    Raises
    ------
    SceneError
        If there are only built joints.
    """
    built = [path for path in sources if is_built(path.node())]
    tracks = [path for path in sources if not is_built(path.node())]
    if not tracks:
        names = source_names(built)
        what = "is a joint" if len(names) == 1 else f"and {len(names) - 1} more are joints"
        raise SceneError(
            f"{names[0]!r} {what} of a skeleton that was built from tracks, not tracks; "
            f"{TRACKS.what_to_do()}"
        )
    return tracks, built


def source_names(sources: Sequence[om.MDagPath]) -> list[str]:
    """Names of sources: short with namespace, or the full path where several share that."""
    paths = [str(path.fullPathName()) for path in sources]
    short = [short_name(path) for path in paths]
    return [path if short.count(name) > 1 else name for path, name in zip(paths, short)]


def _is_moved(path: om.MDagPath, solved: dict[str, str]) -> bool:
    """Whether anything drives a transform or one of its parents."""
    above = om.MDagPath(path)
    while not _is_driven(above, solved):
        if above.length() < 2:
            return False
        above.pop()
    return True


def _driven_below(top: str, solved: dict[str, str]) -> list[om.MDagPath]:
    """Driven transforms below another one, parents first."""
    names = cmds.ls(top, dagObjects=True, long=True, exactType=_KINDS) or ()
    paths = (om.MDagPath.getAPathTo(node_of(name)) for name in names if name != top)
    return [path for path in paths if _is_driven(path, solved)]


def _is_driven(path: om.MDagPath, solved: dict[str, str]) -> bool:
    node = Attributes(path.node())
    channels = (plug for compound in ("translate", "rotate") for plug in node.plugs(compound))
    plugs = (*channels, node.plug("offsetParentMatrix"))
    return str(path.fullPathName()) in solved or any(source_of(plug) for plug in plugs)
