"""Joint gaps over time, one strip per joint, with a histogram on the same scale beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base import plural, shortened
from ...geometry import Booleans, Floats, Integers
from ...skeleton_fit import BodyFit, BodySlip, joint_ends, joint_gaps
from ..figures import step_for, ticks_within
from .document import Html, element, joined, picture, wide

SHOWN_SHARE = 99.5
"""Percentile of all used gaps up to which gaps are drawn; few are far wider."""
_ROUND = np.array([1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0])


def gaps_m(fit: BodyFit) -> Floats:
    """Length of every joint's gap.

    Returns
    -------
    array, shape (joints, frames)
        Metres; NaN where one of the two bodies was not seen.
    """
    return np.asarray(np.linalg.norm(joint_gaps(fit.tracks, *joint_ends(fit)), axis=2))


def used_together(fit: BodyFit) -> Booleans:
    """Frames in which both bodies of a joint were used, shape (joints, frames)."""
    child, parent, _, _ = joint_ends(fit)
    return np.asarray(fit.used[child] & fit.used[parent])


@dataclass(frozen=True, eq=False)
class GapColumns:
    """The gap of one joint in columns of neighbouring frames.

    Parameters
    ----------
    least, most, typical : arrays, shape (columns,)
        Smallest, largest and rms gap of the used frames, millimetres; NaN if there are none.
    left_out : array of bool, shape (columns,)
        Whether the column has frames that were seen but not used.
    """

    least: Floats
    most: Floats
    typical: Floats
    left_out: Booleans


def gap_columns(gaps_mm: Floats, used: Booleans, columns: int) -> GapColumns:
    """Summarise frames in columns.

    Parameters
    ----------
    gaps_mm : array, shape (frames,)
        NaN where there is none.
    used : array of bool, shape (frames,)
    columns : int
        Most columns; clips with fewer frames get fewer.
    """
    starts = _starts(len(gaps_mm), columns)
    seen: Booleans = np.isfinite(gaps_mm)
    good: Booleans = seen & used
    count = np.add.reduceat(good.astype(np.int64), starts)
    least = np.minimum.reduceat(np.where(good, gaps_mm, np.inf), starts)
    most = np.maximum.reduceat(np.where(good, gaps_mm, -np.inf), starts)
    squares = np.add.reduceat(np.where(good, gaps_mm, 0.0) ** 2, starts)
    empty: Booleans = np.asarray(count == 0)
    return GapColumns(
        np.where(empty, np.nan, least),
        np.where(empty, np.nan, most),
        np.where(empty, np.nan, np.sqrt(squares / np.maximum(count, 1))),
        np.asarray(np.add.reduceat((seen & ~used).astype(np.int64), starts) > 0),
    )


def _starts(frames: int, columns: int) -> Integers:
    count = min(frames, columns)
    return np.asarray(np.arange(count) * frames // count, dtype=np.int64)


def runs(values: Floats) -> list[slice]:
    """Runs of neighbouring columns with values."""
    known = np.concatenate([[False], np.isfinite(values), [False]])
    edges = np.flatnonzero(known[1:] != known[:-1])
    return [slice(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2])]


def shown_up_to_mm(fits: Sequence[BodyFit]) -> float:
    """Largest gap drawn: a round number of millimetres, the same for all clips.

    Parameters
    ----------
    fits : sequence of BodyFit
        One per clip, of one skeleton.

    Returns
    -------
    float
        Above 0.
    """
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
class _Scale:
    """Mapping of frames and millimetres to the picture."""

    frames: int
    top_mm: float

    def x(self, frame: float) -> float:
        """Position of the start of a frame."""
        return LEFT + (RIGHT - LEFT) * frame / self.frames

    def height(self, gap_mm: float) -> float:
        """Height of a gap in a strip; gaps beyond the scale fill the strip."""
        return STRIP * min(gap_mm / self.top_mm, 1.0)


def gap_chart(fit: BodyFit, top_mm: float) -> Html:
    """Chart of one clip.

    Parameters
    ----------
    fit : BodyFit
        With at least one joint.
    top_mm : float
        Gap that fills the height of a strip.
    """
    gaps_mm, used = 1000.0 * gaps_m(fit), used_together(fit)
    residuals = np.array([joint.residual_m for joint in fit.joints])
    shown = np.sort(np.argsort(-residuals, kind="stable")[:MOST_JOINTS])
    scale = _Scale(fit.tracks.frame_count, top_mm)
    height = TOP + ROW * len(shown) + BOTTOM
    rows = [
        _row(fit, int(joint), gaps_mm[joint], used[joint], scale, TOP + ROW * place)
        for place, joint in enumerate(shown)
    ]
    name = f"Gap of every joint over time in {fit.tracks.name}"
    axis = _time_axis(fit, scale, height - BOTTOM)
    chart = picture(name, WIDTH, height, _head(), *rows, axis, kind="gaps")
    words = f"Every strip goes from 0 to {top_mm:g} mm."
    if len(fit.joints) > len(shown):
        more = plural(len(fit.joints) - len(shown), "more joint")
        words += f" {more} with narrower gaps; see the table."
    return joined([element("p", words, class_="note"), wide(chart)])


def _head() -> Html:
    y = TOP - 9.0
    middle = 0.5 * sum(HISTOGRAM)
    return joined(
        [
            _text("joint", LEFT - 12.0, y, "end quiet"),
            _text("gap over time", LEFT, y, "quiet"),
            _text("histogram", middle, y, "middle quiet"),
            _text("rms, mm", WIDTH - 4.0, y, "end quiet"),
        ]
    )


def _text(words: str, x: float, y: float, kind: str) -> Html:
    return element("text", words, x=x, y=y, class_=kind)


def _row(
    fit: BodyFit, number: int, gaps_mm: Floats, used: Booleans, scale: _Scale, top: float
) -> Html:
    joint, base = fit.joints[number], top + STRIP
    child, parent = fit.names[joint.child], fit.names[joint.parent]
    slips = [slip for slip in fit.slips if slip.body in (child, parent)]
    columns = gap_columns(gaps_mm, used, COLUMNS)
    good = gaps_mm[used & np.isfinite(gaps_mm)]
    rms = float(np.sqrt(np.mean(good**2))) if good.size else 0.0
    level = base - scale.height(rms)
    parts = [
        element("title", f"{child} on {parent}: {rms:.1f} mm rms"),
        element("rect", x=LEFT, y=top, width=RIGHT - LEFT, height=STRIP, class_="ground"),
        _area(columns, scale, base),
        _line(columns, scale, base),
        element("path", d=f"M{LEFT:.1f} {level:.1f}H{RIGHT:.1f}", class_="rms"),
        _left_out(columns, base),
        *(_slip_mark(fit, slip, scale, top) for slip in slips),
        _histogram(good, scale, base),
        _text(shortened(child, _LONGEST_NAME), LEFT - 12.0, top + 0.66 * STRIP, "end"),
        _text(f"{rms:.1f}", WIDTH - 4.0, top + 0.66 * STRIP, "end strong"),
    ]
    return element("g", *parts)


def _places(count: int) -> Floats:
    """Centres of columns."""
    return LEFT + (RIGHT - LEFT) * (np.arange(count) + 0.5) / count


def _area(columns: GapColumns, scale: _Scale, base: float) -> Html:
    """Band from the smallest to the largest gap of every column."""
    x, pieces = _places(len(columns.most)), []
    for run in runs(columns.most):
        upper = _points(x[run], columns.most[run], scale, base)
        lower = _points(x[run], columns.least[run], scale, base)
        pieces.append(f"M{'L'.join(upper + lower[::-1])}Z")
    return element("path", d="".join(pieces), class_="range")


def _line(columns: GapColumns, scale: _Scale, base: float) -> Html:
    x = _places(len(columns.typical))
    pieces = [
        f"M{'L'.join(_points(x[run], columns.typical[run], scale, base))}"
        for run in runs(columns.typical)
    ]
    return element("path", d="".join(pieces), class_="typical")


def _points(x: Floats, gaps_mm: Floats, scale: _Scale, base: float) -> list[str]:
    return [f"{a:.1f} {base - scale.height(float(b)):.1f}" for a, b in zip(x, gaps_mm)]


def _left_out(columns: GapColumns, base: float) -> Html | None:
    """Marks on the baseline where frames were left out."""
    places = _places(len(columns.left_out))[columns.left_out]
    if not places.size:
        return None
    return element("path", d="".join(f"M{x:.1f} {base:.1f}v-6" for x in places), class_="left-out")


def _slip_mark(fit: BodyFit, slip: BodySlip, scale: _Scale, top: float) -> Html:
    x = scale.x(float(np.searchsorted(fit.tracks.frames, slip.frame)))
    name = element("title", f"{slip.body} slipped at {slip.seconds:.1f} s")
    return element("path", name, d=f"M{x:.1f} {top - 3.0:.1f}V{top + STRIP:.1f}", class_="slip")


def _histogram(gaps_mm: Floats, scale: _Scale, base: float) -> Html:
    """Horizontal bars on the scale of the strip; wider gaps count in the last."""
    left, right = HISTOGRAM
    counts, _ = np.histogram(np.minimum(gaps_mm, scale.top_mm), BINS, (0.0, scale.top_mm))
    longest, step = max(int(counts.max()), 1), STRIP / BINS
    bars = [
        f"M{left:.1f} {base - step * (place + 0.5):.2f}h{(right - left) * count / longest:.1f}"
        for place, count in enumerate(counts.tolist())
        if count
    ]
    ground = element(
        "rect", x=left, y=base - STRIP, width=right - left, height=STRIP, class_="ground"
    )
    return joined([ground, element("path", d="".join(bars), class_="counts")])


def _time_axis(fit: BodyFit, scale: _Scale, y: float) -> Html:
    """Seconds below the strips."""
    seconds = fit.tracks.frame_count / fit.tracks.frame_rate
    parts: list[Html] = []
    for time in ticks_within(0.0, seconds, step_for(seconds, _MOST_TICKS)):
        x = scale.x(time * fit.tracks.frame_rate)
        parts.append(element("path", d=f"M{x:.1f} {y - 6.0:.1f}v5", class_="tick"))
        parts.append(_text(f"{time:g}", x, y + 12.0, "middle quiet"))
    words = f"seconds ({fit.tracks.frame_rate:.6g} frames each)"
    parts.append(_text(words, 0.5 * (LEFT + RIGHT), y + 30.0, "middle quiet"))
    return joined(parts)
