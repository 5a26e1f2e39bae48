"""Motion from the open scene.

The result equals that of :func:`jointlimits_core.read_motion` for the saved scene, as both collect
channels for :mod:`jointlimits_core.rig`; but here, Maya evaluates drivers of every kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from maya import cmds

from jointlimits_core.base.findings import Finding
from jointlimits_core.base.progress import Progress
from jointlimits_core.geometry.arrays import Floats, distinct
from jointlimits_core.geometry.euler import local_from_rotate, quaternion_from_euler
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Declaration
from jointlimits_core.rig import matrices
from jointlimits_core.rig.curves import with_thirds
from jointlimits_core.rig.joint_drivers import driver_finding
from jointlimits_core.rig.rest_pose import NO_RECORDS, RestPose, RigJoint
from jointlimits_core.rig.sampled_rig import JointSamples, SampledRig, collapse_constant, product_of
from jointlimits_core.rig.turned_besides import in_first_orientation

from ..base.host import SceneError
from ..base.open_maya import om
from ..scene.joints import node_name
from ..scene.plugs import Attributes, matrix_of, source_of, type_of
from ..scene.preserve import scene_untouched
from ..scene.record import Provenance, record_of
from ..scene.time import TimeChoice, current_frame, frames_per_second
from .drivers import Constant, CurrentValues, Driver, Drivers, Samples, UnclampedValues
from .joint_drivers import drivers_of_joints
from .rest_pose import JointPlace, RestChoice, joint_places
from .turned_joints import Group, TimeWarp, moving_orientation, orientation_drivers, turned_findings

JOINT_COMPOUNDS = matrices.MOVING_COMPOUNDS[:3]
"""Moving compounds of joints and controls: joints have no shear; that of controls is ignored."""


@dataclass
class NodeChannels:
    """Drivers of one node's channels.

    `compounds`: three drivers for each compound. `offset_parent`: driver of offsetParentMatrix;
    None if nothing drives it. `orientation`: as from :func:`orientation_drivers`.
    """

    node: Attributes
    path: str
    compounds: dict[str, list[Driver]]
    offset_parent: Driver | None
    orientation: dict[str, Driver] = field(default_factory=dict)

    def drivers(self) -> Iterator[Driver]:
        """All drivers."""
        for three in self.compounds.values():
            yield from three
        if self.offset_parent is not None:
            yield self.offset_parent
        yield from self.orientation.values()

    def vector(self, compound: str, samples: Samples) -> Floats:
        """Values of a compound, shape (frames, 3)."""
        return np.stack([samples.values_of(driver) for driver in self.compounds[compound]], axis=-1)

    def offset_matrix(self, samples: Samples) -> Floats:
        """The offsetParentMatrix for column vectors, shape (4, 4) or (frames, 4, 4)."""
        if self.offset_parent is None:
            return matrix_of(self.node.plug("offsetParentMatrix"))
        return collapse_constant(samples.values_of(self.offset_parent))


@dataclass
class RigChannels:
    """Channels of all joints and of the nodes between them."""

    places: Sequence[JointPlace]
    drivers: Drivers = field(default_factory=Drivers)
    progress: Progress | None = None

    def __post_init__(self) -> None:
        own = {place.path: place.node for place in self.places}
        between = {path: node for place in self.places for path, node in place.between}
        found = {}
        for done, (path, node) in enumerate({**own, **between}.items()):
            self.drivers.report(self.progress, done, len(own) + len(between))
            is_joint, compounds = _is_joint(node), {}
            for compound in JOINT_COMPOUNDS if is_joint else matrices.MOVING_COMPOUNDS:
                solved = path if compound == "rotate" else ""
                plugs = node.plugs(compound)
                compounds[compound] = [self.drivers.driver_of(plug, solved) for plug in plugs]
            offset = self.drivers.driver_of_matrix(node.plug("offsetParentMatrix"))
            driven = orientation_drivers(node, self.drivers, is_joint)
            found[path] = NodeChannels(node, path, compounds, offset, driven)
        self.joints = [found[place.path] for place in self.places]
        self.between = {path: found[path] for path in between}
        self._of_controls = any(place.is_control for place in self.places)

    def all_drivers(self) -> Iterator[Driver]:
        """All drivers; shared drivers appear several times."""
        for one in (*self.joints, *self.between.values()):
            yield from one.drivers()

    def key_frames(self) -> Floats:
        """Frames of the keys that contribute to the rotations of joints."""
        rotations = (driver for joint in self.joints for driver in joint.compounds["rotate"])
        return self.drivers.key_frames(rotations)

    def animated_joints(self) -> frozenset[str]:
        """Names of joints whose rotation has a driver."""
        return frozenset(
            place.name
            for place, joint in zip(self.places, self.joints)
            if any(not isinstance(driver, Constant) for driver in joint.compounds["rotate"])
        )

    def other_turn_drivers(self) -> Iterator[Driver]:
        """Drivers of everything that turns joints besides their rotate channels, such as groups."""
        for one in self.between.values():
            yield from one.drivers() if self._is_group(one) else ()
        for one in self.joints:
            yield from one.orientation.values()
            yield from () if one.offset_parent is None else (one.offset_parent,)

    def _is_group(self, between: NodeChannels) -> bool:
        """Whether a node counts as a group: one that is not a joint, or any node above controls."""
        return self._of_controls or not _is_joint(between.node)

    def findings(self, samples: Samples) -> Iterator[Finding]:
        """Findings about joints that are turned by more than their rotate channels."""
        groups = {
            path: Group(one.node, one.orientation, self._below_parent(one, samples))
            for path, one in self.between.items()
            if self._is_group(one)
        }
        for place, joint in zip(self.places, self.joints):
            above = [groups[path] for path, _ in place.between if path in groups]
            offset = joint.offset_matrix(samples)
            yield from turned_findings(place, joint.orientation, above, offset, samples)

    def in_first_orientation(
        self, joints: Sequence[RigJoint], own: Sequence[JointSamples], samples: Samples
    ) -> Iterator[tuple[RigJoint, JointSamples]]:
        """Joints and their samples, with changing orientations converted to the first frame's."""
        for joint, sampled, channels in zip(joints, own, self.joints):
            if set(channels.orientation) - {"inheritsTransform"}:
                moving = moving_orientation(channels.node, channels.orientation, samples)
                yield in_first_orientation(joint, sampled, moving)
            else:
                yield joint, sampled

    def samples(self, samples: Samples) -> list[JointSamples]:
        """Channels of all joints at every frame."""
        local = {path: self._below_parent(node, samples) for path, node in self.between.items()}
        found: list[JointSamples] = []
        for place, joint in zip(self.places, self.joints):
            translate = collapse_constant(joint.vector("translate", samples))
            above = product_of(
                [local[path] for path, _ in place.between], joint.offset_matrix(samples)
            )
            if place.parent >= 0 and self.places[place.parent].is_control:
                still = _still_compounds(self.places[place.parent].node)
                above = matrices.below_pivot(still, found[place.parent].scale) @ above
            if place.is_control:
                still = _still_compounds(place.node)
                translate = translate + still["rotatePivotTranslate"] + still["rotatePivot"]
            elif place.between:
                above = above @ self._scale_compensation(place, translate)
            rotate, scale = (joint.vector(name, samples) for name in ("rotate", "scale"))
            found.append(JointSamples(rotate, translate, collapse_constant(scale), above))
        return found

    @staticmethod
    def _scale_compensation(place: JointPlace, translate: Floats) -> Floats:
        """Effect of segmentScaleCompensate on a joint whose parent joint was not requested.

        Maya compensates to the right of the translation; this matrix does the same from the left.
        """
        source = source_of(place.node.plug("inverseScaleX"))
        path = "" if source is None else node_name(source.node())
        others = {path for path, node in place.between if _is_joint(node)}
        if path not in others or not place.node.is_on("segmentScaleCompensate"):
            return np.eye(4)
        inverse = matrices.scale_matrix(matrices.inverse_scale(place.node.vector("inverseScale")))
        return np.asarray(
            matrices.translation_matrix(translate)
            @ inverse
            @ matrices.translation_matrix(-translate)
        )

    @staticmethod
    def _below_parent(channels: NodeChannels, samples: Samples) -> Floats:
        """Local matrix of a node, shape (frames or 1, 4, 4)."""
        node, offset = channels.node, channels.offset_matrix(samples)
        moving = {
            name: collapse_constant(channels.vector(name, samples)) for name in channels.compounds
        }
        order = node.rotate_order
        if not _is_joint(node):
            return matrices.transform_matrix({**_still_compounds(node), **moving}, order, offset)
        orient, axis = (
            quaternion_from_euler(node.vector(n)) for n in ("jointOrient", "rotateAxis")
        )
        turn = local_from_rotate(moving["rotate"], orient, axis, order)
        back = node.is_on("segmentScaleCompensate")
        taken_back = node.vector("inverseScale") if back else np.ones(3)
        return np.asarray(
            offset @ matrices.joint_matrix(moving["translate"], turn, moving["scale"], taken_back)
        )


