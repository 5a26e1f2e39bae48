"""Slips of sensors on their bodies: time, body and size.

A slip leaves a step in the gaps of the sensor's joints that is constant in the sensor's
coordinates. It is found where the sums of the gaps before and after differ most (a CUSUM
statistic). The slipped body is the one in whose coordinates the step is largest over all its
joints, or a body joined to it whose own rotation jumps at that time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..base.findings import Finding
from ..geometry import quaternion
from ..geometry.arrays import Booleans, Floats, Integers
from . import doubts, residuals, result
from .tracks import BodyTracks

MIN_STATISTIC = 40.0
"""Smallest statistic of a slip. Without a slip, it is chi-squared with 3 degrees of freedom at any
one time, and at most 13 over 45 s; a 5 mm slip in 7 mm of noise gives 100, rare bends give 35."""
MIN_DEVIATION_M = 5e-4
"""Lower bound of a gap's deviation: rounding in files leaves steps of a few micrometres."""
MEAN_SECONDS = 0.1
"""Length of the blocks of frames whose means are searched for steps."""
MIN_MEANS = 8
MAX_ALIKE = 2.0
"""Largest number of means per independent mean in gaps that count as white noise."""
MIN_EXPLAINED_SHARE = 0.5
"""Minimum share of non-white gaps that a slip must explain, since skin also leaves steps."""
MAX_SLIPPED_SHARE = 0.2
"""Largest share of the bodies that may slip in a clip; if more do, skin follows the motion."""
EDGE_SECONDS = 1.0
"""Nearer to an end of a clip than this, slips cannot be distinguished from noise."""
MAX_SLIPS = 10
SLIPPED_SHARE, SLIPPED_SECONDS = 0.9, 1.0
"""Minimum share of left-out frames, and minimum duration, of a slipped end of a clip."""


@dataclass(frozen=True)
class BodySlip:
    """One slip: its body, time, first frame after it, size, and significance.

    `distance_m`: length of the largest step that the slip leaves in the gaps of the sensor's
    joints. `angle_deg`: angle by which the sensor's own rotation jumps; NaN if within noise.
    """

    body: str
    seconds: float
    frame: float
    distance_m: float
    angle_deg: float
    statistic: float

    def finding(self, clip: str) -> Finding:
        """The slip as a finding."""
        size = f"{1000.0 * self.distance_m:.0f} mm"
        if np.isfinite(self.angle_deg):
            size += f" and {self.angle_deg:.1f} degrees"
        message = f"{self.body} slipped by about {size} at {self.seconds:.1f} s"
        return Finding("slip", message, self.body, clip, ((self.frame, self.frame),))


def with_slips(whole: result.BodyFit, clips: Sequence[result.BodyFit]) -> list[result.BodyFit]:
    """Fits of clips with the slips found in them, using only joints whose position is known.

    A slip itself makes positions uncertain, so deviations are scaled to gaps without slips.
    """
    good = [_slipped_or_used(fit.tracks, fit.used) for fit in clips]
    every = residuals.joint_ends(whole)
    squares = np.full((2, len(whole.joints)), np.finfo(float).tiny)
    for fit, frames in zip(clips, good):
        if _is_long_enough(fit.tracks, every):
            squares += _Search(fit.tracks, every, frames).squares()
    shares = np.sqrt(squares[1] / squares[0])
    limits_m = doubts.UNCERTAIN_M / np.maximum(shares, 1e-9)
    known = [joint.lateral_m <= limit for joint, limit in zip(whole.joints, limits_m)]
    ends = every.choose(np.flatnonzero(known))
    found = []
    for fit, frames in zip(clips, good):
        slips = find_slips(fit.tracks, ends, frames)
        findings = tuple(slip.finding(fit.tracks.name) for slip in slips)
        found.append(replace(fit, slips=slips, findings=fit.findings + findings))
    return found


def find_slips(
    tracks: BodyTracks, ends: residuals.JointEnds, used: Booleans | None = None
) -> tuple[BodySlip, ...]:
    """Slips in the gaps of fitted joints, by time, at most ten; none if many bodies slip."""
    if not _is_long_enough(tracks, ends):
        return ()
    search = _Search(tracks, ends, tracks.present if used is None else used)
    slips = [search.slip(*place) for place in search.places()]
    return tuple(sorted(slips, key=lambda slip: slip.seconds))


