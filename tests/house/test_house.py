"""What a machine can check of how the project is kept."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import jointlimits_core
from tests.house.budgets import Budget, budgets_before, lines_by_folder, lower_budgets, read_budgets
from tests.support.house_files import (
    ADAPTER,
    PACKAGE,
    ROOT,
    maya_modules,
    package_modules,
    project_files,
    syntax_tree,
)

MAX_FILE_LINES = 600
BINARY = {".png", ".gif", ".npz"}
# Written so that this file does not hold what it looks for.
MACHINE_PATHS = re.compile(r"(?<![\w.:~])/(?:work|root|home|Users)/\w|[A-Z]:\\+Users\\")
MODULES = [*package_modules(), *maya_modules()]


def text_files() -> Iterator[tuple[Path, str]]:
    for path in project_files():
        if path.suffix not in BINARY:
            yield path, path.read_text(encoding="utf-8")


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


# --- one version ------------------------------------------------------------------------------


def test_the_version_is_written_once():
    version = re.escape(jointlimits_core.__version__)
    quoted = re.compile(rf"[\"']{version}[\"']")
    found = [
        str(path.relative_to(ROOT))
        for path, text in text_files()
        if path.suffix in {".py", ".toml"} and quoted.search(text)
    ]
    assert found == [str(Path("jointlimits_core/base/version.py"))]
    assert "jointlimits_core.base.version.__version__" in read("pyproject.toml")


# --- the core imports numpy and nothing else ----------------------------------------------------

IMPORTED = """
import importlib, json, pkgutil, sys
import jointlimits_core
if {every}:
    for item in pkgutil.walk_packages(jointlimits_core.__path__, "jointlimits_core."):
        if not item.name.endswith("__main__"):
            importlib.import_module(item.name)
print(json.dumps(sorted({{name.partition(".")[0] for name in sys.modules}})))
"""


@pytest.mark.thorough
@pytest.mark.parametrize("every", [False, True], ids=["the package", "every module of it"])
def test_importing_the_core_brings_in_neither_maya_nor_qt_nor_scipy(every):
    command = [sys.executable, "-c", IMPORTED.format(every=every)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(json.loads(run.stdout))
    foreign = {"maya", "pymel", "PySide2", "PySide6", "shiboken2", "shiboken6", "Qt", "PyQt5"}
    assert ("numpy" in loaded) is every  # the package alone can be imported where there is none
    assert not loaded & (foreign | {"scipy", "jsonschema", "pytest"})


# --- what no module may do, besides the rules of ruff -----------------------------------------

EXCEPTIONS = {
    PACKAGE / "batch" / "run.py",
    PACKAGE / "batch" / "workers.py",
    PACKAGE / "cli" / "main.py",
    ADAPTER / "base" / "host.py",
    ADAPTER / "scene" / "edit.py",
    ADAPTER / "ui" / "actions" / "desk.py",
    ADAPTER / "ui" / "document" / "worker.py",
}
"""One unforeseen failure stops no other character, and no artist's work; two start processes."""


def test_only_these_modules_catch_everything_or_start_processes():
    noted = re.compile(r"# noqa: (BLE|TID|S\d)")
    assert {path for path in MODULES if noted.search(path.read_text("utf-8"))} <= EXCEPTIONS


@pytest.mark.thorough
def test_no_text_is_run_as_code():
    nodes = [(path, node) for path in MODULES for node in ast.walk(syntax_tree(path))]
    names = {(path, node.id) for path, node in nodes if isinstance(node, ast.Name)}
    assert not {(path, name) for path, name in names if name in ("compile", "__import__")}


# --- size ------------------------------------------------------------------------


def test_files_stay_readable():
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert not {path: length for path, length in lengths.items() if length > MAX_FILE_LINES}


def test_no_folder_exceeds_its_budget():
    """Raise one in budgets.txt, with the reason, in the commit that needs it."""
    budgets, now = read_budgets(), lines_by_folder()
    assert not {folder: count for folder, count in now.items() if folder not in budgets}
    assert not {
        folder: f"{now.get(folder, 0)} lines, budget {budget.lines}"
        for folder, budget in budgets.items()
        if not 0 < now.get(folder, 0) <= budget.lines
    }


def test_a_larger_budget_has_a_reason():
    before = budgets_before()
    assert not [
        folder
        for folder, budget in read_budgets().items()
        if folder in before
        and budget.lines > before[folder].lines
        and budget.reason in ("", before[folder].reason)
    ]


