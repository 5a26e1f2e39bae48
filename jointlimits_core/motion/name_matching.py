"""Matching of joint names: by full name, by the ends of paths, and without a prefix.

Names such as "mixamorig:Hips", "Bip01_Hips" and "Hips" differ only by a prefix.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence

from .joint_names import is_side, node_name, words_of

PREFIX_RULE = "name-prefix"
"""Rule of the note about a clip whose joint names differ by one prefix."""
MIN_JOINTS_BY_PREFIX = 2
"""Minimum number of joints that must differ by the same prefix to be matched without it."""
SEPARATORS = frozenset(":_|. -")
MIN_JOINTS_WITHOUT_SEPARATOR = 3
"""Minimum number of joints with a prefix that does not end with a separator ("mixamorigHips")."""


def prefixes_apart(names: Collection[str], others: Collection[str]) -> tuple[str, str] | None:
    """Prefixes of `names` and `others`, without which they match; None if not unique."""
    if not names:
        return None
    there, anchor = frozenset(others), max(names, key=len)
    pairs = set()
    for other in there:
        # The parts before the common end of both names.
        end = len(_common_start([anchor[::-1], other[::-1]]))
        pairs.add((anchor[: len(anchor) - end], other[: len(other) - end]))
    found = [
        (own, theirs)
        for own, theirs in pairs
        if all(name.startswith(own) and theirs + name[len(own) :] in there for name in names)
        if _is_pair(own, theirs, names)
    ]
    if len(found) != 1:
        return None
    own, theirs = found[0]
    # A separator that follows every prefix is part of it.
    first = {name[len(own)] for name in names}
    shared = first.pop() if len(first) == 1 and first <= SEPARATORS else ""
    return own + shared, theirs + shared


def _common_start(texts: Sequence[str]) -> str:
    return os.path.commonprefix(list(texts))  # noqa: RUF071 - by character, as wanted


def _is_pair(own: str, theirs: str, names: Collection[str]) -> bool:
    """Whether two texts are prefixes, and not parts of joint names."""
    stems = [name[len(own) :] for name in names]
    if own == theirs or not all(any(c.isalpha() for c in stem) for stem in stems):
        return False
    if any(is_side(word) for text in (own, theirs) for word in words_of(text)[-1:]):
        return False
    if all(stem[0] in SEPARATORS for stem in stems):
        return bool(own and theirs)
    if all(not text or text[-1] in SEPARATORS for text in (own, theirs)):
        return True
    return not (own and theirs) and len(names) >= MIN_JOINTS_WITHOUT_SEPARATOR


def same_but_for_prefix(
    names: Sequence[str],
    parents: Sequence[int],
    others: Sequence[str],
    other_parents: Sequence[int],
) -> tuple[dict[str, str], tuple[str, str]] | None:
    """Map from `names` to `others` for hierarchies that differ by a prefix, and both prefixes.

    Joints above all prefixed joints may have the same name in both. None if the hierarchies differ.
    """
    shared = set(names).intersection(others)
    left = [name for name in names if name not in shared]
    apart = prefixes_apart(left, [name for name in others if name not in shared])
    if apart is None or len(names) != len(others):
        return None
    own, theirs = apart
    partner = {name: name if name in shared else theirs + name[len(own) :] for name in names}
    above, above_other = (
        {name: all_names[at] if at >= 0 else None for name, at in zip(all_names, above_each)}
        for all_names, above_each in ((names, parents), (others, other_parents))
    )
    for name in names:
        parent = above[name]
        if (parent and partner[parent]) != above_other[partner[name]]:
            return None
        if name in shared and parent is not None and parent not in shared:
            return None
    return partner, apart


def without_prefix(names: Sequence[str]) -> list[str]:
    """Names without their common prefix, which ends with a separator."""
    prefix = _common_start(names)
    while prefix and (prefix[-1] not in SEPARATORS or any(map(is_side, words_of(prefix)[-1:]))):
        prefix = prefix[:-1]
    return [name[len(prefix) :] for name in names]


def prefix_message(prefixes: tuple[str, str]) -> str:
    """Note about a clip whose names have the first prefix, while other clips have the second."""
    own, theirs = (f"the prefix {text!r}" if text else "no prefix" for text in prefixes)
    others = f"those of the other clips {theirs}; all are treated as one character"
    return f"its joint names have {own}, {others}"


def matched_joints(wanted: Iterable[str], available: Sequence[str]) -> dict[str, int]:
    """Index in `available` of each name that matches, by name or the longest common end.

    Namespaces are ignored, and an end counts only if it is unique on both sides. The remaining
    names may differ by one prefix (:func:`prefixes_apart`).
    """
    names = list(dict.fromkeys(wanted))
    exact = {name: index for index, name in enumerate(available)}
    found = {name: exact[name] for name in names if name in exact}
    if len(found) == len(names):
        return found
    ours, theirs = [_path(name) for name in names], [_path(name) for name in available]
    for length in range(max(map(len, theirs), default=0), 0, -1):
        taken = set(found.values())
        left = _by_end([() if n in found else path for n, path in zip(names, ours)], length)
        free = _by_end([() if i in taken else path for i, path in enumerate(theirs)], length)
        for end, places in left.items():
            if len(places) == 1 and len(free.get(end, ())) == 1:
                found[names[places[0]]] = free[end][0]
    found.update(_by_prefix([name for name in names if name not in found], available, found))
    return {name: found[name] for name in names if name in found}


def _by_prefix(
    wanted: Sequence[str], available: Sequence[str], found: Mapping[str, int]
) -> dict[str, int]:
    """Indices of at least two available joints that differ from the wanted ones by one prefix."""
    free = {name: at for at, name in enumerate(available) if at not in found.values()}
    if min(len(wanted), len(free)) < MIN_JOINTS_BY_PREFIX:
        return {}
    apart = prefixes_apart(wanted, free)
    if apart is None:
        back = prefixes_apart(list(free), wanted)
        apart = back and back[::-1]
    if apart is None:
        return {}
    own, theirs = apart
    partners = {name: theirs + name[len(own) :] for name in wanted if name.startswith(own)}
    return {name: free[other] for name, other in partners.items() if other in free}


def possible_joints(name: str, available: Sequence[str], found: Mapping[str, int]) -> list[str]:
    """Unmatched joints whose name ends in the same part as an ambiguous name."""
    free = (other for at, other in enumerate(available) if at not in found.values())
    return [other for other in free if node_name(other) == node_name(name)]


def _path(name: str) -> tuple[str, ...]:
    return tuple(node_name(part) for part in name.split("|") if part)


def _by_end(paths: Sequence[tuple[str, ...]], length: int) -> dict[tuple[str, ...], list[int]]:
    """Indices of the paths with at least `length` parts, by their last parts."""
    ends: dict[tuple[str, ...], list[int]] = {}
    for place, path in enumerate(paths):
        if len(path) >= length:
            ends.setdefault(path[-length:], []).append(place)
    return ends