def _is_long_enough(tracks: BodyTracks, ends: residuals.JointEnds) -> bool:
    """Whether there are joints, and frames other than the margins at both ends."""
    margin = round(EDGE_SECONDS * tracks.frame_rate)
    return tracks.frame_count > 2 * margin + 2 and len(ends.child) > 0


class _Search:
    """Search for slips in means of gaps over blocks of frames, (joints, means, 3), world axes."""

    def __init__(self, tracks: BodyTracks, ends: residuals.JointEnds, good: Booleans) -> None:
        self._length = max(1, round(MEAN_SECONDS * tracks.frame_rate))
        self._margin = round(EDGE_SECONDS * tracks.frame_rate / self._length)
        self._tracks, self._good = tracks, good & tracks.present
        self._bodies = np.stack([ends.child, ends.parent], axis=1)
        both = ends.shared_frames(self._good)
        # Means of the good frames in blocks where at least half are good; else 0.
        count = tracks.frame_count // self._length
        whole = slice(0, count * self._length)
        share = both[:, whole].reshape(-1, count, self._length).mean(axis=2)
        self._seen: Booleans = share >= 0.5
        kept = np.where(both[..., None], residuals.joint_gaps(tracks, ends), 0.0)[:, whole]
        means = kept.reshape(len(kept), count, self._length, 3).mean(axis=2)
        means /= np.maximum(share, 0.5)[..., None]
        self._gaps = np.where(self._seen[..., None], means, 0.0)
        middles = np.arange(self._gaps.shape[1]) * self._length + self._length // 2
        self._turns = quaternion.matrix_from_quaternion(
            np.swapaxes(tracks.rotations[..., middles], 1, 2)
        )
        # Statistic and jump of each slip, by body and frame.
        self.found: dict[tuple[int, int], tuple[float, Jump | None]] = {}

    def places(self) -> list[tuple[int, int]]:
        """Find all steps, and return the body and frame of those that are slips."""
        while len(self.found) < MAX_SLIPS and self.add_one():
            pass
        if len({body for body, _ in self.found}) > max(2, MAX_SLIPPED_SHARE * len(self._tracks)):
            return []
        return [place for place in self.found if self.is_no_skin(*place)]

    def squares(self) -> Floats:
        """Sums of each joint's squared gaps, with and without slips, m^2, shape (2, joints)."""
        self.found = {place: self.found[place] for place in self.places()}
        return np.stack(
            [np.sum(gaps**2, axis=(1, 2)) for gaps in (self._gaps, self._remaining_gaps())]
        )

    def add_one(self) -> bool:
        """Find the next step, and return whether there is one."""
        best = 0, 0, 0.0
        left, margin = self._remaining_gaps(), self._margin
        for body in np.unique(self._bodies).tolist():
            own, seen = self._body_gaps(left, body)
            # Mean statistic of another slip of the body; 0 near its known slips.
            curve = np.zeros(own.shape[1])
            for start, stop in self._periods(body):
                if stop - start > 2 * margin:
                    part = slice(start, stop)
                    curves = [_step_curve(one[part], there[part]) for one, there in zip(own, seen)]
                    curve[start + margin : stop - margin] = np.mean(curves, axis=0)[margin:-margin]
            mean = int(np.argmax(curve))
            if curve[mean] > best[2]:
                best = body, mean, float(curve[mean])
        if best[2] < MIN_STATISTIC:
            return False
        body, jump = self._slipped_body(best[0], best[1] * self._length)
        place = body, best[1] * self._length if jump is None else jump.frame
        if place in self.found:
            return False
        self.found[place] = best[2], jump
        return True

    def is_no_skin(self, body: int, frame: int) -> bool:
        """Whether the gaps around a slip are white noise, or the slip explains most of them."""
        own, seen = self._body_gaps(self._remaining_gaps(), body)
        alike = [residuals.repetition(gaps, there) for gaps, there in zip(own, seen)]
        if float(np.median(alike)) <= MAX_ALIKE:
            return True
        first, _, stop = self._period_of(body, frame)
        steps, before, after = self._steps(body, frame)
        weights = before * after / np.maximum(before + after, 1.0)
        explained = float(weights @ np.sum(steps**2, axis=1))
        whole = explained + float(np.sum(own[:, first:stop] ** 2))
        return explained > MIN_EXPLAINED_SHARE * whole

    def slip(self, body: int, frame: int) -> BodySlip:
        """Slip of a body at a frame, with its size."""
        statistic, jump = self.found[body, frame]
        return BodySlip(
            self._tracks.names[body],
            frame / self._tracks.frame_rate,
            float(self._tracks.frames[frame]),
            float(np.linalg.norm(self._steps(body, frame)[0], axis=1).max()),
            float("nan") if jump is None else float(np.degrees(np.linalg.norm(jump.turn))),
            statistic,
        )

    def _body_gaps(self, gaps: Floats, body: int) -> tuple[Floats, Booleans]:
        """Gaps of a body's joints in its axes, (its joints, means, 3), and a mask of seen gaps."""
        rows = (self._bodies == body).any(axis=1)
        return np.einsum("fji,nfj->nfi", self._turns[body], gaps[rows]), self._seen[rows]

    def _periods(self, body: int) -> list[tuple[int, int]]:
        """Periods between a body's slips, each (first mean, one past the last)."""
        slips = [round(frame / self._length) for other, frame in self.found if other == body]
        starts = sorted({0, *slips})
        return list(zip(starts, [*starts[1:], self._gaps.shape[1]]))

    def _period_of(self, body: int, frame: int) -> tuple[int, int, int]:
        """Start, slip and end of the period with this slip only, as indices of means."""
        mean = round(frame / self._length)
        (first, _), (_, stop) = (period for period in self._periods(body) if mean in period)
        return first, mean, stop

    def _remaining_gaps(self) -> Floats:
        """Gaps minus their means between a body's slips, which removes the known steps."""
        left = self._gaps.copy()
        for body in {body for body, _ in self.found}:
            own, seen = self._body_gaps(left, body)
            for start, stop in self._periods(body):
                count = np.maximum(seen[:, start:stop].sum(axis=1), 1)[:, None]
                own[:, start:stop] = (own[:, start:stop].sum(axis=1) / count)[:, None]
            taken = np.einsum("fij,nfj->nfi", self._turns[body], own)
            left[(self._bodies == body).any(axis=1)] -= np.where(seen[..., None], taken, 0.0)
        return left

    def _steps(self, body: int, frame: int) -> tuple[Floats, Integers, Integers]:
        """Steps of a body's joints at a slip, and the number of block means on each side of it."""
        own, seen = self._body_gaps(self._gaps, body)
        first, mean, stop = self._period_of(body, frame)
        before, after = seen[:, first:mean].sum(axis=1), seen[:, mean:stop].sum(axis=1)
        was = own[:, first:mean].sum(axis=1) / np.maximum(before, 1)[:, None]
        now = own[:, mean:stop].sum(axis=1) / np.maximum(after, 1)[:, None]
        return np.asarray(now - was), before, after

    def _slipped_body(self, body: int, frame: int) -> tuple[int, Jump | None]:
        """Slipped body: this one, or a neighbour whose track jumps while this one's is smooth."""
        own = (self._bodies == body).any(axis=1)
        for bodies in ([body], np.setdiff1d(self._bodies[own], [body]).tolist()):
            jumps = {
                one: distinct_jump(self._tracks, one, frame, self._good[one]) for one in bodies
            }
            found = [(one, jump) for one, jump in jumps.items() if jump is not None]
            if found:
                return max(found, key=lambda one: one[1].statistic)
        return body, None


