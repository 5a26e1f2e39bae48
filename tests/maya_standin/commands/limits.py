"""transformLimits."""

from __future__ import annotations

from tests.maya_standin.commands import ui_values
from tests.maya_standin.commands.finding import nodes_or_selection
from tests.maya_standin.commands.flags import Pair, Switches
from tests.maya_standin.commands.registry import command
from tests.maya_standin.nodes import Plug


@command("transformLimits", undoable=True)
def transform_limits(session, *names, rotationX: Pair = None, enableRotationX: Switches = None):
    """Set limits and their switches, both ends at once (maya.md 1.5)."""
    flags = {"rotationX": rotationX, "enableRotationX": enableRotationX}
    given = {flag: value for flag, value in flags.items() if value is not None}
    nodes = nodes_or_selection(session, names)
    for node in nodes:
        for flag, values in given.items():
            for plug, value in zip(_plugs(node, flag), values):
                session.scene.check_settable(plug)
                kind = node.spec(plug.path).kind
                session.scene.set_value(plug, ui_values.internal_value(session.scene, kind, value))
    return


def _plugs(node, flag):
    """Give the plugs of the lower and the upper end that a flag is about."""
    tail = "LimitEnable" if flag.startswith("enable") else "Limit"
    return [Plug(node, f"{edge}RotX{tail}") for edge in ("min", "max")]
