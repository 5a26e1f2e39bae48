"""Sensors that slipped on their body: which, when, how far; and tracks without the slips.

A slip leaves a step in the gaps of the sensor's joints, constant in its own coordinates, where the
sums of the gaps before and after differ most significantly (a CUSUM statistic). The body is the one
in whose coordinates, over all its joints, the step is largest, or one joined to it whose own track
jumps then. The slip is the rigid change of the sensor's frame that makes its joints agree before
and after. Everything is fitted again with slips undone, which may reveal smaller ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..base.findings import Finding
from ..geometry.arrays import Booleans, Floats
from ..geometry.quaternion import conjugate, multiply, rotated
from . import slip_steps
from .clips import frames_of
from .doubts import is_open
from .residuals import JointEnds, gap_covariance, joint_ends, repetition
from .result import BodyFit
from .robust import RobustFit
from .tracks import BodyTracks

THRESHOLD = 30.0
"""Of the statistic, which for one moment is chi-squared of 3 degrees where nothing slipped; the
largest over a clip of 45 s is about 13 then, and 100 for a slip of 5 mm under 7 mm of noise."""
MEAN_SECONDS = 0.1
"""Length of the means of frames in which steps are sought."""
MOST_ALIKE = 2.0
"""Number of neighbouring means that carry the same information, up to which gaps are white."""
MOST_SLIPPED = 0.2
"""Largest share of the bodies that slip in a clip: straps come loose one by one, so more steps than
that are skin that follows the motion."""
HALF = 0.5 * float(np.log(2.0))
"""Log ratio of gaps whose mean squares are as two to one."""
HELD_OUT_SECONDS = 0.5
"""Every other half second is held out in turn: both halves have frames on either side of a slip."""
EDGE_SECONDS = 1.0
"""Slips closer to an end of the clip cannot be separated from noise."""
MOST_SLIPS = 10
SEARCH_ROUNDS = 5
REMOVAL_ROUNDS = 3
SAME_SECONDS = 1.0
"""Slips found again this close to a known one are remainders of it, not slips of their own."""
SLIPPED_SHARE, SLIPPED_SECONDS = 0.9, 1.0
"""Least share of left-out frames at an end of a clip, and least duration."""
MEASURED = "measured"
Fit = Callable[[Sequence[BodyTracks]], RobustFit]


@dataclass(frozen=True)
class BodySlip:
    """One slip.

    `seconds`: after the first frame. `frame`: the source's own number of the first frame after it.
    `distance_m`: distance that the sensor's origin moved on its body. `angle_deg`: NaN if unknown;
    the distance then assumes a small rotation. `statistic`: significance of the step; at least the
    threshold. `held_out_gain`: log ratio of the gaps of frames that a fit had not seen, without the
    slip to with it; above 0 unless every step was asked for. `change`: of the sensor, to undo it.
    """

    body: str
    seconds: float
    frame: float
    distance_m: float
    angle_deg: float
    statistic: float
    held_out_gain: float
    change: slip_steps.SlipChange = field(repr=False)

    def finding(self, clip: str) -> Finding:
        """The slip as a finding."""
        size = f"{1000.0 * self.distance_m:.0f} mm"
        if np.isfinite(self.angle_deg):
            size += f" and {self.angle_deg:.1f} degrees"
        message = f"{self.body} slipped by about {size} at {self.seconds:.1f} s"
        return Finding("slip", message, self.body, clip, ((self.frame, self.frame),))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; an unknown angle is None."""
        known = np.isfinite(self.angle_deg)
        values = {name: value for name, value in self.__dict__.items() if name != "change"}
        return {**values, "angle_deg": self.angle_deg if known else None}


def find_slips(
    tracks: BodyTracks, ends: JointEnds, used: Booleans | None = None, mode: str = "auto"
) -> tuple[BodySlip, ...]:
    """Find slips in the gaps of fitted joints.

    Slips come in order of time, at most ten; none if a fifth of the bodies seem to slip, as where
    skin slides. `used`, shape (bodies, frames): frames to search; by default all in which a body
    was seen. `mode`: "on" for every step that stands out.
    """
    margin = round(EDGE_SECONDS * tracks.frame_rate)
    if tracks.frame_count <= 2 * margin + 2 or not len(ends.child):
        return ()
    good: Booleans = tracks.present if used is None else tracks.present & used
    search = _Search(tracks, ends, good)
    while len(search.statistics) < MOST_SLIPS and search.add_one():
        pass
    search.drop_explained()
    if mode != "on":
        search.drop_unconfirmed()
    slipped = {body for body, _ in search.statistics}
    if mode != "on" and len(slipped) > max(2, MOST_SLIPPED * len(tracks)):
        return ()
    slips = [search.slip(*place) for place in search.statistics]
    return tuple(sorted(slips, key=lambda slip: slip.seconds))


