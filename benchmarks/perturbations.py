"""Faults of real capture, put on clean motion: sensor noise, soft noise, cross-talk of axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.quaternion import (
    conjugate,
    multiply,
    quaternion_from_rotation_vector,
    rotate,
)
from jointlimits_core.motion.motion import Motion

EVERY = 4
"""Step between the frames of a 120 Hz clip that are used."""
SOFT_REACH = 7
"""Samples on either side over which soft noise is smooth: a quarter of a second."""
BEND = np.radians(60.0)
"""Cross-talk is stated for a bend of this size."""
SENSOR_NOISE_DEG = 1.0
"""White noise added to cross-talk, degrees."""


@dataclass(frozen=True)
class Condition:
    """One kind of fault.

    Parameters
    ----------
    name : str
    kind : str
        "clean", "white", "smooth" or "cross".
    degrees : float
        Standard deviation about each axis; of cross-talk its size for a bend of 60 degrees.
    """

    name: str
    kind: str
    degrees: float = 0.0


CONDITIONS = (
    Condition("clean", "clean"),
    Condition("white 2 deg", "white", 2.0),
    Condition("white 3 deg", "white", 3.0),
    Condition("smooth 2 deg", "smooth", 2.0),
    Condition("cross-talk 6", "cross", 6.0),
    Condition("cross-talk 10", "cross", 10.0),
)


def perturbed(clips: Sequence[Motion], condition: Condition, seed: int) -> list[Floats]:
    """Every fourth rotation of each clip, with a fault.

    Parameters
    ----------
    clips : sequence of Motion
        Of one character, with rotate channels. Noise is new in every clip; cross-talk is one
        function of the joint's angle, the same in all that are given together.
    condition : Condition
    seed : int

    Returns
    -------
    list of arrays, shape (joints, 4, samples)
    """
    random = np.random.default_rng(seed)
    clean = [np.ascontiguousarray(clip.rotations[:, :, ::EVERY]) for clip in clips]
    if condition.kind == "clean":
        return clean
    sizes = [(len(rotations), 3, rotations.shape[2]) for rotations in clean]
    size = np.radians(condition.degrees)
    if condition.kind == "white":
        turns = [size * random.standard_normal(shape) for shape in sizes]
    elif condition.kind == "smooth":
        turns = [size * _soft_noise(shape, random) for shape in sizes]
    else:
        sensor = np.radians(SENSOR_NOISE_DEG)
        turns = [
            turn + sensor * random.standard_normal(turn.shape)
            for turn in _cross_talk(clips, size, random)
        ]
    return [_turned(rotations, turn) for rotations, turn in zip(clean, turns)]


def _turned(rotations: Floats, turns: Floats) -> Floats:
    """Rotations (joints, 4, n), turned by vectors (joints, 3, n) in the joints' own frames."""
    shake = quaternion_from_rotation_vector(np.swapaxes(turns, 1, 2))
    return np.ascontiguousarray(np.swapaxes(multiply(np.swapaxes(rotations, 1, 2), shake), 1, 2))


def _soft_noise(size: tuple[int, int, int], random: np.random.Generator) -> Floats:
    """White noise under a raised cosine, unit variance."""
    window = np.hanning(2 * SOFT_REACH + 1)
    window /= np.linalg.norm(window)
    joints, axes, samples = size
    white = random.standard_normal((joints, axes, samples + 2 * SOFT_REACH))
    parts = np.lib.stride_tricks.sliding_window_view(white, len(window), axis=2)
    return np.asarray(parts @ window)


def _cross_talk(clips: Sequence[Motion], size: float, random: np.random.Generator) -> list[Floats]:
    """Turns of each joint about its two other channels that follow its main one.

    A bump in the middle of the bend, a share that grows with it, and a difference between the way
    there and the way back. Rotation vectors (joints, 3, samples) of every clip.
    """
    channels = [_channels(clip) for clip in clips]
    turns = [np.zeros_like(values) for values in channels]
    low = np.min([values.min(axis=2) for values in channels], axis=0)
    high = np.max([values.max(axis=2) for values in channels], axis=0)
    speeds = [np.gradient(values, axis=2) for values in channels]
    fastest = np.max([np.abs(speed).max(axis=2) for speed in speeds], axis=0)
    for joint, main in enumerate(np.argmax(high - low, axis=1)):
        first, second = (axis for axis in range(3) if axis != main)
        one, other = random.choice([-1.0, 1.0], 2)
        reach = (high - low)[joint, main] / BEND
        if reach * BEND < np.radians(0.01):
            continue
        to_joint = conjugate(clips[0].skeleton.rotate_axes[joint])
        for turn, values, speed in zip(turns, channels, speeds):
            bend = (values[joint, main] - low[joint, main]) / BEND
            bump = size * min(1.0, reach) * np.sin(np.pi * bend / max(1.0, reach))
            pace = speed[joint, main] / fastest[joint, main]
            way = 0.5 * size * min(1.0, reach) * np.tanh(4.0 * pace)
            turn[joint, first] = one * bump + 0.5 * way
            turn[joint, second] = other * (0.5 * size * bend + way)
            turn[joint] = rotate(to_joint, turn[joint].T).T
    return turns


def _channels(clip: Motion) -> Floats:
    assert clip.rotates is not None
    return np.asarray(np.unwrap(clip.rotates[:, :, ::EVERY], axis=2))
