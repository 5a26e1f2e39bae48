"""A range that depends on another channel, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Corner = tuple[float, float]


@dataclass(frozen=True)
class Dependency:
    """How far a channel goes while another has some value.

    Parameters
    ----------
    joint, channel : str
        What is limited.
    on_joint, on_channel : str
        What it depends on: a channel of the same joint, or of one near by.
    corners_deg : tuple of (on, value)
        The convex polygon of all values seen, going round against the clock.
    gain : float
        Share of the area, 0 to 1, that the polygon takes away from what two channels with the
        same ranges that have nothing to do with each other would fill.
    held_out : float, optional
        Share of the frames of every clip that the polygon of the other clips holds, of those that
        their ranges hold; None for one clip.
    clips : int
    """

    joint: str
    channel: str
    on_joint: str
    on_channel: str
    corners_deg: tuple[Corner, ...]
    gain: float
    held_out: float | None
    clips: int

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Dependency:
        """Read plain data."""
        corners = tuple((float(on), float(value)) for on, value in data["corners_deg"])
        return cls(**{**data, "corners_deg": corners})

    def on_range_deg(self) -> tuple[float, float]:
        """Range of the channel that it depends on."""
        values = [on for on, _ in self.corners_deg]
        return min(values), max(values)

    def range_at_deg(self, on_deg: float) -> tuple[float, float] | None:
        """Range of the limited channel at a value of the other.

        Parameters
        ----------
        on_deg : float

        Returns
        -------
        (low, high), or None
            None for a value that was never seen.
        """
        met = []
        for (x0, y0), (x1, y1) in zip(self.corners_deg, (*self.corners_deg[1:], *self.corners_deg)):
            if min(x0, x1) <= on_deg <= max(x0, x1):
                share = (on_deg - x0) / (x1 - x0) if x1 != x0 else 0.0
                met += [y0 + share * (y1 - y0)] if x1 != x0 else [y0, y1]
        return (min(met), max(met)) if met else None
