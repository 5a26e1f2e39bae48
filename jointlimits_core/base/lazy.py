"""Packages whose names are imported when they are first used (PEP 562).

A package lists what it offers once, as imports under ``if TYPE_CHECKING``: type checkers and
editors read them there, and :func:`exports` looks a name up in the same list when it is used. So a
package can be imported where numpy is missing, and a command loads only what it needs.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

_IMPORT = re.compile(r"^    from (\.[.\w]*) import (\([^)]*\)|.*)$", re.MULTILINE)
_NAME = re.compile(r"(\w+)(?: as (\w+))?")


def exports(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package that lists its names under TYPE_CHECKING."""

    @cache
    def homes() -> dict[str, tuple[str, str]]:
        return _listed(package)

    def look_up(name: str) -> Any:
        if name.startswith("__") or name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, original = homes()[name]
        value = getattr(import_module(module, package), original)
        setattr(sys.modules[package], name, value)
        return value

    return look_up, lambda: sorted(homes())


def _listed(package: str) -> dict[str, tuple[str, str]]:
    """Home module and original name of everything that a package offers."""
    spec: Any = sys.modules[package].__spec__
    found = {}
    for module, names in _IMPORT.findall(spec.loader.get_source(package)):
        for name, alias in _NAME.findall(names):
            found[alias or name] = (module, name)
    return found
