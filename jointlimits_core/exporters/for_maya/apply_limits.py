"""Joint limits for the open scene, written by jointlimits. Needs nothing installed.

Run this whole file in a Python tab of Maya's Script Editor. Everything is one undo step. Joints
are found by name. Limits that would change a pose, at keys, between keys, in the playback range or
now, are left off. The first printed line counts the limits left off, and warnings name them. Limits
are moved to the Euler branch and whole turn of the keys. The limits of joints that follow a control
stay off: they would separate a joint from its control.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from maya import cmds

NAMESPACE = ""  # prefix of every name, for example "hero:"
REPLACE = False  # True: overwrite limits that joints already have
MAY_MOVE = False  # True: enable limits even if poses change; the same channels are listed
ENABLE_DRIVEN = False  # True: also turn on limits of joints that follow a control

AXES = ("X", "Y", "Z")
FREE = (None, None)
MIDDLE_AXIS = (1, 2, 0, 2, 0, 1)  # by rotate order
MAX_SAME_DIRECTION = 0.0002
MIN_CHANGE_DEG = 0.001
MAX_BETWEEN_DEG = 1.0  # maximum widening of limits for curve values between frames
MAX_FRAMES = 100_000
STEPS_PER_FRAME = 4  # samples per frame; the largest values between them are found as well
FILTER = "filter them first (Graph Editor: Curves > Euler Filter)"
STAYS_OFF = "follows {}; limits written but off (set ENABLE_DRIVEN to True to turn them on)"
PASSING_ON = ("unitConversion", "pairBlend", "animLayer", "character", "jointLimitProject", "time")
PLACED, MOVED = ("rotate", "translate"), ("transform", "joint", "ikHandle")  # what animators move

Wanted = Any  # a joint's entry in LIMITS
Bounds = Any  # minimum and maximum in degrees, None for no limit
Read = Any  # function that returns a channel's degrees at frames


class LeftOffError(Exception):
    """A joint whose limits are left off, with the reason."""


@dataclass
class Poses:
    """Channels of one joint, in degrees.

    `frames`: frame of each sample, None for the current pose. `samples`: channels in each frame.
    `peaks`: for each channel, its largest and smallest value between samples as (frame, value).
    """

    frames: list[float | None]
    samples: list[tuple[float, ...]]
    peaks: list[list[tuple[float, float]]]


def apply_limits(limits: Mapping[str, Wanted]) -> list[str]:
    """Write limits on the joints of the open scene; return all warnings, left-off limits first."""
    moved: list[str] = []
    others: list[str] = []
    written = 0
    cmds.undoInfo(openChunk=True, chunkName="Joint Limits")
    try:
        curves = [c for c in cmds.ls(type="animCurve") or [] if is_over_time(c)]
        turned_by_ik, key_frames = joints_in_ik(), frames_of_keys(curves)
        for name, wanted in limits.items():
            joint, reason = find_joint(name, wanted)
            if reason:
                others.append(f"{name}: {reason}")
                continue
            clamped, problems = write_joint(joint, wanted, joint in turned_by_ik, key_frames)
            moved += [f"{name}: {sentence}" for sentence in clamped]
            others += [f"{name}: {sentence}" for sentence in problems]
            written += 1
    finally:
        cmds.undoInfo(closeChunk=True)
    what = "enabled though poses change" if MAY_MOVE else "left off"
    channels = "1 channel" if len(moved) == 1 else f"{len(moved)} channels"
    print(
        f"Joint limits: {channels} {what}; {written} of {len(limits)} joints written, "
        f"{len(others)} other warnings"
    )
    for sentence in [*moved, *others]:
        cmds.warning(sentence)
    return [*moved, *others]


def find_joint(name: str, wanted: Wanted) -> tuple[str, str]:
    """Return the joint with this name, and why it cannot be used ("" if it can)."""
    path = "|".join(NAMESPACE + part if part else part for part in name.split("|"))
    found = cmds.ls(path, type="joint", long=True) or []
    if len(found) != 1:
        return "", f"{len(found) or 'no'} joints are named {path}, expected 1"
    is_same_order = cmds.getAttr(found[0] + ".rotateOrder") == wanted["rotateOrder"]
    differs = "" if is_same_order else "rotate order"
    for attribute in ("jointOrient", "rotateAxis"):
        here = [cmds.getAttr(f"{found[0]}.{attribute}{axis}") / unit() for axis in AXES]
        pairs = zip(turned_axes(here), turned_axes(wanted[attribute]))
        if any(abs(a - b) >= MAX_SAME_DIRECTION for a, b in pairs):
            differs = differs or attribute
    reason = f"{differs} differs from that of its limits; limits not written" if differs else ""
    return found[0], reason


def turned_axes(angles: Sequence[float]) -> list[float]:
    """Three axes as nine numbers, rotated about X, then Y, then Z; angles in degrees."""
    result = []
    for turned in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]):
        for axis, angle in enumerate(map(math.radians, angles)):
            i, j = (axis + 1) % 3, (axis + 2) % 3
            x, y = turned[i], turned[j]
            turned[i] = math.cos(angle) * x - math.sin(angle) * y
            turned[j] = math.sin(angle) * x + math.cos(angle) * y
        result += turned
    return result


def unit() -> float:
    """Scene angle units per degree."""
    is_degrees = cmds.currentUnit(query=True, angle=True) in ("deg", "degree")
    return 1.0 if is_degrees else math.pi / 180.0


def write_joint(
    joint: str, wanted: Wanted, is_turned_by_ik: bool, key_frames: set[float]
) -> tuple[list[str], list[str]]:
    """Write limits, degrees of freedom and the preferred angle of one joint.

    Returns sentences about channels whose limits change poses, and about other problems.
    """
    there = [limits_there(joint, axis) for axis in AXES]
    limits, angles = wanted["limits"], wanted["preferredAngle"]
    try:
        if is_turned_by_ik:
            raise LeftOffError("is turned by an IK handle; bake its poses to keys first")
        poses = read_poses(joint, there, key_frames)
        limits, angles = place_limits(limits, angles, wanted["rotateOrder"], poses)
        limits = [reaching_between_frames(limits[axis], axis, poses) for axis in range(3)]
        order = wanted["rotateOrder"]
        changes = [change(axis, limits, there[axis], order, poses) for axis in range(3)]
    except LeftOffError as error:
        changes = ["" if bounds == FREE else str(error) for bounds in limits]
        if not MAY_MOVE:
            named = zip(AXES, changes)
            return [f"rotate{axis} {text}; no limits written" for axis, text in named if text], []
    moved: list[str] = []
    control = "" if ENABLE_DRIVEN or all(bounds == FREE for bounds in limits) else control_of(joint)
    problems = [STAYS_OFF.format(control)] if control else []
    for axis, letter in enumerate(AXES):
        problem = obstacle(joint, letter, there[axis], limits[axis])
        written_off = control and there[axis] == FREE
        if problem:
            problems.append(problem)
        elif changes[axis] and not (written_off or is_same(there[axis], limits[axis])):
            what = "no limits written" if there[axis] == FREE else "those limits stay"
            what = "enabled anyway" if MAY_MOVE else what
            moved.append(f"rotate{letter} {changes[axis]}; {what}")
            if not MAY_MOVE:
                continue
        if not problem:
            write_limits(joint, letter, limits[axis], not control)
        problems += write_freedom(joint, letter, wanted["moves"][axis], angles[axis])
    return moved, problems


def ends_of(joint: str, axis: str) -> list[tuple[str, str]]:
    """Value plug and enable plug of a channel's minimum and maximum."""
    plugs = (f"{joint}.{end}Rot{axis}Limit" for end in ("min", "max"))
    return [(plug, plug + "Enable") for plug in plugs]


