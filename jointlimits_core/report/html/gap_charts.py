"""Charts of joint gaps: every joint over time with a histogram, and the step that a slip leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.text import plural, shortened
from ...geometry.arrays import Booleans, Floats, runs
from ...geometry.quaternion import conjugate, rotated
from ...skeleton_fit.residuals import gap_lengths, joint_ends, joint_gaps
from ...skeleton_fit.result import BodyFit
from ...skeleton_fit.slips import BodySlip
from ..figures.space import step_for, ticks_within
from .document import Html, element, joined, picture, wide

SHOWN_SHARE = 99.5
"""Percentile of all used gaps up to which gaps are drawn; few are far wider."""
_ROUND = np.array([1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0])


def gaps_m(fit: BodyFit) -> Floats:
    """Length of every joint's gap.

    The result has shape (joints, frames): metres; NaN where one of the two bodies was not seen.
    """
    return gap_lengths(fit.tracks, joint_ends(fit))


def used_together(fit: BodyFit) -> Booleans:
    """Frames in which both bodies of a joint were used, shape (joints, frames)."""
    ends = joint_ends(fit)
    return np.asarray(fit.used[ends.child] & fit.used[ends.parent])


@dataclass(frozen=True, eq=False)
class GapColumns:
    """The gap of one joint in columns of neighbouring frames."""

    least: Floats
    most: Floats
    typical: Floats
    """Smallest, largest and rms gap of the used frames, millimetres, shape (columns,); NaN if there
    are none."""
    left_out: Booleans
    """Whether the column has frames that were seen but not used, shape (columns,)."""


def gap_columns(gaps_mm: Floats, used: Booleans, columns: int) -> GapColumns:
    """Summarise frames in at most so many columns.

    Gaps and whether they were used have shape (frames,); a gap is NaN where there is none.
    """
    count = min(len(gaps_mm), columns)
    starts = np.arange(count) * len(gaps_mm) // count
    seen: Booleans = np.isfinite(gaps_mm)
    good: Booleans = seen & used
    frames = np.add.reduceat(good.astype(np.int64), starts)
    least = np.minimum.reduceat(np.where(good, gaps_mm, np.inf), starts)
    most = np.maximum.reduceat(np.where(good, gaps_mm, -np.inf), starts)
    squares = np.add.reduceat(np.where(good, gaps_mm, 0.0) ** 2, starts)
    empty: Booleans = np.asarray(frames == 0)
    return GapColumns(
        np.where(empty, np.nan, least),
        np.where(empty, np.nan, most),
        np.where(empty, np.nan, np.sqrt(squares / np.maximum(frames, 1))),
        np.asarray(np.add.reduceat((seen & ~used).astype(np.int64), starts) > 0),
    )


def _known(values: Floats) -> list[slice]:
    """Runs of neighbouring columns with values."""
    return [slice(*run) for run in runs(np.isfinite(values))]


def shown_up_to_mm(fits: Sequence[BodyFit]) -> float:
    """Largest gap drawn, above 0: a round number of millimetres for all clips of a skeleton."""
    parts = [(1000.0 * gaps_m(fit), used_together(fit)) for fit in fits if fit.joints]
    values = [gaps_mm[np.isfinite(gaps_mm) & used] for gaps_mm, used in parts]
    together = np.concatenate(values) if values else np.zeros(0)
    top = float(np.percentile(together, SHOWN_SHARE)) if together.size else 0.0
    if top <= 0.0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(top))
    return float(power * _ROUND[np.searchsorted(_ROUND, top / power * (1.0 - 1e-9))])


MOST_JOINTS = 40
"""Most strips of one chart; joints with the narrowest gaps are left out."""
COLUMNS = 480
BINS = 20
WIDTH, TOP, ROW, STRIP, BOTTOM = 1104.0, 24.0, 46.0, 38.0, 40.0
LEFT, RIGHT = 168.0, 850.0
HISTOGRAM = (880.0, 1000.0)
_LONGEST_NAME = 22
_MOST_TICKS = 12


@dataclass(frozen=True)
class _Strip:
    """Frames and millimetres in one strip of a chart."""

    frames: int
    low_mm: float
    high_mm: float
    """Gaps at the bottom and at the top; gaps beyond are drawn there."""
    top: float
    height: float
    right: float
    """In units of the picture."""

    @property
    def bottom(self) -> float:
        """Lower edge."""
        return self.top + self.height

    def x(self, frame: float) -> float:
        """Position of the start of a frame."""
        return LEFT + (self.right - LEFT) * frame / self.frames

    def y(self, gap_mm: float) -> float:
        """Height of a gap in the picture."""
        share = (gap_mm - self.low_mm) / (self.high_mm - self.low_mm)
        return self.top + self.height * (1.0 - min(max(share, 0.0), 1.0))

    def centres(self, columns: int) -> Floats:
        """Centres of columns of equal width."""
        return LEFT + (self.right - LEFT) * (np.arange(columns) + 0.5) / columns

    def points(self, columns: slice, gaps_mm: Floats) -> list[str]:
        """Points of a run of columns."""
        x = self.centres(len(gaps_mm))
        return [f"{a:.1f} {self.y(float(b)):.1f}" for a, b in zip(x[columns], gaps_mm[columns])]

    def line(self, gaps_mm: Floats, kind: str) -> Html:
        """Line through the columns, broken where there is none."""
        pieces = [f"M{'L'.join(self.points(run, gaps_mm))}" for run in _known(gaps_mm)]
        return element("path", d="".join(pieces), class_=kind)

    def level(self, gap_mm: float, first: float, stop: float, kind: str) -> Html:
        """Horizontal line from one frame to another."""
        across = f"M{self.x(first):.1f} {self.y(gap_mm):.1f}H{self.x(stop):.1f}"
        return element("path", d=across, class_=kind)

    def ground(self) -> Html:
        """Background."""
        return _ground(LEFT, self.top, self.right - LEFT, self.height)


def _ground(x: float, y: float, width: float, height: float) -> Html:
    return element("rect", x=x, y=y, width=width, height=height, class_="ground")


def _text(words: str, x: float, y: float, kind: str) -> Html:
    return element("text", words, x=x, y=y, class_=kind)


def gap_chart(fit: BodyFit, top_mm: float) -> Html:
    """Chart of one clip with at least one joint; `top_mm` is the gap that fills a strip."""
    gaps_mm, used = 1000.0 * gaps_m(fit), used_together(fit)
    residuals = np.array([joint.residual_m for joint in fit.joints])
    shown = np.sort(np.argsort(-residuals, kind="stable")[:MOST_JOINTS])
    height = TOP + ROW * len(shown) + BOTTOM
    rows = []
    for place, joint in enumerate(shown):
        strip = _Strip(fit.tracks.frame_count, 0.0, top_mm, TOP + ROW * place, STRIP, RIGHT)
        rows.append(_row(fit, int(joint), gaps_mm[joint], used[joint], strip))
    name = f"Gap of every joint over time in {fit.tracks.name}"
    axis = _time_axis(fit, height - BOTTOM)
    heads = (
        ("joint", LEFT - 12.0, "end quiet"),
        ("gap over time", LEFT, "quiet"),
        ("histogram", 0.5 * sum(HISTOGRAM), "middle quiet"),
        ("rms, mm", WIDTH - 4.0, "end quiet"),
    )
    chart = picture(
        name,
        WIDTH,
        height,
        joined(_text(words, x, TOP - 9.0, kind) for words, x, kind in heads),
        *rows,
        axis,
        kind="gaps",
    )
    words = f"Every strip goes from 0 to {top_mm:g} mm."
    if len(fit.joints) > len(shown):
        more = plural(len(fit.joints) - len(shown), "more joint")
        words += f" {more} with narrower gaps; see the table."
    return joined([element("p", words, class_="note"), wide(chart)])


def _row(fit: BodyFit, number: int, gaps_mm: Floats, used: Booleans, strip: _Strip) -> Html:
    joint = fit.joints[number]
    child, parent = fit.names[joint.child], fit.names[joint.parent]
    slips = [slip for slip in fit.slips if slip.body in (child, parent)]
    columns = gap_columns(gaps_mm, used, COLUMNS)
    good = gaps_mm[used & np.isfinite(gaps_mm)]
    rms = float(np.sqrt(np.mean(good**2))) if good.size else 0.0
    middle = strip.top + 0.66 * STRIP
    places = strip.centres(len(columns.left_out))[columns.left_out]
    marks = "".join(f"M{x:.1f} {strip.bottom:.1f}v-6" for x in places)
    # Band from the smallest to the largest gap of every column.
    pieces = []
    for run in _known(columns.most):
        upper, lower = strip.points(run, columns.most), strip.points(run, columns.least)
        pieces.append(f"M{'L'.join(upper + lower[::-1])}Z")
    slip_marks = []
    for slip in slips:
        x = strip.x(float(np.searchsorted(fit.tracks.frames, slip.frame)))
        name = element("title", f"{slip.body} slipped at {slip.seconds:.1f} s")
        mark = f"M{x:.1f} {strip.top - 3.0:.1f}V{strip.bottom:.1f}"
        slip_marks.append(element("path", name, d=mark, class_="slip"))
    parts = [
        element("title", f"{child} on {parent}: {rms:.1f} mm rms"),
        strip.ground(),
        element("path", d="".join(pieces), class_="range"),
        strip.line(columns.typical, "typical"),
        strip.level(rms, 0, strip.frames, "rms"),
        element("path", d=marks, class_="left-out") if marks else None,
        *slip_marks,
        _histogram(good, strip),
        _text(shortened(child, _LONGEST_NAME), LEFT - 12.0, middle, "end"),
        _text(f"{rms:.1f}", WIDTH - 4.0, middle, "end strong"),
    ]
    return element("g", *parts)


def _histogram(gaps_mm: Floats, strip: _Strip) -> Html:
    """Horizontal bars on the scale of the strip; wider gaps count in the last."""
    left, right = HISTOGRAM
    top_mm, base = strip.high_mm, strip.bottom
    counts, _ = np.histogram(np.minimum(gaps_mm, top_mm), BINS, (0.0, top_mm))
    longest, step = max(int(counts.max()), 1), STRIP / BINS
    bars = [
        f"M{left:.1f} {base - step * (place + 0.5):.2f}h{(right - left) * count / longest:.1f}"
        for place, count in enumerate(counts.tolist())
        if count
    ]
    ground = _ground(left, strip.top, right - left, STRIP)
    return joined([ground, element("path", d="".join(bars), class_="counts")])


def _time_axis(fit: BodyFit, y: float) -> Html:
    """Seconds below the strips."""
    count, rate = fit.tracks.frame_count, fit.tracks.frame_rate
    seconds = count / rate
    parts: list[Html] = []
    for time in ticks_within(0.0, seconds, step_for(seconds, _MOST_TICKS)):
        x = LEFT + (RIGHT - LEFT) * time * rate / count
        parts.append(element("path", d=f"M{x:.1f} {y - 6.0:.1f}v5", class_="tick"))
        parts.append(_text(f"{time:g}", x, y + 12.0, "middle quiet"))
    words = f"seconds ({rate:.6g} frames each)"
    parts.append(_text(words, 0.5 * (LEFT + RIGHT), y + 30.0, "middle quiet"))
    return joined(parts)


SLIP_TOP, SLIP_STRIP, SLIP_BOTTOM, SLIP_RIGHT = 8.0, 92.0, 24.0, 1000.0
ROOM = 1.3
"""Extent of a slip's scale, as a multiple of the 99th percentile of the gaps."""


