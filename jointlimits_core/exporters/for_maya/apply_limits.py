"""Joint limits for the open scene, written by jointlimits. Needs nothing installed.

Run this whole file in a Python tab of Maya's Script Editor. Everything is one undo step. Joints
are found by name. Problems are printed as warnings; the joints concerned are not changed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from maya import cmds

NAMESPACE = ""  # prefix of every name, for example "hero:"
REPLACE = False  # True: overwrite limits that joints already have
MAY_CLIP = False  # True: enable limits even where animation exceeds them

AXES = ("X", "Y", "Z")
SAME_SIDE = 0.0002
BEYOND_DEG = 0.001

Wanted = Any  # a joint's entry in LIMITS
Bound = Any  # degrees, or None for no limit


def apply_limits(limits: Mapping[str, Wanted]) -> list[str]:
    """Write limits on the joints of the open scene; return what was skipped, as sentences."""
    left: list[str] = []
    written = 0
    cmds.undoInfo(openChunk=True, chunkName="Joint Limits")
    try:
        for name, wanted in limits.items():
            joint, reason = find_joint(name, wanted)
            problems = [reason] if reason else write_joint(joint, wanted)
            left += [f"{name}: {problem}" for problem in problems]
            written += not reason
    finally:
        cmds.undoInfo(closeChunk=True)
    for sentence in left:
        cmds.warning(sentence)
    print(f"Joint limits: {written} of {len(limits)} joints, {len(left)} warnings.")
    return left


def find_joint(name: str, wanted: Wanted) -> tuple[str, str]:
    """Return the joint of a name and "", or "" and why it cannot be used."""
    path = "|".join(NAMESPACE + part if part else part for part in name.split("|"))
    found = cmds.ls(path, type="joint", long=True) or []
    if len(found) != 1:
        return "", f"{len(found) or 'no'} joints are named {path}, expected 1"
    return found[0], other_frame(found[0], wanted)


def other_frame(joint: str, wanted: Wanted) -> str:
    """Return why the joint's orientation does not match its limits; "" if it does."""
    if cmds.getAttr(joint + ".rotateOrder") != wanted["rotateOrder"]:
        return "rotate order differs from that of its limits; limits not written"
    for attribute in ("jointOrient", "rotateAxis"):
        here = [cmds.getAttr(f"{joint}.{attribute}{axis}") / unit() for axis in AXES]
        if not is_same_turn(here, wanted[attribute]):
            return f"{attribute} differs from that of its limits; limits not written"
    return ""


def is_same_turn(first: Sequence[float], second: Sequence[float]) -> bool:
    """Whether two triples of degrees are the same rotation."""
    sides = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    return all(
        abs(a - b) < SAME_SIDE
        for side in sides
        for a, b in zip(turned(side, first), turned(side, second))
    )


def turned(direction: Sequence[float], angles: Sequence[float]) -> list[float]:
    """Rotate a direction about X, then Y, then Z, by degrees."""
    result = list(direction)
    for axis, angle in enumerate(map(math.radians, angles)):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        x, y = result[i], result[j]
        result[i] = math.cos(angle) * x - math.sin(angle) * y
        result[j] = math.sin(angle) * x + math.cos(angle) * y
    return result


def unit() -> float:
    """Scene angle units per degree."""
    is_degrees = cmds.currentUnit(query=True, angle=True) in ("deg", "degree")
    return 1.0 if is_degrees else math.pi / 180.0


def write_joint(joint: str, wanted: Wanted) -> list[str]:
    """Write limits, degrees of freedom and the preferred angle; return what was skipped."""
    problems = [write_channel(joint, axis, *bounds) for axis, bounds in zip(AXES, wanted["limits"])]
    for axis, moves, angle in zip(AXES, wanted["moves"], wanted["preferredAngle"]):
        for plug, value in (
            (f"{joint}.jointType{axis}", bool(moves)),
            (f"{joint}.preferredAngle{axis}", angle * unit()),
        ):
            if cmds.getAttr(plug, settable=True):
                cmds.setAttr(plug, value)
            else:
                problems.append(f"{plug.rpartition('.')[2]} is locked or connected")
    return [problem for problem in problems if problem]


def write_channel(joint: str, axis: str, low: Bound, high: Bound) -> str:
    """Write the limits of one channel; return what prevented it, or ""."""
    ends = [
        (f"{joint}.{end}Rot{axis}Limit", f"{joint}.{end}Rot{axis}LimitEnable", bound)
        for end, bound in (("min", low), ("max", high))
    ]
    if not all(cmds.getAttr(plug, settable=True) for end in ends for plug in end[:2]):
        return f"the limits of rotate{axis} are locked or connected"
    if all(is_there(*end) for end in ends):
        return ""
    if not REPLACE and any(cmds.getAttr(switch) for _, switch, _ in ends):
        return f"rotate{axis} already has other limits; set REPLACE to True to overwrite them"
    beyond = goes_beyond(f"{joint}.rotate{axis}", low, high)
    for _, switch, _ in ends:
        cmds.setAttr(switch, False)
    for plug, switch, bound in ends:
        if bound is not None:
            cmds.setAttr(plug, bound * unit())
            cmds.setAttr(switch, MAY_CLIP or not beyond)
    if beyond and not MAY_CLIP:
        return (
            f"rotate{axis} exceeds its limits by {beyond:.3f} degrees, so they are written but "
            "disabled; set MAY_CLIP to True to enable them"
        )
    return ""


def is_there(plug: str, switch: str, bound: Bound) -> bool:
    """Whether one end of a channel already has this limit."""
    if bound is None or not cmds.getAttr(switch):
        return bound is None and not cmds.getAttr(switch)
    return bool(abs(cmds.getAttr(plug) / unit() - bound) < 1e-9)


def goes_beyond(plug: str, low: Bound, high: Bound) -> float:
    """Degrees by which the keys or the current value of a channel exceed limits."""
    values = list(cmds.keyframe(plug, query=True, valueChange=True) or [])
    values = [value / unit() for value in [*values, cmds.getAttr(plug)]]
    beyond = max(
        0.0 if low is None else low - min(values), 0.0 if high is None else max(values) - high
    )
    return beyond if beyond > BEYOND_DEG else 0.0