def limits_there(joint: str, axis: str) -> Bounds:
    """Limits of a channel that are switched on, in degrees."""
    low, high = (
        cmds.getAttr(plug) / unit() if cmds.getAttr(switch) else None
        for plug, switch in ends_of(joint, axis)
    )
    return low, high


def is_same(there: Bounds, bounds: Bounds) -> bool:
    """Whether a channel already has these limits."""
    return all(
        a is b is None or (a is not None and b is not None and abs(a - b) < 1e-9)
        for a, b in zip(there, bounds)
    )


def obstacle(joint: str, axis: str, there: Bounds, bounds: Bounds) -> str:
    """Return what prevents writing the limits of a channel, or ""."""
    plugs = [plug for end in ends_of(joint, axis) for plug in end]
    if not all(cmds.getAttr(plug, settable=True) for plug in plugs):
        return f"the limits of rotate{axis} are locked or connected"
    if not REPLACE and there != FREE and not is_same(there, bounds):
        return f"rotate{axis} already has other limits; set REPLACE to True to overwrite them"
    return ""


def write_limits(joint: str, axis: str, bounds: Bounds, on: bool) -> None:
    """Write the limits of one channel and, if asked, turn them on."""
    if is_same(limits_there(joint, axis), bounds):
        return
    for _, switch in ends_of(joint, axis):
        cmds.setAttr(switch, False)
    for (plug, switch), bound in zip(ends_of(joint, axis), bounds):
        if bound is not None:
            cmds.setAttr(plug, bound * unit())
            cmds.setAttr(switch, on)


