"""Joints of one figure: creation, placement, keys, and keyed attributes for quality of fit.

The attributes are plain numbers, independent of the scene's units; their names give the unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from jointlimits_core.formats.maya_ascii.motion_scene import smooth_rotates
from jointlimits_core.geometry import arrays, euler
from jointlimits_core.motion.motion import Motion
from jointlimits_core.rig.joint_drivers import BUILT_FROM_TRACKS
from jointlimits_core.skeleton_fit import residuals, result

from ..base.open_maya import om
from ..read.drivers import CurveOverTime, Drivers, KeyList
from ..scene import plugs, results
from ..scene.edit import Angle, Length, SceneEdit, put_value
from ..write.curves import AllKeys, add_curve

CM_PER_M = 100.0
"""Maya's internal length units per metre."""
RADIUS_SHARE = 0.05
"""Display radius of the joints, as a share of the median bone length."""


class Chain:
    """Joints of one figure in world space, and the nodes that an edit creates for them.

    `motion`: in metres. `names`: joint names that are unused in the scene.
    """

    def __init__(self, motion: Motion, names: Sequence[str]) -> None:
        self.motion, self.names = motion, tuple(names)
        self.made: list[om.MObject] = []
        bones = motion.skeleton
        self._lengths = CM_PER_M * np.linalg.norm(bones.offsets[bones.parents >= 0], axis=1)

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
        return plugs.find_plug(self.made[joint], attribute)

    def make(self, edit: SceneEdit) -> None:
        """Add the joints in their rest pose to an edit."""

        def create(joint: int, modifier: om.MDagModifier) -> None:
            parent = self.parents[joint]
            above = om.MObject.kNullObj if parent < 0 else self.made[parent]
            self.made.append(modifier.createNode("joint", above))

        for joint in range(len(self.names)):
            # live check: joint-from-modifier
            edit.modify_dag(partial(create, joint))
            edit.modify(partial(self._settle, joint))

    def key(self, edit: SceneEdit) -> None:
        """Add a key on every frame, as part of an edit."""
        for joint in range(len(self.names)):
            self._curves(edit, joint, "rotate", smooth_rotates(self.motion, joint))
        for joint, places in self.motion.translations.items():
            self._curves(edit, joint, "translate", CM_PER_M * places.T)

    def _settle(self, joint: int, modifier: om.MDGModifier) -> None:
        bones, parent = self.motion.skeleton, self.parents[joint]
        modifier.renameNode(self.made[joint], self.names[joint])
        orient = euler.euler_from_quaternion(bones.joint_orients[joint])
        for axis, angle, place in zip(plugs.AXES, orient, CM_PER_M * bones.offsets[joint]):
            put_value(modifier, self.plug(joint, f"jointOrient{axis}"), Angle(float(angle)))
            put_value(modifier, self.plug(joint, f"translate{axis}"), Length(float(place)))
        radius = max(RADIUS_SHARE * float(np.median(self._lengths)), 1e-3)
        put_value(modifier, self.plug(joint, "radius"), round(radius, 3))
        if parent >= 0:
            # Maya makes the same connection for a joint created below another one.
            modifier.connect(self.plug(parent, "scale"), self.plug(joint, "inverseScale"))

    def _curves(self, edit: SceneEdit, joint: int, compound: str, values: arrays.Floats) -> None:
        kind = "animCurveTA" if compound == "rotate" else "animCurveTL"
        for axis, row in zip(plugs.AXES, values):
            channel = f"{compound}{axis}"
            keys = AllKeys(self.motion.frames, row)
            plug = partial(self.plug, joint, channel)
            add_curve(edit, plug, kind, f"{self.names[joint]}_{channel}", keys)


RESIDUAL, SLIP, SLIP_ANGLE = BUILT_FROM_TRACKS, "slipMillimeters", "slipDegrees"
ATTRIBUTES = {RESIDUAL: "rmm", SLIP: "smm", SLIP_ANGLE: "sdg"}
"""Long and short names of the attributes."""
MM_PER_M = 1000.0


def put_quality(edit: SceneEdit, chain: Chain, fit: result.BodyFit) -> None:
    """Add the keyed attributes of a chain's joints to an edit.

    `chain`: created by the same edit; the joints of its motion are named after the bodies.
    """

    def add(joint: int, modifier: om.MDGModifier) -> None:
        for long, short in ATTRIBUTES.items():
            number = om.MFnNumericAttribute()
            attribute = number.create(long, short, om.MFnNumericData.kDouble, 0.0)
            number.keyable = True
            modifier.addAttribute(chain.made[joint], attribute)

    frames = fit.tracks.frames
    for joint, body in enumerate(chain.motion.joint_names):
        edit.modify(partial(add, joint))
        keys = {}
        if chain.parents[joint] >= 0:
            gaps = gaps_mm(fit, body)
            seen = np.isfinite(gaps)
            keys[RESIDUAL] = AllKeys(frames[seen], gaps[seen])
        slips = [slip for slip in fit.slips if slip.body == body]
        if slips:
            # Zero before the first slip; from each slip on, the size of that slip.
            times = np.array([float(frames[0]), *(slip.frame for slip in slips)])
            lengths = np.array([0.0, *(MM_PER_M * slip.distance_m for slip in slips)])
            angles = np.array([0.0, *(slip.angle_deg for slip in slips)])
            keys[SLIP] = AllKeys(times, lengths, stepped=True)
            keys[SLIP_ANGLE] = AllKeys(times, np.nan_to_num(angles), stepped=True)
        for attribute, values in keys.items():
            plug = partial(chain.plug, joint, attribute)
            add_curve(edit, plug, "animCurveTU", f"{chain.names[joint]}_{attribute}", values)


def gaps_mm(fit: result.BodyFit, body: str) -> arrays.Floats:
    """Gap of the joint between a body and its parent, shape (frames,), millimetres.

    NaN for frames that the fit did not use: their gap says nothing about the joint.
    """
    joint = fit.joint(body)
    ends = joint.centre_in_child, joint.centre_in_parent
    gaps = residuals.joint_gap(fit.tracks, joint.child, joint.parent, *ends)
    lengths = MM_PER_M * np.linalg.norm(gaps, axis=1)
    return np.where(fit.used[joint.child] & fit.used[joint.parent], lengths, np.nan)


def is_built(node: om.MObject) -> bool:
    """Whether a node is a joint that was built from tracks."""
    return bool(om.MFnDependencyNode(node).hasAttribute(RESIDUAL))


def quality_of(joint: om.MObject) -> results.JointQuality | None:
    """Quality of a joint, read from its attributes; None if it has none."""
    if not is_built(joint):
        return None
    found = []
    for name in ATTRIBUTES:
        curve = Drivers(solved={}).driver_of(plugs.find_plug(joint, name))
        found.append(KeyList.read(curve) if isinstance(curve, CurveOverTime) else None)
    gaps, lengths, angles = found
    slips: tuple[tuple[float, float, float], ...] = ()
    if lengths is not None:
        turned = (
            np.zeros(len(lengths.frames)) if angles is None else angles.values_at(lengths.frames)
        )
        rows = zip(lengths.frames.tolist(), lengths.values.tolist(), turned.tolist())
        slips = tuple(rows)[1:]
    if gaps is None:
        return results.JointQuality(np.zeros(0), np.zeros(0), slips)
    return results.JointQuality(gaps.frames, gaps.values, slips)
