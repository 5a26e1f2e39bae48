"""All keys of a curve, written at once: a curve that is there, or a new one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import maya.api.OpenMaya as om
import maya.api.OpenMayaAnim as oma

from jointlimits_core.arrays import Floats

from .scene_edit import KeysStep, SceneEdit


class AllKeys:
    """Replaces all keys of a curve; what a :class:`~jointlimits_maya.scene_edit.KeysStep` does.

    Parameters
    ----------
    times : array, shape (keys,)
        In the scene's unit of time; from the first old key to the last, if there are any.
    values : array, shape (keys,)
        Internal units: radians, centimetres or plain numbers.
    stepped : bool
        Whether a value holds until the next key; else there are straight lines between keys.
    beyond : (int, int)
        How the curve goes on before and after its keys, as scenes number that.
    """

    def __init__(
        self, times: Floats, values: Floats, stepped: bool = False, beyond: tuple[int, int] = (0, 0)
    ) -> None:
        unit = om.MTime.uiUnit()
        self._times = om.MTimeArray([om.MTime(frame, unit) for frame in times.tolist()])
        self._values = om.MDoubleArray(values.tolist())
        self._stepped, self._beyond = stepped, beyond

    def __call__(self, curve: Any, change: oma.MAnimCurveChange) -> None:
        """Write them on an MFnAnimCurve; `change` records it."""
        tangent = curve.kTangentStep if self._stepped else curve.kTangentLinear
        # The new keys reach over all old ones, which are cut.
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
    """Have an edit make a curve with keys and connect it.

    Parameters
    ----------
    plug : callable
        Gives the channel, which may come from a node or an attribute that this edit makes.
    kind : str
        "animCurveTA", "animCurveTL" or "animCurveTU": of angles, lengths or plain numbers.
    name : str
        Of the curve.
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
