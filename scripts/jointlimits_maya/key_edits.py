"""New keys for channels of the open scene."""

from __future__ import annotations

from functools import partial
from typing import Any

import maya.api.OpenMaya as om
import maya.api.OpenMayaAnim as oma
import numpy as np

from jointlimits_core.arrays import Floats
from jointlimits_core.formats.maya_ascii.new_keys import NewKeys
from jointlimits_core.formats.maya_ascii.units import RADIANS

from .attributes import Attributes
from .scene_edit import KeysStep, SceneEdit
from .scene_picture import OpenScene


def put_keys(edit: SceneEdit, picture: OpenScene, keys: NewKeys) -> None:
    """Have an edit give three channels new keys, or new values where they need none.

    Parameters
    ----------
    edit : SceneEdit
    picture : OpenScene
        That the keys were worked out in.
    keys : NewKeys
    """
    # As files have them: degrees or centimetres, without digits that are rounding errors.
    unit = RADIANS["degree"] if keys.is_angle else 1.0
    values, keyed = keys.rounded(unit) * unit, keys.keyed(unit)
    channels = Attributes(picture.object(keys.channels.node)).plugs(keys.channels.compound)
    for axis, plug in enumerate(channels):
        existing = keys.channels.curves[axis]
        curve = None if existing is None else picture.object(existing)
        if keyed[axis] and curve is not None:
            edit.add(KeysStep(partial(om.MObject, curve), _Rewriting(keys, values[axis])))
        elif keyed[axis]:
            _add_curve(edit, plug, keys, values[axis])
        else:
            if curve is not None:
                _take_out(edit, plug, curve)
            _set_still(edit, plug, float(values[axis, 0]), keys.is_angle)


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


def _add_curve(edit: SceneEdit, plug: om.MPlug, keys: NewKeys, values: Floats) -> None:
    """Make a curve for a channel that had none, with keys, and connect it."""
    kind = "animCurveTA" if keys.is_angle else "animCurveTL"
    channel = om.MFnDependencyNode(plug.node()).name().replace(":", "_")
    name = f"{channel}_{plug.partialName(useLongNames=True).rpartition('.')[2]}"
    made: list[om.MObject] = []

    def create(modifier: om.MDGModifier) -> None:
        made.append(modifier.createNode(kind))

    def connect(modifier: om.MDGModifier) -> None:
        output = om.MFnDependencyNode(made[-1]).findPlug("output", False)
        modifier.connect(output, plug)

    edit.modify(create, when_reached=True)
    edit.modify(lambda modifier: modifier.renameNode(made[-1], name), when_reached=True)
    edit.add(KeysStep(lambda: made[-1], _Rewriting(keys, values)))
    edit.modify(connect, when_reached=True)


def _take_out(edit: SceneEdit, plug: om.MPlug, curve: om.MObject) -> None:
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
