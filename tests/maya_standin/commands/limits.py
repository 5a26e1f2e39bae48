"""transformLimits."""

from __future__ import annotations

from tests.maya_standin.commands import ui_values
from tests.maya_standin.commands.finding import nodes_or_selection
from tests.maya_standin.commands.flags import Bool, Pair, Switches
from tests.maya_standin.commands.registry import command
from tests.maya_standin.nodes import Plug


@command("transformLimits", undoable=True)
def transform_limits(
    session,
    *names,
    query: Bool = False,
    edit: Bool = False,
    remove: Bool = False,
    rotationX: Pair = None,
    rotationY: Pair = None,
    rotationZ: Pair = None,
    enableRotationX: Switches = None,
    enableRotationY: Switches = None,
    enableRotationZ: Switches = None,
):
    """Set or ask limits and their switches, both ends at once (maya.md 1.5)."""
    flags = {
        "rotationX": rotationX, "rotationY": rotationY, "rotationZ": rotationZ,
        "enableRotationX": enableRotationX, "enableRotationY": enableRotationY,
        "enableRotationZ": enableRotationZ,
    }  # fmt: skip
    given = {flag: value for flag, value in flags.items() if value is not None}
    nodes = nodes_or_selection(session, names)
    if query:
        (flag,) = given
        return _answer(session.scene, nodes[0], flag)
    for node in nodes:
        if remove:
            _reset(session.scene, node)
        for flag, values in given.items():
            for plug, value in zip(_plugs(node, flag), values):
                session.scene.check_settable(plug)
                kind = node.spec(plug.path).kind
                session.scene.set_value(plug, ui_values.internal_value(session.scene, kind, value))
    return None


def _plugs(node, flag):
    """Give the plugs of the lower and the upper end that a flag is about."""
    switch = flag.startswith("enable")
    tail = "LimitEnable" if switch else "Limit"
    return [Plug(node, f"{edge}Rot{flag[-1]}{tail}") for edge in ("min", "max")]


def _answer(scene, node, flag):
    plugs = _plugs(node, flag)
    return [ui_values.ui_value(scene, node.spec(p.path).kind, node.stored(p.path)) for p in plugs]


def _reset(scene, node):
    """Turn all limits off and give them their defaults (maya.md 1.5)."""
    for word in ("Rot", "Trans", "Scale"):
        for edge in ("min", "max"):
            for axis in "XYZ":
                for tail in ("LimitEnable", "Limit"):
                    plug = Plug(node, f"{edge}{word}{axis}{tail}")
                    scene.check_settable(plug)
                    scene.set_value(plug, node.spec(plug.path).initial())
