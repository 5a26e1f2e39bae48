"""Limits from other people in Maya: for a rig without motion, on its joints or on its controls."""

from __future__ import annotations

import json

import pytest

from tests.maya_standin.state import lines_but_modified
from tests.support.driven_rigs import keyed
from tests.support.human_rigs import NO_PEOPLE, body, scene
from tests.support.maya_reading import opened_text

LIMBS = ("l_upperarm", "r_upperarm", "l_forearm", "l_thigh", "l_calf", "r_calf")


def kinds(limit):
    """Kinds of the sources of a joint's limits."""
    return {one.kind for axis in limit.limits.values() for one in axis.source.known}


def test_a_rig_without_motion_gets_limits_on_its_joints(maya, cmds, jointlimits, tmp_path):
    opened_text(maya, tmp_path, scene(body()))
    before = lines_but_modified(maya.scene)
    limits = jointlimits.estimate("root", people="people")
    assert lines_but_modified(maya.scene) == before
    assert all(kinds(limits.joints[name]) == {"people"} for name in LIMBS)
    done = jointlimits.apply(limits, "root")
    assert set(done.written) >= set(LIMBS)
    assert cmds.getAttr("l_calf.maxRotXLimit") > 120.0
    assert cmds.getAttr("l_calf.maxRotXLimitEnable")
    cmds.undo()
    assert lines_but_modified(maya.scene) == before


def test_measured_limits_take_over_as_motion_comes(maya, jointlimits, tmp_path):
    far = [(1, 0), (12, 60), (24, 120)]
    opened_text(maya, tmp_path, scene(body()) + keyed("l_upperarm", far))
    limits = jointlimits.estimate("root", people="people", symmetry="off")
    raised = limits.joints["l_upperarm"].limits["rotateZ"]
    assert raised.max_deg == pytest.approx(120.0)
    assert raised.source.max.kind == "observed"
    assert raised.source.min.kind == "people"
    assert kinds(limits.joints["r_upperarm"]) == {"people"}


def test_where_controls_drive_the_joints_the_limits_go_to_them(maya, cmds, jointlimits, tmp_path):
    opened_text(maya, tmp_path, scene(body(), LIMBS))
    before = lines_but_modified(maya.scene)
    limits = jointlimits.estimate("root", people="people")
    done = jointlimits.apply(limits, "root", to_controls=True)
    assert set(done.written) == {f"{name}_ctl" for name in LIMBS}
    for name in LIMBS:
        for channel in "XYZ":
            plug = f"Rot{channel}Limit"
            own = limits.joints[name].limits[f"rotate{channel}"]
            if own.state == "limited":
                on_control = cmds.getAttr(f"{name}_ctl.max{plug}")
                assert on_control == pytest.approx(own.max_deg, abs=1e-6)
    cmds.undo()
    assert lines_but_modified(maya.scene) == before


def test_controls_themselves_get_no_limits_of_people(maya, jointlimits, tmp_path):
    opened_text(maya, tmp_path, scene(body(), LIMBS))
    with pytest.raises(ValueError, match="estimate the joints, then carry their limits"):
        jointlimits.estimate("l_calf_ctl", controls=True, people="people")


@pytest.mark.parametrize("name", NO_PEOPLE)
def test_what_is_no_person_is_refused_in_one_line(maya, cmds, tmp_path, name):
    from jointlimits_maya import interactive

    opened_text(maya, tmp_path, scene(NO_PEOPLE[name]))
    before = lines_but_modified(maya.scene)
    cmds.select(NO_PEOPLE[name].split()[0])
    selected = lines_but_modified(maya.scene)
    assert interactive.start_from_people() is False
    text = maya.messages[-1][1]
    assert "ot a human figure" in text
    assert "\n" not in text
    assert lines_but_modified(maya.scene) == selected
    assert {line for line in selected if "Limit" in line} == {
        line for line in before if "Limit" in line
    }


def test_the_menu_item_follows_a_refused_estimate(maya, cmds, tmp_path):
    from jointlimits_maya import interactive

    opened_text(maya, tmp_path, scene(body()))
    cmds.select("root")
    interactive.estimate()
    assert "the option people gives a human rig limits without motion" in maya.messages[-1][1]
    interactive.start_from_people()
    assert "Limits found for" in maya.messages[-1][1]


def test_the_command_has_a_flag(maya_with_plug_in, tmp_path):
    from maya import cmds

    opened_text(maya_with_plug_in, tmp_path, scene(body()))
    data = json.loads(cmds.estimateJointLimits("root", fromPeople="people"))
    assert data["joints"]["l_calf"]["limits"]["rotateX"]["source"]["max"]["kind"] == "people"
