"""keyframe, setKeyframe, cutKey."""

from __future__ import annotations

from dataclasses import replace

from tests.maya_standin.commands import ui_values
from tests.maya_standin.commands.finding import flat, name_for_user, objects
from tests.maya_standin.commands.flags import Bool, Float, Int, Numbers, Text, Texts, TimeRanges
from tests.maya_standin.commands.registry import command
from tests.maya_standin.curves import Keys
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.nodes import Node, Plug
from tests.maya_standin.tangent_rules import CODES
from tests.maya_standin.words import words_of

# Kinds of attributes, and the letter of the curves that drive them (maya.md 8).
CURVE_LETTERS = {"angle": "A", "distance": "L", "time": "T"}
# Names of setKeyframe and codes in files (maya.md 8).
TANGENT_NAMES = "fixed linear flat step slow fast spline clamped plateau stepnext auto"
TANGENT_CODES = dict(zip(words_of(TANGENT_NAMES), CODES))
# Frames that are nearer than this are the same.
NEAR = 1e-6


def curves_of(scene, names, attributes=None):
    """Give the curves that names stand for: themselves, those of plugs, or of a node's channels.

    Only curves that are connected to a channel directly; through layers it is not modelled.
    """
    found = []
    for item in objects(scene, names):
        if isinstance(item, Node) and item.is_a("animCurve"):
            found.append(item)
            continue
        plugs = [item] if isinstance(item, Plug) else _channels(scene, item, attributes)
        found += [curve for plug in plugs for curve in _curves(scene, plug)]
    return list(dict.fromkeys(found))


def _channels(scene, node, attributes):
    if attributes is not None:
        return [scene.plug_of(node, name) for name in attributes]
    return [plug for plug in scene.connections if plug.node is node]


def _curves(scene, plug):
    for part in (plug, *scene.below(plug)):
        source = scene.connections.get(part)
        if source is None:
            continue
        if source.node.is_a("animBlend") or source.node.type == "pairBlend":
            raise NotModelledError(f"keys of {scene.plug_name(part)} behind a {source.node.type}")
        if source.node.is_a("animCurve"):
            yield source.node


@command("keyframe")
def keyframe(
    session,
    *names,
    query: Bool = False,
    attribute: Texts = None,
    time: TimeRanges = None,
    index: Int = None,
    eval: Bool = False,
    timeChange: Bool = False,
    valueChange: Bool = False,
    keyframeCount: Bool = False,
    name: Bool = False,
):
    """Ask curves for their keys, or (eval) for values at any time; in UI units."""
    scene = session.scene
    if not query:
        raise NotModelledError("cmds.keyframe that edits keys is not modelled")
    chosen = list(flat(names)) or [name_for_user(scene, item) for item in scene.selection]
    curves = curves_of(scene, chosen, attribute)
    if name:
        return [name_for_user(scene, curve) for curve in curves] or None
    if eval:
        return _curve_values(session, curves, time) or None
    keys = [(c, i) for c in curves for i in _indices(scene, c, time, index)]
    if keyframeCount:
        return len(keys)
    found = []
    for curve, at in keys:
        # With both flags every time is followed by its value.
        if timeChange or not valueChange:
            found.append(ui_values.frames(scene, curve.keys.times[at]))
        if valueChange:
            found.append(ui_values.ui_value(scene, _kind(curve), curve.keys.values[at]))
    return found or None


def _kind(curve):
    return curve.node_type.attributes.chains["output"][-1].kind


def _curve_values(session, curves, times):
    """Values of curves "without regard to input connections" (maya.md 2.1)."""
    scene = session.scene
    ends = [_ends(time) for time in times or [(ui_values.frames(scene, scene.time),)]]
    if any(start != end for start, end in ends):
        raise NotModelledError("cmds.keyframe(eval=True) of a range of times")
    rate, found = ui_values.frames_per_second(scene.units.time), []
    seconds = [start / rate for start, _ in ends]
    for curve in curves:
        worth = ui_values.worth(scene, _kind(curve))
        values = scene.evaluator.curve_values(curve, seconds)
        found += values if worth is None else [value / worth for value in values]
    return found


def _ends(time):
    """Give both ends of a time range in frames; an end that is left out is infinite."""
    if isinstance(time, str):
        first, colon, last = time.partition(":")
        last = last if colon else first
        return float(first or "-inf"), float(last or "inf")
    return float(time[0]), float(time[-1])


