"""bakeResults: channels become curves with a key at every frame, whatever drove them."""

from __future__ import annotations

from tests.maya_standin.commands import ui_values
from tests.maya_standin.commands.finding import objects
from tests.maya_standin.commands.flags import Bool, Float, Texts, TimeRanges
from tests.maya_standin.commands.keys import keyed_plugs, new_curve
from tests.maya_standin.commands.registry import command
from tests.maya_standin.curves import Keys


@command("bakeResults", undoable=True)
def bake_results(
    session,
    *names,
    attribute: Texts,
    time: TimeRanges,
    simulation: Bool = False,
    sampleBy: Float = 1.0,
):
    """Key what channels show: with limits that are enabled, the clamped values (maya.md 1.6).

    Gives how many channels were baked. Played or not (`simulation`), all that is modelled gives
    the same values.
    """
    scene = session.scene
    ((start, end),) = time
    count = int((end - start) / sampleBy + 1e-6) + 1
    seconds = [ui_values.seconds(scene, start + sampleBy * index) for index in range(count)]
    plugs = list(keyed_plugs(scene, objects(scene, names), attribute))
    values = [[scene.evaluator.value(plug, second) for second in seconds] for plug in plugs]
    for plug, shown in zip(plugs, values):
        source = scene.connections.get(plug)
        if source is not None:
            scene.check_disconnectable(plug)
            scene.disconnect(source, plug)
            if source.node.is_a("animCurve") and not scene.outputs(source):
                scene.check_deletable(source.node)
                scene.delete_node(source.node)
        scene.set_keys(new_curve(scene, plug), Keys(seconds, shown))
    return len(plugs)
