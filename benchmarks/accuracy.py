"""Deviation of results from those of other programs, and from the truth of the example."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.quaternion import rotation_vector_from_quaternion
from jointlimits_core.limits.limit_set import JointLimit, LimitSet
from jointlimits_core.motion.motion import Motion
from jointlimits_core.rig.curves import AnimCurve, Tangents
from tests.support.other_branches import KINDS, keyed_otherwise

from .figures import Figure, benchmark, shared

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
BIND_POSE_SCENES = (
    "nlol/nlol_rig_unreal_skeleton.ma",
    "nlol/nlol_tentacle_skeleton.ma",
    "mayausd/UsdExportSkeletonSegfaultTest.ma",
)
SAME_TAKE = {
    "ltibia": "LeftLeg",
    "rtibia": "RightLeg",
    "lradius": "LeftForeArm",
    "rradius": "RightForeArm",
}
"""Knees and elbows of CMU subject 01: bone in the AMC file, joint in the BVH file."""


@benchmark
def bind_pose(quick: bool) -> Iterator[Figure]:
    """World matrices at the bind pose, compared with those that Maya itself wrote into the scene.

    Two poses are compared: the rest pose, and the one that the joints' channels show, which in
    these scenes is the bind pose.
    """
    for scene in BIND_POSE_SCENES:
        path = shared(f"data/maya/{scene}")
        motion, stored = read_motion(path), _stored_bind_matrices(path)
        rows = [motion.joint_names.index(name) for name in stored]
        wanted = np.stack(list(stored.values()))
        poses = motion.skeleton.rest_world_matrices(), motion.all_world_matrices()[0]
        worst = max(float(np.abs(pose[rows] - wanted).max()) for pose in poses)
        name = f"FK at bind pose, {Path(scene).name}, {len(rows)} joints"
        yield Figure(name, worst, "scene units", 1e-6, "joint matrices (.bps) stored by Maya")


def _stored_bind_matrices(path: Path) -> dict[str, Floats]:
    """World matrices (4, 4) stored in the scene's text, for column vectors."""
    stored = {}
    for node in path.read_text(encoding="utf-8", errors="replace").split("\ncreateNode ")[1:]:
        name = re.match(r'joint -n "([^"]+)"', node)
        matrix = re.search(r'setAttr "\.bps" -type "matrix" ([^;]+);', node)
        if name and matrix:
            numbers = np.array([float(word) for word in matrix[1].split()])
            stored[name[1]] = numbers.reshape(4, 4).T
    return stored


@benchmark
def animation_curves(quick: bool) -> Iterator[Figure]:
    """Animation curves, compared with Autodesk's own evaluator."""
    curves = json.loads(shared("oracle/animcurves.json").read_text(encoding="utf-8"))
    worst = max(_curve_error_deg(curve) for curve in curves)
    name = f"animation curves, worst of {len(curves)}"
    yield Figure(name, worst, "deg", 1e-5, "Autodesk animx, same keys and tangents")


def _curve_error_deg(curve: dict[str, Any]) -> float:
    keys = np.array(curve["keys"])
    in_types, out_types = (np.array(curve[name]) for name in ("kit", "kot"))
    tangents = Tangents(*(np.array(curve[name]) for name in ("kix", "kiy", "kox", "koy")))
    rest = {name: curve[name] for name in ("weighted", "pre", "post")}
    times, values = keys[:, 0] / curve["fps"], np.radians(keys[:, 1])
    built = AnimCurve(times, values, in_types, out_types, lambda: tangents, **rest)
    values = built.evaluate(np.array(curve["frames"]) / curve["fps"])
    return float(np.abs(np.degrees(values) - curve["expected_deg"]).max())


@benchmark
def same_take(quick: bool) -> Iterator[Figure]:
    """One take that was published both as AMC and, a frame later, as BVH."""
    folder = "data/mocap/cmu_asfamc/01_fairmotion"
    acclaim = read_motion(shared(f"{folder}/01_01.amc"), skeleton=shared(f"{folder}/01.asf"))
    bvh = read_motion(shared(f"{folder}/01_01.bvh"))
    worst = max(
        float(np.abs(_bend_deg(acclaim, bone) - _bend_deg(bvh, joint)[1:]).max())
        for bone, joint in SAME_TAKE.items()
    )
    yield Figure("knees and elbows, 01_01.amc and 01_01.bvh", worst, "deg", 0.01, "each other")


def _bend_deg(motion: Motion, joint: str) -> Floats:
    """Angle of a joint's rotation at every frame, independent of its orientation."""
    turns = rotation_vector_from_quaternion(motion.quaternion(joint))
    return np.asarray(np.degrees(np.linalg.norm(turns, axis=-1)))


