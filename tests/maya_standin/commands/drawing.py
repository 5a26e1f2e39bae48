"""curve: plain curves through points (command reference, curve)."""

from __future__ import annotations

from tests.maya_standin.commands import ui_values
from tests.maya_standin.commands.finding import name_for_user
from tests.maya_standin.commands.flags import Float, Points, Text
from tests.maya_standin.commands.nodes import in_current_namespace
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError


@command("curve", undoable=True)
def curve(session, *, degree: Float = 3, point: Points = (), name: Text = ""):
    """Make a transform with a nurbsCurve below it, and select it; its points are kept as text."""
    if degree != 1 or len(point) < 2:
        raise NotModelledError("cmds.curve other than of degree 1 through two points or more")
    scene = session.scene
    made = scene.create_node("transform", in_current_namespace(scene, name or "curve1"))
    shape = scene.create_node("nurbsCurve", f"{made.name}Shape", made)
    # Points come in the unit of the user interface and are kept in centimetres.
    unit = ui_values.worth(scene, "distance")
    shape.raw["cc"] = " ".join(f"{x * unit:g} {y * unit:g} {z * unit:g}" for x, y, z in point)
    scene.select([made])
    return name_for_user(scene, made)
