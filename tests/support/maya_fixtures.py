"""The stand-in as pytest fixtures."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.maya_standin import Session, installed
from tests.support.house_files import ROOT
from tests.support.maya_open_scenes import open_changed, person_file

PLUG_IN = ROOT / "plug-ins" / "jointLimits.py"


@pytest.fixture
def maya() -> Iterator[Session]:
    """A fresh interactive Maya 2025 with an empty scene."""
    with installed() as session:
        yield session


@pytest.fixture
def om(maya: Session) -> ModuleType:
    """Its maya.api.OpenMaya."""
    return importlib.import_module("maya.api.OpenMaya")


@pytest.fixture
def oma(maya: Session) -> ModuleType:
    """Its maya.api.OpenMayaAnim."""
    return importlib.import_module("maya.api.OpenMayaAnim")


@pytest.fixture
def cmds(maya: Session, tmp_path: Path) -> ModuleType:
    """Its maya.cmds; what is kept between sessions is in the test's own folder."""
    maya.environment["MAYA_APP_DIR"] = str(tmp_path / "app")
    return importlib.import_module("maya.cmds")


@pytest.fixture
def jointlimits(cmds: ModuleType) -> ModuleType:
    """Our package in it."""
    return importlib.import_module("jointlimits_maya")


@pytest.fixture
def undo(cmds: ModuleType) -> ModuleType:
    """Our edits on its undo queue."""
    return importlib.import_module("jointlimits_maya.scene.undo")


@pytest.fixture
def person(maya: Session, tmp_path: Path) -> Session:
    """It with the character open that `limit_set_examples.limit_set` is for."""
    open_changed(maya, person_file(tmp_path))
    return maya


@pytest.fixture
def maya_with_plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """A fresh Maya with the plug-in, which keeps and logs in the test's own folder."""
    monkeypatch.setenv("MAYA_APP_DIR", str(tmp_path / "app"))
    with installed() as session:
        importlib.import_module("maya.cmds").loadPlugin(str(PLUG_IN))
        yield session
        close_log()


def close_log() -> None:
    """Let go of the log, which is in the folder of one test."""
    logger = logging.getLogger("jointlimits.maya")
    for handler in list(logger.handlers):
        handler.close()
        logger.removeHandler(handler)


def lead_here(modules: Path) -> None:
    """Lead Maya here from its modules folder."""
    modules.mkdir(parents=True)
    lines = (ROOT / "module.mod").read_text(encoding="utf-8").splitlines()
    lines[0] = lines[0][:-1] + ROOT.as_posix()
    (modules / "jointLimits.mod").write_text("\n".join(lines) + "\n", encoding="utf-8")
