"""Runs of mypy over the adapter and over mistakes planted into it."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import maya_stubs
from tests.support.house_files import ROOT

needs_stubs = pytest.mark.skipif(
    importlib.util.find_spec("mypy") is None or maya_stubs.folder() is None,
    reason="mypy and types-maya-strict are not installed (pip install -e .[dev])",
)


def mypy(folder: Path, *paths: object) -> list[str]:
    """Errors that it finds with the project's settings, and with what it has kept of them.

    In CI it has kept the whole project: its own step comes before the tests.
    """
    kept = ROOT / ".mypy_cache"
    settings = ["--config-file", ROOT / "pyproject.toml", "--cache-dir", kept]
    command = [sys.executable, "-m", "mypy", *settings, *paths]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stdout + run.stderr
    return [line for line in run.stdout.splitlines() if ": error:" in line]
