"""Edits with their inverses, and Maya's undo queue on top of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Callable, Protocol

Action = Callable[[], None]


class Undoable(Protocol):
    """What lies on the undo queue."""

    def undo(self) -> None: ...

    def redo(self) -> None: ...


@dataclass
class Edit:
    """One edit as two closures; neither may record anything."""

    undo: Action
    redo: Action


@dataclass
class Group:
    """Edits that are undone together, last first."""

    name: str = ""
    items: list[Undoable] = field(default_factory=list)

    def add(self, item: Undoable) -> None:
        self.items.append(item)

    def undo(self) -> None:
        for item in reversed(self.items):
            item.undo()

    def redo(self) -> None:
        for item in self.items:
            item.redo()

    def __bool__(self) -> bool:
        return bool(self.items)


class Journal:
    """Where the primitive edits of a scene are recorded: in the innermost open group, or nowhere.

    Edits through function sets (MFn...) outside of any group are thus not undoable, as in Maya
    (maya.md 1.2).
    """

    def __init__(self) -> None:
        self._groups: list[Group | None] = []

    @contextmanager
    def group(self, name: str = "") -> Iterator[Group]:
        """Collect the edits made inside; they are in no outer group."""
        group = Group(name)
        with self.record_into(group):
            yield group

    @contextmanager
    def record_into(self, group: Group | None) -> Iterator[None]:
        """Collect the edits made inside in a group that exists; None: nowhere."""
        self._groups.append(group)
        try:
            yield
        finally:
            self._groups.pop()

    def do(self, redo: Action, undo: Action) -> None:
        """Carry out an edit and record it."""
        redo()
        self.add(Edit(undo, redo))

    def add(self, item: Undoable) -> None:
        """Record what was done already."""
        if self._groups and self._groups[-1] is not None:
            self._groups[-1].add(item)


class UndoQueue:
    """Maya's undo queue: items, chunks of items, and what was undone.

    `undoInfo` documents the flags; that a chunk without edits leaves no item, and that an item
    clears what could be redone, is how every undo queue works.
    """

    def __init__(self, journal: Journal):
        self.journal = journal
        self.recording = True
        self.done: list[Group] = []
        self.undone: list[Group] = []
        self._open: list[Group] = []

    @contextmanager
    def command(self, name: str) -> Iterator[Group]:
        """One command: its edits are one item, or part of the command or chunk around it.

        A command that raises leaves no item, and its edits stay, which is why a command has to
        undo what it did before it raises (maya.md 3). guess: failed-command-keeps-edits.
        """
        group = Group(name)
        self._open.append(group)
        try:
            with self.journal.record_into(group):
                yield group
        except BaseException:
            self._open.remove(group)
            raise
        self._open.remove(group)
        self._close(group)

    @contextmanager
    def taken(self) -> Iterator[Group]:
        """Collect what commands do meanwhile, in place of putting it on the queue."""
        group, recording = Group("taken"), self.recording
        self._open.append(group)
        self.recording = True
        try:
            yield group
        finally:
            self._open.remove(group)
            self.recording = recording

    def add(self, item: Undoable, name: str = "") -> None:
        """Put something on the queue that undoes and redoes by itself."""
        self._close(Group(name, [item]))

    def open_chunk(self, name: str = "") -> None:
        self._open.append(Group(name))

    def close_chunk(self) -> None:
        if not self._open:
            raise RuntimeError("undoInfo: no chunk is open")
        self._close(self._open.pop())

    @property
    def chunk_depth(self) -> int:
        return len(self._open)

    def _close(self, group: Group) -> None:
        if not group or not self.recording:
            return
        if self._open:
            self._open[-1].add(group)
            return
        self.done.append(group)
        self.undone.clear()

    def undo(self) -> str:
        """Undo the last item and give its name; RuntimeError where there is none."""
        if not self.done:
            raise RuntimeError("There are no more commands to undo.")
        item = self.done.pop()
        with self.journal.record_into(None):
            item.undo()
        self.undone.append(item)
        return item.name

    def redo(self) -> str:
        """Redo what was undone last and give its name; RuntimeError where there is nothing."""
        if not self.undone:
            raise RuntimeError("There are no more commands to redo.")
        item = self.undone.pop()
        with self.journal.record_into(None):
            item.redo()
        self.done.append(item)
        return item.name

    def flush(self) -> None:
        self.done.clear()
        self.undone.clear()
