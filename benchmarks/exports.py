"""Deviation of limits and poses in other programs from Maya's own transform order.

MuJoCo loads what was exported and poses it; beside it stands the row-vector product of Autodesk's
node reference, written out here with plain matrices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from jointlimits_core.exporters.formats import ExportOptions, export_formats
from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.euler import CHANNELS, ROTATE_ORDERS, quaternion_from_euler
from jointlimits_core.limits.limit_set import (
    AxisLimit,
    Evidence,
    JointLimit,
    LimitSet,
    Orientation,
    RestPose,
)
from jointlimits_core.motion.skeleton import Skeleton

from .figures import Figure, SkippedError, benchmark

TARGET = 1e-12
RIGS, QUICK_RIGS, POSES = 50, 5, 20
JOINTS = 12


@benchmark
def mujoco_against_mayas_stack(quick: bool) -> Iterator[Figure]:
    """Random chains of every rotate order with random jointOrient and rotateAxis, in MuJoCo."""
    try:
        import mujoco
    except ImportError:
        raise SkippedError("MuJoCo is not installed: pip install mujoco") from None
    worst: dict[str, list[tuple[float, float]]] = {order: [] for order in ROTATE_ORDERS}
    limit = 0.0
    for seed in range(QUICK_RIGS if quick else RIGS):
        rng = np.random.default_rng(seed)
        frames_deg, skeleton, limit_set = _rig(rng)
        exported = export_formats()["mjcf"].export(
            limit_set, skeleton, ExportOptions(root_joint="hinges")
        )
        model = mujoco.MjModel.from_xml_string(exported.content)
        data = mujoco.MjData(model)
        for _ in range(POSES):
            rotates_deg = _beyond(rng, limit_set)
            depths = _posed(mujoco, model, data, rotates_deg)
            limit = max(limit, _limit_error(limit_set, rotates_deg, depths))
            for joint, apart in enumerate(_pose_error(data, skeleton, frames_deg, rotates_deg)):
                worst[skeleton.rotate_orders[joint]].append(apart)
    many = f"{QUICK_RIGS if quick else RIGS} rigs, {POSES} poses each"
    for order, pairs in worst.items():
        turn, place = (max(column) for column in zip(*pairs))
        yield Figure(f"pose, order {order}: rotation matrix", turn, "", TARGET, many)
        yield Figure(f"pose, order {order}: place", place, "of size", TARGET, many)
    yield Figure("limits: depth of a violation", limit, "rad", TARGET, "the limit set")


def random_rig(seed: int) -> tuple[Skeleton, LimitSet]:
    """A chain of every rotate order with limits of all its channels."""
    return _rig(np.random.default_rng(seed))[1:]


def _rig(rng: np.random.Generator) -> tuple[Floats, Skeleton, LimitSet]:
    """A chain with random frames, and limits of all its channels."""
    frames_deg = rng.uniform(-180.0, 180.0, (2, JOINTS, 3))
    orders = tuple(ROTATE_ORDERS[joint % 6] for joint in range(JOINTS))
    skeleton = Skeleton(
        tuple(f"joint{joint}" for joint in range(JOINTS)),
        np.arange(-1, JOINTS - 1),
        offsets=rng.normal(size=(JOINTS, 3)),
        rotate_orders=orders,
        joint_orients=quaternion_from_euler(np.radians(frames_deg[0])),
        rotate_axes=quaternion_from_euler(np.radians(frames_deg[1])),
        meters_per_unit=1.0,
    )
    joints = {}
    for joint, name in enumerate(skeleton.names):
        low = rng.uniform(-200.0, 100.0, 3)
        high = low + rng.uniform(5.0, 250.0, 3)
        orient, axis = _triples(frames_deg[:, joint])
        joints[name] = _limits(Orientation(orders[joint], orient, axis), low, high)
    return frames_deg, skeleton, LimitSet("rig", joints)


def _triples(rows: Floats) -> list[tuple[float, float, float]]:
    return [(x, y, z) for x, y, z in rows.tolist()]


def _limits(frame: Orientation, low: Floats, high: Floats) -> JointLimit:
    (middle,) = _triples(0.5 * (low + high)[None])
    rest = RestPose(middle, True, 0.0)
    evidence = Evidence({}, None, 0.0, (0.0, 0.0, 0.0), 0.0, 0, "clear")
    axes = [AxisLimit("limited", a, b) for a, b in zip(low.tolist(), high.tolist())]
    return JointLimit(
        "ball", None, evidence, frame, dict(zip(CHANNELS, axes)), rest, {}, rest.rotate_deg
    )


def _beyond(rng: np.random.Generator, limit_set: LimitSet) -> Floats:
    """Rotate channels inside the limits and a little beyond, degrees, (joints, 3)."""
    rows = []
    for joint in limit_set.joints.values():
        bounds = [(joint.limits[one].min_deg, joint.limits[one].max_deg) for one in CHANNELS]
        low, high = np.array(bounds, dtype=np.float64).T
        rows.append(rng.uniform(low - 20.0, high + 20.0))
    return np.array(rows)


def _posed(mujoco: Any, model: Any, data: Any, rotates_deg: Floats) -> dict[str, float]:
    """Pose the model; return the depth of every violated limit by joint, in radians."""
    for joint, values in enumerate(np.radians(rotates_deg)):
        for channel, value in zip(CHANNELS, values):
            data.joint(f"joint{joint}.{channel}").qpos[0] = value
    mujoco.mj_forward(model, data)
    kind = mujoco.mjtConstraint.mjCNSTR_LIMIT_JOINT
    rows = np.flatnonzero(data.efc_type == kind).tolist()
    return {model.joint(int(data.efc_id[row])).name: -float(data.efc_pos[row]) for row in rows}


def _limit_error(limit_set: LimitSet, rotates_deg: Floats, depths: dict[str, float]) -> float:
    """Largest difference of any depth from that of the limit set; 1 for a missing one."""
    worst = 0.0
    for (name, joint), values in zip(limit_set.joints.items(), np.radians(rotates_deg)):
        for channel, value in zip(CHANNELS, values.tolist()):
            limit = joint.limits[channel]
            low, high = np.radians([limit.min_deg or 0.0, limit.max_deg or 0.0]).tolist()
            depth = max(low - value, value - high)
            found = depths.get(f"{name}.{channel}")
            if (found is not None) != (depth > 0.0):
                return 1.0
            worst = worst if found is None else max(worst, abs(found - depth))
    return worst


def _pose_error(
    data: Any, skeleton: Skeleton, frames_deg: Floats, rotates_deg: Floats
) -> Iterator[tuple[float, float]]:
    """Difference of every joint's rotation matrix, and of its place as a share of the figure."""
    world = np.eye(4)
    worlds = []
    for joint, order in enumerate(skeleton.rotate_orders):
        world = (
            _local(skeleton.offsets[joint], frames_deg[:, joint], rotates_deg[joint], order) @ world
        )
        worlds.append(world)
    size = float(np.ptp([one[3, :3] for one in worlds], axis=0).max())
    for joint, expected in enumerate(worlds):
        body = data.body(f"joint{joint}")
        turn = np.abs(body.xmat.reshape(3, 3) - expected[:3, :3].T).max()
        yield float(turn), float(np.abs(body.xpos - expected[3, :3]).max() / size)


def _local(offset: Floats, frame_deg: Floats, rotate_deg: Floats, order: str) -> Floats:
    """``[RO] [R] [JO] [T]`` for row vectors, as the node reference of joint has it."""
    matrix = np.eye(4)
    turns: Sequence[tuple[Floats, str]] = (
        (frame_deg[1], "xyz"),
        (rotate_deg, order),
        (frame_deg[0], "xyz"),
    )
    for angles, axes in turns:
        for axis in axes:
            matrix[:3, :3] = matrix[:3, :3] @ _row_turn(
                "xyz".index(axis), angles["xyz".index(axis)]
            )
    matrix[3, :3] = offset
    return matrix


def _row_turn(axis: int, degrees: float) -> Floats:
    """Rotation about one axis for row vectors."""
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[i, i] = matrix[j, j] = cosine
    matrix[i, j], matrix[j, i] = sine, -sine
    return matrix
