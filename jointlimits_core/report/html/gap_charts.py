"""Data for charts of joint gaps: each joint over time with a histogram, and the step at a slip."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.text import plural, shorten
from ...geometry.arrays import Booleans, Floats
from ...geometry.quaternion import conjugate, rotate
from ...skeleton_fit.residuals import gap_lengths, joint_ends, joint_gaps
from ...skeleton_fit.result import BodyFit
from ...skeleton_fit.slips import BodySlip
from .page import Piece, note, piece

SHOWN_PERCENT = 99.5
"""Percentile of all used gaps at the top of the scale; the few far wider gaps are cut off."""
_ROUND = np.array([1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0])
MAX_JOINTS = 40
"""Maximum number of strips in a chart; above it, joints with the narrowest gaps are left out."""
COLUMN_COUNT = 480
BIN_COUNT = 20
MAX_NAME_CHARS = 22
SLIP_ROOM_RATIO = 1.3
"""Extent of a slip's scale, as a multiple of the 99th percentile of the gaps."""


def joint_gaps_mm(fit: BodyFit) -> tuple[Floats, Booleans]:
    """Every joint's gap, and whether both of its bodies were used, (joints, frames) each.

    Gaps are NaN where a body was not seen.
    """
    ends = joint_ends(fit)
    return 1000.0 * gap_lengths(fit.tracks, ends), ends.shared_frames(fit.used)


def gap_columns(gaps_mm: Floats, used: Booleans) -> dict[str, Any]:
    """Summarise gaps, (frames,), NaN where there is none, in columns of neighbouring frames.

    Returns the "least", "most" and "typical" (rms) gap of each column's used frames in millimetres,
    None without used frames; and "out", the columns with frames that were seen but not used.
    """
    count = min(len(gaps_mm), COLUMN_COUNT)
    starts = np.arange(count) * len(gaps_mm) // count
    seen: Booleans = np.isfinite(gaps_mm)
    good: Booleans = seen & used
    frames = np.add.reduceat(good.astype(np.float64), starts)
    frames[frames == 0.0] = np.nan
    squares = np.add.reduceat(np.where(good, gaps_mm, 0.0) ** 2, starts)
    values = {
        "least": np.minimum.reduceat(np.where(good, gaps_mm, np.inf), starts),
        "most": np.maximum.reduceat(np.where(good, gaps_mm, -np.inf), starts),
        "typical": np.sqrt(squares / frames),
    }
    return {
        "out": np.flatnonzero(np.logical_or.reduceat(seen & ~used, starts)).tolist(),
        **{
            key: [round(one, 2) if np.isfinite(one) else None for one in column.tolist()]
            for key, column in values.items()
        },
    }


def shown_up_to_mm(fits: Sequence[BodyFit]) -> float:
    """Top of the gap scale, above 0: a round number of millimetres for all clips of a skeleton."""
    parts = [joint_gaps_mm(fit) for fit in fits if fit.joints]
    values = [gaps_mm[np.isfinite(gaps_mm) & used] for gaps_mm, used in parts]
    together = np.concatenate(values) if values else np.zeros(0)
    top = float(np.percentile(together, SHOWN_PERCENT)) if together.size else 0.0
    if top <= 0.0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(top))
    return float(power * _ROUND[np.searchsorted(_ROUND, top / power * (1.0 - 1e-9))])


def gap_chart(fit: BodyFit, top_mm: float) -> list[Piece]:
    """Chart of one clip with at least one joint; `top_mm` is the gap at the top of a strip."""
    gaps_mm, used = joint_gaps_mm(fit)
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
    joint = fit.joints[number]
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
        **gap_columns(gaps_mm, used),
        "slips": slips,
        "counts": counts.tolist(),
    }


def slip_chart(fit: BodyFit, slip: BodySlip) -> Piece:
    """Gap along a slip, in the coordinates of the body that slipped.

    Shows the joint whose gap changes most, with its means before and after. The means cover the
    time from the body's previous slip to its next one; times are shares of the clip.
    """
    body = fit.tracks.index(slip.body)
    # From the body's previous slip, or the first frame, to its next one, or the end.
    numbers = fit.tracks.frames
    times = [int(np.searchsorted(numbers, s.frame)) for s in fit.slips if s.body == slip.body]
    at = int(np.searchsorted(numbers, slip.frame))
    first = max((time for time in times if time < at), default=0)
    stop = min((time for time in times if time > at), default=len(numbers))
    ends, best, along = joint_ends(fit), -1.0, np.zeros(0)
    gaps = np.where(joint_gaps_mm(fit)[1][..., None], joint_gaps(fit.tracks, ends), np.nan)
    back = conjugate(fit.tracks.rotations[body].T)
    for joint in np.flatnonzero((ends.child == body) | (ends.parent == body)).tolist():
        own = 1000.0 * rotate(back, gaps[joint])
        jump = _mean(own[at:stop]) - _mean(own[first:at])
        size = float(np.linalg.norm(jump))
        if size > best:
            best, shown, along = size, fit.joints[joint], own @ (jump / max(size, 1e-12))
    before, after = _mean(along[first:at, None]), _mean(along[at:stop, None])
    frames, columns = len(numbers), gap_columns(along, np.isfinite(along))
    other = fit.names[shown.parent if shown.child == body else shown.child]
    return piece(
        "slip",
        label=f"Gap between {slip.body} and {other} along the slip at {slip.seconds:.1f} s",
        name=shorten(slip.body, MAX_NAME_CHARS),
        other=shorten(other, MAX_NAME_CHARS - 3),
        half=SLIP_ROOM_RATIO * max(float(np.nanpercentile(np.abs(along), 99.0)), 1e-6),
        least=columns["least"],
        most=columns["most"],
        before=float(before[0]),
        after=float(after[0]),
        first=first / frames,
        at=at / frames,
        stop=stop / frames,
        seconds=slip.seconds,
    )


def _mean(values: Floats) -> Floats:
    """Mean of the finite rows; 0 if there are none."""
    seen = values[np.isfinite(values).all(axis=1)]
    return np.asarray(seen.mean(axis=0)) if len(seen) else np.zeros(values.shape[1])
