"""Estimate exactly as printed in the paper: eigenvalues, ZYZ angles, gaps and rest pose test.

Numbers in parentheses are the paper's equation numbers.
"""

from __future__ import annotations

import numpy as np

from ..geometry.arrays import Floats
from ..geometry.euler import TURN
from ..geometry.quaternion import conjugate, multiply, quaternion_from_axis_angle, rotate
from ..limits import limit_set
from . import rest_pose, summary
from .moment import moment_from_rotations
from .options import EstimateOptions

EIGENVALUE_THRESHOLD = 0.05
GIMBAL_THRESHOLD = 1e-3
ANGLES = ("phi", "psi", "theta")


def estimate_joints_as_printed(
    samples: summary.Samples, options: EstimateOptions, rest: rest_pose.Rest | None = None
) -> tuple[dict[str, limit_set.JointLimit], str]:
    """Limits of every joint by name, from the printed equations, and the source of the rest pose.

    The only types are "fixed", "hinge" and "ball". A hinge has limits on "theta"; other joints have
    limits on the ZYZ angles "phi", "psi" and "theta".
    """
    moment = moment_from_rotations(samples.rotations)
    pose, source = rest_pose.rest_rotations(samples, moment, options, rest)
    rotations, pose = _non_negative(np.swapaxes(samples.rotations, 1, 2)), _non_negative(pose)
    joints = {
        name: _joint(samples, row, rotations[row], pose[row])
        for row, name in enumerate(samples.skeleton.names)
    }
    return joints, source


def _non_negative(q: Floats) -> Floats:
    return np.where(q[..., 3:] < 0.0, -q, q)


def covariance_eigenvalues(q: Floats) -> Floats:
    """Eigenvalues of the vector parts' covariance (equations 4 to 7), smallest first."""
    centred = q[:, :3] - q[:, :3].mean(axis=0)
    return np.asarray(np.linalg.eigvalsh(centred.T @ centred))


def zyz_as_printed(q: Floats) -> Floats:
    """ZYZ angles as in the appendix, (..., 3); the argument of arccos is clamped to [-1, 1]."""
    u = rotate(q, np.array([0.0, 0.0, 1.0]))
    psi = np.arccos(np.clip(u[..., 2], -1.0, 1.0))  # (28)
    phi = np.arctan2(u[..., 1], u[..., 0])  # (30)
    w = rotate(q, np.array([1.0, 0.0, 0.0]))  # (31)
    locked = psi < GIMBAL_THRESHOLD
    phi = np.where(locked, np.arctan2(w[..., 1], w[..., 0]), phi)  # (32)
    psi = np.where(locked, 0.0, psi)
    turn_z = quaternion_from_axis_angle([0.0, 0.0, 1.0], phi)
    turn_y = quaternion_from_axis_angle([0.0, 1.0, 0.0], psi)
    rest = multiply(conjugate(multiply(turn_z, turn_y)), q)  # (33), (35)
    theta = np.where(locked, 0.0, 2.0 * np.arctan2(rest[..., 2], rest[..., 3]))  # (36)
    return np.stack([phi, psi, theta], axis=-1)


def interval_as_printed(angles: Floats) -> tuple[float, float]:
    """Contiguous interval from equations 16 to 19, with strict comparisons as printed."""
    ordered = np.sort(angles)
    following = np.roll(ordered, -1)
    gaps = np.where(following > ordered, following - ordered, following + TURN - ordered)  # (16)
    widest = int(np.argmax(gaps))  # (17)
    low, high = float(following[widest]), float(ordered[widest])  # (18)
    while not low < high:  # (19)
        high += TURN
    return low, high


def is_feasible_as_printed(angle: float, low: float, high: float) -> tuple[bool, float]:
    """Bind pose test from equations 20 and 21: strict comparisons; full turns are only added."""
    while not low < angle:
        angle += TURN
    return angle <= high, angle


