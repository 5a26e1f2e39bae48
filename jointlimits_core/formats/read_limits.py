"""How much a file from somebody else may ask for before it is refused."""

from __future__ import annotations

from dataclasses import dataclass

from .source import FilePath


@dataclass(frozen=True)
class ReadLimits:
    """How much a motion file may ask for before it is refused; raise them with `replace`.

    Parameters
    ----------
    max_file_bytes : int
        Size of the file; about as much memory is held while it is read.
    max_line_bytes : int
        Longest line.
    max_joints : int
        Joints of the skeleton.
    max_depth : int
        Joints above one another.
    max_numbers : int
        Numbers of the motion, eight bytes each; a few arrays of that size are held.
    references_below : path-like or str, optional
        Folder that files which a Maya scene references may not lie outside of; anywhere on this
        computer if left out.
    """

    max_file_bytes: int = 1 << 30
    max_line_bytes: int = 1 << 24
    max_joints: int = 10_000
    max_depth: int = 500
    max_numbers: int = 50_000_000
    references_below: FilePath | None = None


DEFAULT_LIMITS = ReadLimits()
