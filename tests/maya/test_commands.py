"""The commands: flags in, JSON out, one undo, and errors that say what to do."""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys

import pytest

from jointlimits_core import write_baseline
from jointlimits_core.base.options import option_table, options_of
from jointlimits_core.base.removed import REMOVED
from jointlimits_core.base.version import __version__
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion
from jointlimits_core.limits.limit_set import LimitSet, read_limit_set, write_limit_set
from tests.maya.test_rollback import reject_second_change
from tests.maya_standin import installed
from tests.maya_standin.state import lines_but_modified
from tests.support.house_files import ROOT

SCENE = ROOT / "examples" / "humanoid_rom.ma"
PLUG_IN = ROOT / "plug-ins" / "jointLimits.py"
COMMANDS = (
    "estimateJointLimits",
    "applyJointLimits",
    "mirrorJointLimits",
    "clearJointLimits",
    "switchJointLimits",
    "checkJointLimits",
    "bakeJointLimits",
)
PROJECTING = ("projectJointLimits", "projectKeys")
SKELETON = ("estimateSkeleton",)


@pytest.fixture
def maya(tmp_path, monkeypatch):
    monkeypatch.setenv("MAYA_APP_DIR", str(tmp_path / "app"))
    with installed() as session:
        yield session


@pytest.fixture
def cmds(maya):
    from maya import cmds

    cmds.loadPlugin(str(PLUG_IN))
    cmds.file(str(SCENE), open=True, force=True)
    return cmds


def errors(session):
    return [text for kind, text in session.messages if kind == "error"]


# Registering --------------------------------------------------------------------------------------


def test_the_plug_in_registers_its_commands_and_takes_them_back(maya):
    from maya import cmds

    cmds.loadPlugin(str(PLUG_IN))
    assert set(maya.commands) == {*COMMANDS, *PROJECTING, *SKELETON, "jointLimitsEdit"}
    assert cmds.pluginInfo("jointLimits", query=True, version=True) == __version__
    cmds.unloadPlugin("jointLimits")
    assert not maya.commands


def test_a_name_that_is_taken_leaves_nothing_registered(maya):
    from maya import cmds

    maya.commands["clearJointLimits"] = object()
    with pytest.raises(RuntimeError):
        cmds.loadPlugin(str(PLUG_IN))
    assert set(maya.commands) == {"clearJointLimits"}


WITHOUT_NUMPY = """
import sys
from tests.maya_standin import installed
with installed() as session:
    from maya import cmds
    sys.modules["numpy"] = None
    cmds.loadPlugin({plug_in!r})
    session.scene.create_node("joint", "hip")
    assert "-strictness" in cmds.estimateJointLimits(help=True)
    for call in (
        lambda: cmds.estimateJointLimits("hip"),
        lambda: cmds.applyJointLimits("hip"),
        lambda: cmds.checkJointLimits("hip"),
        lambda: cmds.clearJointLimits("hip"),
    ):
        try:
            call()
        except RuntimeError as error:
            assert "-m pip install" in str(error), error
        else:
            raise AssertionError("ran without numpy")
    print("errors", len([one for one in session.messages if one[0] == "error"]))
"""


@pytest.mark.thorough
def test_without_numpy_the_plug_in_loads_and_commands_say_how_to_install_it(tmp_path, monkeypatch):
    monkeypatch.setenv("MAYA_APP_DIR", str(tmp_path))
    code = WITHOUT_NUMPY.format(plug_in=str(PLUG_IN))
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "errors 4" in run.stdout


# Flags --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        (
            "estimateJointLimits",
            (
                *("estimate", "scene", "time", "evaluation", "rest pose", "result"),
                *("with shapes", "coupled", "answer"),
            ),
        ),
        ("switchJointLimits", ("scene", "evaluation", "switch")),
        ("applyJointLimits", ("scene", "evaluation", "limits", "write", "clamping", "carry over")),
        ("bakeJointLimits", ("scene", "time")),
        ("mirrorJointLimits", ("scene", "mirror", "clamping")),
        ("clearJointLimits", ("scene",)),
        ("checkJointLimits", ("scene", "time", "evaluation", "limits", "check")),
        ("projectJointLimits", ("scene", "limits", "project", "live")),
        ("projectKeys", ("scene", "time", "limits", "project")),
    ],
)
def test_flags_are_those_of_the_option_table(cmds, maya, name, groups):
    declared = {item.maya[:2] for item in options_of(*groups) if item.maya}
    declared |= {item.maya[2:] for item in options_of(*groups) if item.each}
    declared |= {item.former[2:] for item in options_of(*groups) if item.former}
    flags = {(flag.short, flag.long) for flag in maya.commands[name].syntax_creator().flags()}
    assert flags == declared | {("h", "help")}


