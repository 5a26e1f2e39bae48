"""Values on the rotate channels of the open scene, before any limit.

Maya clamps the keyed number of each rotate channel, whatever the pose. So exactly those numbers are
read before limits are switched on, bypassing limits that are already on: at every frame of the keys
and of the time slider, at every key, and where curves turn back between frames.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from jointlimits_core.base.progress import Progress
from jointlimits_core.geometry.arrays import Floats
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
        plugs = {name: Attributes(path.node()).plugs("rotate") for name, path in joints.items()}
        paths = {name: str(path.fullPathName()) for name, path in joints.items()}
        # Read this first: a pose that is not keyed is lost once the time changes.
        now, drivers = UnclampedValues(), Drivers()
        current = {
            name: [now.of(plug, paths[name]).value for plug in three]
            for name, three in plugs.items()
        }
        moving = {
            name: [drivers.of(plug, paths[name]) for plug in three] for name, three in plugs.items()
        }
        wanted = [
            one for three in moving.values() for one in three if not isinstance(one, Constant)
        ]
        keys = drivers.key_frames(wanted)
        samples = Samples(TimeChoice().with_time_slider(keys, len(moving), bool(wanted)))
        samples.take(drivers, wanted, progress)
        return {
            name: _held(drivers, moving[name], samples, path.node(), np.array(current[name]))
            for name, path in joints.items()
        }


def _held(
    drivers: Drivers, three: Sequence[Driver], samples: Samples, joint: om.MObject, current: Floats
) -> HeldRotates:
    """What the three channels of a joint hold. `current`: radians, shape (3,)."""

    def between(frames: Floats) -> Floats:
        others = Samples(frames)
        others.take(drivers, three)
        return np.stack([others.of(one) for one in three])

    order = rotate_order_name(Attributes(joint).plug("rotateOrder").asInt())
    frames, values = samples.frames, np.stack([samples.of(one) for one in three])
    channels = [_channel(one, drivers) for one in three]
    filtering = filtering_that_helps(channels, values.T, order, frames_per_second=1.0)
    if not any(isinstance(one, Evaluated) and one.played for one in three):
        frames, values = with_peaks(frames, values, between)
    return HeldRotates(
        frames,
        ~np.isin(frames, samples.frames),
        values,
        moves=np.array([not isinstance(one, Constant) for one in three]),
        current=current,
        order=order,
        now=current_frame(),
        filtering=filtering,
    )


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
