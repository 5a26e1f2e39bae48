"""Reader of FBX files: a motion for each take that moves joints."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ...base.errors import InputError
from ...base.findings import UNRESOLVED_DRIVER, Finding, driven_by
from ...base.text import plural
from ...geometry.arrays import Floats
from ...io.input import DEFAULT_LIMITS, FilePath, ReadLimits, SourceFile
from ...motion.motion import Motion
from ...motion.name_matching import without_prefix
from ...rig import key_frames, matrices, rest_pose, sampled_rig, turned_besides
from ..registry import ReadRequest
from ..text import whole_file
from . import curves, nodes, skeleton
from .scene import FbxModel, FbxScene, FbxStack, read_scene


def read_requested(path: FilePath, request: ReadRequest) -> Motion:
    """Read one take; the file states its skeleton and its frame rate."""
    return read_fbx(path, request.limits, request.options.get("take"))


def read_takes_requested(path: FilePath, request: ReadRequest) -> list[Motion]:
    """Read all takes, or the one that is asked for."""
    return read_fbx_takes(path, request.limits, request.options.get("take"))


def read_fbx(
    path: FilePath, limits: ReadLimits = DEFAULT_LIMITS, take: str | None = None
) -> Motion:
    """Read the skeleton of a file and one of its takes.

    `take`: its name; by default the one that was open when the file was saved if it moves joints,
    else the first that does. Raises FbxError, as :func:`read_fbx_takes`.
    """
    file = _File(path, limits)
    moving = file.moving()
    if take is not None:
        return file.motion(file.named(take))
    stacks = moving or file.scene.stacks
    current = (stack for stack in stacks if stack.name == file.scene.current)
    chosen = next(current, stacks[0] if stacks else None)
    return file.motion(chosen, others=len(moving) - 1)


def read_fbx_takes(
    path: FilePath, limits: ReadLimits = DEFAULT_LIMITS, take: str | None = None
) -> list[Motion]:
    """Read the skeleton of a file and all takes that move joints; the first if none does.

    `take`: name of the only one to read.

    Every motion has `rotates` on the branch of the keys, in Maya's terms: pre-rotation is
    jointOrient, the inverse of post-rotation rotateAxis. Frame numbers count from time zero at the
    file's frame rate: those of all keys of the joints' rotations, and every whole frame between
    them. A key within .01 frames of a whole frame is that frame. Lengths are in the file's unit;
    the transform above the roots turns its axes to Y up. Findings: "duplicate-names",
    "unresolved-driver", "sparse-keys", "other-takes", "take-range".

    Raises FbxError: no FBX, damaged, cut short, big-endian, beyond the input budget,
    without a skeleton, or without the take.
    """
    file = _File(path, limits)
    if take is not None:
        return [file.motion(file.named(take))]
    stacks = file.moving() or file.scene.stacks[:1]
    return [file.motion(stack) for stack in stacks] or [file.motion(None)]


def skeleton_key(path: Path) -> str:
    """Key shared by files with the same joints, parents and orientations, and bones as long.

    A prefix that all names have does not count.
    A file that cannot be read has its own; reading it says why.
    """
    try:
        joints = _File(path, DEFAULT_LIMITS).joints
    except InputError:
        return path.name
    digest = hashlib.sha256()
    for joint, name in zip(joints, without_prefix([joint.name for joint in joints])):
        model = joint.model
        bone = model.vector(curves.TRANSLATION) if joint.parent >= 0 else np.zeros(3)
        turn = model.vector("PreRotation")
        numbers = " ".join(f"{value + 0.0:.4g}" for value in (*bone, *turn))
        digest.update(f"{name!r} {joint.parent} {numbers}\n".encode("utf-8", "replace"))
    return digest.hexdigest()


class _File:
    """A file that was read, and its joints."""

    def __init__(self, path: FilePath, limits: ReadLimits) -> None:
        self._name, self._limits = Path(path).stem, limits
        self.scene, self._source = read_file(path, limits)
        self._budget = self.scene.document.budget
        self._turning: dict[FbxStack | None, frozenset[FbxModel]] = {None: frozenset()}
        self._turning.update((stack, _turning(stack)) for stack in self.scene.stacks)
        turning = frozenset[FbxModel]().union(*self._turning.values())
        self.joints, self._repeated = skeleton.fbx_joints(self.scene, turning)

    def moving(self) -> list[FbxStack]:
        """Takes in which joints turn."""
        joints = {joint.model for joint in self.joints}
        return [stack for stack in self.scene.stacks if joints & self._turning[stack]]

    def named(self, name: str) -> FbxStack:
        """Take of a name; raises FbxError naming those that there are."""
        found = next((stack for stack in self.scene.stacks if stack.name == name), None)
        if found is None:
            there = ", ".join(repr(stack.name) for stack in self.scene.stacks[:10])
            raise self._budget.fail(f"has no take {name!r}; it has {there or 'none'}")
        return found

    def motion(self, stack: FbxStack | None, others: int = 0) -> Motion:
        """Motion of a take; `others`: number of other takes that move joints."""
        # Hostile values may overflow; what comes of it is checked.
        with np.errstate(all="ignore"):
            take = _Take(self.scene, stack, self.joints, self._limits)
            findings = [*self._findings(stack, others), *take.findings]
            try:
                name = self._name
                if stack is not None and len(self.scene.stacks) > 1:
                    name = f"{name}.{stack.name}"
                unit, rate = self.scene.centimeters, self.scene.frame_rate
                joints = [skeleton.rig_joint(joint) for joint in self.joints]
                rig = sampled_rig.SampledRig(joints, take.samples(), take.frames, rate, unit, name)
                turning = self._turning[stack]
                return rig.motion(
                    rig.rest([_records(joint.model, take.axes, unit) for joint in self.joints]),
                    source=self._source,
                    findings=findings,
                    animated=frozenset(one.name for one in self.joints if one.model in turning),
                )
            except ValueError as error:
                if isinstance(error, nodes.FbxError):
                    raise
                raise self._budget.fail(f"{error}; fix this joint and export again") from None

    def _findings(self, stack: FbxStack | None, others: int) -> list[Finding]:
        found = []
        if self._repeated:
            shown = ", ".join(repr(name) for name in self._repeated[:5])
            more = f" and {len(self._repeated) - 5} more" if len(self._repeated) > 5 else ""
            text = f"joint names are used more than once ({shown}{more}); using full paths"
            found.append(Finding("duplicate-names", text))
        if stack is not None and others > 0:
            text = f"only the take {stack.name!r} was read, and not {plural(others, 'other take')}"
            found.append(Finding("other-takes", text))
        for joint in self.joints:
            if joint.model.constraint and joint.model not in self._turning[stack]:
                text = (
                    f"rotation of {joint.name!r}: {driven_by(*joint.model.constraint)}which is not "
                    "evaluated; the value in the file is used. Bake the animation on export"
                )
                found.append(Finding(UNRESOLVED_DRIVER, text, joint.name))
        return found + self._about_turns(curves.LayeredProperties(self.scene, stack), stack)

    def _about_turns(
        self, properties: curves.LayeredProperties, stack: FbxStack | None
    ) -> list[Finding]:
        """Findings about joints that turn in other ways than by their rotate channels."""
        found = [
            turned_besides.time_warp_finding(name, "curve", False) for name in self.scene.time_warps
        ]
        for joint in self.joints:
            name = skeleton.moving_orientation(joint.model, properties)
            if name is not None:
                found.append(turned_besides.orientation_finding(joint.name, name, "by keys"))
            elif not skeleton.has_rotate_order(joint.model):
                order = joint.model.number("RotationOrder")
                found.append(
                    turned_besides.bad_order_finding(joint.name, order, "RotationOrder", 6)
                )
            above = [one for one in joint.between if joint.parent >= 0]
            turning = [
                f"{turned_besides.source_words(one.name, one.kind or 'model')} above it"
                for one in above
                if skeleton.moving_orientation(one, properties)
                or (one.constraint and one not in self._turning[stack])
            ]
            if turning:
                found.append(turned_besides.turned_finding(joint.name, turning, None))
        return found


class _Take:
    """Joints at the frames of a take."""

    def __init__(
        self,
        scene: FbxScene,
        stack: FbxStack | None,
        joints: Sequence[skeleton.FbxJoint],
        limits: ReadLimits,
    ) -> None:
        self._scene, self._joints = scene, joints
        self._properties = curves.LayeredProperties(scene, stack, scene.frame_rate)
        self.findings: list[Finding] = []
        self.axes = matrices.linear(scene.axes())
        # Whole frames from the first key to the last, and all key times, increasing.
        models = (joint.model for joint in self._joints)
        found = [
            times for one in models for times in self._properties.key_times(one, curves.ROTATION)
        ]
        keys = key_frames.frames_of_keys(times * self._scene.frame_rate for times in found)
        chosen = key_frames.frames_from_keys(keys, len(self._joints), limits)
        frames = chosen.frames
        self.findings += chosen.findings
        if len(frames) * len(self._joints) > limits.max_samples:
            numbers = 3 * len(frames) * len(self._joints)
            refusal = limits.refusal("max_numbers", "numbers", numbers)
            times = f"{plural(len(self._joints), 'joint')} at {len(frames)} key times are "
            raise self._scene.document.budget.fail(refusal.within(times))
        if stack is not None and stack.span is not None and len(keys):
            scale = self._scene.frame_rate / self._scene.ticks_per_second
            start, stop = (tick * scale for tick in stack.span)
            if frames[0] < start - 0.5 or frames[-1] > stop + 0.5:
                text = (
                    f"the take should span frames {start:.6g} to {stop:.6g}; its keys span "
                    f"{frames[0]:g} to {frames[-1]:g}, and all were read"
                )
                self.findings.append(Finding("take-range", text))
        self.frames = frames

    def samples(self) -> list[sampled_rig.JointSamples]:
        """All joints."""
        local: dict[FbxModel, Floats] = {}
        found = []
        for joint in self._joints:
            for model in joint.between:
                if model not in local:
                    local[model] = self._placed(model).matrices()
            above = [local[model] for model in joint.between]
            if joint.parent < 0:
                above = [self.axes[None], *above]
            own = self._placed(joint.model)
            if not all(np.isfinite(one).all() for one in (own.rotate, own.translate, own.scale)):
                name = ascii(joint.name)
                raise self._scene.document.budget.fail(
                    f"joint {name} has a value that is not finite; fix its keys and export again"
                )
            found.append(
                sampled_rig.JointSamples(
                    np.broadcast_to(own.rotate, (len(self.frames), 3)),
                    sampled_rig.collapse_constant(own.translate),
                    sampled_rig.collapse_constant(own.scale),
                    sampled_rig.product_of(above, np.eye(4)),
                )
            )
        return found

    def _placed(self, model: FbxModel) -> skeleton.Placement:
        scene = self._scene
        return skeleton.placement(
            model, self._properties, self.frames / scene.frame_rate, scene.centimeters
        )


def _turning(stack: FbxStack) -> frozenset[FbxModel]:
    """Models whose rotation has curves in a take."""
    return frozenset(
        model
        for layer in stack.layers
        for (model, name), channels in layer.channels.items()
        if name == curves.ROTATION and channels.curves
    )


def _records(model: FbxModel, axes: Floats, unit: float) -> rest_pose.BindRecords:
    """Bind pose of a model in centimetres, with Y up."""
    worlds = {}
    for name, matrix in (("bindPose", model.bind), ("bindPreMatrix", model.skin_bind)):
        if matrix is not None:
            world = axes @ matrix
            world[:3, 3] *= unit
            worlds[name] = world
    return rest_pose.BindRecords(None, worlds)


def read_file(path: FilePath, limits: ReadLimits = DEFAULT_LIMITS) -> tuple[FbxScene, SourceFile]:
    """Scene of a file and its hash; raises FbxError."""
    file = whole_file(path, limits, nodes.FbxError)
    data, is_binary = file.data, file.data.startswith(nodes.MAGIC.rstrip(b" \0"))
    if is_binary and not data.startswith(nodes.MAGIC):
        raise nodes.FbxError(
            path, "is a binary FBX file with a damaged header; copy or export it again"
        )
    document = (nodes.read_binary if is_binary else nodes.read_plain_text)(
        data, nodes.Budget(path, limits)
    )
    if not document.top.children:
        raise nodes.FbxError(path, "is not an FBX file: it has no section of one")
    return read_scene(document), file.source
