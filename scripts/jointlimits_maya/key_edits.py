"""New keys for channels of the open scene."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import maya.api.OpenMaya as om
import maya.api.OpenMayaAnim as oma
import numpy as np

from jointlimits_core.arrays import Floats
from jointlimits_core.formats.maya_ascii.new_keys import NewKeys
from jointlimits_core.formats.maya_ascii.units import RADIANS

from .attributes import Attributes
from .kept_originals import put_aside
from .scene_edit import KeysStep, SceneEdit
from .scene_picture import OpenScene

OLD = "_beforeJointLimits"
"""End of the name of a curve that is put aside for another one."""


@dataclass(frozen=True)
class NewChannel:
    """What becomes of one channel.

    Parameters
    ----------
    name : str
        Long name of the attribute.
    plug : MPlug
    curve : MObject, optional
        That drives it now.
    is_keyed : bool
        Whether it has keys afterwards; else it has the first value.
    values : array, shape (times,)
        Internal units.
    """

    name: str
    plug: om.MPlug
    curve: om.MObject | None
    is_keyed: bool
    values: Floats


def new_channels(picture: OpenScene, keys: NewKeys) -> Iterator[NewChannel]:
    """Channels that new keys are for.

    Parameters
    ----------
    picture : OpenScene
        That the keys were worked out in.
    keys : NewKeys
    """
    # As files have them: degrees or centimetres, without digits that are rounding errors.
    unit = RADIANS["degree"] if keys.is_angle else 1.0
    values, keyed = keys.rounded(unit) * unit, keys.keyed(unit)
    plugs = Attributes(picture.object(keys.channels.node)).plugs(keys.channels.compound)
    for axis, plug in enumerate(plugs):
        existing = keys.channels.curves[axis]
        curve = None if existing is None else picture.object(existing)
        name = keys.channels.names[axis]
        yield NewChannel(name, plug, curve, bool(keyed[axis]), values[axis])


def put_keys(edit: SceneEdit, picture: OpenScene, keys: NewKeys, ours: Container[str]) -> None:
    """Have an edit give three channels new keys, or new values where they need none.

    Parameters
    ----------
    edit : SceneEdit
    picture : OpenScene
        That the keys were worked out in.
    keys : NewKeys
    ours : container of str
        Channels whose curve, if there is one, we made: it is written again. Other curves are put
        aside as they are.
    """
    for channel in new_channels(picture, keys):
        plug, curve = channel.plug, channel.curve
        rewriting = _Rewriting(keys, channel.values)
        if curve is not None and channel.name in ours:
            if channel.is_keyed:
                edit.add(KeysStep(partial(om.MObject, curve), rewriting))
                continue
            take_out(edit, plug, curve)
        elif curve is not None:
            put_aside(edit, plug, curve)
        if channel.is_keyed:
            _add_curve(edit, plug, keys.is_angle, rewriting, curve)
        else:
            _set_still(edit, plug, float(channel.values[0]), keys.is_angle)


class _Rewriting:
    """Replaces all keys of a curve."""

    def __init__(self, keys: NewKeys, values: Floats) -> None:
        unit = om.MTime.uiUnit()
        self._times = om.MTimeArray([om.MTime(frame, unit) for frame in keys.times.tolist()])
        self._values = om.MDoubleArray(values.tolist())
        self._stepped, self._beyond = keys.is_stepped, keys.beyond

    def __call__(self, curve: Any, change: oma.MAnimCurveChange) -> None:
        tangent = curve.kTangentStep if self._stepped else curve.kTangentLinear
        # The new keys reach over all old ones, which are cut.
        # live check: add-keys-replaces
        curve.addKeys(self._times, self._values, tangent, tangent, False, change)
        before, after = self._beyond
        if curve.preInfinityType != before:
            curve.setPreInfinityType(before, change)
        if curve.postInfinityType != after:
            curve.setPostInfinityType(after, change)


def _add_curve(
    edit: SceneEdit,
    plug: om.MPlug,
    is_angle: bool,
    rewriting: _Rewriting,
    old: om.MObject | None,
) -> None:
    """Make a curve with keys and connect it; it takes the name of the one that was there."""
    kind = "animCurveTA" if is_angle else "animCurveTL"
    channel = om.MFnDependencyNode(plug.node()).name().replace(":", "_")
    name = f"{channel}_{plug.partialName(useLongNames=True).rpartition('.')[2]}"
    made: list[om.MObject] = []
    if old is not None:
        name = str(om.MFnDependencyNode(old).name())
        edit.modify(lambda modifier: modifier.renameNode(old, f"{name}{OLD}"))

    def create(modifier: om.MDGModifier) -> None:
        made.append(modifier.createNode(kind))

    def connect(modifier: om.MDGModifier) -> None:
        output = om.MFnDependencyNode(made[-1]).findPlug("output", False)
        modifier.connect(output, plug)

    edit.modify(create, when_reached=True)
    edit.modify(lambda modifier: modifier.renameNode(made[-1], name), when_reached=True)
    edit.add(KeysStep(lambda: made[-1], rewriting))
    edit.modify(connect, when_reached=True)


def take_out(edit: SceneEdit, plug: om.MPlug, curve: om.MObject) -> None:
    """Disconnect a curve, and delete it: nothing else reads it, or the plan would not be."""
    output = om.MFnDependencyNode(curve).findPlug("output", False)
    edit.disconnect(output, plug)
    # The stubs have lost the argument.
    edit.modify(lambda m: m.deleteNode(curve), when_reached=True)  # type: ignore[call-overload]


def _set_still(edit: SceneEdit, plug: om.MPlug, value: float, is_angle: bool) -> None:
    if not plug.isDestination and np.abs(plug.asDouble() - value) == 0.0:
        return
    if is_angle:
        edit.set_angle(plug, value)
    else:
        edit.set_distance(plug, value)
