"""Layers of a limit set (prior < data < artist), and its active shapes and dependencies.

The limits in a set are the ones in effect. An artist's edits are kept with them, each with the
measured value it replaced, so edits can be undone, carried over to another estimate, and changed at
any time. A shape describes the motion: once an artist has edited a joint's ranges or type, only the
edited ranges apply, narrower or wider, until the shape is fitted again or the edits are undone. The
same holds for ranges that depend on another channel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, cast

from ..base.findings import Finding
from ..base.records import with_tuples
from ..base.text import plural
from ..geometry.euler import CHANNELS
from .limit_set import (
    AxisLimit,
    AxisSource,
    BoundSource,
    HingeCandidate,
    JointLimit,
    LimitSet,
    Orientation,
    Universal,
    axis_from_dict,
)
from .ranges import MAX_LOCKED_DEG, TURN_DEG, span_of, with_limits
from .records import BOUNDS, ArtistEdit, Dependency, combine_edits

if TYPE_CHECKING:
    from ..shapes.coupled_limit import CoupledLimit

RULE = "artist-edit"
"""Rule for findings about edits, which are added and removed along with the edits."""
MAX_COST_SHARE = 0.9
"""The suggested orientation is mentioned if it lowers a hinge's cost to below this share."""
DECIDES = ("min", "max", "state", "type")
"""Edit targets that determine how a joint may move."""
BY_ARTIST = "an artist's ranges take precedence"
BY_SHAPE = "covered by the joint's shape"
NO_LIMIT = "the joint has no limits"
CIRCULAR = "only the earlier of two joints can drive the other; fit again"
"""For files from versions that found dependencies but did not apply them."""


def active_shapes(limit_set: LimitSet) -> dict[str, CoupledLimit]:
    """Active coupled limits, by joint."""
    decided = edited_joints(limit_set)
    return {
        name: joint.coupled
        for name, joint in limit_set.joints.items()
        if joint.coupled is not None and joint.type != "fixed" and name not in decided
    }


def edited_joints(limit_set: LimitSet) -> frozenset[str]:
    """Joints whose ranges or type an artist edited."""
    return frozenset(edit.joint for edit in limit_set.edits if edit.target in DECIDES)


def inactive_shapes(limit_set: LimitSet) -> tuple[str, ...]:
    """Joints whose shape is inactive because of an artist's edits."""
    active, joints = active_shapes(limit_set), limit_set.joints.items()
    return tuple(name for name, one in joints if one.coupled is not None and name not in active)


def active_dependencies(limit_set: LimitSet) -> tuple[Dependency, ...]:
    """Active ranges that depend on another channel."""
    every = limit_set.dependencies
    return tuple(item for item in every if inactive_reason(limit_set, item) is None)


def inactive_reason(limit_set: LimitSet, dependency: Dependency) -> str | None:
    """Reason why a dependency is inactive; None for an active one.

    A dependency within one joint is covered by the joint's shape, which never allows more.
    """
    joints = limit_set.joints
    order = {name: place for place, name in enumerate(joints)}
    if any(name not in joints for name in (dependency.joint, dependency.on_joint)):
        return NO_LIMIT
    if joints[dependency.joint].type == "fixed":
        return NO_LIMIT
    if order[dependency.on_joint] > order[dependency.joint]:
        return CIRCULAR
    for edit in limit_set.edits:
        if edit.joint == dependency.joint and edit.target in (*DECIDES, "orientation"):
            return BY_ARTIST
        if edit.joint == dependency.on_joint and edit.target == "orientation":
            return BY_ARTIST
    if dependency.joint == dependency.on_joint and joints[dependency.joint].coupled is not None:
        return BY_SHAPE
    return None