@dataclass(frozen=True, eq=False)
class SlipStep:
    """Evidence for a slip."""

    joint: int
    """Index in ``fit.joints`` of the body's joint that shows the slip most."""
    along_mm: Floats
    """Its gap in the body's own coordinates, along the slip, shape (frames,); NaN where it was not
    used."""
    before_mm: float
    after_mm: float
    """Means before and after."""
    first: int
    at: int
    stop: int
    """Frames between which the body slips only once, and the first frame after the slip."""


def slip_step(fit: BodyFit, slip: BodySlip) -> SlipStep:
    """Gaps of a body in its own coordinates, around one of its slips."""
    body = fit.tracks.index(slip.body)
    # First frame, frame of the slip, and end of the time in which the body slips only once.
    numbers = fit.tracks.frames
    times = [int(np.searchsorted(numbers, s.frame)) for s in fit.slips if s.body == slip.body]
    at = int(np.searchsorted(numbers, slip.frame))
    first = max((time for time in times if time < at), default=0)
    stop = min((time for time in times if time > at), default=len(numbers))
    ends = joint_ends(fit)
    gaps = np.where(used_together(fit)[..., None], joint_gaps(fit.tracks, *ends), np.nan)
    back = conjugate(fit.tracks.rotations[body].T)
    best: tuple[float, int, Floats, Floats] | None = None
    for joint in np.flatnonzero((ends.child == body) | (ends.parent == body)).tolist():
        own = 1000.0 * rotated(back, gaps[joint])
        jump = _mean(own[at:stop]) - _mean(own[first:at])
        size = float(np.linalg.norm(jump))
        if best is None or size > best[0]:
            best = size, joint, own, jump / max(size, 1e-12)
    assert best is not None  # only bodies with joints are searched for slips
    along = np.asarray(best[2] @ best[3])
    before, after = _mean(along[first:at, None]), _mean(along[at:stop, None])
    return SlipStep(best[1], along, float(before[0]), float(after[0]), first, at, stop)


