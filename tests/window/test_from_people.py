"""Limits from other people in the window, in Maya and for files."""

from __future__ import annotations

import pytest

from tests.support.driven_rigs import keyed
from tests.support.human_rigs import NO_PEOPLE, body, scene
from tests.support.maya_scenes import write_scene
from tests.support.window_alone import shown_message, shown_window
from tests.support.window_standin import idle, opened

pytestmark = pytest.mark.thorough

LIMBS = ("l_upperarm", "l_forearm", "l_thigh", "r_calf")


def opened_scene(maya, cmds, qtbot, folder, text, top="root"):
    cmds.file(str(write_scene(folder, text)), open=True, force=True)
    maya.undo_queue.flush()
    idle(maya)
    return opened(maya, qtbot, top)


def start(window, qtbot):
    window.actions_by_name["start_from_people"].trigger()
    qtbot.waitUntil(lambda: not window.document.estimation.busy, timeout=30_000)


def sources(window, name):
    limit = window.document.limits.joints[name]
    return {one.kind for axis in limit.limits.values() for one in axis.source.known}


def test_a_rig_without_motion_has_limits_after_one_click(maya, cmds, qtbot, tmp_path):
    window = opened_scene(maya, cmds, qtbot, tmp_path, scene(body()))
    assert "“Other people” in Options gives a human rig limits" in shown_message(window)
    assert not window.document.has_limits
    start(window, qtbot)
    assert all(sources(window, name) == {"people"} for name in LIMBS)
    assert window.options.values()["people"] == "people"
    window.select(["l_thigh"])
    shown = {
        label.text() for axis in window.parts.joint.axes.values() for label in axis.sources.values()
    }
    assert shown == {"other people"}


def test_the_limits_of_joints_that_follow_controls_go_to_these(maya, cmds, qtbot, tmp_path):
    window = opened_scene(maya, cmds, qtbot, tmp_path, scene(body(), LIMBS))
    start(window, qtbot)
    window.actions_by_name["apply_to_controls"].trigger()
    assert f"Limits written on {len(LIMBS)} controls" in shown_message(window)
    assert cmds.getAttr("r_calf_ctl.maxRotXLimit") > 120.0
    cmds.undo()
    assert not cmds.getAttr("r_calf_ctl.maxRotXLimitEnable")


def test_estimates_keep_starting_from_people_until_that_is_switched_off(
    maya, cmds, qtbot, tmp_path
):
    text = scene(body()) + keyed("l_upperarm", [(1, 0), (12, 60), (24, 120)])
    window = opened_scene(maya, cmds, qtbot, tmp_path, text)
    assert "people" not in sources(window, "l_thigh")
    start(window, qtbot)
    assert sources(window, "l_thigh") == {"people"}
    assert sources(window, "l_upperarm") == {"people", "observed"}
    window.document.estimation.set_options(pad_deg=2.0)
    qtbot.waitUntil(lambda: not window.document.estimation.busy, timeout=30_000)
    assert sources(window, "l_thigh") == {"people"}
    window.document.estimation.set_options(people="off")
    qtbot.waitUntil(lambda: not window.document.estimation.busy, timeout=30_000)
    assert "people" not in sources(window, "l_thigh")
    window.document.undo_stack.undo()
    assert sources(window, "l_thigh") == {"people"}


@pytest.mark.parametrize("name", NO_PEOPLE)
def test_what_is_no_person_is_refused_and_the_option_stays_off(maya, cmds, qtbot, tmp_path, name):
    lines = NO_PEOPLE[name]
    window = opened_scene(maya, cmds, qtbot, tmp_path, scene(lines), lines.split()[0])
    start(window, qtbot)
    assert "ot a human figure" in shown_message(window)
    assert not window.document.has_limits


def test_a_scene_file_without_motion_gets_limits_in_the_window_for_files(qtbot, tmp_path):
    window = shown_window(tmp_path, qtbot)
    window.files.add([str(write_scene(tmp_path, scene(body())))], None)
    start(window, qtbot)
    assert all(sources(window, name) == {"people"} for name in LIMBS)
