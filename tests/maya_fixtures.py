"""The stand-in as a pytest fixture."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType

import pytest

from tests.maya_standin import Session, installed


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
