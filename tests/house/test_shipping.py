"""What is given to people: the zip of the Maya module, the sources, one version."""

from __future__ import annotations

import calendar
import importlib.util
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import jointlimits_core
from tests.house.test_maya_install import installer_of, tree
from tests.maya_standin import installed
from tests.support.house_files import INSTALLER, ROOT, project_files

SPEC = importlib.util.spec_from_file_location("module_zip", ROOT / ".ci" / "module_zip.py")
module_zip = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(module_zip)
main, shipped_files = module_zip.main, module_zip.shipped_files
write_module_zip = module_zip.write_module_zip

VERSION = jointlimits_core.__version__
OURS = ("jointlimits_core", "jointlimits_maya")


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    return write_module_zip(tmp_path_factory.mktemp("dist"))


@pytest.fixture
def modules(archive, tmp_path):
    """An empty folder into which the zip was unpacked."""
    folder = tmp_path / "John Doe" / "modules"
    folder.mkdir(parents=True)
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(folder)
    return folder


@pytest.fixture
def own_packages():
    """Have the packages of the project back after those of the zip were imported."""
    mine = {name: one for name, one in sys.modules.items() if name.startswith(OURS)}
    path = list(sys.path)
    for name in mine:
        del sys.modules[name]
    yield
    for name in [name for name in sys.modules if name.startswith(OURS)]:
        del sys.modules[name]
    sys.modules.update(mine)
    sys.path[:] = path


# --- the zip --------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_unpacked_it_is_what_the_installer_makes(modules, tmp_path):
    install, made = installer_of(ROOT), tmp_path / "made"
    install.install(ROOT, made)
    assert tree(modules) == tree(made)
    # So the installer knows it again, updates it and takes it away.
    assert install.installed(modules) == (VERSION, (modules / "jointLimits").resolve())
    install.install(ROOT, modules)
    assert tree(modules) == tree(made)
    assert install.uninstall(modules)
    assert not tree(modules)


@pytest.mark.thorough
def test_maya_finds_it_and_it_works_alone(modules, monkeypatch, own_packages):
    """The stand-in reads the module file; nothing of the project is on the path."""
    monkeypatch.setenv("MAYA_MODULE_PATH", str(modules))
    monkeypatch.setenv("MAYA_APP_DIR", str(modules.parent / "app"))
    with installed() as session:
        elsewhere = (ROOT, ROOT / "scripts")
        sys.path[:] = [one for one in sys.path if Path(one or ".").resolve() not in elsewhere]
        session.start_up()
        session.run_deferred()
        from maya import cmds

        assert cmds.moduleInfo(listModules=True) == ["jointLimits"]
        assert cmds.moduleInfo(moduleName="jointLimits", version=True) == VERSION
        assert cmds.pluginInfo("jointLimits.py", query=True, loaded=True)
        assert len(session.shelves["JointLimits"]) == 8
        scene = str(ROOT / "examples" / "humanoid_rom.ma")
        cmds.file(scene, open=True, force=True)
        import jointlimits_maya

        limits = jointlimits_maya.estimate(everything=True)
        assert jointlimits_maya.apply(limits, everything=True).written
        used = {name: one.__file__ for name, one in sys.modules.items() if name.startswith(OURS)}
        foreign = {name for name, file in used.items() if not Path(file).is_relative_to(modules)}
        assert len(used) > 50
        assert not foreign


WHOLE = ("jointlimits_core", "scripts", "plug-ins", "shelves", "docs/images", "tests/maya_live")
"""Folders of which everything is in the zip."""
SINGLE = ("module.mod", INSTALLER.name, "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE")
ENDINGS = {
    "docs": (".md",),
    "docs/evidence": (".md",),
    "icons": (".md", ".png", ".svg"),
    "examples": (".ma", ".bvh", ".csv", ".yaml"),
    "examples/blender": (".py",),
    "examples/mujoco": (".py",),
}
"""Folders of which some files are."""


def is_wanted(name):
    folder, _, file = name.rpartition("/")
    if name in SINGLE or name.startswith(tuple(f"{top}/" for top in WHOLE)):
        return True
    return file.endswith(ENDINGS.get(folder, ())) and name != "docs/index.md"


@pytest.mark.thorough
def test_it_has_what_a_user_needs_and_nothing_else(archive):
    with zipfile.ZipFile(archive) as opened:
        names = opened.namelist()
    ours = (path.relative_to(ROOT).as_posix() for path in project_files())
    expected = {f"jointLimits/{name}" for name in ours if is_wanted(name)} | {"jointLimits.mod"}
    assert len(names) == len(set(names))
    assert set(names) == expected
    # Some by name, so that nothing is lost here and there at once.
    for name in (
        "jointlimits_core/base/options.json",
        "docs/artist_guide.md",
        "docs/images/report.png",
        "icons/jointLimits_apply.png",
        "examples/humanoid_rom.ma",
    ):
        assert f"jointLimits/{name}" in expected
    assert any("/for_maya/" in name for name in names)
    unwanted = [
        name
        for name in names
        if re.search(r"make_|conf\.py|\.rst|tests/(?!maya_live/)|__pycache__", name)
    ]
    assert not unwanted


