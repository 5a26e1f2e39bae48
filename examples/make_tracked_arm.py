"""Write an example of loose bodies: sensors on a chest and an arm, and a cup that nobody holds.

Run as ``python -m examples.make_tracked_arm [FOLDER]``. The same numbers give the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.quaternion import (
    multiply,
    normalize,
    quaternion_from_axis_angle,
    quaternion_from_rotation_vector,
    rotate,
)

NAME = "tracked_arm.csv"
FRAMES, RATE = 360, 30.0
NOISE_MM, NOISE_DEG = 1.5, 0.4
SLIP_SECONDS, SLIP_MM, SLIP_DEG = 8.0, 10.0, 3.0
LOST = slice(130, 142)
"""Frames in which the hand was not seen."""
SHOULDER, ELBOW, WRIST = (0.0, 170.0, 210.0), (0.0, 0.0, -295.0), (0.0, 0.0, -262.0)
"""Each joint in the frame of the body above it, whose origin is its own joint; millimetres."""
SENSORS = {"chest": (95.0, 0.0, 90.0), "upper_arm": (0.0, 45.0, -160.0)}
SENSORS.update({"forearm": (-12.0, 30.0, -200.0), "hand": (0.0, 22.0, -65.0)})
"""Where the sensor of each body sits in the body's frame."""


def _wave(seed: int, sizes_deg: tuple[float, float, float]) -> Floats:
    """Rotation vectors or angles that come and go, radians, shape (frames, 3)."""
    generator = np.random.default_rng(seed)
    seconds = np.arange(FRAMES)[:, None] / RATE
    hertz, phase = generator.uniform(0.12, 0.7, (2, 1, 3)), generator.uniform(0.0, 6.28, (2, 1, 3))
    return np.asarray(np.radians(sizes_deg) * np.sin(2 * np.pi * hertz * seconds + phase).mean(0))


def _bodies() -> dict[str, tuple[Floats, Floats]]:
    """Places of the joints in millimetres and rotations of the bodies that hang in them."""
    chest = quaternion_from_rotation_vector(_wave(1, (12.0, 10.0, 40.0)))
    place = np.array([0.0, 0.0, 1150.0]) + 900.0 * _wave(2, (15.0, 25.0, 4.0))
    upper = multiply(chest, quaternion_from_rotation_vector(_wave(3, (70.0, 60.0, 45.0))))
    shoulder = place + rotate(chest, np.array(SHOULDER))
    # The elbow bends about one axis, from 5 to 125 degrees.
    bend = -np.radians(65.0) - 1.2 * _wave(4, (0.0, 50.0, 0.0))[:, 1]
    fore = multiply(upper, quaternion_from_axis_angle([0.0, 1.0, 0.0], bend))
    elbow = shoulder + rotate(upper, np.array(ELBOW))
    hand = multiply(fore, quaternion_from_rotation_vector(_wave(5, (30.0, 45.0, 50.0))))
    wrist = elbow + rotate(fore, np.array(WRIST))
    joints = {"chest": (place, chest), "upper_arm": (shoulder, upper), "forearm": (elbow, fore)}
    return {**joints, "hand": (wrist, hand)}


def _measured() -> tuple[list[str], Floats, Floats]:
    """Names, places (bodies, frames, 3) and quaternions (bodies, frames, 4) of the sensors."""
    generator = np.random.default_rng(7)
    names, places, turns = [], [], []
    for name, (place, turn) in _bodies().items():
        mount = np.tile(normalize(generator.normal(size=4)), (FRAMES, 1))
        seat = np.tile(np.array(SENSORS[name]), (FRAMES, 1))
        if name == "forearm":
            after = np.arange(FRAMES) >= SLIP_SECONDS * RATE
            slip = quaternion_from_axis_angle([0.0, 0.0, 1.0], np.radians(SLIP_DEG))
            mount[after] = multiply(slip, mount[after])
            seat[after] += [0.0, 0.0, SLIP_MM]
        names.append(name)
        places.append(place + rotate(turn, seat))
        turns.append(multiply(turn, mount))
    names.append("cup")
    places.append(np.array([700.0, 300.0, 900.0]) + 400.0 * _wave(8, (60.0, 60.0, 20.0)))
    turns.append(quaternion_from_rotation_vector(_wave(9, (60.0, 50.0, 70.0))))
    shaken = np.radians(NOISE_DEG) * generator.normal(size=(len(names), FRAMES, 3))
    noise = NOISE_MM * generator.normal(size=shaken.shape)
    noisy = multiply(np.array(turns), quaternion_from_rotation_vector(shaken))
    return names, np.array(places) + noise, noisy


def table() -> str:
    """Text of the table."""
    names, places, turns = _measured()
    columns = ("px", "py", "pz", "qx", "qy", "qz", "qw")
    head = [f"{name}.{column}" for name in names for column in columns]
    settings = ["# units: mm", f"# frame_rate: {RATE:g}", "# up: z"]
    lines = [*settings, ",".join(["frame", *head])]
    for frame in range(FRAMES):
        cells = [str(frame)]
        for body, name in enumerate(names):
            lost = name == "hand" and LOST.start <= frame < LOST.stop
            numbers = [f"{value:.1f}" for value in places[body, frame]]
            numbers += [f"{value:.5f}" for value in turns[body, frame]]
            cells += [""] * len(columns) if lost else numbers
        lines.append(",".join(cells))
    return "\n".join(lines) + "\n"


def main(folder: Path) -> None:
    """Write the example into a folder."""
    path = folder / NAME
    path.write_bytes(table().encode("utf-8"))
    print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
