"""Values on the rotate channels of the open scene, before any limit.

Maya clamps the keyed number of each rotate channel, whatever the pose. So exactly those numbers are
read before limits are switched on, bypassing limits that are already on: at every frame of the keys
and of the time slider, at every key, and where curves turn back between frames.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from jointlimits_core.base import Progress
from jointlimits_core.geometry import Booleans, Floats
from jointlimits_core.rig import HeldRotates, rotate_order_name, turning_points

from ..base.open_maya import om
from ..read import Constant, CurveOverTime, Driver, Drivers, Keys, Samples, UnclampedValues
from ..scene import Attributes, TimeChoice, current_frame, scene_untouched


def held_rotates(
    joints: Mapping[str, om.MDagPath], progress: Progress | None = None
) -> dict[str, HeldRotates]:
    """Read what drives the rotations of joints over the scene's time, bypassing limits.

    Raises SceneError if there are too many frames to read.
    """
    with scene_untouched():
        nodes = {name: Attributes(path.node()) for name, path in joints.items()}
        paths = {name: str(path.fullPathName()) for name, path in joints.items()}
        # Read this first: a pose that is not keyed is lost once the time changes.
        now = UnclampedValues()
        current = {name: _drivers(now, node, paths[name]) for name, node in nodes.items()}
        drivers, keys = Drivers(), Keys()
        moving = {name: _drivers(drivers, node, paths[name]) for name, node in nodes.items()}
        samples = _sampled(drivers, keys, moving, progress)
        none = Samples(np.zeros(1))
        return {
            name: HeldRotates(
                *_over_time(moving[name], samples, keys),
                moves=np.array([not isinstance(one, Constant) for one in moving[name]]),
                current=np.array([none.of(one)[0] for one in current[name]]),
                order=rotate_order_name(node.plug("rotateOrder").asInt()),
                now=current_frame(),
            )
            for name, node in nodes.items()
        }


def _drivers(drivers: Drivers, node: Attributes, path: str) -> list[Driver]:
    return [drivers.of(plug, path) for plug in node.plugs("rotate")]


def _sampled(
    drivers: Drivers, keys: Keys, moving: Mapping[str, Sequence[Driver]], progress: Progress | None
) -> Samples:
    """Values of drivers at every frame of their keys and of the time slider."""
    wanted = [one for three in moving.values() for one in three if not isinstance(one, Constant)]
    behind = {c.name: c for driver in wanted for c in drivers.curves_behind(driver)}
    chosen = TimeChoice().with_time_slider(keys.frames(behind.values()), len(moving), bool(wanted))
    samples = Samples(chosen)
    samples.take(drivers, wanted, keys, progress)
    return samples


def _over_time(
    three: Sequence[Driver], samples: Samples, keys: Keys
) -> tuple[Floats, Booleans, Floats]:
    """Frames, which of them are between whole frames and keys, and values (3, frames)."""
    frames = samples.frames
    values = np.stack([samples.of(one) for one in three])
    if all(isinstance(one, (Constant, CurveOverTime)) for one in three):
        for _ in range(2):
            frames = np.union1d(frames, turning_points(frames, values))
            values = np.stack([_curve_values(one, frames, keys) for one in three])
    return frames, ~np.isin(frames, samples.frames), values


def _curve_values(driver: Driver, frames: Floats, keys: Keys) -> Floats:
    if isinstance(driver, CurveOverTime):
        return keys.of(driver).at(frames)
    assert isinstance(driver, Constant)
    return np.full(len(frames), driver.value)