@pytest.mark.thorough
def test_what_the_readme_tries_works_in_the_unpacked_folder(modules):
    root = modules / "jointLimits"
    (words,) = re.findall(r"bin/jointlimits (.+)", (root / "README.md").read_text())
    run = subprocess.run(
        [sys.executable, "-m", "jointlimits_core", *words.split()],
        capture_output=True,
        text=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert run.returncode == 0, run.stderr
    assert (root / "jointlimits-demo" / "walk_and_stretch.limits.html").is_file()


@pytest.mark.thorough
def test_pip_finds_what_the_project_file_names(modules):
    root = modules / "jointLimits"
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    (readme,) = re.findall(r'^readme = "(.+)"', text, flags=re.MULTILINE)
    (licence,) = re.findall(r'^license-files = \["(.+)"\]', text, flags=re.MULTILINE)
    assert (root / readme).is_file()
    assert (root / licence).is_file()
    assert (root / "jointlimits_core" / "base" / "version.py").is_file()


def test_files_that_its_pages_name_are_in_it(modules):
    root = modules / "jointLimits"
    for page in [root / "README.md", *root.glob("docs/**/*.md")]:
        for name in re.findall(r"\bexamples/[\w/]+\.\w+", page.read_text(encoding="utf-8")):
            assert (root / name).is_file(), f"{page.name}: {name}"


def test_links_of_its_pages_lead_to_files_in_it(modules):
    root = modules / "jointLimits"
    for page in [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("*/README.md")]:
        text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#\s]+)", text):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.thorough
def test_the_same_bytes_where_the_time_is_given(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    first = write_module_zip(tmp_path / "a").read_bytes()
    assert write_module_zip(tmp_path / "b").read_bytes() == first
    with zipfile.ZipFile(tmp_path / "a" / f"jointLimits-{VERSION}.zip") as opened:
        assert {entry.date_time[0] for entry in opened.infolist()} == {2026}


def test_without_that_files_have_their_own_time(archive):
    """Else Python would take what it has compiled of an older version for that of a newer one."""
    with zipfile.ZipFile(archive) as opened:
        (entry,) = (one for one in opened.infolist() if one.filename.endswith("/LICENSE"))
        packed = calendar.timegm((*entry.date_time, 0, 0, 0))
        assert abs(packed - (ROOT / "LICENSE").stat().st_mtime) <= 2.0


@pytest.mark.thorough
def test_what_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = write_module_zip(tmp_path)
    before = path.read_bytes()

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", fail)
    with pytest.raises(OSError, match="disk full"):
        write_module_zip(tmp_path)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


@pytest.mark.thorough
def test_the_command_says_where_it_is(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["module_zip", "--out", str(tmp_path)])
    assert main() == 0
    assert Path(capsys.readouterr().out.strip()) == tmp_path / f"jointLimits-{VERSION}.zip"


def test_every_pattern_of_what_is_shipped_finds_something():
    install = installer_of(ROOT)
    assert all(list(ROOT.glob(pattern)) for pattern in install.SHIPPED)
    assert all((ROOT / name).is_file() for name in install.LEFT_OUT)
    assert not {path.relative_to(ROOT).as_posix() for path in shipped_files(ROOT)} & set(
        install.LEFT_OUT
    )


# --- the sources, and the version -----------------------------------------------------------------


def build(kind, folder):
    pytest.importorskip("build")
    pytest.importorskip("setuptools", "77")
    command = [sys.executable, "-m", "build", f"--{kind}", "-nq", "-o", str(folder), str(ROOT)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]


@pytest.mark.slow
def test_the_sources_have_every_file(tmp_path):
    build("sdist", tmp_path)
    with tarfile.open(tmp_path / f"jointlimits-{VERSION}.tar.gz") as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    missing = {path.relative_to(ROOT).as_posix() for path in project_files()} - names
    assert not missing


@pytest.mark.slow
def test_the_wheel_has_the_packages_and_nothing_else(tmp_path):
    build("wheel", tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
    info = f"jointlimits-{VERSION}.dist-info"
    assert {name.split("/")[0] for name in names} == {*OURS, info}
    assert not [name for name in names if "test" in Path(name).name.lower()]
    packages = (path.relative_to(ROOT) for path in project_files())
    core = {path.as_posix() for path in packages if path.parts[0] == "jointlimits_core"}
    assert core - {name for name in core if name.endswith(".md")} <= names


def test_the_newest_changes_are_those_of_this_version():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest, *older = re.findall(r"^## (.+)$", text, flags=re.MULTILINE)
    # What comes after a version gathers under "Unreleased" until the next one.
    assert VERSION in ([newest] if newest != "Unreleased" else older[:1])


@pytest.mark.slow
def test_an_editable_install_is_paths_that_type_checkers_follow(tmp_path):
    code = "import sys, build_backend; print(build_backend.build_editable(sys.argv[1]))"
    command = [sys.executable, "-c", code, str(tmp_path)]
    env = {**os.environ, "PYTHONPATH": str(ROOT / ".ci")}
    subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True)
    (path,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        assert wheel.testzip() is None
        paths = wheel.read("__editable__.jointlimits.pth").decode().splitlines()
        assert not [name for name in wheel.namelist() if name.endswith(".py")]
    assert [Path(one) for one in paths] == [ROOT, ROOT / "scripts"]
    assert (ROOT / "jointlimits_core" / "py.typed").is_file()
