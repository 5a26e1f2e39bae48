"""getAttr, setAttr, addAttr, deleteAttr, attributeQuery, listAttr."""

from __future__ import annotations

from dataclasses import replace

from tests.maya_standin.attributes import NUMBERS, WHOLE, AttributeSpec
from tests.maya_standin.commands import ui_values
from tests.maya_standin.commands.finding import flat, objects
from tests.maya_standin.commands.flags import Bool, Float, Int, Text, Texts
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.nodes import Node, Plug
from tests.maya_standin.words import pairs_of

# What getAttr -type calls the kinds (command reference of addAttr).
# Compounds whose children are added one by one (command reference of addAttr).
COUNTS = {f"{kind}{n}": n for kind in ("double", "float", "long", "short") for n in (2, 3)}
TYPE_NAMES = {"angle": "doubleAngle", "distance": "doubleLinear", "double": "double"}
ADDED_KINDS = pairs_of(
    "double:double float:float doubleAngle:angle doubleLinear:distance time:time bool:bool "
    "enum:enum long:long short:short char:char message:message"
)
DATA_KINDS = {"string": "string", "matrix": "matrix"}


@command("getAttr")
def get_attribute(
    session,
    *names,
    time: Float = None,
    lock: Bool = False,
    keyable: Bool = False,
    channelBox: Bool = False,
    settable: Bool = False,
    type: Bool = False,
    size: Bool = False,
    multiIndices: Bool = False,
    asString: Bool = False,
):
    """Value of one plug in UI units, or what the flag asks about it."""
    scene = session.scene
    (name,) = flat(names)
    plug = scene.plug(name)
    if settable:
        return scene.is_free(plug) and plug.node.spec(plug.path).writable
    if lock:
        return scene.is_locked(plug)
    if keyable or channelBox:
        return is_shown(plug, channelBox)
    if type:
        return type_name(plug)
    if size or multiIndices:
        indices = plug.node.indices(plug.path)
        return len(indices) if size else indices or None
    seconds = None if time is None else ui_values.seconds(scene, time)
    value = read(session, plug, seconds)
    return plug.node.spec(plug.path).enum[value] if asString else value


def is_shown(plug, channel_box):
    """Give whether a plug is keyable, or in the channel box without being keyable."""
    keyable = plug.node.keyable.get(plug.path, plug.node.spec(plug.path).keyable)
    return plug.node.channel_box.get(plug.path, False) and not keyable if channel_box else keyable


def type_name(plug):
    """Give the name of a plug's type as getAttr -type does."""
    node, path = plug
    spec = node.spec(path)
    children = node.children_of(path)
    if not children:
        return TYPE_NAMES.get(spec.kind, spec.kind)
    kinds = {node.spec(child).kind for child in children}
    if kinds <= {"angle", "distance", "double"}:
        kinds = {"double"}
    name = f"{kinds.pop()}{len(children)}"
    if not kinds and name in COUNTS:
        return name
    raise NotModelledError(f"cmds.getAttr(type=True) of the compound {path}")


def read(session, plug, seconds=None):
    """Give a value in UI units: a list of one tuple for a compound, a list for a matrix."""
    scene = session.scene
    # All of worldMatrix and the like is read as its one element; [K].
    node, path = plug = scene.first_instance(plug)
    spec = node.spec(path)
    children = node.children_of(path)
    if children:
        return [tuple(read(session, Plug(node, child), seconds) for child in children)]
    if spec.kind in ("message", "typed") or (spec.array and not node.is_element(path)):
        raise RuntimeError(f"The data in '{scene.plug_name(plug)}' cannot be read")
    value = session.scene.evaluator.value(plug, seconds)
    if spec.kind == "matrix":
        return list(value)
    unset = spec.writable and path not in node.values and not scene.is_driven(plug)
    if value == "" and unset:
        # A text that was never set (github.com/ynput/OpenPype issue 2497).
        return None
    return ui_values.ui_value(scene, spec.kind, value)


@command("setAttr", undoable=True)
def set_attribute(
    session,
    name,
    *values,
    type: Text = None,
    lock: Bool = None,
    keyable: Bool = None,
    channelBox: Bool = None,
):
    """Set a value in UI units, or what the channel box makes of the plug."""
    scene = session.scene
    # What no name has is a RuntimeError here, unlike of getAttr.
    for plug in objects(scene, [name], error=RuntimeError):
        if not isinstance(plug, Plug):
            raise RuntimeError(f"setAttr: No attribute was specified: {name}")
        if lock is False:
            set_lock(scene, plug, False)
        if values:
            scene.check_settable(plug)
            _refuse_auto_key(session, plug)
            value = internal(scene, plug, values, type)
            _check_range(plug, value)
            scene.set_value(plug, value)
        if lock:
            set_lock(scene, plug, True)
        if keyable is not None:
            scene.set_keyable(plug, keyable)
        if channelBox is not None:
            scene.set_channel_box(plug, channelBox)


