"""Animation that limits would clamp.

Maya clamps the keyed number of each rotate channel, whatever the pose. So exactly those numbers are
checked before limits are switched on: on the Euler branch of the keys, at every frame, bypassing
limits that are already on. The current pose, keyed or not, is checked as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from jointlimits_core.base import OptionText, Progress, plural
from jointlimits_core.evaluation import nearest_on_circle, outside_by
from jointlimits_core.geometry import CHANNELS, Booleans, Floats
from jointlimits_core.rig import Skipped, rotate_order_name

from ..base.open_maya import om
from ..read import Constant, Driver, Drivers, Keys, Samples, UnclampedValues
from ..scene import Attributes, Clamped, TimeChoice, current_frame, scene_untouched

CLAMPED_DEG = 1e-3
"""Degrees beyond a limit that count as rounding: 0.02 mm at the end of a metre."""

Bounds = Mapping[str, tuple["float | None", "float | None"]]
"""Minimum and maximum in degrees by channel; None where there is no limit."""


@dataclass(frozen=True, eq=False)
class Rotates:
    """Rotate channels of one joint, over the animation and in the current pose.

    `frames`, shape (frames,). `values`, shape (3, frames): radians. `moves`, shape (3,): False for
    channels that nothing drives; only their current value counts. `current`, shape (3,): current
    pose, radians.
    """

    frames: Floats
    values: Floats
    moves: Booleans
    current: Floats
    order: str

    def clamped(self, joint: str, bounds: Bounds) -> Iterator[Clamped]:
        """Channels that limits would clamp. `bounds`, by channel: (low, high)."""
        low, high = (_three(bounds, side) for side in (0, 1))
        beyond = np.degrees(outside_by(self.values, low, high))
        current = np.degrees(outside_by(self.current[:, None], low, high))[:, 0]
        inside = nearest_on_circle(self.values, low[:, None], high[:, None], self.order)
        fits = np.degrees(outside_by(inside, low, high)).max(axis=0) <= CLAMPED_DEG
        for axis, channel in enumerate(CHANNELS):
            out = (beyond[axis] > CLAMPED_DEG) & self.moves[axis]
            if out.any():
                worst, count = int(beyond[axis].argmax()), int(out.sum())
                deg, frame = float(beyond[axis, worst]), float(self.frames[worst])
                yield Clamped(joint, channel, count, deg, frame, int((out & fits).sum()))
            elif current[axis] > CLAMPED_DEG:
                yield Clamped(joint, channel, 0, float(current[axis]), current_frame())


def _three(bounds: Bounds, side: int) -> Floats:
    """Minimum (side 0) or maximum (1) of the three channels, radians; infinite without a limit."""
    none = (-np.inf, np.inf)[side]
    ends = (bounds.get(channel, (None, None))[side] for channel in CHANNELS)
    return np.radians([none if end is None else end for end in ends])


def keyed_rotates(
    joints: Mapping[str, om.MDagPath], progress: Progress | None = None
) -> dict[str, Rotates]:
    """Read what drives the rotations of joints over all their keys, bypassing limits.

    Raises SceneError if there are too many frames to read.
    """
    with scene_untouched():
        nodes = {name: Attributes(path.node()) for name, path in joints.items()}
        paths = {name: str(path.fullPathName()) for name, path in joints.items()}
        # Read this first: a pose that is not keyed is lost once the time changes.
        now = UnclampedValues()
        current = {name: _drivers(now, node, paths[name]) for name, node in nodes.items()}
        drivers = Drivers()
        moving = {name: _drivers(drivers, node, paths[name]) for name, node in nodes.items()}
        wanted = [one for three in moving.values() for one in three]
        samples = _sampled(drivers, wanted, len(joints), progress)
        none = Samples(np.zeros(1))
        return {
            name: Rotates(
                samples.frames,
                np.stack([samples.of(one) for one in moving[name]]),
                np.array([not isinstance(one, Constant) for one in moving[name]]),
                np.array([none.of(one)[0] for one in current[name]]),
                rotate_order_name(node.plug("rotateOrder").asInt()),
            )
            for name, node in nodes.items()
        }


def _drivers(drivers: Drivers, node: Attributes, path: str) -> list[Driver]:
    return [drivers.of(plug, path) for plug in node.plugs("rotate")]


def _sampled(
    drivers: Drivers, wanted: Iterable[Driver], joints: int, progress: Progress | None
) -> Samples:
    """Values of drivers at every frame that an estimate reads by default."""
    moving = [driver for driver in wanted if not isinstance(driver, Constant)]
    behind = {c.name: c for driver in moving for c in drivers.curves_behind(driver)}
    keys = Keys()
    chosen = TimeChoice().frames(keys.frames(behind.values()), joints, bool(moving))
    samples = Samples(chosen.frames)
    samples.take(drivers, moving, keys, progress)
    return samples


def worst_first(clips: Iterable[Clamped]) -> tuple[Clamped, ...]:
    """Sort channels by how far they exceed their limits, worst first."""
    return tuple(sorted(clips, key=lambda one: -one.worst_deg))


def skipped_limit(one: Clamped) -> Skipped:
    """Limits that stay off because they would clamp animation."""
    advice = OptionText(f"{_correction(one)}, or use ", "may_move")
    return Skipped(one.joint, one.channel, f"would clamp {clamp_words(one)}", advice)


def clamp_words(one: Clamped) -> str:
    """What is clamped: "3 frames, at worst 158 degrees at frame 22"."""
    if not one.frames:
        return f"the current pose, by {one.worst_deg:.3g} degrees"
    frames = plural(one.frames, "frame")
    return f"{frames}, at worst {one.worst_deg:.3g} degrees at frame {one.worst_frame:g}"


def _correction(one: Clamped) -> str:
    if not one.frames:
        return "go to a frame of the animation"
    filtered = "run an Euler filter on its keys (Graph Editor: Curves > Euler Filter)"
    wider = "estimate with strictness lossless over a time range that covers the animation"
    if one.flips == one.frames:
        return f"those keys are on another Euler branch: {filtered}"
    return f"{filtered} and {wider}" if one.flips else wider
