"""Reader for motion in Maya ASCII scenes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from ...base import errors, findings
from ...base.control_types import CURVE_SHAPES
from ...base.text import plural
from ...geometry import euler
from ...geometry.arrays import Floats
from ...io.input import DEFAULT_LIMITS, ReadLimits, open_regular
from ...motion.motion import Motion
from ...rig import (
    drivers,
    joint_drivers,
    key_frames,
    matrices,
    rest_pose,
    sampled_rig,
    turned_besides,
)
from ...rig.controls import controls_words, keyed_controls
from ...rig.scene import MISSING, Node, Plug, Scene
from ..registry import ReadRequest
from . import filter_keys, lexer, turned_joints
from .scene_file import SceneFile, scene_file

PIVOT = ("rotatePivot", "rotatePivotTranslate")
"""Attributes of a control that place its rotate pivot."""


def read_request(path: lexer.PathLike, request: ReadRequest) -> Motion:
    """Read a scene; the file defines its skeleton and frame rate."""
    return read_maya_ascii(path, request.limits, request.controls)


def read_with_filtered_keys(
    path: lexer.PathLike, limits: ReadLimits, replaces_limits: bool, controls: bool = False
) -> Motion:
    """Read a scene as if its rotate keys were filtered.

    Arguments and errors are those of :func:`.filter_keys.filter_scene_keys`.
    """

    def filtered_drivers(file: SceneFile) -> drivers.Drivers:
        return filter_keys.FilteredDrivers(file, replaces_limits, controls)

    return _read_motion(path, limits, filtered_drivers, controls)


def may_have_controls(path: lexer.PathLike) -> bool:
    """Whether a scene has curve shapes, or references a file; False if it cannot be read."""
    shapes = "|".join(sorted(CURVE_SHAPES))
    statement = re.compile(rf"createNode ({shapes}) |file -r".encode())
    try:
        with open_regular(path, errors.MayaAsciiError) as stream:
            return any(map(statement.match, iter(partial(stream.readline, 4096), b"")))
    except errors.MayaAsciiError:
        return False


def read_maya_ascii(
    path: lexer.PathLike, limits: ReadLimits = DEFAULT_LIMITS, controls: bool = False
) -> Motion:
    """Read the joints of a scene, or its controls, and their animation.

    Nothing in the scene is run: script nodes and expressions are listed in the findings. Raises
    MayaAsciiError, with the line if known, if the file cannot be read or has no joints. Raises
    InputError if the file cannot be opened. `controls`: read the controls in place of the joints.

    Referenced files are searched for next to `path`. Frame numbers are in the scene's unit of time;
    there is a frame at each rotate key of a joint, and at every whole frame between the keys. A key
    within 0.01 frames of a whole frame counts as being on it. A scene without animation has one
    frame, 0. Lengths are in the scene's unit; ``rotates`` keep the Euler branch of the keys. If a
    driver cannot be resolved exactly, its channel keeps the value in the file, does not count as
    animated, and has a finding: "unresolved-placement" if it moves a joint without turning it, else
    "unresolved-driver".
    """
    return _read_motion(path, limits, lambda file: drivers.Drivers(file.scene), controls)


def _read_motion(
    path: lexer.PathLike,
    limits: ReadLimits,
    drivers_of: Callable[[SceneFile], drivers.Drivers],
    controls: bool,
) -> Motion:
    file = scene_file(path, limits)
    resolver = drivers_of(file)
    places = rest_pose.joint_places(file.scene, controls)
    try:
        # Scales in hostile scenes may multiply to infinity; the result is checked below.
        with np.errstate(all="ignore"):
            return _motion(file, places, resolver)
    except ValueError as error:
        raise errors.MayaAsciiError(
            file.path, f"{error}; fix this joint in Maya and save the scene again"
        ) from None


def _motion(
    file: SceneFile, places: Sequence[rest_pose.JointPlace], resolver: drivers.Drivers
) -> Motion:
    """Motion of joints at these places; ValueError for values that form no valid motion."""
    scene = file.scene
    channels = _Channels(scene, places, resolver)
    rate = scene.units.frames_per_second
    frames = _frame_numbers(scene, channels, places)
    seconds, evaluate = frames / rate, drivers.Evaluator(frames, rate)
    if channels.warp is not None:
        # Times at which the curves are read, for each time of the scene.
        seconds = np.array(channels.warp.evaluate(seconds))
        evaluate = drivers.Evaluator(seconds)
    joints = [_rig_joint(scene, place, places) for place in places]
    samples = _samples(places, channels, evaluate)
    for index, place in enumerate(places):
        orientation = channels.turned.orientation(place.node, evaluate)
        if orientation is not None:
            pair = turned_besides.in_first_orientation(joints[index], samples[index], orientation)
            joints[index], samples[index] = pair
    name = Path(scene.path).stem
    rig = sampled_rig.SampledRig(joints, samples, frames, rate, scene.units.centimeters, name)
    turned = channels.turned.findings(seconds, channels.signals, channels.local_matrix)
    # Stored poses hold translations without pivots.
    records = [
        rest_pose.NO_RECORDS if _has_pivots(place.node) else own
        for place, own in zip(places, rest_pose.bind_records(scene, places))
    ]
    return rig.motion(
        rig.rest(records),
        source=file.source,
        findings=(*scene.findings, *channels.findings, *turned, *_key_findings(channels)),
        animated=channels.animated,
    )


def _rig_joint(
    scene: Scene, place: rest_pose.JointPlace, places: Sequence[rest_pose.JointPlace]
) -> rest_pose.RigJoint:
    """Constant attributes of a joint or control."""
    node = place.node
    # A joint compensates the scale of its parent joint only if it is connected to that scale.
    parts = node.family.children["inverseScale"]
    fed = [scene.sources.get((node, part), (None, ""))[0] for part in parts]
    is_fed = place.parent >= 0 and fed == [places[place.parent].node] * len(parts)
    switch = node.number("segmentScaleCompensate", 1.0)
    return rest_pose.RigJoint(
        key=node,
        name=place.name,
        parent=place.parent,
        between=place.between,
        rotate_order=rest_pose.rotate_order(node),
        joint_orient=node.vector("jointOrient"),
        rotate_axis=node.vector("rotateAxis"),
        compensates_scale=is_fed and switch != 0.0,
        declaration=matrices.declaration_from(node.number, node.is_locked),
        is_control=not node.is_joint,
    )


class _Channels:
    """Signals of the channels of all joints, and of the transforms between joints."""

    def __init__(
        self, scene: Scene, places: Sequence[rest_pose.JointPlace], resolver: drivers.Drivers
    ) -> None:
        self.scene, self.drivers = scene, resolver
        self.subjects = [place.node for place in places]
        self.findings: list[findings.Finding] = []
        self.signals: dict[Plug, drivers.Signal] = {}
        self._failed: dict[Node, list[Node]] = {}
        # Curve that warps the time of the scene, if there is one and it is on.
        found = self.drivers.time_warp()
        self.warp = found.curve if isinstance(found, drivers.Keyed) else None
        if found is not None:
            node, is_curve = found.node, self.warp is not None
            warp = turned_besides.time_warp_finding(node.name, node.node_type, is_curve)
            self.findings.append(warp)
        solved = drivers.inverse_kinematics_joints(scene, self.drivers)
        self._searched = joint_drivers.JointDrivers(joint_drivers.SceneRig(self.drivers))
        animated = []
        for place in places:
            for compound in ("rotate", "translate", "scale"):
                resolved = self._resolve(place.node, compound, place.name)
                if compound == "rotate" and resolved and place.node not in solved:
                    keyed = drivers.curves_of(self.signals_of(place.node, "rotate"))
                    animated += [place.name] if keyed else []
            if place.node in solved:
                handle = solved[place.node]
                self._note_unresolved(place.node, place.name, "rotate", handle, "an IK solver")
            self._note_driver(place)
        for node in {node: None for place in places for node in place.between}:
            for compound in ("rotate", "translate", "scale", "shear"):
                self._resolve(node, compound, None)
            if node in solved:
                self._failed.setdefault(node, []).append(solved[node])
        self.animated = frozenset(animated)
        self.turned = turned_joints.TurnedJoints(self.drivers, places, self._failed)
        for place in places:
            self._note_doubled(place)

    def _note_driver(self, place: rest_pose.JointPlace) -> None:
        """Report what drives a joint's rotation, unless it is reported as unresolved already."""
        driver = self._searched.driver_of(place.node)
        noted = (one.joint for one in self.findings if one.rule == findings.UNRESOLVED_DRIVER)
        if driver is not None and place.name not in noted:
            self.findings.append(joint_drivers.driver_finding(place.name, driver))

    def _note_doubled(self, place: rest_pose.JointPlace) -> None:
        """Report times at which a joint has several keys; Maya keeps only one of these keys."""
        nodes = [node for node in (place.node, *place.between) if node.family.children]
        for keyed in drivers.curves_of(
            [one for node in nodes for one in self.signals_of(node, "rotate")]
        ):
            times = self.drivers.doubled.get(keyed.node)
            if times is not None:
                frames = times * self.scene.units.frames_per_second
                text = (
                    f"the curve {keyed.node.name!r} has several keys at frame {frames[0]:g}; the "
                    "last one in the file was used: delete the others in Maya and save again"
                )
                ranges = tuple((frame, frame) for frame in frames.tolist())
                self.findings.append(
                    findings.Finding("keys-at-one-time", text, place.name, frame_ranges=ranges)
                )

    def signals_of(self, node: Node, compound: str) -> list[drivers.Signal]:
        """Signals of a compound's three children."""
        return [self.signals[node, child] for child in node.family.children[compound]]

    def values(self, node: Node, compound: str, evaluate: drivers.Evaluator) -> Floats:
        """Channels at every frame, or at one frame if they are constant; shape (frames or 1, 3)."""
        signals = self.signals_of(node, compound)
        if all(isinstance(one, drivers.Constant) for one in signals):
            return np.array([[one.value for one in signals if isinstance(one, drivers.Constant)]])
        return sampled_rig.collapse_constant(np.stack([evaluate(one) for one in signals]).T)

    def local_matrix(self, node: Node, evaluate: drivers.Evaluator) -> Floats:
        """Matrix of a transform relative to its parent, shape (frames or 1, 4, 4)."""
        moving = {name: self.values(node, name, evaluate) for name in matrices.MOVING_COMPOUNDS}
        order = rest_pose.rotate_order(node)
        if node.is_joint:  # a joint between controls
            orient, axis = (
                euler.quaternion_from_euler(node.vector(name))
                for name in turned_besides.ORIENTATION_COMPOUNDS
            )
            turn = euler.local_from_rotate(moving["rotate"], orient, axis, order)
            whole = moving["translate"], turn, moving["scale"], np.ones(3)
            return np.asarray(_offset_parent(node) @ matrices.joint_matrix(*whole))
        return matrices.transform_matrix({**_still(node), **moving}, order, _offset_parent(node))

    def _resolve(self, node: Node, compound: str, joint: str | None) -> bool:
        """Resolve a compound; False if a child could not be resolved."""
        failures: dict[Node, tuple[list[str], str]] = {}
        default = 1.0 if compound == "scale" else 0.0
        for child in node.family.children[compound]:
            try:
                self.signals[node, child] = self.drivers.channel(node, child, default)
            except drivers.UnresolvedDriverError as unresolved:
                stored = unresolved.value
                value = node.number(child, default) if stored is None else stored
                self.signals[node, child] = drivers.Constant(value)
                if joint is None and compound == "rotate":
                    self._failed.setdefault(node, []).append(unresolved.node)
                failures.setdefault(unresolved.node, ([], unresolved.reason))[0].append(child)
        for driver, (children, reason) in failures.items():
            self._note_unresolved(node, joint, ", ".join(children), driver, reason)
        return not failures

    def _note_unresolved(
        self, node: Node, joint: str | None, what: str, driver: Node, reason: str
    ) -> None:
        turns_a_joint = joint is not None and "rotate" in what
        searched = self._searched.driver_of(node) if turns_a_joint else None
        control = "" if searched is None else searched.control
        named = findings.JointDriver(driver.name, driver.node_type, control)
        message = (
            f"{what} of {joint or node.path!r}: {named.clause()}, {reason}; "
            "the value in the file is used. Bake the animation in Maya (Edit > Keys > Bake "
            f"Simulation) and save again, or {findings.IN_MAYA}"
        )
        rule = findings.UNRESOLVED_DRIVER if turns_a_joint else "unresolved-placement"
        about = named if turns_a_joint else None
        self.findings.append(findings.Finding(rule, message, joint, driver=about))


