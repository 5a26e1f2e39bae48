"""All keys of an existing or new animation curve, written in one call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import maya.api.OpenMaya as om
import maya.api.OpenMayaAnim as oma

from jointlimits_core.arrays import Floats

from .scene_edit import KeysStep, SceneEdit


class AllKeys:
    """Replacement of all keys of a curve, for :class:`~jointlimits_maya.scene_edit.KeysStep`.

    Parameters
    ----------
    times : array, shape (keys,)
        In the scene's time unit; must span any old keys.
    values : array, shape (keys,)
        Internal units: radians, centimetres or plain numbers.
    stepped : bool
        Stepped tangents; else linear.
    beyond : (int, int)
        Pre- and post-infinity types, as numbered in scene files.
    """

    def __init__(
        self, times: Floats, values: Floats, stepped: bool = False, beyond: tuple[int, int] = (0, 0)
    ) -> None:
        unit = om.MTime.uiUnit()
        self._times = om.MTimeArray([om.MTime(frame, unit) for frame in times.tolist()])
        self._values = om.MDoubleArray(values.tolist())
        self._stepped, self._beyond = stepped, beyond

    def __call__(self, curve: Any, change: oma.MAnimCurveChange) -> None:
        """Write the keys to an MFnAnimCurve and record that in `change`."""
        tangent = curve.kTangentStep if self._stepped else curve.kTangentLinear
        # The new keys span all old ones, which are replaced.
        # live check: add-keys-replaces
        curve.addKeys(self._times, self._values, tangent, tangent, False, change)
        before, after = self._beyond
        if curve.preInfinityType != before:
            curve.setPreInfinityType(before, change)
        if curve.postInfinityType != after:
            curve.setPostInfinityType(after, change)


def add_curve(
    edit: SceneEdit, plug: Callable[[], om.MPlug], kind: str, name: str, keys: AllKeys
) -> None:
    """Add a new curve with keys, and its connection, to an edit.

    Parameters
    ----------
    plug : callable
        Returns the channel, which may belong to a node or attribute that this edit creates.
    kind : str
        "animCurveTA", "animCurveTL" or "animCurveTU": angles, lengths or plain numbers.
    name : str
        Curve name.
    """
    made: list[om.MObject] = []

    def create(modifier: om.MDGModifier) -> None:
        made.append(modifier.createNode(kind))

    def connect(modifier: om.MDGModifier) -> None:
        output = om.MFnDependencyNode(made[-1]).findPlug("output", False)
        modifier.connect(output, plug())

    edit.modify(create, when_reached=True)
    edit.modify(lambda modifier: modifier.renameNode(made[-1], name), when_reached=True)
    edit.add(KeysStep(lambda: made[-1], keys))
    edit.modify(connect, when_reached=True)