def with_edits(limit_set: LimitSet, edits: Sequence[ArtistEdit]) -> LimitSet:
    """Apply edits to a limit set; they override data and prior.

    `limit_set`: its own edits stay unless `edits` replaces them. `edits`, sequence of ArtistEdit:
    edits of joints that are not in the set are kept and reported. Applying the same edits again
    changes nothing. If an edited limit passes a measured one, the measured one moves with it, since
    edits outlive the estimate they were made on; :func:`decide` rejects such an edit. Raises
    ValueError if the edited minimum of a channel is above its edited maximum, if the joint has no
    such channel, or if a free channel is to be limited without a value.
    """
    held = limit_set.edits
    data = without_edits(limit_set)
    joints, findings = dict(data.joints), list(data.findings)
    record: list[ArtistEdit] = []
    wanted = combine_edits(held, tuple(edits))
    for name in dict.fromkeys(edit.joint for edit in wanted):
        own = [edit for edit in wanted if edit.joint == name]
        if name not in joints:
            text = f"{plural(len(own), 'edit')} kept for joint {name!r}, which is not in this set"
            findings.append(Finding(RULE, text))
            record += own
            continue
        joints[name], applied = edited_joint(joints[name], own)
        record += applied
    return replace(data, joints=joints, findings=tuple(findings), edits=tuple(record))


def decide(limit_set: LimitSet, edits: Sequence[ArtistEdit]) -> LimitSet:
    """Apply edits as :func:`with_edits` does, without moving any other limit.

    `edits`: edits made on this limit set. Also raises ValueError for an edit that sets only one
    limit of a channel and would pass the other.
    """
    given = {edit.key for edit in edits}
    for edit in edits:
        joint, end = limit_set.joints.get(edit.joint), edit.target
        axis = None if joint is None else joint.limits.get(edit.channel or "")
        if axis is None or end not in BOUNDS or edit.value is None:
            continue
        passed = passed_limit(axis, end, float(cast("float", edit.value)))
        if passed is None:
            continue
        other, far = passed
        if not given & {(edit.joint, one, edit.channel) for one in (other, "state")}:
            place, most = f"{edit.joint} {edit.channel}", {"min": "most", "max": "least"}[end]
            raise ValueError(
                f"{place}: {end} {edit.value:g} would pass {other} {far:g}; set the {other} too, "
                f"or a {end} of {far:g} at {most}"
            )
    return with_edits(limit_set, edits)


def passed_limit(axis: AxisLimit, end: str, value_deg: float) -> tuple[str, float] | None:
    """The limit, "min" or "max", that a new opposite limit passes, and its value; else None."""
    other = BOUNDS[1 - BOUNDS.index(end)]
    far = axis.bound_deg(other)
    passes = far is not None and (value_deg > far if end == "min" else value_deg < far)
    return (other, cast("float", far)) if passes else None


def without_edits(limit_set: LimitSet) -> LimitSet:
    """Limit set without edits: as measured, or from the prior."""
    if not limit_set.edits:
        return limit_set
    joints = dict(limit_set.joints)
    for name in {edit.joint for edit in limit_set.edits} & set(joints):
        joint, limits = joints[name], dict(joints[name].limits)
        for edit in limit_set.edits:
            was = edit.replaced
            if edit.joint != name or was is None:
                continue
            if edit.channel is not None:
                limits[edit.channel] = axis_from_dict(was)
            elif edit.target == "orientation":
                joint = replace(joint, orientation=_frame(was))
            elif edit.target == "type":
                joint = replace(joint, type=was["type"])
                if "limits" in was:
                    universal = was["universal"] and Universal(**with_tuples(was["universal"]))
                    joint = replace(joint, hinge=None, universal=universal)
                    limits |= {one: axis_from_dict(axis) for one, axis in was["limits"].items()}
        if limits != joint.limits:
            joint = with_limits(joint, limits)
        joints[name] = replace(joint, findings=_without_rule(joint.findings))
    return replace(limit_set, joints=joints, findings=_without_rule(limit_set.findings), edits=())


def _without_rule(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding.rule != RULE)


def reset(
    limit_set: LimitSet, joint: str, target: str | None = None, channel: str | None = None
) -> LimitSet:
    """Undo the edits of a joint, or only those of one property.

    `target`: "min", "max", "state", "type", "orientation" or "note"; all by default. `channel`:
    all by default.
    """

    def is_undone(edit: ArtistEdit) -> bool:
        if edit.joint != joint or channel not in (None, edit.channel):
            return False
        return target in (None, edit.target) or (target == "state" and edit.channel in at_lock)

    at_lock = [e.channel for e in limit_set.edits if (e.joint, e.value) == (joint, "locked")]
    kept = tuple(edit for edit in limit_set.edits if not is_undone(edit))
    return with_edits(without_edits(limit_set), kept)