def _key_findings(channels: _Channels) -> Iterator[findings.Finding]:
    """Findings about keys on nodes of a missing file, and on controls if no joint has keys."""
    nodes = channels.subjects
    lost = [node.name for node in nodes if node.node_type == MISSING]
    if lost:
        text = (
            f"the file with {controls_words(lost)} is missing; its keyed transforms count as "
            "controls, with rotate order xyz unless this scene sets another"
        )
        yield findings.Finding("missing-controls", text)
    if not channels.animated and any(node.is_joint for node in nodes):
        keyed = keyed_controls(channels.scene)
        if keyed:
            text = f"no joint has rotate keys; they are on {controls_words(keyed)}"
            yield findings.Finding(findings.KEYED_CONTROLS, text)


def _frame_numbers(
    scene: Scene, channels: _Channels, places: Sequence[rest_pose.JointPlace]
) -> Floats:
    """Whole frames from the first key to the last, and all key times, increasing."""
    rate, joints = scene.units.frames_per_second, len(places)
    rotations = [signal for place in places for signal in channels.signals_of(place.node, "rotate")]
    keys = [np.asarray(keyed.curve.times) for keyed in drivers.curves_of(rotations)]
    if channels.warp is not None and keys:
        # The warp moves keys, and usually hides keys beyond those of the warp.
        still = channels.warp.pre == channels.warp.post == 0
        keys = [channels.warp.times, *([] if still else keys)]
    on_frames = key_frames.frames_of_keys(times * rate for times in keys)
    chosen = key_frames.frames_from_keys(on_frames, joints, scene.limits)
    frames = chosen.frames
    scene.findings += chosen.findings
    if len(frames) * joints > scene.limits.max_samples:
        samples = scene.limits.refusal("max_numbers", "numbers", 3 * len(frames) * joints)
        times = f"{plural(joints, 'joint')} at {len(frames)} key times are "
        raise errors.MayaAsciiError(scene.path, samples.surround(times, ", or split it"))
    return frames


