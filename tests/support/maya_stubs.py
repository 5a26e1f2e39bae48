"""The type stubs of Maya (types-maya-strict), read as text: what there is, and what it takes."""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path


def folder() -> Path | None:
    """Where the stubs are installed; None where they are not."""
    places = (Path(entry) / "maya-stubs" for entry in sys.path if entry)
    return next((path for path in places if path.is_dir()), None)


@dataclass
class Function:
    """A function with all its overloads, without `self`.

    `most` is None where the stub takes anything (`*args`).
    """

    is_static: bool
    least: int
    most: int | None
    parameters: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class Class:
    """A class: its bases, its functions, and its constants and properties."""

    bases: tuple[str, ...]
    functions: dict[str, Function]
    values: frozenset[str]


@lru_cache(maxsize=8)
def module(name: str) -> tuple[dict[str, Class], dict[str, Function]]:
    """Classes and functions of a module, such as "api/OpenMaya"."""
    where = folder()
    assert where is not None, "the stubs are installed"
    path = where / f"{name}.pyi"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = {node.name: _class(node) for node in tree.body if isinstance(node, ast.ClassDef)}
    return classes, _functions(tree.body, in_class=False)


def _class(node: ast.ClassDef) -> Class:
    values = {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}  # type: ignore[union-attr]
    bases = tuple(ast.unparse(base).rpartition(".")[2] for base in node.bases)
    return Class(bases, _functions(node.body, in_class=True), frozenset(values))


def _functions(body: list[ast.stmt], *, in_class: bool) -> dict[str, Function]:
    found: dict[str, Function] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            new = _function(node, in_class)
            old = found.get(node.name)
            found[node.name] = new if old is None else _merge(old, new)
    return found


def _function(node: ast.FunctionDef, in_class: bool) -> Function:
    static = any(ast.unparse(one) == "staticmethod" for one in node.decorator_list)
    positional = [*node.args.posonlyargs, *node.args.args]
    if in_class and not static:
        positional = positional[1:]
    count = len(positional)
    named = {
        one.arg: [ast.unparse(one.annotation)] if one.annotation else []
        for one in (*positional, *node.args.kwonlyargs)
    }
    most = None if node.args.vararg else count
    return Function(static, count - len(node.args.defaults), most, named)


def _merge(old: Function, new: Function) -> Function:
    most = None if None in (old.most, new.most) else max(old.most, new.most)  # type: ignore[type-var]
    names = {*old.parameters, *new.parameters}
    parameters = {
        name: old.parameters.get(name, []) + new.parameters.get(name, []) for name in names
    }
    return Function(old.is_static, min(old.least, new.least), most, parameters)
