"""The jump that a slip leaves in a sensor's own track: a moment to the frame, and how it turned.

Whatever carries a sensor turns smoothly; a slip is a jump between two frames. About each frame a
polynomial over time, with a jump there, is fitted to half a second of the sensor's turning. Where
the jump stands out, it tells what joints cannot: how a sensor turned that has one joint, or that
turned about the line between two.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Booleans, Floats
from ..rotation import conjugate, multiply, quaternion_from_rotation_vector
from ..rotation import rotation_vector_from_quaternion as rotation_vector
from .tracks import BodyTracks

SIDE_SECONDS, LEAST_SIDE = 0.25, 10
"""How much of the track on either side is fitted, seconds and frames at least."""
SEARCHED_SECONDS = 0.7
DISTINCT = 36.0
"""Of the statistic, which for one frame without a jump is about chi-squared of 3 degrees."""
DEGREE = 5
LEAST_TURN = np.radians(0.02)
"""Standard deviation taken for granted."""
ROUNDS = 3


@dataclass(frozen=True, eq=False)
class Jump:
    """A turn of a body between two frames, in its own axes before it.

    Parameters
    ----------
    frame : int
        The first one after it.
    turn : array, shape (3,)
        Rotation vector, radians.
    deviation : float
        Standard deviation of each of its coordinates.
    """

    frame: int
    turn: Floats
    deviation: float
    statistic: float


def distinct_jump(tracks: BodyTracks, body: int, frame: int, used: Booleans) -> Jump | None:
    """The most distinct jump of a body near a frame.

    Parameters
    ----------
    frame : int
        About where a slip was found.
    used : array of bool, shape (frames,)
        Where the track is to be trusted.

    Returns
    -------
    Jump or None
        None if no jump stands out of the noise.
    """
    reach = round(SEARCHED_SECONDS * tracks.frame_rate)
    best: Jump | None = None
    for tried in range(max(1, frame - reach), min(tracks.frame_count, frame + reach + 1)):
        jump = _jump(tracks, body, tried, used)
        if jump is not None and (best is None or jump.statistic > best.statistic):
            best = jump
    if best is None or best.statistic < DISTINCT:
        return None
    for _ in range(ROUNDS):
        best = _jump(tracks, body, best.frame, used, best.turn) or best
    return best


def _jump(
    tracks: BodyTracks, body: int, frame: int, used: Booleans, known: Floats | None = None
) -> Jump | None:
    """The jump before one frame, about a turn that is known nearly; None if too little is seen."""
    side = max(round(SIDE_SECONDS * tracks.frame_rate), LEAST_SIDE)
    frames = np.arange(max(0, frame - side), min(tracks.frame_count, frame + side))
    frames = frames[used[frames]]
    after = frames >= frame
    if min(int(after.sum()), int((~after).sum())) < LEAST_SIDE - 2:
        return None
    known = np.zeros(3) if known is None else known
    turns = tracks.rotations[body].T[frames]
    back = quaternion_from_rotation_vector(-known)
    turns = np.where(after[:, None], multiply(turns, back), turns)
    reference = turns[np.flatnonzero(~after)[-1]]
    angles = rotation_vector(multiply(conjugate(reference), turns))
    time = (frames - frame + 0.5) / side
    smooth = time[:, None] ** np.arange(DEGREE + 1)
    left, variance = _last_of_fit(np.concatenate([smooth, after[:, None]], axis=1), angles)
    turn = rotation_vector(multiply(*map(quaternion_from_rotation_vector, (left, known))))
    return Jump(frame, turn, float(np.sqrt(variance)), float(turn @ turn / variance))


def _last_of_fit(design: Floats, values: Floats) -> tuple[Floats, float]:
    """What the last column counts in a least-squares fit of values, and its variance."""
    fitted = np.linalg.lstsq(design, values, rcond=None)[0]
    left = values - design @ fitted
    variance = float(np.sum(left**2)) / (values.shape[1] * (len(values) - design.shape[1]))
    share = float(np.linalg.inv(design.T @ design)[-1, -1])
    return fitted[-1], variance * share + LEAST_TURN**2
