"""Joints of one figure: creation, placement and keys."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import maya.api.OpenMaya as om
import numpy as np

from jointlimits_core.arrays import Floats
from jointlimits_core.euler import euler_from_quaternion
from jointlimits_core.formats.maya_ascii.motion_scene import smooth_rotates
from jointlimits_core.motion import Motion

from .all_keys import AllKeys, add_curve
from .attributes import AXES
from .plug_values import Angle, Length, put_value
from .plugs import find_plug
from .scene_edit import ModifierStep, SceneEdit

CENTIMETERS = 100.0
"""Maya's internal length units per metre."""
RADIUS = 0.05
"""Display radius of the joints, as a share of the median bone."""


class Chain:
    """Joints of one figure in the world, and the nodes that an edit creates for them.

    Parameters
    ----------
    motion : Motion
        In metres.
    names : sequence of str
        Joint names, unused in the scene.
    """

    def __init__(self, motion: Motion, names: Sequence[str]) -> None:
        self.motion, self.names = motion, tuple(names)
        self.made: list[om.MObject] = []
        bones = motion.skeleton
        self._lengths = CENTIMETERS * np.linalg.norm(bones.offsets[bones.parents >= 0], axis=1)

    @property
    def parents(self) -> list[int]:
        """Index of each joint's parent, -1 for the root."""
        return [int(parent) for parent in self.motion.skeleton.parents]

    def paths(self) -> list[str]:
        """Full paths that the joints will have."""
        paths: list[str] = []
        for name, parent in zip(self.names, self.parents):
            paths.append(f"{'' if parent < 0 else paths[parent]}|{name}")
        return paths

    def plug(self, joint: int, attribute: str) -> om.MPlug:
        """Plug of a created joint."""
        return find_plug(self.made[joint], attribute)

    def make(self, edit: SceneEdit) -> None:
        """Add the joints in their rest pose to an edit."""
        for joint in range(len(self.names)):
            # live check: joint-from-modifier
            edit.add(ModifierStep(partial(self._create, joint), om.MDagModifier))
            edit.modify(partial(self._settle, joint), when_reached=True)

    def key(self, edit: SceneEdit) -> None:
        """Add keys on every frame to an edit."""
        for joint in range(len(self.names)):
            self._curves(edit, joint, "rotate", smooth_rotates(self.motion, joint))
        for joint, places in self.motion.translations.items():
            self._curves(edit, joint, "translate", CENTIMETERS * places.T)

    def _create(self, joint: int, modifier: om.MDagModifier) -> None:
        parent = self.parents[joint]
        above = om.MObject.kNullObj if parent < 0 else self.made[parent]
        self.made.append(modifier.createNode("joint", above))

    def _settle(self, joint: int, modifier: om.MDGModifier) -> None:
        bones, parent = self.motion.skeleton, self.parents[joint]
        modifier.renameNode(self.made[joint], self.names[joint])
        orient = euler_from_quaternion(bones.joint_orients[joint])
        for axis, angle, place in zip(AXES, orient, CENTIMETERS * bones.offsets[joint]):
            put_value(modifier, self.plug(joint, f"jointOrient{axis}"), Angle(float(angle)))
            put_value(modifier, self.plug(joint, f"translate{axis}"), Length(float(place)))
        radius = max(RADIUS * float(np.median(self._lengths)), 1e-3)
        put_value(modifier, self.plug(joint, "radius"), round(radius, 3))
        if parent >= 0:
            # Maya makes the same connection for a joint created below another one.
            modifier.connect(self.plug(parent, "scale"), self.plug(joint, "inverseScale"))

    def _curves(self, edit: SceneEdit, joint: int, compound: str, values: Floats) -> None:
        kind = "animCurveTA" if compound == "rotate" else "animCurveTL"
        for axis, row in zip(AXES, values):
            channel = f"{compound}{axis}"
            keys = AllKeys(self.motion.frames, row)
            plug = partial(self.plug, joint, channel)
            add_curve(edit, plug, kind, f"{self.names[joint]}_{channel}", keys)
