"""Changes of time while our Python node may be evaluated by another thread (place 2)."""

from __future__ import annotations

import pytest

from tests.maya_standin.errors import MayaHangsError
from tests.support.maya_open_scenes import state
from tests.support.maya_projecting import keyed_arm, shapes


@pytest.fixture
def projected(maya, cmds, jointlimits):
    """A keyed arm that our node projects, in a Maya that evaluates in parallel."""
    keyed_arm(cmds)
    jointlimits.project_live({"shoulder": shapes()["box"]})
    assert cmds.evaluationManager(query=True, mode=True) == ["parallel"]
    return cmds


def test_the_stand_in_hangs_where_maya_may(projected, om, oma):
    with pytest.raises(MayaHangsError):
        oma.MAnimControl.setCurrentTime(om.MTime(5.0, om.MTime.uiUnit()))


def test_playing_a_scene_with_our_node_comes_back(maya, projected, jointlimits):
    projected.createNode("transform", name="driver")
    projected.createNode("expression", name="wobble")
    projected.connectAttr("driver.translateX", "wobble.input[0]")
    projected.connectAttr("wobble.output[0]", "elbow.rotateX")
    maya.scene.scripted[maya.scene.plug("wobble.output[0]")] = lambda seconds: seconds / 10.0
    before = state(maya)
    assert jointlimits.estimate("shoulder").joints["elbow"].limits
    assert state(maya) == before
    assert projected.evaluationManager(query=True, mode=True) == ["parallel"]


def test_the_mode_comes_back_after_an_error(projected, om):
    from jointlimits_maya.scene import preserve

    with pytest.raises(TypeError):
        preserve.go_to("frame 5")
    assert projected.evaluationManager(query=True, mode=True) == ["parallel"]
    preserve.go_to(om.MTime(5.0, om.MTime.uiUnit()))
    assert projected.currentTime(query=True) == pytest.approx(5.0)
    assert projected.evaluationManager(query=True, mode=True) == ["parallel"]


def test_a_click_on_a_frame_comes_back(projected):
    pytest.importorskip("PySide6.QtWidgets")
    from jointlimits_maya.window.maya_host import MayaHost

    assert MayaHost().go_to_frame("", 5.0)
    assert projected.currentTime(query=True) == pytest.approx(5.0)
    assert projected.evaluationManager(query=True, mode=True) == ["parallel"]
