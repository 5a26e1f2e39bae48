"""Two arms of the same names, for tests of the stand-in; and how its plugs and keys are made."""

from __future__ import annotations

from tests.maya_standin.curves import Keys
from tests.maya_standin.graph import Plug


def arms(scene):
    """Two groups, each with a chain of two joints that are named as in the other."""
    nodes = {}
    for side in ("left", "right"):
        above = nodes[side] = scene.create_node("transform", side)
        for name in ("rig:shoulder", "rig:elbow"):
            above = nodes[f"{side} {name[4:]}"] = scene.create_node("joint", name, above)
    return nodes


def plug(om, node, attribute):
    name = node.full_path() if node.is_dag else node.name
    found = om.MSelectionList().add(name).getDependNode(0)
    return om.MFnDependencyNode(found).findPlug(attribute, False)


def keyed(scene, channel, *keys, **options):
    times, values = zip(*keys)
    kind = {"rotateX": "animCurveTA", "translateX": "animCurveTL"}[channel.path]
    curve = scene.create_node(kind, f"{channel.node.short_name}_{channel.path}")
    scene.set_keys(curve, Keys(times, values, **options))
    scene.connect(Plug(curve, "output"), channel)
    return curve
