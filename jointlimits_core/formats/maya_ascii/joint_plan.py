"""What has to change on one joint, and what must be left alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...joint_frame import CHANNELS
from .limit_plugs import (
    AXES,
    JOINT_TYPE,
    MAXIMUM,
    MAXIMUM_ON,
    MINIMUM,
    MINIMUM_ON,
    PREFERRED_ANGLE,
    TRIPLES,
    Assignment,
    PlugStates,
    Triple,
    TripleState,
)

#: Angles this near to each other are the same (degrees).
_SAME = 1e-10
_WIDE_OPEN = {MINIMUM: -360.0, MAXIMUM: 360.0}


@dataclass(frozen=True)
class JointChange:
    """What to write on one joint.

    Parameters
    ----------
    limits_deg : mapping of channel to (min or None, max or None)
        Degrees, by "rotateX", "rotateY", "rotateZ"; None for a bound that is not enabled. Channels
        that are not named stay as they are.
    joint_type : mapping of "jointTypeX", ... to bool, optional
        Which axes the joint can turn about.
    preferred_angle_deg : (x, y, z), optional
        Degrees.
    """

    limits_deg: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)
    joint_type: Mapping[str, bool] | None = None
    preferred_angle_deg: tuple[float, float, float] | None = None

    def checked(self, joint: str) -> JointChange:
        """Give itself back if it makes sense.

        Raises
        ------
        ValueError
            For unknown names, numbers that are not finite, and a minimum above its maximum.
        """
        for channel, bounds in self.limits_deg.items():
            if channel not in CHANNELS:
                raise ValueError(f"joint {joint!r}: {channel!r} is none of {', '.join(CHANNELS)}")
            known = [bound for bound in bounds if bound is not None]
            if not all(math.isfinite(bound) for bound in known) or known != sorted(known):
                raise ValueError(f"joint {joint!r}: {bounds} are no limits for {channel}")
        names = [JOINT_TYPE.name(axis) for axis in range(3)]
        for name in self.joint_type or {}:
            if name not in names:
                raise ValueError(f"joint {joint!r}: {name!r} is none of {', '.join(names)}")
        angles = self.preferred_angle_deg
        if angles is not None and not (len(angles) == 3 and all(map(math.isfinite, angles))):
            raise ValueError(f"joint {joint!r}: {angles} is no preferred angle")
        return self


@dataclass(frozen=True)
class Skipped:
    """Something that was left as it is.

    Parameters
    ----------
    joint : str
    attribute : str
        Long name of the attribute, a channel, or "" for the whole joint.
    reason : str
        "locked", "connected", "has limits already", ...
    advice : str
        What to do about it.
    """

    joint: str
    attribute: str
    reason: str
    advice: str


_ADVICE = {
    "locked": "unlock the attribute in Maya if it should be written",
    "connected": "something drives the attribute; disconnect it in Maya if it should be written",
}

Wanted = dict[Triple, list["float | None"]]


@dataclass
class JointPlan:
    """Values that must change, by attribute and axis, and what was left."""

    wanted: Wanted = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)

    def want(self, triple: Triple, axis: int, value: float) -> None:
        """Ask for a value."""
        self.wanted.setdefault(triple, [None] * 3)[axis] = value

    def written(self) -> tuple[str, ...]:
        """Long names of what changes, in the order of scenes."""
        return tuple(
            triple.name(axis)
            for triple in TRIPLES
            for axis, value in enumerate(self.wanted.get(triple, ()))
            if value is not None
        )


def planned(joint: str, change: JointChange, states: PlugStates, replace: bool) -> JointPlan:
    """Compare what a joint should have with what it has.

    Parameters
    ----------
    joint : str
        Name for messages.
    change : JointChange
    states : PlugStates
    replace : bool
        Whether limits that are enabled may be changed.

    Returns
    -------
    JointPlan
        Empty for a joint that has everything already.
    """
    plan = JointPlan()
    _plan_limits(plan, joint, change, states, replace)
    switches = [(change.joint_type or {}).get(JOINT_TYPE.name(axis)) for axis in range(3)]
    angles = change.preferred_angle_deg or (None, None, None)
    for triple, values in ((JOINT_TYPE, switches), (PREFERRED_ANGLE, angles)):
        for axis, value in enumerate(values):
            if value is None or _has(states[triple], triple, axis, float(value)):
                continue
            obstacle = states[triple].obstacle(axis)
            if obstacle is None:
                plan.want(triple, axis, float(value))
            else:
                plan.skipped.append(_skip(joint, triple.name(axis), obstacle))
    return plan


def _plan_limits(
    plan: JointPlan, joint: str, change: JointChange, states: PlugStates, replace: bool
) -> None:
    per_axis = {
        axis: _limit_changes(*change.limits_deg[channel], states, axis)
        for axis, channel in enumerate(CHANNELS)
        if channel in change.limits_deg
    }
    enabled = [axis for axis, changes in per_axis.items() if changes and _enabled(states, axis)]
    if enabled and not replace:
        channels = ", ".join(CHANNELS[axis] for axis in enabled)
        advice = f"{channels} would change; use --replace to overwrite the limits of this joint"
        plan.skipped.append(Skipped(joint, channels, "has limits already", advice))
        return
    for axis, changes in per_axis.items():
        obstacles = [(t.name(axis), states[t].obstacle(axis)) for t, _ in changes]
        stuck = next(((name, why) for name, why in obstacles if why is not None), None)
        if stuck is not None:
            # Half a limit is worse than none: the whole channel is left.
            plan.skipped.append(_skip(joint, *stuck))
            continue
        for triple, value in changes:
            plan.want(triple, axis, value)


def _enabled(states: PlugStates, axis: int) -> bool:
    return any(states[triple].values[axis] == 1.0 for triple in (MINIMUM_ON, MAXIMUM_ON))


def _limit_changes(
    low: float | None, high: float | None, states: PlugStates, axis: int
) -> list[tuple[Triple, float]]:
    """Attributes of one axis that do not yet have what they should."""
    changes = []
    for triple, switch, bound in ((MINIMUM, MINIMUM_ON, low), (MAXIMUM, MAXIMUM_ON, high)):
        # Defaults are written out: whoever reads the file should not have to know them.
        if bound is not None and not _has(states[triple], triple, axis, bound, unset=False):
            changes.append((triple, float(bound)))
        if not _has(states[switch], switch, axis, float(bound is not None)):
            changes.append((switch, float(bound is not None)))
    return changes


def _has(state: TripleState, triple: Triple, axis: int, value: float, unset: bool = True) -> bool:
    """Whether an attribute has a value already; `unset` attributes have their default."""
    now = state.values[axis]
    if now is None:
        return unset and value == triple.default
    return abs(now - value) <= _SAME


def _skip(joint: str, attribute: str, reason: str) -> Skipped:
    return Skipped(joint, attribute, reason, _ADVICE[reason])


@dataclass(frozen=True)
class Placement:
    """New values for a place that exists, or for a new one.

    Parameters
    ----------
    triple : Triple
    axis : int or None
        None for the compound.
    values : tuple of float
        Degrees, or 0 and 1.
    place : Assignment, optional
        What is to be replaced; None for a new place.
    """

    triple: Triple
    axis: int | None
    values: tuple[float, ...]
    place: Assignment | None = None


def placements(
    triple: Triple,
    wanted: Sequence[float | None],
    states: PlugStates,
    own: Sequence[Assignment],
    degrees_per_unit: float,
) -> list[Placement]:
    """Decide where wanted values go: into the places that set them, else into new ones.

    Parameters
    ----------
    triple : Triple
    wanted : sequence of float or None, per axis
    states : PlugStates
        As they are now.
    own : sequence of Assignment
        Places that may be edited.
    degrees_per_unit : float
        Of the values in `own`.
    """
    final = _complete(triple, wanted, states)
    scale = degrees_per_unit if triple.is_angle else 1.0
    found: list[Placement] = []
    covered: set[int] = set()
    setting = [one for one in own if one.triple == triple and one.values]
    for one in setting:
        axes = (0, 1, 2) if one.axis is None else (one.axis,)
        covered.update(axes)
        values = tuple(final[axis] for axis in axes)
        now = [value * scale for value in one.values]
        same = len(now) == len(values) and all(
            abs(a - b) <= _SAME or wanted[axis] is None for a, b, axis in zip(now, values, axes)
        )
        if not same:
            found.append(Placement(triple, one.axis, values, one))
    missing = [axis for axis in range(3) if wanted[axis] is not None and axis not in covered]
    free = all(states[triple].obstacle(axis) is None for axis in range(3))
    if missing and triple.is_angle and free and not setting:
        return [*found, Placement(triple, None, tuple(final))]
    return found + [Placement(triple, axis, (final[axis],)) for axis in missing]


def _complete(triple: Triple, wanted: Sequence[float | None], states: PlugStates) -> list[float]:
    """Values of all three axes: wanted, else as they are, else without effect."""
    final = []
    switch = {MINIMUM: MINIMUM_ON, MAXIMUM: MAXIMUM_ON}.get(triple)
    for axis in range(len(AXES)):
        default = triple.default
        if switch is not None and states[switch].values[axis] != 1.0:
            default = _WIDE_OPEN[triple]
        now = states[triple].values[axis]
        value = wanted[axis] if wanted[axis] is not None else now
        final.append(default if value is None or not math.isfinite(value) else value)
    return final
