"""Puts the stand-in where `import maya` finds it, and takes it away again."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.maya_standin.code_kept import KeptCode
from tests.maya_standin.errors import NotModelledNameError
from tests.maya_standin.quirks import Quirks
from tests.maya_standin.session import Session, start, stop

SCRIPTS = str(Path(__file__).resolve().parents[2] / "scripts")
ADAPTER = "jointlimits_maya"
PACKAGES = ("maya", "maya.api")
# Every name in a module's __all__ is offered; one that is missing there is not modelled. A module
# may have a function `dynamic(name)` for names that come and go (commands of plug-ins): it gives
# the value or raises NotModelledNameError.
SOURCES = {
    "maya.cmds": "tests.maya_standin.commands.cmds",
    "maya.mel": "tests.maya_standin.commands.mel",
    "maya.utils": "tests.maya_standin.commands.deferred",
    "maya.standalone": "tests.maya_standin.commands.standalone",
    "maya.api.OpenMaya": "tests.maya_standin.open_maya.om",
    "maya.api.OpenMayaAnim": "tests.maya_standin.open_maya.oma",
    "maya.api.MDGContextGuard": "tests.maya_standin.open_maya.context_guard",
}


class StandInModule(ModuleType):
    """A module of Maya; a name that it does not have raises NotModelledNameError."""

    def __init__(self, name: str, source: ModuleType | None = None):
        super().__init__(name, f"Stand-in of {name}.")
        self.__file__ = None
        self.__path__: list[str] = []
        self._dynamic = getattr(source, "dynamic", None)
        for public in getattr(source, "__all__", ()):
            setattr(self, public, getattr(source, public))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        dynamic = self.__dict__.get("_dynamic")
        if dynamic is not None:
            return dynamic(name)
        raise NotModelledNameError(f"{self.__name__}.{name} is not modelled")


def install() -> None:
    """Put fresh modules into sys.modules."""
    made = {name: StandInModule(name) for name in PACKAGES}
    made.update(
        (name, StandInModule(name, importlib.import_module(source)))
        for name, source in SOURCES.items()
    )
    for name, module in made.items():
        above, _, last = name.rpartition(".")
        if above:
            setattr(made[above], last, module)
    sys.modules.update(made)


def forget() -> None:
    """Drop every module of Maya and of the adapter, so that they are imported afresh.

    Those of the window stay: they know nothing of Maya, and tests hold on to them.
    """
    for name in list(sys.modules):
        if name.startswith(("maya", ADAPTER)) and not name.startswith(f"{ADAPTER}.ui"):
            del sys.modules[name]


@contextmanager
def installed(
    version: int = 2025, batch: bool = False, quirks: Quirks | None = None
) -> Iterator[Session]:
    """A fresh session, with `maya` importable and the adapter's folder on the path."""
    session = Session(version, batch, quirks)
    path = list(sys.path)
    sys.path.insert(0, SCRIPTS)
    finder = KeptCode(ADAPTER)
    sys.meta_path.insert(0, finder)
    forget()
    start(session)
    try:
        install()
        yield session
    finally:
        stop(session)
        forget()
        sys.meta_path.remove(finder)
        sys.path[:] = path
