"""Selecting what an edit has made, as Maya's own commands do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import maya.api.OpenMaya as om


class SelectStep:
    """Selects nodes; undone, what was selected before is selected again.

    Parameters
    ----------
    nodes : callable
        Gives the nodes when the step's turn comes.
    """

    def __init__(self, nodes: Callable[[], Sequence[om.MObject]]) -> None:
        self._nodes = nodes
        self._before = om.MSelectionList()

    def do(self) -> None:
        """Select."""
        self._before = om.MGlobal.getActiveSelectionList()
        self.redo()

    def undo(self) -> None:
        """Select what was selected before."""
        om.MGlobal.setActiveSelectionList(self._before)

    def redo(self) -> None:
        """Select again."""
        # live check: api-selection-in-undo
        chosen = om.MSelectionList()
        for node in self._nodes():
            chosen.add(node)
        om.MGlobal.setActiveSelectionList(chosen)
