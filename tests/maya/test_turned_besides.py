"""Joints of the open scene that turn in other ways than by their rotate channels are named."""

from __future__ import annotations

import pytest

from tests.formats.test_turned_besides import KNEE, WARP, assert_as_said
from tests.support.maya_reading import assert_same_motion, both_of, from_scene, opened_text
from tests.support.maya_scenes import connect
from tests.support.turned_scenes import CASES


@pytest.mark.thorough
@pytest.mark.parametrize("name", CASES)
def test_what_turns_the_knee(maya, tmp_path, name):
    opened_text(maya, tmp_path, CASES[name].body)
    assert_as_said(from_scene(), CASES[name])


@pytest.mark.parametrize("name", ["order", "joint-orient-and-channels", "group"])
def test_the_same_as_from_the_file(maya, tmp_path, name):
    assert_same_motion(*both_of(maya, tmp_path, CASES[name].body))


def test_no_lock_on_request(maya, tmp_path):
    from jointlimits_maya.limits import api
    from maya import cmds

    opened_text(maya, tmp_path, CASES["group"].body)
    found = api.estimate("hips")
    api.apply(found, "hips", lock_unmoved=True)
    assert not cmds.getAttr("knee.minRotXLimitEnable")
    assert cmds.getAttr("knee.jointTypeX")
    assert cmds.getAttr("foot.minRotXLimitEnable")


@pytest.mark.parametrize("on", ["yes", "no"])
def test_a_time_warp(maya, tmp_path, on):
    file, scene = both_of(maya, tmp_path, KNEE + WARP.format(on=on, plug="tw"))
    assert_same_motion(file, scene)
    assert [item.rule for item in scene.findings] == [item.rule for item in file.findings]
    assert [item.message for item in scene.findings] == [item.message for item in file.findings]


def test_joints_that_follow_a_matrix_without_keys(maya, tmp_path, jointlimits):
    """Place 7: an expression turns a control, and its matrix a joint that nobody keys."""
    body = (
        'createNode joint -n "hips";\ncreateNode joint -n "knee" -p "hips";\n'
        'createNode transform -n "ctrl";\ncreateNode expression -n "ex";\n'
        + connect("ctrl.m", "knee.opm")
        + connect("ex.out[0]", "ctrl.rx")
    )
    scene = opened_text(maya, tmp_path, body)
    scene.scripted[scene.plug("ex.output[0]")] = lambda seconds: seconds / 10.0
    words = r"1 joint is driven by ctrl \(transform\), not through rotate channels"
    with pytest.raises(ValueError, match=words):
        jointlimits.estimate("hips")
