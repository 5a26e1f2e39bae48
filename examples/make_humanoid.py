"""Write the example: a scene, the same motion as BVH, and the truth about both.

Run as ``python -m examples.make_humanoid [FOLDER]``. The same numbers give the same bytes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.geometry.quaternion import rotate
from jointlimits_core.motion.motion import Motion

from .bvh_clip import bvh_motion, bvh_text
from .exercise import maya_motion
from .humanoid import JOINTS, bone_end, maya_skeleton, rest_frames, unit_axis
from .maya_scene import scene_text

ABOUT = (
    "True joint types of the example humanoid, and per file the smallest and largest value in "
    "degrees that every rotate channel reaches on the whole frames of the motion, in the joint's "
    "own rotate order. In the scene these are the limits the exercise was made from (for the "
    "knees, which turn about an axis between the channels, the limits are those of the hinge "
    "angle and the channels are computed). BVH has no jointOrient: its joints are world-aligned "
    "at rest, its channels are computed from the same motion and rounded as in the file. Hinge "
    "axes are in the frame of the parent joint, angles are right-handed about them with the rest "
    "pose at 0. The root stands in the world and not in a body: its values are what it does here."
)


def _plain(values: Floats, decimals: int) -> list[float]:
    return [float(value) for value in np.round(values, decimals) + 0.0]


def _joint_truth(motion: Motion, index: int, axis_in_parent: Floats) -> dict[str, Any]:
    joint = JOINTS[index]
    degrees = motion.rotate_deg(joint.name)
    assert degrees is not None
    truth: dict[str, Any] = {
        "type": joint.kind,
        "rotate_order": motion.skeleton.rotate_orders[index],
        "limits_deg": {
            f"rotate{letter.upper()}": _plain(np.array([channel.min(), channel.max()]), 6)
            for letter, channel in zip("xyz", degrees.T)
        },
    }
    if joint.kind == "hinge":
        low, high = next(iter(joint.bounds.values()))
        truth["hinge"] = {
            "axis_in_parent": _plain(axis_in_parent, 9),
            "angle_deg": [float(low), float(high)],
        }
    return truth


def _file_truth(motion: Motion, axis_frames: Floats) -> dict[str, Any]:
    joints = {}
    for index, joint in enumerate(JOINTS):
        axis = unit_axis(joint) if joint.kind == "hinge" else np.zeros(3)
        axis_in_parent = rotate(axis_frames[index], axis)
        joints[joint.name] = _joint_truth(motion, index, axis_in_parent)
    return {
        "root": JOINTS[0].name,
        "first_frame": int(motion.frames[0]),
        "last_frame": int(motion.frames[-1]),
        "frame_rate_hz": motion.frame_rate,
        "joints": joints,
    }


def documents() -> dict[str, str]:
    """Every file of the example: name to text."""
    skeleton = maya_skeleton()
    maya = maya_motion(skeleton)
    bvh = bvh_motion(maya)
    truth = {
        "about": ABOUT,
        "files": {
            "humanoid_rom.ma": _file_truth(maya, skeleton.joint_orients),
            "humanoid_rom.bvh": _file_truth(bvh, rest_frames(skeleton)),
        },
    }
    return {
        "humanoid_rom.ma": scene_text(skeleton),
        "humanoid_rom.bvh": bvh_text(bvh, {joint.name: bone_end(joint) for joint in JOINTS}),
        "humanoid_truth.json": json.dumps(truth, indent=1) + "\n",
    }


def main(folder: Path) -> None:
    """Write every file of the example into a folder that exists."""
    for name, text in documents().items():
        (folder / name).write_bytes(text.encode("ascii"))
        print(f"{folder / name}: {len(text):,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
