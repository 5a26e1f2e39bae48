"""Changes that a limit set makes to the joints of a rig, and attributes that it skips.

Attributes come in triples, one per axis. Most triples have a compound attribute, so a scene may set
them separately or together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ..geometry.euler import CHANNELS
from ..limits.carry_over import MIN_LOSS_DEG, CarryOverError, limit_in_order
from ..limits.limit_set import JointLimit, LimitSet
from ..limits.ranges import unmoved_joints
from ..motion.reorient import OrientAdvice
from .attributes import XYZ as AXES

SAME_DEG = 1e-10
"""Largest difference between angles that count as equal, degrees."""


class PlugObstacle(NamedTuple):
    """Reason why an attribute must not be set, and what to do about it."""

    reason: str
    advice: str


LOCKED = PlugObstacle("locked", "unlock the attribute in Maya if it should be written")
CONNECTED = PlugObstacle(
    "connected", "something drives the attribute; disconnect it in Maya if it should be written"
)
OF_JOINTS = PlugObstacle(
    "a control, and these are limits of joints",
    "carry them over in Maya: applyJointLimits -toControls",
)
OF_CONTROLS = PlugObstacle(
    "a joint, and these are limits of controls", "measure the joint for limits of its own"
)
IN_LOCKED_REFERENCE = PlugObstacle(
    "in a locked reference", "unlock the reference in Maya's Reference Editor"
)


class Triple(NamedTuple):
    """Three attributes of a joint, one per axis.

    `pattern`, `short_pattern`: names with ``{}`` for the axis. `compound`, `short_compound`: "" if
    there is none. `is_angle`: whether they are angles in the scene's unit, else they are switches.
    `default`: degrees; 0 or 1 for a switch.
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

LIMIT = (MINIMUM, MAXIMUM, MINIMUM_ON, MAXIMUM_ON)
"""Triples that make up the limits of a joint."""
#: In the order of scene files.
TRIPLES = (MINIMUM, MAXIMUM, MINIMUM_ON, MAXIMUM_ON, JOINT_TYPE, PREFERRED_ANGLE)
_LIMITS_AND_SWITCHES = (MINIMUM, MINIMUM_ON, MAXIMUM, MAXIMUM_ON, JOINT_TYPE, PREFERRED_ANGLE)


@dataclass
class TripleState:
    """State of a triple, by axis.

    `values`: degrees, or 0 or 1; None if never set. `obstacles`: None if the attribute may be set.
    `locked`: further axes that must not be set; None stands for all three.
    """

    values: list[float | None] = field(default_factory=lambda: [None] * 3)
    obstacles: list[PlugObstacle | None] = field(default_factory=lambda: [None] * 3)
    locked: set[int | None] = field(default_factory=set)

    def obstacle(self, axis: int) -> PlugObstacle | None:
        """Reason why the attribute of an axis must not be set; None if it may be."""
        return self.obstacles[axis] if self.locked.isdisjoint((None, axis)) else LOCKED


class PlugStates(dict[Triple, TripleState]):
    """State of every attribute of one joint."""

    def __init__(self) -> None:
        super().__init__((triple, TripleState()) for triple in TRIPLES)

    def limits_deg(self) -> dict[str, tuple[float | None, float | None]]:
        """Limits that are on, (min, max) in degrees by rotate channel; None for one that is off."""

        def end(bound: Triple, switch: Triple, axis: int) -> float | None:
            value = self[bound].values[axis]
            is_on = self[switch].values[axis] == 1.0
            return (bound.default if value is None else value) if is_on else None

        return {
            channel: (end(MINIMUM, MINIMUM_ON, axis), end(MAXIMUM, MAXIMUM_ON, axis))
            for axis, channel in enumerate(CHANNELS)
        }


@dataclass(frozen=True)
class JointChange:
    """Changes to one joint.

    `limits_deg`: (min, max) in degrees by rotate channel, None for a limit that is not enabled;
    other channels are unchanged. `joint_type`: whether it rotates about an axis, by "jointTypeX"...
    `of_controls`: whether the name is that of a control, which has neither joint types nor a
    preferred angle.
    """

    limits_deg: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)
    joint_type: Mapping[str, bool] | None = None
    preferred_angle_deg: tuple[float, float, float] | None = None
    of_controls: bool = False

    def validate(self, joint: str) -> JointChange:
        """Return this object if it is valid.

        Raises ValueError for unknown names, numbers that are not finite, and a minimum above its
        maximum.
        """
        for channel, bounds in self.limits_deg.items():
            if channel not in CHANNELS:
                raise ValueError(f"joint {joint!r}: {channel!r} must be in {', '.join(CHANNELS)}")
            known = [bound for bound in bounds if bound is not None]
            if not all(math.isfinite(bound) for bound in known) or known != sorted(known):
                raise ValueError(f"joint {joint!r}: {bounds} are not limits for {channel}")
        names = [JOINT_TYPE.name(axis) for axis in range(3)]
        unknown = [name for name in self.joint_type or {} if name not in names]
        if unknown:
            raise ValueError(f"joint {joint!r}: {unknown[0]!r} is not one of {', '.join(names)}")
        angles = self.preferred_angle_deg
        if angles is not None and not (len(angles) == 3 and all(map(math.isfinite, angles))):
            raise ValueError(f"joint {joint!r}: {angles} is not a preferred angle")
        return self


