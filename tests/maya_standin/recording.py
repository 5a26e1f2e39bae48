"""How a scene changes: every edit with its inverse, and on the record of a reference."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Callable

from tests.maya_standin.journal import Journal
from tests.maya_standin.nodes import MISSING, Reference


class Recording:
    """The part of a scene that all edits go through; see graph.Scene."""

    journal: Journal
    modified: bool
    revision: int
    _quiet: bool

    def edit(self, redo: Callable[[], None], undo: Callable[[], None]) -> None:
        """Carry out one primitive edit, in the journal unless the scene is being read."""

        def redo_and_count() -> None:
            redo()
            self._count_change()

        def undo_and_count() -> None:
            undo()
            self._count_change()

        if self._quiet:
            redo_and_count()
        else:
            self.journal.do(redo_and_count, undo_and_count)

    def _count_change(self) -> None:
        self.revision += 1
        if not self._quiet:
            self.modified = True

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Change the scene without journal, reference edits or modified flag: to read a file."""
        before, self._quiet = self._quiet, True
        try:
            yield
        finally:
            self._quiet = before

    def note(self, reference: Reference | None, *entry: Any) -> None:
        """Put an edit on a referenced node on record, unless its reference ignores edits.

        guess: undo-of-reference-edit: undo takes the record back.
        """
        if reference is None or self._quiet or reference.ignore_edits or entry in reference.edits:
            return
        edits = reference.edits
        self.edit(lambda: edits.__setitem__(entry, None), lambda: edits.__delitem__(entry))

    def _change_entry(self, table: dict[Any, Any], key: Any, value: Any) -> None:
        """Change one entry of a table, or (value MISSING) take it out."""
        before = table.get(key, MISSING)

        def put(what: Any) -> None:
            if what is MISSING:
                table.pop(key, None)
            else:
                table[key] = what

        self.edit(lambda: put(value), lambda: put(before))
