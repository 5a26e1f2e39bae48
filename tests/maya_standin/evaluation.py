"""Values of plugs at a time: what Maya's dependency graph would give."""

from __future__ import annotations

from typing import Any

from tests.maya_standin.graph import Scene
from tests.maya_standin.nodes import Plug


class Evaluator:
    """Computes plugs of a scene; keeps what it has computed until time or scene change."""

    def __init__(self, scene: Scene):
        self.scene = scene

    def value(self, plug: Plug, seconds: float | None = None) -> Any:
        """Value of a plug in internal units at a time; None: the scene's current time.

        A float, int, bool or string, 16 numbers for a matrix, a tuple for a compound.
        """
        raise NotImplementedError