@benchmark
def example(quick: bool) -> Iterator[Figure]:
    """The example humanoid, whose types, limits and hinge axes are known."""
    truth = json.loads((EXAMPLES / "humanoid_truth.json").read_text(encoding="utf-8"))
    for name, file in truth["files"].items():
        found = estimate(read_motion(EXAMPLES / name)).joints
        known = file["joints"]
        wrong = sum(found[joint].type != known[joint]["type"] for joint in known)
        limbs = [joint for joint in known if joint != file["root"]]
        limit = max(_limit_error_deg(found[joint], known[joint]) for joint in limbs)
        hinges = [joint for joint in known if "hinge" in known[joint]]
        errors = [_hinge_errors_deg(found[joint], known[joint]["hinge"]) for joint in hinges]
        axis, angle = np.max(errors, axis=0)
        beside = f"humanoid_truth.json, {len(known)} joints"
        yield Figure(f"wrong types, {name}", wrong, "joints", 0, beside)
        yield Figure(f"largest limit error, {name}", limit, "deg", 0.5, beside)
        yield Figure(f"largest hinge range error, {name}", float(angle), "deg", 0.5, beside)
        yield Figure(f"largest hinge axis error, {name}", float(axis), "deg", None, beside)


def _limit_error_deg(joint: JointLimit, known: dict[str, Any]) -> float:
    """Largest error of a limit; infinite for a channel without a limit."""
    errors = [0.0]
    for channel, (low, high) in known["limits_deg"].items():
        limit = joint.limits[channel]
        if limit.min_deg is None or limit.max_deg is None:
            return float("inf")
        errors += [abs(limit.min_deg - low), abs(limit.max_deg - high)]
    return max(errors)


def _hinge_errors_deg(joint: JointLimit, known: dict[str, Any]) -> tuple[float, float]:
    """Errors of axis and range; an axis and its opposite are the same hinge."""
    if joint.hinge is None:
        return float("inf"), float("inf")
    axis, wanted = np.array(joint.hinge.axis_parent), np.array(known["axis_in_parent"])
    sense = 1.0 if axis @ wanted >= 0.0 else -1.0
    apart = 2.0 * np.arcsin(min(0.5 * float(np.linalg.norm(sense * axis - wanted)), 1.0))
    low, high = sorted(sense * angle for angle in known["angle_deg"])
    off = max(abs(joint.hinge.min_deg - low), abs(joint.hinge.max_deg - high))
    return float(np.degrees(apart)), off


CLIPS, JOINTS, FRAMES = 60, 5, 2000


@benchmark
def euler_branches(quick: bool) -> Iterator[Figure]:
    """Limits of clips, compared after moving a joint's keys to another Euler branch or turn."""
    kinds = ("*.bvh", "*.fbx", "cmu_asfamc/*/*.amc")
    files = [one for kind in kinds for one in shared("data/mocap").rglob(kind)]
    count, rng = (6 if quick else CLIPS), np.random.default_rng(0)
    worst, other_types, tried = 0.0, 0, 0
    for path in np.random.default_rng(1).permutation(np.array(sorted(files), dtype=object)):
        if tried >= count * JOINTS:
            break
        motion = read_motion(path)
        motion = motion.keep_frames(range(min(motion.frame_count, FRAMES)))
        if motion.rotates is None or motion.frame_count < FRAMES // 20:
            continue
        found = estimate(motion)
        moving = np.flatnonzero(np.ptp(motion.rotates, axis=2).max(axis=1) > 1e-3)
        for row in rng.choice(moving, min(JOINTS, len(moving)), replace=False):
            other = estimate(keyed_otherwise(motion, int(row), KINDS[tried % len(KINDS)], rng))
            worst = max(worst, _largest_difference(found, other))
            other_types += sum(
                joint.type != other.joints[name].type for name, joint in found.joints.items()
            )
            tried += 1
    name = f"{tried} joints on other Euler branches"
    yield Figure(f"largest difference of a limit, {name}", worst, "deg", 1e-6, "keys as recorded")
    yield Figure(f"other types, {name}", other_types, "joints", 0, "keys as recorded")


def _largest_difference(found: LimitSet, other: LimitSet) -> float:
    """Largest difference of any limit in degrees; infinite if only one side has the limit."""
    worst = 0.0
    for name, joint in found.joints.items():
        for channel, axis in joint.limits.items():
            same = other.joints[name].limits[channel]
            if (axis.state == "free") != (same.state == "free"):
                return float("inf")
            for side in ("min", "max"):
                ends = axis.bound_deg(side), same.bound_deg(side)
                worst = max(worst, abs((ends[0] or 0.0) - (ends[1] or 0.0)))
    return worst
