"""Writing into scenes: where the copy goes, failures, and real scenes."""

from __future__ import annotations

import difflib
import os
import re
import stat
from contextlib import contextmanager

import pytest

from jointlimits_core.base.errors import MayaAsciiError
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.maya_ascii import edits as edits_module
from jointlimits_core.formats.maya_ascii.edits import Edit, write_edited
from jointlimits_core.formats.maya_ascii.scene_file import SceneFile
from jointlimits_core.formats.maya_ascii.writer import apply_limit_set, write_joint_attributes
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.io.input import source_file
from jointlimits_core.rig.limit_plan import JointChange
from tests.support.house_files import ROOT
from tests.support.maya_writing import KNEE, SCENE, lines_added, switch, triple
from tests.support.shared_data import shared_path

# Where the copy goes.


def test_inputs_are_never_written_over(tmp_path):
    scene = tmp_path / "scene.ma"
    scene.write_text(SCENE)
    link, hard = tmp_path / "link.ma", tmp_path / "hard.ma"
    link.symlink_to(scene)
    os.link(scene, hard)
    (tmp_path / "folder").symlink_to(tmp_path)
    for target in (scene, link, hard, tmp_path / "folder" / "scene.ma"):
        with pytest.raises(MayaAsciiError, match="the scene itself"):
            write_joint_attributes(scene, target, {"elbow": KNEE})
    assert scene.read_text() == SCENE
    with pytest.raises(MayaAsciiError, match=r"directory; give the path of a new \.ma"):
        write_joint_attributes(scene, tmp_path, {})
    with pytest.raises(MayaAsciiError, match="cannot be written"):
        write_joint_attributes(scene, scene / "out.ma", {})


