"""When a sensor slipped on the body that carries it: which, when, how far and how turned.

A sensor that slips leaves a step in the gaps of its joints, constant in the sensor's own frame.
The place of such a step is where the sums of the gaps before and after differ most against chance
(a CUSUM statistic); its body is the one in whose frame, over all its joints, the step is largest,
or one joined to it whose own track jumps then. Joints are fitted again with the steps that were
found, and further ones are sought in what is left. The slip itself is the rigid change of the
sensor's frame that makes its joints before and after agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..arrays import Booleans, Floats, Integers
from ..findings import Finding
from .slip_change import SlipChange, slip_change
from .slip_curve import step_curve
from .slip_moment import Jump, distinct_jump
from .stepped_gaps import GapJoint, SteppedGaps, joints_with_gaps
from .tracks import BodyTracks

THRESHOLD = 30.0
"""Of the statistic, which for one moment is chi-squared of 3 degrees where nothing slipped; the
largest over a clip of 45 s is about 13 then, and 100 for a slip of 5 mm under 7 mm of noise."""
EDGE_SECONDS = 1.0
"""A slip nearer to an end of the clip cannot be told from noise."""


@dataclass(frozen=True)
class BodySlip:
    """One slip.

    Parameters
    ----------
    seconds : float
        After the first frame.
    frame : float
        The source's own number of the first frame after it.
    distance_m : float
        How far the sensor's origin moved on its body.
    angle_deg : float
        How far it turned; NaN where that is not known. The distance is then that of a small turn.
    statistic : float
        Of the step against chance; at least the threshold.
    change : SlipChange
        Of the sensor, by which what comes after it is put back.
    """

    body: str
    seconds: float
    frame: float
    distance_m: float
    angle_deg: float
    statistic: float
    change: SlipChange = field(repr=False)

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
        told = {name: value for name, value in self.__dict__.items() if name != "change"}
        return {**told, "angle_deg": self.angle_deg if known else None}


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
    child, parent : array of int, shape (joints,)
        Bodies of each joint.
    in_child, in_parent : array, shape (joints, 3)
        The joint in the bodies' own frames, metres.
    used : array of bool, shape (bodies, frames), optional
        Frames to look at; all in which a body was seen by default.

    Returns
    -------
    tuple of BodySlip
        In the order of time, ten at most.
    """
    margin = round(EDGE_SECONDS * tracks.frame_rate)
    if tracks.frame_count <= 2 * margin + 2 or not len(child):
        return ()
    good: Booleans = tracks.present.copy()
    if used is not None:
        good &= used
    joints = joints_with_gaps(tracks, child, parent, in_child, in_parent, good)
    search = _Search(tracks, joints, good, margin)
    while len(search.statistics) < MOST_SLIPS and search.add_one(threshold):
        pass
    search.drop_explained(threshold)
    slips = [search.slip(*place) for place in search.statistics]
    return tuple(sorted(slips, key=lambda slip: slip.seconds))


