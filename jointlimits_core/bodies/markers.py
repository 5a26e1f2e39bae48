"""Tracks of single markers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Booleans, Floats
from ..findings import Finding
from ..motion import SourceFile


@dataclass(frozen=True, eq=False)
class MarkerTracks:
    """Positions of markers over one clip.

    Parameters
    ----------
    names : tuple of str
        Unique labels.
    positions : array, shape (markers, frames, 3)
        Metres; NaN where a marker was not seen.
    present : array of bool, shape (markers, frames)
    frames : array, shape (frames,)
        The source's own frame numbers.
    frame_rate : float
        Frames per second.
    name : str
        Name of the clip.
    source : SourceFile, optional
    findings : tuple of Finding
        What the reader noticed.
    up : {"y", "z"}, optional
        Up axis of the world; None if not stated.

    Raises
    ------
    ValueError
        For wrong shapes, repeated labels, or positions that are not finite where marked present.
    """

    names: tuple[str, ...]
    positions: Floats
    present: Booleans
    frames: Floats
    frame_rate: float
    name: str = "markers"
    source: SourceFile | None = None
    findings: tuple[Finding, ...] = ()
    up: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        shape = (len(self.names), len(self.frames))
        if self.positions.shape != (*shape, 3) or self.present.shape != shape:
            found = f"{self.positions.shape} and {self.present.shape}"
            raise ValueError(
                f"positions and present have shapes {found}, not {(*shape, 3)}, {shape}"
            )
        if len(set(self.names)) != len(self.names):
            repeated = next(name for name in self.names if self.names.count(name) > 1)
            raise ValueError(f"two markers are called {repeated!r}")
        if not (np.isfinite(self.frame_rate) and self.frame_rate > 0):
            raise ValueError(f"frame rate {self.frame_rate} of {self.name!r} is not positive")
        if not np.isfinite(self.positions[self.present]).all():
            raise ValueError("positions of markers that are present are not all finite")

    @property
    def frame_count(self) -> int:
        """Number of frames."""
        return len(self.frames)
