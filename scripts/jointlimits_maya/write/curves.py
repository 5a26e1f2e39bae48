"""Channel keys in the open scene, and original curves and matrices, kept to be restored.

All keys of a curve are written in one call. A curve that is set aside keeps its keys, tangents and
other connections but no longer drives the channel; its message attribute is connected to a hidden
attribute of the node. A matrix is copied to a hidden attribute in its original form, as numbers or
as a record of channels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from jointlimits_core.geometry.arrays import Floats
from jointlimits_core.rig import reorient_checks, scene

from ..base.open_maya import om, oma
from ..read.scene_graph import OpenCurve, SceneModel, numbers_of, plug_name
from ..scene.edit import Angle, Length, SceneEdit
from ..scene.plugs import AXES, Attributes, existing_element, find_plug
from ..scene.record import Backup, Given, backup_on, is_same, key_fingerprint


class AllKeys:
    """Keys of a new curve, to pass to :meth:`~jointlimits_maya.scene.edit.SceneEdit.change_keys`.

    `times`, shape (keys,): in the scene's time unit. `values`, shape (keys,): radians, centimetres
    or plain numbers. `stepped`: whether tangents are stepped, not linear. `beyond`, (int, int):
    pre- and post-infinity types, as numbered in scene files.
    """

    def __init__(
        self, times: Floats, values: Floats, stepped: bool = False, beyond: tuple[int, int] = (0, 0)
    ) -> None:
        unit = om.MTime.uiUnit()
        self._times = om.MTimeArray([om.MTime(frame, unit) for frame in times.tolist()])
        self._values = om.MDoubleArray(values.tolist())
        self._stepped, self._beyond = stepped, beyond

    def __call__(self, curve: oma.MFnAnimCurve, change: oma.MAnimCurveChange) -> None:
        """Write the keys to an MFnAnimCurve and record the calls in `change`."""
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
    curve = edit.create(kind, name)
    # As in the files that we write. live check: new-curve-weighted
    edit.modify(lambda m: m.newPlugValueBool(find_plug(curve(), "weightedTangents"), False))
    edit.change_keys(curve, keys)
    edit.modify(lambda modifier: modifier.connect(find_plug(curve(), "output"), plug()))


CURVES, CURVES_SHORT = "jointLimitsOldCurves", "jloc"
MATRICES, MATRICES_SHORT = "jointLimitsOldMatrices", "jlom"
ROTATES = tuple(f"rotate{axis}" for axis in AXES)
CHANNELS = (*ROTATES, *(f"translate{axis}" for axis in AXES))
"""A channel's position in this tuple is the index of its kept curve."""


def curve_aside(node: om.MObject, channel: str) -> om.MObject | None:
    """Curve that was set aside for a channel; None if it is gone."""
    if not om.MFnDependencyNode(node).hasAttribute(CURVES):
        return None
    plug = existing_element(find_plug(node, CURVES), CHANNELS.index(channel))
    if plug is None or not plug.isDestination:
        return None
    return plug.source().node()


def keep_originals(model: SceneModel, backups: Mapping[scene.Node, Backup]) -> SceneEdit:
    """Edit that adds attributes for old curves, and copies old matrices before they change."""
    edit = SceneEdit("Re-orient Joints")
    for node, backup in backups.items():
        maya_node = model.object(node)
        function = om.MFnDependencyNode(maya_node)
        for is_needed, names, kind in (
            (backup.aside, (CURVES, CURVES_SHORT), om.MFnMessageAttribute),
            (backup.matrices, (MATRICES, MATRICES_SHORT), om.MFnMatrixAttribute),
        ):
            if is_needed and not function.hasAttribute(names[0]):
                made = kind()
                attribute = made.create(*names)
                made.array = made.hidden = True
                edit.add_attribute(maya_node, attribute)
        kept = len((backup_on(maya_node) or Backup()).matrices)
        for place, (where, _) in enumerate(backup.matrices[kept:], kept):
            source = model.stored_plug(node, where)
            assert source is not None, "the plan changes it"
            # live check: matrix-data-keeps-record
            target = partial(find_plug, maya_node, f"{MATRICES}[{place}]")
            edit.modify(partial(_copy_matrix, source, target))
    return edit


def _copy_matrix(
    source: om.MPlug, target: Callable[[], om.MPlug], modifier: om.MDGModifier
) -> None:
    modifier.newPlugValue(target(), source.asMObject())


