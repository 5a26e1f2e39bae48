"""Significance of a step in a joint's gaps, before every frame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arrays import Booleans, Floats
from .residuals import repetition

LEAST_DEVIATION_M = 5e-4
"""Least deviation of a gap: exact data have steps of a few micrometres, as files round them."""


def step_curve(values: Floats, seen: Booleans, starts: Sequence[int], margin: int) -> Floats:
    """Statistic of a step before every frame, between known steps.

    Parameters
    ----------
    values : array, shape (frames, 3)
        Gaps in a body's own frame; zero where there is none.
    seen : array of bool, shape (frames,)
    starts : sequence of int
        First frames of the periods between known steps, the first of them 0.
    margin : int
        Frames at both ends of a period in which no step can be separated from chance.

    Returns
    -------
    array, shape (frames,)
        Zero in the margins.
    """
    curve = np.zeros(len(values))
    for start, stop in zip(starts, [*starts[1:], len(values)]):
        if stop - start <= 2 * margin:
            continue
        inner = slice(start + margin, stop - margin)
        whole = slice(start, stop)
        curve[inner] = _curve(values[whole], seen[whole])[margin:-margin]
    return curve


def _curve(values: Floats, seen: Booleans) -> Floats:
    """Statistic of a step before every frame, shape (frames,).

    The step's squared length over its covariance if nothing slipped. Gaps of neighbouring frames
    are alike where skin slides or a joint does not quite fit, so that the covariance is that of
    sums (the long-run one), about the two means on the sides of the largest step.
    """
    count = int(seen.sum())
    if count < 8:
        return np.zeros(len(values))
    before = np.concatenate([[0.0], np.cumsum(seen)[:-1]])
    after = count - before
    mean = values.sum(axis=0) / count
    sums = np.cumsum(np.where(seen[:, None], values - mean, 0.0), axis=0)
    sums = np.concatenate([np.zeros((1, 3)), sums[:-1]])
    weight = np.maximum(before * after / count, 1.0)
    frame = int(np.argmax(np.sum(sums**2, axis=1) / weight))
    rest = np.where(seen[:, None], values - mean, 0.0)
    rest = rest - _step_about(rest, seen, frame)
    covariance = rest.T @ rest / count * repetition(rest, seen)
    covariance += LEAST_DEVIATION_M**2 * np.eye(3)
    solved = np.linalg.solve(covariance, sums.T).T
    return np.asarray(np.sum(sums * solved, axis=1) / weight)


def _step_about(values: Floats, seen: Booleans, frame: int) -> Floats:
    """Means of both sides, where seen, shape (frames, 3)."""
    means = np.zeros_like(values)
    for part in (slice(None, frame), slice(frame, None)):
        means[part] = values[part].sum(axis=0) / max(int(seen[part].sum()), 1)
    return np.asarray(np.where(seen[:, None], means, 0.0))
