"""What Maya's editors show: runtime commands for hotkeys, the Attribute Editor's section."""

from __future__ import annotations

import pytest

from tests.maya_standin import installed
from tests.support.house_files import ROOT
from tests.support.maya_open_scenes import open_changed, state
from tests.support.maya_scenes import ELBOW, write_scene

PLUG_IN = ROOT / "plug-ins" / "jointLimits.py"


@pytest.fixture
def loaded(cmds):
    cmds.loadPlugin(str(PLUG_IN))
    return cmds


@pytest.fixture
def editors(maya):
    return maya.interface.editors


# Hotkeys ------------------------------------------------------------------------------------------


def test_every_menu_item_has_a_runtime_command_with_its_words(loaded, maya, editors):
    from jointlimits_maya.interactive import ACTIONS

    found = editors.runtime_commands
    assert list(found) == [action.runtime_command for action in ACTIONS]
    assert list(found)[:2] == ["jointLimitsOpenWindow", "jointLimitsEstimate"]
    for action in ACTIONS:
        one = found[action.runtime_command]
        assert (one["label"], one["annotation"]) == (action.label, action.tooltip)
        assert (one["command"], one["commandLanguage"]) == (action.command, "python")
        assert (one["category"], one["default"]) == ("Joint Limits", True)
    assert not maya.undo_queue.done


def test_they_go_with_the_plug_in_and_come_back_once(loaded, maya, editors):
    from jointlimits_maya import interactive

    before = dict(editors.runtime_commands)
    interactive.add_editors()
    assert editors.runtime_commands == before
    assert loaded.callbacks(listCallbacks=True, hook=HOOK, owner=OWNER) is not None
    loaded.unloadPlugin("jointLimits")
    assert not editors.runtime_commands
    assert loaded.callbacks(listCallbacks=True, hook=HOOK, owner=OWNER) is None
    loaded.loadPlugin(str(PLUG_IN))
    assert editors.runtime_commands == before
    assert len(loaded.callbacks(listCallbacks=True, hook=HOOK, owner=OWNER)) == 1
    assert not maya.undo_queue.done


HOOK, OWNER = "AETemplateCustomContent", "jointLimits"


def test_without_a_window_there_are_none(tmp_path, monkeypatch):
    monkeypatch.setenv("MAYA_APP_DIR", str(tmp_path))
    with installed(batch=True) as session:
        from maya import cmds

        cmds.loadPlugin(str(PLUG_IN))
        assert not session.interface.editors.runtime_commands
        cmds.unloadPlugin("jointLimits")


# The Attribute Editor -----------------------------------------------------------------------------


def test_the_section_shows_the_limits_and_changes_nothing(loaded, maya, editors, tmp_path):
    open_changed(maya, write_scene(tmp_path, ELBOW))
    before = state(maya)
    (text,) = editors.show_joint(maya, "elbow")
    assert text.splitlines() == [
        "X: no limit",
        "Y: no limit",
        "Z: 0.0° to 143.5°",
        "Not written by Joint Limits.",
        "",
        "No estimate yet.",
    ]
    assert editors.template[0] == {"beginLayout": "Joint Limits", "collapse": True}
    assert state(maya) == before
    assert not maya.undo_queue.done


def test_other_nodes_have_no_section(loaded, maya, editors):
    loaded.createNode("transform", name="group")
    assert editors.show_joint(maya, "group") == []
    assert not editors.template


def test_controls_have_the_section(loaded, maya, editors):
    loaded.createNode("transform", name="ctl")
    loaded.createNode("nurbsCurve", name="ctlShape", parent="ctl")
    (text,) = editors.show_joint(maya, "ctl")
    assert text.startswith("X: no limit")


def applied(cmds, jointlimits):
    """Limits on a leg of the humanoid, from an estimate."""
    cmds.file(str(ROOT / "examples" / "humanoid_rom.ma"), open=True, force=True)
    jointlimits.apply(jointlimits.estimate("LeftHip"), "LeftHip")


def test_type_evidence_record_and_estimate(loaded, jointlimits, maya, editors):
    applied(loaded, jointlimits)
    (text,) = editors.show_joint(maya, "LeftKnee")
    lines = text.splitlines()
    assert lines[2] == "Z: \N{MINUS SIGN}136.7° to 0.0°"
    assert lines[3] == "Written for humanoid_rom, from humanoid_rom."
    hinge = "\N{MINUS SIGN}140.0° to 0.0°, 12.8° off Z"
    assert lines[5] == f"Last estimate: hinge, {hinge}, sure (501 poses)"
    assert lines[-2] == "    min: may be wider; reached once, and turned back there"
    jointlimits.switch_limits(False, "LeftHip")
    (text,) = editors.show_joint(maya, "LeftKnee")
    assert "0.0°, switched off" in text


def test_the_text_names_what_cannot_be_read(loaded, jointlimits):
    from jointlimits_maya.window.attribute_editor import joint_text

    applied(loaded, jointlimits)
    assert joint_text("nothing").startswith("Not known: ")
    loaded.setAttr("LeftKnee.jointLimitsProvenance", "broken", type="string")
    assert "another version or edited by hand" in joint_text("LeftKnee")