def restore_originals(edit: SceneEdit, model: SceneModel, node: scene.Node, backup: Backup) -> None:
    """Make an edit restore a node's old values, curves and matrices."""
    maya_node = model.object(node)
    for name, (before, _) in backup.channels.items():
        plug = find_plug(maya_node, name)
        curve = curve_of(plug)
        old = curve_aside(maya_node, name) if before is None else None
        if curve is not None:
            own = str(om.MFnDependencyNode(curve).name())
            delete_curve(edit, plug, curve)
            # An old curve gets its old name back, unless it was renamed by hand.
            if old is not None and om.MFnDependencyNode(old).name() == f"{own}{OLD}":
                edit.rename(old, own)
        if old is not None:
            kept = find_plug(maya_node, f"{CURVES}[{CHANNELS.index(name)}]")
            edit.disconnect(find_plug(old, "message"), kept)
            edit.connect(find_plug(old, "output"), plug)
        elif before is not None:
            unit = Length if name.startswith("translate") else Angle
            edit.set(plug, int(before) if name == "rotateOrder" else unit(before))
    for place, (where, _) in enumerate(backup.matrices):
        target = model.stored_plug(node, where)
        assert target is not None, "compared earlier"
        kept = find_plug(maya_node, f"{MATRICES}[{place}]")
        edit.modify(partial(_copy_matrix, kept, partial(om.MPlug, target)))
    for name in (CURVES, MATRICES):
        if om.MFnDependencyNode(maya_node).hasAttribute(name):
            edit.remove_attribute(maya_node, name)


OLD = "_beforeJointLimits"
"""Name suffix of a curve that is set aside for a new one."""


@dataclass(frozen=True)
class NewChannel:
    """New keys or value of one channel.

    `name`: long name of the attribute. `curve`: current driver. `is_keyed`: whether the channel
    gets keys; else it gets the first value. `values`, shape (times,): internal units.
    """

    name: str
    plug: om.MPlug
    curve: om.MObject | None
    is_keyed: bool
    values: Floats


def new_channels(model: SceneModel, keys: reorient_checks.NewKeys) -> Iterator[NewChannel]:
    """Channels that get new keys. `model`: the model that the keys were planned in."""
    # Rounded in degrees or centimetres, as in files, to drop digits that are rounding errors.
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
    """Add new keys for a channel to an edit, or a new value if no keys are needed.

    `keys`: the planned keys that include the channel. `is_ours`: whether the channel's curve is our
    own, and so replaced; any other curve is set aside unchanged.
    """
    plug, curve, value = channel.plug, channel.curve, float(channel.values[0])
    all_keys = AllKeys(keys.times, channel.values, keys.is_stepped, keys.beyond)
    if curve is not None and is_ours:
        # Not rewritten: undoing replaced keys loses one of them. live check: add-keys-undo
        delete_curve(edit, plug, curve)
    elif curve is not None:
        # live check: curves-kept-by-message
        node, kept = plug.node(), f"{CURVES}[{CHANNELS.index(channel.name)}]"
        edit.disconnect(find_plug(curve, "output"), plug)
        edit.modify(lambda m: m.connect(find_plug(curve, "message"), find_plug(node, kept)))
    if channel.is_keyed:
        kind = "animCurveTA" if keys.is_angle else "animCurveTL"
        owner = om.MFnDependencyNode(plug.node()).name().replace(":", "_")
        name = f"{owner}_{plug_name(plug)}"
        if curve is not None:
            name = str(om.MFnDependencyNode(curve).name())
            if not is_ours:
                edit.rename(curve, f"{name}{OLD}")
        add_curve(edit, lambda: plug, kind, name, all_keys)
    elif plug.isDestination or plug.asDouble() != value:
        edit.set(plug, Angle(value) if keys.is_angle else Length(value))


def delete_curve(edit: SceneEdit, plug: om.MPlug, curve: om.MObject) -> None:
    """Disconnect and delete a curve; plans include only curves that nothing else reads."""
    edit.disconnect(find_plug(curve, "output"), plug)
    edit.delete_nodes(curve)


def manual_changes(model: SceneModel, node: scene.Node, backup: Backup) -> list[str]:
    """Attributes of a node that were changed by hand since the record was made."""
    attributes, changed = Attributes(model.object(node)), []
    for name, (_, given) in backup.channels.items():
        if isinstance(given, float) and name in ROTATES:
            # Maya reports a value beyond a limit as the limit.
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
