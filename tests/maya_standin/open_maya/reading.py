"""Values of plugs in the context that is current."""

from __future__ import annotations

from typing import Any

from tests.maya_standin.graph import Node, Plug
from tests.maya_standin.open_maya.current import scene, session
from tests.maya_standin.open_maya.matrix import MMatrix


def value_at(plug: Plug, seconds: float | None) -> Any:
    """Value of a plug in internal units at a time; None: the scene's current time."""
    return scene().evaluator.value(plug, seconds)


def value_now(plug: Plug) -> Any:
    """Value of a plug in the context that is current."""
    return value_at(plug, session().context_seconds)


def matrix_value(node: Node, path: str) -> MMatrix:
    """A matrix attribute of a node in the context that is current."""
    return MMatrix(value_now(Plug(node, path)))
