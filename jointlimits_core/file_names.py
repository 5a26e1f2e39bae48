"""Safe file names from user-defined names."""

from __future__ import annotations

import re


def file_name(name: str) -> str:
    """Character name as a file name without path separators or shell characters."""
    return re.sub(r"[^\w.+-]+", "_", name).strip(".") or "character"
