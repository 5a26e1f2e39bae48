"""New keys for channels of the open scene."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import partial

import maya.api.OpenMaya as om
import numpy as np

from jointlimits_core.arrays import Floats
from jointlimits_core.formats.maya_ascii.new_keys import NewKeys
from jointlimits_core.formats.maya_ascii.units import RADIANS

from .all_keys import AllKeys, add_curve
from .attributes import Attributes
from .kept_originals import put_aside
from .scene_edit import KeysStep, SceneEdit
from .scene_picture import OpenScene

OLD = "_beforeJointLimits"
"""Name suffix of a curve that is set aside for a new one."""


@dataclass(frozen=True)
class NewChannel:
    """New keys or value of one channel.

    Parameters
    ----------
    name : str
        Long name of the attribute.
    plug : MPlug
    curve : MObject, optional
        Its current driver.
    is_keyed : bool
        Whether it gets keys; else it gets the first value.
    values : array, shape (times,)
        Internal units.
    """

    name: str
    plug: om.MPlug
    curve: om.MObject | None
    is_keyed: bool
    values: Floats


def new_channels(picture: OpenScene, keys: NewKeys) -> Iterator[NewChannel]:
    """Channels that get new keys.

    Parameters
    ----------
    picture : OpenScene
        The scene model that the keys were planned in.
    """
    # Rounded as in files, in degrees or centimetres, to drop digits that are rounding errors.
    unit = RADIANS["degree"] if keys.is_angle else 1.0
    values, keyed = keys.rounded(unit) * unit, keys.keyed(unit)
    plugs = Attributes(picture.object(keys.channels.node)).plugs(keys.channels.compound)
    for axis, plug in enumerate(plugs):
        existing = keys.channels.curves[axis]
        curve = None if existing is None else picture.object(existing)
        name = keys.channels.names[axis]
        yield NewChannel(name, plug, curve, bool(keyed[axis]), values[axis])


def put_keys(edit: SceneEdit, picture: OpenScene, keys: NewKeys, ours: Container[str]) -> None:
    """Add new keys of three channels to an edit, or new values where no keys are needed.

    Parameters
    ----------
    picture : OpenScene
        The scene model that the keys were planned in.
    ours : container of str
        Channels whose curve is our own and is rewritten. Other curves are set aside unchanged.
    """
    for channel in new_channels(picture, keys):
        plug, curve = channel.plug, channel.curve
        all_keys = AllKeys(keys.times, channel.values, keys.is_stepped, keys.beyond)
        if curve is not None and channel.name in ours:
            if channel.is_keyed:
                edit.add(KeysStep(partial(om.MObject, curve), all_keys))
                continue
            take_out(edit, plug, curve)
        elif curve is not None:
            put_aside(edit, plug, curve)
        if channel.is_keyed:
            _add_curve(edit, plug, keys.is_angle, all_keys, curve)
        else:
            _set_still(edit, plug, float(channel.values[0]), keys.is_angle)


def _add_curve(
    edit: SceneEdit,
    plug: om.MPlug,
    is_angle: bool,
    all_keys: AllKeys,
    old: om.MObject | None,
) -> None:
    """Create and connect a curve with keys; it takes over the name of the old one."""
    kind = "animCurveTA" if is_angle else "animCurveTL"
    channel = om.MFnDependencyNode(plug.node()).name().replace(":", "_")
    name = f"{channel}_{plug.partialName(useLongNames=True).rpartition('.')[2]}"
    if old is not None:
        name = str(om.MFnDependencyNode(old).name())
        edit.modify(lambda modifier: modifier.renameNode(old, f"{name}{OLD}"))
    add_curve(edit, lambda: plug, kind, name, all_keys)


def take_out(edit: SceneEdit, plug: om.MPlug, curve: om.MObject) -> None:
    """Disconnect and delete a curve; plans include only curves that nothing else reads."""
    output = om.MFnDependencyNode(curve).findPlug("output", False)
    edit.disconnect(output, plug)
    # The stubs omit the argument.
    edit.modify(lambda m: m.deleteNode(curve), when_reached=True)  # type: ignore[call-overload]


def _set_still(edit: SceneEdit, plug: om.MPlug, value: float, is_angle: bool) -> None:
    if not plug.isDestination and np.abs(plug.asDouble() - value) == 0.0:
        return
    if is_angle:
        edit.set_angle(plug, value)
    else:
        edit.set_distance(plug, value)
