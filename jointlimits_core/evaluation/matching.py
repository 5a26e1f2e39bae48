"""Matching of the joints in limits with those of a motion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..side_names import node_name


def matched_joints(wanted: Iterable[str], available: Sequence[str]) -> dict[str, int]:
    """Match joints by name, then by the longest common end of their paths.

    Parameters
    ----------
    wanted : iterable of str
        Names in the limits.
    available : sequence of str
        Names in the motion.

    Returns
    -------
    dict of name to int
        Index in `available` of every match. Namespaces are ignored, and an end counts only if it
        is unique on both sides, so two characters in one scene are never mixed up.
    """
    names = list(dict.fromkeys(wanted))
    exact = {name: index for index, name in enumerate(available)}
    found = {name: exact[name] for name in names if name in exact}
    ours, theirs = [_path(name) for name in names], [_path(name) for name in available]
    for length in range(max(map(len, theirs), default=0), 0, -1):
        taken = set(found.values())
        left = _by_end([() if n in found else path for n, path in zip(names, ours)], length)
        free = _by_end([() if i in taken else path for i, path in enumerate(theirs)], length)
        for end, places in left.items():
            if len(places) == 1 and len(free.get(end, ())) == 1:
                found[names[places[0]]] = free[end][0]
    return {name: found[name] for name in names if name in found}


def possible_joints(name: str, available: Sequence[str], found: Mapping[str, int]) -> list[str]:
    """Candidates for a name that was not matched because it is ambiguous.

    Parameters
    ----------
    found : mapping of name to int
        Result of :func:`matched_joints`.

    Returns
    -------
    list of str
        Unmatched joints of the motion with the same last part.
    """
    taken, short = set(found.values()), node_name(name)
    return [
        other
        for index, other in enumerate(available)
        if index not in taken and node_name(other) == short
    ]


def _path(name: str) -> tuple[str, ...]:
    return tuple(node_name(part) for part in name.split("|") if part)


def _by_end(paths: Sequence[tuple[str, ...]], length: int) -> dict[tuple[str, ...], list[int]]:
    """Indices of the paths with at least `length` parts, by their last parts."""
    ends: dict[tuple[str, ...], list[int]] = {}
    for place, path in enumerate(paths):
        if len(path) >= length:
            ends.setdefault(path[-length:], []).append(place)
    return ends