def locks(limit_set: LimitSet, joint: str, channels: Sequence[str] = CHANNELS) -> list[ArtistEdit]:
    """Edits that pin the limits of a joint at their current values.

    Raises KeyError if the set has no such joint.
    """
    limits = limit_set.joints[joint].limits
    found = []
    for channel in channels:
        span = span_of(limits[channel])
        if span is None:
            found.append(ArtistEdit(joint, "state", channel, "free"))
        else:
            found += [ArtistEdit(joint, end, channel, value) for end, value in zip(BOUNDS, span)]
    return found


def edited_joint(
    joint: JointLimit, edits: Sequence[ArtistEdit]
) -> tuple[JointLimit, list[ArtistEdit]]:
    """Edited joint, and its edits with the values that they replaced."""
    data, record = joint, []
    for edit in edits:
        if edit.target == "type":
            joint = _with_type(joint, str(edit.value))
    wanted = _with_ends_of_locks(joint, edits)
    limits = _edited_limits(joint, wanted)
    if limits != joint.limits:
        joint = with_limits(joint, limits)
    for edit in wanted:
        value = edit.value
        if edit.target in BOUNDS and edit.channel is not None:
            value = limits[edit.channel].bound_deg(edit.target)
        elif edit.target == "orientation":
            joint = replace(joint, orientation=_frame(cast("Mapping[str, Any]", value)))
        record.append(replace(edit, value=value, replaced=_replaced_value(data, edit)))
    return replace(joint, findings=(*joint.findings, *_findings(data, record))), record


def _with_ends_of_locks(joint: JointLimit, edits: Sequence[ArtistEdit]) -> list[ArtistEdit]:
    """Edits, with min and max added at the current angle for channels locked without an angle."""
    found = []
    for edit in edits:
        found.append(edit)
        channel = edit.channel or ""
        given = {one.target for one in edits if one.channel == channel}
        if edit.value == "locked" and channel in joint.limits and not given & set(BOUNDS):
            axis = _edited_axis(joint, channel, {edit.target: edit})
            ends = ((end, axis.bound_deg(end)) for end in BOUNDS)
            found += [ArtistEdit(edit.joint, end, channel, value) for end, value in ends]
    return found


def _edited_limits(joint: JointLimit, edits: Sequence[ArtistEdit]) -> dict[str, AxisLimit]:
    """Edited ranges; raises ValueError for a channel that the joint does not have."""
    limits = dict(joint.limits)
    for channel in dict.fromkeys(edit.channel for edit in edits if edit.channel is not None):
        if channel not in limits:
            wrong = f"channel must be one of {', '.join(limits)}, not {channel!r}"
            raise ValueError(f"edit of joint {edits[0].joint!r}: {wrong}")
        own = {edit.target: edit for edit in edits if edit.channel == channel}
        limits[channel] = _edited_axis(joint, channel, own)
    return limits


def _is_taken(joint: JointLimit, kind: str) -> bool:
    """Whether a type edit accepts a joint's hinge candidate."""
    return kind == "hinge" != joint.type and joint.candidate is not None


def _with_type(joint: JointLimit, kind: str) -> JointLimit:
    """Joint with a new type; accepting a candidate sets its axis and locks the other channels."""
    if not _is_taken(joint, kind):
        return replace(joint, type=kind)
    taken, limits = cast("HingeCandidate", joint.candidate), dict(joint.limits)
    for channel, value in taken.locked_deg.items():
        limits[channel] = _with_state(limits[channel], "locked", value)
    return with_limits(replace(joint, type=kind, hinge=taken.hinge, universal=None), limits)


def _replaced_value(data: JointLimit, edit: ArtistEdit) -> dict[str, Any] | None:
    if edit.channel is not None:
        return asdict(data.limits[edit.channel])
    if edit.target == "type":
        if not _is_taken(data, str(edit.value)):
            return {"type": data.type}
        limits = {channel: asdict(axis) for channel, axis in data.limits.items()}
        universal = data.universal and asdict(data.universal)
        return {"type": data.type, "universal": universal, "limits": limits}
    return asdict(data.orientation) if edit.target == "orientation" else None


