"""Coupled limits from Maya's own command, its functions and its batch."""

from __future__ import annotations

import shutil

import pytest

from jointlimits_core.batch.manifest import read_manifest
from jointlimits_core.batch.motion_files import estimate_entry
from jointlimits_core.estimation.coupled import with_coupled_limits, with_dependencies
from jointlimits_core.limits.limit_set import LimitSet
from jointlimits_core.shapes.coupled_limit import FitOptions
from tests.support.batch_manifests import write_manifest
from tests.support.house_files import ROOT

pytestmark = pytest.mark.thorough

SCENE = ROOT / "examples" / "humanoid_rom.ma"
JOINT = "LeftShoulder"


@pytest.fixture
def cmds(maya_with_plug_in):
    from maya import cmds

    cmds.file(str(SCENE), open=True, force=True)
    return cmds


def test_the_command_gives_shapes_where_it_is_asked_to(cmds):
    from jointlimits_maya.limits import api

    plain = LimitSet.from_json(cmds.estimateJointLimits("Hips"), "plain")
    assert not any(joint.coupled for joint in plain.joints.values())
    text = cmds.estimateJointLimits("Hips", coupled=True, shapeForm="obb", shapePad=5.0)
    found = LimitSet.from_json(text, "with shapes")
    clip = api.read_motion("Hips")
    expected = with_coupled_limits(plain, [clip], "obb", FitOptions(pad_deg=5.0))
    expected = with_dependencies(expected, [clip])
    for name, joint in expected.joints.items():
        assert (found.joints[name].coupled is None) == (joint.coupled is None)
        if joint.coupled is not None:
            assert found.joints[name].coupled.freedom == pytest.approx(joint.coupled.freedom)
    assert found.dependencies == expected.dependencies
    assert (found.joints[JOINT].coupled.kind, found.joints[JOINT].coupled.pad_deg) == ("obb", 5.0)


def test_the_function_takes_names_or_flags_and_feeds_the_projection(cmds):
    import jointlimits_maya

    by_name = jointlimits_maya.estimate("Hips", coupled=True, shape="box", shape_pad_deg=0.0)
    by_flag = jointlimits_maya.estimate("Hips", coupled=True, shapeForm="box", shapePad=0.0)
    for found in (by_name, by_flag):
        assert (found.joints[JOINT].coupled.kind, found.joints[JOINT].coupled.pad_deg) == ("box", 0)
    result = jointlimits_maya.project_live(None, "Hips")
    assert JOINT in result.projected, "the latest estimate is taken"


def test_a_shape_alone_asks_for_nothing(cmds):
    import jointlimits_maya

    found = jointlimits_maya.estimate("Hips", shape="box")
    assert not any(joint.coupled for joint in found.joints.values())


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({"coupled": True, "shapeForm": "ball"}, "shapeForm must be one of hull, "),
        ({"coupled": True, "shapePad": 90.0}, "shapePad must be a number from 0 to less than 90"),
        ({"coupled": True, "mode": "paper"}, "leave the flag mode out"),
    ],
)
def test_what_cannot_be_is_refused_in_flags(cmds, flags, expected):
    with pytest.raises(RuntimeError, match=expected):
        cmds.estimateJointLimits("Hips", **flags)


def test_a_batch_gives_shapes(cmds, tmp_path):
    from jointlimits_maya.batch.__main__ import OPTIONS
    from jointlimits_maya.batch.scene import Scenes

    shutil.copy(SCENE, tmp_path / "ann.ma")
    entry = {"name": "ann", "scene": "ann.ma", "options": {"coupled": True, "shape": "box"}}
    manifest = write_manifest(tmp_path, [entry])
    (character,) = read_manifest(manifest).characters
    found = estimate_entry(Scenes, OPTIONS, character, tmp_path).limit_set
    assert found.joints[JOINT].coupled.kind == "box"
