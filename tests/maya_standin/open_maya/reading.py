"""Values of plugs in the context that is current."""

from __future__ import annotations

from typing import Any

from tests.maya_standin.graph import Plug
from tests.maya_standin.open_maya.current import scene


def value_at(plug: Plug, seconds: float | None) -> Any:
    """Value of a plug in internal units at a time; None: the scene's current time."""
    return scene().evaluator.value(plug, seconds)