def _edited_axis(joint: JointLimit, channel: str, edits: Mapping[str, ArtistEdit]) -> AxisLimit:
    """Edited range of a channel; a measured limit moves if an edited one passes it."""
    axis = joint.limits[channel]
    place = f"edit of joint {next(iter(edits.values())).joint!r}"
    if "state" in edits:
        pose = joint.preferred_deg[CHANNELS.index(channel)] if channel in CHANNELS else 0.0
        axis = _with_state(axis, str(edits["state"].value), pose)
    low, high = (
        float(cast("float", edits[end].value))
        if end in edits and edits[end].value is not None
        else axis.bound_deg(end)
        for end in BOUNDS
    )
    is_bounded = bool(set(edits) & set(BOUNDS))
    if low is None and high is None:
        if is_bounded or ("state" in edits and edits["state"].value != "free"):
            raise ValueError(f"{place}: {channel} is free; set a min or a max too")
        return axis
    if not is_bounded:
        return axis
    # If a free channel gets only one limit, the other is a full turn away.
    low = cast("float", high) - TURN_DEG if low is None else low
    high = low + TURN_DEG if high is None else high
    if low > high:
        if "min" in edits and "max" in edits:
            raise ValueError(f"{place}, {channel}: min {low:g} is above max {high:g}; swap them")
        low, high = (low, low) if "min" in edits else (high, high)
    source = AxisSource(
        _artist(low) if "min" in edits else axis.source.min,
        _artist(high) if "max" in edits else axis.source.max,
    )
    state = "locked" if axis.state == "locked" and high - low <= MAX_LOCKED_DEG else "limited"
    gap = max(TURN_DEG - (high - low), 0.0)
    return replace(axis, state=state, min_deg=low, max_deg=high, gap_deg=gap, source=source)


def _with_state(axis: AxisLimit, state: str, pose_deg: float) -> AxisLimit:
    span = span_of(axis)
    if state == "free":
        return AxisLimit("free", gap_deg=axis.gap_deg)
    if state == "locked" and (span is None or span[1] - span[0] > MAX_LOCKED_DEG):
        at = AxisSource(_artist(pose_deg), _artist(pose_deg))
        return AxisLimit("locked", pose_deg, pose_deg, TURN_DEG, at)
    return axis if span is None else replace(axis, state=state)


def _artist(value: float) -> BoundSource:
    return BoundSource("artist", value_deg=value)


def _findings(data: JointLimit, record: Sequence[ArtistEdit]) -> list[Finding]:
    """Findings about conflicts between an artist's edits and the data."""
    found = []
    for edit in record:
        text = None
        if edit.target == "orientation":
            wanted = _frame(cast("Mapping[str, Any]", edit.value))
            if replace(wanted, kind=data.orientation.kind) != data.orientation:
                text = "orientation edited, but the ranges are for the old one; estimate again"
        elif edit.target in BOUNDS and edit.channel is not None:
            span, value = span_of(data.limits[edit.channel]), cast("float", edit.value)
            low, high = span or (value, value)
            beyond = value - low if edit.target == "min" else high - value
            if beyond > MAX_LOCKED_DEG:
                motion = f"but the motion goes {beyond:.1f} degrees beyond"
                text = f"{edit.channel} {edit.target} is set to {value:g}, {motion}"
        elif edit.target == "type" and _is_taken(data, str(edit.value)):
            # Motion lost by accepting the hinge.
            taken = cast("HingeCandidate", data.candidate)
            others = " and ".join(f"{one} at {at:.1f}" for one, at in taken.locked_deg.items())
            text = (
                f"made a hinge about {taken.hinge.channel}, with {others}: removes "
                f"{taken.rms_deg:.1f} degrees rms from the motion, up to {taken.worst_deg:.1f}"
            )
            about_axis = data.evidence.residual_deg.get("hinge")
            if about_axis is not None and about_axis < MAX_COST_SHARE * taken.rms_deg:
                text += f"; in the suggested orientation only {about_axis:.1f} rms"
        if text is not None:
            found.append(Finding(RULE, text, edit.joint))
    return found


def _frame(data: Mapping[str, Any]) -> Orientation:
    return Orientation(**with_tuples(data))