def _joint(samples: summary.Samples, row: int, q: Floats, rest: Floats) -> limit_set.JointLimit:
    """Type, limits and rest pose of one joint."""
    eigenvalues = covariance_eigenvalues(q)
    dimensions = int(np.sum(eigenvalues > EIGENVALUE_THRESHOLD))
    joint_type = ("fixed", "hinge", "ball", "ball")[dimensions]
    if joint_type == "hinge":
        names: tuple[str, ...] = ("theta",)
        angles = 2.0 * np.arctan2(q[:, 3:], np.linalg.norm(q[:, :3], axis=1, keepdims=True))  # (12)
        bind = 2.0 * np.arctan2(rest[3:], np.linalg.norm(rest[:3]))  # (11)
    else:
        names, angles, bind = ANGLES, zyz_as_printed(q), zyz_as_printed(rest)
    ranges = [interval_as_printed(column) for column in angles.T]
    limits = {
        name: _limit(samples, column, *bounds)
        for name, column, bounds in zip(names, angles.T, ranges)
    }
    tests = [is_feasible_as_printed(float(a), *bounds) for a, bounds in zip(bind, ranges)]
    outside = max(max(angle - bounds[1], 0.0) for (_, angle), bounds in zip(tests, ranges))
    pose = _pose([angle for _, angle in tests], all(ok for ok, _ in tests), outside)
    middle = [0.5 * (low + high) for low, high in ranges]  # (22)
    cosine, sine = np.cos(angles).mean(axis=0), np.sin(angles).mean(axis=0)  # (23)
    nearest = _pose(list(angles[np.argmin(np.sum((angles - bind) ** 2, axis=1))]))
    others: dict[str, limit_set.RestPose | None] = {
        "nearest-pose": nearest,
        "middle": _pose(middle),
        # The paper states: "The mean angle would be feasible".
        "circular-mean": _pose(list(np.arctan2(sine, cosine))),  # (24)
    }
    return limit_set.JointLimit(
        type=joint_type,
        parent=samples.skeleton.parent_name(samples.skeleton.names[row]),
        evidence=_evidence(eigenvalues, dimensions, len(q)),
        orientation=limit_set.Orientation(
            samples.skeleton.rotate_orders[row], (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        ),
        limits=limits,
        rest=pose,
        remedies=others,
        preferred_deg=(pose if pose.feasible else nearest).rotate_deg,
    )


def _evidence(eigenvalues: Floats, dimensions: int, count: int) -> limit_set.Evidence:
    """Evidence for a type that was chosen by the number of eigenvalues above the threshold."""
    x, y, z = np.degrees(2.0 * np.sqrt(np.maximum(eigenvalues[::-1], 0.0) / count)).tolist()
    nearest = float(np.min(np.abs(eigenvalues - EIGENVALUE_THRESHOLD)))
    return limit_set.Evidence(
        residual_deg={"fixed": None, "hinge": None, "universal": None, "ball": None},
        runner_up=None,
        margin_deg=float(np.degrees(2.0 * np.sqrt(nearest / count))),
        spread_deg=(x, y, z),
        noise_deg=0.0,
        samples=count,
        sure="no motion" if dimensions == 0 else "close",
    )


def _limit(
    samples: summary.Samples, angles: Floats, low: float, high: float
) -> limit_set.AxisLimit:
    sources = []
    for bound in (low, high):
        off = np.abs(np.mod(angles - bound + np.pi, TURN) - np.pi)
        at = int(np.argmin(off))
        clip = samples.clips[int(samples.clip_of[at])].clip.name
        frame, value = float(samples.frame_of[at]), float(np.degrees(angles[at]))
        sources.append(limit_set.BoundSource("observed", clip, frame, value, 1))
    least, most, gap = np.degrees([low, high, TURN - (high - low)]).tolist()
    return limit_set.AxisLimit("limited", least, most, gap, limit_set.AxisSource(*sources))


def _pose(angles: list[float], feasible: bool = True, outside: float = 0.0) -> limit_set.RestPose:
    """Pose from angles in radians: either all three channels, or only the last one."""
    x, y, z = ([0.0, 0.0] if len(angles) == 1 else []) + [float(np.degrees(a)) for a in angles]
    return limit_set.RestPose((x, y, z), feasible, float(np.degrees(outside)))
