"""What the buttons do: the selection in, a message out, and never a traceback at the artist."""

from __future__ import annotations

import json
import subprocess
import sys
import webbrowser
from pathlib import Path
from urllib.request import url2pathname

import pytest

from jointlimits_core.limits.limit_set import read_limit_set
from tests.maya.test_rollback import reject_second_change
from tests.maya_standin import installed
from tests.maya_standin.state import lines_but_modified
from tests.support.house_files import ROOT
from tests.support.maya_fixtures import PLUG_IN, close_log

SCENE = ROOT / "examples" / "humanoid_rom.ma"


@pytest.fixture
def maya(maya_with_plug_in):
    from maya import cmds

    cmds.file(str(SCENE), open=True, force=True)
    cmds.select("Hips")
    return maya_with_plug_in


@pytest.fixture
def buttons(maya):
    from jointlimits_maya import interactive

    return interactive


@pytest.fixture
def opened_addresses(monkeypatch):
    """Addresses that the web browser was asked for."""
    addresses = []
    monkeypatch.setattr(webbrowser, "open", lambda address: addresses.append(address) or True)
    return addresses


def last(session):
    return session.interface.in_view[-1]


def kinds(session):
    return [kind for kind, _ in session.messages]


# The way from Estimate to Clear -------------------------------------------------------------------


@pytest.mark.thorough
def test_estimate_apply_off_on_clear(maya, buttons, capsys, cmds):
    before, beside = lines_but_modified(maya.scene), sorted(SCENE.parent.iterdir())
    assert buttons.estimate()
    queued = len(maya.undo_queue.done)
    assert "Limits found for " in last(maya)
    assert "joints measured, nothing to look at. Apply writes them" in last(maya)
    table = capsys.readouterr().out
    assert "LeftKnee" in table
    assert "Saved to" in table
    assert lines_but_modified(maya.scene) == before
    assert buttons.apply()
    assert last(maya).startswith("Limits written on ")
    applied = lines_but_modified(maya.scene)
    assert applied != before
    assert buttons.toggle_limits()
    assert last(maya).startswith("Limits switched off on ")
    assert buttons.toggle_limits()
    assert last(maya).startswith("Limits switched on on ")
    assert lines_but_modified(maya.scene) == applied
    assert buttons.clear()
    assert "restored to the state before Apply" in last(maya)
    assert lines_but_modified(maya.scene) == before
    assert set(kinds(maya)) == {"info"}
    assert not maya.interface.dialogs
    assert sorted(SCENE.parent.iterdir()) == beside
    assert len(maya.undo_queue.done) == queued + 4
    cmds.undo()
    assert lines_but_modified(maya.scene) == applied


def test_nothing_to_switch_or_clear_is_reported(maya, buttons):
    assert buttons.toggle_limits()
    assert last(maya) == "No limits to switch on: apply limits first."
    assert buttons.clear()
    assert last(maya) == "Nothing to clear: no limits were applied to these joints."


@pytest.mark.thorough
def test_what_is_left_alone_is_reported_with_the_first_reason(maya, buttons, capsys, cmds):
    buttons.estimate()
    cmds.setAttr("LeftKnee.maxRotZLimit", lock=True)
    buttons.apply()
    assert "skipped: LeftKnee.maxRotZLimit (" in last(maya)
    assert kinds(maya)[-1] == "warning"
    assert "skipped: LeftKnee.maxRotZLimit: " in capsys.readouterr().out


# Check pose ---------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_check_pose_looks_at_the_current_frame_only(maya, buttons, cmds):
    buttons.estimate(time="1:40")
    cmds.currentTime(20)
    assert buttons.check_pose()
    assert last(maya) == "Every pose is inside the limits."
    time = maya.scene.time
    far = furthest_frame(maya)
    cmds.currentTime(far)
    buttons.check_pose()
    assert "outside the limits" in last(maya)
    assert f"at frame {far:g}." in last(maya)
    assert kinds(maya)[-1] == "warning"
    assert maya.scene.time != time


@pytest.mark.thorough
def test_check_pose_sees_what_is_posed_and_not_keyed(maya, buttons, cmds):
    buttons.estimate()
    cmds.currentTime(20)
    buttons.check_pose()
    assert last(maya) == "Every pose is inside the limits."
    cmds.setAttr("LeftKnee.rotateZ", 30.0)
    buttons.check_pose()
    assert "1 joint outside the limits, worst at LeftKnee: rotateZ by 30.0" in last(maya)
    assert cmds.getAttr("LeftKnee.rotateZ") == pytest.approx(30.0)


