"""Chart of a slip: a joint's gap along the direction of the slip, in the body's own coordinates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base import shortened
from ...geometry import Booleans, Floats, conjugate, rotated
from ...skeleton_fit import BodyFit, BodySlip, as_measured, joint_ends, joint_gaps
from .document import Html, element, picture
from .gap_charts import (
    GapColumns,
    gap_columns,
    runs,
    used_together,
)

COLUMNS = 480
WIDTH, STRIP, TOP, BOTTOM = 1104.0, 92.0, 8.0, 24.0
LEFT, RIGHT = 168.0, 1000.0
_LONGEST_NAME = 22
ROOM = 1.3
"""Extent of the scale, as a multiple of the 99th percentile of the gaps."""


@dataclass(frozen=True, eq=False)
class SlipStep:
    """Evidence for a slip.

    Parameters
    ----------
    joint : int
        Index in ``fit.joints`` of the body's joint that shows the slip most.
    along_mm : array, shape (frames,)
        Its gap in the body's own coordinates, along the slip; NaN where it was not used.
    before_mm, after_mm : float
        Means before and after.
    first, at, stop : int
        Frames between which the body slips only once, and the first frame after the slip.
    """

    joint: int
    along_mm: Floats
    before_mm: float
    after_mm: float
    first: int
    at: int
    stop: int


def slip_step(fit: BodyFit, slip: BodySlip) -> SlipStep:
    """Gaps of a body in its own coordinates, around a slip.

    Parameters
    ----------
    slip : BodySlip
        One of its slips.
    """
    body = fit.tracks.index(slip.body)
    first, at, stop = _between(fit, slip)
    child, parent, _, _ = joint_ends(fit)
    gaps = np.where(
        used_together(fit)[..., None], joint_gaps(as_measured(fit), *joint_ends(fit)), np.nan
    )
    back = conjugate(as_measured(fit).rotations[body].T)
    best: tuple[float, int, Floats, Floats] | None = None
    for joint in np.flatnonzero((child == body) | (parent == body)).tolist():
        own = 1000.0 * rotated(back, gaps[joint])
        jump = _mean(own[at:stop]) - _mean(own[first:at])
        size = float(np.linalg.norm(jump))
        if best is None or size > best[0]:
            best = size, joint, own, jump / max(size, 1e-12)
    assert best is not None  # only bodies with joints are searched for slips
    along = np.asarray(best[2] @ best[3])
    before, after = _mean(along[first:at, None]), _mean(along[at:stop, None])
    return SlipStep(best[1], along, float(before[0]), float(after[0]), first, at, stop)


def _between(fit: BodyFit, slip: BodySlip) -> tuple[int, int, int]:
    """First frame, frame of the slip, and end of the time in which the body slips only once."""
    numbers = fit.tracks.frames
    times = [int(np.searchsorted(numbers, s.frame)) for s in fit.slips if s.body == slip.body]
    at = int(np.searchsorted(numbers, slip.frame))
    first = max((time for time in times if time < at), default=0)
    return first, at, min((time for time in times if time > at), default=len(numbers))


def _mean(values: Floats) -> Floats:
    """Mean of the finite rows; 0 without any."""
    seen = values[np.isfinite(values).all(axis=1)]
    return np.asarray(seen.mean(axis=0)) if len(seen) else np.zeros(values.shape[1])


def slip_chart(fit: BodyFit, slip: BodySlip) -> Html:
    """Picture of the step: gaps, their means before and after, and the moment of the slip."""
    step = slip_step(fit, slip)
    half = ROOM * max(float(np.nanpercentile(np.abs(step.along_mm), 99.0)), 1e-6)
    place = _Place(fit.tracks.frame_count, half)
    joint = fit.joints[step.joint]
    other = fit.names[joint.parent if fit.names[joint.child] == slip.body else joint.child]
    name = f"Gap of {slip.body} to {other} along the slip at {slip.seconds:.1f} s"
    ground = element("rect", x=LEFT, y=TOP, width=RIGHT - LEFT, height=STRIP, class_="ground")
    parts = ground, *_step(step, place), *_words(step, place, slip, other)
    return picture(name, WIDTH, TOP + STRIP + BOTTOM, *parts, kind="gaps")


def _step(step: SlipStep, place: _Place) -> list[Html]:
    """Gaps, their means before and after, and the moment of the slip."""
    seen: Booleans = np.isfinite(step.along_mm)
    columns = gap_columns(step.along_mm, seen, COLUMNS)
    moment = f"M{place.x(step.at):.1f} {TOP:.1f}v{STRIP:.1f}"
    return [
        _band(columns, place),
        _middles(columns, place),
        _level(place, step.before_mm, step.first, step.at),
        _level(place, step.after_mm, step.at, step.stop),
        element("path", d=moment, class_="slip"),
    ]


def _words(step: SlipStep, place: _Place, slip: BodySlip, other: str) -> list[Html]:
    x, middle, below = LEFT - 12.0, TOP + 0.5 * STRIP, TOP + STRIP + BOTTOM - 8.0
    return [
        _text(shortened(slip.body, _LONGEST_NAME), x, middle - 3.0, "end strong"),
        _text(f"to {shortened(other, _LONGEST_NAME - 3)}", x, middle + 14.0, "end"),
        _text(_signed(step.before_mm), place.x(step.first) + 4.0, below, "quiet"),
        _text(_signed(step.after_mm), place.x(step.stop) - 4.0, below, "end quiet"),
        _text(f"{slip.seconds:.1f} s", place.x(step.at), below, "middle strong"),
    ]


@dataclass(frozen=True)
class _Place:
    """Mapping of frames and signed millimetres to the picture."""

    frames: int
    half_mm: float

    def x(self, frame: float) -> float:
        return LEFT + (RIGHT - LEFT) * frame / self.frames

    def y(self, gap_mm: float) -> float:
        share = min(max(gap_mm / self.half_mm, -1.0), 1.0)
        return TOP + 0.5 * STRIP * (1.0 - share)


def _signed(gap_mm: float) -> str:
    return f"{round(gap_mm, 1) + 0.0:+.1f} mm".replace("-", "−")


def _text(words: str, x: float, y: float, kind: str) -> Html:
    return element("text", words, x=x, y=y, class_=kind)


def _band(columns: GapColumns, place: _Place) -> Html:
    """Band from the smallest to the largest gap of every column."""
    count = len(columns.least)
    pieces = []
    for number in np.flatnonzero(np.isfinite(columns.least)).tolist():
        x = place.x((number + 0.5) * place.frames / count)
        low, high = place.y(float(columns.least[number])), place.y(float(columns.most[number]))
        pieces.append(f"M{x:.1f} {low:.1f}V{min(high, low - 1.0):.1f}")
    return element("path", d="".join(pieces), class_="spread")


def _middles(columns: GapColumns, place: _Place) -> Html:
    """Line through the middles of the columns, which is exact where each has one frame."""
    middle, count = 0.5 * (columns.least + columns.most), len(columns.least)
    x = [place.x((number + 0.5) * place.frames / count) for number in range(count)]
    pieces = []
    for run in runs(middle):
        y = [place.y(float(gap)) for gap in middle[run]]
        pieces.append(f"M{'L'.join(f'{u:.1f} {v:.1f}' for u, v in zip(x[run], y))}")
    return element("path", d="".join(pieces), class_="thin")


def _level(place: _Place, mean_mm: float, first: int, stop: int) -> Html:
    y = place.y(mean_mm)
    across = f"M{place.x(first):.1f} {y:.1f}H{place.x(stop):.1f}"
    return element("path", d=across, class_="level")
