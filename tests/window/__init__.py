"""Tests of the window; each of their files is skipped where there is no Qt."""

import pytest

pytest.importorskip("pytestqt", reason="pytest-qt is missing: pip install pytest-qt")
pytest.importorskip(
    "jointlimits_maya.ui.toolkit.qt",
    reason="Qt is missing: pip install PySide6-Essentials, and its system libraries",
    exc_type=ImportError,
)
