"""What drives the joints of a scene file, and limits that stay off because of it."""

from __future__ import annotations

import json

import pytest

from jointlimits_core.base.findings import DRIVEN, FOLLOWS_CONTROL, UNRESOLVED_DRIVER, Finding
from jointlimits_core.cli.main import main
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.maya_ascii.reader import read_maya_ascii
from jointlimits_core.formats.maya_ascii.writer import write_joint_attributes
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.review_entries import review
from jointlimits_core.rig.limit_plan import JointChange
from tests.support.driven_rigs import RIGS, rig
from tests.support.maya_scenes import write_scene


@pytest.mark.parametrize("name", RIGS)
def test_the_reader_names_what_drives_a_joint(tmp_path, name):
    body, driver = rig(name)
    found = [one for one in read_maya_ascii(write_scene(tmp_path, body)).findings if one.driver]
    about = {one.joint: one for one in found}.get("arm")
    assert (about and about.driver) == driver
    if about is not None:
        assert f"{driver.name!r} ({driver.kind})" in about.message
        assert driver.control in about.message
        known = FOLLOWS_CONTROL if driver.control else DRIVEN
        assert about.rule in (UNRESOLVED_DRIVER, known)
        assert Finding.from_dict(json.loads(json.dumps(about.to_dict()))) == about


def test_a_limit_set_keeps_the_driver(tmp_path):
    limits = estimate(read_maya_ascii(write_scene(tmp_path, rig("a copied control")[0])))
    (about,) = (one for one in limits.joints["arm"].findings if one.driver)
    assert about.driver.control == "ctl"
    assert LimitSet.from_json(limits.to_json()) == limits
    (entry,) = (one for one in review(limits).suggestions if one.kind == FOLLOWS_CONTROL)
    assert entry.text.startswith("arm: driven by the control 'ctl' (transform); a limit here")


def enables(path):
    return path.read_text().count("mrze") + path.read_text().count("minRotZLimitEnable")


@pytest.mark.parametrize("name", RIGS)
def test_limits_of_joints_that_follow_controls_are_written_but_off(tmp_path, name):
    body, driver = rig(name)
    scene, out = write_scene(tmp_path, body), tmp_path / "copy.ma"
    change = {"arm": JointChange({"rotateZ": (-90.0, 170.0)})}
    report = write_joint_attributes(scene, out, change)
    follows = driver is not None and bool(driver.control) and "IK" not in name
    assert report.following == ({"arm": driver} if follows else {})
    if follows:
        assert "minRotZLimit" in report.written["arm"]
        assert enables(out) == 0
    report = write_joint_attributes(scene, out, change, enable_driven=True, may_move=True)
    assert enables(out) == 1
    assert not report.following


def test_the_command_line_says_so(tmp_path, capsys):
    scene = write_scene(tmp_path, rig("a copied control")[0])
    out = tmp_path / "out"
    main(["estimate", str(scene), "--out", str(out), "--apply"])
    line = "written but not turned on: arm: follows ctl; a limit here would separate"
    assert line in capsys.readouterr().out