def set_lock(scene, plug, on):
    """Lock or unlock; a compound takes its children with it (F: `-l on ".ktv"` and the like)."""
    scene.check_lockable(plug)
    reference = plug.node.reference
    own = reference is None or ("lock", plug.node, plug.path) in reference.edits
    if plug.path in plug.node.locked and not (on or own):
        # Locked in the referenced file (github.com/abstractfactory/maya-capture issue 50).
        raise RuntimeError(f"setAttr: '{scene.plug_name(plug)}' is locked in its reference.")
    scene.set_locked(plug, on)


def _check_range(plug, value):
    """Raise where a value is past the range that an attribute was added with."""
    spec = plug.node.spec(plug.path)
    for bound, word, past in (
        (spec.minimum, "minimum", lambda limit: value < limit),
        (spec.maximum, "maximum", lambda limit: value > limit),
    ):
        if bound is not None and past(bound):
            raise RuntimeError(
                f"setAttr: Cannot set the attribute '{plug.node.name}.{plug.path}' past its "
                f"{word} value of {bound:g}."
            )


def _refuse_auto_key(session, plug):
    keyed = session.scene.is_driven(plug)
    if session.auto_key and keyed:
        raise NotModelledError("setAttr of a keyed channel while auto key is on")


def internal(scene, plug, values, type_given):
    """Give the arguments of setAttr as the value of a plug, or raise as setAttr does."""
    node, path = plug
    spec, children = node.spec(path), node.children_of(path)
    if children:
        parts = values[0] if len(values) == 1 else values
        if not isinstance(parts, (list, tuple)) or len(parts) != len(children):
            raise RuntimeError(f"setAttr: Error reading data element number {len(values)}")
        if type_given is not None and type_given != type_name(plug):
            raise RuntimeError(f"setAttr: '{path}' is not of type {type_given}")
        return [_number(scene, node.spec(c).kind, v) for c, v in zip(children, parts)]
    if spec.kind in DATA_KINDS:
        return _data(spec, path, values, type_given)
    if len(values) != 1 or type_given is not None:
        raise RuntimeError(f"setAttr: '{path}' takes one value and no type")
    return _number(scene, spec.kind, values[0])


def _data(spec, path, values, type_given):
    """Strings and matrices are set with their type (command reference)."""
    if type_given != spec.kind:
        raise RuntimeError(f"setAttr: '{path}' needs type='{spec.kind}', not {type_given!r}")
    value = values[0] if len(values) == 1 else values
    if spec.kind == "matrix" and len(value) != 16:
        raise RuntimeError("setAttr: Error reading data element number 16")
    if spec.kind == "string" and not isinstance(value, str):
        raise TypeError(f"setAttr: a string is expected, not {type(value).__name__}")
    return value


def _number(scene, kind, value):
    if kind not in NUMBERS | WHOLE | {"bool"}:
        raise RuntimeError(f"setAttr: an attribute of kind {kind} cannot be set")
    if not isinstance(value, (bool, int, float)):
        raise RuntimeError(f"setAttr: Error reading data element number 1: {value}")
    return ui_values.internal_value(scene, kind, value)


@command("addAttr", undoable=True)
def add_attribute(
    session,
    *names,
    longName: Text,
    shortName: Text = None,
    attributeType: Text = None,
    dataType: Text = None,
    defaultValue: Float = 0.0,
    enumName: Text = "",
    minValue: Float = None,
    maxValue: Float = None,
    keyable: Bool = False,
    hidden: Bool = False,
    multi: Bool = False,
    parent: Text = None,
    numberOfChildren: Int = None,
):
    """Add an attribute to nodes; those that are selected where none are named.

    A compound comes to the node with the last of its children.
    """
    if attributeType is not None and dataType is not None:
        raise RuntimeError("addAttr: only one of attributeType and dataType may be given")
    kinds = ADDED_KINDS if dataType is None else DATA_KINDS
    # Without any type it is a float (command reference).
    wanted = (attributeType or "float") if dataType is None else dataType
    count = COUNTS.get(wanted, numberOfChildren)
    if wanted not in kinds and not (count and wanted in (*COUNTS, "compound")):
        raise NotModelledError(f"cmds.addAttr of type {wanted} is not modelled")
    kind = kinds.get(wanted, "compound")
    if defaultValue and kind in ("angle", "distance", "time"):
        raise NotModelledError("cmds.addAttr of a default with a unit is not modelled")
    if "=" in enumName:
        raise NotModelledError("cmds.addAttr of an enum with numbers of its own is not modelled")
    spec = AttributeSpec(
        longName, shortName or longName, kind,
        None if kind in ("string", "matrix", "message", "compound") else defaultValue,
        keyable=keyable, hidden=hidden, enum=tuple(filter(None, enumName.split(":"))),
        array=multi, minimum=minValue, maximum=maxValue,
    )  # fmt: skip
    for node in objects(session.scene, names) if names else list(session.scene.selection):
        session.scene.check_attributes_changeable(node)
        _add(session, node, spec, count, parent)


