"""Names that people chose, made into file names."""

from __future__ import annotations

import re


def file_name(name: str) -> str:
    """Name of a character as a file name: nothing that leaves the folder or upsets a shell."""
    return re.sub(r"[^\w.+-]+", "_", name).strip(".") or "character"
