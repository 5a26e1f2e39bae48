"""The ends of a body: hands, feet and head, found by the names of their joints."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..side_names import SideReading, node_name, side_readings, words_of
from ..skeleton import Skeleton
from .jacobian import Effector, ancestors

HEAD = "head"
_WORDS = {"hand": ("hand", "wrist"), "foot": ("foot", "ankle")}
"""Joints that hold an end; of several the one that is named first here."""


def body_ends(skeleton: Skeleton) -> dict[str, int]:
    """Joints that hold the ends of a body.
    Returns
    -------
    dict of str to joint index
        "left hand", "right hand", "left foot", "right foot" and "head", as far as there is one.
    """
    found: dict[str, int] = {}
    for limb, words in _WORDS.items():
        for side in ("left", "right"):
            for word in words:
                there = [n for n, name in enumerate(skeleton.names) if _is(name, side, word)]
                if there:
                    found.setdefault(f"{side} {limb}", there[0])
    heads = [n for n, name in enumerate(skeleton.names) if HEAD in words_of(node_name(name))]
    if heads:
        found[HEAD] = heads[0]
    return found


def _is(name: str, side: str, word: str) -> bool:
    """Whether a name says this side and ends in this word: "LeftHand", "l_hand", "lhand"."""
    return any(_says(reading, side, word) for reading in side_readings(node_name(name)))


def _says(reading: SideReading, side: str, word: str) -> bool:
    words = reading.key.replace("<same>", "").replace("<side>", "").split("_")
    last = [part for part in words if part and part != "|"]
    return reading.side == side and bool(last) and last[-1] == word


def tip_of(skeleton: Skeleton, joint: int) -> Effector:
    """The far end of a joint's bone.
    Returns
    -------
    Effector
        At the joint's first child; a joint without children ends as far on as it is away from its
        parent.
    """
    children = np.flatnonzero(skeleton.parents == joint)
    source = int(children[0]) if len(children) else joint
    x, y, z = skeleton.offsets[source].tolist()
    return Effector(joint, (x, y, z))


def turning_joints(
    skeleton: Skeleton, effectors: Sequence[Effector], animated: frozenset[str] | None = None
) -> list[int]:
    """Joints that can move effectors: those that hold them and all above, without the roots.

    Parameters
    ----------
    animated : frozenset of str, optional
        Joints that turn at all; None for all.

    Returns
    -------
    list of int
        In the order of the skeleton.
    """
    chain = {joint for effector in effectors for joint in ancestors(skeleton, effector.joint)}
    return [
        joint
        for joint in sorted(chain)
        if not skeleton.is_root(joint) and (animated is None or skeleton.names[joint] in animated)
    ]