@dataclass(frozen=True)
class Skipped:
    """Attribute that was not written, the reason, and what to do about it.

    `attribute`: long name, a channel, or "" for the whole joint.
    """

    joint: str
    attribute: str
    reason: str
    advice: str


@dataclass
class JointPlan:
    """Values to write, by attribute and axis, and skipped attributes.

    `wanted`: by triple, each limit before its switch; degrees, or 0 or 1; None for no change.
    """

    wanted: dict[Triple, list[float | None]] = field(
        default_factory=lambda: {triple: [None] * 3 for triple in _LIMITS_AND_SWITCHES}
    )
    skipped: list[Skipped] = field(default_factory=list)

    def attribute_names(self) -> tuple[str, ...]:
        """Long names of the attributes that change, in scene order."""
        return tuple(
            triple.name(axis)
            for triple in TRIPLES
            for axis, value in enumerate(self.wanted[triple])
            if value is not None
        )


def plan_change(
    joint: str,
    change: JointChange,
    states: PlugStates,
    replace: bool,
    how_to_replace: str = "use --replace",
) -> JointPlan:
    """Plan to write those values of a joint that differ from the current ones.

    `replace`: whether limits that are enabled may be changed; `how_to_replace`: how to allow that,
    for messages.
    """
    plan = JointPlan()
    _plan_limits(plan, joint, change, states, None if replace else how_to_replace)
    switches = [(change.joint_type or {}).get(JOINT_TYPE.name(axis)) for axis in range(3)]
    angles = change.preferred_angle_deg or (None, None, None)
    for triple, values in ((JOINT_TYPE, switches), (PREFERRED_ANGLE, angles)):
        for axis, value in enumerate(values):
            if value is None or _has(states[triple], triple, axis, float(value)):
                continue
            obstacle = states[triple].obstacle(axis)
            if obstacle is None:
                plan.wanted[triple][axis] = float(value)
            else:
                plan.skipped.append(Skipped(joint, triple.name(axis), *obstacle))
    return plan


def _plan_limits(
    plan: JointPlan, joint: str, change: JointChange, states: PlugStates, advice: str | None
) -> None:
    """Plan the limits; enabled limits are skipped with the advice, unless it is None."""
    per_axis: dict[int, dict[Triple, float]] = {}
    for axis, channel in enumerate(CHANNELS):
        low, high = change.limits_deg.get(channel, (None, None))
        wanted: dict[Triple, float] = {}
        for triple, switch, bound in ((MINIMUM, MINIMUM_ON, low), (MAXIMUM, MAXIMUM_ON, high)):
            # Defaults are written too, so that readers of the file need not know them.
            if bound is not None and not _has(states[triple], triple, axis, bound, unset=False):
                wanted[triple] = float(bound)
            if not _has(states[switch], switch, axis, float(bound is not None)):
                wanted[switch] = float(bound is not None)
        if wanted and channel in change.limits_deg:
            per_axis[axis] = wanted
    enabled = [a for a in per_axis if states.limits_deg()[CHANNELS[a]] != (None, None)]
    if enabled and advice is not None:
        channels = ", ".join(CHANNELS[axis] for axis in enabled)
        advice = f"{channels} would change; {advice} to overwrite the limits of this joint"
        plan.skipped.append(Skipped(joint, channels, "has limits already", advice))
        return
    for axis, wanted in per_axis.items():
        obstacles = {triple.name(axis): states[triple].obstacle(axis) for triple in wanted}
        stuck = [Skipped(joint, name, *why) for name, why in obstacles.items() if why is not None]
        # Half a limit is worse than none, so the whole channel is skipped.
        plan.skipped += stuck[:1]
        for triple, value in wanted.items() if not stuck else ():
            plan.wanted[triple][axis] = value


def _has(state: TripleState, triple: Triple, axis: int, value: float, unset: bool = True) -> bool:
    """Whether an attribute has a value already; if `unset`, no stored value means the default."""
    now = state.values[axis]
    if now is None:
        return unset and value == triple.default
    return abs(now - value) <= SAME_DEG