@pytest.mark.parametrize("name", [*COMMANDS, *PROJECTING, *SKELETON])
def test_help_explains_every_flag_and_shows_examples(cmds, maya, name):
    text = getattr(cmds, name)(help=True)
    former = {flag for item in option_table().values() for flag in item.former}
    assert text.startswith(f"{name}: ")
    assert "Examples" in text
    assert sum(f"cmds.{name}(" in line or f"{name} " in line for line in text.splitlines()) >= 2
    for flag in maya.commands[name].syntax_creator().flags():
        if flag.long not in {"help", *REMOVED, *former}:
            assert f"-{flag.short}/-{flag.long} " in text
    assert name in cmds.help(name)


@pytest.mark.thorough
def test_examples_in_the_help_run(cmds, tmp_path, monkeypatch):
    """Every example in Python, on the humanoid instead of the rig that they are about."""
    monkeypatch.chdir(tmp_path)
    limits = cmds.estimateJointLimits(allJoints=True)
    (tmp_path / "hero.limits.json").write_text(limits, encoding="utf-8")
    cmds.select("Hips")
    names = {"cmds": cmds, "json": json}
    ran = 0
    for name in COMMANDS:
        for line in getattr(cmds, name)(help=True).partition("Examples")[2].splitlines():
            if "cmds." in line or line.strip().startswith("print("):
                exec(line.strip().replace("rig:hips", "Hips"), names)  # noqa: S102
                ran += 1
    assert ran >= 8


# What they do -------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_an_estimate_is_what_the_command_line_says_of_the_same_file(cmds, maya):
    before = lines_but_modified(maya.scene)
    found = LimitSet.from_json(cmds.estimateJointLimits("Hips", strictness="generous"))
    wanted = estimate(read_motion(SCENE), EstimateOptions(strictness="generous"))
    assert found.options["strictness"] == "generous"
    assert list(found.joints) == list(wanted.joints)
    for name, joint in wanted.joints.items():
        assert found.joints[name].type == joint.type
        for channel, limit in joint.limits.items():
            same = found.joints[name].limits[channel]
            assert same.state == limit.state
            assert same.min_deg == pytest.approx(limit.min_deg, abs=1e-9)
            assert same.max_deg == pytest.approx(limit.max_deg, abs=1e-9)
    assert lines_but_modified(maya.scene) == before
    assert not maya.undo_queue.done


def test_a_brief_estimate_returns_where_the_limit_set_is(cmds, maya):
    """Place 13: the Script Editor prints what a command returns."""
    whole = cmds.estimateJointLimits("LeftHip")
    text = cmds.estimateJointLimits("LeftHip", brief=True)
    assert len(text) < 300 < 5000 < len(whole)
    answer = json.loads(text)
    assert answer["character"] == json.loads(whole)["character"]
    assert read_limit_set(answer["path"]).to_json() == whole
    assert json.loads(cmds.applyJointLimits("LeftHip", limits=answer["path"]))["written"]


@pytest.mark.thorough
def test_the_selection_is_the_default(cmds):
    named = cmds.estimateJointLimits("LeftHip")
    cmds.select("LeftHip")
    assert cmds.estimateJointLimits() == named
    assert "RightKnee" not in json.loads(named)["joints"]


@pytest.mark.thorough
def test_every_kind_of_flag_reaches_the_estimate(cmds):
    found = json.loads(
        cmds.estimateJointLimits(
            "Hips",
            samples="50",
            padding=2.5,
            advise=True,
            leaveOut="non-finite,spike",
            timeRange="10:200,300:310/2",
            characterName="hero",
            limitRoot=False,
        )
    )
    assert found["character"] == "hero"
    options = found["options"]
    assert options["samples"] == 50
    assert options["pad_deg"] == 2.5
    assert options["advise"] is True
    assert options["leave_out"] == ["non-finite", "spike"]
    assert options["strictness"] == "lossless"


@pytest.mark.thorough
def test_short_flags_are_the_same(cmds):
    assert cmds.estimateJointLimits("Hips", stc="robust") == cmds.estimateJointLimits(
        "Hips", strictness="robust"
    )


