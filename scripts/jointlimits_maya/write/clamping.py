"""Values on the rotate channels of the open scene, before any limit.

Maya clamps the keyed number of each rotate channel, whatever the pose. So exactly those numbers are
read before limits are switched on, bypassing limits that are already on: at every frame of the keys
and of the time slider, at every key, and where curves turn back between frames.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from jointlimits_core.base.progress import Progress
from jointlimits_core.geometry.arrays import Booleans, Floats
from jointlimits_core.rig.clamping import HeldRotates
from jointlimits_core.rig.curves import AnimCurve, TangentType
from jointlimits_core.rig.filter_keys import filtering_that_helps
from jointlimits_core.rig.filtered_keys import Channel
from jointlimits_core.rig.matrices import rotate_order_name
from jointlimits_core.rig.sampled_rig import with_peaks

from ..base.open_maya import om, oma
from ..read.drivers import (
    Constant,
    CurveOverTime,
    Driver,
    Drivers,
    Evaluated,
    Samples,
    UnclampedValues,
)
from ..scene.plugs import Attributes
from ..scene.preserve import scene_untouched
from ..scene.time import TimeChoice, current_frame


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
        drivers = Drivers()
        moving = {name: _drivers(drivers, node, paths[name]) for name, node in nodes.items()}
        samples = _sampled(drivers, moving, progress)
        none = Samples(np.zeros(1))

        def over_time(three: Sequence[Driver]) -> tuple[Floats, Booleans, Floats]:
            frames, values = samples.frames, np.stack([samples.of(one) for one in three])
            if not any(isinstance(one, Evaluated) and one.played for one in three):
                between = partial(_values_at, drivers, three)
                frames, values = with_peaks(frames, values, between)
            return frames, ~np.isin(frames, samples.frames), values

        def filtering(three: Sequence[Driver], order: str) -> str:
            channels = [_channel(one, drivers) for one in three]
            values = np.stack([samples.of(one) for one in three], axis=-1)
            return filtering_that_helps(channels, values, order, frames_per_second=1.0)

        orders = {
            name: rotate_order_name(node.plug("rotateOrder").asInt())
            for name, node in nodes.items()
        }
        return {
            name: HeldRotates(
                *over_time(moving[name]),
                moves=np.array([not isinstance(one, Constant) for one in moving[name]]),
                current=np.array([none.of(one)[0] for one in current[name]]),
                order=order,
                now=current_frame(),
                filtering=filtering(moving[name], order),
            )
            for name, order in orders.items()
        }


def _drivers(drivers: Drivers, node: Attributes, path: str) -> list[Driver]:
    return [drivers.of(plug, path) for plug in node.plugs("rotate")]


def _channel(driver: Driver, drivers: Drivers) -> Channel | None:
    """Keys of a driver, in frames, without their tangents; None unless it is a curve."""
    if isinstance(driver, Constant):
        return driver.value
    if not isinstance(driver, CurveOverTime):
        return None
    found = drivers.keys(driver)
    linear = np.full(len(found.frames), TangentType.LINEAR)
    curve = oma.MFnAnimCurve(driver.node)
    return AnimCurve.from_keys(
        found.frames,
        found.values,
        in_types=linear,
        out_types=linear,
        pre=int(curve.preInfinityType),
        post=int(curve.postInfinityType),
    )


def _sampled(
    drivers: Drivers, moving: Mapping[str, Sequence[Driver]], progress: Progress | None
) -> Samples:
    """Values of drivers at every frame of their keys and of the time slider."""
    wanted = [one for three in moving.values() for one in three if not isinstance(one, Constant)]
    keys = drivers.key_frames(wanted)
    samples = Samples(TimeChoice().with_time_slider(keys, len(moving), bool(wanted)))
    samples.take(drivers, wanted, progress)
    return samples


def _values_at(drivers: Drivers, three: Sequence[Driver], frames: Floats) -> Floats:
    """Values of three channels at other frames, shape (3, frames)."""
    samples = Samples(frames)
    samples.take(drivers, three)
    return np.stack([samples.of(one) for one in three])
