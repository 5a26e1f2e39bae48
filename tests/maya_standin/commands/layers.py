"""animLayer: a layer on rotations, with the nodes that Maya puts between curve and channel.

maya.md 2.3: the base is `inputA` of the blend, the layer's own curve a delta on `inputB`. Keys on
the layer are set on the plugs of the blend, such as `spine_rotate_walk.inputBX`.
"""

from __future__ import annotations

from tests.maya_standin.commands.finding import flat, name_for_user
from tests.maya_standin.commands.flags import Bool, Texts
from tests.maya_standin.commands.registry import command
from tests.maya_standin.errors import NotModelledError
from tests.maya_standin.nodes import Plug

BASE = "BaseAnimation"


@command("animLayer", undoable=True)
def anim_layer(session, *names, edit: Bool = False, attribute: Texts = (), override: Bool = None):
    """Make a layer on rotations of nodes (given as plugs), or change one."""
    scene = session.scene
    if edit:
        layer = scene.node(*flat(names))
    else:
        layer = _make_layer(scene, *(list(flat(names)) or ["AnimLayer1"]))
    if override is not None:
        scene.set_value(Plug(layer, "override"), override)
    for name in attribute:
        _add(scene, layer, scene.plug(name))
    return name_for_user(scene, layer)


def _make_layer(scene, name):
    """Make a layer below the base layer, which comes with the first one."""
    if not scene.exists(BASE):
        scene.create_node("animLayer", BASE)
    base = scene.node(BASE)
    layer = scene.create_node("animLayer", name)
    children = sum(1 for plug in scene.connections if plug.path.startswith("childrenLayers["))
    scene.connect(Plug(layer, "parentLayer"), Plug(base, f"childrenLayers[{children}]"))
    return layer


def _add(scene, layer, plug):
    """Put a blend between what drives the rotation of a node and the node."""
    if plug.path != "rotate":
        raise NotModelledError(f"an animation layer on {plug.path} (rotate is modelled)")
    node = plug.node
    blend = scene.create_node(
        "animBlendNodeAdditiveRotation", f"{node.short_name}_rotate_{layer.short_name}"
    )
    for axis in "XYZ":
        channel = Plug(node, f"rotate{axis}")
        base = Plug(blend, f"inputA{axis}")
        source = scene.connections.get(channel)
        scene.set_value(base, scene.stored(channel))
        if source is not None:
            scene.disconnect(source, channel)
            scene.connect(source, base)
        scene.connect(Plug(blend, f"output{axis}"), channel)
    scene.connect(Plug(node, "rotateOrder"), Plug(blend, "rotateOrder"))
    scene.connect(Plug(layer, "foregroundWeight"), Plug(blend, "weightB"))
    scene.connect(Plug(layer, "backgroundWeight"), Plug(blend, "weightA"))
    count = sum(
        1 for p in scene.connections if p.node is layer and p.path.startswith("blendNodes[")
    )
    scene.connect(Plug(blend, "message"), Plug(layer, f"blendNodes[{count}]"))
