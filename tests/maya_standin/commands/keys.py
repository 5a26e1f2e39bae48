"""keyframe, setKeyframe, cutKey."""

from __future__ import annotations

from dataclasses import replace

from tests.maya_standin.commands import ui_values
from tests.maya_standin.commands.attributes import is_shown
from tests.maya_standin.commands.finding import flat, name_for_user, objects
from tests.maya_standin.commands.flags import Bool, Float, Numbers, Text, Texts, TimeRanges
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
        # Locked channels have no keys for these commands (case attr-keys-of-locked).
        free = [plug for plug in plugs if not scene.is_locked(plug)]
        found += [curve for plug in free for curve in _curves(scene, plug)]
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
    edit: Bool = False,
    relative: Bool = False,
    absolute: Bool = False,
    attribute: Texts = None,
    time: TimeRanges = None,
    index: TimeRanges = None,
    eval: Bool = False,
    timeChange: Float = None,
    valueChange: Float = None,
    keyframeCount: Bool = False,
    name: Bool = False,
):
    """Ask curves for their keys, or (eval) for values at any time; in UI units."""
    scene = session.scene
    chosen = list(flat(names)) or [name_for_user(scene, item) for item in scene.selection]
    curves = curves_of(scene, chosen, attribute)
    if not query:
        return _move_keys(scene, curves, (time, index), relative, timeChange, valueChange)
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


def _move_keys(scene, curves, chosen, relative, time_change, value_change):
    """Move keys, and give how many; in UI units."""
    count = 0
    for curve in curves:
        times, values = list(curve.keys.times), list(curve.keys.values)
        for at in _indices(scene, curve, *chosen):
            if time_change is not None:
                moved = ui_values.seconds(scene, time_change)
                times[at] = times[at] + moved if relative else moved
            if value_change is not None:
                moved = ui_values.internal_value(scene, _kind(curve), value_change)
                values[at] = values[at] + moved if relative else moved
            count += 1
        if times != sorted(set(times)):
            raise NotModelledError("cmds.keyframe that moves keys over others")
        scene.set_keys(curve, replace(curve.keys, times=times, values=values))
    return count


def _kind(curve):
    return curve.node_type.attributes.chains["output"][-1].kind


def _curve_values(session, curves, times):
    """Values of curves "without regard to input connections" (maya.md 2.1)."""
    scene = session.scene
    rate, found = ui_values.frames_per_second(scene.units.time), []
    seconds = [_frame(time) / rate for time in times or [(ui_values.frames(scene, scene.time),)]]
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


def _frame(time):
    """Give the one frame of a time range."""
    if isinstance(time, str):
        raise NotModelledError("a time range as text")
    if time[0] != time[-1]:
        raise NotModelledError("cmds.keyframe(eval=True) of a range of times")
    return float(time[0])


def _indices(scene, curve, times, index):
    """Give the numbers of a curve's keys that lie in ranges of times and of numbers."""
    frames = [ui_values.frames(scene, second) for second in (curve.keys or Keys()).times]
    in_times, in_numbers = _ranges(times), _ranges(index)
    return [i for i, frame in enumerate(frames) if in_times(frame) and in_numbers(i)]


def _ranges(given):
    """Give whether a number is in one of some ranges; all are where none are given."""
    ends = [_ends(one) for one in given or ()]
    return lambda at: given is None or any(a - NEAR <= at <= b + NEAR for a, b in ends)


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


@command("keyTangent", undoable=True)
def key_tangent(
    session,
    *names,
    edit: Bool = False,
    query: Bool = False,
    attribute: Texts = None,
    time: TimeRanges = None,
    index: TimeRanges = None,
    inTangentType: Text = None,
    outTangentType: Text = None,
):
    """Give keys tangent types, or ask for them."""
    scene, asked = session.scene, (inTangentType, outTangentType)
    found, names_of_codes = [], {code: name for name, code in TANGENT_CODES.items()}
    for curve in curves_of(scene, names, attribute):
        for at in _indices(scene, curve, time, index):
            keys = curve.keys
            if query:
                sides = zip(asked, (keys.in_types[at], keys.out_types[at]))
                found += [names_of_codes[code] for wanted, code in sides if wanted]
            else:
                codes = [name and TANGENT_CODES[name] for name in asked]
                scene.set_keys(curve, _with_types(keys, keys.times[at], codes))
    return found or None


def keyed_plugs(scene, items, attributes):
    """Give the single channels that nodes and attributes, plugs or curves stand for."""
    for item in items:
        if isinstance(item, Plug):
            yield from _leaves(item)
        elif item.is_a("animCurve"):
            yield item
        elif attributes is None:
            leaves = [leaf for s in item.attribute_specs() for leaf in (s.children or (s,))]
            plugs = [Plug(item, leaf.long) for leaf in leaves]
            yield from (plug for plug in plugs if is_shown(plug, channel_box=False))
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
