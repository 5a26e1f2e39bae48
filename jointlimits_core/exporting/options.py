"""Options of an export as one object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..option_table import checked_options, declared, option


@dataclass(frozen=True)
class ExportOptions:
    """How a limit set is written in another format.

    Parameters
    ----------
    locked : str
        "hold": a locked channel is no degree of freedom; "range": it keeps the narrow range that
        it was seen in.
    ball_joints : str
        "channels": three stacked hinges that are the rotate channels; "ball": one ball joint with
        one range.
    hinge_joints : str
        "channels": as every joint; "axis": one hinge about the joint's own axis, with the range
        that was measured about it.
    root_joint : str
        "free" to move in the world, "hinges" like every other joint, or "fixed".
    meters_per_unit : float, optional
        Length unit of the skeleton; None to take what the source says.
    rate : float
        Frames a second of a range-of-motion animation.
    speed_deg : float
        Degrees a second in it.
    hold_frames : int
        Frames for which each bound is held in it.
    replace : bool
        Whether scripts write over limits that joints have already.
    lock_unmoved : bool
        Whether scripts also write joints that nothing in the source animates.
    ending : str
        Ending of the file's name in small letters, without the dot: formats that can be written in
        several ways go by it.
    """

    locked: str = declared("locked")
    ball_joints: str = declared("ball_joints")
    hinge_joints: str = declared("hinge_joints")
    root_joint: str = declared("root_joint")
    meters_per_unit: float | None = declared("meters_per_unit")
    rate: float = declared("rate")
    speed_deg: float = declared("speed_deg")
    hold_frames: int = declared("hold_frames")
    replace: bool = declared("replace")
    lock_unmoved: bool = declared("lock_unmoved")
    ending: str = ""


OF_SCRIPTS = ("replace", "lock_unmoved")
"""Options of writing to Maya that scripts have, too."""


def export_options_of(values: Mapping[str, Any], ending: str = "") -> ExportOptions:
    """Options from values by their names in the option table; the others are the defaults.

    Raises
    ------
    ValueError
        For a name that is no such option, or a value that it may not have.
    """
    own = {name: value for name, value in values.items() if name not in OF_SCRIPTS}
    shared = {name: option(name).checked(values[name]) for name in OF_SCRIPTS if name in values}
    return ExportOptions(**checked_options(own, ("export",)), **shared, ending=ending)
