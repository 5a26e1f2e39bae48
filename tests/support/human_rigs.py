"""A small human rig without motion, and what is none, as lines of joints and as scenes of Maya.

A line is "name parent x y z", "-" for no parent.
"""

from __future__ import annotations

import numpy as np

from jointlimits_core.geometry.euler import euler_from_quaternion
from jointlimits_core.geometry.quaternion import quaternion_from_matrix
from jointlimits_core.motion.skeleton import Skeleton
from tests.support.driven_rigs import control, node, orient


def skeleton(text):
    """Skeleton from "name parent x y z" lines; "-" for no parent."""
    rows = [line.split() for line in text.strip().splitlines()]
    names = [row[0] for row in rows]
    parents = [-1 if row[1] == "-" else names.index(row[1]) for row in rows]
    return Skeleton(names, parents, np.array([row[2:] for row in rows], dtype=float))


def body(space="", arms=True, level=False, extra=""):
    """Lines of a skeleton; `level`: the spine is horizontal, and the arms point down."""
    chest = "0 0 50" if level else "0 50 0"
    lines = [f"{space}root - 0 100 0", f"{space}spine {space}root {chest}"]
    for side, x in (("l_", 1), ("r_", -1)):
        lines += [f"{space}{side}thigh {space}root {10 * x} 0 0"]
        lines += [f"{space}{side}calf {space}{side}thigh 0 -45 0"]
        lines += [f"{space}{side}foot {space}{side}calf 0 -45 0"]
        along = "0 -30 0" if level else f"{30 * x} 0 0"
        if arms:
            lines += [f"{space}{side}upperarm {space}spine {15 * x} 0 0"]
            lines += [f"{space}{side}forearm {space}{side}upperarm {along}"]
            lines += [f"{space}{side}hand {space}{side}forearm {along}"]
    return "\n".join([*lines, extra])


DOG = body(level=True)
CRAB = "shell - 0 0 0\n" + "\n".join(f"l_leg{n} shell {n} 0 0" for n in range(4))
ROBOT_ARM = "base - 0 0 0\narm1 base 0 1 0\narm2 arm1 0 1 0\ngripper arm2 0 1 0"
NO_PEOPLE = {"dog": DOG, "crab": CRAB, "robot arm": ROBOT_ARM}
"""Rigs that are no people."""


def scene(lines, controlled=()):
    """Text of a Maya scene with these joints; controls, one for each, turn the `controlled`."""
    text = ""
    for name, parent, *place in map(str.split, lines.strip().splitlines()):
        where = f'\tsetAttr ".t" -type "double3" {" ".join(place)};\n'
        text += node("joint", name, "" if parent == "-" else parent, where)
    for name in controlled:
        text += control(f"{name}_ctl") + orient(f"{name}_ctl", name, f"{name}_oc")
    return text


MIXAMO = """
Hips - 0 98 0
Spine Hips 0 10 -1
Spine1 Spine 0 12 0
Spine2 Spine1 0 13 0
Neck Spine2 0 15 1
Head Neck 0 10 2
HeadTop_End Head 0 18 1
LeftShoulder Spine2 6 11 0
LeftArm LeftShoulder 12 -1 -1
LeftForeArm LeftArm 27 0 0
LeftHand LeftForeArm 27 0 0
LeftHandIndex1 LeftHand 9 0 2
LeftHandIndex2 LeftHandIndex1 3 0 0
LeftUpLeg Hips 9 -6 0
LeftLeg LeftUpLeg 0 -43 0
LeftFoot LeftLeg 0 -42 -2
LeftToeBase LeftFoot 0 -8 13
LeftToe_End LeftToeBase 0 0 8
"""
"""Left half and middle of a skeleton as character services make it: parent and offset, T-pose."""


def mixamo_like():
    """Scene of such a skeleton, each joint with Y along its bone, without motion."""
    rows = [line.split() for line in MIXAMO.strip().splitlines()]
    rows += [
        [one.replace("Left", "Right") for one in row[:2]] + [str(-float(row[2])), *row[3:]]
        for row in rows
        if row[0].startswith("Left")
    ]
    offsets = {name: np.array(place, dtype=float) for name, _, *place in rows}
    parents = {name: parent for name, parent, *_ in rows}
    turns = {"-": np.eye(3)}
    text = ""
    for name, parent in parents.items():
        first = next((other for other, above in parents.items() if above == name), None)
        turns[name] = turns[parent] if first is None else _along(offsets[first], name)
        own = quaternion_from_matrix(turns[parent].T @ turns[name])
        orient = np.degrees(euler_from_quaternion(own))
        place = turns[parent].T @ offsets[name]
        more = "".join(
            f'\tsetAttr ".{short}" -type "double3" {" ".join(f"{v:.9g}" for v in values)};\n'
            for short, values in (("t", place), ("jo", orient))
        )
        above = "" if parent == "-" else f"mixamorig:{parent}"
        text += node("joint", f"mixamorig:{name}", above, more)
    return text


def _along(bone, name):
    """Axes as columns: Y along the bone, Z to the front, or up for feet."""
    y = bone / np.linalg.norm(bone)
    z = np.array([0.0, 1.0, 0.0]) if "Toe" in name or "Foot" in name else np.array([0.0, 0.0, 1.0])
    x = np.cross(y, z)
    x /= np.linalg.norm(x)
    return np.stack([x, y, np.cross(x, y)], axis=1)
