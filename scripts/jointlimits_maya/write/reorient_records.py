"""Records of a re-orientation, made while it is planned and compared with the scene later."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import maya.api.OpenMaya as om

from jointlimits_core.rig import Change, MatrixChange, NewKeys, Node, OrderChange, TripleChange

from ..scene import AXES, Attributes, Backup, Given, Place, find_plug, is_same, key_print
from .keys import new_channels
from .scene_graph import OpenCurve, OpenScene, numbers_of

ROTATES = tuple(f"rotate{axis}" for axis in AXES)
_STORED = {"dagPose": ("members", ("xformMatrix", "worldMatrix")), "skinCluster": ("matrix", ())}


class FrameRecords:
    """Changes of a plan, by node.

    Parameters
    ----------
    changes : sequence of Change
        All changes of one plan, before any is made.
    """

    def __init__(self, picture: OpenScene, changes: Sequence[Change]) -> None:
        self._picture = picture
        self._channels: dict[Node, dict[str, tuple[float | None, Given]]] = {}
        self._matrices: dict[Node, list[tuple[Place, tuple[float, ...]]]] = {}
        for change in changes:
            if isinstance(change, MatrixChange):
                self._matrix(change)
            else:
                self._channels.setdefault(_node_of(change), {}).update(self._values(change))

    def backups(self, turned: set[Node]) -> Iterator[tuple[Node, Backup]]:
        """Yield one record for each node that changes."""
        for node in {**self._channels, **self._matrices}:
            matrices = tuple(self._matrices.get(node, ()))
            holders = tuple(holders_of(self._picture, node))
            yield node, Backup(self._channels.get(node, {}), matrices, holders, node in turned)

    def _values(self, change: Change) -> Iterator[tuple[str, tuple[float | None, Given]]]:
        if isinstance(change, NewKeys):
            yield from self._keys(change)
            return
        node = Attributes(self._picture.object(_node_of(change)))
        if isinstance(change, TripleChange):
            for axis, angle in zip(AXES, change.angles.tolist()):
                name = change.compound + axis
                if node.number(name) != angle:
                    yield name, (node.number(name), angle)
        elif isinstance(change, OrderChange):
            yield "rotateOrder", (int(node.plug("rotateOrder").asInt()), change.number)

    def _keys(self, keys: NewKeys) -> Iterator[tuple[str, tuple[float | None, Given]]]:
        seconds = (keys.times / self._picture.scene.units.frames_per_second).tolist()
        steps = [keys.is_stepped] * len(seconds)
        for channel in new_channels(self._picture, keys):
            given: Given = float(channel.values[0])
            if channel.is_keyed:
                given = key_print(seconds, channel.values.tolist(), steps, keys.beyond)
            before = None if channel.curve is not None else float(channel.plug.asDouble())
            if before is None or before != given:
                yield channel.name, (before, given)

    def _matrix(self, change: MatrixChange) -> None:
        node, place = change.node, ("", change.attribute, change.index)
        if change.index is not None:
            element = _STORED[node.node_type][0]
            node, _ = self._picture.scene.sources[node, f"{element}[{change.index}]"]
            place = (base_name(change.node), change.attribute, change.index)
        self._matrices.setdefault(node, []).append((place, tuple(change.values.tolist())))


def _node_of(change: Change) -> Node:
    return change.channels.node if isinstance(change, NewKeys) else change.node


def base_name(node: Node) -> str:
    """Name without its namespace: the scene may be referenced later."""
    return node.name.rpartition(":")[2]


def holders_of(picture: OpenScene, node: Node) -> list[str]:
    """Elements of dagPoses and skins that store the pose of a node."""
    return sorted(f"{base_name(holder)}.{name}" for holder, name in _elements(picture, node))


def place_of(picture: OpenScene, node: Node, place: Place) -> om.MPlug | None:
    """Plug of a recorded matrix; None if it no longer exists."""
    name, attribute, index = place
    if index is None:
        return find_plug(picture.object(node), attribute)
    for holder, element in _elements(picture, node):
        if base_name(holder) == name and element.endswith(f"[{index}]"):
            array = find_plug(picture.object(holder), attribute)
            found: om.MPlug = array.elementByLogicalIndex(index)
            return found
    return None


def _elements(picture: OpenScene, node: Node) -> Iterator[tuple[Node, str]]:
    for (holder, plug), (source, _) in picture.scene.sources.items():
        kind = _STORED.get(holder.node_type)
        if source is node and kind is not None and plug.startswith(f"{kind[0]}["):
            yield holder, plug


def others_changes(picture: OpenScene, node: Node, backup: Backup) -> list[str]:
    """Attributes of a node that were changed by hand since the record was made."""
    maya_node = picture.object(node)
    changed = [
        name
        for name, (_, given) in backup.channels.items()
        if not is_same(standing(find_plug(maya_node, name)), _as_limited(maya_node, name, given))
    ]
    for place, given in backup.matrices:
        plug = place_of(picture, node, place)
        now = () if plug is None else numbers_of(plug).tolist()
        if len(now) != len(given) or not all(map(is_same, now, given)):
            changed.append(f"{place[0]}.{place[1]}".lstrip("."))
    return changed


def _as_limited(maya_node: om.MObject, name: str, given: Given) -> Given:
    """Value that a channel shows for a written value: one beyond a limit shows as the limit."""
    if not isinstance(given, float) or name not in ROTATES:
        return given
    node = Attributes(maya_node)
    for end, nearer in (("min", max), ("max", min)):
        limit = f"{end}Rot{name[-1]}Limit"
        if node.is_on(f"{limit}Enable"):
            given = nearer(given, node.number(limit))
    return given


def curve_of(plug: om.MPlug) -> om.MObject | None:
    """Curve connected directly to a plug, or None."""
    node: om.MObject | None = plug.source().node() if plug.isDestination else None
    return node if node is not None and node.hasFn(om.MFn.kAnimCurve) else None


def standing(plug: om.MPlug) -> Given:
    """Value of a channel, or the fingerprint of the keys of its curve."""
    if plug.isDestination:
        curve = curve_of(plug)
        if curve is None:
            return ()
        keys = OpenCurve(curve)
        steps = keys.out_types != 0
        ends = (keys.pre, keys.post)
        return key_print(keys.times.tolist(), keys.values.tolist(), steps.tolist(), ends)
    if str(plug.partialName(useLongNames=True)).endswith("rotateOrder"):
        return int(plug.asInt())
    return float(plug.asDouble())