def _step_curve(values: Floats, seen: Booleans) -> Floats:
    """Statistic of a step before every frame, (frames,): squared length over covariance.

    The long-run covariance is measured about the means before and after the largest step.
    """
    count = int(seen.sum())
    if count < MIN_MEANS:
        return np.zeros(len(values))
    rest = np.where(seen[:, None], values - values.sum(axis=0) / count, 0.0)
    before = np.cumsum(seen) - seen
    sums = np.cumsum(rest, axis=0) - rest
    weight = np.maximum(before * (count - before) / count, 1.0)
    frame = int(np.argmax(np.sum(sums**2, axis=1) / weight))
    for part in (slice(None, frame), slice(frame, None)):
        side = rest[part].sum(axis=0) / max(int(seen[part].sum()), 1)
        rest[part] = np.where(seen[part, None], rest[part] - side, 0.0)
    covariance = rest.T @ rest / count * residuals.repetition(rest, seen)
    covariance += MIN_DEVIATION_M**2 * np.eye(3)
    solved = np.linalg.solve(covariance, sums.T).T
    return np.asarray(np.sum(sums * solved, axis=1) / weight)


def _slipped_or_used(clip: BodyTracks, used: Booleans) -> Booleans:
    """Used frames, and frames that were left out at an end of the clip, before or after a slip."""
    wanted = used.copy()
    for row, (seen, kept) in enumerate(zip(clip.present, used)):
        frames = np.flatnonzero(seen)
        for inward in (frames, frames[::-1]):
            left_out = ~kept[inward]
            share = np.cumsum(left_out) / np.arange(1, len(inward) + 1)
            many = np.flatnonzero((share >= SLIPPED_SHARE) & left_out)
            if many.size and many[-1] + 1 >= SLIPPED_SECONDS * clip.frame_rate:
                wanted[row, inward[: many[-1] + 1]] = True
    return wanted


