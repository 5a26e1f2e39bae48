"""Findings about joints that turn in other ways than by their rotate channels."""

from __future__ import annotations

import json

import numpy as np
import pytest

from jointlimits_core.base.errors import EstimationError
from jointlimits_core.cli.main import main
from jointlimits_core.estimation.pipeline import estimate, reject_still_estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.merge import merge
from jointlimits_core.rig.limit_plan import changes_from_limit_set
from tests.support.maya_scenes import connect, curve, write_scene
from tests.support.shared_data import shared_path
from tests.support.turned_scenes import BESIDES, CASES, OFF, SWING, group, key, leg

RULES = {BESIDES, "moving-orientation", "changing-rotate-order"}
REPORTS = "data/reports"


def assert_as_said(motion, case):
    """The knee is named where it should be, and has the limits that it should have."""
    found = [item for item in motion.findings if item.rule in RULES]
    assert [(item.joint, item.rule) for item in found] == ([("knee", case.rule)] * bool(case.rule))
    assert all(case.words in item.message for item in found)
    limit_set = estimate(motion)
    knee = limit_set.joints["knee"]
    locked = changes_from_limit_set(limit_set, lock_unmoved=True)
    if case.limits is None:
        assert knee.type != "fixed"
        assert {axis.state for axis in knee.limits.values()} == {"free"}
        assert "knee" not in locked
        assert any(item.rule == case.rule for item in knee.findings)
        assert not any(item.rule == "never-moves" for item in knee.findings)
    elif case.limits == "still":
        assert knee.type == "fixed"
        assert "knee" not in changes_from_limit_set(limit_set, lock_unmoved=False)
    else:
        x = knee.limits["rotateX"]
        assert (x.min_deg, x.max_deg) == pytest.approx(case.limits)
    assert limit_set.joints["foot"].limits["rotateX"].state == "limited"


@pytest.mark.thorough
@pytest.mark.parametrize("name", CASES)
def test_what_turns_the_knee(tmp_path, name):
    assert_as_said(read_motion(write_scene(tmp_path, CASES[name].body)), CASES[name])


@pytest.mark.parametrize(
    ("driver", "motion"),
    [
        (
            'createNode orientConstraint -n "oc" -p "off";\ncreateNode transform -n "ctrl";\n'
            + connect("oc.crx", "off.rx")
            + connect("ctrl.r", "oc.tg[0].tr"),
            key("ctrl.ry"),
        ),
        (
            'createNode someCache -n "cache";\n' + connect("cache.out", "off.rx"),
            connect(":time1.o", "cache.t"),
        ),
    ],
)
def test_a_node_that_moves_turns_a_group(tmp_path, driver, motion):
    still = read_motion(write_scene(tmp_path, OFF + driver))
    assert not [item for item in still.findings if item.rule == BESIDES]
    moving = read_motion(write_scene(tmp_path, OFF + driver + motion))
    assert [item.joint for item in moving.findings if item.rule == BESIDES] == ["knee"]


def test_an_edit_of_a_reference_turns_a_group(tmp_path):
    rig = OFF.split("createNode animCurve")[0]
    write_scene(tmp_path, rig, "rig.ma")
    shot = (
        'file -r -ns "c" -dr 1 -rfn "cRN" -op "v=0;" -typ "mayaAscii" "rig.ma";\n'
        'createNode reference -n "cRN";\n\tsetAttr -s 3 ".phl";\n'
        '\tsetAttr ".ed" -type "dataReferenceEdits" "cRN" "" 0 "cRN" "" 2\n'
        '\t\t5 4 "cRN" "|c:hips|c:off.{}" "cRN.placeHolderList[1]" ""\n'
        '\t\t5 4 "cRN" "|c:hips|c:off|c:knee|c:foot.rotateX" "cRN.placeHolderList[2]" "";\n'
        + curve("a", SWING)
        + connect("a.o", "cRN.phl[1]")
        + curve("b", ((1, 0), (60, 40)))
        + connect("b.o", "cRN.phl[2]")
    )
    turned = read_motion(write_scene(tmp_path, shot.format("rotateX"), "shot.ma"))
    assert [(item.rule, item.joint) for item in turned.findings] == [(BESIDES, "c:knee")]
    moved = read_motion(write_scene(tmp_path, shot.format("translateX"), "shot.ma"))
    assert moved.findings == ()


