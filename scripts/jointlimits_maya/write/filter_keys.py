"""Rotate channels of the open scene: their unclamped values, and the filtering of their keys.

Maya clamps the keyed value of each rotate channel, not the pose. So exactly these values are read
before limits are switched on, bypassing limits that are already on: at every whole frame of the
keys' range and of the time slider, at every key, and where curves reverse between frames. Filtering
moves keys to one Euler branch and turn, in one undo step.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np

from jointlimits_core.base.progress import Progress
from jointlimits_core.geometry import arrays
from jointlimits_core.rig import (
    clamping,
    curves,
    filter_keys,
    filter_targets,
    reorient_checks,
    sampled_rig,
    scene,
)

from ..base.open_maya import om, oma
from ..read.drivers import Constant, CurveOverTime, Driver, Drivers, Samples, UnclampedValues
from ..read.evaluation import Evaluated
from ..read.scene_graph import OpenDrivers, SceneModel
from ..scene import preserve, time
from ..scene.edit import SceneEdit
from ..scene.joints import noun_of
from ..scene.plugs import Attributes

LABEL = "Filter Keys"
_FILE_TYPES = {
    4: curves.TangentType.SPLINE,
    8: curves.TangentType.CLAMPED,
    9: curves.TangentType.PLATEAU,
    10: curves.TangentType.STEP_NEXT,
    11: curves.TangentType.AUTO,
}
"""Scene-file tangent types by their MFnAnimCurve numbers; all other numbers are the same."""


def held_rotates(
    joints: Mapping[str, om.MDagPath],
    progress: Progress | None = None,
    drivers: Drivers | None = None,
) -> dict[str, clamping.HeldRotates]:
    """Read the unclamped rotate values of joints over the scene's time, bypassing limits.

    `drivers`: what has been found upstream so far. Raises SceneError if there are too many frames
    to read.
    """
    with preserve.scene_untouched():
        plugs = {name: Attributes(path.node()).plugs("rotate") for name, path in joints.items()}
        channels = {
            name: [(plug, str(path.fullPathName())) for plug in plugs[name]]
            for name, path in joints.items()
        }
        # Read this first: a pose that is not keyed is lost once the time changes.
        now, drivers = UnclampedValues(), drivers or Drivers()
        current = {name: [now.driver_of(*c).value for c in channels[name]] for name in joints}
        moving = {}
        for done, name in enumerate(joints):
            drivers.report(progress, done, len(joints))
            moving[name] = [drivers.driver_of(*c) for c in channels[name]]
        wanted = [one for one in chain(*moving.values()) if not isinstance(one, Constant)]
        keys = drivers.key_frames(wanted)
        samples = Samples(time.TimeChoice().with_time_slider(keys, len(moving), bool(wanted)))
        # Once for all joints: bypassing limits for each one would repeat the walk upstream.
        with drivers.limits_bypassed(wanted):
            samples.sample(drivers, wanted, progress)
            return {
                name: _held_rotates(
                    drivers, moving[name], samples, path.node(), np.array(current[name])
                )
                for name, path in joints.items()
            }


def _held_rotates(
    drivers: Drivers,
    three: Sequence[Driver],
    samples: Samples,
    joint: om.MObject,
    current: arrays.Floats,
) -> clamping.HeldRotates:
    """Values that the three channels of a joint hold. `current`: radians, shape (3,)."""

    def values_between(frames: arrays.Floats) -> arrays.Floats:
        others = Samples(frames)
        others.sample(drivers, three)
        return np.stack([others.values_of(one) for one in three])

    order = Attributes(joint).rotate_order
    frames, values = samples.frames, np.stack([samples.values_of(one) for one in three])
    channels = [_channel(one, drivers) for one in three]
    filtering = filter_keys.filtering_that_helps(channels, values.T, order, frames_per_second=1.0)
    if not any(isinstance(one, Evaluated) and one.played for one in three):
        frames, values = sampled_rig.with_peaks(frames, values, values_between)
    return clamping.HeldRotates(
        frames,
        ~np.isin(frames, samples.frames),
        values,
        moves=np.array([not isinstance(one, Constant) for one in three]),
        current=current,
        order=order,
        now=time.current_frame(),
        filtering=filtering,
    )


def _channel(driver: Driver, drivers: Drivers) -> filter_keys.Channel | None:
    """Keys of a curve, in frames, without tangents; value of a constant; None for other drivers."""
    if isinstance(driver, Constant):
        return driver.value
    if not isinstance(driver, CurveOverTime):
        return None
    found = drivers.keys(driver)
    linear = np.full(len(found.frames), curves.TangentType.LINEAR)
    curve = oma.MFnAnimCurve(driver.node)
    return curves.AnimCurve.from_keys(
        found.frames,
        found.values,
        in_types=linear,
        out_types=linear,
        pre=int(curve.preInfinityType),
        post=int(curve.postInfinityType),
    )


def plan_filter(
    joints: Mapping[str, om.MDagPath],
    progress: Progress | None = None,
    replaces_limits: Container[str] = (),
) -> tuple[SceneEdit, filter_keys.KeyFilterPlan]:
    """Plan new rotate keys for joints, and the edit that sets them; empty if there are none.

    `replaces_limits`: joints that get new limits; on all other joints, limits that are on must not
    clamp the new keys. Joints with drivers other than curves are sampled, and skipped only if they
    mix branches or turns. Raises SceneError if there are too many frames to read, and Cancelled if
    `progress` returned False.
    """
    model = SceneModel()
    nodes = {name: model.joint(path.node()) for name, path in joints.items()}
    names = {node: name for name, node in nodes.items()}

    def sample_channels(blocked: Sequence[scene.Node]) -> Iterator[arrays.Floats]:
        paths = {names[node]: joints[names[node]] for node in blocked}
        found = held_rotates(paths, progress).values()
        return (held.values[:, ~held.between].T for held in found)

    start, end = oma.MAnimControl.minTime(), oma.MAnimControl.maxTime()
    playback = start.asUnits(om.MTime.kSeconds), end.asUnits(om.MTime.kSeconds)
    checks = reorient_checks.Checks(model.scene, model, OpenDrivers(model, open_curve))
    plan = filter_targets.plan_joint_filter(
        checks, nodes, sample_channels, playback_seconds=playback, replaces_limits=replaces_limits
    )
    plan.noun = noun_of(joints.values())
    edit = SceneEdit(LABEL)
    for node, curve in filter_targets.planned_curves(model.scene, nodes, plan):
        edit.change_keys(partial(model.object, node), partial(_put_keys, curve))
    return edit, plan


def filtered_rotates(
    held: clamping.HeldRotates, joint: filter_keys.FilteredJoint
) -> clamping.HeldRotates:
    """Rotate channels of a joint after its keys are filtered."""
    rate = time.frames_per_second()
    values, current = held.values.copy(), held.current.copy()
    for axis, curve in joint.curves.items():
        values[axis] = curve.after.evaluate(held.frames / rate)
        current[axis] = curve.after.evaluate([held.now / rate])[0]
    return replace(held, values=values, current=current, is_filtered=True, filtering="")


def _put_keys(
    filtered: filter_keys.FilteredCurve, curve: oma.MFnAnimCurve, change: oma.MAnimCurveChange
) -> None:
    """Write values and tangents of filtered keys to a curve; record the calls in `change`."""
    before, after = filtered.before, filtered.after
    turned = filtered.signs < 0.0
    sides = [
        (old, new, (old != new) | (turned & (new == curves.TangentType.FIXED)))
        for old, new in ((before.in_types, after.in_types), (before.out_types, after.out_types))
    ]
    for key in np.flatnonzero(sides[0][2] | sides[1][2]).tolist():
        # Otherwise the other side would turn with it. live check: locked-tangents-turn-together
        curve.setTangentsLocked(key, False, change)
    for key in np.flatnonzero(filtered.changed).tolist():
        curve.setValue(key, float(after.values[key]), change)
    in_x, in_y, out_x, out_y = after.tangents
    for (_, kinds, wanted), x, y, incoming in zip(
        sides, (in_x, out_x), (in_y, out_y), (True, False)
    ):
        put_type = curve.setInTangentType if incoming else curve.setOutTangentType
        for key in np.flatnonzero(wanted).tolist():
            if kinds[key] == curves.TangentType.FIXED:
                curve.setTangent(key, float(x[key]), float(y[key]), incoming, change, False)
            else:
                put_type(key, curve.kTangentLinear, change)


def open_curve(maya_curve: om.MObject) -> curves.AnimCurve:
    """Animation curve in the open scene, with Maya's own tangents."""
    curve = oma.MFnAnimCurve(maya_curve)
    keys = range(curve.numKeys)

    def read_tangents() -> curves.Tangents:
        ins, outs = (
            np.array([curve.getTangentXY(key, side) for key in keys]).reshape(-1, 2)
            for side in (True, False)
        )
        return curves.Tangents(ins[:, 0], ins[:, 1], outs[:, 0], outs[:, 1])

    def file_types(kinds: list[int]) -> arrays.Integers:
        return np.array([_FILE_TYPES.get(kind, kind) for kind in kinds], dtype=np.int64)

    return curves.AnimCurve(
        np.array([curve.input(key).asUnits(om.MTime.kSeconds) for key in keys]),
        np.array([curve.value(key) for key in keys]),
        file_types([int(curve.inTangentType(key)) for key in keys]),
        file_types([int(curve.outTangentType(key)) for key in keys]),
        read_tangents,
        bool(curve.isWeighted),
        int(curve.preInfinityType),
        int(curve.postInfinityType),
    )
