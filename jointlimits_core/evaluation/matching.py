"""Which joint of a motion a limit is for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ..side_names import node_name


def matched_joints(wanted: Iterable[str], available: Sequence[str]) -> dict[str, int]:
    """Find joints by name, then by the last part of the name.

    Parameters
    ----------
    wanted : iterable of str
        Names in the limits.
    available : sequence of str
        Names in the motion.

    Returns
    -------
    dict of name to int
        Index in `available` of every joint that was found. A short name counts only if it stands
        for one joint on either side: two characters in one scene are never mixed up.
    """
    names = list(wanted)
    exact = {name: index for index, name in enumerate(available)}
    found = {name: exact[name] for name in names if name in exact}
    taken = set(found.values())
    left = [index for index in range(len(available)) if index not in taken]
    theirs = Counter(node_name(available[index]) for index in left)
    ours = Counter(node_name(name) for name in names if name not in found)
    by_short = {node_name(available[index]): index for index in left}
    for name in names:
        short = node_name(name)
        if name not in found and ours[short] == theirs[short] == 1:
            found[name] = by_short[short]
    return {name: found[name] for name in names if name in found}
