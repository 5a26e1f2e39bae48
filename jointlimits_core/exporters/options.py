"""Export options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..base import checked_options, declared, option


@dataclass(frozen=True)
class ExportOptions:
    """Options of an export."""

    locked: str = declared("locked")
    """As "hold": a locked channel is fixed; "range": it keeps the narrow range measured."""
    ball_joints: str = declared("ball_joints")
    """As "channels": three stacked hinges equal to the rotate channels; "ball": one ball joint with
    one range."""
    hinge_joints: str = declared("hinge_joints")
    """One of "channels": like every joint; "axis": one hinge about the joint's own axis, with the
    range measured about it."""
    root_joint: str = declared("root_joint")
    """One of "free" to move in the world, "hinges" like every other joint, or "fixed"."""
    meters_per_unit: float | None = declared("meters_per_unit")
    """Length unit of the skeleton; None for that of the source."""
    rate: float = declared("rate")
    """Frames per second of a range-of-motion animation."""
    speed_deg: float = declared("speed_deg")
    """Its degrees per second."""
    hold_frames: int = declared("hold_frames")
    """Frames for which it holds each limit."""
    replace: bool = declared("replace")
    """Whether scripts overwrite limits that joints already have."""
    lock_unmoved: bool = declared("lock_unmoved")
    """Whether scripts also write joints that do not move in the source."""
    ending: str = ""
    """File extension in lower case, without the dot; selects the variant of a format."""


OF_SCRIPTS = ("replace", "lock_unmoved")
"""Options of writing to Maya that also apply to scripts."""


def export_options_of(values: Mapping[str, Any], ending: str = "") -> ExportOptions:
    """Options from values by option-table name; missing ones get their defaults.

    Raises ValueError for an unknown name or an invalid value.
    """
    own = {name: value for name, value in values.items() if name not in OF_SCRIPTS}
    shared = {name: option(name).checked(values[name]) for name in OF_SCRIPTS if name in values}
    return ExportOptions(**checked_options(own, ("export",)), **shared, ending=ending)
