"""Options for writing limits: the group "write" of the option table."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from jointlimits_core.base import declared, option

from ..base import SceneError
from ..scene import DAMP_RANGES, DAMP_STRENGTHS, STIFFNESS


@dataclass(frozen=True)
class WriteOptions:
    """Options for writing limits.

    Parameters
    ----------
    replace : bool
        Replace limits from other sources. Applied limits that were not changed since may always be
        replaced.
    lock_unmoved : bool
        Also write joints that are not animated in the source.
    reorient : "R", "C" or None
        Give joints the orientation that their limits need.
    enable : bool
        Switch the limits on; else only their values are written, applied limits that are on go off,
        and Limits on/off switches them on later.
    may_move : bool
        Also switch on limits that clamp the animation of the scene or the current pose.
    lock_channels : bool
        Lock the channels that did not move in the source.
    stiffness : float, optional
        0 to 100, for every axis; not written by default.
    damp_range_deg, damp_strength : float, optional
        Range before each limit in which the joint stiffens, and how much (0 to 100).
    """

    replace: bool = declared("replace")
    lock_unmoved: bool = declared("lock_unmoved")
    reorient: str | None = declared("reorient")
    enable: bool = declared("enable")
    may_move: bool = declared("may_move")
    lock_channels: bool = declared("lock_channels")
    stiffness: float | None = declared("stiffness")
    damp_range_deg: float | None = declared("damp_range_deg")
    damp_strength: float | None = declared("damp_strength")

    def __post_init__(self) -> None:
        for item in fields(self):
            try:
                option(item.name).checked(getattr(self, item.name))
            except ValueError as error:
                raise SceneError(str(error)) from None

    def further(self) -> dict[str, float]:
        """Requested attributes besides the limits, in internal units."""
        asked = (
            (STIFFNESS, self.stiffness),
            (
                DAMP_RANGES,
                None if self.damp_range_deg is None else math.radians(self.damp_range_deg),
            ),
            (DAMP_STRENGTHS, self.damp_strength),
        )
        return {name: float(v) for names, v in asked if v is not None for name in names}
