"""The range-of-motion exercise: one pair of joints after another visits every end of its limits.

A channel runs from rest to one bound, to the other and back, alone; then all channels of a joint
move together at four fifths of their range and at different paces, so that a ball joint really
uses its three degrees of freedom without leaving its box. Every key is an extreme or a rest, and
between keys a curve is monotone: nothing overshoots the truth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from jointlimits_core.geometry.arrays import ArrayLike, Floats
from jointlimits_core.geometry.euler import euler_from_quaternion
from jointlimits_core.geometry.quaternion import quaternion_from_axis_angle
from jointlimits_core.motion.motion import Motion
from jointlimits_core.motion.skeleton import Skeleton

from .humanoid import JOINTS, Joint, unit_axis

Keys = list[tuple[int, float]]

FRAME_RATE = 30.0
FIRST_FRAME = 1
REST = 8  # frames between two groups
REACH = 14  # frames from rest to a bound and back
SWEEP = 20  # frames from one bound to the other
PAUSE = 4  # frames at rest before the channels move together
COMBINED_LENGTH = {"universal": 60, "ball": 72}
COMBINED_STEPS = {"universal": (12, 20), "ball": (12, 18, 24)}
COMBINED_PART = 0.8

GROUPS = (
    *("Hips", "Spine", "Neck", "Clavicle", "Shoulder", "Elbow"),
    *("Wrist", "Hip", "Knee", "Ankle", "Toe"),
)

# Where the root goes while it turns: (frames after its group begins, centimeters).
ROOT_PATH: Mapping[str, Keys] = {
    "x": [(0, 0.0), (30, 8.0), (70, -8.0), (100, 0.0)],
    "y": [(0, 96.0), (100, 96.0), (125, 88.0), (150, 96.0)],
    "z": [(0, 0.0), (60, 5.0), (140, -4.0), (180, 0.0)],
}


def _alone(low: float, high: float, start: int) -> Keys:
    turn, back = start + REACH, start + REACH + SWEEP
    return [(start, 0.0), (turn, high), (back, low), (back + REACH, 0.0)]


def _together(low: float, high: float, start: int, length: int, step: int) -> Keys:
    inner = range(step, length, step)
    values = (COMBINED_PART * (low if n % 2 else high) for n in range(len(inner)))
    swings = [(start + frame, round(value, 6)) for frame, value in zip(inner, values)]
    return [(start, 0.0), *swings, (start + length, 0.0)]


def _joint_keys(joint: Joint, start: int) -> tuple[dict[str, Keys], int]:
    """Keys of every moving channel, and the frame on which the joint is at rest again."""
    keys: dict[str, Keys] = {}
    for axis, (low, high) in joint.bounds.items():
        keys[axis] = _alone(low, high, start)
        start = keys[axis][-1][0]
    if joint.kind not in COMBINED_LENGTH:
        return keys, start
    start, length = start + PAUSE, COMBINED_LENGTH[joint.kind]
    for (axis, (low, high)), step in zip(joint.bounds.items(), COMBINED_STEPS[joint.kind]):
        keys[axis] += _together(low, high, start, length, step)
    return keys, start + length


def _schedule() -> Iterator[tuple[Joint, dict[str, Keys], int]]:
    start = FIRST_FRAME + REST
    for group in GROUPS:
        end = start
        for joint in JOINTS:
            if joint.name == joint.side + group:
                keys, end = _joint_keys(joint, start)
                yield joint, keys, end
        start = end + REST


def value_at(keys: Keys, frames: ArrayLike, tangents: str) -> Floats:
    """Value of a curve: straight lines, or eased lines where all tangents are flat.

    Parameters
    ----------
    keys : list of (frame, value)
    frames : array-like, shape (frames,)
    tangents : str
        "linear", or "auto" and "flat", which are the same where every key is an extreme.

    Returns
    -------
    array, shape (frames,)
        Constant outside the keys.
    """
    times, values = np.array(keys, dtype=np.float64).T
    left = np.clip(np.searchsorted(times, frames, side="right") - 1, 0, len(times) - 2)
    u = np.clip((frames - times[left]) / (times[left + 1] - times[left]), 0.0, 1.0)
    if tangents != "linear":
        u = u * u * (3.0 - 2.0 * u)
    return np.asarray(values[left] + u * (values[left + 1] - values[left]))


def _baked(joint: Joint, angle: dict[str, Keys]) -> dict[str, Keys]:
    """One key a frame on all three channels, of a hinge that turns about none of them."""
    (keys,) = angle.values()
    frames = np.arange(keys[0][0], keys[-1][0] + 1)
    turn = quaternion_from_axis_angle(unit_axis(joint), np.radians(value_at(keys, frames, "flat")))
    degrees = np.round(np.degrees(euler_from_quaternion(turn, joint.rotate_order)), 6) + 0.0
    return {
        axis: [(int(frame), float(value)) for frame, value in zip(frames, degrees[:, k])]
        for k, axis in enumerate("xyz")
    }


def rotate_keys() -> tuple[dict[str, dict[str, Keys]], int]:
    """Keys of the Maya scene.

    Returns
    -------
    keys : joint name to channel ("x", "y", "z") to keys in degrees
        Joints that nobody moves are absent, but for the head: it is keyed, and still.
    last_frame : int
    """
    planned = list(_schedule())
    keys = {
        joint.name: own if joint.hinge_axis is None else _baked(joint, own)
        for joint, own, _ in planned
    }
    last = planned[-1][2] + REST
    keys["Head"] = {axis: [(FIRST_FRAME, 0.0), (last, 0.0)] for axis in "xyz"}
    return keys, last


def root_keys() -> dict[str, Keys]:
    """Keys of the root's translation in centimeters."""
    start = FIRST_FRAME + REST
    return {axis: [(start + f, value) for f, value in path] for axis, path in ROOT_PATH.items()}


def maya_motion(skeleton: Skeleton) -> Motion:
    """The motion of the Maya scene on its whole frames."""
    keys, last = rotate_keys()
    frames = np.arange(FIRST_FRAME, last + 1)
    degrees = np.zeros((len(JOINTS), 3, len(frames)))
    for index, joint in enumerate(JOINTS):
        for axis, own in keys.get(joint.name, {}).items():
            degrees[index, "xyz".index(axis)] = value_at(own, frames, joint.tangents)
    path = [value_at(own, frames, JOINTS[0].tangents) for own in root_keys().values()]
    return Motion.from_rotates(
        skeleton,
        np.radians(degrees),
        frames,
        FRAME_RATE,
        "humanoid_rom",
        translations={0: np.stack(path, axis=-1)},
    )