class _Search:
    """Slips that were found so far: statistic and jump of each, by its body and frame."""

    def __init__(
        self, tracks: BodyTracks, joints: Sequence[GapJoint], good: Booleans, margin: int
    ) -> None:
        self._tracks, self._joints, self._good, self._margin = tracks, joints, good, margin
        self._jumps: dict[tuple[int, int], Jump | None] = {}
        self._fits: dict[tuple[tuple[int, ...], ...], SteppedGaps] = {}
        self.statistics: dict[tuple[int, int], float] = {}

    def add_one(self, threshold: float) -> bool:
        """Look for the next slip; whether there is one."""
        steps = self._steps()
        body, frame, statistic = self._strongest(
            [self._fit(joint, steps) for joint in self._joints]
        )
        if statistic < threshold:
            return False
        frame = self._located(body, frame)
        body, jump = self._who(body, frame)
        frame = frame if jump is None else jump.frame
        if (body, frame) in self.statistics:
            return False
        self.statistics[body, frame], self._jumps[body, frame] = statistic, jump
        self._settle()
        return True

    def drop_explained(self, threshold: float) -> None:
        """Forget slips for which nothing speaks any more, now that the others are known."""
        while self.statistics:
            self.statistics = {place: self._statistic(*place) for place in self.statistics}
            weakest = min(self.statistics, key=lambda place: self.statistics[place])
            if self.statistics[weakest] >= threshold:
                break
            del self.statistics[weakest]

    def slip(self, body: int, frame: int) -> BodySlip:
        """One of them, with its size."""
        steps = self._steps()
        sides = [joint.sides(body, frame, steps) for joint in self._of(body)]
        change = slip_change(sides, self._jumps[body, frame])
        return BodySlip(
            self._tracks.names[body],
            frame / self._tracks.frame_rate,
            float(self._tracks.frames[frame]),
            change.distance_m,
            change.angle_deg,
            self.statistics[body, frame],
            change,
        )

    def _fit(self, joint: GapJoint, steps: dict[int, list[int]]) -> SteppedGaps:
        """A joint fitted with steps; what was fitted once is kept."""
        key = (joint.bodies, *(tuple(steps.get(body, ())) for body in joint.bodies))
        if key not in self._fits:
            self._fits[key] = joint.fitted(steps)
        return self._fits[key]

    def _of(self, body: int) -> list[GapJoint]:
        return [joint for joint in self._joints if body in joint.bodies]

    def _steps(self, *but: tuple[int, int]) -> dict[int, list[int]]:
        """Frames of the slips of each body, without some."""
        steps: dict[int, list[int]] = {}
        for body, frame in sorted(set(self.statistics) - set(but)):
            steps.setdefault(body, []).append(frame)
        return steps

    def _strongest(self, fits: Sequence[SteppedGaps]) -> tuple[int, int, float]:
        """Body, frame and statistic of the largest step that is left."""
        best = 0, 0, 0.0
        for body in sorted({body for joint in self._joints for body in joint.bodies}):
            own = [fit for fit, joint in zip(fits, self._joints) if body in joint.bodies]
            curves = [step_curve(*fit.seen_by(body), fit.times(), self._margin) for fit in own]
            total = np.mean(curves, axis=0)
            frame = int(np.argmax(total))
            if total[frame] > best[2]:
                best = body, frame, float(total[frame])
        return best

    def _located(self, body: int, frame: int, *without: tuple[int, int]) -> int:
        """The moment of a slip that is about at some frame.

        Joints that were fitted over a slip are bent towards hiding it: where a joint moves slowly,
        a step looks like a bit of its motion. So they are fitted again with the step in, the
        moment is sought in what is left, and so on until it stays.
        """
        for _ in range(ROUNDS):
            before, frame = frame, int(np.argmax(self._curve(body, frame, *without)))
            if frame == before:
                break
        return before

    def _statistic(self, body: int, frame: int) -> float:
        """What speaks for a slip beside the others: near it, as it is told to some frames only."""
        near = slice(max(frame - self._margin, 0), frame + self._margin + 1)
        return float(self._curve(body, frame)[near].max())

    def _curve(self, body: int, frame: int, *without: tuple[int, int]) -> Floats:
        """Statistic of a step with all other slips but some in the fit, shape (frames,)."""
        steps = self._steps(*without)
        steps[body] = sorted({*steps.get(body, []), frame})
        fits = [self._fit(joint, steps) for joint in self._of(body)]
        curves = [
            step_curve(*fit.seen_by(body, frame), fit.times(frame), self._margin) for fit in fits
        ]
        return np.asarray(np.mean(curves, axis=0))

    def _who(self, body: int, frame: int) -> tuple[int, Jump | None]:
        """The body that slipped: this one, unless its own track is smooth and another's jumps."""
        jump = distinct_jump(self._tracks, body, frame, self._good[body])
        if jump is not None:
            return body, jump
        others = {other for joint in self._of(body) for other in joint.bodies} - {body}
        jumps = [
            (other, distinct_jump(self._tracks, other, frame, self._good[other]))
            for other in sorted(others)
        ]
        found = [(other, jump) for other, jump in jumps if jump is not None]
        return max(found, key=lambda one: one[1].statistic) if found else (body, None)

    def _settle(self) -> None:
        """Look again for the moments of all slips without a jump, now that there is one more."""
        for body, frame in list(self.statistics):
            if self._jumps[body, frame] is not None:
                continue
            better = body, self._located(body, frame, (body, frame))
            if better not in self.statistics:
                self.statistics[better] = self.statistics.pop((body, frame))
                self._jumps[better] = self._jumps.pop((body, frame))


MOST_SLIPS = 10
ROUNDS = 5
