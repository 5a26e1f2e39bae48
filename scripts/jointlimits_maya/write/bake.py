"""Baking of joints: limits off, a key on every frame by Maya's own bakeResults, limits on again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from jointlimits_core.base.progress import Progress
from jointlimits_core.motion.motion import Motion

from ..base.host import SceneError
from ..base.open_maya import om
from ..read.drivers import Constant, projection_of
from ..read.motion import RigChannels, motion_from_scene
from ..read.rest_pose import joint_places
from ..read.upstream import CURVES
from ..scene.edit import SceneEdit, Step
from ..scene.joints import joint_names, noun_of
from ..scene.plugs import AXES, ENABLES, find_plug, obstacle, put, read, source_of, type_of
from ..scene.preserve import parallel_evaluation_off, scene_untouched
from ..scene.results import BakeResult
from ..scene.time import TimeChoice
from .limit_edits import joint_obstacle

LABEL = "Bake Joint Limits"
CHANNELS = tuple(f"{compound}{axis}" for compound in ("rotate", "translate") for axis in AXES)
MAX_CHANGE = 1e-3
"""Largest change of a pose: radians (0.06 degrees), or units of length."""


def plan_bake(
    chosen: Sequence[om.MDagPath], time: TimeChoice, progress: Progress | None = None
) -> tuple[SceneEdit, BakeResult]:
    """Plan keys on every frame for the driven joints among `chosen`.

    The edit fails, and so changes nothing, if a pose would change. Raises SceneError if a joint
    (named) cannot be baked or nothing drives any, and Cancelled
    if `progress` returned False.
    """
    if len(time.ranges) > 1 or time.step != 1.0 or time.keys_only:
        raise SceneError("baking needs a single range of frames, such as 1:120")
    with scene_untouched():
        channels = _driven_channels(chosen)
    joints = [joint for joint in chosen if str(joint.fullPathName()) in channels]
    if not joints:
        raise SceneError("nothing drives these joints, so there is nothing to bake")
    names = dict(zip(joint_names(joints), joints))
    baked = [one for one in CHANNELS if any(one in driven for driven in channels.values())]
    for name, joint in names.items():
        _check(name, joint.node(), baked)
    before = motion_from_scene(joints, time, progress=progress)
    first, last = float(before.frames[0]), float(before.frames[-1])
    if last - first < 1.0:
        raise SceneError("there is only one frame to bake; give a longer range, such as 1:120")
    edit = SceneEdit(LABEL)
    on = [(joint, switch) for joint in joints for switch in ENABLES if read(joint.node(), switch)]
    for joint, switch in on:
        put(edit, joint.node(), switch, False)
    for joint in joints:
        _connect_channels(edit, joint.node())
    edit.steps += [_BakeStep(joints, baked, first, last), _CheckStep(joints, baked, before)]
    for joint, switch in on:
        put(edit, joint.node(), switch, True)
    limited = [name for name, joint in names.items() if any(one is joint for one, _ in on)]
    noun = noun_of(joints)
    return edit, BakeResult(tuple(names), tuple(baked), (first, last), tuple(limited), noun=noun)


def _driven_channels(joints: Sequence[om.MDagPath]) -> Mapping[str, set[str]]:
    """Rotate and translate channels that something drives, by path of the joint."""
    found = {}
    for place, channels in zip(joint_places(joints), RigChannels(joint_places(joints)).joints):
        driven = {
            f"{compound}{axis}"
            for compound in ("rotate", "translate")
            for axis, driver in zip(AXES, channels.compounds[compound])
            if not isinstance(driver, Constant)
        }
        if driven:
            found[place.path] = driven
    return found


def _check(name: str, node: om.MObject, baked: Sequence[str]) -> None:
    """Raise SceneError if a joint cannot be baked."""
    why = joint_obstacle(name, node)
    if why is not None:
        raise SceneError(f"{why.reason}; {why.advice}", name)
    if projection_of(node) is not None:
        advice = "projectJointLimits -projectOn off, then bake"
        raise SceneError(f"kept inside its shape by a node; {advice}", name)
    is_referenced = om.MFnDependencyNode(node).isFromReferencedFile
    for channel in baked:
        plug = find_plug(node, channel)
        if plug.isLocked or plug.parent().isLocked:
            raise SceneError("locked; unlock the channel and bake again", f"{name}.{channel}")
        if is_referenced and plug.isDestination:
            source = om.MFnDependencyNode(plug.source().node())
            if source.isFromReferencedFile:
                reason = "referenced together with what drives it; bake it in its own file"
                raise SceneError(reason, f"{name}.{channel}")
    for switch in ENABLES:
        stuck = obstacle(find_plug(node, switch)) if read(node, switch) else None
        if stuck is not None:
            raise SceneError(f"{stuck.reason}; {stuck.advice}", f"{name}.{switch}")


def _connect_channels(edit: SceneEdit, node: om.MObject) -> None:
    """Connect the channels of a compound one by one if it is connected as a whole."""
    # live check: bake-below-a-compound
    for compound in ("rotate", "translate"):
        whole = find_plug(node, compound)
        source = whole.sourceWithConversion()
        if source.isNull or not source.isCompound:
            continue
        pairs = [(source.child(k), whole.child(k)) for k in range(whole.numChildren())]
        # Other units need conversions, which lie behind outputs without children.
        if all(one.attribute().apiType() == own.attribute().apiType() for one, own in pairs):
            edit.disconnect(source, whole)
            for one, own in pairs:
                edit.connect(one, own)


class _BakeStep(Step):
    """Maya's bakeResults, run by a modifier, which undoes and redoes it."""

    def __init__(
        self, joints: Sequence[om.MDagPath], channels: Sequence[str], first: float, last: float
    ) -> None:
        attributes = " ".join(f'-attribute "{channel}"' for channel in channels)
        names = " ".join(f'"{joint.fullPathName()}"' for joint in joints)
        # live check: bake-in-a-modifier
        self._command = (
            f'bakeResults -simulation true -time "{first:.10g}:{last:.10g}" -sampleBy 1 '
            "-disableImplicitControl true -preserveOutsideKeys true -minimizeRotation false "
            f"{attributes} {names}"
        )
        self._modifier = om.MDGModifier()

    def do(self) -> None:
        self._modifier = om.MDGModifier()
        self._modifier.commandToExecute(self._command)
        self.redo()

    def redo(self) -> None:
        with parallel_evaluation_off():
            self._modifier.doIt()

    def undo(self) -> None:
        self._modifier.undoIt()

    def unrestored_places(self) -> list[str]:
        return ["the baked channels"]


