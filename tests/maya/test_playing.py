"""Contexts or playing: what decides, that both give the same values, and what playing costs."""

from __future__ import annotations

import numpy as np
import pytest

from jointlimits_core.base.progress import Cancelled
from tests.support.maya_fixtures import PLUG_IN
from tests.support.maya_open_scenes import state
from tests.support.maya_reading import from_scene, opened_text
from tests.support.maya_scenes import connect, curve

CONTROL = 'createNode transform -n "ctl";\n' + curve("c", [(1, -30), (400, 60)])
FOLLOWING = (
    'createNode joint -n "hip";\ncreateNode joint -n "knee" -p "hip";\n'
    + CONTROL
    + connect("c.o", "ctl.rx")
    + connect("ctl.rx", "knee.rx")
)


KNEE_DRIVES = 'createNode joint -n "toe" -p "knee";\n' + connect("knee.rx", "toe.rx")
LIMITED = 'setAttr "knee.mrxe" yes;\nsetAttr "knee.mrxl" -30;\n'


@pytest.fixture
def scene(maya, tmp_path):
    """A joint that follows a keyed control; evaluated in parallel."""
    return opened_text(maya, tmp_path, FOLLOWING)


def read(session, context_cost, playing_cost, frames=400):
    """Values of the driver, and the changes of time; costs are seconds a frame."""
    from jointlimits_maya.read.drivers import Drivers
    from jointlimits_maya.read.evaluation import evaluate
    from jointlimits_maya.scene.joints import node_of
    from jointlimits_maya.scene.plugs import find_plug

    def clock():
        counters = session.counters
        contexts = counters["dg_evaluations"] * context_cost
        return contexts + counters["time_changes"] * playing_cost

    session.reset_counters()
    driver = Drivers().driver_of(find_plug(node_of("knee"), "rotateX"))
    rows = evaluate([driver], np.arange(1.0, 1.0 + frames), clock=clock)
    return rows[driver], session.counters["time_changes"]


@pytest.mark.parametrize(
    ("context_cost", "playing_cost", "changes"),
    [
        (1.0, 0.01, 395),  # all but the frames that were read in contexts
        (1.0, 2.0, 5),  # playing was slower in the frames that were compared
        (0.01, 0.001, 0),  # not worth a comparison
    ],
)
def test_the_faster_way_is_measured_and_both_give_the_same(
    maya, scene, context_cost, playing_cost, changes
):
    """Place 4."""
    values, changed = read(maya, context_cost, playing_cost)
    assert changed == changes
    assert values == read(maya, 0.0, 0.0)[0]
    np.testing.assert_allclose(np.degrees(values), np.linspace(-30, 60, 400))


def test_an_unkeyed_pose_is_not_lost_for_speed(maya, scene, cmds):
    cmds.setAttr("ctl.rotateX", 77.0)
    _, changed = read(maya, 1.0, 0.01)
    assert changed == 0
    assert cmds.getAttr("ctl.rotateX") == pytest.approx(77.0)


@pytest.mark.parametrize("is_played", [False, True], ids=["contexts", "playing"])
def test_calls_for_each_frame(maya, scene, is_played):
    """One read of the channel, and one look whether its node is there."""
    from jointlimits_maya.limits import api

    totals = []
    for last in (100, 200):
        maya.reset_counters()
        api.read_motion("hip", time=f"1:{last}", play=is_played)
        totals.append(sum(maya.counters["calls"].values()))
    assert totals[1] - totals[0] == (3 if is_played else 2) * 100


def test_a_scene_that_is_played_anyway_is_read_in_one_pass(maya, tmp_path):
    text = FOLLOWING + 'createNode expression -n "e";\n' + connect("ctl.rx", "e.in[0]")
    opened = opened_text(maya, tmp_path, text + connect("e.out[0]", "knee.ry"))
    opened.scripted[opened.plug("e.output[0]")] = lambda seconds: seconds
    motion = from_scene()
    assert motion.frame_count == 400
    assert maya.counters["time_changes"] == 401
    assert maya.counters["dg_evaluations"] == 0


@pytest.mark.parametrize("action", ["estimate", "check", "apply", "filter_keys", "switch_limits"])
def test_playing_can_be_forced(maya, scene, cmds, jointlimits, action):
    """Place 3: a node may keep a state without belonging to a plug-in."""
    given = {"limit_root": True} if action == "estimate" else {}
    jointlimits.estimate("hip", time="1:40", limit_root=True)
    if action == "switch_limits":
        jointlimits.apply(None, "hip")
        jointlimits.switch_limits(False, "hip")
        given = {"on": True}
    maya.reset_counters()
    names = {"joints": "hip"}
    getattr(jointlimits, action)(**names, **given)
    assert maya.counters["time_changes"] == 0
    getattr(jointlimits, action)(**names, **given, play=True)
    if action not in ("filter_keys", "switch_limits"):
        assert maya.counters["time_changes"] > 300


def test_the_flag_of_the_command(maya, scene, cmds):
    cmds.loadPlugin(str(PLUG_IN))
    maya.reset_counters()
    assert cmds.estimateJointLimits("hip", playScene=True)
    assert maya.counters["time_changes"] == 401


def test_esc_while_playing_leaves_the_scene(maya, scene, cmds, jointlimits):
    cmds.select("knee")
    before, labels = state(maya), []

    def progress(done, total, label):
        labels.append(label)
        return label != "playing the scene" or done < 7

    with pytest.raises(Cancelled, match="7 of 400: playing the scene"):
        jointlimits.estimate("hip", progress=progress, play=True)
    assert state(maya) == before
    assert cmds.evaluationManager(query=True, mode=True) == ["parallel"]


@pytest.mark.parametrize("node", ["ctl", "knee"])
def test_a_driver_that_is_deleted_while_it_is_read(maya, tmp_path, cmds, jointlimits, node):
    """The knee drives the toe, and its limits are off meanwhile."""
    opened_text(maya, tmp_path, FOLLOWING + KNEE_DRIVES + LIMITED)
    cmds.select("hip")
    before = cmds.currentTime(query=True)

    def progress(done, total, label):
        if label == "evaluating layers and constraints" and done == 3:
            cmds.delete(node)
        return True

    words = f"'{node}' was deleted while it was read, at frame 4; switch off the script"
    with pytest.raises(jointlimits.SceneError, match=words):
        jointlimits.estimate("hip", progress=progress)
    assert cmds.currentTime(query=True) == before
    assert cmds.ls(selection=True) == ["hip"]
    assert cmds.evaluationManager(query=True, mode=True) == ["parallel"]