def drop_from_plan(plan: JointPlan, axis: int, triples: Sequence[Triple]) -> bool:
    """Drop attributes of an axis from a plan; return whether any would have changed."""
    dropped = [plan.wanted[triple][axis] for triple in triples]
    for triple in triples:
        plan.wanted[triple][axis] = None
    return any(value is not None for value in dropped)


def leave_off(
    plan: JointPlan, joint: str, change: JointChange, states: PlugStates, may_replace: bool
) -> Iterator[str]:
    """Change a plan so that it switches off every limit that it may change, and switches none on.

    `plan`: changed in place. `joint`: for messages. `may_replace`: whether limits that are on may
    be switched off. Yields switches that would otherwise be on.
    """
    for side, switch in enumerate((MINIMUM_ON, MAXIMUM_ON)):
        for axis, channel in enumerate(CHANNELS):
            if change.limits_deg.get(channel, (None, None))[side] is None:
                continue
            wanted = plan.wanted[switch][axis]
            if wanted == 1.0:
                plan.wanted[switch][axis] = None
                yield switch.name(axis)
            elif may_replace and wanted is None and states[switch].values[axis] == 1.0:
                why = states[switch].obstacle(axis)
                if why is not None:
                    plan.skipped.append(Skipped(joint, switch.name(axis), *why))
                    continue
                plan.wanted[switch][axis] = 0.0
                yield switch.name(axis)


def advice_to_follow(joint: JointLimit) -> OrientAdvice | None:
    """Orient advice that a joint's limits require; None if they use its own orientation."""
    advice = joint.advice
    follows = joint.orientation.kind == "advised" and advice is not None and advice.changes
    return advice if follows else None


def branch_of(joint: JointLimit) -> tuple[float, float, float]:
    """Middle of each channel's range in degrees, or 0 if unlimited; defines the limits' branch."""
    x, y, z = (
        0.0 if one.min_deg is None or one.max_deg is None else 0.5 * (one.min_deg + one.max_deg)
        for one in (joint.limits[channel] for channel in CHANNELS)
    )
    return x, y, z


class FittedLimits(NamedTuple):
    """Limits in the rotate orders of a scene.

    `boxed`: joints whose limits were for another order, with clauses on how much more their new box
    allows. `skipped`: joints whose order cannot hold them.
    """

    limits: LimitSet
    boxed: dict[str, str]
    skipped: list[Skipped]


def fit_rotate_orders(limit_set: LimitSet, orders: Mapping[str, str]) -> FittedLimits:
    """Limits in the rotate orders that a scene has.

    `orders`: by name in the limit set; for joints that keep their orientation.
    """
    joints, boxed, skipped = dict(limit_set.joints), dict[str, str](), list[Skipped]()
    for name, order in orders.items():
        own = joints[name].orientation.rotate_order
        try:
            joints[name], loss_deg = limit_in_order(joints[name], order)
        except CarryOverError:
            reason = f"its rotate order {order} reaches gimbal lock within the limits, for {own}"
            skipped.append(Skipped(name, "", reason, "estimate it again in this scene"))
            del joints[name]
            continue
        if loss_deg > MIN_LOSS_DEG:
            what = f"its limits are for rotate order {own}; converted to its own, {order}, they"
            boxed[name] = f"{what} allow up to {loss_deg:.1f} degrees more"
    return FittedLimits(replace(limit_set, joints=joints), boxed, skipped)


def changes_from_limit_set(limit_set: LimitSet, lock_unmoved: bool) -> Mapping[str, JointChange]:
    """Changes for every joint with at least one limited or locked channel.

    `lock_unmoved`: include joints of :func:`jointlimits_core.limits.unmoved_joints`, and locked
    channels of controls. Raises ValueError for a limit set measured in paper mode.
    """
    if limit_set.mode == "paper":
        raise ValueError(
            "limits measured in paper mode are on ZYZ angles, not on rotate channels; estimate "
            "again in standard mode"
        )
    left_alone = frozenset() if lock_unmoved else unmoved_joints(limit_set)
    # An animator may still want a channel of a control that this motion does not use.
    of_controls = limit_set.of_controls
    free = ("locked",) if of_controls and not lock_unmoved else ()
    return {
        name: JointChange(
            limits_deg={
                channel: (axis.min_deg, axis.max_deg)
                for channel, axis in joint.limits.items()
                if axis.state not in free
            },
            joint_type=None
            if of_controls
            else {
                f"jointType{channel[-1]}": axis.state != "locked"
                for channel, axis in joint.limits.items()
            },
            preferred_angle_deg=None if of_controls else joint.preferred_deg,
            of_controls=of_controls,
        )
        for name, joint in limit_set.joints.items()
        if name not in left_alone
        and any(joint.limits[channel].state != "free" for channel in CHANNELS)
    }
