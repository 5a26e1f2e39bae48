"""One Maya that runs: a scene, and what lies around it."""

from __future__ import annotations

from collections import Counter
from typing import Any, Callable

from tests.maya_standin.default_nodes import add_default_nodes
from tests.maya_standin.evaluation import PLUG_IN_NODES
from tests.maya_standin.graph import Scene
from tests.maya_standin.journal import Journal, UndoQueue
from tests.maya_standin.node_types import REGISTERED
from tests.maya_standin.quirks import Quirks, chosen_quirks
from tests.maya_standin.state import scene_hash
from tests.maya_standin.surroundings import Surroundings

_running: list[Session] = []


class Session(Surroundings):
    """A Maya with one open scene.

    Attributes
    ----------
    version : int
        The year, 2025.
    batch : bool
        Whether there is no window (`mayapy`, `maya -batch`).
    counters : dict
        "dg_evaluations", "time_changes", "curve_evaluations": numbers; "calls": Counter by name.
    messages : list
        (kind, text) of what was displayed; kinds "info", "warning", "error".
    commands : dict
        Commands that plug-ins registered, by name.
    executed_script_nodes : list
        Script nodes that Maya would have run when scenes were opened; nothing is run.
    missing_plugins : set
        Plug-ins that scenes require and this Maya does not have.
    context_seconds : float or None
        Time of the MDGContext that is current; None: the normal context.
    native_plugins : set
        Maya's own plug-ins that are loaded.
    quirks : Quirks
        What this Maya does where nobody knows (see quirks.py).
    """

    def __init__(self, version: int = 2025, batch: bool = False, quirks: Quirks | None = None):
        super().__init__()
        self.quirks = quirks or chosen_quirks()
        self.undo_queue = UndoQueue(Journal())
        self.undo_queue.recording = not batch or self.quirks.undo_at_start
        self.native_plugins = {"matrixNodes"} if self.quirks.matrix_nodes_loaded else set()
        self.version = version
        self.batch = batch
        self.counters: dict[str, Any] = {}
        self.reset_counters()
        self.option_vars: dict[str, Any] = {}
        self.messages: list[tuple[str, str]] = []
        self.commands: dict[str, Callable[..., Any]] = {}
        self.plugins: dict[str, Any] = {}
        self.auto_key = False
        self.executed_script_nodes: list[str] = []
        self.missing_plugins: set[str] = set()
        self.context_seconds: float | None = None
        self.new_scene()

    def new_scene(self) -> Scene:
        """Replace the scene with a new one; the undo queue is emptied, too."""
        self.scene = Scene(self.counters)
        add_default_nodes(self.scene)
        # Compounds that addAttr has begun, and how many children they are to have.
        self.waiting_compounds: dict[Any, Any] = {}
        recording = self.undo_queue.recording
        self.undo_queue = UndoQueue(self.scene.journal)
        self.undo_queue.recording = recording
        return self.scene

    def scene_hash(self) -> str:
        """SHA-256 of everything that a scene is; not of the undo queue (see state.py)."""
        return scene_hash(self.scene)

    def reset_counters(self) -> None:
        numbers = dict.fromkeys(("dg_evaluations", "time_changes", "curve_evaluations"), 0)
        self.counters.update(numbers, calls=Counter())

    def call(self, name: str) -> None:
        """Count a call of the API or of a command."""
        self.counters["calls"][name] += 1


def current() -> Session:
    """The session that runs; RuntimeError where the stand-in is not installed."""
    if not _running:
        raise RuntimeError("no stand-in session is running: use tests.maya_standin.installed()")
    return _running[-1]


def start(session: Session) -> None:
    _running.append(session)


def stop(session: Session) -> None:
    _running.remove(session)
    # What plug-ins registered goes with the session that loaded them.
    REGISTERED.clear()
    PLUG_IN_NODES.clear()
