"""How limits are written: the group "write" of the option table, as one object."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from jointlimits_core.option_table import declared, option

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
        Switch the limits on; else their ends are written, limits of ours that are on go off, and
        Limits on/off switches them on later.
    may_move : bool
        Also switch on limits that clip the animation of the scene, or the pose that stands now.
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