def _is_joint(node: Attributes) -> bool:
    return type_of(node.node) == "joint"


def _still_compounds(node: Attributes) -> dict[str, Floats]:
    return {name: node.vector(name)[None] for name in matrices.STILL_COMPOUNDS}


def motion_from_scene(
    joints: Sequence[om.MDagPath],
    time: TimeChoice | None = None,
    rest: RestChoice | None = None,
    progress: Progress | None = None,
) -> Motion:
    """Read joints and their animation from the open scene, without changing it.

    One exception: if the scene must be played (solvers, dynamics), poses that are not keyed are
    lost, as with every change of time.

    `joints`: parents before their children, as :func:`~jointlimits_maya.scene.joints.chosen_joints`
    gives them. `time`: by default, all frames from the first to the last key. `rest`: by default,
    the pose stored with the skin. Limits do not clamp the motion; those that could not be bypassed
    get a finding. Frame numbers are in the scene's time unit, lengths in its length unit. Raises
    SceneError, which says what to do, if there is nothing to read, and Cancelled if `progress`
    returned False.
    """
    with scene_untouched():
        return _Reading(joints, progress).motion(time or TimeChoice(), rest or RestChoice())


def current_pose_motion(joints: Sequence[om.MDagPath]) -> Motion:
    """Read the current pose of joints, keyed or not, as a one-frame motion.

    Limits do not clamp it: a channel at a limit gets the value of its driver. Raises SceneError if
    there is nothing to read.
    """
    with scene_untouched():
        return _Reading(joints).current_pose()