class _Search:
    """Slips found so far: statistic and jump of each, by body and frame.

    Steps are sought in means of neighbouring frames, jumps in the frames themselves.
    """

    def __init__(self, tracks: BodyTracks, ends: JointEnds, good: Booleans) -> None:
        self._length = max(1, round(MEAN_SECONDS * tracks.frame_rate))
        self._joints = slip_steps.joints_with_gaps(tracks, ends, good, self._length)
        self._margin = round(EDGE_SECONDS * tracks.frame_rate / self._length)
        self._tracks, self._good = tracks, good
        self._jumps: dict[tuple[int, int], slip_steps.Jump | None] = {}
        self._fits: dict[tuple[tuple[int, ...], ...], slip_steps.SteppedGaps] = {}
        self.statistics: dict[tuple[int, int], float] = {}

    def add_one(self) -> bool:
        """Find the next slip; return whether there is one."""
        body, frame, statistic = self._strongest()
        if statistic < THRESHOLD:
            return False
        frame = self._located(body, frame)
        body, jump = self._slipped_body(body, frame)
        frame = frame if jump is None else jump.frame
        if (body, frame) in self.statistics:
            return False
        self.statistics[body, frame], self._jumps[body, frame] = statistic, jump
        self._settle()
        return True

    def drop_explained(self) -> None:
        """Drop slips that are no longer significant now that the others are known."""
        while self.statistics:
            self.statistics = {place: self._statistic(*place) for place in self.statistics}
            weakest = min(self.statistics, key=lambda place: self.statistics[place])
            if self.statistics[weakest] >= THRESHOLD:
                break
            del self.statistics[weakest]

    def drop_unconfirmed(self) -> None:
        """Drop slips without which the gaps of held-out frames are no wider.

        Skin that follows a posture leaves steps, too. So where gaps are not white, a slip must
        explain half of their mean square.
        """
        fits = self._fitted(self._steps())
        self.statistics = {
            (body, frame): value
            for (body, frame), value in self.statistics.items()
            if self._gain(body, frame) > (0.0 if _are_white(fits, body) else HALF)
        }

    def _gain(self, body: int, frame: int) -> float:
        """Log ratio of the mean gap of held-out frames without a slip to that with it."""
        period = max(1, round(HELD_OUT_SECONDS * self._tracks.frame_rate / self._length))
        without, with_it = (
            sum(joint.held_out(steps, period) for joint in self._of(body))
            for steps in (self._steps((body, frame)), self._steps())
        )
        return 0.5 * float(np.log(without / max(with_it, 1e-300)))

    def slip(self, body: int, frame: int) -> BodySlip:
        """One of the slips, with its size."""
        steps = self._steps()
        mean = self._mean_of(frame)
        sides = [joint.sides(body, mean, steps) for joint in self._of(body)]
        change = slip_steps.slip_change(sides, self._jumps[body, frame])
        return BodySlip(
            self._tracks.names[body],
            frame / self._tracks.frame_rate,
            float(self._tracks.frames[frame]),
            change.distance_m,
            change.angle_deg,
            self.statistics[body, frame],
            self._gain(body, frame),
            change,
        )

    def _fitted(self, steps: dict[int, list[int]]) -> list[slip_steps.SteppedGaps]:
        """All joints fitted with steps; fits are cached."""
        found = []
        for joint in self._joints:
            key = (joint.bodies, *(tuple(steps.get(body, ())) for body in joint.bodies))
            if key not in self._fits:
                self._fits[key] = joint.fitted(steps)
            found.append(self._fits[key])
        return found

    def _of(self, body: int) -> list[slip_steps.GapJoint]:
        return [joint for joint in self._joints if body in joint.bodies]

    def _steps(self, *but: tuple[int, int]) -> dict[int, list[int]]:
        """First means after the slips of each body, except some."""
        steps: dict[int, list[int]] = {}
        for body, frame in sorted(set(self.statistics) - set(but)):
            steps.setdefault(body, []).append(self._mean_of(frame))
        return steps

    def _mean_of(self, frame: int) -> int:
        """The mean that begins nearest to a frame."""
        return round(frame / self._length)

    def _strongest(self) -> tuple[int, int, float]:
        """Body, frame and statistic of the largest remaining step."""
        fits, best = self._fitted(self._steps()), (0, 0, 0.0)
        for body in sorted({body for joint in self._joints for body in joint.bodies}):
            total = self._curve(fits, body)
            frame = int(np.argmax(total))
            if total[frame] > best[2]:
                best = body, frame, float(total[frame])
        return best[0], best[1] * self._length, best[2]

    def _located(self, body: int, frame: int, *without: tuple[int, int]) -> int:
        """The moment of a slip near a frame.

        Joints that were fitted over a slip partly hide it. So they are fitted again with the step,
        the moment is sought in the residuals, and so on until it stays.
        """
        for _ in range(SEARCH_ROUNDS):
            before, mean = frame, self._mean_of(frame)
            fits = self._fits_with(body, mean, *without)
            curves = [self._curve(fits, body, mean)]
            if _are_white(fits, body):
                curves.append(self._curve_alike(fits, body, mean))
            frame = self._length * int(np.argmax(max(curves, key=np.max)))
            if frame == before:
                break
        return before

    def _fits_with(
        self, body: int, mean: int, *but: tuple[int, int]
    ) -> list[slip_steps.SteppedGaps]:
        """All joints with the steps, except some, and one more."""
        steps = self._steps(*but)
        steps[body] = sorted({*steps.get(body, []), mean})
        return self._fitted(steps)

    def _statistic(self, body: int, frame: int) -> float:
        """Significance of a slip besides the others, near it, as its frame is uncertain."""
        mean = self._mean_of(frame)
        near = slice(max(mean - self._margin, 0), mean + self._margin + 1)
        return float(self._curve(self._fits_with(body, mean), body, mean)[near].max())

    def _curve(self, fits: Sequence[slip_steps.SteppedGaps], body: int, *mean: int) -> Floats:
        """Statistic of a slip, of the one that the fits have at a mean if given, (means,)."""
        own = [fit for fit in fits if body in fit.joint.bodies]
        curves = [
            slip_steps.step_curve(*fit.seen_by(body, *mean), fit.times(*mean), self._margin)
            for fit in own
        ]
        return np.asarray(np.mean(curves, axis=0))

    def _curve_alike(self, fits: Sequence[slip_steps.SteppedGaps], body: int, mean: int) -> Floats:
        """The same for a step that is the same in all joints of a body.

        The gaps of all other joints, by their covariance, show a part of the noise beside it.
        """
        left = np.stack([fit.left for fit in fits])
        seen = np.stack([fit.joint.seen for fit in fits])
        covariance = gap_covariance(left, seen, seen.sum(axis=1).tolist())
        own = [row for row, fit in enumerate(fits) if body in fit.joint.bodies]
        for row in own:
            left[row] = fits[row].with_step(body, mean)
        covariance += slip_steps.LEAST_DEVIATION_M**2 * np.eye(len(fits))
        pulls = np.tensordot(np.linalg.inv(covariance)[own], left, 1)
        values = sum(fits[row].joint.in_axes_of(body, one) for row, one in zip(own, pulls))
        times = sorted({start for row in own for start in fits[row].times(mean)})
        return slip_steps.step_curve(np.asarray(values), seen[own].any(axis=0), times, self._margin)

    def _slipped_body(self, body: int, frame: int) -> tuple[int, slip_steps.Jump | None]:
        """Body that slipped: this one, unless its own track is smooth and another's jumps."""
        tracks, good = self._tracks, self._good
        jump = slip_steps.distinct_jump(tracks, body, frame, good[body])
        if jump is not None:
            return body, jump
        others = {other for joint in self._of(body) for other in joint.bodies} - {body}
        jumps = [
            (one, slip_steps.distinct_jump(tracks, one, frame, good[one])) for one in sorted(others)
        ]
        found = [(other, jump) for other, jump in jumps if jump is not None]
        return max(found, key=lambda one: one[1].statistic) if found else (body, None)

    def _settle(self) -> None:
        """Locate all slips without a jump again, now that there is one more."""
        for body, frame in list(self.statistics):
            if self._jumps[body, frame] is not None:
                continue
            better = body, self._located(body, frame, (body, frame))
            if better not in self.statistics:
                self.statistics[better] = self.statistics.pop((body, frame))
                self._jumps[better] = self._jumps.pop((body, frame))


