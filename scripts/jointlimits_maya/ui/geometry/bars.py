"""Bars: ranges on a full turn, and residuals of joint types on a logarithmic scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from jointlimits_core.estimation.type_evidence import FIXED, HINGE, UNIVERSAL
from jointlimits_core.report.bars import bar_segments

TYPES = ("fixed", "hinge", "universal", "ball")
LEAST_DEG, MOST_DEG = 0.03, 180.0
RESIDUAL_TICKS_DEG = (0.1, 1.0, 10.0, 100.0)
_TOLERANCES = {"fixed": FIXED, "hinge": HINGE, "universal": UNIVERSAL}
_NARROWEST = 2.0


@dataclass(frozen=True)
class Lane:
    """One channel's range in a bar, in degrees on any branch.

    Parameters
    ----------
    state : str
        "free", "limited" or "locked".
    low, high : float, optional
    bands : tuple of (start, end)
        Intervals beyond the range that more motion may add to it.
    ghost : (low, high), optional
        Measured range where the artist edited it.
    pose : float, optional
        Current pose.
    """

    state: str = "free"
    low: float | None = None
    high: float | None = None
    bands: tuple[tuple[float, float], ...] = ()
    ghost: tuple[float, float] | None = None
    pose: float | None = None


@dataclass(frozen=True)
class Candidate:
    """One of the four joint types, with its residual.

    Parameters
    ----------
    residual_deg : float, optional
        Root mean square rotation that it does not explain; None where it was not needed.
    tolerance_deg : float, optional
        Residual that noise and inexact models may cause; None where none was computed.
    """

    type: str
    residual_deg: float | None = None
    tolerance_deg: float | None = None

    @property
    def passes(self) -> bool | None:
        """Whether the residual is within tolerance; None where that is not known."""
        if self.residual_deg is None or self.tolerance_deg is None:
            return None
        return self.residual_deg <= self.tolerance_deg


def scale_position(angle_deg: float) -> float:
    """Position of an angle on the scale from -180 to 180 degrees, from 0 to 1."""
    if angle_deg == 180.0:
        return 1.0
    return ((angle_deg + 180.0) % 360.0) / 360.0


def pieces(low_deg: float, high_deg: float, width: float) -> list[tuple[float, float]]:
    """Start and length in pixels of the pieces of a range on a bar of a given width.

    Each piece is at least two pixels wide, so that a locked channel stays visible.
    """
    found = []
    for start, length in bar_segments(low_deg, high_deg):
        wide = max(0.01 * length * width, min(_NARROWEST, width))
        middle = 0.01 * (start + 0.5 * length) * width
        found.append((min(max(middle - 0.5 * wide, 0.0), width - wide), wide))
    return found


def lane_rows(count: int, height: float) -> list[tuple[float, float]]:
    """Top and height of each of several lanes that share a height, one pixel apart."""
    gap = 1.0 if count > 1 else 0.0
    each = (height - gap * (count - 1)) / max(count, 1)
    return [(row * (each + gap), each) for row in range(count)]


def decade_position(degrees: float) -> float:
    """Position of a residual on the logarithmic scale, from 0 to 1."""
    share = math.log(max(degrees, LEAST_DEG) / LEAST_DEG) / math.log(MOST_DEG / LEAST_DEG)
    return min(share, 1.0)


def tolerance_of(kind: str, spread_deg: float, noise_deg: float) -> float | None:
    """Residual that a joint type may have.

    Parameters
    ----------
    spread_deg : float
        The joint's largest principal spread.
    noise_deg : float
        The character's noise floor, root mean square on each axis.

    Returns
    -------
    float or None
        Degrees: noise on the axes that the type does not turn about, plus an allowance for
        inexact models. None for a ball, which has no residual.
    """
    tolerance = _TOLERANCES.get(kind)
    if tolerance is None:
        return None
    forgiven = tolerance.free**2 + (tolerance.free_share * spread_deg) ** 2
    return math.sqrt(forgiven + tolerance.axes * noise_deg**2)


def row_at(y: float, top: float, row_height: float, rows: Sequence[object]) -> int | None:
    """Row at a pixel; None above the first and below the last."""
    row = math.floor((y - top) / row_height)
    return row if 0 <= row < len(rows) else None
