"""joint: making, editing and asking joints."""

from __future__ import annotations

import math

from tests.maya_standin import matrices
from tests.maya_standin.commands import ui_values
from tests.maya_standin.commands.finding import name_for_user
from tests.maya_standin.commands.flags import Bool, Text, Triple
from tests.maya_standin.commands.nodes import in_current_namespace
from tests.maya_standin.commands.registry import command
from tests.maya_standin.nodes import Node, Plug

AXES = "XYZ"
ORDERS = ("xyz", "yzx", "zxy", "xzy", "yxz", "zyx")
# The joint command makes joints with these limits, disabled; the node's own are 45 (maya.md 1.4).
MADE_LIMIT = math.radians(360.0)


@command("joint", undoable=True)
def joint(
    session,
    *names,
    name: Text = "",
    position: Triple = None,
    relative: Bool = False,
    absolute: Bool = False,
):
    """Make a joint below what is selected (maya.md 1.5)."""
    return name_for_user(session.scene, _make_joint(session, name, position, relative))


def _make_joint(session, name, position, relative):
    """Make a joint below the last selected transform, with the command's own limits."""
    scene = session.scene
    transforms = [i for i in scene.selection if isinstance(i, Node) and i.is_a("transform")]
    above = transforms[-1] if transforms else None
    node = scene.create_node("joint", in_current_namespace(scene, name or "joint1"), above)
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
