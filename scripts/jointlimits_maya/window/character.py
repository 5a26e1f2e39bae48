"""The character of the open scene that the window works on, and Maya's events for the window.

It is tracked even if its joints are renamed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import maya.api.OpenMaya as om
from maya import cmds

from jointlimits_core.motion import matched_joints

from ..base import SceneError
from ..scene import chosen_joints, joint_names, short_name
from ..ui.document import FRAME, NODES, SCENE, SELECTION, Watcher


class SceneCharacter:
    """All joints from some top joints down.

    Parameters
    ----------
    joints : sequence of MDagPath
        At least one; the topmost of them are remembered.

    Attributes
    ----------
    name : str
        Original name of its first top joint, with namespace.
    clip : str
        Name of the motion last read from it.
    """

    def __init__(self, joints: Sequence[om.MDagPath]) -> None:
        paths = {str(joint.fullPathName()) for joint in joints}
        tops = [j for j in joints if str(j.fullPathName()).rpartition("|")[0] not in paths]
        self._tops = [om.MObjectHandle(joint.node()) for joint in tops]
        self.name = short_name(str(tops[0].fullPathName()))
        self.clip = ""

    def tops(self) -> list[str]:
        """Full paths of its top joints still in the scene."""
        nodes = [handle.object() for handle in self._tops if handle.isValid()]
        return [str(om.MDagPath.getAPathTo(node).fullPathName()) for node in nodes]

    def joints(self) -> list[om.MDagPath]:
        """All its joints still in the scene, parents before their children."""
        tops = self.tops()
        return chosen_joints(tops) if tops else []

    def joint_names(self) -> tuple[str, ...]:
        """Current names of its joints."""
        return tuple(joint_names(self.joints()))

    def exists(self) -> bool:
        """Whether any of it is still in the scene."""
        return bool(self.tops())

    def overlaps(self, other: Any) -> bool:
        """Whether it shares a joint with another."""
        return bool(self._paths() & other._paths())

    def is_part_of(self, other: Any) -> bool:
        """Whether another has all its joints and more."""
        return bool(self._paths() < other._paths())

    def _paths(self) -> frozenset[str]:
        return frozenset(str(joint.fullPathName()) for joint in self.joints())


GONE = (
    "the character of these limits is no longer in the scene; select a character and estimate "
    "again, or open its scene"
)


class HeldCharacter:
    """The held character, or else the selection.

    Attributes
    ----------
    character : SceneCharacter or None
    """

    def __init__(self) -> None:
        self.character: SceneCharacter | None = None

    def chosen(self) -> SceneCharacter:
        """Return the selected character, or the held one if nothing is selected."""
        held = self.character
        is_selected = bool(cmds.ls(selection=True, type="transform"))
        if held is not None and held.exists() and not is_selected:
            return held
        return SceneCharacter(chosen_joints())

    def joints(self) -> list[om.MDagPath]:
        """All its joints in the scene; none if it is gone."""
        return [] if self.character is None else self.character.joints()

    def called(self, names: Sequence[str]) -> list[om.MDagPath]:
        """Its joints with these names, whatever their current namespace."""
        joints = self.joints()
        found = matched_joints(names, joint_names(joints))
        return [joints[place] for place in sorted(found.values())]

    def tops(self) -> list[str]:
        """Names for the functions of the api; empty (the selection) without a character.

        Raises
        ------
        SceneError
            If the character is gone.
        """
        return [] if self.character is None else tops_of(self.character)

    def names_there(self) -> frozenset[str] | None:
        """Names of its joints; None until there is a character."""
        return None if self.character is None else frozenset(self.character.joint_names())

    def selected_names(self) -> tuple[str, ...]:
        """Names of its selected joints."""
        selected = set(cmds.ls(selection=True, long=True, type="joint") or ())
        joints = self.joints()
        return tuple(
            name
            for joint, name in zip(joints, joint_names(joints))
            if str(joint.fullPathName()) in selected
        )


def selected_character() -> SceneCharacter | None:
    """Return the selected character, if the selection has joints."""
    if not cmds.ls(selection=True, type="transform"):
        return None
    try:
        return SceneCharacter(chosen_joints())
    except SceneError:
        return None


def tops_of(character: SceneCharacter) -> list[str]:
    """Full paths of a character's top joints.

    Raises
    ------
    SceneError
        If it is gone.
    """
    tops = character.tops()
    if not tops:
        raise SceneError(GONE)
    return tops


EVENTS = {
    "timeChanged": FRAME,
    "SelectionChanged": SELECTION,
    "NewSceneOpened": SCENE,
    "SceneOpened": SCENE,
    "NameChanged": NODES,
    "Undo": NODES,
    "Redo": NODES,
}
"""Maya's events and the matching events of the window."""


def watch_scene(watcher: Watcher) -> Callable[[], None]:
    """Forward Maya's events.

    Parameters
    ----------
    watcher : callable
        Called with the window's event.

    Returns
    -------
    callable
        Stops the forwarding.
    """
    # live check: script-job-events
    jobs = [
        int(cmds.scriptJob(event=(event, _forwarding(watcher, what))))
        for event, what in EVENTS.items()
    ]

    def stop() -> None:
        for job in jobs:
            if cmds.scriptJob(exists=job):
                cmds.scriptJob(kill=job, force=True)

    return stop


def _forwarding(watcher: Watcher, what: str) -> Callable[..., None]:
    """Return a function for a script job."""

    def forward(*_: Any) -> None:
        watcher(what)

    return forward
