"""Shelf, menu, icons, userSetup and the module file, as Maya brings them up."""

from __future__ import annotations

import importlib.util
import re
import struct
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.maya_standin import installed
from tests.support.house_files import ROOT
from tests.support.maya_fixtures import lead_here

ICONS = ROOT / "icons"


@pytest.fixture
def module_path(tmp_path, monkeypatch):
    """A modules folder with a file that leads here."""
    modules = tmp_path / "app" / "modules"
    lead_here(modules)
    monkeypatch.setenv("MAYA_APP_DIR", str(tmp_path / "app"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    return modules


@pytest.fixture
def started_maya(module_path):
    with installed() as session:
        session.start_up()
        yield session


def actions():
    from jointlimits_maya.interactive import ACTIONS

    return ACTIONS


def test_the_shelf_has_a_button_for_every_action_that_belongs_there(started_maya):
    buttons = [button.flags for button in started_maya.shelves["JointLimits"]]
    wanted = [action for action in actions() if action.icon]
    labels = [button["label"] for button in buttons]
    assert labels == [action.label for action in wanted]
    promised = ["Estimate", "Apply", "Limits on/off", "Check pose", "Clear", "Results"]
    assert labels == ["Open window", *promised, "Skeleton from selection"]
    for button, action in zip(buttons, wanted):
        assert button["annotation"] == action.tooltip
        assert button["command"] == action.command
        assert button["image"] == action.icon
        assert button["sourceType"] == "python"


def test_the_menu_comes_when_the_window_is_up_and_has_everything_once(started_maya):
    assert not started_maya.interface.controls.get("jointLimitsMenu")
    started_maya.run_deferred()
    from jointlimits_maya import interactive
    from maya import cmds

    items = started_maya.interface.children("jointLimitsMenu")
    assert [item.flags["label"] for item in items] == [action.label for action in actions()]
    assert [item.flags["annotation"] for item in items] == [a.tooltip for a in actions()]
    assert cmds.pluginInfo("jointLimits.py", query=True, loaded=True)
    interactive.build_menu()
    assert len(started_maya.interface.children("jointLimitsMenu")) == len(items)


def test_every_action_is_a_function_that_never_raises(started_maya):
    from jointlimits_maya import interactive

    for action in actions():
        function = getattr(interactive, action.function)
        assert hasattr(function, "__wrapped__"), f"{action.function} is not spoken"


@pytest.mark.thorough
def test_every_button_and_menu_item_can_be_pressed_with_nothing_selected(started_maya):
    started_maya.run_deferred()
    items = started_maya.interface.children("jointLimitsMenu")
    for button in (*started_maya.shelves["JointLimits"], *items):
        # The window has tests of its own, which need Qt.
        if button.flags["label"] != "Open window":
            started_maya.press(button.name)
    assert not started_maya.interface.dialogs
    assert sum("nothing is selected" in text for text in started_maya.interface.in_view) >= 7


def test_without_a_window_user_setup_does_nothing(module_path, capsys):
    with installed(batch=True) as session:
        before = set(sys.modules)
        session.start_up()
        assert not session.interface.deferred
        session.run_deferred()
        assert not session.plugins
        assert not session.interface.controls
        assert not session.messages
        loaded = set(sys.modules) - before
        assert not [name for name in loaded if name.startswith("jointlimits_maya")]
    assert capsys.readouterr() == ("", "")


def test_tooltips_explain_and_are_sentences():
    with installed():
        for action in actions():
            assert action.tooltip.endswith(".")
            assert len(action.tooltip.split()) >= 6
            assert '"' not in action.tooltip


def test_the_shelf_is_not_written_into_the_preferences(started_maya, module_path):
    names = {path.name for path in module_path.parent.rglob("*")}
    assert names == {"modules", "jointLimits.mod"}


# Icons --------------------------------------------------------------------------------------------


def icon_files():
    with installed():
        return [action.icon for action in actions() if action.icon]


def size_of_png(path):
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, _, colours = struct.unpack(">IIBB", data[16:26])
    return width, height, colours


@pytest.mark.parametrize("name", icon_files())
def test_icons_are_there_in_both_sizes_with_a_transparent_ground(name):
    path = ICONS / name
    assert size_of_png(path) == (32, 32, 6)
    assert size_of_png(path.with_name(f"{path.stem}_200.png")) == (64, 64, 6)


def draw_icon(name):
    """The script that draws icons, and the shapes of one."""
    spec = importlib.util.spec_from_file_location("make_icons", ICONS / "make_icons.py")
    script = importlib.util.module_from_spec(spec)
    sys.modules["make_icons"] = script  # dataclasses look there
    spec.loader.exec_module(script)
    return script, script.ICONS[re.fullmatch(r"jointLimits_(\w+)\.png", name)[1]]


@pytest.mark.parametrize("name", icon_files())
def test_every_icon_has_its_source_and_the_script_makes_just_that(name):
    script, shapes = draw_icon(name)
    source = (ICONS / name).with_suffix(".svg").read_text(encoding="utf-8")
    assert script.svg(shapes) == source
    assert ElementTree.fromstring(source).get("viewBox") == "0 0 64 64"


@pytest.mark.thorough
@pytest.mark.parametrize("name", icon_files())
def test_icons_are_what_the_shapes_are_now(name, tmp_path):
    gui = pytest.importorskip("PySide6.QtGui")
    pytest.importorskip("PySide6.QtSvg")
    script, shapes = draw_icon(name)
    script.write_png(shapes, tmp_path / name, 32)
    made, kept = (
        np.array(gui.QImage(str(folder / name)).bits(), dtype=np.float64)
        for folder in (tmp_path, ICONS)
    )
    # Versions of Qt smooth edges a little differently.
    assert np.abs(made - kept).mean() < 0.01 * 255


def test_no_icon_is_left_over():
    known = {Path(name).stem for name in icon_files()}
    stems = {path.stem.replace("_200", "") for path in ICONS.glob("jointLimits_*")}
    assert stems == known


def test_maya_finds_icons_shelf_plug_in_and_packages(started_maya):
    from tests.maya_standin.modules_file import search

    found = started_maya.environment
    assert search(found, "XBMLANGPATH", "jointLimits_apply.png") == ICONS / "jointLimits_apply.png"
    assert search(found, "MAYA_PLUG_IN_PATH", "jointLimits.py")
    assert search(found, "MAYA_SHELF_PATH", "shelf_JointLimits.mel")
    assert search(found, "PYTHONPATH", "jointlimits_core/base/options.json")
    assert search(found, "PYTHONPATH", "jointlimits_maya/limits/api.py")
    assert search(found, "MAYA_SCRIPT_PATH", "userSetup.py")


def test_a_shelf_of_an_older_version_gets_the_buttons_that_it_lacks(started_maya):
    """Place 10: Maya saves a shelf when it quits, and so keeps it as it was."""
    from jointlimits_maya import interactive
    from maya import cmds

    wanted = {button.flags["command"] for button in started_maya.shelves["JointLimits"]}
    first, second, *_ = (button.name for button in started_maya.shelves["JointLimits"])
    cmds.deleteUI(second, control=True)
    own = cmds.shelfButton(parent="JointLimits", label="Mine", command="print(1)")
    for _ in range(2):
        interactive.load_shelf(ROOT / "shelves")
        found = [button.flags["command"] for button in started_maya.shelves["JointLimits"]]
        assert sorted(found) == sorted([*wanted, "print(1)"])
    assert cmds.shelfButton(own, exists=True)
    assert cmds.shelfButton(first, exists=True)
