"""Joint gaps over a clip, reduced to columns for drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Booleans, Floats, Integers
from ..bodies.body_fit import BodyFit
from ..bodies.residuals import joint_ends, joint_gaps

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