def _add(session, node, spec, count, parent):
    """Add an attribute, or keep a compound until all its children are there."""
    waiting = session.waiting_compounds
    if count is not None:
        waiting[node, spec.long] = (spec, count)
        if parent is not None:
            raise NotModelledError("cmds.addAttr of a compound in a compound")
        return
    if parent is not None:
        if (node, parent) not in waiting:
            raise NotModelledError(f"cmds.addAttr(parent={parent!r}) that has its children")
        whole, count = waiting.pop((node, parent))
        spec = replace(whole, children=(*whole.children, spec))
        if len(spec.children) < count:
            waiting[node, parent] = (spec, count)
            return
    session.scene.add_attribute(node, spec)


@command("deleteAttr", undoable=True)
def delete_attribute(session, *names, attribute: Text = None):
    """Remove added attributes, given as plugs or as nodes and a name."""
    scene = session.scene
    for item in objects(scene, names):
        plug = scene.plug_of(item, attribute) if isinstance(item, Node) else item
        scene.check_removable(plug)
        scene.remove_attribute(plug)


@command("attributeQuery")
def attribute_query(
    session,
    name,
    *,
    node: Text,
    exists: Bool = False,
    longName: Bool = False,
    shortName: Bool = False,
    keyable: Bool = False,
    writable: Bool = False,
    listEnum: Bool = False,
    minimum: Bool = False,
    maximum: Bool = False,
    minExists: Bool = False,
    maxExists: Bool = False,
    range: Bool = False,
    hidden: Bool = False,
    multi: Bool = False,
    attributeType: Bool = False,
    listDefault: Bool = False,
    listChildren: Bool = False,
    listParent: Bool = False,
):
    """Ask about an attribute of a node; numbers come as lists of one."""
    scene = session.scene
    if exists:
        return scene.node(node).path_of(name) is not None
    plug = scene.plug_of(scene.node(node), name)
    spec = plug.node.spec(plug.path)
    asked = [(longName, spec.long), (shortName, spec.short), (writable, spec.writable)]
    asked += [
        (keyable, is_shown(plug, False)),
        (listEnum, [":".join(spec.enum)]),
        (minimum, [spec.minimum]),
        (maximum, [spec.maximum]),
        (minExists, spec.minimum is not None),
        (maxExists, spec.maximum is not None),
        (range, [spec.minimum, spec.maximum]),
        (hidden, spec.hidden),
        (multi, spec.array),
        (listChildren, [child.long for child in spec.children] or None),
    ]
    if attributeType:
        return type_name(plug)
    if listParent:
        above = plug.node.parent_of(plug.path)
        return above and [above]
    if listDefault:
        if spec.children or spec.kind in ("angle", "distance", "time"):
            raise NotModelledError(f"cmds.attributeQuery(listDefault=True) of {name}")
        return [float(spec.default or 0.0)]
    return next(answer for wanted, answer in asked if wanted)


@command("listAttr")
def list_attributes(
    session, *names, userDefined: Bool = False, keyable: Bool = False, locked: Bool = False,
    string: Texts = None,
):  # fmt: skip
    """Long names of attributes that were added, are keyable or are locked."""
    if not (userDefined or keyable or locked):
        raise NotModelledError("cmds.listAttr of every attribute is not modelled")
    found = []
    for node in objects(session.scene, names):
        specs = node.dynamic.values() if userDefined else node.attribute_specs()
        leaves = [leaf for spec in specs for leaf in (spec.children or (spec,))]
        for leaf in leaves:
            plug = Plug(node, leaf.long)
            wrong = (keyable and not is_shown(plug, False)) or (
                locked and not session.scene.is_locked(plug)
            )
            if not wrong and (string is None or leaf.long in string):
                found.append(leaf.long)
    return found or None