def write_freedom(joint: str, axis: str, moves: bool, angle: float) -> list[str]:
    """Write the degree of freedom and the preferred angle of a channel; return what is locked."""
    problems = []
    for name, value in (("jointType", bool(moves)), ("preferredAngle", angle * unit())):
        if cmds.getAttr(f"{joint}.{name}{axis}", settable=True):
            cmds.setAttr(f"{joint}.{name}{axis}", value)
        else:
            problems.append(f"{name}{axis} is locked or connected")
    return problems


# Controls: transforms that an animator moves, with curve shapes, keys or free keyable channels.


def control_of(joint: str) -> str:
    """Nearest control upstream of a joint's rotation, or "" if there is none."""
    if cmds.objExists(f"{joint}.residualMillimeters"):  # built from tracks, not controls
        return ""
    todo, seen = driving_nodes(joint, ("rotate",)), {joint}
    for node in todo:  # which grows
        if node in seen:
            continue
        seen.add(node)
        kind, control, more = cmds.nodeType(node), "", inputs_of(node)
        if kind in MOVED:
            control, more = control_at(node, joint)
        elif kind == "reference":
            control = f"{node} (not loaded)"
        if control:
            return control.rpartition("|")[2]
        todo += [] if kind.startswith("HIK") else more
    return ""


def control_at(node: str, joint: str) -> tuple[str, list[str]]:
    """Control that carries a transform (itself or above it); if none does, the next nodes."""
    one = node
    while one and one != joint:
        shapes = cmds.listRelatives(one, shapes=True, fullPath=True) or []
        if any(cmds.nodeType(shape) in ("nurbsCurve", "bezierCurve") for shape in shapes):
            return one, []
        driving = driving_nodes(one, PLACED)
        if driving:
            return "", driving
        if channels_into(one, PLACED):  # keys; a joint with keys is a recorded skeleton
            return ("" if cmds.nodeType(one) == "joint" else one), []
        one = one.rpartition("|")[0]
    plugs = [f"{node}.{compound}{axis}" for compound in PLACED for axis in AXES]
    free = any(cmds.getAttr(p, keyable=True) and not cmds.getAttr(p, lock=True) for p in plugs)
    return (node, []) if free and cmds.nodeType(node) != "joint" else ("", inputs_of(node))


def driving_nodes(node: str, compounds: Sequence[str]) -> list[str]:
    """First node upstream of channels that does not just hold keys; empty if there is none."""
    handle, seen = joints_in_ik().get(node), {node}
    todo = [handle] if handle else channels_into(node, compounds)
    for one in todo:  # which grows
        if one in seen:
            continue
        seen.add(one)
        kind = cmds.nodeType(one)
        if kind in PASSING_ON or kind.startswith("animBlend"):
            todo += inputs_of(one)
        elif not is_over_time(one):
            return [one]
    return []


def channels_into(node: str, compounds: Sequence[str]) -> list[str]:
    """Nodes that drive channels of a transform."""
    plugs = [f"{node}.{compound}{axis}" for compound in compounds for axis in ("", *AXES)]
    return [one for plug in plugs for one in sources_of(plug)]


def inputs_of(node: str) -> list[str]:
    """Nodes that drive any attribute of a node, except for its parent."""
    return [one for one in sources_of(node) if one != node.rpartition("|")[0]]


# Poses of a joint in the scene.


def is_over_time(node: str) -> bool:
    """Whether a node is a time-based animation curve."""
    return bool(cmds.nodeType(node).startswith("animCurveT"))


def frames_of_keys(curves: Sequence[str]) -> set[float]:
    """Frames at which curves have keys."""
    return set(cmds.keyframe(curves, query=True, timeChange=True) or []) if curves else set()