SIDE_SECONDS, MIN_SIDE_FRAMES = 0.25, 10
"""Length of track that is fitted on either side of a jump, and its minimum frame count."""
SEARCHED_SECONDS = 0.7
MIN_JUMP_STATISTIC = 36.0
"""Smallest statistic of a jump; noise alone gives about chi-squared with 3 degrees of freedom."""
POLYNOMIAL_DEGREE = 5
MIN_TURN_RAD = np.radians(0.02)
"""Lower bound for the standard deviation of a jump's rotation."""
MOMENT_ROUND_COUNT = 3


class Jump(NamedTuple):
    """Sudden rotation of a body between two frames.

    `frame`: first frame after the jump; `turn`, shape (3,): rotation vector in the body's axes
    before it, radians.
    """

    frame: int
    turn: Floats
    statistic: float


def distinct_jump(tracks: BodyTracks, body: int, frame: int, used: Booleans) -> Jump | None:
    """Most significant jump of a body near a frame; None if no jump exceeds the noise."""
    reach = round(SEARCHED_SECONDS * tracks.frame_rate)
    frames = range(max(1, frame - reach), min(tracks.frame_count, frame + reach + 1))
    jumps = [jump for one in frames if (jump := _jump(tracks, body, one, used)) is not None]
    best = max(jumps, key=lambda jump: jump.statistic, default=None)
    if best is None or best.statistic < MIN_JUMP_STATISTIC:
        return None
    for _ in range(MOMENT_ROUND_COUNT):
        best = _jump(tracks, body, best.frame, used, best.turn) or best
    return best


def _jump(
    tracks: BodyTracks, body: int, frame: int, used: Booleans, known: Floats | None = None
) -> Jump | None:
    """Jump right before a frame, near a known rotation; None if too few frames are seen."""
    side = max(round(SIDE_SECONDS * tracks.frame_rate), MIN_SIDE_FRAMES)
    frames = np.arange(max(0, frame - side), min(tracks.frame_count, frame + side))
    frames = frames[used[frames]]
    after = frames >= frame
    if min(int(after.sum()), int((~after).sum())) < MIN_SIDE_FRAMES - 2:
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
    smooth = time[:, None] ** np.arange(POLYNOMIAL_DEGREE + 1)
    design = np.concatenate([smooth, after[:, None]], axis=1)
    fitted = np.linalg.lstsq(design, angles, rcond=None)[0]
    rest = angles - design @ fitted
    noise = float(np.sum(rest**2)) / (3 * (len(angles) - design.shape[1]))
    variance = noise * float(np.linalg.inv(design.T @ design)[-1, -1]) + MIN_TURN_RAD**2
    turn = quaternion.rotation_vector_from_quaternion(
        quaternion.multiply(*map(quaternion.quaternion_from_rotation_vector, (fitted[-1], known)))
    )
    return Jump(frame, turn, float(turn @ turn / variance))
