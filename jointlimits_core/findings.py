"""Findings: warnings and notes about a source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import ArrayLike, Booleans, Floats


@dataclass(frozen=True)
class Finding:
    """One warning or note about a source.

    Parameters
    ----------
    rule : str
        Rule that raised it, for example "inserted-pose".
    message : str
        What was found and why it matters, in one sentence.
    joint : str, optional
        Joint concerned; None for the whole clip.
    clip : str, optional
        Clip concerned.
    frame_ranges : tuple of (first, last)
        Frame numbers of the source, inclusive.
    left_out : bool
        True if these frames were excluded from the estimate.
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
    """Ranges of consecutive chosen frames.

    Parameters
    ----------
    frames : array, shape (frames,)
        Frame numbers in the source.
    chosen : array-like of bool, shape (frames,)

    Returns
    -------
    tuple of (first, last)
        Frame numbers of each run of True, inclusive.
    """
    mask: Booleans = np.concatenate([[False], np.asarray(chosen, dtype=bool), [False]])
    edges = np.flatnonzero(mask[1:] != mask[:-1])
    starts, stops = edges[::2], edges[1::2] - 1
    return tuple((float(frames[a]), float(frames[b])) for a, b in zip(starts, stops))
