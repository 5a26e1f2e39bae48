"""Rigid groups of markers that move in known ways, and C3D files of them."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.geometry.quaternion import (
    matrix_from_quaternion,
    quaternion_from_rotation_vector,
)
from jointlimits_core.skeleton_fit.markers import MarkerTracks

NO_EZC3D = "C3D files are written and read with ezc3d, which is not installed here"
PLATE = np.array([[0.0, 0.0, 0.0], [0.12, 0.0, 0.0], [0.02, 0.09, 0.0], [0.05, 0.04, 0.06]])


def wandering(frames: int, seed: int, reach: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """Smooth motion of a body: rotation matrices (frames, 3, 3) and places (frames, 3)."""
    rng = np.random.default_rng(seed)
    time = np.linspace(0.0, 2.0 * np.pi, frames)[:, None]
    waves = [
        np.sin(time * rng.uniform(0.5, 2.0, 3) + rng.uniform(0, 6.0, 3)) * rng.uniform(0.3, 1.0, 3)
        for _ in range(2)
    ]
    turns = matrix_from_quaternion(quaternion_from_rotation_vector(waves[0]))
    return turns, reach * waves[1] + rng.uniform(-1.0, 1.0, 3)


def shape_markers(shape: np.ndarray, turns: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Markers of a shape in every frame, (markers, frames, 3)."""
    return np.einsum("fij,mj->mfi", turns, shape) + places


def plates(count: int = 3, frames: int = 240, noise: float = 0.0, seed: int = 5) -> MarkerTracks:
    """Markers of several plates that move by themselves: `a1` to `a4`, `b1`, ..."""
    rng = np.random.default_rng(seed)
    tracks = [shape_markers(PLATE, *wandering(frames, seed + body)) for body in range(count)]
    positions = np.concatenate(tracks)
    positions = positions + rng.normal(0.0, noise, positions.shape) if noise else positions
    names = [f"{'abcdefgh'[body]}{number}" for body in range(count) for number in (1, 2, 3, 4)]
    return tracks_of(names, positions)


def tracks_of(names: list[str], positions: np.ndarray) -> MarkerTracks:
    present = np.isfinite(positions).all(axis=2)
    frames = np.arange(positions.shape[1], dtype=float)
    return MarkerTracks(tuple(names), positions, present, frames, 100.0)


def write_c3d(path, markers, *, rate=100.0, units="mm", scale=1000.0, rotations=None, ratio=1):
    """Write a C3D file; markers (names, positions in metres), NaN for what is missing."""
    ezc3d = pytest.importorskip("ezc3d", reason=NO_EZC3D)
    names, positions = markers
    content = ezc3d.c3d()
    point = content["parameters"]["POINT"]
    point["RATE"]["value"], point["LABELS"]["value"] = [rate], list(names)
    point["UNITS"]["value"] = [units] if units is not None else []
    homogeneous = np.ones((4, *positions.shape[:2]))
    homogeneous[:3] = np.moveaxis(positions * scale, 2, 0)
    content["data"]["points"] = homogeneous
    if rotations is not None:
        labels, matrices = rotations
        content["data"]["rotations"] = np.transpose(matrices, (2, 3, 1, 0))
        content.add_parameter("ROTATION", "RATE", [rate * ratio])
        content.add_parameter("ROTATION", "LABELS", list(labels))
    content.write(str(path))
    return path
