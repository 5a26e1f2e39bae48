"""Data of charts of joint gaps: every joint over time with a histogram, and the step of a slip."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...base.text import plural, shorten
from ...geometry.arrays import Booleans, Floats
from ...geometry.quaternion import conjugate, rotate
from ...skeleton_fit.residuals import gap_lengths, joint_ends, joint_gaps
from ...skeleton_fit.result import BodyFit
from ...skeleton_fit.slips import BodySlip
from .page import Piece, note, piece

SHOWN_SHARE = 99.5
"""Percentile of all used gaps up to which gaps are drawn; few are far wider."""
_ROUND = np.array([1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0])
MAX_JOINTS = 40
"""Maximum strips of a chart; joints with the narrowest gaps are left out."""
COLUMN_COUNT = 480
BIN_COUNT = 20
MAX_NAME_CHARS = 22
SLIP_ROOM_RATIO = 1.3
"""Extent of a slip's scale, as a multiple of the 99th percentile of the gaps."""


def gaps_m(fit: BodyFit) -> Floats:
    """Length of every joint's gap, (joints, frames) metres; NaN where a body was not seen."""
    return gap_lengths(fit.tracks, joint_ends(fit))


def use_of_joints(fit: BodyFit) -> Booleans:
    """Frames in which both bodies of a joint were used, shape (joints, frames)."""
    ends = joint_ends(fit)
    return np.asarray(fit.used[ends.child] & fit.used[ends.parent])


def gap_columns(gaps_mm: Floats, used: Booleans, columns: int = COLUMN_COUNT) -> dict[str, Floats]:
    """Summarise gaps, (frames,), NaN where there is none, in columns of neighbouring frames.

    By name, shape (columns,): the "least", "most" and "typical" (rms) gap of the used frames, NaN
    without any, and whether frames were left "out", which were seen and not used.
    """
    count = min(len(gaps_mm), columns)
    starts = np.arange(count) * len(gaps_mm) // count
    seen: Booleans = np.isfinite(gaps_mm)
    good: Booleans = seen & used
    frames = np.add.reduceat(good.astype(np.float64), starts)
    frames[frames == 0.0] = np.nan
    squares = np.add.reduceat(np.where(good, gaps_mm, 0.0) ** 2, starts)
    empty = np.isnan(frames)
    least = np.minimum.reduceat(np.where(good, gaps_mm, np.inf), starts)
    most = np.maximum.reduceat(np.where(good, gaps_mm, -np.inf), starts)
    return {
        "least": np.where(empty, np.nan, least),
        "most": np.where(empty, np.nan, most),
        "typical": np.sqrt(squares / frames),
        "out": np.add.reduceat((seen & ~used).astype(np.int64), starts) > 0,
    }


def _short(values_mm: Floats) -> list[float | None]:
    """Length in millimetres for the page; None where it is unknown."""
    return [round(one, 2) if np.isfinite(one) else None for one in values_mm.tolist()]


def shown_up_to_mm(fits: Sequence[BodyFit]) -> float:
    """Largest gap drawn, above 0: a round number of millimetres for all clips of a skeleton."""
    parts = [(1000.0 * gaps_m(fit), use_of_joints(fit)) for fit in fits if fit.joints]
    values = [gaps_mm[np.isfinite(gaps_mm) & used] for gaps_mm, used in parts]
    together = np.concatenate(values) if values else np.zeros(0)
    top = float(np.percentile(together, SHOWN_SHARE)) if together.size else 0.0
    if top <= 0.0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(top))
    return float(power * _ROUND[np.searchsorted(_ROUND, top / power * (1.0 - 1e-9))])


def gap_chart(fit: BodyFit, top_mm: float) -> list[Piece]:
    """Chart of one clip with at least one joint; `top_mm` is the gap that fills a strip."""
    gaps_mm, used = 1000.0 * gaps_m(fit), use_of_joints(fit)
    residuals = np.array([joint.residual_m for joint in fit.joints])
    shown = np.sort(np.argsort(-residuals, kind="stable")[:MAX_JOINTS]).tolist()
    words, more = f"Every strip goes from 0 to {top_mm:g} mm.", len(fit.joints) - len(shown)
    if more:
        words += f" {plural(more, 'more joint')} with narrower gaps; see the table."
    chart = piece(
        "gaps",
        label=f"Gap of every joint over time in {fit.tracks.name}",
        top=top_mm,
        seconds=fit.tracks.frame_count / fit.tracks.frame_rate,
        axis=f"seconds ({fit.tracks.frame_rate:.6g} frames each)",
        rows=[_row(fit, joint, gaps_mm[joint], used[joint], top_mm) for joint in shown],
    )
    return [note(words), chart]


