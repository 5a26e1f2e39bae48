"""Exact joint gaps frame by frame, and the number of independent frames among them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..geometry import Booleans, Floats, Integers, conjugate, rotated
from .result import BodyFit
from .tracks import BodyTracks


class JointEnds(NamedTuple):
    """Bodies of joints, shape (joints,), and their places in both, metres, shape (joints, 3)."""

    child: Integers
    parent: Integers
    in_child: Floats
    in_parent: Floats

    def only(self, rows: Integers) -> JointEnds:
        """Some of the joints."""
        places = self.in_child[rows], self.in_parent[rows]
        return JointEnds(self.child[rows], self.parent[rows], *places)


def joint_ends(fit: BodyFit) -> JointEnds:
    """Bodies and places of a fit's joints."""
    return JointEnds(
        np.array([joint.child for joint in fit.joints], dtype=np.int64),
        np.array([joint.parent for joint in fit.joints], dtype=np.int64),
        np.array([joint.centre_in_child for joint in fit.joints]).reshape(-1, 3),
        np.array([joint.centre_in_parent for joint in fit.joints]).reshape(-1, 3),
    )


def joint_gaps(
    tracks: BodyTracks, child: Integers, parent: Integers, in_child: Floats, in_parent: Floats
) -> Floats:
    """Gaps of joints, each as of :func:`joint_gap`, shape (joints, frames, 3).

    `child`, `parent`, shape (joints,); `in_child`, `in_parent`, shape (joints, 3): metres.
    """
    gaps = np.empty((len(child), tracks.frame_count, 3))
    for row, end in enumerate(zip(child, parent, in_child, in_parent)):
        gaps[row] = joint_gap(tracks, *end)
    return gaps


def joint_gap(
    tracks: BodyTracks, child: int, parent: int, in_child: Floats, in_parent: Floats
) -> Floats:
    """Place of the joint by the child minus that by the parent, shape (frames, 3).

    Metres, in the world's axes; NaN where one of the two was not seen. `in_child`, `in_parent`: the
    joint in the bodies' own frames, metres.
    """
    ours = rotated(tracks.rotations[child].T, in_child) + tracks.positions[child]
    theirs = rotated(tracks.rotations[parent].T, in_parent) + tracks.positions[parent]
    both: Booleans = tracks.present[child] & tracks.present[parent]
    return np.where(both[:, None], ours - theirs, np.nan)


def root_mean_square(gaps: Floats, used: Booleans | None = None) -> Floats:
    """Root mean square length of gaps, shape (joints,); inf without a frame.

    `gaps`, shape (joints, frames, 3); `used`, shape (joints, frames): frames that count; all by
    default.
    """
    squared = np.sum(gaps * gaps, axis=2)
    good = np.isfinite(squared) if used is None else np.isfinite(squared) & used
    count = good.sum(axis=1)
    total = np.where(good, squared, 0.0).sum(axis=1)
    mean = np.where(count > 0, total / np.maximum(count, 1), np.inf)
    return np.asarray(np.sqrt(mean))


def independent_frames(tracks: BodyTracks, child: int, parent: int, gaps: Floats) -> float:
    """Number of independent frames that are worth as much as all together; 0 without gaps.

    Slowly sliding skin makes the gaps of neighbouring frames alike, which the autocorrelation of
    the gaps, shape (frames, 3), shows in the axes of both bodies.
    """
    pulls = np.concatenate(
        [rotated(conjugate(tracks.rotations[body].T), gaps) for body in (child, parent)], axis=1
    )
    seen = np.isfinite(pulls).all(axis=1)
    count = int(seen.sum())
    if count < 3:
        return float(count)
    mean = pulls[seen].mean(axis=0)
    alike = repetition(np.where(seen[:, None], pulls - mean, 0.0), seen)
    return float(np.clip(count / alike, 1.0, count))


def repetition(values: Floats, seen: Booleans) -> float:
    """Number of neighbouring frames that carry the same information.

    1 + 2 sum of correlations, the sum ending where two neighbouring ones together are no longer
    positive (Geyer's initial positive sequence). At least 1. `values`, shape (frames, columns):
    about their mean; 0 where there is none; `seen`, shape (frames,).
    """
    correlation = _autocorrelation(values, seen)
    pairs = correlation[: len(correlation) // 2 * 2].reshape(-1, 2).sum(axis=1)
    stop = np.flatnonzero(pairs <= 0.0)
    positive = pairs[: stop[0]] if stop.size else pairs
    return float(max(2.0 * positive.sum() - 1.0, 1.0))


def _autocorrelation(values: Floats, seen: Booleans) -> Floats:
    """Correlation of frames at every distance, shape (frames,); gaps in the data are left out."""
    count = len(values)
    length = 1 << (2 * count - 1).bit_length()
    spectrum = np.fft.rfft(np.ascontiguousarray(values.T), length)
    summed = np.fft.irfft(np.sum(np.abs(spectrum) ** 2, axis=0), length)[:count]
    pairs = np.arange(count, 0.0, -1.0)
    if not seen.all():
        mask = np.fft.rfft(seen.astype(np.float64), length)
        pairs = np.rint(np.fft.irfft(np.abs(mask) ** 2, length)[:count])
    covariance = summed / np.maximum(pairs, 1.0)
    if covariance[0] <= 0.0:
        return np.asarray(np.eye(1, count)[0])
    return np.asarray(covariance / covariance[0])
