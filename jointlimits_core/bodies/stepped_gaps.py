"""Gaps of joints fitted with steps, for sensors that slipped and stayed in the new place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Booleans, Floats, Integers
from .residuals import joint_gaps, repetition
from .slip_change import JointSides
from .tracks import BodyTracks

NO_MOTION = 1e-6
LEAST_M, UNKNOWN_M = 1e-4, 1.0
"""Least standard deviation of gaps, and that of unknown places."""

Steps = Mapping[int, Sequence[int]]
"""First frames after the slips of each body, in the order of time."""


@dataclass(frozen=True, eq=False)
class GapJoint:
    """A fitted joint and its gaps.

    Parameters
    ----------
    bodies : (int, int)
        Child and parent.
    centres : array, shape (2, 3)
        The joint in their own frames, metres.
    gap : array, shape (frames, 3)
        Place of the joint by the child minus that by the parent, in the world; zero where either
        was not seen.
    seen : array of bool, shape (frames,)
    turns : array, shape (2, frames, 3, 3)
        Rotations of the bodies.
    """

    bodies: tuple[int, int]
    centres: Floats
    gap: Floats
    seen: Booleans
    turns: Floats

    def fitted(self, steps: Steps) -> SteppedGaps:
        """Fit the joint again with steps (least squares)."""
        frames = np.arange(len(self.gap))
        blocks: list[Floats] = []
        columns: dict[int, list[int]] = {}
        for body, turn, sign in zip(self.bodies, self.turns, (1.0, -1.0)):
            for first in (0, *steps.get(body, ())):
                columns.setdefault(body, []).append(3 * len(blocks))
                blocks.append(sign * turn * (frames >= first)[:, None, None])
        design = np.concatenate(blocks, axis=2)
        inner = design[self.seen].reshape(-1, 3 * len(blocks))
        wanted = self.gap[self.seen].reshape(-1)
        change = np.asarray(-np.linalg.lstsq(inner, wanted, rcond=NO_MOTION)[0], np.float64)
        left = np.where(self.seen[:, None], self.gap + design @ change, 0.0)
        starts = {body: [0, *steps.get(body, ())] for body in self.bodies}
        return SteppedGaps(self, starts, columns, change, left, inner)

    def sides(self, body: int, frame: int, steps: Steps) -> JointSides:
        """Places of the joint in a body before and after one of its slips."""
        fit = self.fitted(steps)
        number = fit.starts[body].index(frame)
        pick = np.zeros((6, len(fit.change)))
        for part, last in ((pick[:3], number), (pick[3:], number + 1)):
            for column in fit.columns[body][:last]:
                part[:, column : column + 3] += np.eye(3)
        centre = self.centres[self.bodies.index(body)]
        before, after = (pick @ fit.change).reshape(2, 3) + centre
        return JointSides(before, after, pick @ fit.covariance() @ pick.T)


@dataclass(frozen=True, eq=False)
class SteppedGaps:
    """Residual gaps of a joint fitted with steps.

    Parameters
    ----------
    starts : mapping of int to list of int
        First frames of the periods between slips of each body.
    columns : mapping of int to list of int
        For each body, the columns of `change` with its place and then with its steps.
    change : array, shape (unknowns,)
        Metres, in the bodies' own frames.
    left : array, shape (frames, 3)
        In the world; zero where there is none.
    design : array, shape (3 frames seen, unknowns)
    """

    joint: GapJoint
    starts: Mapping[int, list[int]]
    columns: Mapping[int, list[int]]
    change: Floats
    left: Floats
    design: Floats

    def seen_by(self, body: int, frame: int | None = None) -> tuple[Floats, Booleans]:
        """Gaps in a body's own coordinates, optionally with one of its steps left in.

        Returns
        -------
        values : array, shape (frames, 3)
            Metres; zero where there is none.
        seen : array of bool, shape (frames,)
        """
        side = self.joint.bodies.index(body)
        sign = (1.0, -1.0)[side]
        values = sign * np.einsum("fji,fj->fi", self.joint.turns[side], self.left)
        if frame is not None:
            column = self.columns[body][self.starts[body].index(frame)]
            after = self.joint.seen & (np.arange(len(values)) >= frame)
            values = values - after[:, None] * self.change[column : column + 3]
        return values, self.joint.seen

    def times(self, *but: int) -> list[int]:
        """First frames of all periods between steps of either body, except some."""
        return sorted({start for own in self.starts.values() for start in own} - set(but))

    def covariance(self) -> Floats:
        """Covariance of the change, shape (unknowns, unknowns); repeated frames count once."""
        seen = self.joint.seen
        own = self.seen_by(self.joint.bodies[0])[0]
        variance = float(np.mean(own[seen] ** 2)) * repetition(own, seen) + LEAST_M**2
        weights, vectors = np.linalg.eigh(self.design.T @ self.design)
        spread = np.minimum(variance / np.maximum(weights, 1e-12), UNKNOWN_M**2)
        return np.asarray((vectors * spread) @ vectors.T)


def joints_with_gaps(
    tracks: BodyTracks,
    child: Integers,
    parent: Integers,
    in_child: Floats,
    in_parent: Floats,
    good: Booleans,
) -> list[GapJoint]:
    """Gaps of joints in the frames that are good in both bodies.

    Parameters
    ----------
    child, parent : array of int, shape (joints,)
    in_child, in_parent : array, shape (joints, 3)
        The joint in the bodies' own frames, metres.
    good : array of bool, shape (bodies, frames)
    """
    gaps = joint_gaps(tracks, child, parent, in_child, in_parent)
    turns = np.where(tracks.present[..., None, None], tracks.matrices(), 0.0)
    joints = []
    for row, bodies in enumerate(zip(np.asarray(child).tolist(), np.asarray(parent).tolist())):
        seen: Booleans = good[bodies[0]] & good[bodies[1]]
        gap = np.where(seen[:, None], gaps[row], 0.0)
        centres = np.stack([in_child[row], in_parent[row]])
        joints.append(GapJoint(bodies, centres, gap, seen, turns[list(bodies)]))
    return joints