def _row(
    fit: BodyFit, number: int, gaps_mm: Floats, used: Booleans, top_mm: float
) -> dict[str, object]:
    joint, columns = fit.joints[number], gap_columns(gaps_mm, used)
    child, parent = fit.names[joint.child], fit.names[joint.parent]
    good = gaps_mm[used & np.isfinite(gaps_mm)]
    rms = float(np.sqrt(np.mean(good**2))) if good.size else 0.0
    # Wider gaps count in the last bin.
    counts, _ = np.histogram(np.minimum(good, top_mm), BIN_COUNT, (0.0, top_mm))
    at = np.searchsorted(fit.tracks.frames, [slip.frame for slip in fit.slips])
    slips = [
        [float(place) / fit.tracks.frame_count, f"{slip.body} slipped at {slip.seconds:.1f} s"]
        for place, slip in zip(at, fit.slips)
        if slip.body in (child, parent)
    ]
    return {
        "name": shorten(child, MAX_NAME_CHARS),
        "title": f"{child} on {parent}: {rms:.1f} mm rms",
        "rms": rms,
        **{key: _short(columns[key]) for key in ("least", "most", "typical")},
        "out": np.flatnonzero(columns["out"]).tolist(),
        "slips": slips,
        "counts": counts.tolist(),
    }


def slip_chart(fit: BodyFit, slip: BodySlip) -> Piece:
    """Gap of a body along one of its slips, in the body's own coordinates.

    That of the joint that shows the slip most, with its means before and after, and the moments
    between which the body slips only once, as shares of the clip.
    """
    body = fit.tracks.index(slip.body)
    # First frame, frame of the slip, and end of the time in which the body slips only once.
    numbers = fit.tracks.frames
    times = [int(np.searchsorted(numbers, s.frame)) for s in fit.slips if s.body == slip.body]
    at = int(np.searchsorted(numbers, slip.frame))
    first = max((time for time in times if time < at), default=0)
    stop = min((time for time in times if time > at), default=len(numbers))
    ends = joint_ends(fit)
    gaps = np.where(use_of_joints(fit)[..., None], joint_gaps(fit.tracks, *ends), np.nan)
    back = conjugate(fit.tracks.rotations[body].T)
    best: tuple[float, int, Floats, Floats] | None = None
    for joint in np.flatnonzero((ends.child == body) | (ends.parent == body)).tolist():
        own = 1000.0 * rotate(back, gaps[joint])
        jump = _mean(own[at:stop]) - _mean(own[first:at])
        size = float(np.linalg.norm(jump))
        if best is None or size > best[0]:
            best = size, joint, own, jump / max(size, 1e-12)
    assert best is not None  # only bodies with joints are searched for slips
    along = np.asarray(best[2] @ best[3])
    before, after = _mean(along[first:at, None]), _mean(along[at:stop, None])
    frames, shown = len(numbers), fit.joints[best[1]]
    other = fit.names[shown.parent if shown.child == body else shown.child]
    columns = gap_columns(along, np.isfinite(along))
    return piece(
        "slip",
        label=f"Gap of {slip.body} to {other} along the slip at {slip.seconds:.1f} s",
        name=shorten(slip.body, MAX_NAME_CHARS),
        other=shorten(other, MAX_NAME_CHARS - 3),
        half=SLIP_ROOM_RATIO * max(float(np.nanpercentile(np.abs(along), 99.0)), 1e-6),
        least=_short(columns["least"]),
        most=_short(columns["most"]),
        before=float(before[0]),
        after=float(after[0]),
        first=first / frames,
        at=at / frames,
        stop=stop / frames,
        seconds=slip.seconds,
    )


def _mean(values: Floats) -> Floats:
    """Mean of the finite rows; 0 without any."""
    seen = values[np.isfinite(values).all(axis=1)]
    return np.asarray(seen.mean(axis=0)) if len(seen) else np.zeros(values.shape[1])
