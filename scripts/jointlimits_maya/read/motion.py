"""Motion from the open scene.

The result equals that of :func:`jointlimits_core.read_motion` for the saved scene, as both collect
channels for :mod:`jointlimits_core.rig`; but here, everything Maya can evaluate is resolved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import maya.api.OpenMaya as om
import numpy as np
from maya import cmds

from jointlimits_core.base import Finding, Progress
from jointlimits_core.geometry import Floats
from jointlimits_core.motion import Motion
from jointlimits_core.rig import NO_RECORDS, RestPose, RigJoint, SampledRig, rotate_order_name

from ..base import SceneError
from ..scene import (
    TimeChoice,
    current_frame,
    frames_per_second,
    limits_bypassed,
    scene_untouched,
    source_of,
)
from .channels import PastLimits, RigChannels
from .drivers import AsTheyStand, CurveOverTime, Evaluated
from .existing_limits import declaration_of
from .hierarchy import JointPlace, joint_places
from .rest_pose import RestChoice
from .sampling import Keys, Samples


def motion_from_scene(
    joints: Sequence[om.MDagPath],
    time: TimeChoice | None = None,
    rest: RestChoice | None = None,
    progress: Progress | None = None,
) -> Motion:
    """Read joints and their animation from the open scene, without changing it.

    One exception: if the scene must be played (solvers, dynamics), poses that are not keyed are
    lost, as with every change of time.

    Parameters
    ----------
    joints : sequence of MDagPath
        Parents before their children, as
        :func:`~jointlimits_maya.scene.joints.chosen_joints` gives them.
    time : TimeChoice, optional
        Default: all frames from the first to the last key.
    rest : RestChoice, optional
        Default: the pose stored with the skin.

    Returns
    -------
    Motion
        Unclamped by limits. Frame numbers are in the scene's time unit, lengths in its length unit.
        Limits that could not be bypassed are findings.

    Raises
    ------
    SceneError
        If there is nothing to read; the message says what to do.
    Cancelled
        If `progress` returned False.
    """
    if not joints:
        raise SceneError("no joints given; select the root joint of a character")
    with scene_untouched():
        return _Reading(joint_places(joints), progress).motion(
            time or TimeChoice(), rest or RestChoice()
        )


def motion_as_it_stands(joints: Sequence[om.MDagPath]) -> Motion:
    """Read the current pose of joints, keyed or not, as a motion of one frame.

    Returns
    -------
    Motion
        Unclamped: a channel at a limit has the value of its driver.

    Raises
    ------
    SceneError
        If there is nothing to read.
    """
    if not joints:
        raise SceneError("no joints given; select the root joint of a character")
    with scene_untouched():
        return _Reading(joint_places(joints), None).standing()


HANGING = "is below joints that are not selected, so it counts as an ordinary joint, not as a root"


@dataclass
class _Reading:
    """One reading of some joints."""

    places: list[JointPlace]
    progress: Progress | None
    findings: list[Finding] = field(default_factory=list)

    def __post_init__(self) -> None:
        for place in self.places:
            if place.is_hanging:
                self.findings.append(Finding("part-of-a-character", HANGING, place.name))
        self.channels = RigChannels(self.places)
        self.keys = Keys()

    def motion(self, time: TimeChoice, rest: RestChoice) -> Motion:
        """Sample the joints and assemble the motion."""
        # Read this first: a pose that is not keyed is lost once the time changes.
        standing = self._pose(rest.frame) if rest.source in ("frame", "current") else None
        rig = self._sampled(self.channels, self._frames(time))
        pose, source = standing or (rig.rest(rest.records(self.places)), "")
        return rig.motion(
            pose, rest_source=source, findings=self.findings, animated=self.channels.animated()
        )

    def standing(self) -> Motion:
        """The current pose as motion; it is its own rest pose."""
        rig = self._sampled(RigChannels(self.places, PastLimits()), np.array([current_frame()]))
        pose, source = rig.rest([NO_RECORDS] * len(self.places)), "current pose"
        return rig.motion(pose, rest_source=source, findings=self.findings)

    def _pose(self, frame: float | None) -> tuple[RestPose, str]:
        """The pose at a frame, or else the current pose, keyed or not."""
        if frame is None:
            channels, source = RigChannels(self.places, AsTheyStand()), "current pose"
            frame = current_frame()
        else:
            channels, source = self.channels, f"frame {frame:g}"
            keys = self.keys.frames(channels.curves_of_rotations())
            if len(keys) and not keys.min() <= frame <= keys.max():
                self.findings.append(_rest_outside(frame, keys))
        rig = self._sampled(channels, np.array([frame]))
        return rig.rest([NO_RECORDS] * len(self.places)), source

    def _frames(self, time: TimeChoice) -> Floats:
        keys = self.keys.frames(self.channels.curves_of_rotations())
        chosen = time.frames(keys, len(self.places), bool(self.channels.animated()))
        self.findings += [_outside(pair, keys) for pair in time.outside(keys)]
        if chosen.sparse:
            first, last = chosen.frames[0], chosen.frames[-1]
            message = (
                f"the keys span frames {first:g} to {last:g}, too many to read them all; only "
                "frames with keys are read"
            )
            self.findings.append(Finding("sparse-keys", message))
        return chosen.frames

    def _sampled(self, channels: RigChannels, frames: Floats) -> SampledRig:
        samples = Samples(frames)
        drivers = channels.drivers_once()
        curves = [driver for driver in drivers if isinstance(driver, CurveOverTime)]
        evaluated = [driver for driver in drivers if isinstance(driver, Evaluated)]
        samples.take_curves(curves, self.keys, self.progress)
        if evaluated:
            with limits_bypassed(channels.drivers.joints_behind(evaluated)) as stuck:
                samples.take_evaluated(evaluated, self.progress)
            self._note(stuck)
        return SampledRig(
            [_rig_joint(place, self.places) for place in self.places],
            channels.samples(samples),
            frames,
            frames_per_second(),
            float(om.MDistance.uiToInternal(1.0)),
            scene_name(),
        )

    def _note(self, stuck: Sequence[str]) -> None:
        for path in stuck:
            message = (
                f"the limits of {path!r} are locked or connected, so they cannot be switched off "
                "while the scene is read, and motion beyond them is missed; unlock them, or bake "
                "the animation (Edit > Keys > Bake Simulation)"
            )
            joint = next((place.name for place in self.places if place.path == path), None)
            finding = Finding("limits-in-the-way", message, joint)
            if finding not in self.findings:
                self.findings.append(finding)


def _outside(pair: tuple[float, float], keys: Floats) -> Finding:
    """Warning about a range of frames without keys."""
    message = (
        f"frames {pair[0]:g} to {pair[1]:g} are outside the keys, which span frames "
        f"{np.min(keys):g} to {np.max(keys):g}"
    )
    return Finding("outside-keys", message, frame_ranges=(pair,))


def _rest_outside(frame: float, keys: Floats) -> Finding:
    """Warning about a rest pose from a frame outside the animation."""
    message = (
        f"the rest pose is from frame {frame:g}, outside the keys, which span frames "
        f"{keys.min():g} to {keys.max():g}"
    )
    return Finding("outside-keys", message, frame_ranges=((frame, frame),))


def _rig_joint(place: JointPlace, places: Sequence[JointPlace]) -> RigJoint:
    node = place.node
    return RigJoint(
        key=place.path,
        name=place.name,
        parent=place.parent,
        between=tuple(path for path, _ in place.between),
        rotate_order=rotate_order_name(node.plug("rotateOrder").asInt()),
        joint_orient=node.vector("jointOrient"),
        rotate_axis=node.vector("rotateAxis"),
        compensates_scale=_compensates(place, places),
        declaration=declaration_of(node),
        is_hanging=place.is_hanging,
    )


def _compensates(place: JointPlace, places: Sequence[JointPlace]) -> bool:
    """Whether a joint compensates the scale of its parent joint."""
    if place.parent < 0 or not place.node.is_on("segmentScaleCompensate"):
        return False
    parent = places[place.parent].node.node
    fed = [source_of(plug) for plug in place.node.plugs("inverseScale")]
    return all(source is not None and source.node() == parent for source in fed)


def scene_name() -> str:
    """Name of the scene's file without its extension."""
    path = cmds.file(query=True, sceneName=True)
    return Path(str(path)).stem if path else "untitled"
