"""What lies upstream of a joint: visited once, and played where a plug-in may keep a state."""

from __future__ import annotations

import pytest

from tests.maya_standin.open_maya import plugin_node
from tests.support.maya_open_scenes import state

CHAIN, JOINTS = 60, 20


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


def test_each_node_upstream_is_visited_once_for_all_joints(maya, cmds, jointlimits):
    """Place 5: a chain of nodes that drives many joints."""
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
    maya.reset_counters()
    jointlimits.estimate("j0", limit_root=True)
    nodes = len(maya.scene.nodes)
    calls = maya.counters["calls"]
    assert calls["MFnDependencyNode.getConnections"] <= nodes
    reads = calls["MFnDependencyNode.typeName"]
    assert reads <= 4 * nodes, f"{reads} reads of the types of {nodes} nodes"
