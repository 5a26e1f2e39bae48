"""Keys of channels in the open scene, and original curves and matrices kept until restored.

All keys of a curve are written in one call. A curve that is set aside keeps its keys, tangents and
other connections but no longer drives the channel; its message is connected to a hidden attribute
of the node. A matrix is copied to a hidden attribute in its own form, as numbers or as a record of
channels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.rig import reorient_checks, scene

from ..base.open_maya import om, oma
from ..scene.edit import Angle, KeysStep, Length, SceneEdit
from ..scene.plugs import AXES, Attributes, existing_element, find_plug
from ..scene.record import Backup, Given, is_same, key_fingerprint
from .scene_graph import OpenCurve, SceneModel, numbers_of, plug_name


class AllKeys:
    """Keys of a new curve, for :class:`~jointlimits_maya.scene.edit.KeysStep`.

    `times`, shape (keys,): in the scene's time unit. `values`, shape
    (keys,): internal units: radians, centimetres or plain numbers. `stepped`: stepped tangents;
    else linear. `beyond`, (int, int): pre- and post-infinity types, as numbered in scene files.
    """

    def __init__(
        self, times: Floats, values: Floats, stepped: bool = False, beyond: tuple[int, int] = (0, 0)
    ) -> None:
        unit = om.MTime.uiUnit()
        self._times = om.MTimeArray([om.MTime(frame, unit) for frame in times.tolist()])
        self._values = om.MDoubleArray(values.tolist())
        self._stepped, self._beyond = stepped, beyond

    def __call__(self, curve: oma.MFnAnimCurve, change: oma.MAnimCurveChange) -> None:
        """Write the keys to an MFnAnimCurve and record that in `change`."""
        tangent = curve.kTangentStep if self._stepped else curve.kTangentLinear
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

    `plug`: returns the channel, which may belong to a node or attribute that this edit creates.
    `kind`: "animCurveTA", "animCurveTL" or "animCurveTU": angles, lengths or plain numbers. `name`:
    curve name.
    """
    made: list[om.MObject] = []

    def connect(modifier: om.MDGModifier) -> None:
        output = om.MFnDependencyNode(made[-1]).findPlug("output", False)
        modifier.connect(output, plug())

    edit.modify(lambda modifier: made.append(modifier.createNode(kind)), when_reached=True)
    edit.modify(lambda modifier: modifier.renameNode(made[-1], name), when_reached=True)
    edit.add(KeysStep(lambda: made[-1], keys))
    edit.modify(connect, when_reached=True)


CURVES, CURVES_SHORT = "jointLimitsOldCurves", "jloc"
MATRICES, MATRICES_SHORT = "jointLimitsOldMatrices", "jlom"
ROTATES = tuple(f"rotate{axis}" for axis in AXES)
CHANNELS = (*ROTATES, *(f"translate{axis}" for axis in AXES))
"""Positions in this tuple are the indices of the curves."""


def set_aside(edit: SceneEdit, plug: om.MPlug, curve: om.MObject) -> None:
    """Disconnect a curve from a channel and keep it."""
    # live check: curves-kept-by-message
    node, function = plug.node(), om.MFnDependencyNode(curve)
    place = CHANNELS.index(plug_name(plug))
    edit.disconnect(function.findPlug("output", False), plug)
    edit.modify(
        lambda m: m.connect(function.findPlug("message", False), _element(node, CURVES, place)),
        when_reached=True,
    )


def curve_aside(node: om.MObject, channel: str) -> om.MObject | None:
    """Curve that was set aside for a channel; None if it is gone."""
    if not om.MFnDependencyNode(node).hasAttribute(CURVES):
        return None
    plug = existing_element(find_plug(node, CURVES), CHANNELS.index(channel))
    if plug is None or not plug.isDestination:
        return None
    return plug.source().node()


def restore_curve(edit: SceneEdit, plug: om.MPlug, curve: om.MObject) -> None:
    """Reconnect its curve to a channel that nothing drives."""
    function = om.MFnDependencyNode(curve)
    kept = _element(plug.node(), CURVES, CHANNELS.index(plug_name(plug)))
    edit.disconnect(function.findPlug("message", False), kept)
    edit.modify(lambda m: m.connect(function.findPlug("output", False), plug), when_reached=True)


def copy_matrix(edit: SceneEdit, node: om.MObject, place: int, source: om.MPlug) -> None:
    """Copy a matrix to the hidden attribute."""
    # live check: matrix-data-keeps-record
    edit.modify(
        lambda m: m.newPlugValue(_element(node, MATRICES, place), source.asMObject()),
        when_reached=True,
    )


def restore_matrix(edit: SceneEdit, node: om.MObject, place: int, target: om.MPlug) -> None:
    """Restore a matrix to where it was."""
    kept = _element(node, MATRICES, place)
    edit.modify(lambda m: m.newPlugValue(target, kept.asMObject()), when_reached=True)


def add_places(edit: SceneEdit, node: om.MObject, curves: bool, matrices: bool) -> None:
    """Add the hidden attributes that a node needs but lacks."""
    function = om.MFnDependencyNode(node)
    for is_needed, names, kind in (
        (curves, (CURVES, CURVES_SHORT), om.MFnMessageAttribute),
        (matrices, (MATRICES, MATRICES_SHORT), om.MFnMatrixAttribute),
    ):
        if is_needed and not function.hasAttribute(names[0]):
            made = kind()
            attribute = made.create(*names)
            made.array = made.hidden = True
            edit.add_attribute(node, attribute)


