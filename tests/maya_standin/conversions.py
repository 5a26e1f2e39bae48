"""Connections between units: Maya puts a unitConversion between, with one for whole compounds.

Autodesk's node reference of unitConversion; the cases `plug-conversion-is-made` and
`plug-source-conversion` of maya_cases; `connectAttr "unitConversion1.o" "..._joint.r"` in scenes.
"""

from __future__ import annotations

from tests.maya_standin.commands import ui_values
from tests.maya_standin.graph import Plug, Scene

GENERIC = "generic"


def connect(scene: Scene, source: Plug, destination: Plug) -> None:
    """Connect two plugs, with a unitConversion between where their units differ."""
    factor = _worth(scene, destination) / _worth(scene, source)
    if factor == 1.0 or GENERIC in (_kind(source), _kind(destination)):
        scene.connect(source, destination)
        return
    space = f"{scene.current_namespace}:" if scene.current_namespace else ""
    between = scene.create_node("unitConversion", f"{space}unitConversion1")
    scene.set_value(Plug(between, "conversionFactor"), factor)
    scene.connect(source, Plug(between, "input"))
    scene.connect(Plug(between, "output"), destination)


def disconnect(scene: Scene, source: Plug, destination: Plug) -> None:
    """Disconnect two plugs; a unitConversion between them goes."""
    between = scene.connections[destination]
    if between == source:
        scene.disconnect(source, destination)
    else:
        scene.delete_node(between.node)


def is_between(scene: Scene, source: Plug, destination: Plug) -> bool:
    """Whether one plug drives the other, directly or through one unitConversion."""
    found = scene.connections.get(destination)
    if found is not None and found != source and found.node.is_a("unitConversion"):
        found = scene.connections.get(Plug(found.node, "input"))
    return found == source


def needed_between(one: Plug, other: Plug) -> bool:
    """Whether two plugs are of different units, in whatever unit the user sees them."""
    units = {"angle", "distance", "time"}
    kinds = {_kind(one), _kind(other)}
    return len(kinds) > 1 and bool(kinds & units) and GENERIC not in kinds


def _kind(plug: Plug) -> str:
    children = plug.node.children_of(plug.path)
    path = children[0] if children else plug.path
    return plug.node.spec(path).kind


def _worth(scene: Scene, plug: Plug) -> float:
    """What one unit of a plug's kind, as the user sees it, is worth inside."""
    worth = ui_values.worth(scene, _kind(plug))
    return 1.0 if worth is None else float(worth)
