"""Tracks of bodies as CSV files with our own header."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from jointlimits_core.skeleton_fit.tracks import BodyTracks

COLUMNS = ("px", "py", "pz", "qx", "qy", "qz", "qw")


def write_table(
    tracks: BodyTracks,
    path: Path,
    units: str = "mm",
    per_meter: float = 1000.0,
    settings: Sequence[str] = (),
):
    """Write a table; cells are empty where a body was not seen."""
    names = [f"{name}.{column}" for name in tracks.names for column in COLUMNS]
    lines = [
        f"# units: {units}",
        f"# frame_rate: {tracks.frame_rate:g}",
        *settings,
        ",".join(["frame", *names]),
    ]
    numbers = np.concatenate([tracks.positions * per_meter, tracks.rotations.transpose(0, 2, 1)], 2)
    for frame, number in enumerate(tracks.frames):
        cells = [f"{number:g}"]
        for body, seen in enumerate(tracks.present[:, frame]):
            cells += [f"{value:.9f}" if seen else "" for value in numbers[body, frame]]
        lines.append(",".join(cells))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
