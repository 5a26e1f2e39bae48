"""The stand-in's module files, with the traps of maya.md 4; userSetup.py and shelves."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.maya_standin import NotModelledError, installed, modules_file

ROOT = Path(__file__).resolve().parents[2]
SHELF = """// A comment.
global proc shelf_Tools () {
    global string $gBuffStr;
    shelfButton
        -label "Say" -annotation "a \\"word\\"" -image "say.png" -style "iconOnly"
        -sourceType "python" -command "greeting = 'hello'" -width 35 -enable 1
    ; /* another; */
    shelfButton -label "Undo" -command "undo";
}
"""


@pytest.fixture
def folder(tmp_path, maya):
    """A folder for module files, on the module path of a fresh Maya."""
    place = tmp_path / "modules"
    place.mkdir()
    maya.environment["MAYA_MODULE_PATH"] = str(place)
    maya.environment.pop("MAYA_APP_DIR", None)
    return place


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def entries(folder, text, version=2025):
    return modules_file.module_entries(write(folder / "a.mod", text), version)


# --- entries ----------------------------------------------------------------------------------


def test_an_entry_has_name_version_root_and_lines(folder):
    (entry,) = entries(folder, "+ tools 1.2 ../code\nPYTHONPATH+:=.\nA = b\n")
    assert (entry.name, entry.version) == ("tools", "1.2")
    assert entry.root == folder.parent / "code"
    assert entry.lines == ["PYTHONPATH+:=.", "A = b"]


@pytest.mark.parametrize("trap", ["", "   ", "# why", "  # why"])
def test_a_blank_line_or_a_comment_ends_an_entry(folder, trap):
    text = f"+ tools 1 .\nA=b\n{trap}\nLOST=1\n+ other 1 .\nKEPT=1\n"
    first, second = entries(folder, text)
    assert first.lines == ["A=b"]
    assert first.dropped == ["LOST=1"]
    assert second.lines == ["KEPT=1"]


def test_entries_for_another_maya_are_passed_over_with_their_lines(folder):
    text = "+ MAYAVERSION:2024 tools 1 old\nA=old\n"
    text += "+ MAYAVERSION:2025 PLATFORM:linux tools 1 new\nA=new\n"
    (entry,) = entries(folder, text)
    assert entry.root.name == "new"
    assert entry.lines == ["A=new"]


def test_lines_before_the_first_entry_mean_nothing(folder):
    assert entries(folder, "# About\n\nNAME=value\n") == []


def test_what_maya_does_with_a_broken_entry_is_not_modelled(folder):
    with pytest.raises(NotModelledError, match="not modelled"):
        entries(folder, "+ tools\n")


def test_a_text_file_of_any_name_is_read_and_a_binary_one_is_not(maya, folder):
    write(folder / "README.md", "# Notes\n\n+ plus one more\n")
    (folder / "picture.png").write_bytes(b"\0+ no 1 .\n")
    assert set(modules_file.scan(maya.environment, 2025)) == {"plus"}


# --- what loading does ------------------------------------------------------------------------


def test_standard_folders_are_on_their_paths_and_shelves_are_not(maya, folder):
    from maya import cmds

    write(folder / "a.mod", "+ tools 1 tools\n")
    assert cmds.loadModule(scan=True) == ["tools"]
    assert cmds.loadModule(allModules=True) == ["tools"]
    root, environment = folder / "tools", maya.environment
    assert environment["MAYA_PLUG_IN_PATH"].endswith(os.path.join(root, "plug-ins"))
    assert environment["XBMLANGPATH"].endswith(os.path.join(root, "icons"))
    # Scripts are on both paths although the folder is not there.
    assert environment["MAYA_SCRIPT_PATH"].endswith(os.path.join(root, "scripts"))
    assert os.path.join(root, "scripts") in sys.path
    assert "MAYA_SHELF_PATH" not in environment


def test_operators_and_overridden_folders(maya, folder):
    write(
        folder / "a.mod",
        "+ tools 1 tools\n[r] scripts: python\n"
        "PLAIN=text\nREL:=here\nROOT:=\nLIST+=one\nLIST+:=two\n",
    )
    maya.start_up()
    environment, root = maya.environment, folder / "tools"
    assert environment["PLAIN"] == "text"
    assert environment["REL"] == str(root / "here")
    assert environment["ROOT"] == f"{root}/"
    assert environment["LIST"] == os.pathsep + "one" + os.pathsep + str(root / "two")
    assert str(root / "python") in sys.path
    assert str(root / "scripts") not in sys.path


def test_the_python_path_is_as_before_when_the_session_ends(tmp_path):
    before = list(sys.path)
    write(tmp_path / "a.mod", "+ tools 1 .\nPYTHONPATH+:=packages\n")
    with installed() as session:
        session.environment["MAYA_MODULE_PATH"] = str(tmp_path)
        session.start_up()
        assert str(tmp_path / "packages") in sys.path
    assert sys.path == before


def test_modules_can_be_asked_about(maya, folder):
    from maya import cmds

    path = write(folder / "a.mod", "+ tools 3.1 tools\n")
    maya.start_up()
    assert cmds.moduleInfo(listModules=True) == ["tools"]
    assert cmds.moduleInfo(moduleName="tools", path=True) == str(folder / "tools")
    assert cmds.moduleInfo(moduleName="tools", version=True) == "3.1"
    assert cmds.moduleInfo(moduleName="tools", definition=True) == str(path)
    with pytest.raises(RuntimeError, match="no module other"):
        cmds.moduleInfo(moduleName="other", path=True)
    assert cmds.loadModule(scan=True) is None


def test_two_modules_of_one_name_are_not_modelled(maya, folder):
    write(folder / "a.mod", "+ tools 1 a\n")
    write(folder / "b.mod", "+ tools 2 b\n")
    with pytest.raises(NotModelledError, match="two modules"):
        maya.start_up()


# --- userSetup and shelves --------------------------------------------------------------------


def test_every_user_setup_runs_without_a_file_of_its_own(maya, folder):
    for name in ("a", "b"):
        write(folder / f"{name}.mod", f"+ {name} 1 {name}\n")
        text = f"assert '__file__' not in globals()\n{name} = __name__\n"
        write(folder / name / "scripts" / "userSetup.py", text)
    maya.start_up()
    assert (maya.main_names["a"], maya.main_names["b"]) == ("__main__", "__main__")


def test_a_module_that_is_loaded_later_runs_no_user_setup(maya, folder):
    from maya import cmds

    write(folder / "a.mod", "+ a 1 a\n")
    write(folder / "a" / "scripts" / "userSetup.py", "raise RuntimeError('ran')\n")
    cmds.loadModule(scan=True)
    cmds.loadModule(allModules=True)


def test_shelves_are_found_and_their_buttons_run(maya, folder):
    write(folder / "a.mod", "+ a 1 a\nMAYA_SHELF_PATH+:=shelves\n")
    write(folder / "a" / "shelves" / "shelf_Tools.mel", SHELF)
    maya.start_up()
    say, undo = maya.shelves["Tools"]
    assert say.flags["annotation"] == 'a "word"'
    assert say.flags["image"] == "say.png"
    maya.press("Say")
    assert maya.main_names["greeting"] == "hello"
    # MEL is what a button's command is unless stated otherwise.
    assert undo.flags["sourceType"] == "mel"
    from maya import cmds

    cmds.createNode("transform", name="hand")
    maya.press("Undo")
    assert not cmds.objExists("hand")


def test_without_a_window_there_are_no_shelves(tmp_path):
    write(tmp_path / "a.mod", "+ a 1 a\nMAYA_SHELF_PATH+:=shelves\n")
    write(tmp_path / "a" / "shelves" / "shelf_Tools.mel", SHELF)
    with installed(batch=True) as session:
        session.environment["MAYA_MODULE_PATH"] = str(tmp_path)
        session.start_up()
        assert session.shelves == {}


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (SHELF.replace("shelf_Tools", "shelf_Other"), RuntimeError),
        (SHELF.replace('"undo";', '"undo"'), RuntimeError),
        (SHELF.replace("-width 35", "-notAFlag 35"), NotModelledError),
        (SHELF.replace('shelfButton -label "Undo"', 'separator -label "Undo"'), NotModelledError),
    ],
    ids=["other procedure", "no semicolon", "unknown flag", "other command"],
)
def test_a_shelf_that_maya_would_not_understand_is_refused(maya, folder, text, error):
    write(folder / "a.mod", "+ a 1 a\nMAYA_SHELF_PATH+:=shelves\n")
    write(folder / "a" / "shelves" / "shelf_Tools.mel", text)
    with pytest.raises(error):
        maya.start_up()


def test_a_shelf_can_be_shown_later_and_only_once(maya, tmp_path):
    from maya import cmds, mel

    path = write(tmp_path / "shelf_Tools.mel", SHELF).as_posix()
    mel.eval(f'loadNewShelf "{path}"')
    assert [button.flags["label"] for button in maya.shelves["Tools"]] == ["Say", "Undo"]
    mel.eval(f'loadNewShelf "{path}"')
    assert len(maya.shelves["Tools"]) == 2
    cmds.deleteUI("Tools", layout=True)
    assert maya.shelves == {}


# --- the module of this project ---------------------------------------------------------------


def test_this_project_is_a_module_that_comes_up_whole(maya):
    maya.environment["MAYA_MODULE_PATH"] = str(ROOT)
    maya.environment.pop("MAYA_APP_DIR", None)
    maya.start_up()
    assert maya.modules_loaded == ["jointLimits"]
    assert not any(entry.dropped for entry in maya.modules_found.values())
    assert str(ROOT) in sys.path
    buttons = maya.shelves["JointLimits"]
    assert buttons
    for button in buttons:
        icon = modules_file.search(maya.environment, "XBMLANGPATH", button.flags["image"])
        assert icon is not None, button.flags["image"]
    assert modules_file.search(maya.environment, "MAYA_PLUG_IN_PATH", "jointLimits.py")
