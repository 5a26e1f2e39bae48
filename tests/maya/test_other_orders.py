"""Limits where they do not belong: in other rotate orders, and on controls of a joint's name."""

from __future__ import annotations

import json

import numpy as np
import pytest

from jointlimits_core.cli.main import main
from jointlimits_core.formats.maya_ascii.reader import read_maya_ascii
from jointlimits_core.geometry import euler
from jointlimits_core.geometry.euler import CHANNELS, ROTATE_ORDERS
from tests.maya_standin.state import lines_but_modified
from tests.support.controlled_rigs import X, Y, Z, chain, keys
from tests.support.driven_rigs import control, keyed
from tests.support.maya_reading import opened_text
from tests.support.maya_scenes import write_scene

BALL = keys("arm", x=X, y=Y, z=Z)
WIDE = keys("arm", x=X, y=Y, z=[(1, -95), (12, 95), (24, 5)])
KINDS = ("joint", "control")


def rig(kind, motion, order="xyz"):
    """An arm, joint or control, with keys and a rotate order."""
    number = f'\tsetAttr ".ro" {ROTATE_ORDERS.index(order)};\n'
    return (chain(number) if kind == "joint" else control("arm", more=number)) + motion


@pytest.fixture
def limits_of(maya, cmds, jointlimits, tmp_path):
    """Limits of an arm of order xyz, measured."""

    def estimate(kind, motion):
        opened_text(maya, tmp_path, rig(kind, motion))
        chosen = {"controls": True} if kind == "control" else {}
        return jointlimits.estimate(everything=True, limit_root=True, **chosen)

    return estimate


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", ["zyx", "yxz"])
def test_a_hinge_keeps_its_limits_in_another_order(
    maya, cmds, jointlimits, tmp_path, limits_of, kind, order
):
    limits = limits_of(kind, keyed("arm"))
    opened_text(maya, tmp_path, rig(kind, keyed("arm"), order))
    done = jointlimits.apply(limits, "arm")
    assert set(done.written) == {"arm"}
    assert cmds.getAttr("arm.maxRotZLimit") == pytest.approx(60.0, abs=1e-3)
    assert cmds.getAttr("arm.maxRotZLimitEnable")


@pytest.mark.parametrize("kind", KINDS)
def test_a_ball_gets_the_box_in_its_own_order_and_its_loss_is_named(
    maya, cmds, jointlimits, tmp_path, limits_of, kind
):
    limits = limits_of(kind, BALL)
    measured = limits["arm"].limits
    opened_text(maya, tmp_path, rig(kind, "", "zyx"))
    done = jointlimits.apply(limits, "arm")
    assert set(done.written) == set(done.boxed) == {"arm"}
    assert done.boxed["arm"].startswith("its limits are for rotate order xyz; converted to its own")
    ends = [[getattr(measured[c], f"{e}_deg") for c in CHANNELS] for e in ("min", "max")]
    poses = np.random.default_rng(1).uniform(*np.radians(ends), (2_000, 3))
    angles = np.degrees(euler.euler_from_quaternion(euler.quaternion_from_euler(poses), "zyx"))
    for column, axis in zip(angles.T, "XYZ"):
        low, high = (cmds.getAttr(f"arm.{end}Rot{axis}Limit") for end in ("min", "max"))
        assert low <= column.min() < low + 3.0
        assert high >= column.max() > high - 3.0
    cmds.undo()
    assert not cmds.getAttr("arm.maxRotXLimitEnable")


@pytest.mark.parametrize("kind", KINDS)
def test_a_ball_is_refused_where_its_order_has_gimbal_lock(
    maya, cmds, jointlimits, tmp_path, limits_of, kind
):
    limits = limits_of(kind, WIDE)
    opened_text(maya, tmp_path, rig(kind, WIDE, "xzy"))
    before = lines_but_modified(maya.scene)
    done = jointlimits.apply(limits, "arm")
    (skipped,) = (one for one in done.skipped if one.joint == "arm")
    assert skipped.reason == "its rotate order xzy reaches gimbal lock within the limits, for xyz"
    assert lines_but_modified(maya.scene) == before


@pytest.mark.parametrize("kind", KINDS)
def test_files_follow_the_same_rule(maya, tmp_path, limits_of, kind, capsys):
    out, path = tmp_path / "new.ma", tmp_path / "limits.json"
    limits_of(kind, WIDE).save(path)
    scene = write_scene(tmp_path, rig(kind, WIDE, "xzy"), "other.ma")
    assert main(["apply", str(path), str(scene), "--out", str(out)]) == 1
    assert "its rotate order xzy reaches gimbal lock within the" in capsys.readouterr().err
    limits_of(kind, BALL).save(path)
    scene = write_scene(tmp_path, rig(kind, "", "zyx"), "other.ma")
    assert main(["apply", str(path), str(scene), "--out", str(out)]) == 0
    assert "arm: its limits are for rotate order xyz; converted to" in capsys.readouterr().out
    limits_of(kind, keyed("arm")).save(path)
    scene = write_scene(tmp_path, rig(kind, keyed("arm"), "zyx"), "other.ma")
    assert main(["apply", str(path), str(scene), "--out", str(out)]) == 0
    declared = read_maya_ascii(out, controls=kind == "control").skeleton.declarations["arm"]
    assert declared.limits_deg["rotateZ"] == pytest.approx((-20.0, 60.0), abs=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_limits_never_go_to_the_other_kind_of_the_same_name(
    maya, cmds, jointlimits, tmp_path, limits_of, kind, capsys
):
    limits, other = limits_of(kind, BALL), KINDS[kind == "joint"]
    opened_text(maya, tmp_path, rig(other, BALL))
    before = lines_but_modified(maya.scene)
    (skipped,) = jointlimits.apply(limits, "arm").skipped
    expected = (
        "a control, and these are limits of joints"
        if kind == "joint"
        else "a joint, and these are limits of controls"
    )
    assert skipped.reason == expected
    assert lines_but_modified(maya.scene) == before
    path, scene = tmp_path / "limits.json", write_scene(tmp_path, rig(other, BALL), "other.ma")
    limits.save(path)
    assert main(["apply", str(path), str(scene), "--out", str(tmp_path / "new.ma")]) == 1
    assert expected in capsys.readouterr().err


def test_limits_carried_over_are_those_of_controls(maya, cmds, jointlimits, tmp_path):
    from tests.support.controlled_rigs import RIGS

    opened_text(maya, tmp_path, RIGS["orient constraint"].body)
    found = jointlimits.limits_on_controls(jointlimits.estimate("hip"), "hip").limits
    assert found.noun == "control"
    assert set(jointlimits.apply(found, "ctl").written) == {"ctl"}
    assert json.loads(found.to_json())["options"]["controls"] is True
    assert np.isclose(cmds.getAttr("ctl.maxRotZLimit"), 60.0)
