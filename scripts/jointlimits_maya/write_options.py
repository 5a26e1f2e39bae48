"""How limits are written."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .errors import SceneError
from .plugs import DAMP_RANGES, DAMP_STRENGTHS, STIFFNESS


@dataclass(frozen=True)
class WriteOptions:
    """How limits are written.

    Parameters
    ----------
    replace : bool
        Replace limits that joints have from somebody else. What we wrote ourselves, and nobody
        changed since, may always be replaced.
    lock_unmoved : bool
        Also write joints that nothing in the source animates.
    reorient : "R", "C" or None
        Give joints the frames that their limits hold in.
    enable : bool
        Switch the limits on; else only their ends are written, which changes no pose.
    may_move : bool
        Also switch on limits that would move a joint from where it stands now.
    lock_channels : bool
        Lock the channels that did not move in the source.
    stiffness : float, optional
        0 to 100, for every axis; not written by default.
    damp_range_deg, damp_strength : float, optional
        Range before each limit in which the joint stiffens, and how much (0 to 100).
    """

    replace: bool = False
    lock_unmoved: bool = False
    reorient: str | None = None
    enable: bool = True
    may_move: bool = False
    lock_channels: bool = False
    stiffness: float | None = None
    damp_range_deg: float | None = None
    damp_strength: float | None = None

    def __post_init__(self) -> None:
        if self.reorient not in (None, "R", "C"):
            raise SceneError(f"{self.reorient!r} is no way to re-orient joints; give R or C")
        for name, most in (("stiffness", 100.0), ("damp_range_deg", 180.0), ("damp_strength", 100)):
            value = getattr(self, name)
            if value is not None and not 0.0 <= value <= most:
                raise SceneError(f"{name} is {value}; give a number from 0 to {most:g}")

    def further(self) -> dict[str, float]:
        """Attributes beside the limits that are asked for, in internal units."""
        asked = (
            (STIFFNESS, self.stiffness),
            (
                DAMP_RANGES,
                None if self.damp_range_deg is None else math.radians(self.damp_range_deg),
            ),
            (DAMP_STRENGTHS, self.damp_strength),
        )
        return {name: float(v) for names, v in asked if v is not None for name in names}
