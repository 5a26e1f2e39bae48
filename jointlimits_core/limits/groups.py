"""Groups of joints in lists and pictures: the limbs of a body, or the fingers of a hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from ..motion import joint_names, mirror
from .priors import body_parts

_LIMBS = {
    **dict.fromkeys(("shoulder", "elbow", "forearm", "wrist"), "arm"),
    **dict.fromkeys(("hip", "knee", "ankle", "toes"), "leg"),
}
MIN_GROUPS = 2
"""Minimum number of groups that joint names must reveal: one word alone says little."""


def joint_groups(parents: Mapping[str, str | None]) -> dict[str, tuple[str, ...]]:
    """Joints by the part of the body that they belong to, found by their names and their tree.

    A body has "spine and head", "left arm", "left hand", "left leg" and their partners; a single
    hand has "wrist and palm", "thumb", "index" and so on. Joints above a part belong to it if they
    carry nothing else, as a clavicle does; joints at the end of a part belong to it.

    Parameters
    ----------
    parents : Mapping[str, str | None]
        Parent of every joint, by joint name; unknown parents count as none.

    Returns
    -------
    dict[str, tuple[str, ...]]
        Joints by group, both in the order of the skeleton, every joint in one group; empty if fewer
        than two groups are known.
    """
    return dict(_joint_groups(tuple(parents.items())))


@lru_cache(maxsize=8)
def _joint_groups(tree: tuple[tuple[str, str | None], ...]) -> dict[str, tuple[str, ...]]:
    parents = dict(tree)
    known, trunk = _body_groups(list(parents)), "spine and head"
    if not any(group.endswith((" arm", " leg")) for group in known.values()):
        known, trunk = _fingers(list(parents)), "wrist and palm"
    if len(set(known.values())) < MIN_GROUPS:
        return {}
    above = {name: _ancestors(parents, name) for name in parents}
    below: dict[str, set[str]] = {}
    for name, group in list(known.items()):
        arm = group.replace(" hand", " arm")
        arms_above = arm in known.values() and [known.get(other) for other in above[name]]
        if group != arm and arms_above and arm not in arms_above:
            del known[name]  # the name of an eye or a prop may contain a word for a finger
            continue
        for other in above[name]:
            below.setdefault(other, set()).add(group)
    for name in parents:
        if name not in known and below.get(name):
            known[name] = _group_above(below[name]) or trunk
    found: dict[str, list[str]] = {}
    for name in parents:
        nearest = (known[other] for other in (name, *above[name]) if other in known)
        found.setdefault(next(nearest, "others"), []).append(name)
    return {group: tuple(names) for group, names in found.items()}


def _ancestors(parents: Mapping[str, str | None], name: str) -> list[str]:
    """Ancestors of a joint, nearest first; a cycle in the tree ends the list."""
    found: list[str] = []
    parent = parents[name]
    while parent is not None and parent in parents and parent not in found:
        found.append(parent)
        parent = parents[parent]
    return found


def _group_above(below: set[str]) -> str:
    """Group of a joint above these groups: their limb if they share one, else ""."""
    limbs = {group for group in below if not group.endswith(" hand")} or below
    sides = {group.partition(" ")[0] for group in below}
    return next(iter(limbs)) if len(limbs) == len(sides) == 1 else ""


def _body_groups(names: Sequence[str]) -> dict[str, str]:
    """Groups of joints whose names reveal them: "left arm"; fingers are in "left hand"."""
    partner, parts, found = mirror.partners(names), body_parts(names), {}
    for row, name in enumerate(names):
        part = "hand" if partner[row] >= 0 and _finger_of(name) else _LIMBS.get(parts.get(name, ""))
        readings = joint_names.side_readings(name)
        if part and readings:
            found[name] = f"{readings[0].side} {part}"
    return found


def _fingers(names: Sequence[str]) -> dict[str, str]:
    return {name: finger for name in names if (finger := _finger_of(name))}


def _finger_of(name: str) -> str:
    """Finger in a joint's name, such as "thumb"; "" for other joints."""
    words = joint_names.words_of(joint_names.node_name(name))
    return next((word for word in words if word in joint_names.FINGER_WORDS), "")
