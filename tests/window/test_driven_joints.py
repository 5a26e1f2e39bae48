"""The window names joints that follow controls, and asks before Apply turns their limits on."""

from __future__ import annotations

import pytest

from tests.support.driven_rigs import CHAIN, control, keyed, node, orient
from tests.support.maya_scenes import write_scene
from tests.support.window_answers import answers
from tests.support.window_hand import Hand
from tests.support.window_standin import maya_that_opens_the_window, opened

RIG = CHAIN + control("arm_ctl") + keyed("arm_ctl") + orient("arm_ctl")
RIG += node("joint", "mocap") + keyed("mocap", [(1, 0), (24, 10)]) + orient("mocap", "hand", "hc")


@pytest.fixture
def window(tmp_path, monkeypatch, qtbot):
    scene = write_scene(tmp_path, RIG)
    with maya_that_opens_the_window(tmp_path, monkeypatch, scene) as session:
        yield opened(session, qtbot, "hip")


def test_apply_asks_about_joints_that_follow_controls(window, qtbot, monkeypatch):
    from maya import cmds

    (entry,) = (one for one in window.document.review.suggestions if one.kind == "follows-control")
    assert "which follows the control 'arm_ctl'" in entry.text
    asked = answers(monkeypatch, "Cancel", "Leave them off", "Turn them on")
    hand = Hand(window, qtbot)
    hand.click_bar("apply_limits")
    assert "1 joint follows a control:\n\narm: arm_ctl, by oc (orientConstraint)" in asked[0]
    assert "separate the joint from its control" in asked[0]
    assert not cmds.getAttr("hand.minRotZLimitEnable"), "cancelled"
    hand.click_bar("apply_limits")
    assert cmds.getAttr("hand.minRotZLimitEnable"), "a recording drives it"
    assert not cmds.getAttr("arm.minRotZLimitEnable")
    assert "1 left off: arm follows arm_ctl" in window.messages.text.text()
    assert "the answer 'Turn them on' overrides this" in window.messages.text.text()
    hand.click_bar("apply_limits")
    assert cmds.getAttr("arm.minRotZLimitEnable")
