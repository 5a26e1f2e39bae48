"""The stand-in's module files, with the traps of maya.md 4; userSetup.py and shelves."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.maya_standin import modules_file

ROOT = Path(__file__).resolve().parents[2]


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


# --- userSetup and shelves --------------------------------------------------------------------


def test_every_user_setup_runs_without_a_file_of_its_own(maya, folder):
    for name in ("a", "b"):
        write(folder / f"{name}.mod", f"+ {name} 1 {name}\n")
        text = f"assert '__file__' not in globals()\n{name} = __name__\n"
        write(folder / name / "scripts" / "userSetup.py", text)
    maya.start_up()
    assert (maya.main_names["a"], maya.main_names["b"]) == ("__main__", "__main__")


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