def test_nothing_is_written_to_such_a_joint(tmp_path):
    body = CASES["group"].body
    scene = write_scene(tmp_path, body, "leg.ma")
    words = ["estimate", str(scene), "--apply", "--lock-unmoved", "--out", str(tmp_path / "out")]
    assert main(words) == 0
    copy = (tmp_path / "out" / "leg.limits.ma").read_text()
    before, after = (text.split('-n "knee"')[1].split("createNode")[0] for text in (body, copy))
    assert after == before
    script = tmp_path / "leg.py"
    words = ["export", str(tmp_path / "out" / "leg.limits.json"), "--to", "python"]
    assert main([*words, "--out", str(script), "--lock-unmoved"]) == 0
    assert "'foot'" in script.read_text().replace('"', "'")
    assert "'knee'" not in script.read_text().replace('"', "'")


def test_a_driven_joint_is_never_locked(tmp_path):
    driven = 'createNode orientConstraint -n "oc" -p "knee";\n' + connect("oc.crx", "knee.rx")
    limit_set = estimate(read_motion(write_scene(tmp_path, leg() + driven)))
    assert limit_set.joints["knee"].type != "fixed"
    assert "knee" not in changes_from_limit_set(limit_set, lock_unmoved=True)


def test_a_clip_with_the_motion_on_the_joint_gives_limits(tmp_path):
    baked = read_motion(write_scene(tmp_path, leg() + key("knee.rx"), "baked.ma"))
    grouped = read_motion(write_scene(tmp_path, CASES["group"].body, "grouped.ma"))
    knee = estimate([baked, grouped]).joints["knee"]
    assert (knee.type, knee.limits["rotateX"].state) == ("hinge", "limited")
    assert any(item.rule == BESIDES for item in knee.findings)
    both = merge(estimate(baked), [estimate(grouped)])
    assert both.joints["knee"].limits["rotateX"].state == "free"


def test_only_groups_turn(tmp_path):
    body = 'createNode joint -n "hips";\n' + group("off") + 'createNode joint -n "knee" -p "off";\n'
    limit_set = estimate(read_motion(write_scene(tmp_path, body + key("off.rx"))))
    with pytest.raises(EstimationError, match=r"knee|off \(transform\)"):
        reject_still_estimate(limit_set)


def test_a_rotate_order_that_changes_keeps_every_pose():
    switched = read_motion(shared_path(f"{REPORTS}/3-keyed-static-attributes/ro_switch.ma"))
    plain = read_motion(shared_path(f"{REPORTS}/3-keyed-static-attributes/ro_noswitch.ma"))
    same = np.abs(np.sum(switched.quaternion("knee") * plain.quaternion("knee"), axis=1))
    np.testing.assert_allclose(same, 1.0, atol=1e-12)
    np.testing.assert_allclose(switched.rotate_deg("knee"), plain.rotate_deg("knee"), atol=1e-4)
    limits = [estimate(motion).joints["knee"].limits for motion in (switched, plain)]
    for channel, axis in limits[1].items():
        assert limits[0][channel].state == axis.state
        assert limits[0][channel].max_deg == pytest.approx(axis.max_deg, abs=1e-4)


