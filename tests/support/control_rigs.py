"""A small rig as riggers build them: controls in groups of their own, and joints that follow."""

from __future__ import annotations

from tests.support.driven_rigs import control, keys, node, orient
from tests.support.maya_scenes import slider

RIG = "rig"
FRAMES = (1, 8, 16, 24)
BENDS = {
    "L_fk0_ctl": {"x": (0, 30, -20, 5), "y": (0, -15, 40, 10), "z": (-10, 25, 60, 0)},
    "L_fk1_ctl": {"z": (0, 90, 130, 40)},
    "R_fk0_ctl": {"z": (0, 10, -5, 0)},
}
"""Degrees of each keyed channel at the frames."""


def turns(name, axis, values, frames=FRAMES):
    """Keys on a rotate channel."""
    return keys(name, **{axis: list(zip(frames, values))})


def offset(name, parent, x, turn="0 0 0"):
    """A group that places the control below it."""
    more = f'\tsetAttr ".t" -type "double3" {x} 0 0;\n\tsetAttr ".r" -type "double3" {turn};\n'
    return node("transform", name, parent, more)


def arm(side, prefix=""):
    """Two controls, one below the other, and two joints that they turn."""
    names = [f"{prefix}{side}_fk{number}_ctl" for number in (0, 1)]
    sign = 1 if side == "L" else -1
    upper, lower = names
    turn = f"0 {20 * sign} 0"
    text = offset(f"{prefix}{side}_fk0_npo", f"{prefix}global_ctl", 10 * sign, turn)
    text += control(upper, f"{prefix}{side}_fk0_npo", '\tsetAttr ".ro" 3;\n')
    text += offset(f"{prefix}{side}_fk1_npo", upper, 20 * sign)
    text += control(lower, f"{prefix}{side}_fk1_npo")
    for number, parent in enumerate((f"{prefix}hips", f"{prefix}{side}_arm0")):
        joint = f"{prefix}{side}_arm{number}"
        text += node("joint", joint, parent, f'\tsetAttr ".t" -type "double3" {20 * sign} 0 0;\n')
    for number, name in enumerate(names):
        text += orient(name, f"{prefix}{side}_arm{number}", f"{prefix}{side}_oc{number}")
    return text


def body(prefix="", bends=BENDS):
    """Text of a rig: a global control, two arms, and a skeleton beside them."""
    text = node("transform", f"{prefix}{RIG}") + node(
        "transform", f"{prefix}ctls", f"{prefix}{RIG}"
    )
    text += control(f"{prefix}global_ctl", f"{prefix}ctls")
    text += node("joint", f"{prefix}hips", f"{prefix}{RIG}")
    text += arm("L", prefix) + arm("R", prefix)
    for name, channels in bends.items():
        for axis, values in channels.items():
            text += turns(f"{prefix}{name}", axis, values)
    return text + ("" if prefix else slider(FRAMES[0], FRAMES[-1]))


def members(name, *nodes, sets=()):
    """A set of nodes, and of other sets."""
    text = node("objectSet", name)
    text += "".join(f'connectAttr "{one}.iog" "{name}.dsm" -na;\n' for one in nodes)
    return text + "".join(f'connectAttr "{one}.msg" "{name}.dnsm" -na;\n' for one in sets)