def _samples(
    places: Sequence[rest_pose.JointPlace], channels: _Channels, evaluate: drivers.Evaluator
) -> list[sampled_rig.JointSamples]:
    """Channels of every joint at the frames, in centimetres and radians."""
    between = {node: None for place in places for node in place.between}
    local = {node: channels.local_matrix(node, evaluate) for node in between}
    samples: list[sampled_rig.JointSamples] = []
    for place in places:
        node, above = place.node, [local[node] for node in place.between]
        if place.parent >= 0 and _has_pivots(places[place.parent].node):
            pivot = _still(places[place.parent].node)
            above = [matrices.below_pivot(pivot, samples[place.parent].scale), *above]
        shift = [node.vector(name) for name in PIVOT if not node.is_joint]
        samples.append(
            sampled_rig.JointSamples(
                np.stack([evaluate(one) for one in channels.signals_of(node, "rotate")]).T,
                channels.values(node, "translate", evaluate) + np.sum(shift, axis=0),
                channels.values(node, "scale", evaluate),
                sampled_rig.product_of(above, _offset_parent(node)),
            )
        )
    return samples


def _still(node: Node) -> dict[str, Floats]:
    return {name: node.vector(name)[None] for name in matrices.STILL_COMPOUNDS}


def _has_pivots(node: Node) -> bool:
    """Whether a control is placed or scaled about a pivot; joints have none."""
    names = (name for name in matrices.STILL_COMPOUNDS if "Pivot" in name)
    return not node.is_joint and any(node.vector(name).any() for name in names)


def _offset_parent(node: Node) -> Floats:
    stored = matrices.optional_matrix(node.matrices.get("offsetParentMatrix"))
    return np.eye(4) if stored is None else stored
