"""Unique names of joints, for formats that allow several of the same name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..base import FreeNames

MAX_PATHS = 1 << 24
"""Characters of all full paths together."""


def joint_paths(names: Sequence[str], parents: Sequence[int]) -> tuple[list[str], list[str]]:
    """Unique names: those given, and full paths for repeated ones.

    Paths are joined with "|"; same-named children of one joint are numbered "#2", "#3", ...

    Parameters
    ----------
    names : sequence of str
        One per joint.
    parents : sequence of int
        Index of the parent, -1 for a root.

    Returns
    -------
    list of str, list of str
        The unique names, and the names used more than once.

    Raises
    ------
    ValueError
        If the full paths are too long to store.
    """
    count = Counter(names)
    repeated = [name for name, times in count.items() if times > 1]
    free = FreeNames(set(count) - set(repeated), "{}#{}")
    found: list[str] = []
    characters = 0
    for joint, name in enumerate(names):
        if count[name] > 1:
            path = _path(names, parents, joint)
            characters += len(path)
            if characters > MAX_PATHS:
                raise ValueError("the full paths of same-named joints are too long; rename some")
            name = free.take(path)
        found.append(name)
    return found, repeated


def _path(names: Sequence[str], parents: Sequence[int], joint: int) -> str:
    parts = [names[joint]]
    while parents[joint] >= 0:
        joint = parents[joint]
        parts.append(names[joint])
    return "|".join(reversed(parts))
