"""A motion as a BVH file: world-aligned joints and no more decimals than are needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from jointlimits_core.geometry.arrays import ArrayLike, Floats
from jointlimits_core.geometry.euler import euler_from_quaternion, quaternion_from_euler
from jointlimits_core.geometry.quaternion import conjugate, multiply
from jointlimits_core.motion.motion import Motion

from .humanoid import bvh_skeleton, rest_frames

DECIMALS = 4


def _rounded(values: Floats) -> Floats:
    # Rounding in two steps: a tie must not hang on the last bit of somebody's cosine.
    return np.asarray(np.round(np.round(values, 9), DECIMALS) + 0.0)


def bvh_motion(maya: Motion) -> Motion:
    """Give the motion in the channels of the BVH, rounded as the file is.

    A joint that turns by R in its own frame turns by ``W R W^-1`` in a world-aligned one, where W
    is its world rotation at rest.
    """
    assert maya.rotates is not None
    skeleton = bvh_skeleton(maya.skeleton)
    degrees = np.empty_like(maya.rotates)
    for index, rest in enumerate(rest_frames(maya.skeleton)):
        turn = quaternion_from_euler(maya.rotates[index].T, maya.skeleton.rotate_orders[index])
        aligned = multiply(rest, multiply(turn, conjugate(rest)))
        angles = euler_from_quaternion(aligned, skeleton.rotate_orders[index])
        degrees[index] = _rounded(np.degrees(angles)).T
    return Motion.from_rotates(
        skeleton,
        np.radians(degrees),
        maya.frames - maya.frames[0],
        maya.frame_rate,
        maya.name,
        translations={0: _rounded(maya.translations[0])},
    )


def _numbers(values: Iterable[float], decimals: int = DECIMALS) -> str:
    texts = (f"{value:.{decimals}f}".rstrip("0").rstrip(".") for value in values)
    return " ".join("0" if text == "-0" else text for text in texts)


def _channels(order: str) -> str:
    # BVH names the outermost rotation first, Maya's rotate order the innermost.
    return " ".join(f"{letter.upper()}rotation" for letter in reversed(order))


def _hierarchy(motion: Motion, ends: Mapping[str, ArrayLike]) -> list[str]:
    skeleton = motion.skeleton
    lines, open_joints = ["HIERARCHY"], list[int]()
    for index, name in enumerate(skeleton.names):
        parent = int(skeleton.parents[index])
        while open_joints and open_joints[-1] != parent:
            lines.append("\t" * (len(open_joints) - 1) + "}")
            open_joints.pop()
        outer, inner = "\t" * len(open_joints), "\t" * (len(open_joints) + 1)
        places = "6 Xposition Yposition Zposition" if parent < 0 else "3"
        lines += [
            f"{outer}{'ROOT' if parent < 0 else 'JOINT'} {name}",
            f"{outer}{{",
            f"{inner}OFFSET {_numbers(skeleton.offsets[index], 6)}",
            f"{inner}CHANNELS {places} {_channels(skeleton.rotate_orders[index])}",
        ]
        if index not in skeleton.parents:
            end = _numbers(np.asarray(ends[name]), 6)
            lines += [f"{inner}End Site", f"{inner}{{", f"{inner}\tOFFSET {end}", f"{inner}}}"]
        open_joints.append(index)
    return lines + ["\t" * depth + "}" for depth in reversed(range(len(open_joints)))]


def bvh_text(motion: Motion, ends: Mapping[str, ArrayLike]) -> str:
    """Text of the file.

    Parameters
    ----------
    motion : Motion
        With rotate channels, in degrees and centimeters of at most four decimals.
    ends : mapping of joint to (x, y, z)
        Ends of the bones of the last joints.

    Returns
    -------
    str
    """
    assert motion.rotates is not None
    columns = [motion.translations[0]]
    for index, order in enumerate(motion.skeleton.rotate_orders):
        listed = ["xyz".index(letter) for letter in reversed(order)]
        columns.append(np.degrees(motion.rotates[index, listed]).T)
    rows = np.concatenate(columns, axis=1).tolist()
    lines = [
        *_hierarchy(motion, ends),
        "MOTION",
        f"Frames: {motion.frame_count}",
        f"Frame Time: {1.0 / motion.frame_rate:.12f}",
        *(_numbers(row) for row in rows),
    ]
    return "\n".join(lines) + "\n"
