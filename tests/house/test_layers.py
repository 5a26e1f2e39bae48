"""The contract of layers: no package imports upward, and no two files import each other."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.support.house_files import ROOT, maya_modules, package_modules, syntax_tree

CORE = """
base
geometry
scalar
io
motion
shapes skeleton_fit
limits
people
estimation ik rig
evaluation formats
exporters importers report
batch
cli
api motion_batch __main__ __init__
"""
MAYA = """
base
scene
read
write
limits
projection skeleton
commands
ui
window
interactive batch __init__
"""
"""Packages from the lowest layer up; those of one line know nothing of each other."""


def layers(text: str) -> dict[str, int]:
    lines = text.split("\n")[1:-1]
    return {name: level for level, line in enumerate(lines) for name in line.split()}


@cache
def modules() -> dict[str, Path]:
    """Path of every product module, by its dotted name."""
    found = {}
    for path in (*package_modules(), *maya_modules()):
        parts = path.relative_to(ROOT).with_suffix("").parts
        parts = parts[1:] if parts[0] == "scripts" else parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def is_for_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def statements(node: ast.AST):
    """Every import of a module, in functions too, but not those that only type checkers read."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child
        elif not is_for_checkers(child):
            yield from statements(child)


@cache
def imports_of(name: str) -> list[tuple[str, list[str]]]:
    """What a module imports: modules, each with the names that are taken from it."""
    path = modules()[name]
    package = name if path.stem == "__init__" else name.rpartition(".")[0]
    found: list[tuple[str, list[str]]] = []
    for node in statements(syntax_tree(path)):
        if isinstance(node, ast.Import):
            found += [(alias.name, []) for alias in node.names]
            continue
        above = package.rsplit(".", node.level - 1)[0] if node.level > 1 else package
        base = ".".join(part for part in (above if node.level else "", node.module) if part)
        found.append((base, [alias.name for alias in node.names]))
    return found


@cache
def links_of(name: str) -> set[str]:
    """Product modules that a module imports."""
    found = set()
    for base, names in imports_of(name):
        places = [f"{base}.{one}" for one in names]
        found |= {place if place in modules() else base for place in places} or {base}
    return found & set(modules()) - {name}


def test_packages_export_nothing():
    """A name is imported from the module that defines it; the two faces look theirs up."""
    faces = {"jointlimits_core", "jointlimits_maya"}
    packages = [name for name, path in modules().items() if path.stem == "__init__"]
    assert not [name for name in packages if name not in faces and imports_of(name)]


def package_of(name: str) -> str:
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("top", "order"), [("jointlimits_core", layers(CORE)), ("jointlimits_maya", layers(MAYA))]
)
def test_no_package_imports_upward(top, order):
    own = {name for name in modules() if name.split(".")[0] == top}
    assert {package_of(name) for name in own} <= set(order)
    upward = [
        f"{name} imports {target}"
        for name in sorted(own)
        for target in sorted(links_of(name) & own)
        if package_of(target) != package_of(name)
        and order[package_of(target)] >= order[package_of(name)]
        and target != top  # the version, and the promised names
    ]
    assert not upward


@pytest.mark.thorough
def test_the_core_knows_nothing_of_maya():
    core = {name for name in modules() if name.startswith("jointlimits_core")}
    assert not {name for name in core for target in links_of(name) - core}


@pytest.mark.thorough
def test_no_files_import_each_other_in_a_circle():
    todo = {
        name: {t for t in links_of(name) if modules()[t].stem != "__init__"} for name in modules()
    }
    todo = {name: targets for name, targets in todo.items() if modules()[name].stem != "__init__"}
    while True:
        free = {name for name, targets in todo.items() if not targets & set(todo)}
        if not free:
            break
        todo = {name: targets for name, targets in todo.items() if name not in free}
    assert not todo
