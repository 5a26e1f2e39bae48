"""When exactly a sensor slipped, and by how much, once it is known that it did.

Joints that were fitted over a slip are bent towards hiding it: where a joint moves slowly, a step
looks like a bit of its motion. So they are fitted again with the step in, the moment is sought in
what is left, and so on until it stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..arrays import Booleans, Floats
from ..rotation import matrix_from_quaternion
from .tracks import BodyTracks

ROUNDS = 5
NO_MOTION = 1e-6

Curve = Callable[[Floats, Booleans], Floats]


def located(
    tracks: BodyTracks,
    body: int,
    others: Sequence[int],
    gaps: Floats,
    frame: int,
    curve: Curve,
    margin: int,
) -> tuple[int, Floats]:
    """Find the moment and the size of a slip.

    Parameters
    ----------
    tracks : BodyTracks
    body : int
        The one that slipped.
    others : sequence of int
        Bodies that it is joined to.
    gaps : array, shape (joints, frames, 3)
        Where the body has each joint less where the other has it, metres in the world; NaN where
        there is none.
    frame : int
        About where it was.
    curve : callable
        Takes gaps in the body's own frame, zero where not seen, and where they were seen; gives
        the statistic of a step before every frame.
    margin : int
        Frames at both ends in which no slip can be told.

    Returns
    -------
    frame : int
        The first one after it.
    jumps : array, shape (joints, 3)
        How each joint's gap changes, in the body's own frame, metres.
    """
    before = frame
    for _ in range(ROUNDS):
        found = [_with_step(tracks, body, *joint, frame) for joint in zip(others, gaps)]
        total = np.mean([curve(values, seen) for values, seen, _ in found], axis=0)
        before, frame = frame, int(np.argmax(total[margin:-margin])) + margin
        if frame == before:
            break
    return before, np.array([jump for _, _, jump in found])


def _with_step(
    tracks: BodyTracks, body: int, other: int, gap: Floats, frame: int
) -> tuple[Floats, Booleans, Floats]:
    """Gaps in the body's frame with its joint fitted anew, where they were seen, and the step."""
    seen = np.asarray(np.isfinite(gap).all(axis=1), dtype=bool)
    ours, theirs = (matrix_from_quaternion(tracks.rotations[one].T[seen]) for one in (body, other))
    after = np.flatnonzero(seen) >= frame
    design = np.concatenate([ours, -theirs, ours * after[:, None, None]], axis=2).reshape(-1, 9)
    change = -np.linalg.lstsq(design, gap[seen].reshape(-1), rcond=NO_MOTION)[0]
    left = gap[seen] + (design[:, :6] @ change[:6]).reshape(-1, 3)
    values = np.zeros_like(gap)
    values[seen] = np.einsum("fji,fj->fi", ours, left)
    return values, seen, -change[6:]