@pytest.mark.thorough
def test_check_pose_looks_past_limits_that_hold_the_joint_back(maya, buttons, cmds):
    buttons.estimate(time="1:40")
    cmds.currentTime(furthest_frame(maya))
    buttons.check_pose()
    off = last(maya)
    assert "outside the limits" in off
    cmds.currentTime(20)
    maya.answer("Apply all")
    assert buttons.apply()
    cmds.currentTime(furthest_frame(maya))
    before = lines_but_modified(maya.scene)
    buttons.check_pose()
    assert last(maya) == off
    assert lines_but_modified(maya.scene) == before


def furthest_frame(session):
    """A frame at which a joint is outside of what was estimated last."""
    from maya import cmds

    result = json.loads(cmds.checkJointLimits("Hips"))
    return result["motions"][0]["violations"][0]["worst_frame"]


@pytest.mark.thorough
def test_check_animation_looks_at_the_playback_range(maya, buttons, cmds):
    buttons.estimate(time="1:40")
    cmds.playbackOptions(minTime=1, maxTime=40)
    buttons.check_animation()
    assert last(maya) == "Every pose is inside the limits."
    cmds.playbackOptions(maxTime=900)
    buttons.check_animation()
    assert "outside the limits" in last(maya)


# What is kept between the buttons -----------------------------------------------------------------


@pytest.mark.thorough
def test_the_estimate_is_kept_as_a_file_and_found_again_after_a_restart(maya, buttons, tmp_path):
    from jointlimits_maya.scene import estimates

    buttons.estimate()
    (path,) = (tmp_path / "app" / "jointLimits" / "estimates").iterdir()
    assert path.name.startswith("humanoid_rom.Hips.")
    assert "LeftKnee" in read_limit_set(path).joints
    estimates._memory.clear()
    assert buttons.apply()
    assert last(maya).startswith("Limits written on ")


@pytest.mark.thorough
def test_another_scene_with_the_same_names_has_no_estimate(maya, buttons, tmp_path, cmds):
    buttons.estimate()
    other = tmp_path / "other.ma"
    other.write_bytes(SCENE.read_bytes())
    cmds.file(str(other), open=True, force=True)
    cmds.select("Hips")
    assert not buttons.apply()
    assert "there is no estimate for these joints yet" in last(maya)


@pytest.mark.thorough
def test_a_damaged_file_is_reported_and_a_new_estimate_mends_it(maya, buttons, tmp_path):
    from jointlimits_maya.scene import estimates

    buttons.estimate()
    (path,) = (tmp_path / "app" / "jointLimits" / "estimates").iterdir()
    path.write_text("{", encoding="utf-8")
    estimates._memory.clear()
    assert not buttons.apply()
    assert path.name in last(maya)
    assert buttons.estimate()
    assert buttons.apply()


@pytest.mark.thorough
def test_two_characters_at_a_time_are_kept_apart(maya, buttons, cmds):
    maya.scene.create_node("joint", "tail")
    buttons.estimate()
    cmds.select("tail")
    assert not buttons.apply()
    assert "there is no estimate" in last(maya)
    cmds.select("LeftHip")
    assert buttons.apply()


# Results ------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_results_opens_a_page_with_pictures(maya, buttons, opened_addresses, cmds):
    cmds.select("LeftHip")
    buttons.estimate()
    before = lines_but_modified(maya.scene)
    assert buttons.show_results()
    (address,) = opened_addresses
    assert address.startswith("file:///")
    assert address.endswith(".html")
    page = Path(url2pathname(address[len("file://") :]))
    assert "LeftKnee" in page.read_text(encoding="utf-8")
    assert lines_but_modified(maya.scene) == before


# What goes wrong ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        ([], "nothing is selected; select the root joint of a character"),
        (["persp"], "there are no joints below persp"),
    ],
)
def test_a_selection_that_is_no_use_is_a_sentence(maya, buttons, select, expected, cmds):
    cmds.select(clear=True)
    if select:
        cmds.select(select)
    before = lines_but_modified(maya.scene)
    for action in ("estimate", "apply", "toggle_limits", "check_pose", "clear", "show_results"):
        assert getattr(buttons, action)() is False
        assert expected in last(maya)
        assert kinds(maya)[-1] == "error"
    assert lines_but_modified(maya.scene) == before
    assert not maya.interface.dialogs


@pytest.mark.thorough
def test_esc_stops_and_nothing_is_kept(maya, buttons, tmp_path):
    maya.press_escape_after(1)
    assert not buttons.estimate()
    assert last(maya) == "Stopped; nothing was changed."
    assert not maya.interface.progress.running
    assert not (tmp_path / "app" / "jointLimits" / "estimates").exists()


