"""The character of the open scene that the window is working on."""

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
        if held is not None and held.is_there() and not is_selected:
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
