"""Tables of loose bodies, as a tracker writes them."""

from __future__ import annotations

import numpy as np

from jointlimits_core.skeleton_fit.tracks import BodyTracks

COLUMNS = ("px", "py", "pz", "qx", "qy", "qz", "qw")


def write_tracks(tracks: BodyTracks, path):
    """Write tracks as a table with our own header; gaps are empty cells."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"# units: m\n# frame_rate: {tracks.frame_rate:g}\n")
        cells = [f"{name}.{column}" for name in tracks.names for column in COLUMNS]
        file.write(",".join(["frame", *cells]) + "\n")
        numbers = np.concatenate([tracks.positions, tracks.rotations.transpose(0, 2, 1)], axis=2)
        for at, frame in enumerate(tracks.frames):
            row = [
                repr(float(value)) if tracks.present[body, at] else ""
                for body in range(len(tracks.names))
                for value in numbers[body, at]
            ]
            file.write(",".join([f"{frame:g}", *row]) + "\n")
    return str(path)