HANGING = "is below joints that are not selected, so it counts as an ordinary joint, not as a root"


class _Reading:
    def __init__(self, joints: Sequence[om.MDagPath], progress: Progress | None = None) -> None:
        if not joints:
            raise SceneError("no joints given; select the root joint of a character")
        self.places, self.progress = joint_places(joints), progress
        # Groups above a control follow others anyway, so what is above it matters less.
        hanging = [one for one in self.places if one.is_hanging and not one.is_control]
        self.findings = [Finding("part-of-a-character", HANGING, one.name) for one in hanging]
        self.channels = RigChannels(self.places, Drivers(), progress)
        self.warp = TimeWarp.of_scene(self.channels.drivers)

    def motion(self, time: TimeChoice, rest: RestChoice) -> Motion:
        # Read the current pose first: if it is not keyed, it is lost once the time changes.
        current = self._pose(rest.frame) if rest.source in ("frame", "current") else None
        keys = self.warp.frames_of(self.channels.key_frames())
        animated = self.channels.animated_joints()
        besides = list(self.channels.other_turn_drivers())
        # Without keys, what turns joints in other ways shows in the playback range.
        is_driven = bool(animated) or any(not isinstance(one, Constant) for one in besides)
        chosen = time.frames(keys, len(self.places), is_driven)
        self.findings += [
            _outside_finding(f"frames {first:g} to {last:g} are", first, last, keys)
            for first, last in (time.bounds(keys) if len(keys) else ())
            if first > keys.max() or last < keys.min()
        ]
        self.findings += chosen.findings
        rig, samples = self._sample(self.channels, chosen.frames)
        pose, source = current or (rig.rest(rest.records(self.places)), "")
        channels, drivers = self.channels, self.channels.drivers
        driven = drivers_of_joints({place.name: place.path for place in self.places}, drivers)
        self.findings += [driver_finding(*one) for one in driven.items()]
        others = drivers.key_frames(besides)
        outside = (others < rig.frames[0]) | (others > rig.frames[-1])
        if self.warp.curve is None and outside.any():
            # Without such keys outside, the frames already read show these turns.
            samples = Samples(distinct(np.concatenate([rig.frames, with_thirds(others)])))
            samples.read(drivers, besides, self.progress)
        self.findings += [*self.warp.findings, *channels.findings(samples)]
        return rig.motion(pose, rest_source=source, findings=self.findings, animated=animated)

    def current_pose(self) -> Motion:
        """The current pose as a one-frame motion, with itself as rest pose."""
        channels = RigChannels(self.places, UnclampedValues())
        rig, _ = self._sample(channels, np.array([current_frame()]))
        pose, source = rig.rest([NO_RECORDS] * len(self.places)), "current pose"
        return rig.motion(pose, rest_source=source, findings=self.findings)

    def _pose(self, frame: float | None) -> tuple[RestPose, str]:
        """The pose at a frame, or else the current pose, keyed or not."""
        if frame is None:
            channels, source = RigChannels(self.places, CurrentValues()), "current pose"
            frame = current_frame()
        else:
            channels, source = self.channels, f"frame {frame:g}"
            keys = channels.key_frames()
            if len(keys) and not keys.min() <= frame <= keys.max():
                what = f"the rest pose is from frame {frame:g},"
                self.findings.append(_outside_finding(what, frame, frame, keys))
        rig, _ = self._sample(channels, np.array([frame]))
        return rig.rest([NO_RECORDS] * len(self.places)), source

    def _sample(self, channels: RigChannels, frames: Floats) -> tuple[SampledRig, Samples]:
        samples = Samples(frames, self.warp.shown_frames(frames))
        for path in samples.read(channels.drivers, channels.all_drivers(), self.progress):
            message = (
                f"the limits of {path!r} are locked or connected, so they cannot be switched off "
                "while the scene is read, and motion beyond them is missed; unlock them, or bake "
                "the animation (Edit > Keys > Bake Simulation)"
            )
            joint = next((place.name for place in self.places if place.path == path), None)
            finding = Finding("limits-in-the-way", message, joint)
            if finding not in self.findings:
                self.findings.append(finding)
        joints = [_rig_joint(place, self.places) for place in self.places]
        pairs = channels.in_first_orientation(joints, channels.samples(samples), samples)
        joints, sampled = map(list, zip(*pairs))
        unit = float(om.MDistance.uiToInternal(1.0))
        return SampledRig(joints, sampled, frames, frames_per_second(), unit, scene_name()), samples


