"""Maya's API 2.0 as `om` and `oma`, and `utils`; type checkers use :mod:`api_types` instead.

Nothing is wrapped: at run time, these are Maya's own modules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import api_types as om
    from .api_types import OpenMayaAnim as oma
    from .api_types import utils
else:
    import maya.api.OpenMaya as om
    import maya.api.OpenMayaAnim as oma
    from maya import utils

__all__ = ["om", "oma", "utils"]
