"""Replay of the motion through the fitted skeleton, without gaps at the joints.

O'Brien et al. (2000), section 4: a skeleton has rigid limbs, and tracks of real sensors do not
quite fit any. Rotations are kept as measured and the root stays in place; from there outwards every
body is moved to its joint.
"""

from __future__ import annotations

import numpy as np

from ..geometry import Booleans, Floats, Integers, conjugate, multiply, normalized, rotated, slerp
from .result import BodyFit
from .tracks import BodyTracks


def replayed(fit: BodyFit) -> BodyTracks:
    """Tracks of the same bodies that the fitted skeleton follows exactly.

    While a body is not seen it turns evenly, relative to its parent, from its last to its next
    pose; before the first and after the last it keeps that pose. They have positions and rotations
    in every frame, and zero gaps at all joints of the tree. Bodies that were never seen are
    unchanged.
    """
    rotations = filled_rotations(fit)
    positions = np.array(fit.tracks.positions)
    for body in (*(figure[0] for figure in fit.figures), *fit.free):
        if fit.used[body].any():
            positions[body] = _filled_places(positions[body], fit.used[body])
    for joint in fit.joints:
        there = positions[joint.parent] + rotated(rotations[joint.parent], joint.centre_in_parent)
        positions[joint.child] = there - rotated(rotations[joint.child], joint.centre_in_child)
    ever = np.asarray(fit.used.any(axis=1))
    seen: Booleans = fit.tracks.present | ever[:, None]
    return BodyTracks(
        names=fit.names,
        positions=positions,
        rotations=np.ascontiguousarray(np.swapaxes(rotations, 1, 2)),
        frame_rate=fit.tracks.frame_rate,
        present=seen,
        name=fit.tracks.name,
        frames=fit.tracks.frames,
        source=fit.tracks.source,
        findings=fit.findings,
        up=fit.tracks.up,
    )


def moved_m(fit: BodyFit, tracks: BodyTracks) -> Floats:
    """Distance by which replaying moves each body, metres rms over the used frames.

    `tracks` are those of :func:`replayed`. Shape (bodies,): 0 for a body that was never seen.
    """
    step = tracks.positions - fit.tracks.positions
    squared = np.where(fit.used, np.sum(step * step, axis=2), 0.0)
    return np.asarray(np.sqrt(squared.sum(axis=1) / np.maximum(fit.used.sum(axis=1), 1)))


def filled_rotations(fit: BodyFit) -> Floats:
    """World rotations without gaps, shape (bodies, frames, 4).

    NaN only for bodies that were never seen.
    """
    rotations = np.array(np.swapaxes(fit.tracks.rotations, 1, 2))
    for body in (*(figure[0] for figure in fit.figures), *fit.free):
        rotations[body] = _filled_turns(rotations[body], fit.used[body])
    for joint in fit.joints:
        if fit.used[joint.child].all():
            continue
        parent = rotations[joint.parent]
        local = multiply(conjugate(parent), rotations[joint.child])
        rotations[joint.child] = multiply(parent, _filled_turns(local, fit.used[joint.child]))
    return rotations


def _neighbours_in_time(used: Booleans) -> tuple[Integers, Integers, Floats]:
    """The last and next used frame of every frame, and its fraction of the way between them."""
    known = np.flatnonzero(used)
    frames = np.arange(len(used))
    after = np.searchsorted(known, frames)
    last = known[np.clip(after - np.where(used, 0, 1), 0, len(known) - 1)]
    following = known[np.clip(after, 0, len(known) - 1)]
    share = (frames - last) / np.maximum(following - last, 1)
    return last, following, np.clip(share, 0.0, 1.0)


def _filled_turns(turns: Floats, used: Booleans) -> Floats:
    if used.all() or not used.any():
        return turns
    last, following, share = _neighbours_in_time(used)
    between = normalized(slerp(turns[last], turns[following], share))
    return np.asarray(np.where(used[:, None], turns, between))


def _filled_places(places: Floats, used: Booleans) -> Floats:
    if used.all():
        return places
    last, following, share = _neighbours_in_time(used)
    between = places[last] + share[:, None] * (places[following] - places[last])
    return np.asarray(np.where(used[:, None], places, between))
