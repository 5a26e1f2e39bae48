"""What lies upstream of a joint: visited once, and played where a plug-in may keep a state."""

from __future__ import annotations

import pytest

from jointlimits_core.base.progress import Cancelled
from tests.maya_standin.open_maya import plugin_node
from tests.support.maya_open_scenes import state

CHAIN, JOINTS = 24, 8


@pytest.fixture
def spring(om):
    """A type of nodes of an unknown plug-in, and whether each evaluation was at the normal time."""
    seen = []

    class Spring(om.MPxNode):
        @classmethod
        def initialize(cls):
            unit = om.MFnUnitAttribute()
            for name in ("goal", "result"):
                made = unit.create(name, name, om.MFnUnitAttribute.kAngle, 0.0)
                setattr(cls, name, made)
                cls.addAttribute(made)
            cls.attributeAffects(cls.goal, cls.result)

        def compute(self, plug, block):
            goal = block.inputValue(self.goal).asAngle()
            seen.append(om.MDGContext.current().isNormal())
            block.outputValue(self.result).setMAngle(goal)
            block.setClean(plug)
            return self

    plugin_node.register("somebodysSpring", Spring, Spring.initialize)
    return seen


def leg(cmds):
    cmds.select(clear=True)
    for name in ("hip", "knee"):
        cmds.joint(name=name, position=(0, 0, 0))
    for frame in (1, 24):
        cmds.setKeyframe("hip", attribute="rotateX", time=frame, value=frame)


def test_nodes_of_unknown_plug_ins_are_played_and_never_read_at_other_times(
    maya, cmds, jointlimits, spring
):
    """Place 3: a context would move the state on, and show what playing does not."""
    leg(cmds)
    cmds.createNode("somebodysSpring", name="spring")
    for frame in (1, 24):
        cmds.setKeyframe("spring", attribute="goal", time=frame, value=2 * frame)
    cmds.connectAttr("spring.result", "knee.rotateZ")
    cmds.evaluationManager(mode="off")
    before = state(maya)
    limits = jointlimits.estimate("hip")
    assert limits.joints["knee"].limits["rotateZ"].max_deg == pytest.approx(48.0)
    assert spring
    assert all(spring)
    assert state(maya) == before


@pytest.fixture
def network(cmds):
    """A chain of nodes that drives many joints; the keys are at its beginning."""
    cmds.playbackOptions(maxTime=24, animationEndTime=24)
    cmds.createNode("multiplyDivide", name="m0")
    for frame in (1, 24):
        cmds.setKeyframe("m0", attribute="input1X", time=frame, value=frame)
    for number in range(1, CHAIN):
        cmds.createNode("multiplyDivide", name=f"m{number}")
        cmds.connectAttr(f"m{number - 1}.outputX", f"m{number}.input1X")
    cmds.select(clear=True)
    for number in range(JOINTS):
        cmds.joint(name=f"j{number}")
        cmds.connectAttr(f"m{CHAIN - 1 - number}.outputX", f"j{number}.rotateX")


def test_each_node_upstream_is_visited_once_for_all_joints(maya, network, jointlimits):
    """Place 5."""
    for action, given in (("estimate", ("j0",)), ("apply", (None, "j0"))):
        maya.reset_counters()
        getattr(jointlimits, action)(*given)
        calls, nodes = maya.counters["calls"], len(maya.scene.nodes)
        assert 0 < calls["MFnDependencyNode.getConnections"] <= nodes
        # Once for each node, and once for each channel of a joint.
        assert calls["MFnDependencyNode.typeName"] <= nodes + 15 * JOINTS


def test_limits_upstream_are_bypassed_once_for_all_joints(maya, network, cmds, jointlimits):
    """Place 5: Apply reads peaks between frames joint by joint, but walks upstream only once."""
    for number in range(JOINTS - 1):
        cmds.connectAttr(f"j{number}.rotateX", f"j{number + 1}.rotateY")
        cmds.setAttr(f"j{number}.minRotXLimitEnable", True)
    jointlimits.estimate("j0")
    maya.reset_counters()
    jointlimits.apply(None, "j0")
    assert maya.counters["calls"]["MPlug.setBool"] == 2 * (JOINTS - 1)


@pytest.mark.parametrize("action", ["estimate", "apply"])
def test_the_search_upstream_reports_progress_and_stops(maya, network, jointlimits, action):
    jointlimits.estimate("j0")
    before, asked = state(maya), []

    def progress(done, total, label):
        asked.append((done, total, label))
        return len(asked) < 3

    given = {"estimate": ("j0",), "apply": (None, "j0")}[action]
    with pytest.raises(Cancelled):
        getattr(jointlimits, action)(*given, progress=progress)
    assert asked[0][0] == 0
    assert [label for _, _, label in asked] == ["finding what drives the joints"] * 3
    assert state(maya) == before


def test_one_long_walk_upstream_can_be_stopped(maya, network, monkeypatch):
    from jointlimits_maya.read import upstream
    from jointlimits_maya.scene.joints import node_of

    monkeypatch.setattr(upstream, "REPORT_NODES", 10)
    found = upstream.Upstream({})
    seen = []
    found.report = lambda: seen.append(len(seen))
    found.traits_of(node_of(f"m{CHAIN - 1}"))
    assert len(seen) == CHAIN // 10


def test_a_control_behind_an_unknown_plug_in_keeps_its_limits_off(cmds, jointlimits, spring):
    leg(cmds)
    cmds.createNode("somebodysSpring", name="spring")
    cmds.createNode("transform", name="ctl")
    for frame in (1, 24):
        cmds.setKeyframe("ctl", attribute="rotateZ", time=frame, value=frame)
    cmds.connectAttr("ctl.rotateZ", "spring.goal")
    cmds.connectAttr("spring.result", "knee.rotateZ")
    cmds.evaluationManager(mode="off")
    done = jointlimits.apply(jointlimits.estimate("hip"), "hip")
    assert done.following == ("knee",)
    assert done.drivers["knee"].words() == "ctl, by spring (somebodysSpring)"
    assert not cmds.getAttr("knee.maxRotZLimitEnable")
    assert not [one for one in spring if not one], "played, never read at other times"


def test_nodes_of_a_cycle_are_visited_once(maya, cmds):
    """Cycles are legal in Maya; it only warns."""
    from jointlimits_maya.read import upstream
    from jointlimits_maya.scene.joints import node_of

    for number in range(3):
        cmds.createNode("multiplyDivide", name=f"c{number}")
    for number in range(3):
        cmds.connectAttr(f"c{number}.outputX", f"c{(number + 1) % 3}.input1X")
    cmds.setKeyframe("c1", attribute="input1Y", time=1, value=2)
    found = upstream.Upstream({})
    assert [found.traits_of(node_of(f"c{number}")) for number in range(3)] == [upstream.TIMED] * 3
    assert len(list(found.nodes_above([node_of("c0")]))) == 4