def test_nothing_is_left_when_writing_fails(tmp_path, monkeypatch):
    scene = tmp_path / "scene.ma"
    scene.write_text(SCENE)

    output = edits_module.atomic_output

    def fail_with(problem):
        @contextmanager
        def failing(target):
            with output(target):
                raise problem
            yield

        monkeypatch.setattr(edits_module, "atomic_output", failing)

    fail_with(OSError(28, "No space left on device"))
    with pytest.raises(MayaAsciiError, match="No space left"):
        write_joint_attributes(scene, tmp_path / "out.ma", {"elbow": KNEE})
    fail_with(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        write_joint_attributes(scene, tmp_path / "out.ma", {"elbow": KNEE})
    assert [path.name for path in tmp_path.iterdir()] == ["scene.ma"]


def test_a_read_only_scene_gives_a_writable_copy(tmp_path):
    scene = tmp_path / "scene.ma"
    scene.write_text(SCENE)
    scene.chmod(0o444)
    write_joint_attributes(scene, tmp_path / "out.ma", {})
    assert stat.S_IMODE((tmp_path / "out.ma").stat().st_mode) == 0o644


@pytest.mark.parametrize("content", [b"", b"FOR4....", b"\0\1\2", b"hello", b'//Maya ASCII\nx "'])
def test_bad_scenes_give_named_errors(tmp_path, content):
    scene = tmp_path / "scene.ma"
    scene.write_bytes(content)
    with pytest.raises(MayaAsciiError):
        write_joint_attributes(scene, tmp_path / "out.ma", {"elbow": KNEE})
    with pytest.raises(MayaAsciiError):
        write_joint_attributes(tmp_path / "none.ma", tmp_path / "out.ma", {})
    assert [path.name for path in tmp_path.iterdir()] == ["scene.ma"]


def test_edits_replace_ranges_in_any_order(tmp_path):
    data = bytes(range(256)) * 3
    changes = [Edit(700, 700, b"Z"), Edit(0, 0, b"A"), Edit(5, 9, b""), Edit(0, 2, b"B")]
    write_edited(data, str(tmp_path / "b"), changes)
    expected = b"AB" + data[2:5] + data[9:700] + b"Z" + data[700:]
    assert (tmp_path / "b").read_bytes() == expected
    with pytest.raises(ValueError, match="overlap"):
        write_edited(data, str(tmp_path / "c"), [Edit(0, 3, b""), Edit(2, 4, b"")])


def test_a_scene_is_opened_once_and_refused_if_it_changed_since(tmp_path, monkeypatch):
    path, opened, system_open = tmp_path / "scene.ma", [], os.open
    path.write_text(SCENE)

    def note_opened(name, *arguments, **more):
        opened.append(name)
        return system_open(name, *arguments, **more)

    monkeypatch.setattr(os, "open", note_opened)
    file = SceneFile(path)
    motion = read_motion(file)
    report = write_joint_attributes(file, tmp_path / "out.ma", {"elbow": KNEE})
    assert opened.count(str(path)) == 1
    assert motion.source == source_file(path)
    assert report.written
    path.write_text(SCENE + "// saved again")
    with pytest.raises(MayaAsciiError, match="the scene changed since it was read; try again"):
        write_joint_attributes(file, tmp_path / "later.ma", {"elbow": KNEE})
    assert not (tmp_path / "later.ma").exists()


# Real scenes.

REAL = [
    "mayausd/UsdExportSkeleton.ma",
    "mayausd/UsdExportSkeletonSegfaultTest.ma",
    "nlol/nlol_rig_unreal_skeleton.ma",
    "nlol/nlol_tentacle_skeleton.ma",
    "red9/MetaRig_baseTests.ma",
    "vtool/vtool_human_structure.ma",
    "mgear/MOCAP_interface_01.ma",
    "maya2gltf/ComplexAnim1.ma",
]
LIMIT_LINE = re.compile(
    r'^[+-] \s*setAttr (-\S+ \S+ )*"\.(mnrl|mxrl|[mx]r[xyz]e|jt[xyz]|pa|minRot\w+|maxRot\w+)" '
)


@pytest.mark.thorough
def test_joints_whose_limits_use_another_orientation_are_left_out(tmp_path):
    scene = ROOT / "examples" / "humanoid_rom.ma"
    limit_set = estimate(read_motion(scene), EstimateOptions(orientation="advised"))
    advised = {name for name, one in limit_set.joints.items() if one.orientation.kind == "advised"}
    report = apply_limit_set(limit_set, scene, tmp_path / "out.ma")
    assert advised
    assert {one.joint for one in report.skipped} >= advised
    assert not advised & set(report.written)
    assert all("in Maya" in one.advice for one in report.skipped if one.joint in advised)


@pytest.mark.thorough
@pytest.mark.parametrize("name", REAL)
def test_real_scenes_differ_in_joint_attributes_only(tmp_path, name):
    scene = shared_path(f"data/maya/{name}")
    original = scene.read_bytes().decode("utf-8", "surrogateescape")
    joints = re.findall(r'^createNode joint (?:-n|-name) "([^"]+)"', original, re.M)
    once = [joint for joint in joints if joints.count(joint) == 1]
    change = JointChange(
        {"rotateX": (-1 / 3, 1 / 7), "rotateY": (None, None), "rotateZ": (None, 12.5)},
        {"jointTypeY": False},
        (0.25, 0.0, 0.0),
    )
    changes = dict.fromkeys(once, change)
    # Joints of some scenes follow controls.
    asked = {"may_move": True, "enable_driven": True}
    report = write_joint_attributes(scene, tmp_path / "out.ma", changes, **asked)
    text = (tmp_path / "out.ma").read_bytes().decode("utf-8", "surrogateescape")
    assert set(report.written) == set(once)
    assert report.skipped == ()
    before, after = original.split("\n"), text.split("\n")
    moved = list(difflib.unified_diff(before, after, n=0, lineterm=""))[2:]
    moved = [line[0] + " " + line[1:] for line in moved if line[0] in "+-"]
    assert moved
    assert [line for line in moved if not LIMIT_LINE.match(line)] == []
    for joint in once:
        low = triple(text, joint, "mnrl", "minRotLimit")
        high = triple(text, joint, "mxrl", "maxRotLimit")
        assert low[0] == pytest.approx(-1 / 3, abs=1e-9)
        assert (high[0], high[2]) == pytest.approx((1 / 7, 12.5), abs=1e-9)
        assert switch(text, joint, "mrxe") == switch(text, joint, "xrze") == "yes"
        assert switch(text, joint, "mrze") in (None, "no")
        assert switch(text, joint, "jty") == "no"
    write_joint_attributes(tmp_path / "out.ma", tmp_path / "twice.ma", changes, **asked)
    assert (tmp_path / "twice.ma").read_bytes() == (tmp_path / "out.ma").read_bytes()


@pytest.mark.thorough
def test_a_real_record_of_reference_edits(tmp_path):
    """The rig of this scene is not at hand: a stand-in with one joint under a known path."""
    scene = shared_path("data/maya/referenced/rhino_anim_001.ma")
    original = scene.read_bytes()
    (tmp_path / "rhino_rig_001.ma").write_text(
        '//Maya ASCII 2022 scene\nrequires maya "2022";\ncreateNode transform -n "rig_grp";\n'
        'createNode joint -n "hip" -p "rig_grp";\n'
    )
    (tmp_path / "shot.ma").write_bytes(original)
    report = write_joint_attributes(
        tmp_path / "shot.ma",
        tmp_path / "out.ma",
        {"rhino_rig_030:hip": JointChange({"rotateX": (-5, 5)})},
    )
    assert list(report.written) == ["rhino_rig_030:hip"]
    lines = lines_added(original.decode(), (tmp_path / "out.ma").read_bytes().decode())
    assert [line for line in lines if "RN" in line][:2] == [
        '- \t\t"rhino_rig_029RN" 182\n',
        '+ \t\t"rhino_rig_029RN" 186\n',
    ]
    assert sum('2 "|rhino_rig_030:rig_grp|rhino_rig_030:hip"' in line for line in lines) == 4
