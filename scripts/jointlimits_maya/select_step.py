"""Selection of what an edit created, as Maya's own commands do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import maya.api.OpenMaya as om


class SelectStep:
    """Step that selects nodes; undo restores the old selection.

    Parameters
    ----------
    nodes : callable
        Returns the nodes when the step is reached.
    """

    def __init__(self, nodes: Callable[[], Sequence[om.MObject]]) -> None:
        self._nodes = nodes
        self._before = om.MSelectionList()

    def do(self) -> None:
        """Select."""
        self._before = om.MGlobal.getActiveSelectionList()
        self.redo()

    def undo(self) -> None:
        """Restore the old selection."""
        om.MGlobal.setActiveSelectionList(self._before)

    def redo(self) -> None:
        """Select again."""
        # live check: api-selection-in-undo
        chosen = om.MSelectionList()
        for node in self._nodes():
            chosen.add(node)
        om.MGlobal.setActiveSelectionList(chosen)