@pytest.mark.thorough
def test_apply_undo_redo_clear(cmds, maya):
    limits = cmds.estimateJointLimits("Hips")
    before, queued = lines_but_modified(maya.scene), len(maya.undo_queue.done)
    result = json.loads(cmds.applyJointLimits("Hips", limits=limits))
    after = lines_but_modified(maya.scene)
    assert "LeftKnee" in result["written"]
    assert after != before
    assert len(maya.undo_queue.done) == queued + 1
    cmds.undo()
    assert lines_but_modified(maya.scene) == before
    cmds.redo()
    assert lines_but_modified(maya.scene) == after
    assert "LeftKnee" in json.loads(cmds.clearJointLimits("Hips"))["restored"]
    assert lines_but_modified(maya.scene) == before
    cmds.undo()
    assert lines_but_modified(maya.scene) == after


@pytest.mark.thorough
@pytest.mark.parametrize("source", ["the latest", "a file", "JSON text"])
def test_limits_come_from_the_given_source(cmds, tmp_path, source):
    limits = cmds.estimateJointLimits("Hips", padding=4)
    path = tmp_path / "l.limits.json"
    write_limit_set(LimitSet.from_json(limits), path)
    if source != "the latest":
        cmds.estimateJointLimits("Hips")
    flags = {"a file": {"limits": str(path)}, "JSON text": {"limits": limits}}.get(source, {})
    cmds.applyJointLimits("Hips", **flags)
    knee = read_limit_set(path).joints["LeftKnee"].limits["rotateZ"]
    applied = json.loads(cmds.applyJointLimits("LeftKnee", query=True))["LeftKnee"]["limits"]
    assert applied["rotateZ"]["min_deg"] == pytest.approx(knee.min_deg, abs=1e-9)
    assert applied["rotateZ"]["max_deg"] == pytest.approx(knee.max_deg, abs=1e-9)


@pytest.mark.thorough
def test_queries(cmds):
    assert cmds.estimateJointLimits("Hips", query=True) == ""
    limits = cmds.estimateJointLimits("Hips")
    assert cmds.estimateJointLimits("Hips", query=True) == limits
    # Any part of the character stands for it.
    assert cmds.estimateJointLimits("LeftAnkle", query=True) == limits
    nothing = json.loads(cmds.applyJointLimits("LeftKnee", query=True))["LeftKnee"]
    assert nothing["record"] is None
    assert nothing["limits"]["rotateX"] == {"min_deg": None, "max_deg": None}
    cmds.applyJointLimits("Hips")
    record = json.loads(cmds.applyJointLimits("LeftKnee", query=True))["LeftKnee"]["record"]
    assert record["character"] == json.loads(limits)["character"]
    assert record["clips"] == [c["name"] for c in json.loads(limits)["clips"]]


@pytest.mark.thorough
def test_values_that_are_queried_do_not_depend_on_the_unit_that_is_shown(cmds):
    cmds.estimateJointLimits("Hips")
    cmds.applyJointLimits("Hips")
    first = cmds.applyJointLimits("LeftKnee", query=True)
    cmds.currentUnit(angle="radian")
    assert cmds.applyJointLimits("LeftKnee", query=True) == first


@pytest.mark.thorough
def test_check(cmds, maya):
    cmds.estimateJointLimits("Hips")
    before = lines_but_modified(maya.scene)
    assert json.loads(cmds.checkJointLimits("Hips"))["passed"]
    # Limits from a part of the motion: the rest of it leaves them.
    part = cmds.estimateJointLimits("Hips", timeRange="1:40")
    result = json.loads(cmds.checkJointLimits("Hips", limits=part, tolerance=0.5))
    assert not result["passed"]
    assert result["tolerance_deg"] == 0.5
    assert result["motions"][0]["file"].endswith("humanoid_rom.ma")
    assert json.loads(cmds.checkJointLimits("Hips", limits=part, timeRange="1:40"))["passed"]
    assert lines_but_modified(maya.scene) == before


