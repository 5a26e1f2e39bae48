"""When a sensor slipped on the body that carries it: which, when, how far and how turned.

A sensor that slips leaves a step in the gaps of its joints, constant in the sensor's own frame.
The place of such a step is where the sums of the gaps before and after differ most against chance
(a CUSUM statistic); its body is the one in whose frame, over all its joints, the step is largest.
The gaps come from joints that were fitted over the slip and so share it out; once the moment is
known, the slip itself is the rigid change of the sensor's frame that makes the joints before and
after agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays import Booleans, Floats, Integers
from ..findings import Finding
from ..rotation import conjugate, quaternion_from_matrix, rotated
from ..rotation import rotation_vector_from_quaternion as rotation_vector
from .residuals import joint_gaps, repetition
from .slip_place import located
from .tracks import BodyTracks

THRESHOLD = 30.0
"""Of the statistic, which for one moment is chi-squared of 3 degrees where nothing slipped; the
largest over a clip of 45 s is about 13 then, and 100 for a slip of 5 mm under 7 mm of noise."""
LEAST_DEVIATION_M = 5e-4
"""Of a gap, taken for granted: exact data have steps of a few micrometres, as files round them."""
EDGE_SECONDS = 1.0
"""A slip nearer to an end of the clip cannot be told from noise."""


@dataclass(frozen=True)
class BodySlip:
    """One slip.

    Parameters
    ----------
    body : str
    seconds : float
        After the first frame.
    frame : float
        The source's own number of the first frame after it.
    distance_m : float
        How far the sensor moved on its body; of a body with a single joint, how far the joint
        moved in the sensor's frame, which is less than the truth where the sensor turned.
    angle_deg : float
        How far it turned; NaN for a body with fewer than three joints, where no turn shows.
    statistic : float
        Of the step against chance; at least the threshold.
    """

    body: str
    seconds: float
    frame: float
    distance_m: float
    angle_deg: float
    statistic: float

    def finding(self, clip: str) -> Finding:
        """The same for people."""
        size = f"{1000.0 * self.distance_m:.0f} mm"
        if np.isfinite(self.angle_deg):
            size += f" and {self.angle_deg:.1f} degrees"
        message = f"{self.body} slipped by about {size} at {self.seconds:.1f} s"
        return Finding("slip", message, self.body, clip, ((self.frame, self.frame),))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; an unknown angle is None."""
        known = np.isfinite(self.angle_deg)
        return {**self.__dict__, "angle_deg": self.angle_deg if known else None}


@dataclass
class _Steps:
    """Gaps of all joints in the frames of the bodies at both ends, as long as slips are sought.

    ``owner[row]`` is the body in whose frame ``values[row]`` stands, shape (rows, frames, 3);
    ``joint[row]`` tells which joint's gap it is.
    """

    owner: Integers
    joint: Integers
    values: Floats
    seen: Booleans


def find_slips(
    tracks: BodyTracks,
    child: Integers,
    parent: Integers,
    in_child: Floats,
    in_parent: Floats,
    used: Booleans | None = None,
    threshold: float = THRESHOLD,
) -> tuple[BodySlip, ...]:
    """Find slips in the gaps of fitted joints.

    Parameters
    ----------
    tracks : BodyTracks
    child, parent : array of int, shape (joints,)
        Bodies of each joint.
    in_child, in_parent : array, shape (joints, 3)
        The joint in the bodies' own frames, metres.
    used : array of bool, shape (bodies, frames), optional
        Frames to look at; all in which a body was seen by default.
    threshold : float

    Returns
    -------
    tuple of BodySlip
        In the order of time, ten at most.
    """
    child, parent = np.asarray(child, np.int64), np.asarray(parent, np.int64)
    gaps = joint_gaps(tracks, child, parent, in_child, in_parent)
    good: Booleans = tracks.present.copy()
    if used is not None:
        good &= used
    gaps = np.where((good[child] & good[parent])[..., None], gaps, np.nan)
    centres = np.concatenate([in_child, in_parent])
    found: list[BodySlip] = []
    for _ in range(MOST_SLIPS):
        steps = _in_own_frames(tracks, child, parent, gaps)
        best = _strongest(tracks, steps)
        if best is None or best[2] < threshold:
            break
        body, frame, statistic = best
        rows = np.flatnonzero(steps.owner == body)
        joints = steps.joint[rows]
        others = np.where(child[joints] == body, parent[joints], child[joints])
        sign = np.where(child[joints] == body, 1.0, -1.0)[:, None, None]
        frame, jumps = located(
            tracks, body, others.tolist(), sign * gaps[joints], frame, _curve, _margin(tracks)
        )
        found.append(_slip(tracks, body, frame, statistic, centres[rows], jumps))
        _take_out(tracks, gaps, body, frame, joints, jumps, child)
    return tuple(sorted(found, key=lambda slip: slip.seconds))