class _CheckStep(Step):
    """Search for channels without keys, and for poses that have changed; raises SceneError."""

    def __init__(
        self, joints: Sequence[om.MDagPath], channels: Sequence[str], before: Motion
    ) -> None:
        self._joints, self._channels, self._before = joints, channels, before

    def do(self) -> None:
        for name, joint in zip(joint_names(self._joints), self._joints):
            for channel in self._channels:
                source = source_of(find_plug(joint.node(), channel))
                if source is None or type_of(source.node()) not in CURVES:
                    driver = "" if source is None else f", which {source.name()} drives"
                    reason = f"Maya does not bake this channel{driver}; bake it by hand"
                    raise SceneError(reason, f"{name}.{channel}")
        first, last = float(self._before.frames[0]), float(self._before.frames[-1])
        after = motion_from_scene(self._joints, TimeChoice("ranges", ((first, last),)))
        # Each may have frames that the other lacks, at keys between whole frames.
        _, *places = np.intersect1d(self._before.frames, after.frames, return_indices=True)
        worlds = [
            clip.keep_frames(place).all_world_matrices()
            for clip, place in zip((self._before, after), places)
        ]
        off = np.abs(worlds[0] - worlds[1]).max(axis=(0, 2, 3))
        if off.max() > MAX_CHANGE:
            name = after.joint_names[int(off.argmax())]
            raise SceneError("baking would change its poses", name)

    def redo(self) -> None:
        """Nothing to redo: the poses were compared when the edit was made."""

    def undo(self) -> None:
        """Nothing to undo."""

    def unrestored_places(self) -> list[str]:
        return []
