"""Names of joints and controls: words, body side, and unique paths.

Rigs write the side as a separate word (``LeftArm``, ``L_arm``, ``arm.l``, ``Bip01 L Thigh``), or
attach it to another word (``lfemur``, ``armleft``). An attached side counts only if the partner
exists, too. Namespaces and letter case are ignored.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from ..base.text import FreeNames

if TYPE_CHECKING:
    from .skeleton import Skeleton

LEFT, RIGHT = "left", "right"

_SIDE_OF_WORD = {
    **dict.fromkeys(("left", "l", "lf", "lt", "lft", "左"), LEFT),
    **dict.fromkeys(("right", "r", "rt", "rgt", "rht", "右"), RIGHT),
}
# Attached sides: (letters, side), longest first, so that "left" is not read as "l".
_ENDS = (("left", LEFT), ("right", RIGHT), ("左", LEFT), ("右", RIGHT), ("l", LEFT), ("r", RIGHT))
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\W\d_A-Za-z]+")

CONTROL_WORDS = frozenset(
    ("ctl", "ctrl", "ctr", "con", "cnt", "control", "controller", "anim", "fk", "fkx")
)
"""Words in the names of controls and FK nodes, beside the words for the part that they move."""
FINGERS = frozenset(("thumb", "index", "middle", "mid", "ring", "pinky", "little"))
FINGER_WORDS = FINGERS | {"finger", "fingers"}
"""Words for a particular finger, or for any finger."""
MAX_WORDS = 32
"""Maximum number of words in a name with an attached side; longer names are machine-made."""
SEPARATE, ATTACHED = 0, 1
"""Side as a separate word, or attached to another word."""


class SideReading(NamedTuple):
    """One reading of the side in a name."""

    side: str
    """Either "left" or "right"."""
    key: str
    """Name without the side, the same for both partners."""
    plainness: int
    """:data:`SEPARATE` or :data:`ATTACHED`."""


def is_side(word: str) -> bool:
    """Whether a lower-case word stands for a side of the body."""
    return word in _SIDE_OF_WORD


def node_name(name: str) -> str:
    """Last part of a path, without its namespaces: "LeftArm" of "|rig|char:LeftArm"."""
    return name.rsplit("|", 1)[-1].rsplit(":", 1)[-1]


def words_of(name: str) -> tuple[str, ...]:
    """Lower-case words of a short name: ("index", "01", "l") of "index_01_l"."""
    return tuple(word.lower() for word in _WORD.findall(name))


def part_words(name: str) -> tuple[str, ...]:
    """Words of a short name without those that mark controls: ("elbow", "l") of "FKElbow_L"."""
    return tuple(word for word in words_of(name) if word not in CONTROL_WORDS)


@lru_cache(maxsize=4096)
def side_readings(name: str) -> tuple[SideReading, ...]:
    """Readings of the side in a name: one for a separate word, or candidates for attached sides."""
    reading = _separate(name)
    if reading is not None:
        return (reading,)
    words = words_of(node_name(name))
    found = []
    for place, word in enumerate(words if len(words) <= MAX_WORDS else ()):
        for letters, side in _ENDS:
            rests = []
            if len(word) > len(letters) and word.startswith(letters):
                rests.append("<side>" + word[len(letters) :])
            if len(word) > len(letters) and word.endswith(letters):
                rests.append(word[: -len(letters)] + "<side>")
            for rest in rests:
                key = "_".join((*words[:place], rest, *words[place + 1 :]))
                found.append(SideReading(side, key, ATTACHED))
    return tuple(found)


def _separate(name: str) -> SideReading | None:
    """Reading of the last side written as a word; earlier sides become "same" or "other"."""
    parts: list[tuple[str, str | None]] = []
    for node in name.split("|"):
        namespace, _, short = node.rpartition(":")
        parts += [("|" + namespace, None)]
        parts += [(word, _SIDE_OF_WORD.get(word)) for word in words_of(short)]
    last = next((side for _, side in reversed(parts) if side is not None), None)
    if last is None:
        return None
    key = "_".join(
        word if side is None else "<same>" if side == last else "<other>" for word, side in parts
    )
    return SideReading(last, key, SEPARATE)


HEAD = "head"
_END_WORDS = {"hand": ("hand", "wrist"), "foot": ("foot", "ankle")}
"""Words that name the joint at each end; the first match wins."""


def body_ends(skeleton: Skeleton) -> dict[str, int]:
    """Joints found at the ends of the body: "left hand", ..., "head"."""
    found: dict[str, int] = {}
    for limb, words in _END_WORDS.items():
        for side, word in product(("left", "right"), words):
            there = [n for n, name in enumerate(skeleton.names) if _is_end(name, side, word)]
            if there:
                found.setdefault(f"{side} {limb}", there[0])
    heads = [n for n, name in enumerate(skeleton.names) if HEAD in words_of(node_name(name))]
    if heads:
        found[HEAD] = heads[0]
    return found


def _is_end(name: str, side: str, word: str) -> bool:
    """Whether a name has this side and ends in this word: "LeftHand", "l_hand", "lhand"."""
    for reading in side_readings(node_name(name)):
        words = re.sub("<same>|<side>", "", reading.key).split("_")
        words = [part for part in words if part not in ("", "|", *CONTROL_WORDS)]
        if reading.side == side and words[-1:] == [word]:
            return True
    return False


MAX_PATHS = 1 << 24
"""Maximum total number of characters in the full paths."""


def joint_paths(names: Sequence[str], parents: Sequence[int]) -> tuple[list[str], list[str]]:
    """Unique names, with full paths instead of repeated names, and the repeated names.

    Paths are joined with "|"; same-named children of one joint are numbered "#2", "#3", ... Raises
    ValueError if the full paths are too long to store.
    """
    count = Counter(names)
    repeated = [name for name, times in count.items() if times > 1]
    free = FreeNames(set(count) - set(repeated), "{}#{}")
    found: list[str] = []
    characters = 0
    for joint, name in enumerate(names):
        if count[name] > 1:
            parts, above = [name], parents[joint]
            while above >= 0:
                parts.append(names[above])
                above = parents[above]
            path = "|".join(reversed(parts))
            characters += len(path)
            if characters > MAX_PATHS:
                raise ValueError("the full paths of same-named joints are too long; rename some")
            name = free.reserve(path)
        found.append(name)
    return found, repeated
