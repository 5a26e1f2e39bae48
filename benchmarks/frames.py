"""Benefit of a joint's advised orientation and rotate order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from jointlimits_core.estimation.orient_advice import (
    PAD_RAD,
    advise_joints,
    best_order,
    order_boxes,
)
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.branches import continuous_rotates
from jointlimits_core.geometry.euler import ROTATE_ORDERS
from jointlimits_core.geometry.quaternion import conjugate, multiply, normalize
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.reorient import JointOrientation, OrientAdvice

from .character import character
from .figures import Figure, benchmark, best_seconds, shared

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "humanoid_rom.ma"
SUBJECTS = ("02", "11")
BALLS = ("lfemur", "rfemur", "lhumerus", "rhumerus", "lowerback", "lowerneck", "thorax")
BENT = ("RightForeArm", "LeftForeArm", "rForeArm", "lForeArm", "rShin", "lShin")
BVH_CLIPS = ("cmu_bvh/10_03.bvh", "cmu_bvh/131_01.bvh", "cmu_bvh/11_01.bvh")


def _balls(quick: bool) -> Iterator[tuple[str, Floats, Floats, JointOrientation]]:
    """Ball joints of two subjects: name, rotations over all clips, rest rotation, own frame."""
    for subject in SUBJECTS[: 1 if quick else 2]:
        folder = shared(f"data/mocap/cmu_asfamc/{subject}")
        skeleton = next(folder.glob("*.asf"))
        clips = [read_motion(path, skeleton=skeleton) for path in sorted(folder.glob("*.amc"))]
        bones = clips[0].skeleton
        for name in BALLS:
            row = bones.index(name)
            rotations = np.concatenate([clip.rotations[row] for clip in clips], axis=1)
            frame = JointOrientation(
                bones.joint_orients[row], bones.rotate_axes[row], bones.rotate_orders[row]
            )
            yield f"{subject} {name}", rotations, bones.rest_rotations[row], frame


@benchmark
def order(quick: bool) -> Iterator[Figure]:
    """Rotate order chosen for ball joints of real motion, rigged with random orientations.

    A random frame that is at rest in the rest pose is what a rig usually has; the box is measured
    against the order xyz in the same frame, padded by 2 degrees.
    """
    random = np.random.default_rng(0)
    shares, margins, joints = [], [], 0
    for _, rotations, rest, _ in _balls(quick):
        joints += 1
        for _ in range(5 if quick else 40):
            turn = normalize(random.normal(size=4))
            frame = JointOrientation(multiply(rest, turn), conjugate(turn), "xyz")
            boxes = order_boxes(frame.turns(rotations[:, ::4]))
            chosen = boxes[ROTATE_ORDERS.index(best_order(boxes, "xyz"))]
            shares.append([float(box.share(PAD_RAD)) for box in (boxes[0], chosen)])
            margins.append([float(np.degrees(box.margin)) for box in (boxes[0], chosen)])
    before, after = np.array(shares).T
    smaller = 100.0 * (1.0 - float(np.exp(np.mean(np.log(after / before)))))
    beside = f"order xyz in the same frame, {joints} CMU joints, geometric mean"
    yield Figure("box of the chosen order, smaller by", smaller, "%", 27.0, beside, True)
    nearest = np.median(margins, axis=0)
    yield Figure("gimbal margin, order xyz, median", float(nearest[0]), "deg", None, beside)
    yield Figure("gimbal margin, chosen order, median", float(nearest[1]), "deg", None, beside)


@benchmark
def hinges(quick: bool) -> Iterator[Figure]:
    """Off-axis rotation that boxes of knees and elbows allow in their own orientations."""
    for clip in BVH_CLIPS[: 1 if quick else 3]:
        motion = read_motion(shared(f"data/mocap/{clip}"))
        for name, advice in _hinge_advice(motion).items():
            label = f"{Path(clip).stem} {name}"
            what = "off-axis rotation that the own box permits"
            assert advice.off_axis_mean_deg is not None
            assert advice.off_axis_max_deg is not None
            yield Figure(f"{what}, mean, {label}", advice.off_axis_mean_deg, "deg")
            yield Figure(f"{what}, most, {label}", advice.off_axis_max_deg, "deg")


def _hinge_advice(motion: Motion) -> dict[str, OrientAdvice]:
    joints, bones, found = estimate(motion).joints, motion.skeleton, {}
    for name in BENT:
        hinge = joints[name].hinge if name in joints else None
        if hinge is not None:
            row = bones.index(name)
            own = motion.rotates
            order, keys = bones.rotate_orders[row], None
            frame = JointOrientation(bones.joint_orients[row], bones.rotate_axes[row], order)
            if own is not None:
                keys = continuous_rotates(own[row], order)[0][None]
            (found[name],) = advise_joints(
                motion.rotations[[row]],
                ["hinge"],
                [frame],
                bones.rest_rotations[[row]],
                [(hinge.axis_parent, hinge.axis_child)],
                rotates=keys,
            )
    return found


@benchmark
def many(quick: bool) -> Iterator[Figure]:
    """Advice on all joints of a character at once, balls in their own frames."""
    for joints, frames in ((30, 100),) if quick else ((30, 100), (100, 10_000)):
        motion = character(joints, frames, channels=True)
        found, bones = estimate(motion).joints, motion.skeleton
        axes = [joint.hinge or joint.universal for joint in found.values()]
        pairs = [None if one is None else (one.axis_parent, one.axis_child) for one in axes]
        types = [joint.type for joint in found.values()]
        own = [
            JointOrientation(*frame)
            for frame in zip(bones.joint_orients, bones.rotate_axes, bones.rotate_orders)
        ]
        seconds = best_seconds(
            lambda: advise_joints(motion.rotations, types, own, bones.rest_rotations, pairs),  # noqa: B023 - called at once
            3,
        )
        yield Figure(f"advice, {joints} x {frames:,}", 1e3 * seconds, "ms", None, "nothing")