@cache
def joints_in_ik() -> dict[str, str]:
    """IK handles, by the joints that they turn without being connected to the channels."""
    found: dict[str, str] = {}
    for handle in cmds.ls(type="ikHandle") or []:
        start, effector = (sources_of(f"{handle}.{end}") for end in ("startJoint", "endEffector"))
        joint = cmds.listRelatives(effector, parent=True, fullPath=True) if effector else None
        while start and joint and f"{joint[0]}|".startswith(f"{start[0]}|"):
            found[joint[0]] = cmds.ls(handle, long=True)[0]
            joint = cmds.listRelatives(joint, parent=True, fullPath=True)
    return found


def read_poses(joint: str, there: Sequence[Bounds], key_frames: set[float]) -> Poses:
    """Read all poses of a joint in the scene, bypassing limits that are on."""
    switches = [switch for axis in AXES for _, switch in ends_of(joint, axis)]
    switches = [one for one in switches if cmds.getAttr(one) and cmds.getAttr(one, settable=True)]
    try:
        for switch in switches:
            cmds.setAttr(switch, False)
        return poses_of(joint, key_frames)
    finally:
        for switch in switches:
            cmds.setAttr(switch, True)


def poses_of(joint: str, key_frames: set[float]) -> Poses:
    """Read a joint's values at and between keys, in the playback range and in the current pose."""
    plugs = [f"{joint}.rotate{axis}" for axis in AXES]
    current = [cmds.getAttr(plug) / unit() for plug in plugs]
    driven = [bool(sources_of(plug) or sources_of(f"{joint}.rotate")) for plug in plugs]
    curves = [curve_of(plug) for plug in plugs]
    keys = frames_of_keys([curve for curve in curves if curve])
    is_keyed = all(curve or not more for curve, more in zip(curves, driven))
    frames = sample_frames(keys if is_keyed else key_frames, key_frames) if any(driven) else []
    columns: list[list[float]] = []
    peaks: list[list[tuple[float, float]]] = []
    for plug, curve, is_driven, now in zip(plugs, curves, driven, current):

        def read(at: Sequence[float], plug: str = plug, curve: str = curve) -> list[float]:
            return values_at(plug, curve, at)

        column = read(frames) if is_driven else [now] * len(frames)
        columns.append([*column, now])
        peaks.append(peaks_of(frames, column, read) if is_driven else [])
    return Poses([*frames, None], list(zip(*columns)), peaks)


def sources_of(plug: str) -> list[str]:
    """Full paths of the nodes that drive a plug or, given a node, any of its attributes."""
    found = cmds.listConnections(plug, source=True, destination=False)
    return list(cmds.ls(found, long=True)) if found else []


def curve_of(plug: str) -> str:
    """Curve that alone determines a channel, or "" if other nodes contribute."""
    curve = next(iter(sources_of(plug)), "")
    if not curve or not is_over_time(curve) or sources_of(curve + ".input"):
        return ""
    is_quaternion = cmds.getAttr(curve + ".rotationInterpolation") > 2
    warp = "time1.enableTimewarp"
    is_warped = cmds.objExists(warp) and cmds.getAttr(warp)
    return "" if is_quaternion or is_warped else curve


def sample_frames(keys: set[float], all_keys: set[float]) -> list[float]:
    """Frames to sample: keys, and whole frames and steps over all keys and the playback range."""
    ranges = ("minTime", "maxTime", "animationStartTime", "animationEndTime")
    ends = [*all_keys, *(cmds.playbackOptions(query=True, **{name: True}) for name in ranges)]
    first, last = min(ends), max(ends)
    if last - first > MAX_FRAMES:
        raise LeftOffError(f"has more than {MAX_FRAMES:,} frames to check; shorten the animation")
    whole = map(float, range(math.ceil(first), math.floor(last) + 1))
    points = sorted({first, *whole, *keys, last})
    between = (
        a + (b - a) * step / STEPS_PER_FRAME
        for a, b in zip(points, points[1:])
        for step in range(STEPS_PER_FRAME)
    )
    return [*between, points[-1]]


def values_at(plug: str, curve: str, frames: Sequence[float]) -> list[float]:
    """Values of a channel at frames, in degrees; the current time does not change."""
    if curve:
        times: Any = [(frame, frame) for frame in frames]
        found = cmds.keyframe(curve, query=True, eval=True, time=times) or []
        if len(found) == len(frames):  # live check: keyframe-eval-many-times
            return [value / unit() for value in found]
    return [cmds.getAttr(plug, time=frame) / unit() for frame in frames]


