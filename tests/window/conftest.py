"""Fixtures of the window's tests: the window alone, and one in the stand-in of Maya."""

from __future__ import annotations

import importlib

import pytest

from tests.support.window_alone import shown_window
from tests.support.window_standin import maya_that_opens_the_window


@pytest.fixture(autouse=True)
def _application(qapp):
    """All of them have Qt's application."""


@pytest.fixture
def window(tmp_path, qtbot):
    """The window without Maya, with nothing open; it works at once."""
    return shown_window(tmp_path, qtbot)


@pytest.fixture
def maya(tmp_path, monkeypatch, qapp):
    """The stand-in of Maya with a scene, in which the window can be opened."""
    with maya_that_opens_the_window(tmp_path, monkeypatch) as session:
        yield session


@pytest.fixture
def cmds(maya):
    """Its maya.cmds."""
    return importlib.import_module("maya.cmds")
