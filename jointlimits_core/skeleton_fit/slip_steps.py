"""Steps in joint gaps and jumps of tracks: what a slipped sensor leaves behind.

Around each frame a polynomial over time, with a jump there, is fitted to half a second of the
sensor's rotation. A distinct jump shows what joints cannot: the rotation of a sensor that has only
one joint, or that turned about the line between two.

A sensor with rotation R and place t that slips by a turn D and a shift d, both in its own axes
before, has rotation R D and place t + R d. A joint at c before is at D' (c - d) after.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..geometry import quaternion
from ..geometry.arrays import Booleans, Floats
from .residuals import JointEnds, joint_gap, repetition
from .tracks import BodyTracks

LEAST_DEVIATION_M = 5e-4
"""Least deviation of a gap: exact data have steps of a few micrometres, as files round them."""
SIDE_SECONDS, LEAST_SIDE = 0.25, 10
"""Length of track fitted on either side, seconds, and frames at least."""
SEARCHED_SECONDS = 0.7
DISTINCT = 36.0
"""Threshold of the statistic, about chi-squared of 3 degrees for one frame without a jump."""
DEGREE = 5
LEAST_TURN = np.radians(0.02)
"""Least standard deviation."""
MOMENT_ROUNDS = 3
UNKNOWN_SD = np.radians(5.0)
"""Standard deviation of rotations that leave no visible jump."""
KNOWN_SD = np.radians(3.0)
"""Standard deviation up to which a rotation counts as known."""
CHANGE_ROUNDS = 10
NO_MOTION = 1e-6
LEAST_M, UNKNOWN_M = 1e-4, 1.0
"""Least standard deviation of gaps, and that of unknown places."""
Steps = Mapping[int, Sequence[int]]
"""First frames after the slips of each body, in the order of time."""


def step_curve(values: Floats, seen: Booleans, starts: Sequence[int], margin: int) -> Floats:
    """Statistic of a step before every frame, between known steps.

    Shape (frames,): zero in the margins. `values`, shape (frames, 3): gaps in a body's own frame;
    zero where there is none. `seen`, shape (frames,). `starts`: first frames of the periods between
    known steps, the first of them 0. `margin`: frames at both ends of a period in which no step can
    be separated from chance.
    """
    curve = np.zeros(len(values))
    for start, stop in zip(starts, [*starts[1:], len(values)]):
        if stop - start <= 2 * margin:
            continue
        inner = slice(start + margin, stop - margin)
        whole = slice(start, stop)
        curve[inner] = _curve(values[whole], seen[whole])[margin:-margin]
    return curve


def _curve(values: Floats, seen: Booleans) -> Floats:
    """Statistic of a step before every frame, shape (frames,).

    The step's squared length over its covariance if nothing slipped: the long-run one, as gaps of
    neighbouring frames are alike, about the two means on the sides of the largest step.
    """
    count = int(seen.sum())
    if count < 8:
        return np.zeros(len(values))
    before = np.concatenate([[0.0], np.cumsum(seen)[:-1]])
    after = count - before
    mean = values.sum(axis=0) / count
    sums = np.cumsum(np.where(seen[:, None], values - mean, 0.0), axis=0)
    sums = np.concatenate([np.zeros((1, 3)), sums[:-1]])
    weight = np.maximum(before * after / count, 1.0)
    frame = int(np.argmax(np.sum(sums**2, axis=1) / weight))
    rest = np.where(seen[:, None], values - mean, 0.0)
    rest = rest - _step_about(rest, seen, frame)
    covariance = rest.T @ rest / count * repetition(rest, seen)
    covariance += LEAST_DEVIATION_M**2 * np.eye(3)
    solved = np.linalg.solve(covariance, sums.T).T
    return np.asarray(np.sum(sums * solved, axis=1) / weight)


def _step_about(values: Floats, seen: Booleans, frame: int) -> Floats:
    """Means of both sides, where seen, shape (frames, 3)."""
    means = np.zeros_like(values)
    for part in (slice(None, frame), slice(frame, None)):
        means[part] = values[part].sum(axis=0) / max(int(seen[part].sum()), 1)
    return np.asarray(np.where(seen[:, None], means, 0.0))


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
    left, variance = _last_of_fit(np.concatenate([smooth, after[:, None]], axis=1), angles)
    turn = quaternion.rotation_vector_from_quaternion(
        quaternion.multiply(*map(quaternion.quaternion_from_rotation_vector, (left, known)))
    )
    return Jump(frame, turn, float(np.sqrt(variance)), float(turn @ turn / variance))


def _last_of_fit(design: Floats, values: Floats) -> tuple[Floats, float]:
    """Coefficient of the last column in a least-squares fit of values, and its variance."""
    fitted = np.linalg.lstsq(design, values, rcond=None)[0]
    left = values - design @ fitted
    variance = float(np.sum(left**2)) / (values.shape[1] * (len(values) - design.shape[1]))
    share = float(np.linalg.inv(design.T @ design)[-1, -1])
    return fitted[-1], variance * share + LEAST_TURN**2


@dataclass(frozen=True, eq=False)
class JointSides:
    """Place of a joint in a sensor before and after its slip.

    `before`, `after`, shape (3,): in the sensor's own frame, metres; `covariance`, shape (6, 6): of
    both together.
    """

    before: Floats
    after: Floats
    covariance: Floats


@dataclass(frozen=True, eq=False)
class SlipChange:
    """The rigid change of a sensor.

    `turn`, shape (4,): unit quaternion (x, y, z, w). `shift`, shape (3,): metres. `turn_known`:
    whether the rotation is known; otherwise it is assumed to be small.
    """

    turn: Floats
    shift: Floats
    turn_known: bool

    @property
    def distance_m(self) -> float:
        """Distance that the sensor's origin moved."""
        return float(np.linalg.norm(self.shift))

    @property
    def angle_deg(self) -> float:
        """Rotation angle; NaN if unknown."""
        angle = float(
            np.degrees(np.linalg.norm(quaternion.rotation_vector_from_quaternion(self.turn)))
        )
        return angle if self.turn_known else float("nan")


