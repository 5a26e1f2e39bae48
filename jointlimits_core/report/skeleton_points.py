"""A fitted skeleton as points and bones in the world, beside its tracks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Booleans, Floats, Integers
from ..bodies.body_fit import BodyFit
from ..bodies.build import joint_places
from ..bodies.replay import replayed
from ..bodies.way_up import points_with_y_up, way_up
from ..rotation import rotated


@dataclass(frozen=True, eq=False)
class SkeletonPoints:
    """Points and bones drawn for a fit.

    Parameters
    ----------
    bodies : array of int, shape (points,)
        Body of each point, which is its joint with the parent or the end of its limb. Free bodies
        have points only where there is no figure.
    parents : array of int, shape (points,)
        Point at the other end of each point's bone; -1 for roots and free bodies.
    places : array, shape (frames, points, 3)
        Metres, Y up; NaN for bodies never seen.
    tracks : array, shape (frames, bodies, 3)
        Measured origins of the bodies; NaN where one was not seen.
    feet : array, shape (frames, bodies, 3)
        Nearest point of each body's bone to its origin.
    """

    bodies: Integers
    parents: Integers
    places: Floats
    tracks: Floats
    feet: Floats

    def only(self, bodies: Sequence[int]) -> SkeletonPoints:
        """Points of some bodies: whole figures only, so that bones keep both ends."""
        rows = np.flatnonzero(np.isin(self.bodies, bodies))
        new = np.full(len(self.bodies) + 1, -1)
        new[rows] = np.arange(len(rows))
        return replace(
            self,
            bodies=self.bodies[rows],
            parents=new[self.parents[rows]],
            places=self.places[:, rows],
        )


def skeleton_points(fit: BodyFit, frames: Integers) -> SkeletonPoints:
    """Compute the points to draw.

    Parameters
    ----------
    frames : array of int
        Frames to draw.
    """
    bodies, parents, local = _points(fit)
    replay = replayed(fit).take(frames)
    turns = np.swapaxes(replay.rotations, 1, 2)
    # The place of a body that was never used is unknown.
    ever: Booleans = np.asarray(fit.used.any(axis=1))
    turns = np.where(ever[:, None, None], turns, np.nan)
    places = replay.positions[bodies] + rotated(turns[bodies], local[:, None])
    feet = replay.positions + rotated(turns, _feet(fit, bodies, parents, local)[:, None])
    tracks = fit.tracks.take(frames)
    raw = np.where(tracks.present[..., None], tracks.positions, np.nan)
    up = way_up([fit.tracks])
    by_frame = [points_with_y_up(np.swapaxes(part, 0, 1), up) for part in (places, raw, feet)]
    return SkeletonPoints(bodies, parents, by_frame[0], by_frame[1], by_frame[2])


def _points(fit: BodyFit) -> tuple[Integers, Integers, Floats]:
    """Body of each point, the point at the other end of its bone, and its place on its body."""
    bodies: list[int] = []
    parents: list[int] = []
    local: list[Floats] = []
    for number, figure in enumerate(fit.figures):
        origins, row = joint_places(fit, number).origins, {}
        for body, origin in zip(figure, origins):
            row[body] = len(bodies)
            bodies.append(body)
            parents.append(row.get(int(fit.parents[body]), -1))
            local.append(origin)
        for body in figure:
            # At the end of a limb only the body's origin shows how far it goes.
            if not np.any(fit.parents == body):
                bodies.append(body)
                parents.append(row[body])
                local.append(np.zeros(3))
    for body in () if fit.figures else fit.free:
        bodies.append(body)
        parents.append(-1)
        local.append(np.zeros(3))
    return np.array(bodies), np.array(parents), np.array(local)


def _feet(fit: BodyFit, bodies: Integers, parents: Integers, local: Floats) -> Floats:
    """Nearest point of each body's bones to its origin, in the body's coordinates."""
    feet = np.zeros((len(fit.names), 3))
    start = {int(body): local[row] for row, body in reversed(list(enumerate(bodies)))}
    ends: dict[int, list[Floats]] = {}
    for joint in fit.joints:
        ends.setdefault(joint.parent, []).append(joint.centre_in_parent)
    for body, far in ends.items():
        near = [_nearest(start[body], end) for end in far]
        feet[body] = min(near, key=lambda point: float(np.linalg.norm(point)))
    return feet


def _nearest(start: Floats, end: Floats) -> Floats:
    """Nearest point to the origin on a segment."""
    step = end - start
    length = float(step @ step)
    share = 0.0 if length == 0.0 else float(np.clip(-(start @ step) / length, 0.0, 1.0))
    return np.asarray(start + share * step)