def test_budgets_are_only_lower_budgets():
    old = {"a": Budget(100, "x"), "b": Budget(100, "y"), "gone": Budget(9, "")}
    now = {"a": 30, "b": 500, "new": 70}
    assert lower_budgets(old, now) == {"a": Budget(50, "x"), "b": Budget(100, "y")}


# --- documents ----------------------------------------------------------------------------------


def test_pages_name_only_files_that_exist():
    """Paths and file names in backticks; those of an example's own files are left out."""
    names = {path.name for path in project_files()}
    whole = {path.relative_to(ROOT).as_posix() for path in project_files()}
    missing = []
    for page in [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "CONTRIBUTING.md"]:
        for name in re.findall(r"`([\w./-]+\.py)`", page.read_text(encoding="utf-8")):
            name = name.replace("jointLimits/", "")  # as installed
            known = any(path.endswith(name) for path in whole) if "/" in name else name in names
            if not known:
                missing.append(f"{page.name}: {name}")
    assert not missing


def test_places_for_additions_exist():
    """Every path in the table of CONTRIBUTING, which leaves out the two packages' own folders."""
    rows = [line.split("|")[2] for line in read("CONTRIBUTING.md").splitlines() if "|" in line]
    paths = [path for row in rows for path in re.findall(r"`([\w/]+(?:/|\.)[\w./]+)`", row)]
    paths = [path for path in paths if not path.startswith("jointlimits.")]  # entry points
    tops = (ROOT, PACKAGE, ADAPTER, ADAPTER.parent)
    assert len(paths) > 20
    assert not [path for path in paths if not any((top / path).exists() for top in tops)]


@pytest.mark.parametrize("document", sorted(p.name for p in project_files() if p.suffix == ".md"))
def test_links_between_documents_lead_somewhere(document):
    for path in project_files():
        if path.name != document or path.suffix != ".md":
            continue
        for target in re.findall(r"\]\(([^)#\s]+)", path.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (path.parent / target).exists(), f"{path}: {target}"


def test_there_is_a_licence():
    assert read("LICENSE").startswith("MIT License")


@pytest.mark.thorough
def test_no_path_of_somebodys_machine():
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path, text in text_files()
        for match in [MACHINE_PATHS.search(text)]
        if match
    ]
    assert not found


# --- a format is known to its own files ---------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize(
    "words",
    ["fbx", "amass|smpl", "blender|bpy", "urdf|robot description", r"mjcf|mujoco(?!>=|\.\*)"],
)
def test_no_other_file_of_the_product_names_a_format(words):
    """A new reader or exporter is a module and a row of a table."""
    tables = "formats/registry|exporters/formats|importers/read"
    own = re.compile(rf"/(for_)?({words}|{tables})(/|\.py)", re.IGNORECASE)
    # Packages that tests use are named in pyproject.toml.
    named = re.compile(words, re.IGNORECASE)
    every = {
        path.relative_to(ROOT).as_posix(): text
        for path, text in text_files()
        if path.parts[len(ROOT.parts)] not in {"tests", "benchmarks", "docs", ".ci"}
        and path.suffix != ".md"
    }
    assert any(own.search(path) for path in every)
    assert not [path for path, text in every.items() if named.search(text) and not own.search(path)]


# --- the Maya module ----------------------------------------------------------------------------


def test_the_module_file_has_one_entry_that_maya_reads_to_its_end():
    lines = read("module.mod").splitlines()
    assert lines[0] == f"+ jointLimits {jointlimits_core.__version__} ."
    assert len(lines) > 1
    # An empty line or a comment ends the entry; so would a second specifier.
    assert all(re.fullmatch(r"\w+\s?\+?:?=\s?[\w./-]+", line) for line in lines[1:]), lines


def test_folders_of_the_module_file_exist():
    for line in read("module.mod").splitlines()[1:]:
        name, value = re.split(r"\s?\+?:?=\s?", line)
        assert (ROOT / value).is_dir(), line
        if name == "PYTHONPATH":
            assert (ROOT / value / "jointlimits_core" / "__init__.py").exists()


def test_no_other_file_at_the_root_looks_like_a_module_file():
    """Maya reads every text file beside a module file, whatever its name."""
    for path, text in text_files():
        if path.parent == ROOT and path.suffix != ".mod":
            entries = [line for line in text.splitlines() if line.startswith("+ ")]
            assert not entries, path