def remove_places(edit: SceneEdit, node: om.MObject) -> None:
    """Remove the hidden attributes that store the places."""
    function = om.MFnDependencyNode(node)
    for name in (CURVES, MATRICES):
        if function.hasAttribute(name):
            edit.remove_attribute(node, function.attribute(name), when_reached=True)


def _element(node: om.MObject, name: str, place: int) -> om.MPlug:
    return find_plug(node, name).elementByLogicalIndex(place)


OLD = "_beforeJointLimits"
"""Name suffix of a curve that is set aside for a new one."""


@dataclass(frozen=True)
class NewChannel:
    """New keys or value of one channel.

    `name`: long name of the attribute. `curve`: its current driver. `is_keyed`: whether it gets
    keys; else it gets the first value. `values`, shape (times,): internal units.
    """

    name: str
    plug: om.MPlug
    curve: om.MObject | None
    is_keyed: bool
    values: Floats


def new_channels(model: SceneModel, keys: reorient_checks.NewKeys) -> Iterator[NewChannel]:
    """Channels that get new keys. `model`: the model that the keys were planned in."""
    # Rounded as in files, in degrees or centimetres, to drop digits that are rounding errors.
    unit = scene.RADIANS["degree"] if keys.is_angle else 1.0
    values, keyed = keys.rounded_values(unit) * unit, keys.keyed_parts(unit)
    plugs = Attributes(model.object(keys.channels.node)).plugs(keys.channels.compound)
    for axis, plug in enumerate(plugs):
        existing = keys.channels.curves[axis]
        curve = None if existing is None else model.object(existing)
        name = keys.channels.names[axis]
        yield NewChannel(name, plug, curve, bool(keyed[axis]), values[axis])


def put_channel(
    edit: SceneEdit, channel: NewChannel, keys: reorient_checks.NewKeys, *, is_ours: bool
) -> None:
    """Add new keys of a channel to an edit, or a new value where no keys are needed.

    `keys`: the keys that the channel is from. `is_ours`: whether its curve is our own and is
    replaced. Other curves are set aside unchanged.
    """
    plug, curve, value = channel.plug, channel.curve, float(channel.values[0])
    all_keys = AllKeys(keys.times, channel.values, keys.is_stepped, keys.beyond)
    if curve is not None and is_ours:
        # Not rewritten: the undo of replaced keys lacks one. live check: add-keys-undo
        delete_curve(edit, plug, curve)
    elif curve is not None:
        set_aside(edit, plug, curve)
    if channel.is_keyed:
        kind = "animCurveTA" if keys.is_angle else "animCurveTL"
        owner = om.MFnDependencyNode(plug.node()).name().replace(":", "_")
        name = f"{owner}_{plug_name(plug)}"
        if curve is not None:
            name = str(om.MFnDependencyNode(curve).name())
            if not is_ours:
                edit.modify(lambda modifier: modifier.renameNode(curve, f"{name}{OLD}"))
        add_curve(edit, lambda: plug, kind, name, all_keys)
    elif plug.isDestination or plug.asDouble() != value:
        edit.set(plug, Angle(value) if keys.is_angle else Length(value))


def delete_curve(edit: SceneEdit, plug: om.MPlug, curve: om.MObject) -> None:
    """Disconnect and delete a curve; plans include only curves that nothing else reads."""
    edit.disconnect(om.MFnDependencyNode(curve).findPlug("output", False), plug)
    edit.delete_nodes(curve)


def manual_changes(model: SceneModel, node: scene.Node, backup: Backup) -> list[str]:
    """Attributes of a node that were changed by hand since the record was made."""
    attributes, changed = Attributes(model.object(node)), []
    for name, (_, given) in backup.channels.items():
        if isinstance(given, float) and name in ROTATES:
            # A value beyond a limit shows as the limit.
            for end, nearer in (("min", max), ("max", min)):
                limit = f"{end}Rot{name[-1]}Limit"
                if attributes.is_on(f"{limit}Enable"):
                    given = nearer(given, attributes.number(limit))
        if not is_same(content_of(attributes.plug(name)), given):
            changed.append(name)
    for place, given in backup.matrices:
        plug = model.stored_plug(node, place)
        numbers = None if plug is None else numbers_of(plug)
        now = () if numbers is None else numbers.tolist()
        if len(now) != len(given) or not all(map(is_same, now, given)):
            changed.append(f"{place[0]}.{place[1]}".lstrip("."))
    return changed


def curve_of(plug: om.MPlug) -> om.MObject | None:
    """Curve connected directly to a plug, or None."""
    node = plug.source().node() if plug.isDestination else None
    return node if node is not None and node.hasFn(om.MFn.kAnimCurve) else None


def content_of(plug: om.MPlug) -> Given:
    """Value of a channel, or the fingerprint of the keys of its curve."""
    if plug.isDestination:
        curve = curve_of(plug)
        if curve is None:
            return ()
        keys = OpenCurve(curve)
        steps = keys.out_types != 0
        ends = (keys.pre, keys.post)
        return key_fingerprint(keys.times.tolist(), keys.values.tolist(), steps.tolist(), ends)
    if str(plug.partialName(useLongNames=True)).endswith("rotateOrder"):
        return int(plug.asInt())
    return float(plug.asDouble())