def peaks_of(
    frames: Sequence[float], values: Sequence[float], read: Read
) -> list[tuple[float, float]]:
    """Frame and value of the maximum and of the minimum, which may be between samples."""
    return [
        max(
            (climb(frames, at, read, sign) for at in summits(values, sign)),
            key=lambda peak: sign * peak[1],
        )
        for sign in (1.0, -1.0)
    ]


def summits(values: Sequence[float], sign: float) -> list[int]:
    """Samples that may be next to the largest value, at most 16."""
    heights = [sign * value for value in values]
    top, step = max(heights), max((abs(b - a) for a, b in zip(values, values[1:])), default=0.0)
    found = {heights.index(top)}
    for at, height in enumerate(heights):
        if height + step < top:
            continue
        beside = heights[max(at - 1, 0)], heights[min(at + 1, len(heights) - 1)]
        if max(beside) <= height and height > min(beside) and 2.0 * height - min(beside) > top:
            found.add(at)
    return sorted(found, key=lambda at: -heights[at])[:16]


def climb(frames: Sequence[float], at: int, read: Read, sign: float) -> tuple[float, float]:
    """Frame and value of the peak near a sample."""
    low, high = frames[max(at - 1, 0)], frames[min(at + 1, len(frames) - 1)]
    for _ in range(8):
        inner = [low + (high - low) * step / 8.0 for step in range(9)]
        values = [sign * value for value in read(inner)]
        best = values.index(max(values))
        low, high = inner[max(best - 1, 0)], inner[min(best + 1, 8)]
    return inner[best], sign * values[best]


# Limits compared with the poses.


def place_limits(
    limits: Sequence[Bounds], angles: Sequence[float], order: int, poses: Poses
) -> tuple[list[Bounds], list[float]]:
    """Limits and preferred angles on the Euler branch and turn of a joint's values.

    The same rotations recur a full turn away on any channel, or half a turn away on all three with
    the middle one mirrored. Of these, the one with the fewest channels outside is chosen; in a tie,
    the one with the fewest samples outside, then the original branch.
    """
    columns = list(zip(*poses.samples))
    found = []
    for is_other in (False, True):
        boxes, points = list(limits), [(angle, angle) for angle in angles]
        turns = [0, 0, 0]
        if is_other:
            boxes, points = other_branch(boxes, order), other_branch(points, order)
            turns = [round((now[-1] - at[0]) / 360.0) for now, at in zip(columns, points)]
        for axis, box in enumerate(boxes):
            turns[axis] = turns[axis] if box == FREE else best_turn(box, columns[axis])
        boxes, points = move_by(turns, boxes), move_by(turns, points)
        counts = [count_outside(box, column) for box, column in zip(boxes, columns)]
        found.append((sum(map(bool, counts)), sum(counts), is_other, boxes, points))
        if not any(counts):
            break
    *_, boxes, points = min(found, key=lambda one: one[:3])
    return boxes, [point[0] for point in points]


def reaching_between_frames(bounds: Bounds, axis: int, poses: Poses) -> Bounds:
    """Limits widened to the extremes between frames, if they hold at every whole frame."""
    values = [angles[axis] for angles in poses.samples]
    whole = [v for at, v in zip(poses.frames, values) if at is None or at == round(at)]
    low, high = bounds
    if count_outside(bounds, whole):
        return bounds
    values += [value for _, value in poses.peaks[axis]]
    if low is not None and 0.0 < low - min(values) <= MAX_BETWEEN_DEG:
        low = min(values)
    if high is not None and 0.0 < max(values) - high <= MAX_BETWEEN_DEG:
        high = max(values)
    return low, high


def other_branch(limits: Sequence[Bounds], order: int) -> list[Bounds]:
    """Limits for the same rotations on the other Euler branch."""
    found, middle = move_by((0.5, 0.5, 0.5), limits), MIDDLE_AXIS[order]
    high, low = (None if end is None else 180.0 - end for end in limits[middle])
    found[middle] = low, high
    return found


def move_by(turns: Sequence[float], limits: Sequence[Bounds]) -> list[Bounds]:
    """Limits of every channel, shifted by full turns."""
    return [
        (None if low is None else low + 360.0 * turn, None if high is None else high + 360.0 * turn)
        for turn, (low, high) in zip(turns, limits)
    ]


def closed_ends(bounds: Bounds) -> tuple[float, float]:
    """Both ends of a range; a missing end is half a turn from the other end."""
    low, high = bounds
    return (high - 180.0 if low is None else low), (low + 180.0 if high is None else high)


