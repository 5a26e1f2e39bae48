"""What there is of Maya's window: messages, dialogs, progress, menus, shelves, what waits for idle.

Tests script the artist (answers, Esc) and look at what was shown.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

MAIN_WINDOW = "MayaWindow"
MAIN_PROGRESS_BAR = "mainProgressBar"
SHELF_TOP_LEVEL = "ShelfLayout"
# MEL's globals for these; they are only declared where there is a window (maya.md 3 and 4).
MEL_GLOBALS = {
    "$gMainWindow": MAIN_WINDOW,
    "$gMainProgressBar": MAIN_PROGRESS_BAR,
    "$gShelfTopLevel": SHELF_TOP_LEVEL,
}


@dataclass
class Progress:
    """The main progress bar, as one run of beginProgress to endProgress leaves it."""

    running: bool = False
    interruptable: bool = False
    cancelled: bool = False
    minimum: int = 0
    maximum: int = 100
    value: int = 0
    status: str = ""
    history: list = field(default_factory=list)


@dataclass
class Control:
    """A menu, a menu item, a shelf or a button of one, with the values of its flags."""

    kind: str
    name: str
    parent: str
    flags: dict


@dataclass
class Interface:
    """All of it; `escape_after` counts steps of the progress bar until Esc is pressed."""

    progress: Progress = field(default_factory=Progress)
    escape_after: int | None = None
    answers: deque = field(default_factory=deque)
    dialogs: list = field(default_factory=list)
    in_view: list = field(default_factory=list)
    controls: dict = field(default_factory=dict)
    deferred: list = field(default_factory=list)
    refresh_suspended: bool = False
    current_menu: str = ""
    evaluation_mode: str = "parallel"
    editors: object = None

    def defer(self, work, lowest=False):
        """Let work wait for idle; the lowest priority waits for everything else."""
        self.deferred.append((lowest, work))

    def pop_deferred(self):
        """Give the next piece of work that waits, or None."""
        if not self.deferred:
            return None
        first = min(range(len(self.deferred)), key=lambda i: (self.deferred[i][0], i))
        return self.deferred.pop(first)[1]

    def answer(self, *labels):
        """Say which button of the next dialogs will be pressed."""
        self.answers.extend(labels)

    def step_progress(self, amount):
        """Move the bar, and press Esc when its time has come."""
        bar = self.progress
        bar.value = min(bar.maximum, bar.value + amount)
        bar.history.append(bar.value)
        if self.escape_after is not None:
            self.escape_after -= 1
            if self.escape_after <= 0 and bar.running and bar.interruptable:
                bar.cancelled, self.escape_after = True, None

    def children(self, parent, kind=None):
        return [
            control
            for control in self.controls.values()
            if control.parent == parent and kind in (None, control.kind)
        ]

    def remove(self, name):
        for child in self.children(name):
            self.remove(child.name)
        del self.controls[name]
