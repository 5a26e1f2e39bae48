"""Lines in the spectrum of a motion: the few frequencies in which a figure moves.

A walk repeats itself. Most of its motion is in narrow lines at the stride frequency and its
multiples, where sliding skin, spread over its band, has little; its level is read beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import AnyArray, Booleans, Floats
from .tracks import BodyTracks

LARGEST_HZ = 8.0
"""Highest frequency of body motion."""
NEIGHBOURS_HZ = 0.35
"""Width to either side of a line in which the level is measured."""
LINE_OVER_LEVEL = 1.4
MOST_MISSING = 0.2
MEDIAN_OF_POWER = 0.9
"""Median over mean of the power of six independent numbers (chi-squared of 6 degrees)."""


@dataclass(frozen=True, eq=False)
class MotionLines:
    """The means of clips and the frequencies in which they move.

    Parameters
    ----------
    lines : array, shape (rows, 3, bodies, 4)
        Real and imaginary parts of three axes and the position of every body at the lines.
    level : array, shape (rows, bodies, 4)
        Variance of each beside the lines.
    means : array, shape (clips, 3, bodies, 4)
    hz : array, shape (rows / 2,)
    """

    lines: Floats
    level: Floats
    means: Floats
    hz: Floats


def all_lines(clips: Sequence[MotionLines]) -> MotionLines:
    """Lines of several clips as evidence for the same joints."""
    return MotionLines(
        np.concatenate([clip.lines for clip in clips]),
        np.concatenate([clip.level for clip in clips]),
        np.concatenate([clip.means for clip in clips]),
        np.concatenate([clip.hz for clip in clips]),
    )


def motion_lines(tracks: BodyTracks, used: Booleans | None = None) -> MotionLines | None:
    """Extract the lines of a clip's spectrum.

    Parameters
    ----------
    tracks : BodyTracks
        Short gaps are filled by straight lines.
    used : array of bool, shape (bodies, frames), optional

    Returns
    -------
    MotionLines or None
        None for clips with too many gaps, or too short to measure the level beside a line.
    """
    seen = tracks.present if used is None else tracks.present & used
    count = tracks.frame_count
    if count < 8.0 / NEIGHBOURS_HZ * tracks.frame_rate or (~seen).mean(axis=1).max() > MOST_MISSING:
        return None
    spectrum, mean = _spectrum(tracks, seen)
    power = np.sum(np.abs(spectrum) ** 2, axis=1)
    width = max(4, round(NEIGHBOURS_HZ * count / tracks.frame_rate))
    total = power.sum(axis=(1, 2))
    chosen = np.flatnonzero(total > LINE_OVER_LEVEL / np.log(2.0) * _median_beside(total, width))
    if not chosen.size:
        return None
    level = _median_beside(power, width)[chosen] / (3.0 * MEDIAN_OF_POWER) / 2.0
    lines = np.concatenate([spectrum[chosen].real, spectrum[chosen].imag])
    hz = chosen * tracks.frame_rate / count
    return MotionLines(lines, np.concatenate([level, level]), mean[None], hz)


def _spectrum(tracks: BodyTracks, seen: Booleans) -> tuple[AnyArray, Floats]:
    """Spectrum under a Hann window, shape (bins, 3, bodies, 4), and mean, shape (3, bodies, 4)."""
    count = tracks.frame_count
    positions = np.stack([_bridged(p, s) for p, s in zip(tracks.positions, seen)])
    shared = positions.mean(axis=0)
    window = np.hanning(count)
    scale = np.sqrt(2.0 / (np.sum(window**2) * count))
    bins = min(int(LARGEST_HZ * count / tracks.frame_rate) + 1, count // 2)
    spectrum = np.empty((bins, 3, len(tracks), 4), dtype=np.complex128)
    mean = np.empty((3, len(tracks), 4))
    for body, turns in enumerate(tracks.matrices()):
        rows = np.concatenate(
            [
                _bridged(turns.reshape(count, 9), seen[body]).reshape(count, 3, 3),
                (positions[body] - shared)[..., None],
            ],
            axis=-1,
        )
        mean[:, body] = rows.mean(axis=0)
        moving = (rows - mean[:, body]) * (scale * window)[:, None, None]
        spectrum[:, :, body] = np.fft.rfft(moving, axis=0)[:bins]
    return spectrum, mean


def _bridged(values: Floats, seen: Booleans) -> Floats:
    """Values with gaps filled by straight lines, shape (frames, columns)."""
    if seen.all():
        return values
    frames = np.arange(len(values))
    good = values[seen]
    return np.stack([np.interp(frames, frames[seen], column) for column in good.T], axis=1)


def _median_beside(values: AnyArray, width: int) -> Floats:
    """Running median along the first axis over `width` bins to either side."""
    width = min(width, len(values) - 1)
    padded = np.pad(values, [(width, width)] + [(0, 0)] * (values.ndim - 1), mode="reflect")
    return np.stack([np.median(padded[i : i + 2 * width + 1], axis=0) for i in range(len(values))])
