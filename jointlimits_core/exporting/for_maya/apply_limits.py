"""Joint limits for the open scene, from jointlimits. Nothing has to be installed.

Run this whole file in Maya's Script Editor, in a Python tab. Everything is one undo step. Joints
are found by their names. What stands in the way is told and left alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from maya import cmds

NAMESPACE = ""  # put in front of every name, for example "hero:"
REPLACE = False  # True: joints that have limits already get these
MAY_CLIP = False  # True: switch limits on even where animation goes beyond them

AXES = ("X", "Y", "Z")
SAME_SIDE = 0.0002
BEYOND_DEG = 0.001

Wanted = Any  # what LIMITS has for a joint
Bound = Any  # a number of degrees, or None where there is no limit


def apply_limits(limits: Mapping[str, Wanted]) -> list[str]:
    """Write limits on the joints of the open scene; give back what was left alone, in sentences."""
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
    """Give the joint of a name and "", or "" and why there is none."""
    path = "|".join(NAMESPACE + part if part else part for part in name.split("|"))
    found = cmds.ls(path, type="joint", long=True) or []
    if len(found) != 1:
        return "", f"{len(found) or 'no'} joints are called {path}"
    return found[0], other_frame(found[0], wanted)


def other_frame(joint: str, wanted: Wanted) -> str:
    """Say why the limits do not hold in the frame that a joint has; "" if they do."""
    if cmds.getAttr(joint + ".rotateOrder") != wanted["rotateOrder"]:
        return "it has another rotate order than its limits; they were not written"
    for attribute in ("jointOrient", "rotateAxis"):
        here = [cmds.getAttr(f"{joint}.{attribute}{axis}") / unit() for axis in AXES]
        if not is_same_turn(here, wanted[attribute]):
            return f"it has another {attribute} than its limits; they were not written"
    return ""


def is_same_turn(first: Sequence[float], second: Sequence[float]) -> bool:
    """Whether two triples of degrees turn everything the same way, whatever their numbers."""
    sides = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    return all(
        abs(a - b) < SAME_SIDE
        for side in sides
        for a, b in zip(turned(side, first), turned(side, second))
    )


def turned(direction: Sequence[float], angles: Sequence[float]) -> list[float]:
    """Turn a direction about X, then Y, then Z, by degrees."""
    result = list(direction)
    for axis, angle in enumerate(map(math.radians, angles)):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        x, y = result[i], result[j]
        result[i] = math.cos(angle) * x - math.sin(angle) * y
        result[j] = math.sin(angle) * x + math.cos(angle) * y
    return result


def unit() -> float:
    """Angles of this scene's unit in a degree."""
    is_degrees = cmds.currentUnit(query=True, angle=True) in ("deg", "degree")
    return 1.0 if is_degrees else math.pi / 180.0


def write_joint(joint: str, wanted: Wanted) -> list[str]:
    """Write limits, degrees of freedom and the preferred angle; give what was left alone."""
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
    """Write the limits of one channel; give what stands in the way, or ""."""
    ends = [
        (f"{joint}.{end}Rot{axis}Limit", f"{joint}.{end}Rot{axis}LimitEnable", bound)
        for end, bound in (("min", low), ("max", high))
    ]
    if not all(cmds.getAttr(plug, settable=True) for end in ends for plug in end[:2]):
        return f"the limits of rotate{axis} are locked or connected"
    if all(is_there(*end) for end in ends):
        return ""
    if not REPLACE and any(cmds.getAttr(switch) for _, switch, _ in ends):
        return f"rotate{axis} has other limits already; set REPLACE to True to have these"
    beyond = goes_beyond(f"{joint}.rotate{axis}", low, high)
    for _, switch, _ in ends:
        cmds.setAttr(switch, False)
    for plug, switch, bound in ends:
        if bound is not None:
            cmds.setAttr(plug, bound * unit())
            cmds.setAttr(switch, MAY_CLIP or not beyond)
    if beyond and not MAY_CLIP:
        return (
            f"rotate{axis} goes {beyond:.3f} degrees beyond its limits, so they are written but "
            "off; set MAY_CLIP to True to have them on"
        )
    return ""


def is_there(plug: str, switch: str, bound: Bound) -> bool:
    """Whether one end of a channel is as it should be."""
    if bound is None or not cmds.getAttr(switch):
        return bound is None and not cmds.getAttr(switch)
    return bool(abs(cmds.getAttr(plug) / unit() - bound) < 1e-9)


def goes_beyond(plug: str, low: Bound, high: Bound) -> float:
    """Degrees by which the keys of a channel, or where it stands, go beyond limits."""
    values = list(cmds.keyframe(plug, query=True, valueChange=True) or [])
    values = [value / unit() for value in [*values, cmds.getAttr(plug)]]
    beyond = max(
        0.0 if low is None else low - min(values), 0.0 if high is None else max(values) - high
    )
    return beyond if beyond > BEYOND_DEG else 0.0
