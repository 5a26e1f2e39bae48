"""The installer: copied or linked, loaded at once, and nothing of others is ever touched."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path

import pytest

import jointlimits_core
from tests.maya_standin import installed
from tests.maya_standin.dropping import drop
from tests.support.house_files import INSTALLER, ROOT

VERSION = jointlimits_core.__version__


@pytest.fixture
def app(tmp_path):
    folder = tmp_path / "John Doe" / "maya"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture(autouse=True)
def own_packages():
    """Have the packages of the project back after the installer forgot them."""
    mine = {name: one for name, one in sys.modules.items() if name.startswith("jointlimits_core")}
    yield
    for name in list(sys.modules):
        if name.startswith(("jointlimits_core", "jointlimits_maya")):
            del sys.modules[name]
    sys.modules.update(mine)


@pytest.fixture
def session(app, monkeypatch):
    monkeypatch.setenv("MAYA_APP_DIR", str(app))
    monkeypatch.setenv("MAYA_LOCATION", str(app.parent / "program"))
    with installed() as running:
        yield running


@pytest.fixture
def batch(app, monkeypatch):
    monkeypatch.setenv("MAYA_APP_DIR", str(app))
    with installed(batch=True) as running:
        yield running


@pytest.fixture
def download(tmp_path):
    """A folder with what is shipped, and what is not."""
    folder = tmp_path / "download"
    (folder / "tests").mkdir(parents=True)
    for source in (path for pattern in SHIPPED for path in ROOT.glob(pattern)):
        place = folder / source.relative_to(ROOT)
        place.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, place)
        else:
            shutil.copy2(source, place)
    return folder


@pytest.fixture
def install(download):
    return installer_of(download)


@pytest.fixture
def modules(tmp_path):
    return tmp_path / "modules"


def installer_of(folder):
    """The module, without Maya's commands: for what it does with files."""
    with installed():
        return import_installer(folder)


