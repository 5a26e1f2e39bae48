"""Choice of transforms by name or by selection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from maya import cmds

from . import host
from .errors import SceneError
from .names import short_name


@dataclass(frozen=True)
class Wanted:
    """Wording of error messages for a kind of transforms.

    Parameters
    ----------
    other : str
        Description of any other node: "is neither a joint nor a group".
    give, select : str
        Advice for scripts and for the user interface.
    """

    other: str
    give: str
    select: str

    def what_to_do(self) -> str:
        """Advice that fits the current mode of Maya."""
        return self.select if host.is_interactive() else self.give


def named_transforms(names: Sequence[str], wanted: Wanted) -> list[str]:
    """Full paths of transforms by name; all of them if several share a name.

    Parameters
    ----------
    names : sequence of str
        A channel such as ``knee.rotateZ`` stands for its node.

    Raises
    ------
    SceneError
        If a name does not exist or is not a transform.
    """
    found = []
    for name in names:
        paths = cmds.ls(_node(name), long=True, type="transform") or ()
        if not paths:
            reason = wanted.other if cmds.objExists(name) else "does not exist"
            raise SceneError(f"{name!r} {reason}; {wanted.give}")
        found += [str(path) for path in paths]
    return found


def selected_transforms(wanted: Wanted) -> list[str]:
    """Full paths of the selected transforms.

    Raises
    ------
    SceneError
        If there are none.
    """
    selected = cmds.ls(selection=True, long=True) or ()
    if not selected:
        raise SceneError(f"nothing is selected; {wanted.what_to_do()}")
    tops = cmds.ls(*(_node(name) for name in selected), long=True, type="transform") or ()
    if not tops:
        name = short_name(selected[0])
        raise SceneError(f"{name!r} {wanted.other}; {wanted.what_to_do()}")
    return [str(path) for path in tops]


def _node(name: str) -> str:
    """Node of a channel; node names contain no dots."""
    return str(name).partition(".")[0]
