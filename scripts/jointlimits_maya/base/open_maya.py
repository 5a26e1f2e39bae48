"""Maya's API 2.0 as `om` and `oma`, with the types of :mod:`api_types` for type checkers.

Nothing is wrapped: at run time `om` and `oma` are Maya's own modules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import api_types as om
    from .api_types import OpenMayaAnim as oma
else:
    import maya.api.OpenMaya as om
    import maya.api.OpenMayaAnim as oma

__all__ = ["om", "oma"]