def slip_change(joints: Sequence[JointSides], jump: Jump | None) -> SlipChange:
    """The change that fits best (generalised least squares, Gauss-Newton).

    `joints`: of all joints of the sensor; at least one; `jump`: jump in its own track, if distinct.
    """
    seen, deviation = (np.zeros(3), UNKNOWN_SD) if jump is None else (jump.turn, jump.deviation)
    turn, shift = quaternion.quaternion_from_rotation_vector(seen), np.zeros(3)
    normal = np.zeros((6, 6))
    for _ in range(CHANGE_ROUNDS):
        rows = [_joint_rows(joint, turn, shift) for joint in joints]
        normal = np.sum([design.T @ design for design, _ in rows], axis=0)
        right = np.sum([design.T @ value for design, value in rows], axis=0)
        normal[:3, :3] += np.eye(3) / deviation**2
        right[:3] += (seen - quaternion.rotation_vector_from_quaternion(turn)) / deviation**2
        step = np.linalg.solve(normal, right)
        turn = quaternion.multiply(quaternion.quaternion_from_rotation_vector(step[:3]), turn)
        shift = shift + step[3:]
    return SlipChange(turn, shift, _turn_is_known(normal))


def _joint_rows(joint: JointSides, turn: Floats, shift: Floats) -> tuple[Floats, Floats]:
    """Equations for small changes of turn and shift, each of deviation 1."""
    matrix = quaternion.matrix_from_quaternion(turn)
    x, y, z = turned = matrix @ joint.after
    both = np.concatenate([np.eye(3), -matrix], axis=1)
    root = np.linalg.cholesky(both @ joint.covariance @ both.T)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    design = np.concatenate([-cross, np.eye(3)], axis=1)
    left: Floats = joint.before - turned - shift
    return np.linalg.solve(root, design), np.asarray(np.linalg.solve(root, left), np.float64)


def _turn_is_known(normal: Floats) -> bool:
    """Whether the rotation is known in all directions, whatever the shift."""
    covariance = np.linalg.inv(normal)[:3, :3]
    return bool(np.linalg.eigvalsh(covariance)[-1] <= KNOWN_SD**2)