def _are_white(fits: Sequence[slip_steps.SteppedGaps], body: int) -> bool:
    """Whether the means of a body's gaps, besides its slips, are independent of each other."""
    alike = [repetition(*fit.seen_by(body)) for fit in fits if body in fit.joint.bodies]
    return float(np.median(alike)) <= MOST_ALIKE


Slips = tuple[tuple[BodySlip, ...], ...]


def fit_without_slips(fitted: RobustFit, fit: Fit) -> tuple[RobustFit, Slips]:
    """Fit again with slips removed, until there are none.

    Returns the fit, with slips removed from its clips, and the slips of each clip in order of time.
    """
    slips: Slips = ((),) * len(fitted.clips)
    forced = fitted.whole.options.find_slips == "on"
    for _ in range(REMOVAL_ROUNDS):
        found = _found(fitted)
        if not any(found):
            break
        without = fit([slips_removed(*pair) for pair in zip(fitted.clips, found)])
        placed = found if forced else _on_placed(found, without.whole)
        if not any(placed):
            break
        if placed != found:
            found = placed
            without = fit([slips_removed(*pair) for pair in zip(fitted.clips, found)])
        slips = tuple(_joined(*pair, fitted.whole) for pair in zip(slips, found))
        both = tuple(old + new for old, new in zip(fitted.swaps, without.swaps))
        fitted = replace(without, swaps=both)
    return fitted, slips


