"""Reader for FBX files: one motion for each take that moves joints."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from ...base.errors import InputError
from ...base.findings import UNRESOLVED_DRIVER, Finding, JointDriver
from ...base.text import plural
from ...geometry.arrays import Floats
from ...io.input import DEFAULT_LIMITS, FilePath, ReadLimits, SourceFile
from ...motion.motion import Motion
from ...motion.name_matching import without_prefix
from ...rig import key_frames, matrices, rest_pose, sampled_rig, turned_besides
from ..registry import DEFAULT_REQUEST, ReadRequest
from ..text import repeated_names, whole_file
from . import curves, nodes, skeleton
from .scene import ROTATION, TRANSLATION, FbxModel, FbxScene, FbxStack, read_scene


def read_fbx(path: FilePath, request: ReadRequest = DEFAULT_REQUEST) -> Motion:
    """Read the skeleton of a file and one of its takes.

    The request's option "take" names the take; by default, it is the take that was open when the
    file was saved, if that moves joints, or else the first take that does. Raises FbxError, as
    :func:`read_fbx_takes` does.
    """
    if "take" in request.options:
        return read_fbx_takes(path, request)[0]
    file = _File(path, request.limits)
    moving = file.moving_takes()
    stacks = moving or file.scene.stacks
    current = (stack for stack in stacks if stack.name == file.scene.current)
    chosen = next(current, stacks[0] if stacks else None)
    return file.motion(chosen, others=len(moving) - 1)


def read_fbx_takes(path: FilePath, request: ReadRequest = DEFAULT_REQUEST) -> list[Motion]:
    """Read the skeleton of a file and all takes that move joints; the first take if none does.

    If the request has the option "take", only the take with that name is read.

    Every motion has `rotates` on the branch of the keys, in Maya's terms: pre-rotation is
    jointOrient, and the inverse of post-rotation is rotateAxis. Frame numbers count from time zero
    at the file's frame rate; there is a frame at each rotation key of a joint, and at every whole
    frame between the keys. A key within 0.01 frames of a whole frame counts as being on it. Lengths
    are in the file's unit; the transform above the roots turns the file's axes to Y up. Findings:
    "duplicate-names", "unresolved-driver", "sparse-keys", "other-takes", "take-range".

    Raises FbxError if the file is not FBX, damaged, cut short, big-endian or beyond the input
    budget, or has no skeleton or no such take.
    """
    file = _File(path, request.limits)
    if "take" in request.options:
        return [file.motion(file.find_take(request.options["take"]))]
    stacks = file.moving_takes() or file.scene.stacks[:1]
    return [file.motion(stack) for stack in stacks] or [file.motion(None)]


def skeleton_key(path: Path) -> str:
    """Key shared by files with the same joints, parents, orientations and bone lengths.

    A prefix common to all names is ignored. A file that cannot be read has a key of its own; its
    error is reported when the file is read.
    """
    try:
        joints = _File(path, DEFAULT_LIMITS).joints
    except InputError:
        return path.name
    digest = hashlib.sha256()
    for joint, name in zip(joints, without_prefix([joint.name for joint in joints])):
        model = joint.model
        bone = model.vector(TRANSLATION) if joint.parent >= 0 else np.zeros(3)
        turn = model.vector("PreRotation")
        numbers = " ".join(f"{value + 0.0:.4g}" for value in (*bone, *turn))
        digest.update(f"{name!r} {joint.parent} {numbers}\n".encode("utf-8", "replace"))
    return digest.hexdigest()


class _File:
    def __init__(self, path: FilePath, limits: ReadLimits) -> None:
        self._name, self._limits = Path(path).stem, limits
        self.scene, self._source = read_file(path, limits)
        self._budget = self.scene.document.budget
        turning = frozenset[FbxModel]().union(*(stack.turning for stack in self.scene.stacks))
        self.joints, self._repeated = skeleton.fbx_joints(self.scene, turning)

    def moving_takes(self) -> list[FbxStack]:
        """Takes in which joints turn."""
        joints = {joint.model for joint in self.joints}
        return [stack for stack in self.scene.stacks if joints & stack.turning]

    def find_take(self, name: str) -> FbxStack:
        """Take with that name; raises FbxError, listing the takes, if there is none."""
        found = next((stack for stack in self.scene.stacks if stack.name == name), None)
        if found is None:
            there = ", ".join(repr(stack.name) for stack in self.scene.stacks[:10])
            raise self._budget.fail(f"has no take {name!r}; it has {there or 'none'}")
        return found

    def motion(self, stack: FbxStack | None, others: int = 0) -> Motion:
        """Motion of a take; `others`: number of other takes that move joints."""
        # Hostile values may overflow; the result is checked.
        with np.errstate(all="ignore"):
            unit, rate = self.scene.centimeters, self.scene.frame_rate
            properties = curves.LayeredProperties(self.scene, stack, rate)
            frames, noticed = self._frames(properties)
            findings = [*self._findings(properties, others), *noticed]
            axes = matrices.linear(self.scene.axes())
            try:
                name = self._name
                if stack is not None and len(self.scene.stacks) > 1:
                    name = f"{name}.{stack.name}"
                joints = [skeleton.rig_joint(joint) for joint in self.joints]
                samples = self._samples(properties, frames / rate, axes)
                rig = sampled_rig.SampledRig(joints, samples, frames, rate, unit, name)
                moving = [one.name for one in self.joints if one.model in properties.turning]
                return rig.motion(
                    rig.rest([_bind_records(joint.model, axes, unit) for joint in self.joints]),
                    source=self._source,
                    findings=findings,
                    animated=frozenset(moving),
                )
            except ValueError as error:
                if isinstance(error, nodes.FbxError):
                    raise
                raise self._budget.fail(f"{error}; fix this joint and export again") from None

    def _findings(self, properties: curves.LayeredProperties, others: int) -> list[Finding]:
        found, stack = repeated_names(self._repeated), properties.stack
        if stack is not None and others > 0:
            text = f"only the take {stack.name!r} was read, not the {plural(others, 'other take')}"
            found.append(Finding("other-takes", text))
        for joint in self.joints:
            if joint.model.constraint and joint.model not in properties.turning:
                control = joint.model.control(properties.turning)
                driver = JointDriver(*joint.model.constraint, control)
                text = f"rotation of {joint.name!r}: {driver.clause()}; constraints are not "
                text += "evaluated, so the value in the file is used. Bake the animation on export"
                found.append(Finding(UNRESOLVED_DRIVER, text, joint.name, driver=driver))
        return found + self._turn_findings(properties)

    def _turn_findings(self, properties: curves.LayeredProperties) -> list[Finding]:
        """Findings about joints that are turned by more than their rotate channels."""
        warps = self.scene.time_warps
        found = [turned_besides.time_warp_finding(name, "curve", False) for name in warps]
        for joint in self.joints:
            name = skeleton.moving_orientation(joint.model, properties)
            if name is not None:
                found.append(turned_besides.orientation_finding(joint.name, name, "by keys"))
            elif not skeleton.has_rotate_order(joint.model):
                name, order = "RotationOrder", joint.model.number("RotationOrder")
                found.append(turned_besides.bad_order_finding(joint.name, order, name, 6))
            turning = [
                f"{turned_besides.source_words(one.name, one.kind or 'model')} above it"
                for one in (joint.between if joint.parent >= 0 else ())
                if skeleton.moving_orientation(one, properties)
                or (one.constraint and one not in properties.turning)
            ]
            if turning:
                found.append(turned_besides.turned_finding(joint.name, turning, None))
        return found

    def _frames(self, properties: curves.LayeredProperties) -> tuple[Floats, list[Finding]]:
        """Whole frames from the first key to the last, all key times, and findings about them."""
        rate, count, stack = self.scene.frame_rate, len(self.joints), properties.stack
        models = (joint.model for joint in self.joints)
        times = [one for model in models for one in properties.key_times(model, ROTATION)]
        keys = key_frames.frames_of_keys(one * rate for one in times)
        chosen = key_frames.frames_from_keys(keys, count, self._limits)
        frames, findings = chosen.frames, list(chosen.findings)
        if len(frames) * count > self._limits.max_samples:
            where = f"{plural(count, 'joint')} at {len(frames)} key times are"
            numbers = 3 * len(frames) * count
            raise self._budget.fail(self._limits.refusal("max_numbers", "numbers", numbers, where))
        if stack is not None and stack.span is not None and len(keys):
            scale = rate / self.scene.ticks_per_second
            start, stop = (tick * scale for tick in stack.span)
            if frames[0] < start - 0.5 or frames[-1] > stop + 0.5:
                text = f"the take should span frames {start:.6g} to {stop:.6g}; its keys span "
                text += f"{frames[0]:g} to {frames[-1]:g}, and all were read"
                findings.append(Finding("take-range", text))
        return frames, findings

    def _samples(
        self, properties: curves.LayeredProperties, seconds: Floats, axes: Floats
    ) -> list[sampled_rig.JointSamples]:
        """Channels of all joints over time; `axes`: rotation of the file's axes to Y up, (4, 4)."""
        unit = self.scene.centimeters
        local = {
            model: skeleton.placement(model, properties, seconds, unit).matrices()
            for model in {model for joint in self.joints for model in joint.between}
        }
        found = []
        for joint in self.joints:
            own = skeleton.placement(joint.model, properties, seconds, unit)
            if not all(np.isfinite(one).all() for one in (own.rotate, own.translate, own.scale)):
                message = f"joint {joint.name!a} has a value that is not finite"
                raise self._budget.fail(f"{message}; fix its keys and export again")
            above = [axes[None]] if joint.parent < 0 else []
            above += [local[model] for model in joint.between]
            samples = sampled_rig.JointSamples(
                np.broadcast_to(own.rotate, (len(seconds), 3)),
                sampled_rig.collapse_constant(own.translate),
                sampled_rig.collapse_constant(own.scale),
                sampled_rig.product_of(above, np.eye(4)),
            )
            found.append(samples)
        return found


def _bind_records(model: FbxModel, axes: Floats, unit: float) -> rest_pose.BindRecords:
    """Bind pose of a model in centimetres, with Y up."""
    worlds = {}
    for name, matrix in (("bindPose", model.bind), ("bindPreMatrix", model.skin_bind)):
        if matrix is not None:
            world = axes @ matrix
            world[:3, 3] *= unit
            worlds[name] = world
    return rest_pose.BindRecords(None, worlds)


def read_file(path: FilePath, limits: ReadLimits = DEFAULT_LIMITS) -> tuple[FbxScene, SourceFile]:
    """Scene in a file, and path and hash of the file; raises FbxError."""
    file = whole_file(path, limits, nodes.FbxError)
    data, is_binary = file.data, file.data.startswith(nodes.MAGIC.rstrip(b" \0"))
    budget = nodes.Budget(path, limits)
    if is_binary and not data.startswith(nodes.MAGIC):
        raise budget.fail("is a binary FBX file with a damaged header; copy or export it again")
    document = (nodes.read_binary if is_binary else nodes.read_plain_text)(data, budget)
    if not document.top.children:
        raise budget.fail("is not an FBX file: it has no FBX section")
    return read_scene(document), file.source
