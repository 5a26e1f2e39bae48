"""Range-of-motion animation: every joint through its limits, for checking skin weights.

From the home pose each limited channel goes to its minimum, to its maximum and home again, holding
both for some frames, while everything else stays still.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..base.errors import ExportError
from ..base.text import number, printable
from ..formats.bvh import bvh_text
from ..formats.maya_ascii.motion_scene import motion_scene
from ..geometry.arrays import Floats
from ..geometry.euler import CHANNELS
from ..geometry.quaternion import IDENTITY
from ..limits.layers import active_shapes
from ..limits.limit_set import LimitSet
from ..motion.motion import Motion
from ..motion.skeleton import Skeleton
from .figure import Figure, figure_of
from .formats import ExportOptions
from .losses import Exported, losses_of, only_in_json

FIRST_FRAME = 1
FRAME_RATE, SPEED_DEG, HOLD_FRAMES = 30.0, 90.0, 5
"""Frames per second, degrees per second, and frames at each limit."""
MOST_FRAMES = 200_000
"""Most frames: nearly two hours at 30 fps; more indicates a mistake in the options."""


@dataclass(frozen=True, eq=False)
class Exercise:
    """One channel moving through its range. `values`, (frames,): radians, from home to home."""

    joint: int
    channel: int
    values: Floats


def export(limit_set: LimitSet, skeleton: Skeleton | None, options: ExportOptions) -> Exported:
    """Write the animation. Raises ExportError if it is too long or no channel has a range."""
    assert skeleton is not None
    figure = figure_of(limit_set, skeleton)
    exercises = list(_exercises(figure))
    if not exercises:
        raise ExportError("no joint of the skeleton has a limited channel, so nothing would move")
    motion = _motion(figure, exercises, FRAME_RATE, limit_set.character)
    write = motion_scene if options.ending == "ma" else bvh_text
    shapes, bones = active_shapes(limit_set), figure.skeleton
    limited = [joint for joint in figure.joints if joint.limit is not None]
    found = {
        "free-channel": [j.name for j in limited if not np.isfinite(j.box.high - j.box.low).all()],
        "rest-outside": [joint.name for joint in limited if joint.rests_outside],
        "coupled-limit": [joint.name for joint in limited if joint.limit_name in shapes],
    }
    if bones.between or (bones.scales != 1.0).any():
        found["plain-joints"] = list(bones.names)
    elif options.ending == "bvh":
        found["no-joint-orient"] = [
            joint.name
            for joint in figure.joints
            if any(
                (turn != IDENTITY).any() for turn in (joint.box.joint_orient, joint.box.rotate_axis)
            )
        ]
    losses = (*figure.losses, *losses_of(_MESSAGES, found), *only_in_json(limit_set))
    # Frame range of each channel.
    notes = []
    place = FIRST_FRAME
    for one in exercises:
        joint = figure.joints[one.joint]
        low, high = (number(float(np.degrees(v))) for v in (one.values.min(), one.values.max()))
        last = place + len(one.values)
        plug = f"{printable(joint.name)}.{CHANNELS[one.channel]}"
        notes.append(f"frames {place}-{last}: {plug} {low}..{high}")
        place = last
    return Exported(write(motion, own_channels=True), losses, tuple(notes))


def _exercises(figure: Figure) -> Iterator[Exercise]:
    frames = 1
    for joint in figure.joints:
        for channel in range(3):
            low, high = float(joint.box.low[channel]), float(joint.box.high[channel])
            if joint.locked[channel] or not np.isfinite(high - low) or high <= low:
                continue
            stops = (float(joint.held[channel]), low, high, float(joint.held[channel]))
            frames += sum(_frames(a, b) for a, b in zip(stops, stops[1:]))
            frames += 3 * HOLD_FRAMES
            if frames > MOST_FRAMES:
                raise ExportError(
                    f"the animation would exceed {MOST_FRAMES} frames; estimate fewer joints "
                    "(--joints)"
                )
            # Values from stop to stop with ease in and out, each stop reached exactly and held.
            parts = []
            for start, end in zip(stops, stops[1:]):
                count = _frames(start, end)
                eased = 0.5 - 0.5 * np.cos(np.pi * np.arange(1, count) / count)
                parts += [start + (end - start) * eased, np.full(1 + HOLD_FRAMES, end)]
            yield Exercise(joint.index, channel, np.concatenate(parts))


def _frames(start: float, end: float) -> int:
    """Number of frames from one value to another."""
    # Limits from text are off by 1e-8 degrees, which must not add a frame.
    seconds = abs(np.degrees(end - start)) / SPEED_DEG
    return max(1, int(np.ceil(seconds * FRAME_RATE - 1e-6)))


def _motion(figure: Figure, exercises: Sequence[Exercise], rate: float, name: str) -> Motion:
    home = np.array([joint.held for joint in figure.joints])
    count = 1 + sum(len(one.values) for one in exercises)
    rotates = np.repeat(home[:, :, None], count, axis=2)
    place = 1
    for one in exercises:
        rotates[one.joint, one.channel, place : place + len(one.values)] = one.values
        place += len(one.values)
    boxes = [joint.box for joint in figure.joints]
    skeleton = replace(
        figure.skeleton,
        rotate_orders=tuple(box.rotate_order for box in boxes),
        joint_orients=np.array([box.joint_orient for box in boxes]),
        rotate_axes=np.array([box.rotate_axis for box in boxes]),
    )
    frames = np.arange(FIRST_FRAME, FIRST_FRAME + count, dtype=np.float64)
    return Motion.from_rotates(skeleton, rotates, frames, rate, f"{name} range of motion")


_MESSAGES = {
    "free-channel": "a channel without limits has no end to move to; it stays still",
    "rest-outside": "the rest pose is outside the limits; the nearest pose inside is used as home",
    "coupled-limit": "channels move through their ranges one at a time; coupled limits are "
    "ignored, so some poses may be outside them",
    "plain-joints": "groups and scales were baked into rotations and positions; every joint moves "
    "as before, but its channels have other numbers",
    "no-joint-orient": "BVH has no jointOrient and no rotateAxis; the joint moves as before, but "
    "its channels have other numbers (.ma keeps them)",
}
