"""Source file record, importable without numpy for fast hashing processes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SourceFile:
    """Path and hash of the file that a motion came from."""

    path: str
    sha256: str
