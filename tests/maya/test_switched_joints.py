"""Joints whose whole rotate comes from one output without children: IK/FK switches and choices.

Maya puts one unitConversion between the compounds; its output has no child to read (review_maya.md,
place 1).
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.maya_open_scenes import state
from tests.support.maya_projecting import shapes


@pytest.fixture
def rig(cmds):
    """A shoulder that switches from an FK to an IK control, above an elbow with keys."""
    cmds.select(clear=True)
    for name, place in (("shoulder", (0, 0, 0)), ("elbow", (4, 0, 0)), ("wrist", (7, 0, 0))):
        cmds.joint(name=name, position=place)
    for control, degrees in (("fk", 50.0), ("ik", -30.0)):
        cmds.createNode("transform", name=control)
        for frame in (1, 24):
            for number, axis in enumerate("XYZ", 1):
                value = degrees / number * (frame - 1) / 23
                cmds.setKeyframe(control, attribute=f"rotate{axis}", time=frame, value=value)
    cmds.setKeyframe("elbow", attribute="rotateZ", time=1, value=5)
    cmds.setKeyframe("elbow", attribute="rotateZ", time=24, value=95)
    return cmds


def switch(cmds):
    """The classic switch: a blendColors between the controls and the joint."""
    cmds.createNode("blendColors", name="switch")
    cmds.connectAttr("fk.rotate", "switch.color1")
    cmds.connectAttr("ik.rotate", "switch.color2")
    cmds.connectAttr("switch.output", "shoulder.rotate")
    cmds.setAttr("switch.blender", 0.75)
    return 0.75 * 50.0 - 0.25 * 30.0


def choice(cmds):
    """A choice of the FK control."""
    cmds.createNode("choice", name="switch")
    cmds.connectAttr("ik.rotate", "switch.input[0]")
    cmds.connectAttr("fk.rotate", "switch.input[1]")
    cmds.connectAttr("switch.output", "shoulder.rotate")
    cmds.setAttr("switch.selector", 1)
    return 50.0


RIGS = {"blendColors": switch, "choice": choice}


@pytest.fixture(params=RIGS)
def degrees(rig, request):
    """X of the shoulder at the last frame, in degrees."""
    return RIGS[request.param](rig)


def test_a_switched_joint_is_estimated_and_gets_its_limits(cmds, jointlimits, degrees):
    limits = jointlimits.estimate("shoulder", limit_root=True)
    assert {"shoulder", "elbow"} <= set(jointlimits.apply(limits, "shoulder").written)
    assert cmds.getAttr("elbow.maxRotZLimit") == pytest.approx(95.0)
    assert cmds.getAttr("shoulder.maxRotXLimit") == pytest.approx(degrees, abs=1e-4)


@pytest.mark.parametrize("time", ["keys", "current"])
def test_limits_that_are_on_do_not_clamp_what_is_read(maya, cmds, degrees, time):
    from jointlimits_maya.limits.api import read_motion

    cmds.currentTime(24)
    cmds.setAttr("shoulder.maxRotXLimit", 3.0)
    cmds.setAttr("shoulder.maxRotXLimitEnable", True)
    before = state(maya)
    turned = read_motion("shoulder", time=time).rotate_deg("shoulder")[:, 0]
    assert turned.max() == pytest.approx(degrees, abs=1e-4)
    assert state(maya) == before


@pytest.mark.parametrize("plain", [False, True])
def test_a_switched_joint_can_be_projected_and_let_go(maya, cmds, jointlimits, rig, plain):
    switch(rig)
    before = state(maya)
    jointlimits.project_live({"shoulder": shapes()["box"]}, plain_nodes=plain)
    cmds.currentTime(24)
    assert np.isfinite(cmds.getAttr("shoulder.rotateX"))
    cmds.currentTime(1)
    jointlimits.stop_projecting("shoulder")
    assert state(maya) == before