def best_turn(bounds: Bounds, values: Sequence[float]) -> int:
    """Full turns to shift limits by, so that the fewest values are outside; fewest in a tie."""
    if not count_outside(bounds, values):
        return 0
    low, high = closed_ends(bounds)
    nearest = Counter(round((value - 0.5 * (low + high)) / 360.0) for value in values)
    tried = {0, nearest.most_common(1)[0][0]}
    if None not in bounds:
        tried |= {math.ceil((max(values) - high) / 360.0), math.floor((min(values) - low) / 360.0)}

    def outside(turn: int) -> int:
        return count_outside(move_by((turn,), (bounds,))[0], values)

    return min(tried, key=lambda turn: (outside(turn), abs(turn), turn))


def clamp_value(bounds: Bounds, value: float) -> float:
    """A value within limits, as Maya clamps it: first the minimum, then the maximum."""
    low, high = bounds
    value = value if low is None else max(value, low)
    return value if high is None else min(value, high)


def count_outside(bounds: Bounds, values: Sequence[float]) -> int:
    """Number of values that limits would clamp."""

    def is_outside(value: float) -> bool:
        return abs(clamp_value(bounds, value) - value) > MIN_CHANGE_DEG

    is_any = is_outside(min(values)) or is_outside(max(values))
    return sum(map(is_outside, values)) if is_any else 0


def change(axis: int, limits: Sequence[Bounds], there: Bounds, order: int, poses: Poses) -> str:
    """Describe how limits would change a channel, and what to do; "" if they change nothing."""
    box = limits[axis]
    samples = [(at, angles[axis], angles) for at, angles in zip(poses.frames, poses.samples)]
    samples += [(at, value, ()) for at, value in poses.peaks[axis]]
    outside = count_outside(box, [value for _, value, _ in samples])
    if there == FREE and not outside:
        return ""

    def change_of(value: float) -> float:
        new = clamp_value(box, value)
        return max(abs(value - new), abs(clamp_value(there, value) - new))

    out = [(change_of(value), at, angles) for at, value, angles in samples]
    out = [one for one in out if one[0] > MIN_CHANGE_DEG]
    if not out:
        return ""
    worst, frame, _ = max(out, key=lambda one: one[0])
    whole = len({at for _, at, _ in out if at is not None and at == round(at)})
    count = f"{whole} frame{'s' * (whole != 1)}" if whole else "values between frames"
    where = "the current pose" if frame is None else f"{count}, at worst at frame {frame:g}"
    if not outside:
        return f"is clamped by limits that are on, and would move by {worst:.3f} degrees ({where})"
    # Between frames on different branches, values pass through poses that no frame shows.
    judged = [one for one in out if one[1] is None or one[1] == round(one[1])] or out
    flips = [bool(angles) and is_allowed(angles, limits, order) for _, _, angles in judged]
    advice = "change the pose first" if frame is None else "widen the limits over these frames"
    if any(flips) and not has_jumps(poses, order):
        advice = "fix the frames where its keys jump by a full turn, or widen the limits"
    elif any(flips):
        advice = f"those keys are on another Euler branch: {FILTER}"
        advice += "" if all(flips) else ", and widen the limits for the rest"
    return f"exceeds its limits by {worst:.3f} degrees ({where}); {advice}"


def has_jumps(poses: Poses, order: int) -> bool:
    """Whether channels jump to another Euler branch or turn from one frame to the next."""
    every = zip(poses.frames, poses.samples)
    whole = [angles for at, angles in every if at is not None and at == round(at)]
    for before, after in zip(whole, whole[1:]):
        other = [low for low, _ in other_branch([(angle, angle) for angle in after], order)]
        way = sum(abs(b - a) for a, b in zip(before, after))
        stay, turned = (
            sum(abs(math.remainder(b - a, 360.0)) for a, b in zip(before, angles))
            for angles in (after, other)
        )
        if 2.0 * stay < way or 2.0 * turned < stay:
            return True
    return False


def is_allowed(angles: Sequence[float], limits: Sequence[Bounds], order: int) -> bool:
    """Whether a rotation is within limits on any Euler branch and turn."""
    points = [(angle, angle) for angle in angles]
    return any(
        all(
            bounds == FREE
            or (point[0] - closed_ends(bounds)[0] + MIN_CHANGE_DEG) % 360.0
            <= closed_ends(bounds)[1] - closed_ends(bounds)[0] + 2.0 * MIN_CHANGE_DEG
            for point, bounds in zip(branch, limits)
        )
        for branch in (points, other_branch(points, order))
    )