@dataclass(frozen=True, eq=False)
class GapJoint:
    """A fitted joint and its gaps.

    `bodies`: child and parent. `centres`, shape (2, 3): the joint in their own frames, metres.
    `gap`, shape (frames, 3): as of :func:`.joint_gap`, zero where either was not seen. `turns`,
    shape (2, frames, 3, 3): rotations of the bodies.
    """

    bodies: tuple[int, int]
    centres: Floats
    gap: Floats
    seen: Booleans
    turns: Floats

    def in_axes_of(self, body: int, gaps: Floats) -> Floats:
        """Gaps from a body's side in its own coordinates, shape (frames, 3)."""
        side = self.bodies.index(body)
        return np.asarray((1.0, -1.0)[side] * np.einsum("fji,fj->fi", self.turns[side], gaps))

    def fitted(self, steps: Steps) -> SteppedGaps:
        """Fit the joint again with steps (least squares)."""
        design, columns = self._design(steps)
        inner, change = self._solved(design, self.seen)
        left = np.where(self.seen[:, None], self.gap + design @ change, 0.0)
        starts = {body: [0, *steps.get(body, ())] for body in self.bodies}
        return SteppedGaps(self, starts, columns, change, left, inner)

    def held_out(self, steps: Steps, period: int) -> float:
        """Sum of squared gaps in every other period of this many frames, fitted to the rest."""
        design, _ = self._design(steps)
        odd: Booleans = np.arange(len(self.gap)) // period % 2 == 1
        total = 0.0
        for held_out in (odd, ~odd):
            change = self._solved(design, self.seen & ~held_out)[1]
            judges: Booleans = self.seen & held_out
            total += float(np.sum((self.gap[judges] + design[judges] @ change) ** 2))
        return total

    def _design(self, steps: Steps) -> tuple[Floats, dict[int, list[int]]]:
        """Derivatives of the gaps by places and steps, and their columns by body."""
        frames = np.arange(len(self.gap))
        blocks: list[Floats] = []
        columns: dict[int, list[int]] = {}
        for body, turn, sign in zip(self.bodies, self.turns, (1.0, -1.0)):
            for first in (0, *steps.get(body, ())):
                columns.setdefault(body, []).append(3 * len(blocks))
                blocks.append(sign * turn * (frames >= first)[:, None, None])
        return np.concatenate(blocks, axis=2), columns

    def _solved(self, design: Floats, chosen: Booleans) -> tuple[Floats, Floats]:
        """Equations of some frames, and their least-squares solution."""
        inner = design[chosen].reshape(-1, design.shape[2])
        wanted = self.gap[chosen].reshape(-1)
        change = -np.linalg.lstsq(inner, wanted, rcond=NO_MOTION)[0]
        return inner, np.asarray(change, np.float64)

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

    `starts`: first frames of the periods between slips, by body. `columns`: columns of `change`
    with the place and then the steps, by body. `change`, shape (unknowns,): metres, in the bodies'
    own frames. `left`, shape (frames, 3): in the world, zero where there is none. `design`, shape
    (3 frames seen, unknowns).
    """

    joint: GapJoint
    starts: Mapping[int, list[int]]
    columns: Mapping[int, list[int]]
    change: Floats
    left: Floats
    design: Floats

    def seen_by(self, body: int, frame: int | None = None) -> tuple[Floats, Booleans]:
        """Gaps in a body's own coordinates, optionally with one of its steps left in, and where.

        Shapes (frames, 3), metres, zero where there is none, and (frames,).
        """
        values = self.joint.in_axes_of(body, self.left)
        if frame is not None:
            values = values - self._step(body, frame)
        return values, self.joint.seen

    def _step(self, body: int, frame: int) -> Floats:
        """One of a body's steps where it is seen, in its own coordinates, shape (frames, 3)."""
        column = self.columns[body][self.starts[body].index(frame)]
        after = self.joint.seen & (np.arange(len(self.left)) >= frame)
        return np.asarray(after[:, None] * self.change[column : column + 3])

    def with_step(self, body: int, frame: int) -> Floats:
        """Gaps with one of a body's steps left in, zero where there is none, shape (frames, 3)."""
        side = self.joint.bodies.index(body)
        step = np.einsum("fij,fj->fi", self.joint.turns[side], self._step(body, frame))
        return np.asarray(self.left - (1.0, -1.0)[side] * step)

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
    tracks: BodyTracks, ends: JointEnds, good: Booleans, length: int = 1
) -> list[GapJoint]:
    """Gaps of joints, as means of `length` frames.

    The noise of a mean is less, and with it what noise of rotations does to a fitted joint: it
    draws the joint towards the sensors, which leaves gaps that look like steps. A mean counts if
    half of its frames are good in both bodies; `good` has shape (bodies, frames).
    """
    joints = []
    means_of: dict[tuple[int, bytes], Floats] = {}
    for child, parent, in_child, in_parent in zip(*ends):
        bodies = int(child), int(parent)
        both: Booleans = good[child] & good[parent]
        for body in bodies:
            # Bodies that are seen throughout have the same means in all their joints.
            if (body, both.tobytes()) not in means_of:
                matrices = quaternion.matrix_from_quaternion(tracks.rotations[body].T).reshape(
                    -1, 9
                )
                means_of[body, both.tobytes()] = _means(matrices, both, length)[0]
        turns = np.stack([means_of[body, both.tobytes()].reshape(-1, 3, 3) for body in bodies])
        gap, seen = _means(joint_gap(tracks, *bodies, in_child, in_parent), both, length)
        joints.append(GapJoint(bodies, np.stack([in_child, in_parent]), gap, seen, turns))
    return joints


def _means(values: Floats, good: Booleans, length: int) -> tuple[Floats, Booleans]:
    """Means of the good ones of `length` frames, 0 where fewer than half are, and where not."""
    count = len(values) // length * length
    share = good[:count].reshape(-1, length).mean(axis=1)
    seen: Booleans = share >= 0.5
    kept = values if good.all() else np.where(good[:, None], values, 0.0)
    means = kept[:count].reshape(-1, length, values.shape[1]).mean(axis=1)
    return np.where(seen[:, None], means / np.maximum(share, 0.5)[:, None], 0.0), seen