@pytest.mark.parametrize("scene", ["opm", "grp_rot"])
def test_scenes_of_the_report(scene, tmp_path, capsys):
    path = shared_path(f"{REPORTS}/2-moved-but-not-by-rotate/{scene}.ma")
    assert main(["estimate", str(path), "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "knee: turned" in " ".join(printed.split())
    joint = json.loads((tmp_path / f"{scene}.limits.json").read_text())["joints"]["knee"]
    assert joint["type"] != "fixed"


WARP = (
    curve("warp", ((1, 1), (61, 31)), "animCurveTT")
    + 'select -ne :time1;\n\tsetAttr ".o" 1;\n\tsetAttr ".etw" {on};\n'
    + connect("warp.o", ":time1.{plug}")
)
KNEE = leg() + key("knee.rx", ((1, 0), (61, 60)))


@pytest.mark.parametrize("plug", ["tw", "twi.twir", "timewarpIn_Raw"])
def test_a_time_warp_is_applied(tmp_path, plug):
    text = KNEE + WARP.format(on="yes", plug=plug)
    motion = read_motion(write_scene(tmp_path, text))
    assert [item.rule for item in motion.findings] == ["time-warp"]
    assert motion.frames[[0, -1]].tolist() == [1.0, 61.0]
    assert motion.rotate_deg("knee")[-1, 0] == pytest.approx(30.0)
    assert motion.rotate_deg("knee")[30, 0] == pytest.approx(15.0)


def test_a_time_warp_that_is_off(tmp_path):
    motion = read_motion(write_scene(tmp_path, KNEE + WARP.format(on="no", plug="tw")))
    assert motion.findings == ()
    assert motion.rotate_deg("knee")[-1, 0] == pytest.approx(60.0)


def test_two_keys_at_one_time(tmp_path):
    text = leg() + key("knee.rx", ((1, 0), (30, 40), (30, 70), (60, 0)))
    motion = read_motion(write_scene(tmp_path, text))
    (found,) = motion.findings
    assert (found.rule, found.joint) == ("keys-at-one-time", "knee")
    assert found.frame_ranges == ((30.0, 30.0),)
    assert estimate(motion).joints["knee"].limits["rotateX"].max_deg == pytest.approx(70.0)
    same = leg() + key("knee.rx", ((1, 0), (30, 40), (30, 40), (60, 0)))
    assert read_motion(write_scene(tmp_path, same)).findings == ()


DOUBLED = ((1, 0), (30, 65), (30, 0), (60, 0))


def test_two_keys_at_one_time_of_what_turns_a_joint(tmp_path):
    motion = read_motion(write_scene(tmp_path, OFF + key("off.rx", DOUBLED)))
    assert [item.rule for item in motion.findings] == ["keys-at-one-time", BESIDES]
    limit_set = estimate(motion)
    assert limit_set.joints["knee"].type != "fixed"
    assert "knee" not in changes_from_limit_set(limit_set, lock_unmoved=True)
    motion = read_motion(write_scene(tmp_path, KNEE + key("knee.jox", DOUBLED)))
    assert "moving-orientation" in {item.rule for item in motion.findings}


@pytest.mark.parametrize(
    "warp",
    [
        'createNode someRetimer -n "ease";\n'
        + WARP.format(on="yes", plug="tw").replace("warp.o", "ease.output"),
        WARP.format(on="no", plug="tw") + key("time1.etw", ((1, 0), (30, 1)), "animCurveTU"),
        'select -ne :time1;\n\tsetAttr ".etw" yes;\n\tsetAttr ".tw" 30;\n',
        (
            curve("warp", ((1, 1), (30, 10), (30, 20)), "animCurveTT")
            + 'select -ne :time1;\n\tsetAttr ".etw" yes;\n'
            + connect("warp.o", ":time1.tw")
        ),
    ],
)
def test_a_time_warp_that_is_not_evaluated_is_named(tmp_path, warp):
    """Only Maya knows it, keys switch it, it is constant, or it has two keys at one time."""
    found = read_motion(write_scene(tmp_path, KNEE + warp)).findings
    assert "not evaluated" in next(item.message for item in found if item.rule == "time-warp")
