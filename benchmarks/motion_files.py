"""One made-up motion as text in every format that is read: chains of joints under one root."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jointlimits_core.geometry.arrays import Floats

FRAME_RATE = 120
CHAIN = 5
"""Joints in a row before the next chain starts at the root."""


def channel_values(joints: int, frames: int, seed: int = 2) -> Floats:
    """Smooth degrees, shape (joints, 3, frames)."""
    random = np.random.default_rng(seed)
    seconds = np.arange(frames) / FRAME_RATE
    speed, phase = random.uniform(0.5, 6.0, (2, joints, 3, 1))
    reach = random.uniform(2.0, 70.0, (joints, 3, 1))
    return np.asarray(reach * np.sin(speed * seconds + phase))


def bvh_text(values: Floats) -> str:
    """BVH: six channels on the root, three on every other joint, six decimals."""
    joints, _, frames = values.shape
    place = np.tile([0.0, 95.5, 12.25], (frames, 1))
    table = np.hstack([place, values.reshape(-1, frames).T])
    row = " ".join(["%.6f"] * table.shape[1])
    rows = "".join(row % tuple(numbers) + "\n" for numbers in table.tolist())
    return bvh_head(joints, frames) + rows


def bvh_head(joints: int, frames: int) -> str:
    """Hierarchy of a BVH and the lines before its numbers."""
    lines = ["HIERARCHY", *_bvh_joint(0, joints), "MOTION", f"Frames: {frames}"]
    return "\n".join([*lines, f"Frame Time: {1.0 / FRAME_RATE:.7f}"]) + "\n"


def _children(joint: int, joints: int) -> list[int]:
    if joint == 0:
        return list(range(1, joints, CHAIN))
    return [joint + 1] if joint % CHAIN and joint + 1 < joints else []


def _bvh_joint(joint: int, joints: int) -> Iterator[str]:
    yield f"{'JOINT' if joint else 'ROOT'} joint{joint}"
    yield "{"
    yield "OFFSET 0.0 10.0 0.0"
    place = "" if joint else "Xposition Yposition Zposition "
    yield f"CHANNELS {3 if joint else 6} {place}Zrotation Xrotation Yrotation"
    for child in _children(joint, joints):
        yield from _bvh_joint(child, joints)
    if not _children(joint, joints):
        yield from ("End Site", "{", "OFFSET 0.0 10.0 0.0", "}")
    yield "}"


def asf_text(joints: int) -> str:
    """Acclaim skeleton of the same chains."""
    lines = [":version 1.10", ":name benchmark", ":units", "  mass 1.0", "  length 1.0"]
    lines += ["  angle deg", ":root", "  order TX TY TZ RX RY RZ", "  axis XYZ"]
    lines += ["  position 0 0 0", "  orientation 0 0 0", ":bonedata"]
    for joint in range(1, joints):
        lines += ["  begin", f"    id {joint}", f"    name joint{joint}", "    direction 0 1 0"]
        lines += ["    length 10", f"    axis 0 0 {joint} XYZ", "    dof rx ry rz", "  end"]
    lines += [":hierarchy", "  begin"]
    for joint in range(joints):
        names = [f"joint{child}" for child in _children(joint, joints)]
        if names:
            lines.append("    " + " ".join([f"joint{joint}" if joint else "root", *names]))
    return "\n".join([*lines, "  end"]) + "\n"


def amc_text(values: Floats) -> str:
    """Acclaim motion for :func:`asf_text`."""
    lines = [":FULLY-SPECIFIED", ":DEGREES"]
    for frame, rows in enumerate(values.transpose(2, 0, 1).tolist()):
        lines.append(f"{frame + 1}")
        lines.append("root 0 95.5 12.25 {:.6f} {:.6f} {:.6f}".format(*rows[0]))
        lines += [
            "joint{} {:.6f} {:.6f} {:.6f}".format(joint, *row)
            for joint, row in enumerate(rows[1:], start=1)
        ]
    return "\n".join(lines) + "\n"


def maya_text(values: Floats) -> str:
    """Maya ASCII scene with a linear curve on every rotate channel, keys on every frame."""
    joints, _, frames = values.shape
    lines = [
        "//Maya ASCII 2023 scene",
        'requires maya "2023";',
        "currentUnit -l cm -a deg -t film;",
    ]
    for joint in range(joints):
        above = "" if joint == 0 else f' -p "joint{_parent(joint)}"'
        lines += [
            f'createNode joint -n "joint{joint}"{above};',
            '\tsetAttr ".t" -type "double3" 0 10 0;',
        ]
    for joint in range(joints):
        for letter, channel in zip("XYZ", values[joint]):
            name = f"joint{joint}_rotate{letter}"
            keys = " ".join(f"{frame} {value:.6f}" for frame, value in enumerate(channel.tolist()))
            lines += [f'createNode animCurveTA -n "{name}";', '\tsetAttr ".tan" 2;']
            lines.append(f'\tsetAttr -s {frames} ".ktv[0:{frames - 1}]" {keys};')
            lines.append(f'connectAttr "{name}.o" "joint{joint}.r{letter.lower()}";')
    return "\n".join(lines) + "\n"


def _parent(joint: int) -> int:
    return joint - 1 if (joint - 1) % CHAIN else 0