def _indices(scene, curve, times, index):
    keys = curve.keys or Keys()
    wanted = range(len(keys.times)) if index is None else [index]
    if times is None:
        return list(wanted)
    frames = [ui_values.frames(scene, second) for second in keys.times]
    ends = [_ends(time) for time in times]
    return [i for i in wanted if any(a - NEAR <= frames[i] <= b + NEAR for a, b in ends)]


@command("setKeyframe", undoable=True)
def set_keyframe(
    session,
    *names,
    attribute: Texts = None,
    time: Numbers = None,
    value: Float = None,
    inTangentType: Text = None,
    outTangentType: Text = None,
):
    """Set keys on plugs, or on channels of nodes; the value is the present one where none is given.

    Gives how many were set.
    """
    scene, count = session.scene, 0
    frames = time or [ui_values.frames(scene, scene.time)]
    codes = [name and TANGENT_CODES[name] for name in (inTangentType, outTangentType)]
    items = objects(scene, names) if names else list(scene.selection)
    for plug in keyed_plugs(scene, items, attribute):
        for frame in frames:
            _key(session, plug, ui_values.seconds(scene, frame), value, codes)
            count += 1
    return count


def keyed_plugs(scene, items, attributes):
    """Give the single channels that nodes and attributes, plugs or curves stand for."""
    for item in items:
        if isinstance(item, Plug):
            yield from _leaves(item)
        elif item.is_a("animCurve"):
            yield item
        elif attributes is None:
            raise NotModelledError("cmds.setKeyframe on every keyable channel of a node")
        else:
            for name in attributes:
                yield from _leaves(scene.plug_of(item, name))


def _leaves(plug):
    children = plug.node.children_of(plug.path)
    return [Plug(plug.node, child) for child in children] or [plug]


def _key(session, plug, second, value, codes):
    scene = session.scene
    if isinstance(plug, Node):
        curve, kind = plug, _kind(plug)
    else:
        kind = plug.node.spec(plug.path).kind
        if scene.is_locked(plug):
            raise NotModelledError("cmds.setKeyframe on a locked channel")
        now = scene.evaluator.value(plug)
        curve = _curve_of(scene, plug)
    if value is None and isinstance(plug, Node):
        raise NotModelledError("cmds.setKeyframe on a curve without a value")
    number = now if value is None else ui_values.internal_value(scene, kind, value)
    scene.set_keys(
        curve, _with_types((curve.keys or Keys()).with_key(second, number), second, codes)
    )


def _with_types(keys, second, codes):
    """Give the key at a time these tangent types; None leaves it the one it has."""
    at = keys.key_at(second)
    changed = {}
    for name, code in zip(("in_types", "out_types"), codes):
        if code is not None:
            types = list(getattr(keys, name))
            types[at] = code
            changed[name] = tuple(types)
    return replace(keys, **changed)


def _curve_of(scene, plug):
    """Give the curve that drives a channel, a new one where nothing does."""
    source = scene.connections.get(plug)
    if source is not None and source.node.is_a("animCurve"):
        return source.node
    if not scene.is_free(plug):
        raise NotModelledError(f"cmds.setKeyframe on {scene.plug_name(plug)}, which is driven")
    return new_curve(scene, plug)


def new_curve(scene, plug):
    """Make a curve of the channel's kind and connect it; it is named after the channel."""
    letter = CURVE_LETTERS.get(plug.node.spec(plug.path).kind, "U")
    name = f"{plug.node.short_name}_{plug.path.replace('.', '_').replace('[', '_').rstrip(']')}"
    curve = scene.create_node(f"animCurveT{letter}", name)
    scene.connect(Plug(curve, "output"), plug)
    return curve


@command("cutKey", undoable=True)
def cut_key(session, *names, attribute: Texts = None, time: TimeRanges = None, clear: Bool = False):
    """Take keys away; a curve that has none left goes. Gives how many were taken."""
    if not clear:
        raise NotModelledError("cmds.cutKey into the clipboard (clear=True does not)")
    scene, count = session.scene, 0
    for curve in curves_of(scene, names, attribute):
        indices = _indices(scene, curve, time, None)
        keys = curve.keys
        for index in reversed(indices):
            keys = keys.without_key(index)
        count += len(indices)
        if keys.times:
            scene.set_keys(curve, keys)
        else:
            scene.check_deletable(curve)
            scene.delete_node(curve)
    return count