def test_a_failure_that_is_ours_is_a_question_and_the_details_are_in_the_log(
    maya, buttons, opened_addresses, monkeypatch, capsys
):
    from jointlimits_maya.base import host
    from jointlimits_maya.limits import api

    def broken(*_, **__):
        raise ZeroDivisionError("a mistake")

    monkeypatch.setattr(api.estimate, "plan", broken)
    maya.answer("Close", "Open log")
    assert not buttons.estimate()
    message = maya.interface.dialogs[-1]["message"]
    assert "ZeroDivisionError: a mistake" in message
    assert str(host.log_path()) in message
    assert "Traceback" not in message
    written = host.log_path().read_text(encoding="utf-8")
    assert "estimate failed" in written
    assert "Traceback" in written
    assert not buttons.estimate()
    assert opened_addresses == [host.log_path().resolve().as_uri()]
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.thorough
def test_maya_refusing_a_change_leaves_the_scene_as_it_was(maya, buttons, monkeypatch):
    buttons.estimate()
    before = lines_but_modified(maya.scene)
    calls = reject_second_change(monkeypatch)
    assert not buttons.apply()
    assert len(calls) == 2
    assert last(maya).startswith(
        "Maya rejected a change, and the scene was restored: no. Check for"
    )
    assert kinds(maya)[-1] == "error"
    assert not maya.interface.dialogs
    assert lines_but_modified(maya.scene) == before


@pytest.mark.thorough
def test_a_log_that_cannot_be_written_is_no_failure(maya, buttons, tmp_path, cmds):
    (tmp_path / "app").mkdir(exist_ok=True)
    (tmp_path / "app" / "jointLimits").write_text("a file where the folder should be")

    cmds.select(clear=True)
    assert not buttons.estimate()
    assert "nothing is selected" in last(maya)


def test_open_log_with_nothing_in_it_is_reported(maya, buttons, opened_addresses):
    assert buttons.open_log()
    assert last(maya) == "The log is empty: nothing has failed yet."
    assert not opened_addresses


def test_names_with_html_are_shown_as_they_are(maya, buttons):
    from jointlimits_maya.base import host

    host.info("a < b & c\nd")
    assert last(maya) == "a &lt; b &amp; c<br>d"
    assert maya.messages[-1] == ("info", "Joint Limits: a < b & c d")


def test_numpy_that_is_missing_is_offered_and_is_no_traceback(maya, buttons, monkeypatch):
    from jointlimits_maya.base import host
    from jointlimits_maya.limits import api

    def broken(*_, **__):
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")

    monkeypatch.setattr(api.estimate, "plan", broken)
    monkeypatch.setattr(host, "is_numpy_installed", lambda: False)
    maya.answer("Not now")
    assert not buttons.estimate()
    dialog = maya.interface.dialogs[-1]
    assert dialog["buttons"] == ["Install it now", "Not now"]
    assert host.command_line() in dialog["message"]


def test_without_a_window_messages_go_to_the_script_editor_only(tmp_path, monkeypatch):
    monkeypatch.setenv("MAYA_APP_DIR", str(tmp_path))
    with installed(batch=True) as session:
        from jointlimits_maya import interactive

        assert not interactive.estimate()
        assert not session.interface.in_view
        assert "nothing is selected" in session.messages[-1][1]
        close_log()


WITHOUT_NUMPY = """
import sys
from tests.maya_standin import installed
with installed() as session:
    sys.modules["numpy"] = None
    from jointlimits_maya import interactive
    assert interactive.start()
    session.scene.create_node("joint", "hip")
    for action in ("estimate", "apply", "toggle_limits", "check_pose", "clear", "show_results"):
        session.answer("Not now")
        assert not getattr(interactive, action)(), action
    assert all("-m pip install" in dialog["message"] for dialog in session.interface.dialogs)
    print("offered", len(session.interface.dialogs), [k for k, _ in session.messages])
"""


@pytest.mark.thorough
def test_without_numpy_the_menu_comes_and_every_button_offers_it(tmp_path, monkeypatch):
    monkeypatch.setenv("MAYA_APP_DIR", str(tmp_path))
    monkeypatch.setenv("MAYA_PLUG_IN_PATH", str(PLUG_IN.parent))
    code = [sys.executable, "-c", WITHOUT_NUMPY]
    run = subprocess.run(code, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    assert lines[-1] == "offered 6 []"
    assert all("-m pip install" in line for line in lines[:-1])
