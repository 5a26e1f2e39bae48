"""Detection of motion files with the same skeleton, without reading their motion."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from ..errors import InputError
from ..regular_file import read_start

MOTION = b"MOTION"
LONGEST_HIERARCHY = 1 << 20
"""Bytes read; a BVH whose motion starts later gets a key of its own."""


def skeleton_key(path: Path) -> str:
    """Key shared by motion files of one folder with the same skeleton.

    Parameters
    ----------
    path : Path
        For BVH, the words of its hierarchy count, not their layout; any other file has a
        skeleton of its own.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    if path.suffix.lower() != ".bvh":
        return path.name
    head, motion, _ = read_start(path, LONGEST_HIERARCHY, InputError)[0].partition(MOTION)
    if not motion:
        return path.name
    return hashlib.sha256(b" ".join(head.split())).hexdigest()


def skeleton_beside(path: Path) -> str:
    """Name of the ASF file that belongs to an AMC file.

    The only one in its folder; of several, the one with the same name, else the one whose name
    starts the name of the AMC file.

    Raises
    ------
    ValueError
        If none or more than one matches.
    """
    names = sorted(name for name in os.listdir(path.parent) if name.lower().endswith(".asf"))
    if not names:
        raise ValueError("no skeleton (.asf) found in its folder")
    stems = {name: name[: -len(".asf")].lower() for name in names}
    begins = [name for name in names if path.stem.lower().startswith(stems[name])]
    longest = max((len(stems[name]) for name in begins), default=0)
    fitting = [name for name in begins if len(stems[name]) == longest]
    chosen = names if len(names) == 1 else fitting
    if len(chosen) != 1:
        raise ValueError(
            f"several skeletons in its folder, none with a matching name: {', '.join(names)}"
        )
    return chosen[0]
