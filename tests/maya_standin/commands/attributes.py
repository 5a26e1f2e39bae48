"""getAttr, setAttr, addAttr, deleteAttr, attributeQuery, listAttr."""

from __future__ import annotations

from tests.maya_standin.attributes import NUMBERS, WHOLE, AttributeSpec
from tests.maya_standin.commands import ui_values
from tests.maya_standin.commands.finding import flat, objects
from tests.maya_standin.commands.flags import Bool, Float, Text
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.nodes import Plug
from tests.maya_standin.words import pairs_of

# What getAttr -type calls the kinds (command reference of addAttr).
TYPE_NAMES = {"angle": "doubleAngle", "distance": "doubleLinear", "double": "double"}
ADDED_KINDS = pairs_of(
    "double:double float:float doubleAngle:angle doubleLinear:distance time:time bool:bool "
    "enum:enum long:long short:short message:message"
)
DATA_KINDS = {"string": "string", "matrix": "matrix"}


@command("getAttr")
def get_attribute(session, *names, time: Float = None, lock: Bool = False, settable: Bool = False):
    """Value of one plug in UI units, or what the flag asks about it."""
    scene = session.scene
    (name,) = flat(names)
    plug = scene.plug(name)
    if settable:
        return scene.is_free(plug) and plug.node.spec(plug.path).writable
    if lock:
        return scene.is_locked(plug)
    seconds = None if time is None else ui_values.seconds(scene, time)
    return read(session, plug, seconds)


def read(session, plug, seconds=None):
    """Give a value in UI units: a list of one tuple for a compound, a list for a matrix."""
    scene, (node, path) = session.scene, plug
    spec = node.spec(path)
    children = node.children_of(path)
    if children:
        return [tuple(read(session, Plug(node, child), seconds) for child in children)]
    if spec.kind in ("message", "typed") or (spec.array and not node.is_element(path)):
        raise RuntimeError(f"The data in '{scene.plug_name(plug)}' cannot be read")
    value = session.scene.evaluator.value(plug, seconds)
    if spec.kind == "matrix":
        return list(value)
    return ui_values.ui_value(scene, spec.kind, value)


@command("setAttr", undoable=True)
def set_attribute(session, name, *values, type: Text = None, lock: Bool = None):
    """Set a value in UI units, or lock or unlock the plug."""
    scene = session.scene
    for plug in objects(scene, [name]):
        if not isinstance(plug, Plug):
            raise RuntimeError(f"setAttr: No attribute was specified: {name}")
        if lock is False:
            set_lock(scene, plug, False)
        if values:
            scene.check_settable(plug)
            _refuse_auto_key(session, plug)
            scene.set_value(plug, internal(scene, plug, values, type))
        if lock:
            set_lock(scene, plug, True)


def set_lock(scene, plug, on):
    """Lock or unlock; a compound takes its children with it (F: `-l on ".ktv"` and the like)."""
    scene.check_lockable(plug)
    scene.set_locked(plug, on)


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
        if type_given not in (None, "double3"):
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
    session, *names, longName: Text, attributeType: Text = None, dataType: Text = None
):
    """Add an attribute to nodes; those that are selected where none are named."""
    if (attributeType is None) == (dataType is None):
        raise RuntimeError("addAttr: exactly one of attributeType and dataType is needed")
    kinds = ADDED_KINDS if dataType is None else DATA_KINDS
    wanted = attributeType if dataType is None else dataType
    if wanted not in kinds:
        raise NotModelledError(f"cmds.addAttr of type {wanted} is not modelled")
    kind = kinds[wanted]
    default = None if kind in ("string", "matrix", "message") else 0.0
    spec = AttributeSpec(longName, longName, kind, default)
    for node in objects(session.scene, names) if names else list(session.scene.selection):
        session.scene.check_attributes_changeable(node)
        session.scene.add_attribute(node, spec)


@command("attributeQuery")
def attribute_query(session, name, *, node: Text, exists: Bool = False, keyable: Bool = False):
    """Ask about an attribute of a node."""
    scene = session.scene
    if exists:
        return scene.node(node).path_of(name) is not None
    if not keyable:
        raise NotModelledError("cmds.attributeQuery without a modelled flag")
    plug = scene.plug_of(scene.node(node), name)
    return plug.node.keyable.get(plug.path, plug.node.spec(plug.path).keyable)


@command("listAttr")
def list_attributes(session, *names, userDefined: Bool = False):
    """Long names of attributes that were added."""
    if not userDefined:
        raise NotModelledError("cmds.listAttr of every attribute is not modelled")
    nodes = objects(session.scene, names)
    specs = [spec for node in nodes for spec in node.dynamic.values()]
    return [leaf.long for spec in specs for leaf in (spec.children or (spec,))] or None