@pytest.mark.thorough
def test_a_check_takes_the_rules_of_a_gate(cmds, maya):
    part = cmds.estimateJointLimits("Hips", timeRange="1:40")
    wide = {"limits": part, "tolerance": 60, "forFrames": 30, "allowPercent": 50.0}
    strict = json.loads(cmds.checkJointLimits("Hips", limits=part))["joints"][0]
    passed = json.loads(cmds.checkJointLimits("Hips", **wide, allowPercentOf="*=100"))
    assert passed["passed"]
    assert maya.messages[-1][1].endswith("outside the limits, as the rules allow.")
    assert {one["rule"] for one in passed["joints"]} <= {"for", "allow"}
    place = f"{strict['joint']}.{strict['channel']}.{strict['side']}"
    ends = {"toleranceOf": f"{place}=1", "forFramesOf": f"{place}=1"}
    ends["allowPercentOf"] = f"*=100,{place}=0"
    failed = json.loads(cmds.checkJointLimits("Hips", **wide, **ends))
    assert [one["joint"] for one in failed["joints"] if not one["passed"]] == [strict["joint"]]
    assert failed["rules"]["tolerance"] == f"60,{place}=1"
    assert json.loads(cmds.checkJointLimits("Hips", **wide, **ends, ignore="*"))["passed"]
    with pytest.raises(RuntimeError, match=r"forFrames must be a whole number .*, not 1\.5"):
        cmds.checkJointLimits("Hips", limits=part, forFrames=1.5)
    with pytest.raises(RuntimeError, match="tolerance must name joints of the limits"):
        cmds.checkJointLimits("Hips", limits=part, toleranceOf="nobody=2")


@pytest.mark.thorough
def test_a_check_takes_a_baseline_that_python_wrote(cmds, tmp_path):
    import jointlimits_maya

    part, path = cmds.estimateJointLimits("Hips", timeRange="1:40"), str(tmp_path / "before.json")
    write_baseline(jointlimits_maya.check(part, "Hips", tolerance="0.1,*=2"), path)
    again = json.loads(cmds.checkJointLimits("Hips", limits=part, toleranceOf="*=2", baseline=path))
    assert again["passed"]
    assert {one["rule"] for one in again["joints"]} == {"baseline"}
    assert again["rules"]["baseline"] == path
    with pytest.raises(RuntimeError, match=r"none\.json"):
        cmds.checkJointLimits("Hips", limits=part, baseline="none.json")


@pytest.mark.thorough
def test_a_check_looks_past_limits_that_are_on(cmds):
    part = cmds.estimateJointLimits("Hips", timeRange="1:40")
    off = json.loads(cmds.checkJointLimits("Hips", limits=part))
    cmds.currentTime(20)
    json.loads(cmds.applyJointLimits("Hips", limits=part))
    assert json.loads(cmds.checkJointLimits("Hips", limits=part)) == off


# What cannot be done ------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda c: c.estimateJointLimits(), "nothing is selected; select the root joint"),
        (lambda c: c.estimateJointLimits("nobody"), "'nobody' does not exist"),
        (lambda c: c.estimateJointLimits("persp"), "there are no joints below persp"),
        (lambda c: c.estimateJointLimits("Hips", strictness="loose"), "strictness must be one of"),
        (lambda c: c.estimateJointLimits("Hips", padding=-1), "padding must be a number from 0"),
        (lambda c: c.estimateJointLimits("Hips", samples="few"), "samples must be 'all' or a num"),
        (lambda c: c.estimateJointLimits("Hips", timeRange="9:2"), "is after the end, frame 2"),
        (lambda c: c.estimateJointLimits("Hips", timeRange="soon"), "second frame), not 'soon'"),
        (lambda c: c.estimateJointLimits("Hips", bindFrom="frame:x"), "'x' is not a frame"),
        (lambda c: c.estimateJointLimits("Hips", bindFrom="t-pose"), "not 't-pose'"),
        (lambda c: c.estimateJointLimits("Hips", leaveOut="noise"), "no screening rule 'noise'"),
        (lambda c: c.estimateJointLimits("Hips", keepEdits="none.json"), "none.json"),
        (lambda c: c.applyJointLimits("Hips"), "there is no estimate for these joints yet"),
        (lambda c: c.applyJointLimits("Hips", limits="none.json"), "none.json"),
        (lambda c: c.applyJointLimits("Hips", limits="{}"), "the limits that were given"),
        (lambda c: c.applyJointLimits("Hips", limits="{"), "the limits that were given:1"),
        (lambda c: c.applyJointLimits("Hips", reorient="K"), "reorient must be one of R, C"),
        (lambda c: c.checkJointLimits("Hips", branch="x"), "branch must be one of main, keys"),
        (lambda c: c.clearJointLimits(), "nothing is selected"),
    ],
)
def test_errors_say_what_to_do_and_nothing_changes(cmds, maya, call, expected):
    cmds.select(clear=True)
    before, queued = lines_but_modified(maya.scene), len(maya.undo_queue.done)
    with pytest.raises(RuntimeError, match=re.escape(expected)):
        call(cmds)
    assert expected in errors(maya)[-1]
    assert "Traceback" not in errors(maya)[-1]
    assert (lines_but_modified(maya.scene), len(maya.undo_queue.done)) == (before, queued)