MOST_SLIPS = 10


def _in_own_frames(tracks: BodyTracks, child: Integers, parent: Integers, gaps: Floats) -> _Steps:
    owner = np.concatenate([child, parent])
    joint = np.tile(np.arange(len(child)), 2)
    values = np.stack(
        [
            rotated(conjugate(tracks.rotations[body].T), gaps[row] * sign)
            for body, row, sign in zip(owner, joint, np.repeat([1.0, -1.0], len(child)))
        ]
    )
    seen = np.asarray(np.isfinite(values).all(axis=2), dtype=bool)
    return _Steps(owner, joint, np.where(seen[..., None], values, 0.0), seen)


def _margin(tracks: BodyTracks) -> int:
    """Frames at either end in which no slip is sought."""
    return round(EDGE_SECONDS * tracks.frame_rate)


def _strongest(tracks: BodyTracks, steps: _Steps) -> tuple[int, int, float] | None:
    """Body, frame and statistic of the largest step; None where there is nothing to look at."""
    margin = _margin(tracks)
    if tracks.frame_count <= 2 * margin + 2 or not len(steps.owner):
        return None
    curves = np.stack([_curve(v, s) for v, s in zip(steps.values, steps.seen)])
    best: tuple[int, int, float] | None = None
    for body in np.unique(steps.owner):
        curve = curves[steps.owner == body].mean(axis=0)[margin:-margin]
        frame = int(np.argmax(curve))
        if best is None or curve[frame] > best[2]:
            best = int(body), frame + margin, float(curve[frame])
    return best


def _curve(values: Floats, seen: Booleans) -> Floats:
    """Statistic of a step before every frame, shape (frames,).

    The step's squared length over its covariance if nothing slipped. Gaps of neighbouring frames
    are alike where skin slides or a joint does not quite fit, so that the covariance is that of
    sums (the long-run one), about the two means on the sides of the largest step.
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


def _take_out(
    tracks: BodyTracks,
    gaps: Floats,
    body: int,
    frame: int,
    joints: Integers,
    jumps: Floats,
    child: Integers,
) -> None:
    """Remove a slip from the gaps of the body's joints, both halves about their common mean."""
    turn = tracks.rotations[body].T
    share = frame / tracks.frame_count
    for joint, jump in zip(joints, jumps):
        sign = 1.0 if child[joint] == body else -1.0
        gaps[joint, frame:] -= sign * share * rotated(turn[frame:], jump)
        gaps[joint, :frame] += sign * (1.0 - share) * rotated(turn[:frame], jump)


def _slip(
    tracks: BodyTracks, body: int, frame: int, statistic: float, centres: Floats, jumps: Floats
) -> BodySlip:
    """Size of a slip from how far each joint moved in the sensor's frame."""
    distance, angle = _rigid_change(centres, jumps)
    return BodySlip(
        tracks.names[body],
        frame / tracks.frame_rate,
        float(tracks.frames[frame]),
        distance,
        angle,
        statistic,
    )


def _rigid_change(centres: Floats, jumps: Floats) -> tuple[float, float]:
    """Shift and turn of a sensor whose joints went from `centres` to `centres` less `jumps`.

    Rigid alignment as Kabsch has it; fewer than three joints leave the turn open.
    """
    if len(centres) < 3:
        return float(np.linalg.norm(jumps, axis=1).mean()), float("nan")
    after = centres - jumps
    left, _, right = np.linalg.svd(
        (after - after.mean(axis=0)).T @ (centres - centres.mean(axis=0))
    )
    sign = np.sign(np.linalg.det(right.T @ left.T))
    matrix = right.T @ np.diag([1.0, 1.0, sign]) @ left.T
    turn = quaternion_from_matrix(matrix)
    shift = centres.mean(axis=0) - rotated(turn, after.mean(axis=0))
    angle = np.degrees(np.linalg.norm(rotation_vector(turn)))
    return float(np.linalg.norm(shift)), float(angle)
