"""joint: making, editing and asking joints."""

from __future__ import annotations

import math

from tests.maya_standin import matrices
from tests.maya_standin.commands import ui_values
from tests.maya_standin.commands.finding import name_for_user, nodes_or_selection
from tests.maya_standin.commands.flags import AnglePair, Bool, Float, Switches, Text, Triple
from tests.maya_standin.commands.nodes import new_name
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.nodes import Node, Plug

AXES = "XYZ"
# The joint command makes joints with these limits, disabled; the node's own are 45 (maya.md 1.4).
MADE_LIMIT = math.radians(360.0)


@command("joint", undoable=True)
def joint(
    session,
    *names,
    edit: Bool = False,
    query: Bool = False,
    name: Text = "",
    position: Triple = None,
    relative: Bool = False,
    absolute: Bool = False,
    orientation: Triple = None,
    limitX: AnglePair = None,
    limitY: AnglePair = None,
    limitZ: AnglePair = None,
    limitSwitchX: Switches = None,
    limitSwitchY: Switches = None,
    limitSwitchZ: Switches = None,
    rotationOrder: Text = None,
    angleX: Float = None,
    angleY: Float = None,
    angleZ: Float = None,
    stiffnessX: Float = None,
    stiffnessY: Float = None,
    stiffnessZ: Float = None,
    radius: Float = None,
):
    """Make a joint below what is selected, or edit or ask one (maya.md 1.5)."""
    flags = {
        "orientation": orientation, "limitX": limitX, "limitY": limitY, "limitZ": limitZ,
        "limitSwitchX": limitSwitchX, "limitSwitchY": limitSwitchY, "limitSwitchZ": limitSwitchZ,
        "rotationOrder": rotationOrder,
        "angleX": angleX, "angleY": angleY, "angleZ": angleZ, "stiffnessX": stiffnessX,
        "stiffnessY": stiffnessY, "stiffnessZ": stiffnessZ, "radius": radius,
    }  # fmt: skip
    given = {flag: value for flag, value in flags.items() if value is not None}
    if query:
        if not given:
            raise NotModelledError("cmds.joint(query=True) of a position or a name")
        (node,) = nodes_or_selection(session, names)
        return _answer(session, node, given)
    if edit:
        if name or position is not None:
            raise NotModelledError("cmds.joint(edit=True, name or position)")
        nodes = nodes_or_selection(session, names)
    else:
        nodes = [_make_joint(session, name, position, relative)]
    for node in nodes:
        if node.type != "joint":
            raise RuntimeError(f"{node.name} is not a joint")
        for flag, value in given.items():
            _apply(session.scene, node, flag, value)
    return None if edit else name_for_user(session.scene, nodes[0])


def _make_joint(session, name, position, relative):
    """Make a joint below the last selected transform, with the command's own limits."""
    scene = session.scene
    transforms = [i for i in scene.selection if isinstance(i, Node) and i.is_a("transform")]
    above = transforms[-1] if transforms else None
    node = scene.create_node("joint", new_name(scene, name, "joint1"), above)
    for axis in AXES:
        scene.set_value(Plug(node, f"minRot{axis}Limit"), -MADE_LIMIT)
        scene.set_value(Plug(node, f"maxRot{axis}Limit"), MADE_LIMIT)
    if above is not None and above.type == "joint":
        # [K]; every scene with joints has these connections.
        scene.connect(Plug(above, "scale"), Plug(node, "inverseScale"))
    place = [ui_values.internal_value(scene, "distance", p) for p in position or (0, 0, 0)]
    if above is not None and not relative:
        world = session.scene.evaluator.value(Plug(above, "worldMatrix[0]"))
        place = matrices.product(matrices.translation(place), matrices.inverse(world))[12:15]
    scene.set_value(Plug(node, "translate"), place)
    scene.select([node])
    return node


def _set(scene, node, path, value):
    plug = Plug(node, path)
    scene.check_settable(plug)
    scene.set_value(plug, value)


def _apply(scene, node, flag, value):
    """Carry out one flag; angles come in the unit of the user interface."""
    axis = flag[-1]
    if flag == "orientation":
        _set(scene, node, "jointOrient", [ui_values.angle(scene, part) for part in value])
    elif flag.startswith("angle"):
        _set(scene, node, f"rotate{axis}", ui_values.angle(scene, value))
    elif flag.startswith("limitSwitch"):
        for edge, on in zip(("min", "max"), value):
            _set(scene, node, f"{edge}Rot{axis}LimitEnable", on)
    elif flag == "rotationOrder":
        _set(scene, node, "rotateOrder", node.spec("rotateOrder").enum.index(value))
    elif flag.startswith("limit"):
        for edge, bound in zip(("min", "max"), value):
            _set(scene, node, f"{edge}Rot{axis}Limit", ui_values.angle(scene, bound))
            # "Also turns on the joint limit" (maya.md 1.5).
            _set(scene, node, f"{edge}Rot{axis}LimitEnable", True)
    else:
        _set(scene, node, flag, value)


def _answer(session, node, given):
    """Give what the one queried flag asks."""
    (flag,) = given
    scene, axis = session.scene, flag[-1]
    if flag == "orientation":
        return [ui_values.ui_value(scene, "angle", value) for value in node.stored("jointOrient")]
    if flag.startswith("angle"):
        return ui_values.ui_value(scene, "angle", node.stored(f"rotate{axis}"))
    if flag.startswith("limitSwitch"):
        return [node.stored(f"{edge}Rot{axis}LimitEnable") for edge in ("min", "max")]
    if flag == "rotationOrder":
        return node.spec("rotateOrder").enum[node.stored("rotateOrder")]
    if flag.startswith("limit"):
        bounds = [node.stored(f"{edge}Rot{axis}Limit") for edge in ("min", "max")]
        return [ui_values.ui_value(scene, "angle", bound) for bound in bounds]
    return node.stored(flag)
