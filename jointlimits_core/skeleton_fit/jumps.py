"""Jumps in the rotation of a body: what a sensor that turns as it slips leaves in its own track.

Around each frame a polynomial over time, with a jump there, is fitted to half a second of the
sensor's rotation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..geometry import quaternion
from ..geometry.arrays import Booleans, Floats
from .tracks import BodyTracks

SIDE_SECONDS, LEAST_SIDE = 0.25, 10
"""Length of track fitted on either side, seconds, and frames at least."""
SEARCHED_SECONDS = 0.7
DISTINCT = 36.0
"""Threshold of the statistic, about chi-squared of 3 degrees for one frame without a jump."""
DEGREE = 5
LEAST_TURN = np.radians(0.02)
"""Least standard deviation."""
MOMENT_ROUNDS = 3


@dataclass(frozen=True, eq=False)
class Jump:
    """Rotation of a body between two frames, in its own axes before it.

    `frame`: the first one after it; `turn`, shape (3,): rotation vector, radians; `deviation`:
    standard deviation of each of its coordinates.
    """

    frame: int
    turn: Floats
    deviation: float
    statistic: float


def distinct_jump(tracks: BodyTracks, body: int, frame: int, used: Booleans) -> Jump | None:
    """The most distinct jump of a body near a frame.

    Returns None if no jump exceeds the noise. `frame`: approximate frame of a slip; `used`, shape
    (frames,): where the track can be trusted.
    """
    reach = round(SEARCHED_SECONDS * tracks.frame_rate)
    best: Jump | None = None
    for tried in range(max(1, frame - reach), min(tracks.frame_count, frame + reach + 1)):
        jump = _jump(tracks, body, tried, used)
        if jump is not None and (best is None or jump.statistic > best.statistic):
            best = jump
    if best is None or best.statistic < DISTINCT:
        return None
    for _ in range(MOMENT_ROUNDS):
        best = _jump(tracks, body, best.frame, used, best.turn) or best
    return best


def _jump(
    tracks: BodyTracks, body: int, frame: int, used: Booleans, known: Floats | None = None
) -> Jump | None:
    """Jump before one frame, about an approximate rotation; None if too few frames are seen."""
    side = max(round(SIDE_SECONDS * tracks.frame_rate), LEAST_SIDE)
    frames = np.arange(max(0, frame - side), min(tracks.frame_count, frame + side))
    frames = frames[used[frames]]
    after = frames >= frame
    if min(int(after.sum()), int((~after).sum())) < LEAST_SIDE - 2:
        return None
    known = np.zeros(3) if known is None else known
    turns = tracks.rotations[body].T[frames]
    back = quaternion.quaternion_from_rotation_vector(-known)
    turns = np.where(after[:, None], quaternion.multiply(turns, back), turns)
    reference = turns[np.flatnonzero(~after)[-1]]
    angles = quaternion.rotation_vector_from_quaternion(
        quaternion.multiply(quaternion.conjugate(reference), turns)
    )
    time = (frames - frame + 0.5) / side
    smooth = time[:, None] ** np.arange(DEGREE + 1)
    design = np.concatenate([smooth, after[:, None]], axis=1)
    fitted = np.linalg.lstsq(design, angles, rcond=None)[0]
    rest = angles - design @ fitted
    noise = float(np.sum(rest**2)) / (3 * (len(angles) - design.shape[1]))
    variance = noise * float(np.linalg.inv(design.T @ design)[-1, -1]) + LEAST_TURN**2
    turn = quaternion.rotation_vector_from_quaternion(
        quaternion.multiply(*map(quaternion.quaternion_from_rotation_vector, (fitted[-1], known)))
    )
    return Jump(frame, turn, float(np.sqrt(variance)), float(turn @ turn / variance))
