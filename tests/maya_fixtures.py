"""The stand-in as a pytest fixture."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.maya_standin import Session, installed


@pytest.fixture
def maya() -> Iterator[Session]:
    """A fresh interactive Maya 2025 with an empty scene."""
    with installed() as session:
        yield session
