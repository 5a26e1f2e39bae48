"""A file that a motion came from; needs no numpy, so that who only hashes files starts quickly."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SourceFile:
    """A file that a motion came from, and a hash of its bytes."""

    path: str
    sha256: str
