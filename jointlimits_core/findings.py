"""Findings: what was noticed in a source, for people to read and for the report to list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import ArrayLike, Booleans, Floats


@dataclass(frozen=True)
class Finding:
    """One thing that somebody who trusts the numbers should know.

    Parameters
    ----------
    rule : str
        Name of the rule that noticed it, for example "inserted-pose".
    message : str
        What was seen and why it matters, in one sentence.
    joint : str, optional
        The joint it is about; None for the whole clip.
    clip : str, optional
        The clip it was seen in.
    frame_ranges : tuple of (first, last)
        The source's frame numbers, both ends included.
    left_out : bool
        True if these frames took no part in the estimate.
    """

    rule: str
    message: str
    joint: str | None = None
    clip: str | None = None
    frame_ranges: tuple[tuple[float, float], ...] = ()
    left_out: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "rule": self.rule,
            "message": self.message,
            "joint": self.joint,
            "clip": self.clip,
            "frame_ranges": [list(pair) for pair in self.frame_ranges],
            "left_out": self.left_out,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Finding:
        """Inverse of :meth:`to_dict`."""
        ranges = tuple((float(first), float(last)) for first, last in data["frame_ranges"])
        return cls(**{**data, "frame_ranges": ranges})


def frame_ranges(frames: Floats, chosen: ArrayLike) -> tuple[tuple[float, float], ...]:
    """Runs of neighbouring chosen frames.

    Parameters
    ----------
    frames : array, shape (frames,)
        Frame numbers in the source.
    chosen : array-like of bool, shape (frames,)

    Returns
    -------
    tuple of (first, last)
        Frame numbers of each run of True, both ends included.
    """
    mask: Booleans = np.concatenate([[False], np.asarray(chosen, dtype=bool), [False]])
    edges = np.flatnonzero(mask[1:] != mask[:-1])
    starts, stops = edges[::2], edges[1::2] - 1
    return tuple((float(frames[a]), float(frames[b])) for a, b in zip(starts, stops))
