"""The character of the open scene that the window works on, until it is told of another."""

from __future__ import annotations

from collections.abc import Sequence

import maya.api.OpenMaya as om
from maya import cmds

from jointlimits_core.evaluation.matching import matched_joints

from .errors import SceneError
from .joint_choice import chosen_joints
from .names import joint_names
from .scene_character import SceneCharacter

GONE = (
    "the character that these limits are for is not in the scene any more; select a character and "
    "estimate again, or open its scene"
)


class HeldCharacter:
    """A character that is held; while that is none, whatever is selected.

    Attributes
    ----------
    character : SceneCharacter or None
    """

    def __init__(self) -> None:
        self.character: SceneCharacter | None = None

    def chosen(self) -> SceneCharacter:
        """Return the selected character; the one that is held if nothing is selected."""
        held = self.character
        is_selected = bool(cmds.ls(selection=True, type="transform"))
        if held is not None and held.is_there() and not is_selected:
            return held
        return SceneCharacter(chosen_joints())

    def joints(self) -> list[om.MDagPath]:
        """All its joints that are there; none if it is gone."""
        return [] if self.character is None else self.character.joints()

    def called(self, names: Sequence[str]) -> list[om.MDagPath]:
        """Those of them that limits call so, whatever their namespace is by now."""
        joints = self.joints()
        found = matched_joints(names, joint_names(joints))
        return [joints[place] for place in sorted(found.values())]

    def tops(self) -> list[str]:
        """Names to call the functions of the api with; none, which is the selection, without one.

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
        """Names of those of its joints that are selected."""
        selected = set(cmds.ls(selection=True, long=True, type="joint") or ())
        joints = self.joints()
        return tuple(
            name
            for joint, name in zip(joints, joint_names(joints))
            if str(joint.fullPathName()) in selected
        )


def selected_character() -> SceneCharacter | None:
    """Return the selected character, if what is selected has joints."""
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
