"""Settings of the test run."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from tests.support.maya_fixtures import (
    cmds,
    jointlimits,
    maya,
    maya_with_plug_in,
    om,
    oma,
    person,
    undo,
)
from tests.support.window_answers import nobody_waits
from tests.support.window_fixtures import full, hand

__all__ = [
    "cmds",
    "full",
    "hand",
    "jointlimits",
    "maya",
    "maya_with_plug_in",
    "om",
    "oma",
    "person",
    "undo",
]

# In CI the same examples every time: a red build must mean a change, not luck. By hand, new ones.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("developer", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "developer")
# The quick set tries a few examples of each property; every other choice of tests, all of them.
settings.register_profile("quick", settings.default, max_examples=15)

# The window's tests need no screen; whoever wants to look on names another platform.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def pytest_configure(config: pytest.Config) -> None:
    """Before any test is read, since a test's own settings are made upon those of the time."""
    if "not thorough" in config.getoption("-m"):
        settings.load_profile("quick")


def pytest_report_header(config: pytest.Config) -> str:
    """Say which tests run, and how to run the others."""
    chosen = config.getoption("-m")
    return f"tests: {chosen}; all of them: pytest -m ''" if chosen else "tests: all"


@pytest.fixture(autouse=True)
def _no_question_stays_open(request, monkeypatch):
    """No test of the window waits for an answer that nobody gives."""
    if request.path.parent.name == "window" and "qapp" in request.fixturenames:
        request.getfixturevalue("qapp")
        nobody_waits(monkeypatch)
