"""Which motion files of a folder have the same skeleton, without reading their motion."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from ..errors import InputError
from ..regular_file import read_start

MOTION = b"MOTION"
LONGEST_HIERARCHY = 1 << 20
"""Bytes; a BVH whose motion begins later is taken for one of its own."""


def skeleton_key(path: Path) -> str:
    """Key that motion files of one folder share if they have the same skeleton.

    Parameters
    ----------
    path : Path
        Of a BVH the words of its hierarchy count, not how they are laid out; any other file has
        its skeleton by itself.

    Raises
    ------
    InputError
        If it cannot be read, as no file of a motion can.
    """
    if path.suffix.lower() != ".bvh":
        return path.name
    head, motion, _ = read_start(path, LONGEST_HIERARCHY, InputError)[0].partition(MOTION)
    if not motion:
        return path.name
    return hashlib.sha256(b" ".join(head.split())).hexdigest()


def skeleton_beside(path: Path) -> str:
    """Name of the ASF file that an AMC file goes with.

    The only one in its folder; of several the one of the same name, else the one whose name the
    name of the AMC file begins with.

    Raises
    ------
    ValueError
        If that is none or more than one.
    """
    names = sorted(name for name in os.listdir(path.parent) if name.lower().endswith(".asf"))
    if not names:
        raise ValueError("there is no skeleton (.asf) beside it")
    stems = {name: name[: -len(".asf")].lower() for name in names}
    begins = [name for name in names if path.stem.lower().startswith(stems[name])]
    longest = max((len(stems[name]) for name in begins), default=0)
    fitting = [name for name in begins if len(stems[name]) == longest]
    chosen = names if len(names) == 1 else fitting
    if len(chosen) != 1:
        raise ValueError(
            f"several skeletons are beside it and none has its name: {', '.join(names)}"
        )
    return chosen[0]