def test_a_flag_or_value_of_the_wrong_type_is_refused_by_maya(cmds):
    with pytest.raises(TypeError):
        cmds.estimateJointLimits("Hips", padding="wide")
    with pytest.raises(TypeError):
        cmds.clearJointLimits("Hips", strictness="robust")


@pytest.mark.thorough
def test_esc_stops_an_estimate_and_changes_nothing(cmds, maya):
    before = lines_but_modified(maya.scene)
    maya.press_escape_after(1)
    with pytest.raises(RuntimeError, match="stopped"):
        cmds.estimateJointLimits("Hips")
    assert lines_but_modified(maya.scene) == before
    assert not maya.interface.progress.running
    assert cmds.estimateJointLimits("Hips", query=True) == ""


def test_the_bar_in_maya_shows_the_remaining_time(maya, monkeypatch):
    from jointlimits_maya.base import host

    class Later(host.TimeLeft):
        """As if it had begun half a minute before."""

        def begin(self, done):
            super().begin(done)
            self._began -= 30.0

    monkeypatch.setattr(host, "TimeLeft", Later)
    with host.scene_progress("Reading") as tell:
        assert tell(0, 4, "reading curves")
        assert tell(2, 4, "playing the scene")
    assert maya.interface.progress.status == "playing the scene, about 30 s left"


@pytest.mark.thorough
def test_a_change_that_maya_rejects_is_rolled_back_and_reported(cmds, maya, monkeypatch):
    limits = cmds.estimateJointLimits("Hips")
    before, queued = lines_but_modified(maya.scene), len(maya.undo_queue.done)
    calls = reject_second_change(monkeypatch)
    with pytest.raises(
        RuntimeError, match="Maya rejected a change, and the scene was restored: no"
    ):
        cmds.applyJointLimits("Hips", limits=limits)
    assert len(calls) == 2
    assert (lines_but_modified(maya.scene), len(maya.undo_queue.done)) == (before, queued)


@pytest.mark.thorough
def test_in_batch_no_progress_bar_is_asked_for():
    with installed(batch=True) as session:
        from maya import cmds

        cmds.loadPlugin(str(PLUG_IN))
        cmds.file(str(SCENE), open=True, force=True)
        assert json.loads(cmds.estimateJointLimits("Hips"))["joints"]
        assert not session.interface.progress.history


# The same from Python -----------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_package_offers_the_same_as_functions(cmds, maya):
    import jointlimits_maya

    limits = jointlimits_maya.estimate(["Hips"], strictness="generous")
    assert limits.to_json() == cmds.estimateJointLimits("Hips", strictness="generous")
    before = lines_but_modified(maya.scene)
    result = jointlimits_maya.apply(limits, ["Hips"])
    assert "LeftKnee" in result.written
    assert jointlimits_maya.check(limits, ["Hips"]).passed
    off = jointlimits_maya.switch_limits(False, ["Hips"])
    assert "LeftKnee" in off.switched
    assert "LeftKnee" in jointlimits_maya.switch_limits(True, ["Hips"]).switched
    jointlimits_maya.clear(["Hips"])
    assert lines_but_modified(maya.scene) == before
    for _ in range(4):
        cmds.undo()
    assert lines_but_modified(maya.scene) == before


def test_every_promised_name_is_there(maya):
    import jointlimits_maya

    assert set(jointlimits_maya.__all__) <= set(dir(jointlimits_maya))
    for name in jointlimits_maya.__all__:
        assert getattr(jointlimits_maya, name) is not None
    with pytest.raises(AttributeError, match="nothing_such"):
        _ = jointlimits_maya.nothing_such


def test_write_options_are_those_of_the_table(maya):
    from jointlimits_maya.write.limits import WriteOptions

    table = {item.name: item.default for item in options_of("write", "clamping")}
    assert {f.name: f.default for f in dataclasses.fields(WriteOptions)} == table
