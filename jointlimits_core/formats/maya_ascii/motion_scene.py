"""Motion as a new Maya ASCII scene: joints with a key on every frame.

For viewing results in Maya. Existing scenes are never rewritten: the limit writer (:mod:`.writer`)
changes copies, and this module writes new scenes that contain only joints and curves.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ...base.findings import Finding
from ...base.text import identifier, number, unique_names
from ...geometry import arrays, branches, euler
from ...io.output import write_text_atomically
from ...motion.joint_names import node_name
from ...motion.motion import Motion, in_centimetres, plain_motion
from ...rig.scene import FRAMES_PER_SECOND, nearest_time_unit

TRANSLATES = ("translateX", "translateY", "translateZ")
MAX_RATE_ROUNDING = 1e-4
"""Largest relative change of the frame rate that is not reported; a frame time that was rounded to
six decimals, such as 0.008333 s, differs by less."""
_KEYS_PER_LINE = 8


def write_motion_scene(motion: Motion, path: str | os.PathLike[str]) -> tuple[Finding, ...]:
    """Write a motion as a scene, atomically.

    Maya has a fixed list of time units. Keys have the frame numbers of the motion; the finding
    "time-unit" names a frame rate that is not in the list.
    """
    write_text_atomically(path, motion_scene(motion))
    rate = FRAMES_PER_SECOND[nearest_time_unit(motion.frame_rate)]
    change = rate / motion.frame_rate - 1.0
    if abs(change) <= MAX_RATE_ROUNDING:
        return ()
    message = (
        f"Maya has no time unit for {motion.frame_rate:.9g} fps, so the scene uses {rate:.9g} fps; "
        "frame numbers are unchanged, but the motion plays "
        f"{number(100.0 * abs(change), 2)} % {'slower' if change < 0.0 else 'faster'}"
    )
    return (Finding("time-unit", message, clip=motion.name),)


def motion_scene(motion: Motion, own_channels: bool = False) -> str:
    """Text of the scene; see :func:`write_motion_scene`.

    `own_channels` writes the motion's own rotate channels, including full turns, instead of
    channels made continuous from frame to frame.
    """
    motion = plain_motion(motion)
    names = node_names(motion.joint_names)
    lines = [
        "//Maya ASCII 2023 scene",
        "//Codeset: UTF-8",
        'requires maya "2023";',
        f"currentUnit -l centimeter -a degree -t {nearest_time_unit(motion.frame_rate)};",
    ]
    for joint in range(len(names)):
        lines += _joint(motion, joint, names)
    links: list[str] = []
    for joint, name in enumerate(names):
        for channel, values in _channels(motion, joint, own_channels):
            curve = f"{name}_{channel}"
            kind = "animCurveTL" if channel in TRANSLATES else "animCurveTA"
            lines.append(f'createNode {kind} -n "{curve}";')
            lines.append('\tsetAttr ".tan" 2;')
            lines.append('\tsetAttr ".wgt" no;')
            keys = [_numbers(np.array(key)) for key in zip(motion.frames.tolist(), values.tolist())]
            rows = [
                " ".join(keys[n : n + _KEYS_PER_LINE]) for n in range(0, len(keys), _KEYS_PER_LINE)
            ]
            body = "\n\t\t".join(rows)
            lines.append(f'\tsetAttr -s {len(keys)} ".ktv[0:{len(keys) - 1}]" {body};')
            links.append(f'connectAttr "{curve}.o" "{name}.{channel}";')
    return "\n".join([*lines, *links, "// End of scene"]) + "\n"


def node_names(names: Sequence[str]) -> list[str]:
    """Joint names that Maya accepts, in the same order and unique in the scene.

    Paths and namespaces are dropped.
    """
    return unique_names(names, _accepted_name)


def _accepted_name(name: str) -> str:
    """Name that Maya accepts; letters lose accents and other marks."""
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", node_name(name)))
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return identifier(bare) or "_"


def _joint(motion: Motion, joint: int, names: Sequence[str]) -> Iterator[str]:
    bones = motion.skeleton
    parent = int(bones.parents[joint])
    below = "" if parent < 0 else f' -p "{names[parent]}"'
    yield f'createNode joint -n "{names[joint]}"{below};'
    yield f'\tsetAttr ".t" -type "double3" {_numbers(bones.offsets[joint])} ;'
    yield f'\tsetAttr ".ro" {euler.ROTATE_ORDERS.index(bones.rotate_orders[joint])};'
    for attribute, turn in (("jo", bones.joint_orients), ("ra", bones.rotate_axes)):
        degrees = np.degrees(euler.euler_from_quaternion(turn[joint]))
        yield f'\tsetAttr ".{attribute}" -type "double3" {_numbers(degrees)} ;'
    yield '\tsetAttr ".ssc" no;'


def _channels(
    motion: Motion, joint: int, own_channels: bool
) -> Iterator[tuple[str, arrays.Floats]]:
    """Animated channels and their values over the frames, in the units of the scene."""
    for channel, places in zip(TRANSLATES, motion.translations.get(joint, np.zeros((0, 3))).T):
        if len(places):
            yield channel, places
    own = motion.rotates[joint] if own_channels and motion.rotates is not None else None
    yield from zip(
        euler.CHANNELS, np.degrees(smooth_rotates(motion, joint) if own is None else own)
    )


def smooth_rotates(motion: Motion, joint: int) -> arrays.Floats:
    """Rotate channels of a joint without jumps from frame to frame.

    Shape (3, frames): rotateX, rotateY, rotateZ in radians, in the skeleton's order for the joint.
    """
    bones = motion.skeleton
    order = bones.rotate_orders[joint]
    local = motion.rotations[joint].T
    own = euler.rotate_from_local(
        local, bones.joint_orients[joint], bones.rotate_axes[joint], order
    )
    rotates, _ = branches.continuous_rotates(np.ascontiguousarray(own.T), order)
    # Once full turns are removed, a different branch can be shorter.
    return branches.continuous_rotates(np.asarray(np.unwrap(rotates, axis=1)), order)[0]


def _numbers(values: arrays.Floats) -> str:
    return " ".join(f"{value:.12g}" for value in values.tolist())


def as_in_maya(motion: Motion) -> Motion:
    """Motion in centimetres, with names for Maya, including those in findings and declarations."""
    motion = in_centimetres(motion)
    names = dict(zip(motion.joint_names, node_names(motion.joint_names)))
    animated = motion.animated
    declared = {names[name]: own for name, own in motion.skeleton.declarations.items()}
    return replace(
        motion,
        skeleton=replace(motion.skeleton, names=tuple(names.values()), declarations=declared),
        animated=None if animated is None else frozenset(names[name] for name in animated),
        findings=tuple(
            replace(item, joint=names.get(item.joint or "", item.joint)) for item in motion.findings
        ),
    )
