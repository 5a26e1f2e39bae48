"""Joint attributes that limits are written to, and their state.

Attributes come in triples, one per axis. Most triples have a compound attribute, so a scene may set
them separately or together.
"""

from __future__ import annotations

from dataclasses import dataclass, field

AXES = ("X", "Y", "Z")


@dataclass(frozen=True)
class Triple:
    """Three attributes of a joint, one per axis.

    Parameters
    ----------
    pattern, short_pattern : str
        Long and short name of the attribute of one axis, with ``{}`` for the axis.
    compound, short_compound : str
        Names of the compound attribute; "" if there is none.
    is_angle : bool
        True for angles in the scene's unit, False for switches.
    default : float
        Of each attribute, in degrees, or 0 and 1.
    """

    pattern: str
    short_pattern: str
    compound: str
    short_compound: str
    is_angle: bool
    default: float

    def name(self, axis: int | None, short: bool = False) -> str:
        """Name of the attribute of an axis, or of the compound."""
        if axis is None:
            return self.short_compound if short else self.compound
        if short:
            return self.short_pattern.format(AXES[axis].lower())
        return self.pattern.format(AXES[axis])


MINIMUM = Triple("minRot{}Limit", "mr{}l", "minRotLimit", "mnrl", True, -45.0)
MAXIMUM = Triple("maxRot{}Limit", "xr{}l", "maxRotLimit", "mxrl", True, 45.0)
MINIMUM_ON = Triple("minRot{}LimitEnable", "mr{}e", "minRotLimitEnable", "mrle", False, 0.0)
MAXIMUM_ON = Triple("maxRot{}LimitEnable", "xr{}e", "maxRotLimitEnable", "xrle", False, 0.0)
JOINT_TYPE = Triple("jointType{}", "jt{}", "", "", False, 1.0)
PREFERRED_ANGLE = Triple("preferredAngle{}", "pa{}", "preferredAngle", "pa", True, 0.0)

#: In the order of scene files.
TRIPLES = (MINIMUM, MAXIMUM, MINIMUM_ON, MAXIMUM_ON, JOINT_TYPE, PREFERRED_ANGLE)


@dataclass
class TripleState:
    """State of a triple: values in degrees or 0 and 1, None where never set."""

    values: list[float | None] = field(default_factory=lambda: [None] * 3)
    locked: list[bool] = field(default_factory=lambda: [False] * 3)
    compound_locked: bool = False
    connected: list[bool] = field(default_factory=lambda: [False] * 3)
    in_locked_reference: list[bool] = field(default_factory=lambda: [False] * 3)

    def obstacle(self, axis: int) -> str | None:
        """Reason why the attribute of an axis must not be set; None if it may be.

        One of "locked", "connected" and "in a locked reference".
        """
        if self.compound_locked or self.locked[axis]:
            return "locked"
        if self.connected[axis]:
            return "connected"
        return "in a locked reference" if self.in_locked_reference[axis] else None


class PlugStates:
    """State of every attribute of one joint."""

    def __init__(self) -> None:
        self._states = {triple: TripleState() for triple in TRIPLES}

    def __getitem__(self, triple: Triple) -> TripleState:
        return self._states[triple]
