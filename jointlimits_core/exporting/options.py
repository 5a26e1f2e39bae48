"""Options of an export as one object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..option_table import checked_options, declared


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
    ending : str
        Ending of the file's name in small letters, without the dot: formats that can be written in
        several ways go by it.
    """

    locked: str = declared("locked")
    ball_joints: str = declared("ball_joints")
    root_joint: str = declared("root_joint")
    meters_per_unit: float | None = declared("meters_per_unit")
    rate: float = declared("rate")
    speed_deg: float = declared("speed_deg")
    hold_frames: int = declared("hold_frames")
    ending: str = ""


def export_options_of(values: Mapping[str, Any], ending: str = "") -> ExportOptions:
    """Options from values by their names in the option table; the others are the defaults.

    Raises
    ------
    ValueError
        For a name that is no such option, or a value that it may not have.
    """
    return ExportOptions(**checked_options(dict(values), ("export",)), ending=ending)
