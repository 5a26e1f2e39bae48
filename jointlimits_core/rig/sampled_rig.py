"""Sampled channels of a rig, and conversion to a Motion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..base.findings import Finding
from ..geometry.arrays import Floats
from ..geometry.euler import local_from_rotate
from ..io.input import SourceFile
from ..motion.motion import Motion, scaled_translations
from ..motion.skeleton import Skeleton
from .rest_pose import BindRecords, LocalPose, RestPose, RigJoint, rest_pose

PEAK_ROUNDS, PEAK_PARTS = 6, 8
"""Number of rounds of the search, and of parts into which a round divides the time near a peak."""
MAX_PEAKS = 32
"""Maximum number of samples near a channel's maximum, or minimum, that a round searches around."""
SAME_RAD = 1e-7
"""Largest difference between values that is invisible."""


def with_peaks(
    times: Floats, values: Floats, evaluate: Callable[[Floats], Floats]
) -> tuple[Floats, Floats]:
    """Samples of channels, and new samples between them where a channel exceeds them.

    `times`, shape (times,): increasing. `values`, shape (channels, times). `evaluate`: function for
    values at other times. Peaks just before or after a step are also found.
    """
    for _ in range(PEAK_ROUNDS):
        # Search on both sides of samples next to which the largest or smallest value may be.
        found = [np.zeros(0)]
        for heights in (*values, *-values):
            steps = np.abs(np.diff(heights))
            reach = np.maximum(np.append(steps, 0.0), np.append(0.0, steps))
            near = np.flatnonzero((heights + reach >= heights.max()) & (reach > SAME_RAD))
            for at in near[np.argsort(-heights[near], kind="stable")[:MAX_PEAKS]]:
                for beside in (max(at - 1, 0), min(at + 1, len(times) - 1)):
                    found.append(np.linspace(times[at], times[beside], PEAK_PARTS + 1)[1:-1])
        more = np.setdiff1d(np.concatenate(found), times)
        if not len(more):
            break
        values = np.concatenate([values, evaluate(more)], axis=1)
        times = np.concatenate([times, more])
        order = np.argsort(times)
        times, values = times[order], values[:, order]
    return times, values


class JointSamples(NamedTuple):
    """Channels of a joint at every frame, centimetres and radians.

    `rotate`, shape (frames, 3); `translate`, `scale`, shape (frames or 1, 3): one row if constant,
    see :func:`collapse_constant`; `between`, shape (frames or 1, 4, 4): transform between the
    parent joint, or the world, and the joint.
    """

    rotate: Floats
    translate: Floats
    scale: Floats
    between: Floats


class SampledRig(NamedTuple):
    """Joints, parents before their children, and their channels at every frame.

    `centimeters`: centimetres in one length unit of the result. `name`: of the character and clip.
    """

    joints: Sequence[RigJoint]
    samples: Sequence[JointSamples]
    frames: Floats
    frame_rate: float
    centimeters: float
    name: str

    def rest(self, records: Sequence[BindRecords]) -> RestPose:
        """Rest pose from the stored poses of each joint, or from the first frame if it has none."""
        current = []
        for joint, sample in zip(self.joints, self.samples):
            frame = joint.orient_quaternion, joint.axis_quaternion, joint.rotate_order
            turn = local_from_rotate(sample.rotate[0], *frame)
            current.append(LocalPose(sample.translate[0], turn, sample.scale[0]))
        between = [sample.between[0] for sample in self.samples]
        return rest_pose(self.joints, records, current, between)

    def motion(
        self,
        rest: RestPose,
        *,
        rest_source: str = "",
        source: SourceFile | None = None,
        findings: Sequence[Finding] = (),
        animated: frozenset[str] | None = None,
    ) -> Motion:
        """Motion of the sampled channels.

        Raises ValueError, which names the joint, if a value is not finite. `rest_source`: by
        default, that of `rest`; `animated`: joints whose rotation has keys or a driver.
        """
        translations, scales, between = self._moving_parts(rest)
        rotates = [sample.rotate.T for sample in self.samples]
        return Motion.from_rotates(
            self._skeleton(rest, rest_source or rest.source),
            np.stack(rotates),
            self.frames,
            self.frame_rate,
            self.name,
            source=source,
            findings=tuple(findings),
            animated=animated,
            translations=translations,
            scales=scales,
            between=between,
        )

    def _moving_parts(self, rest: RestPose) -> tuple[dict[int, Floats], ...]:
        """Translations, scales and transforms between joints that differ from the rest pose."""
        count, unit = len(self.frames), 1.0 / self.centimeters
        translations: dict[int, Floats] = {}
        scales: dict[int, Floats] = {}
        between: dict[int, Floats] = {}
        for index, (sample, pose) in enumerate(zip(self.samples, rest.local)):
            if not _same(sample.translate, pose.translation):
                translations[index] = _repeat_frames(sample.translate, count) * unit
            if not _same(sample.scale, pose.scale):
                scales[index] = _repeat_frames(sample.scale, count)
            if not _same(sample.between, rest.between[index]):
                moved = scaled_translations(sample.between, unit)
                between[index] = _repeat_frames(moved, count)
        return translations, scales, between

    def _skeleton(self, rest: RestPose, rest_source: str) -> Skeleton:
        joints, unit = self.joints, 1.0 / self.centimeters
        return Skeleton(
            names=tuple(joint.name for joint in joints),
            parents=np.array([joint.parent for joint in joints]),
            offsets=np.stack([pose.translation for pose in rest.local]) * unit,
            rest_rotations=np.stack([pose.rotation for pose in rest.local]),
            rest_source=rest_source,
            rotate_orders=tuple(joint.rotate_order for joint in joints),
            joint_orients=np.stack([joint.orient_quaternion for joint in joints]),
            rotate_axes=np.stack([joint.axis_quaternion for joint in joints]),
            scales=np.stack([pose.scale for pose in rest.local]),
            compensates_scale=np.array([joint.compensates_scale for joint in joints]),
            between={
                index: scaled_translations(matrix, unit)
                for index, matrix in enumerate(rest.between)
                if not np.array_equal(matrix, np.eye(4))
            },
            declarations={joint.name: joint.declaration for joint in joints},
            name=self.name,
            meters_per_unit=self.centimeters / 100.0,
            hanging=frozenset(joint.name for joint in joints if joint.is_hanging),
            of_controls=any(joint.is_control for joint in joints),
        )


def collapse_constant(values: Floats) -> Floats:
    """Values at every frame, or at one frame if constant: shape (frames or 1, ...)."""
    return values[:1] if np.all(values == values[:1]) else values


def product_of(matrices: Sequence[Floats], offset_parent: Floats) -> Floats:
    """Transform between a joint and its parent joint, shape (frames or 1, 4, 4).

    `matrices`: of the transforms between them, from the top down; `offset_parent`: the joint's own
    offsetParentMatrix.
    """
    product = np.eye(4)[None]
    for matrix in matrices:
        product = product @ matrix
    return np.asarray(product @ offset_parent)


def _repeat_frames(values: Floats, count: int) -> Floats:
    return np.array(np.broadcast_to(values, (count, *values.shape[1:])), order="C")


def _same(values: Floats, rest: Floats) -> bool:
    """Whether values are constant and, up to rounding, equal to the rest pose."""
    if len(values) != 1:
        return False
    return np.allclose(values[0], rest, rtol=1e-9, atol=1e-9)
