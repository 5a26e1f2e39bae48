"""Range-of-motion animation: every joint moves through its limits, to check skin weights.

One channel after another goes from the home pose to its minimum, to its maximum and home again, and
holds each stop for some frames, while everything else stays still.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..base import errors, text
from ..formats.bvh import bvh_text
from ..formats.maya_ascii.motion_scene import motion_scene
from ..geometry import arrays, euler, quaternion
from ..limits.layers import active_shapes
from ..limits.limit_set import LimitSet
from ..motion.motion import Motion
from ..motion.skeleton import Skeleton
from .figure import Figure, figure_of
from .formats import ExportOptions
from .losses import Exported, losses_of, only_in_json

FIRST_FRAME = 1
FRAME_RATE, SPEED_DEG, HOLD_FRAMES = 30.0, 90.0, 5
"""Frames per second, degrees per second, and frames to hold each limit."""
MAX_FRAMES = 200_000
"""Maximum length, nearly two hours at 30 fps; more indicates a mistake in the options."""


def export(limit_set: LimitSet, skeleton: Skeleton | None, options: ExportOptions) -> Exported:
    """Write the animation. Raises ExportError if it is too long or no channel has a range."""
    assert skeleton is not None
    figure = figure_of(limit_set, skeleton)
    rotates, notes = _rotates_and_notes(figure)
    if not notes:
        raise errors.ExportError(
            "no joint of the skeleton has a limited channel, so nothing would move"
        )
    boxes = [joint.box for joint in figure.joints]
    bones = replace(
        figure.skeleton,
        rotate_orders=tuple(box.rotate_order for box in boxes),
        joint_orients=np.array([box.joint_orient for box in boxes]),
        rotate_axes=np.array([box.rotate_axis for box in boxes]),
    )
    frames = FIRST_FRAME + np.arange(rotates.shape[2], dtype=np.float64)
    name = f"{limit_set.character} range of motion"
    motion = Motion.from_rotates(bones, rotates, frames, FRAME_RATE, name)
    write = motion_scene if options.ending == "ma" else bvh_text
    found = _joints_by_loss(limit_set, figure, options.ending)
    losses = (*figure.losses, *losses_of(_MESSAGES, found), *only_in_json(limit_set))
    return Exported(write(motion, own_channels=True), losses, tuple(notes))


def _rotates_and_notes(figure: Figure) -> tuple[arrays.Floats, list[str]]:
    """Rotate channels, shape (joints, 3, frames), in radians, and a line about each exercise."""
    home = np.array([joint.clamped_rest for joint in figure.joints])
    parts, notes, first = [home[:, :, None]], [], FIRST_FRAME
    for index, channel, values in _exercises(figure):
        moving = np.repeat(home[:, :, None], len(values), axis=2)
        moving[index, channel] = values
        parts.append(moving)
        low, high = (text.number(float(np.degrees(v))) for v in (values.min(), values.max()))
        plug = f"{text.printable(figure.joints[index].name)}.{euler.CHANNELS[channel]}"
        notes.append(f"frames {first}-{first + len(values)}: {plug} {low}..{high}")
        first += len(values)
    return np.concatenate(parts, axis=2), notes


def _joints_by_loss(limit_set: LimitSet, figure: Figure, ending: str) -> dict[str, list[str]]:
    shapes, bones = active_shapes(limit_set), figure.skeleton
    limited = [joint for joint in figure.joints if joint.limit is not None]
    found = {
        "free-channel": [j.name for j in limited if not np.isfinite(j.box.high - j.box.low).all()],
        "rest-outside": [joint.name for joint in limited if joint.rests_outside],
        "coupled-limit": [joint.name for joint in limited if joint.limit_name in shapes],
    }
    if bones.between or (bones.scales != 1.0).any():
        found["plain-joints"] = list(bones.names)
    elif ending == "bvh":
        identity = [quaternion.IDENTITY] * 2
        found["no-joint-orient"] = [
            joint.name
            for joint in figure.joints
            if not np.array_equal([joint.box.joint_orient, joint.box.rotate_axis], identity)
        ]
    return found


def _exercises(figure: Figure) -> Iterator[tuple[int, int, arrays.Floats]]:
    """Joint, channel and values in radians for each channel that moves through its range."""
    frames = 1
    for joint in figure.joints:
        for channel in range(3):
            low, high = float(joint.box.low[channel]), float(joint.box.high[channel])
            if joint.locked[channel] or not np.isfinite(high - low) or high <= low:
                continue
            rest = float(joint.clamped_rest[channel])
            stops = (rest, low, high, rest)
            # From stop to stop with ease in and out; each stop is reached exactly and held.
            # Limits read from text may be off by 1e-8 degrees, which must not add a frame.
            times = np.abs(np.degrees(np.diff(stops))) / SPEED_DEG * FRAME_RATE - 1e-6
            counts = np.maximum(1, np.ceil(times)).astype(int).tolist()
            frames += sum(counts) + 3 * HOLD_FRAMES
            if frames > MAX_FRAMES:
                most = f"{MAX_FRAMES} frames; estimate fewer joints (--joints)"
                raise errors.ExportError(f"the animation would exceed {most}")
            parts = []
            for start, end, count in zip(stops, stops[1:], counts):
                eased = 0.5 - 0.5 * np.cos(np.pi * np.arange(1, count) / count)
                parts += [start + (end - start) * eased, np.full(1 + HOLD_FRAMES, end)]
            yield joint.index, channel, np.concatenate(parts)


_MESSAGES = {
    "free-channel": "a channel without limits has no end to move to; it stays still",
    "rest-outside": "the rest pose is outside the limits; home is the nearest pose inside",
    "coupled-limit": "channels move through their ranges one at a time; coupled limits are "
    "ignored, so some poses may be outside them",
    "plain-joints": "groups and scales were baked into rotations and positions; every joint moves "
    "as before, but its channels have different values",
    "no-joint-orient": "BVH has no jointOrient or rotateAxis; the joint moves as before, but "
    "its channels have different values (.ma keeps them)",
}
