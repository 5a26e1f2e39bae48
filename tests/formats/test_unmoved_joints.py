"""Joints whose keys never change keep their freedom, unless locks are asked for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jointlimits_core.cli.main import main
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.layers import with_edits
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.limits.ranges import unmoved_joints
from jointlimits_core.limits.records import ArtistEdit
from jointlimits_core.rig.limit_plan import changes_from_limit_set
from tests.support.made_motion import clip, rotate, there_and_back
from tests.support.maya_scenes import connect, curve, write_scene


def swimmer(**more):
    curves = {"leg": rotate(x=there_and_back(-20, 70)), "arm": rotate(x=30.0, y=-12.5)}
    return clip({**curves, **more})


def changed_joints(limit_set, lock_unmoved=False):
    return set(changes_from_limit_set(limit_set, lock_unmoved))


def test_flat_keys_are_no_motion():
    limit_set = estimate(swimmer())
    assert limit_set.joints["arm"].evidence.sure == "no motion"
    assert limit_set.joints["arm"].animated
    assert unmoved_joints(limit_set) == {"arm"}
    assert changed_joints(limit_set) == {"leg"}
    assert changed_joints(limit_set, lock_unmoved=True) == {"leg", "arm"}


@pytest.mark.parametrize("pad", [0.0, 5.0])
def test_a_joint_that_moves_a_little_is_locked_as_before(pad):
    limit_set = estimate(
        swimmer(toe=rotate(x=there_and_back(0, 0.2))), EstimateOptions(pad_deg=pad)
    )
    assert limit_set.joints["toe"].limits["rotateX"].state == "locked"
    assert changed_joints(limit_set) == {"leg", "toe"}


def test_another_constant_in_another_clip_is_motion():
    other = replace(swimmer(arm=rotate(x=31.0, y=-12.5)), name="other")
    assert changed_joints(estimate([swimmer(), other])) == {"leg", "arm"}
    assert changed_joints(estimate([swimmer(), replace(swimmer(), name="other")])) == {"leg"}


def test_quaternions_that_never_change():
    one = clip({"leg": rotate(x=there_and_back(0, 50)), "arm": (10, 20, 30)}, from_source=False)
    assert changed_joints(estimate(one)) == {"leg"}


@pytest.mark.parametrize(
    "edit",
    [ArtistEdit("arm", "state", "rotateX", "locked"), ArtistEdit("arm", "max", "rotateX", 90.0)],
)
def test_what_an_artist_decided_is_written(edit):
    assert changed_joints(with_edits(estimate(swimmer()), [edit])) == {"leg", "arm"}
    note = ArtistEdit("arm", "note", value="waits")
    assert changed_joints(with_edits(estimate(swimmer()), [note])) == {"leg"}


@pytest.mark.parametrize("asked", [False, True])
def test_a_scene_keeps_its_still_joints_free(tmp_path, asked, capsys):
    body = 'createNode joint -n "leg";\ncreateNode joint -n "knee" -p "leg";\n'
    body += 'createNode joint -n "arm" -p "leg";\n'
    moving, flat = [(1, 0), (12, 40), (24, 5)], [(1, 0), (12, 0), (24, 0)]
    for joint, keys in (("leg", moving), ("knee", moving), ("arm", flat)):
        for channel in ("rx", "ry", "rz"):
            name = f"{joint}_{channel}"
            body += curve(name, keys) + connect(f"{name}.o", f"{joint}.{channel}")
    scene = write_scene(tmp_path, body, name="swim.ma")
    more = ["--lock-unmoved"] if asked else []
    out = tmp_path / "out"
    assert main(["estimate", str(scene), "--out", str(out)]) == 0
    limits = out / "swim.limits.json"
    assert LimitSet.from_json(limits.read_text()).joints["arm"].evidence.sure == "no motion"
    copy = tmp_path / "copy.ma"
    words = ["apply", str(limits), str(tmp_path / "swim.ma"), "--out", str(copy), *more]
    assert main(words) == 0
    capsys.readouterr()
    declared = read_motion(copy).skeleton.declarations
    assert declared["knee"].limits_deg["rotateX"][1] == pytest.approx(40.0)
    if asked:
        assert declared["arm"].limits_deg["rotateX"] == (0.0, 0.0)
        assert declared["arm"].dof == "" or not declared["arm"].dof
    else:
        arm = declared.get("arm")
        assert arm is None or not (arm.limits_deg or arm.dof is not None)
    assert np.isfinite(read_motion(copy).rotations).all()
