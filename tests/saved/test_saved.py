"""What version 0.1 saved is read, with the same numbers."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import pytest

from jointlimits_core import api
from jointlimits_core.base.findings import Finding
from jointlimits_core.base.options import checked_options
from jointlimits_core.cli.main import main
from jointlimits_core.limits.limit_set import LimitSet
from tests.maya_standin.state import state_lines
from tests.support.house_files import ROOT

SAVED = Path(__file__).parent / "0.1"
SETS = sorted(SAVED.rglob("*.limits.json"))
SEQUENTIAL = SAVED / "shape-kdop-sequential.limits.json"
"""A shape that is no longer offered, and is read as the nearest that is."""
RIGS = {
    "limited": "person",
    "switched_off": "person",
    "replaced": "person",
    "reoriented_r": "shoulder",
    "reoriented_c": "shoulder",
    "projected_live": "shoulder",
}
"""Scenes with limits, and what they were before."""
UUID = re.compile(r"\b[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\b")


def losses(old, new, place=""):
    """Places at which the new data lack something of the old, or have another value."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [one for key in old for one in losses(old[key], new.get(key), f"{place}.{key}")]
    if isinstance(old, list) and isinstance(new, (list, tuple)) and len(old) == len(new):
        pairs = enumerate(zip(old, new))
        return [one for n, (a, b) in pairs for one in losses(a, b, f"{place}[{n}]")]
    return [] if old == new else [f"{place}: {old!r} is now {new!r}"]


def old_and_new(path, folder):
    """Data of a saved limit set, and of the same one, read and saved again."""
    LimitSet.load(path).save(folder / "again.json")
    return [json.loads(one.read_text()) for one in (path, folder / "again.json")]


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.name.partition(".")[0])
def test_a_limit_set_keeps_every_number(path, tmp_path):
    old, new = old_and_new(path, tmp_path)
    assert old.pop("purpose") == ""
    assert "purpose" not in new
    # What to look at is decided anew, by the rules of this version, which also suggests.
    assert {*old.pop("review"), "suggestions"} == {*new["review"]}
    # An orientation was called a frame.
    for part in (*old["joints"].values(), old["options"]):
        if "frame" in part:
            part["orientation"] = part.pop("frame")
    for edit in old["edits"]:
        edit["target"] = {"frame": "orientation"}.get(edit["target"], edit["target"])
    if path == SEQUENTIAL:
        as_it_is_read_today(old)
    assert not losses(old, new)


def as_it_is_read_today(old):
    """Rename the shape that went, and say so, in data of a saved set; its numbers stay."""
    (joint,) = (one for one in old["joints"].values() if one["coupled"])
    assert joint["coupled"]["kind"] == joint["coupled"]["region"]["kind"] == "kdop-sequential"
    joint["coupled"]["kind"] = joint["coupled"]["region"]["kind"] = "kdop"
    message = "its shape, 'kdop-sequential', is read as 'kdop'"
    assert joint["findings"] == []
    joint["findings"] = [Finding("read-as", message, "LeftShoulder").to_dict()]


def test_there_is_a_set_of_every_kind():
    documents = [LimitSet.load(path) for path in SETS]
    joints = [joint for one in documents for joint in one.joints.values()]
    assert {joint.type for joint in joints} >= {"fixed", "hinge", "universal", "ball"}
    saved = [joint["coupled"] for path in SETS for joint in joints_saved_in(path)]
    assert len({shape["kind"] for shape in saved if shape}) >= 9
    assert any(one.dependencies for one in documents)
    assert any(one.edits for one in documents)


def joints_saved_in(path):
    """Data of the joints of a saved limit set."""
    return json.loads(path.read_text())["joints"].values()


@pytest.fixture
def cmds(maya_with_plug_in):
    return importlib.import_module("maya.cmds")


def open_saved(session, cmds, name):
    """State of a saved scene, which is open then."""
    cmds.file(str(SAVED / "maya" / f"{name}.ma"), open=True, force=True)
    return state_of(session)


def state_of(session):
    """All of the scene, but its file and the identities of its nodes."""
    lines = [line for line in state_lines(session.scene) if not line.startswith("file ")]
    return UUID.sub("UUID", "\n".join(lines))


@pytest.mark.parametrize("name", RIGS)
def test_a_record_on_joints_gives_back_what_was_before(name, maya_with_plug_in, cmds):
    before = open_saved(maya_with_plug_in, cmds, RIGS[name])
    assert open_saved(maya_with_plug_in, cmds, name) != before
    if name == "projected_live":
        cmds.projectJointLimits("arm", projectOn=False)
    cmds.clearJointLimits(allJoints=True)
    assert state_of(maya_with_plug_in) == before


def test_a_record_is_known_as_ours(maya_with_plug_in, cmds):
    open_saved(maya_with_plug_in, cmds, "limited")
    knee = json.loads(cmds.applyJointLimits("knee", query=True))
    assert json.loads(cmds.getAttr("knee.jointLimitsProvenance"))["version"] == 1
    assert cmds.getAttr("knee.maxRotXLimit") == pytest.approx(142.0)
    assert knee


def test_limits_that_were_switched_off_go_on_again(maya_with_plug_in, cmds):
    open_saved(maya_with_plug_in, cmds, "switched_off")
    assert not cmds.getAttr("knee.maxRotXLimitEnable")
    cmds.switchJointLimits("root", limitsOn=True)
    assert cmds.getAttr("knee.maxRotXLimitEnable")
    assert cmds.getAttr("knee.maxRotXLimit") == pytest.approx(142.0)


def test_a_projected_joint_stays_inside(maya_with_plug_in, cmds):
    open_saved(maya_with_plug_in, cmds, "projected_live")
    assert cmds.ls(type="jointLimitProject")


def test_the_orientation_by_its_former_names(tmp_path, maya_with_plug_in, cmds):
    """Flag, keyword, manifest option, Maya flag and attribute of version 0.1."""
    scene = ROOT / "examples/humanoid_rom.ma"
    joints = "Hips,LeftKnee"
    wanted = api.estimate(scene, orientation="advised", joints=joints)
    assert {joint.orientation.kind for joint in wanted.joints.values()} == {"own", "advised"}
    assert api.estimate(scene, frame="advised", joints=joints) == wanted
    assert wanted.joints["Hips"].frame == wanted.joints["Hips"].orientation
    flags = ["--frame", "advised", "--joints", joints, "--out", str(tmp_path)]
    assert main(["estimate", str(scene), *flags]) == 0
    written = LimitSet.load(tmp_path / "humanoid_rom.limits.json")
    assert written.options["orientation"] == "advised"
    assert checked_options({"frame": "advised"}, ["estimate"])["orientation"] == "advised"
    with pytest.raises(ValueError, match="frame is the same as the option orientation"):
        checked_options({"frame": "own", "orientation": "advised"}, ["estimate"])
    cmds.file(str(SAVED / "maya" / "person.ma"), open=True, force=True)
    old, new = (
        json.loads(cmds.estimateJointLimits("root", limitRoot=True, **{flag: "advised"}))
        for flag in ("limitFrame", "limitOrientation")
    )
    assert old["joints"] == new["joints"]
