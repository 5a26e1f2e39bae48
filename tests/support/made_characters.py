"""Characters made on purpose, with noise and cross-talk, whose joint types are plain."""

from __future__ import annotations

import numpy as np

from jointlimits_core.estimation.joint_type import TYPES
from jointlimits_core.geometry.quaternion import multiply
from tests.support.made_motion import (
    ball,
    hinge,
    noisy,
    random_direction,
    random_rotation,
    universal,
)

START = np.zeros(1, dtype=np.int64)


def wander(rng, degrees, samples):
    """A smooth curve of random waves, of so many degrees root mean square."""
    t = np.linspace(0.0, 2.0 * np.pi, samples)
    rates, phases = rng.uniform(1.0, 9.0, (5, 1)), rng.uniform(0.0, 2.0 * np.pi, (5, 1))
    curve = np.sin(rates * t + phases).sum(axis=0)
    curve -= curve.mean()
    return np.radians(degrees) * curve / max(curve.std(), 1e-12)


def joint_of_type(rng, kind, angles, left, right):
    """Rotations of a joint between two frames that turns by the angles (samples, 3) it has."""
    if kind == "fixed":
        return hinge(random_direction(rng), np.zeros(len(angles)), left)
    if kind == "hinge":
        return hinge(random_direction(rng), angles[:, 0], left, right)
    if kind == "universal":
        return universal(angles[:, :2], left, right)
    return ball(angles, left, right)


def character(rng, noise, samples=300, kinds=TYPES * 4):
    """Rotations of joints in random frames whose degrees of freedom are plain, and their types."""
    made = []
    for kind in kinds:
        left, right = random_rotation(rng), random_rotation(rng)
        angles = np.stack([wander(rng, rng.uniform(14, 25), samples) for _ in range(3)], axis=1)
        made.append(noisy(joint_of_type(rng, kind, angles, left, right), noise, rng))
    return np.stack(made), list(kinds)


def cross_talk(angle, degrees):
    """Rotation vectors (samples, 3) that follow an angle about x: a bump, a slope, a way back."""
    bend = (angle - angle.min()) / np.radians(60.0)
    speed = np.gradient(angle)
    way = np.tanh(4.0 * speed / np.abs(speed).max())
    bump = np.sin(np.pi * bend / max(1.0, bend.max()))
    vectors = np.stack([0.0 * bend, bump + 0.25 * way, 0.5 * bend + 0.5 * way], axis=1)
    return np.radians(degrees) * vectors


def echoing(rotations, angle, degrees):
    shake = ball(cross_talk(angle, degrees))
    return multiply(rotations.T, shake.T).T
