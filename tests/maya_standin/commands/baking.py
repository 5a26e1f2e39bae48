"""bakeResults: channels become curves with a key at every frame, whatever drove them."""

from __future__ import annotations

from tests.maya_standin.commands import ui_values
from tests.maya_standin.commands.finding import objects
from tests.maya_standin.commands.flags import Bool, Float, Texts, TimeRanges
from tests.maya_standin.commands.keys import _ends, new_curve
from tests.maya_standin.commands.registry import command
from tests.maya_standin.curves import Keys
from tests.maya_standin.errors import NotModelledError


@command("bakeResults", undoable=True)
def bake_results(
    session,
    *names,
    attribute: Texts = None,
    time: TimeRanges = None,
    sampleBy: Float = 1.0,
    simulation: Bool = False,
    disableImplicitControl: Bool = True,
    preserveOutsideKeys: Bool = False,
    minimizeRotation: Bool = False,
):
    """Bake attributes of nodes, by playing, to linear keys; what drove them stays, disconnected.

    Gives how many channels were baked. The values are those of the channels, so limits clamp them.
    Channels whose compound is connected stay as they are (guess: bake-below-a-compound).
    """
    if not (simulation and disableImplicitControl and preserveOutsideKeys and attribute):
        raise NotModelledError("cmds.bakeResults of this kind")
    if minimizeRotation:
        raise NotModelledError("cmds.bakeResults(minimizeRotation=True)")
    scene = session.scene
    plugs = [scene.plug_of(node, name) for node in objects(scene, names) for name in attribute]
    plugs = [one for one in plugs if one in scene.connections or not scene.is_driven(one)]
    for plug in plugs:
        if scene.is_locked(plug):
            raise NotModelledError(f"cmds.bakeResults of {scene.plug_name(plug)}")
    (first, last), before, times = _ends(time[0]), scene.time, []
    frame, found = first, {plug: [] for plug in plugs}
    while frame <= last + 1e-9:
        times.append(ui_values.seconds(scene, frame))
        scene.set_time(times[-1])
        for plug in plugs:
            found[plug].append(scene.evaluator.value(plug))
        frame += sampleBy
    scene.set_time(before)
    for plug, values in found.items():
        _replace(scene, plug, times, values)
    return len(plugs)


def _replace(scene, plug, times, values):
    """Give a channel keys in place of its driver; keys outside stay."""
    source, keys = scene.source(plug), Keys()
    if source is not None:
        keys = source.node.keys or keys if source.node.is_a("animCurveT") else keys
        scene.disconnect(source, plug)
    for second, value in zip(keys.times, keys.values):
        if not times[0] - 1e-9 <= second <= times[-1] + 1e-9:
            times, values = zip(*sorted([*zip(times, values), (second, value)]))
    curve = new_curve(scene, plug)
    scene.set_keys(curve, Keys(tuple(times), tuple(values)))