def _on_placed(found: Slips, without: BodyFit) -> Slips:
    """Slips of bodies with a joint that has a place once the slips are removed.

    Where none has, a joint in a wrong place leaves steps, too.
    """
    placed = {
        without.names[body]
        for joint in without.joints
        if not is_open(joint)
        for body in (joint.child, joint.parent)
    }
    return tuple(tuple(slip for slip in slips if slip.body in placed) for slips in found)


def slips_removed(tracks: BodyTracks, slips: Sequence[BodySlip]) -> BodyTracks:
    """Tracks with sensors in place as before each slip; `slips`: found in them, by time."""
    if not slips:
        return tracks
    positions, rotations = tracks.positions.copy(), tracks.rotations.copy()
    # The last slip of a body first, as each is given in the sensor's axes before it.
    for slip in reversed(slips):
        body, after = tracks.index(slip.body), tracks.frames >= slip.frame
        turns = multiply(rotations[body].T[after], conjugate(slip.change.turn))
        positions[body, after] -= rotated(turns, slip.change.shift)
        rotations[body][:, after] = turns.T
    return replace(tracks, positions=positions, rotations=rotations)


def as_measured(fit: BodyFit) -> BodyTracks:
    """The tracks of a fit with their slips still in them."""
    measured = fit.extra.get(MEASURED, fit.tracks)
    assert isinstance(measured, BodyTracks)
    return measured


def _found(fitted: RobustFit) -> Slips:
    if not fitted.whole.joints:
        return ((),) * len(fitted.clips)
    ends, mode = joint_ends(fitted.whole), fitted.whole.options.find_slips
    return tuple(
        find_slips(clip, ends, _slipped_or_used(clip, fitted.whole.used[:, part]), mode)
        for clip, part in zip(fitted.clips, frames_of(fitted.clips))
    )


def _slipped_or_used(clip: BodyTracks, used: Booleans) -> Booleans:
    """Frames in which to look for slips: those used, and those left out at an end of the clip.

    After a large slip near the end, or before one near the start, no frame fits the other joints.
    """
    wanted = used.copy()
    for row, (seen, kept) in enumerate(zip(clip.present, used)):
        frames = np.flatnonzero(seen)
        for way in (frames, frames[::-1]):
            left_out = np.cumsum(~kept[way[::-1]])
            share = left_out / np.arange(1, len(way) + 1)
            many = np.flatnonzero((share >= SLIPPED_SHARE) & ~kept[way[::-1]])
            if many.size and many[-1] + 1 >= SLIPPED_SECONDS * clip.frame_rate:
                wanted[row, way[::-1][: many[-1] + 1]] = True
    return wanted


def _joined(
    known: Sequence[BodySlip], found: Sequence[BodySlip], whole: BodyFit
) -> tuple[BodySlip, ...]:
    """All slips in order of time, without remainders of known ones."""
    new = [slip for slip in found if not any(_is_rest(slip, one, whole) for one in known)]
    return tuple(sorted((*known, *new), key=lambda slip: slip.seconds))


def _is_rest(slip: BodySlip, known: BodySlip, whole: BodyFit) -> bool:
    if abs(slip.seconds - known.seconds) > SAME_SECONDS:
        return False
    one, other = (whole.tracks.index(name) for name in (slip.body, known.body))
    return one == other or whole.parents[one] == other or whole.parents[other] == one
