"""Result of an export: the file's content and the losses."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

from ..atomic import atomic_output, write_text_atomically
from .loss import Loss


@dataclass(frozen=True)
class Exported:
    """Content of one file.

    Parameters
    ----------
    content : str or bytes
        Text is written as UTF-8.
    losses : tuple of Loss
        What the format cannot hold, and what was written instead.
    notes : tuple of str
        Contents of the file, one line each.
    """

    content: str | bytes
    losses: tuple[Loss, ...] = ()
    notes: tuple[str, ...] = ()

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the file atomically."""
        content = self.content
        with atomic_output(path) as stream:
            stream.write(content if isinstance(content, bytes) else content.encode("utf-8"))

    def loss_report(self, to: str, character: str) -> str:
        """Losses as JSON text."""
        document = {
            "format": "jointlimits.export-losses",
            "version": 1,
            "to": to,
            "character": character,
            "losses": [loss.to_dict() for loss in self.losses],
            "notes": list(self.notes),
        }
        return json.dumps(document, indent=1) + "\n"

    def write_losses(self, path: str | os.PathLike[str], to: str, character: str) -> None:
        """Write the loss report atomically."""
        write_text_atomically(path, self.loss_report(to, character))
