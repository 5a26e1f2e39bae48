"""A range that depends on another channel, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays import ArrayLike, Floats

Corner = tuple[float, float]

ROUNDED = 2
"""Decimals of corners in degrees."""


@dataclass(frozen=True)
class Dependency:
    """Range of a channel as a function of another channel.

    Parameters
    ----------
    joint, channel : str
        The limited channel.
    on_joint, on_channel : str
        The channel that it depends on, of the same joint or one nearby.
    corners_deg : tuple of (on, value)
        Convex polygon of all observed values, counterclockwise.
    gain : float
        Share, 0 to 1, by which the polygon's area is smaller than that of two independent channels
        with the same ranges.
    held_out : float, optional
        Share of every clip's frames inside the polygon of the other clips, among those inside their
        ranges; None for one clip.
    pad_deg : float
        Degrees that the limit reaches beyond the polygon, along both channels.
    """

    joint: str
    channel: str
    on_joint: str
    on_channel: str
    corners_deg: tuple[Corner, ...]
    gain: float
    held_out: float | None
    clips: int
    pad_deg: float = 3.0

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Dependency:
        """Read plain data."""
        corners = tuple((float(on), float(value)) for on, value in data["corners_deg"])
        return cls(**{**data, "corners_deg": corners})

    def on_range_deg(self) -> tuple[float, float]:
        """Range of the channel that the limit depends on."""
        values = [on for on, _ in self.corners_deg]
        return min(values), max(values)

    def range_at_deg(self, on_deg: float) -> tuple[float, float] | None:
        """Observed range of the limited channel at a value of the other, without padding.

        Returns
        -------
        (low, high), or None
            None for a value that was not observed.
        """
        first, last = self.on_range_deg()
        if not first <= on_deg <= last:
            return None
        low, high = self._reach(on_deg, 0.0)
        return float(low), float(high)

    def bounds_deg(self, on_deg: ArrayLike) -> tuple[Floats, Floats]:
        """Limits of the channel at values of the other, padding included.

        The polygon is moved outward along both channels by the padding, and by what rounding its
        corners may have removed. Beyond the observed values of the other channel, the range at its
        end applies: a driver outside its own limits moves no other limits, and a motion that passes
        the end does not jump.

        Parameters
        ----------
        on_deg : array-like, shape (...)
            Degrees, finite.

        Returns
        -------
        low, high : array, shapes (...)
            Degrees.
        """
        low, high = self._reach(on_deg, self.pad_deg + 10.0**-ROUNDED)
        return low, high

    def _reach(self, on_deg: ArrayLike, pad: float) -> tuple[Floats, Floats]:
        """Minimum and maximum of the polygon moved outward by `pad` along both channels.

        The upper side is the maximum of the polygon's own within `pad` to either side. It is
        concave, so its maximum in a window is where the window comes nearest to the top.
        """
        at, *sides = self._sides()
        given = np.clip(np.asarray(on_deg, dtype=np.float64), at[0] - pad, at[-1] + pad)
        found = []
        for side, sign in zip(sides, (-1.0, 1.0)):
            top = at[int(np.argmax(sign * side))]
            nearest = np.clip(top, given - pad, given + pad)
            found.append(np.asarray(np.interp(nearest, at, side) + sign * pad))
        return found[0], found[1]

    def _sides(self) -> tuple[Floats, Floats, Floats]:
        """Positions of the corners along the other channel, and the lower and upper side there."""
        starts = np.asarray(self.corners_deg, dtype=np.float64)
        ends = np.roll(starts, -1, axis=0)
        at = np.unique(starts[:, 0])
        run = (ends - starts)[:, 0]
        share = (at[:, None] - starts[:, 0]) / np.where(run == 0.0, 1.0, run)
        met = (share >= 0.0) & (share <= 1.0)
        # Both ends of an upright edge count; each is the start of one edge.
        upright = run == 0.0
        share, met = (
            np.where(upright, 0.0, share),
            np.where(upright, at[:, None] == starts[:, 0], met),
        )
        heights = starts[:, 1] + share * (ends - starts)[:, 1]
        low = np.where(met, heights, np.inf).min(axis=1)
        return at, low, np.where(met, heights, -np.inf).max(axis=1)
