"""Each session imports the adapter afresh; what its files compile to is kept between sessions."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

_codes: dict[tuple[str, int, int], CodeType] = {}
"""By path, time and size of the file."""


class KeptCode(MetaPathFinder):
    """Finds a package where Python would, and compiles each state of a file of it once."""

    def __init__(self, package: str):
        self.package = package

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """What Python would find, with a loader that remembers."""
        if fullname.partition(".")[0] != self.package:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


class _Loader(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType | None:
        file = os.stat(self.path)
        key = (self.path, file.st_mtime_ns, file.st_size)
        if key not in _codes:
            code = super().get_code(fullname)
            if code is None:
                return None
            _codes[key] = code
        return _codes[key]


@cache
def _compile(text: str) -> CodeType:
    return compile(text, "<dataclass>", "exec", dont_inherit=True)


def _run(text: str, *names: dict[str, Any]) -> None:
    exec(_compile(text), *names)  # noqa: S102 - what dataclasses would run


# The texts of their methods make up half of the time in which the adapter is imported.
dataclasses.exec = _run
