"""Nodes, plugs, and a scene with its primitive edits, each with its inverse in the journal."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Callable

from tests.maya_standin.attribute_edits import AttributeEdits
from tests.maya_standin.attributes import AttributeSpec
from tests.maya_standin.evaluation import Evaluator
from tests.maya_standin.journal import Journal
from tests.maya_standin.node_edits import NodeEdits
from tests.maya_standin.nodes import Node, Plug, Reference

__all__ = ["AttributeSpec", "Node", "Playback", "Plug", "Reference", "Scene", "Units"]


@dataclass
class Units:
    """What the user sees lengths, angles and times in: Maya's words."""

    linear: str = "cm"
    angle: str = "deg"
    time: str = "film"


@dataclass
class Playback:
    """Ranges of the time slider in seconds: animation start and end, and min and max inside."""

    minimum: float = 1.0 / 24.0
    maximum: float = 120.0 / 24.0
    start: float = 1.0 / 24.0
    end: float = 200.0 / 24.0


class Scene(NodeEdits, AttributeEdits):
    """One open scene.

    Attributes
    ----------
    nodes : dict
        Every node in the order of creation (values are None: an ordered set).
    connections : dict
        Source by destination.
    held : dict
        Values set on keyed channels: they show until the time changes (maya.md 1.7).
    scripted : dict
        Plugs whose values a test gives as a function of seconds: outputs of expressions, and
        channels that an IK solver writes without a connection (maya.md 2.3).
    revision : int
        Grows with every change.
    """

    def __init__(self, counters: dict[str, Any] | None = None):
        self.nodes: dict[Node, None] = {}
        self.connections: dict[Plug, Plug] = {}
        self.held: dict[Plug, Any] = {}
        self.scripted: dict[Plug, Callable[[float], Any]] = {}
        self.references: list[Reference] = []
        self.namespaces: dict[str, None] = {}
        self.current_namespace = ""
        self.selection: list[Node | Plug] = []
        self.units = Units()
        self.playback = Playback()
        self.time = 1.0 / 24.0
        self.file_name = ""
        self.file_type = "mayaAscii"
        self.modified = False
        self.revision = 0
        self.journal = Journal()
        self.counters = counters if counters is not None else Counter(calls=Counter())
        self._outputs: dict[Plug, list[Plug]] = {}
        self._inputs: dict[Node, dict[str, None]] = {}
        self._by_name: dict[str, list[Node]] = {}
        self._connected_at = -1
        self._connected: dict[Node, dict[Plug, None]] = {}
        self._quiet = False
        #: What files say that is not modelled, kept as text to be written again (ma_reader.py).
        self.raw_connections: list[tuple[Node, str, Node, str, str]] = []
        self.raw_statements: list[str] = []
        self.requires: list[str] = []
        self.file_info: dict[str, str] = {}
        self.evaluator = Evaluator(self)

    def set_time(self, seconds: float) -> None:
        """Move the current time; no edit, and no undo."""
        self.counters["time_changes"] = self.counters.get("time_changes", 0) + 1
        self.time = float(seconds)
        self.held.clear()
        self.revision += 1

    def add_reference(self, reference: Reference) -> None:
        self.edit(
            lambda: self.references.append(reference), lambda: self.references.remove(reference)
        )
