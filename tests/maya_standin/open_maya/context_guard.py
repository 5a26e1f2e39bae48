"""The module maya.api.MDGContextGuard."""

from __future__ import annotations

from tests.maya_standin.open_maya.context import MDGContextGuard

__all__ = ["MDGContextGuard"]