def _outside_finding(what: str, first: float, last: float, keys: Floats) -> Finding:
    """Warning about frames before the first key or after the last."""
    message = f"{what} outside the keys, which span frames {keys.min():g} to {keys.max():g}"
    return Finding("outside-keys", message, frame_ranges=((first, last),))


def _rig_joint(place: JointPlace, places: Sequence[JointPlace]) -> RigJoint:
    node, compensates = place.node, False
    if place.parent >= 0 and not place.is_control and node.is_on("segmentScaleCompensate"):
        # Only compensation for the scale of its parent joint counts.
        parent = places[place.parent].node.node
        fed = [source_of(plug) for plug in node.plugs("inverseScale")]
        compensates = all(source is not None and source.node() == parent for source in fed)
    return RigJoint(
        key=place.path,
        name=place.name,
        parent=place.parent,
        between=tuple(path for path, _ in place.between),
        rotate_order=node.rotate_order,
        joint_orient=node.vector("jointOrient"),
        rotate_axis=node.vector("rotateAxis"),
        compensates_scale=compensates,
        declaration=_declaration_of(node),
        is_hanging=place.is_hanging,
        is_control=place.is_control,
    )


_MAX_DIFFERENCE_RAD = 1e-12
"""Radians; a value further than this from the applied one was changed by hand."""


def _declaration_of(joint: Attributes) -> Declaration:
    """Declaration of a joint, without applied limits.

    Applied limits would look as if they had clamped the motion, and an estimate made after Apply
    would differ from the one before.
    """
    record = record_of(joint.node) or Provenance()

    def number(attribute: str, default: float) -> float:
        now = 1.0 if attribute in record.switched_off else joint.number(attribute, default)
        ours = record.written.get(attribute)
        if ours is None or abs(now - float(ours)) > _MAX_DIFFERENCE_RAD:
            return now
        return float(record.before[attribute])

    def is_locked(channel: str) -> bool:
        return bool(record.locks.get(channel, joint.is_locked(channel)))

    return matrices.declaration_from(number, is_locked)


def scene_name() -> str:
    """Name of the scene's file without its extension."""
    path = cmds.file(query=True, sceneName=True)
    return Path(str(path)).stem if path else "untitled"
