"""Hands, feet and head of a skeleton, found by joint name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..side_names import SideReading, node_name, side_readings, words_of
from ..skeleton import Skeleton
from .jacobian import Effector, ancestors

HEAD = "head"
_WORDS = {"hand": ("hand", "wrist"), "foot": ("foot", "ankle")}
"""Words that name the joint of each end; the first that matches wins."""


def body_ends(skeleton: Skeleton) -> dict[str, int]:
    """Joints of the body's ends: "left hand", "right hand", "left foot", "right foot", "head".

    Ends that the skeleton does not have are left out.
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
    """Whether a name is of this side and ends in this word: "LeftHand", "l_hand", "lhand"."""
    return any(_matches(reading, side, word) for reading in side_readings(node_name(name)))


def _matches(reading: SideReading, side: str, word: str) -> bool:
    words = reading.key.replace("<same>", "").replace("<side>", "").split("_")
    last = [part for part in words if part and part != "|"]
    return reading.side == side and bool(last) and last[-1] == word


def tip_of(skeleton: Skeleton, joint: int) -> Effector:
    """Far end of a joint's bone.

    It is at the joint's first child. A joint without children is taken to be as long as its
    parent's bone.
    """
    children = np.flatnonzero(skeleton.parents == joint)
    source = int(children[0]) if len(children) else joint
    x, y, z = skeleton.offsets[source].tolist()
    return Effector(joint, (x, y, z))


def turning_joints(
    skeleton: Skeleton, effectors: Sequence[Effector], animated: frozenset[str] | None = None
) -> list[int]:
    """Joints that can move the effectors: their own joints and all ancestors except roots.

    Parameters
    ----------
    animated : frozenset of str, optional
        Joints that have animation; None for all.

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