def import_installer(folder):
    """The module as Maya imports what is dropped into a viewport."""
    spec = importlib.util.spec_from_file_location(INSTALLER.stem, folder / INSTALLER.name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SHIPPED = installer_of(ROOT).SHIPPED


def tree(folder):
    """Every file below a folder with its bytes."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def with_version(download, version):
    lines = (download / "module.mod").read_text().splitlines()
    lines[0] = f"+ jointLimits {version} ."
    (download / "module.mod").write_text("\n".join(lines) + "\n")
    return download


# Files --------------------------------------------------------------------------------------------


def test_a_copy_has_what_is_shipped_and_a_module_file_that_maya_reads(download, install, modules):
    target = install.install(download, modules)
    assert target == modules / "jointLimits"
    shipped = tree(target)
    for name in (
        "jointlimits_core/base/options.json",
        "plug-ins/jointLimits.py",
        "scripts/userSetup.py",
    ):
        assert shipped[name] == (ROOT / name).read_bytes()
    tests = {name for name in shipped if name.startswith("tests/")}
    assert tests == {name for name in tests if name.startswith("tests/maya_live/")} != set()
    assert not any("__pycache__" in name for name in shipped)
    lines = (modules / "jointLimits.mod").read_text().splitlines()
    assert lines[0] == f"+ jointLimits {VERSION} jointLimits"
    assert lines[1:] == (ROOT / "module.mod").read_text().splitlines()[1:]
    assert install.installed(modules) == (VERSION, target.resolve())
    assert sorted(path.name for path in modules.iterdir()) == ["jointLimits", "jointLimits.mod"]


@pytest.mark.thorough
def test_a_link_copies_nothing(download, install, modules):
    before = tree(download)
    assert install.install(download, modules, link=True) == download
    assert tree(download) == before
    assert [path.name for path in modules.iterdir()] == ["jointLimits.mod"]
    assert install.installed(modules) == (VERSION, download.resolve())
    assert install.uninstall(modules)
    assert tree(download) == before
    assert not list(modules.iterdir())


@pytest.mark.thorough
def test_installing_twice_is_the_same_and_an_update_leaves_nothing_of_the_old(
    download, install, modules
):
    install.install(download, modules)
    first = tree(modules)
    (modules / "jointLimits" / "scripts" / "gone.py").write_text("")
    install.install(download, modules)
    assert tree(modules) == first


def test_uninstalling_leaves_what_is_not_ours(download, install, modules):
    modules.mkdir()
    (modules / "other.mod").write_text("+ other 1.0 .\n")
    install.install(download, modules)
    assert install.uninstall(modules)
    assert tree(modules) == {"other.mod": b"+ other 1.0 .\n"}
    assert not install.uninstall(modules)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("jointLimits.mod", "+ somethingElse 1.0 .\n", "is not part of Joint Limits"),
        ("jointLimits.mod", "", "is not part of Joint Limits"),
        ("jointLimits.mod", "+ jointLimits 99.0.0 elsewhere\n", "newer"),
        ("jointLimits/notes.txt", "mine", "is not part of Joint Limits"),
        ("module.mod", "+ jointLimits 0.0.1 /studio\n", "also declares a module jointLimits"),
        (
            "studio.txt",
            "+ MAYAVERSION:2025 jointLimits 1 x\n",
            "also declares a module jointLimits",
        ),
    ],
)
def test_what_is_foreign_or_newer_is_not_touched(download, name, text, expected, install, modules):
    (modules / name).parent.mkdir(parents=True)
    (modules / name).write_text(text)
    before = tree(modules)
    with pytest.raises(install.InstallError, match=expected):
        install.install(download, modules)
    assert tree(modules) == before


@pytest.mark.thorough
def test_older_versions_are_replaced_by_number_not_by_letters(download, modules):
    install = installer_of(with_version(download, "0.9.0"))
    install.install(download, modules)
    install.install(with_version(download, "0.10.0"), modules)
    with pytest.raises(install.InstallError, match=r"0\.10\.0 is installed, which is newer"):
        install.install(with_version(download, "0.9.0"), modules)


@pytest.mark.thorough
@pytest.mark.parametrize("fails", ["copytree", "copy2", "replace"])
def test_what_fails_leaves_everything_as_it_was(download, monkeypatch, fails, install, modules):
    install.install(download, modules)
    before = tree(modules)
    newer = with_version(download, "50.0.0")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    owner = Path if fails == "replace" else shutil
    monkeypatch.setattr(owner, fails, full)
    with pytest.raises(OSError, match="No space left"):
        install.install(newer, modules)
    monkeypatch.undo()
    assert tree(modules) == before
    assert sorted(path.name for path in modules.iterdir()) == ["jointLimits", "jointLimits.mod"]


@pytest.mark.thorough
def test_the_installed_copy_does_not_install_itself(download, install, modules):
    target = install.install(download, modules)
    with pytest.raises(install.InstallError, match="the installed module itself"):
        install.install(target, modules)
    assert (target / "module.mod").is_file()


def test_a_folder_without_the_module_is_refused(tmp_path):
    install = installer_of(ROOT)
    with pytest.raises(install.InstallError, match="unpack the whole download"):
        install.install(tmp_path, tmp_path / "modules")
    assert not (tmp_path / "modules").exists()


# Dropped into Maya --------------------------------------------------------------------------------


@pytest.mark.thorough
def test_dropping_it_installs_and_loads_everything_at_once(session, app, download):
    session.answer("Install", "OK")
    import_installer(download).onMayaDroppedPythonFile("ignored")
    assert session.interface.dialogs[0]["buttons"] == ["Install", "Link", "Cancel"]
    assert "installed" in session.interface.dialogs[1]["message"]
    from maya import cmds

    assert cmds.pluginInfo("jointLimits.py", query=True, loaded=True)
    assert cmds.menu("jointLimitsMenu", exists=True)
    assert session.shelves["JointLimits"][0].flags["label"] == "Open window"
    assert cmds.moduleInfo(moduleName="jointLimits", path=True) == str(app / "modules/jointLimits")
    import jointlimits_maya

    assert Path(jointlimits_maya.__file__).is_relative_to(app)
    assert cmds.estimateJointLimits(help=True).startswith("estimateJointLimits:")


@pytest.mark.thorough
def test_dropping_it_again_updates_and_uninstalls(session, app, download):
    session.answer("Install", "OK", "Update", "OK", "Uninstall", "OK")
    install = import_installer(download)
    for _ in range(3):
        install.onMayaDroppedPythonFile()
    assert session.interface.dialogs[2]["buttons"] == ["Update", "Uninstall", "Cancel"]
    assert "uninstalled" in session.interface.dialogs[-1]["message"]
    from maya import cmds

    assert not cmds.pluginInfo("jointLimits.py", query=True, loaded=True)
    assert not cmds.menu("jointLimitsMenu", exists=True)
    assert not session.shelves
    assert not list((app / "modules").iterdir())


@pytest.mark.thorough
def test_an_update_does_not_take_away_the_undo_queue(session, app, download):
    session.answer("Install", "OK", "Update", "OK")
    install = import_installer(download)
    install.onMayaDroppedPythonFile()
    from maya import cmds

    session.scene.create_node("joint", "hip")
    use_the_plug_in()
    install.onMayaDroppedPythonFile()
    assert "Restart Maya" in session.interface.dialogs[-1]["message"]
    assert cmds.pluginInfo("jointLimits.py", query=True, loaded=True)


def use_the_plug_in():
    """Leave a command of the plug-in on the undo queue."""
    import maya.api.OpenMaya as om
    from jointlimits_maya.scene import undo
    from jointlimits_maya.scene.edit import SceneEdit
    from jointlimits_maya.scene.joints import chosen_joints

    edit = SceneEdit("test")
    node = chosen_joints(everything=True)[0].node()
    edit.set(om.MFnDependencyNode(node).findPlug("minRotXLimitEnable", False), True)
    undo.run(edit)


@pytest.fixture
def search_path(monkeypatch):
    """A sys.path of its own, without the folders of this checkout."""
    here = {str(ROOT), str(ROOT / "scripts")}
    monkeypatch.setattr(sys, "path", [one for one in sys.path if one not in here])
    yield sys.path
    sys.modules.pop(INSTALLER.stem, None)


@pytest.mark.thorough
def test_a_newer_file_dropped_in_the_same_session_installs_its_own_version(
    session, app, download, tmp_path, search_path
):
    newer = with_version(shutil.copytree(download, tmp_path / "newer"), "9.9.9")
    session.answer("Install", "OK", "Update", "OK")
    before = list(search_path)
    for folder in (download, newer):
        drop(folder / INSTALLER.name)
        import jointlimits_maya

        assert Path(jointlimits_maya.__file__).is_relative_to(app)
        copy = app / "modules" / "jointLimits"
        assert sys.path == [str(copy / "scripts"), str(copy), *before]
    assert (app / "modules/jointLimits.mod").read_text().startswith("+ jointLimits 9.9.9 ")
    assert "installed" in session.interface.dialogs[-1]["message"]


@pytest.mark.thorough
def test_a_linked_folder_stays_on_the_search_path_after_the_drop(session, download, search_path):
    session.answer("Link", "OK")
    before = list(search_path)
    drop(download / INSTALLER.name)
    assert sys.path == [str(download / "scripts"), str(download), *before]


@pytest.mark.thorough
def test_uninstalling_takes_its_folders_off_the_search_path(session, download, search_path):
    session.answer("Install", "OK", "Uninstall", "OK")
    before = list(search_path)
    for _ in range(2):
        drop(download / INSTALLER.name)
    assert sys.path == before


@pytest.mark.thorough
@pytest.mark.parametrize("count", [0, 3])
def test_removing_the_shelf_leaves_every_other_tab_as_it_was(session, app, download, count):
    """Maya looks tabs up by their number: those behind move up, as in its deleteShelfTab."""
    session.option_vars.update(tabs("Polygons", "Animation"))
    session.answer("Install", "OK", "Uninstall", "OK")
    install = import_installer(download)
    install.onMayaDroppedPythonFile()
    assert session.option_vars["shelfName3"] == "JointLimits"
    later = [f"Own{number}" for number in range(count)]
    session.option_vars.update(tabs("Polygons", "Animation", "JointLimits", *later))
    install.onMayaDroppedPythonFile()
    found = {name: one for name, one in session.option_vars.items() if "hel" in name}
    assert found == tabs("Polygons", "Animation", *later)


def tabs(*names):
    """Preferences of shelves: a name, a file and a state by the number of each tab."""
    found = {"numShelves": len(names)}
    for number, name in enumerate(names, 1):
        found.update({f"shelfName{number}": name, f"shelfFile{number}": f"shelf_{name}"})
        found[f"shelfLoad{number}"] = int(name != "Own1")
    return found


def test_cancel_changes_nothing(session, app, download):
    session.answer("Cancel")
    import_installer(download).onMayaDroppedPythonFile()
    assert not (app / "modules").exists()
    assert not session.shelves


def test_what_is_in_the_way_is_shown_in_a_dialog(session, app, download):
    (app / "modules").mkdir()
    (app / "modules" / "jointLimits.mod").write_text("+ foreign 1.0 .\n")
    session.answer("Install", "OK")
    import_installer(download).onMayaDroppedPythonFile()
    message = session.interface.dialogs[-1]["message"]
    assert message.startswith("Nothing was changed: ")
    assert "is not part of Joint Limits; move it away first." in message


@pytest.mark.thorough
def test_without_a_window_it_installs_without_asking(batch, app, download, capsys):
    import_installer(download).onMayaDroppedPythonFile()
    assert "is installed" in capsys.readouterr().out
    assert (app / "modules" / "jointLimits.mod").is_file()


@pytest.mark.thorough
def test_after_a_restart_maya_finds_all_of_it(app, download, monkeypatch):
    installer_of(download).install(download, app / "modules")
    monkeypatch.setenv("MAYA_APP_DIR", str(app))
    with installed() as restarted:
        sys.path[:] = [folder for folder in sys.path if Path(folder or ".").resolve() != ROOT]
        restarted.start_up()
        restarted.run_deferred()
        from maya import cmds

        assert cmds.pluginInfo("jointLimits.py", query=True, loaded=True)
        assert cmds.menu("jointLimitsMenu", exists=True)
        assert len(restarted.shelves["JointLimits"]) == 8


# numpy --------------------------------------------------------------------------------------------


def fake_mayapy(app, body):
    path = app.parent / "program" / "bin" / "mayapy"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def numpy_missing(session, monkeypatch):
    from jointlimits_maya.base import host

    monkeypatch.setattr(host, "is_numpy_installed", lambda: False)
    return host


@pytest.mark.parametrize(
    ("python", "wanted"), [((3, 9), "numpy<2"), ((3, 11), "numpy<2"), ((3, 13), "numpy")]
)
def test_numpy_below_2_where_the_qt_binding_needs_it(session, monkeypatch, python, wanted):
    from jointlimits_maya.base import host

    monkeypatch.setattr(sys, "version_info", python)
    assert host.requirement() == wanted
    assert ("built against" in host.advice()) == (wanted == "numpy<2")


def test_the_command_is_for_this_maya_and_this_user(session, app):
    from jointlimits_maya.base import host

    words = host.command()
    assert words[0] == str(app.parent / "program" / "bin" / "mayapy")
    assert words[1:5] == ["-m", "pip", "install", "--target"]
    assert words[5] == str(app / "2025" / "scripts" / "site-packages")
    # A folder with a blank in its name is quoted.
    assert f'"{words[5]}"' in host.command_line()


@pytest.mark.skipif(os.name == "nt", reason="the stand-in of mayapy is a shell script")
def test_the_button_runs_it(session, app, numpy_missing):
    from jointlimits_maya import interactive

    fake_mayapy(app, f'printf "%s\\n" "$@" > "{app}/asked"')
    session.answer("Install it now")
    assert interactive.offer_numpy()
    asked = (app / "asked").read_text().splitlines()
    assert asked[:3] == ["-m", "pip", "install"]
    assert asked[-1] == numpy_missing.requirement()
    assert "numpy is installed" in session.interface.in_view[-1]


@pytest.mark.skipif(os.name == "nt", reason="the stand-in of mayapy is a shell script")
def test_what_pip_says_is_shown_when_it_fails(session, app, numpy_missing):
    from jointlimits_maya import interactive

    fake_mayapy(app, "echo no network; exit 3")
    session.answer("Install it now", "Close")
    assert not interactive.offer_numpy()
    assert "no network" in session.interface.dialogs[-1]["message"]
    session.answer("Not now")
    assert not interactive.offer_numpy()


def test_a_maya_without_its_python_is_reported(session, numpy_missing):
    from jointlimits_maya import interactive

    session.answer("Install it now", "Close")
    assert not interactive.offer_numpy()
    assert "No such file" in session.interface.dialogs[-1]["message"]