def _mean(values: Floats) -> Floats:
    """Mean of the finite rows; 0 without any."""
    seen = values[np.isfinite(values).all(axis=1)]
    return np.asarray(seen.mean(axis=0)) if len(seen) else np.zeros(values.shape[1])


def slip_chart(fit: BodyFit, slip: BodySlip) -> Html:
    """A joint's gap along a slip: its means before and after, and the moment of the slip."""
    step = slip_step(fit, slip)
    half = ROOM * max(float(np.nanpercentile(np.abs(step.along_mm), 99.0)), 1e-6)
    strip = _Strip(fit.tracks.frame_count, -half, half, SLIP_TOP, SLIP_STRIP, SLIP_RIGHT)
    joint = fit.joints[step.joint]
    other = fit.names[joint.parent if fit.names[joint.child] == slip.body else joint.child]
    name = f"Gap of {slip.body} to {other} along the slip at {slip.seconds:.1f} s"
    seen: Booleans = np.isfinite(step.along_mm)
    columns = gap_columns(step.along_mm, seen, COLUMNS)
    moment = f"M{strip.x(step.at):.1f} {strip.top:.1f}v{strip.height:.1f}"
    # Vertical strokes from the smallest to the largest gap of every column.
    pieces = []
    for x, least, most in zip(strip.centres(len(columns.least)), columns.least, columns.most):
        if np.isfinite(least):
            low, high = strip.y(float(least)), strip.y(float(most))
            pieces.append(f"M{x:.1f} {low:.1f}V{min(high, low - 1.0):.1f}")
    left, middle = LEFT - 12.0, strip.top + 0.5 * strip.height
    below = strip.bottom + SLIP_BOTTOM - 8.0
    parts = [
        strip.ground(),
        element("path", d="".join(pieces), class_="spread"),
        strip.line(0.5 * (columns.least + columns.most), "thin"),
        strip.level(step.before_mm, step.first, step.at, "level"),
        strip.level(step.after_mm, step.at, step.stop, "level"),
        element("path", d=moment, class_="slip"),
        _text(shortened(slip.body, _LONGEST_NAME), left, middle - 3.0, "end strong"),
        _text(f"to {shortened(other, _LONGEST_NAME - 3)}", left, middle + 14.0, "end"),
        _text(_signed(step.before_mm), strip.x(step.first) + 4.0, below, "quiet"),
        _text(_signed(step.after_mm), strip.x(step.stop) - 4.0, below, "end quiet"),
        _text(f"{slip.seconds:.1f} s", strip.x(step.at), below, "middle strong"),
    ]
    return picture(name, WIDTH, strip.bottom + SLIP_BOTTOM, *parts, kind="gaps")


def _signed(gap_mm: float) -> str:
    return f"{round(gap_mm, 1) + 0.0:+.1f} mm".replace("-", "−")
