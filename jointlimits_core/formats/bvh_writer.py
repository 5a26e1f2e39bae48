"""BVH writer for motions.

Every joint gets its rotations in its own rotate order. What BVH does not have is baked: jointOrient
and rotateAxis into the rotations, and transforms between joints and scales into rotations and
positions, so that every joint moves as before. Roots, and joints that move relative to their
parents, get position channels. The End Site of a leaf joint is as far from it as the joint is from
its parent.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np

from ..base import printable
from ..geometry import IDENTITY, Floats, axes_of, continuous_rotates, euler_from_quaternion
from ..io import write_text_atomically
from ..motion import Motion, plain_motion

_DIGITS = 6


def write_bvh(motion: Motion, path: str | os.PathLike[str]) -> None:
    """Write a motion as a BVH file, atomically."""
    write_text_atomically(path, bvh_text(motion))


def bvh_text(motion: Motion, own_channels: bool = False) -> str:
    """Text of a BVH file; see :func:`write_bvh`.

    `own_channels` writes the motion's own rotate channels, including full turns, where BVH can hold
    them, instead of channels made continuous from frame to frame.
    """
    motion = plain_motion(motion)
    skeleton = motion.skeleton
    children: list[list[int]] = [[] for _ in skeleton.names]
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            children[parent].append(joint)
    order: list[int] = []
    lines = ["HIERARCHY"]
    for root in np.flatnonzero(skeleton.parents < 0).tolist():
        lines += _hierarchy(motion, root, children, order)
    columns = [column for joint in order for column in _columns(motion, joint, own_channels)]
    row = " ".join([f"%.{_DIGITS}f"] * len(columns))
    lines += ["MOTION", f"Frames: {motion.frame_count}"]
    lines.append(f"Frame Time: {1.0 / motion.frame_rate:.10g}")
    lines += [row % tuple(numbers) for numbers in np.stack(columns, axis=1).tolist()]
    return "\n".join(lines) + "\n"


def _hierarchy(
    motion: Motion, root: int, children: list[list[int]], order: list[int]
) -> Iterator[str]:
    """Lines of one tree, without recursion: chains may be long."""
    waiting: list[tuple[int, int]] = [(root, 0)]
    while waiting:
        joint, depth = waiting.pop()
        space = "  " * depth
        if joint < 0:
            yield f"{space}}}"
            continue
        order.append(joint)
        name = " ".join(printable(motion.skeleton.names[joint]).split()) or f"joint{joint}"
        yield f"{space}{'JOINT' if depth else 'ROOT'} {name}"
        yield f"{space}{{"
        yield f"{space}  OFFSET {_triple(motion.skeleton.offsets[joint])}"
        yield f"{space}  CHANNELS {_channels(motion, joint)}"
        waiting.append((-1, depth))
        waiting += [(child, depth + 1) for child in reversed(children[joint])]
        if not children[joint]:
            yield f"{space}  End Site"
            yield f"{space}  {{"
            yield f"{space}    OFFSET {_triple(motion.skeleton.offsets[joint])}"
            yield f"{space}  }}"


def _triple(values: Floats) -> str:
    return " ".join(f"{value:.{_DIGITS}f}" for value in values.tolist())


def _moves(motion: Motion, joint: int) -> bool:
    return joint in motion.translations or bool(motion.skeleton.parents[joint] < 0)


def _channels(motion: Motion, joint: int) -> str:
    """Count and names: the rotation applied last is listed first."""
    axes = [f"{'XYZ'[axis]}rotation" for axis in _listed(motion, joint)]
    places = [f"{letter}position" for letter in "XYZ"] if _moves(motion, joint) else []
    return " ".join([str(len(places + axes)), *places, *axes])


def _listed(motion: Motion, joint: int) -> list[int]:
    return list(reversed(axes_of(motion.skeleton.rotate_orders[joint])))


def _columns(motion: Motion, joint: int, own_channels: bool) -> list[Floats]:
    """Values of a joint's channels over the frames, in file order."""
    place: list[Floats] = []
    if _moves(motion, joint):
        still = np.tile(motion.skeleton.offsets[joint], (motion.frame_count, 1))
        place = list(motion.translations.get(joint, still).T)
    channels = motion.rotates[joint] if own_channels and motion.rotates is not None else None
    if channels is None or _has_orient(motion, joint):
        channels = _continuous(motion, joint)
    return place + [np.degrees(channels[axis]) for axis in _listed(motion, joint)]


def _has_orient(motion: Motion, joint: int) -> bool:
    bones = motion.skeleton
    turns = (bones.joint_orients[joint], bones.rotate_axes[joint])
    return any((turn != IDENTITY).any() for turn in turns)


def _continuous(motion: Motion, joint: int) -> Floats:
    """Continuous rotate channels of the rotation that BVH can hold, (3, frames), radians."""
    rotate_order = motion.skeleton.rotate_orders[joint]
    angles = euler_from_quaternion(motion.rotations[joint].T, rotate_order)
    channels, _ = continuous_rotates(np.ascontiguousarray(angles.T), rotate_order)
    # Full turns beyond the range of limits: the curves continue without jumps.
    return np.unwrap(channels, axis=1)
