"""Body side of a joint from its name.

Rigs write the side as a separate word (``LeftArm``, ``L_arm``, ``arm.l``, ``Bip01 L Thigh``), or
attach it to another word (``lfemur``, ``armleft``). An attached side counts only where the partner
exists too. Namespaces and letter case are ignored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

LEFT, RIGHT = "left", "right"

_SIDE_OF_WORD = {
    **dict.fromkeys(("left", "l", "lf", "lt", "lft", "左"), LEFT),
    **dict.fromkeys(("right", "r", "rt", "rgt", "rht", "右"), RIGHT),
}
# Attached sides: (letters, side), longest first, so that "left" is not read as "l".
_GLUED = (("left", LEFT), ("right", RIGHT), ("左", LEFT), ("右", RIGHT), ("l", LEFT), ("r", RIGHT))
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\W\d_A-Za-z]+")

MOST_WORDS = 32
"""Most words of a name searched for an attached side; longer names are machine-made."""
SPOKEN, GLUED = 0, 1
"""Side as a separate word, or attached to another word."""


@dataclass(frozen=True)
class SideReading:
    """One reading of the side in a name.

    Parameters
    ----------
    side : str
        "left" or "right".
    key : str
        The name without the side: the same for both partners.
    plainness : int
        :data:`SPOKEN` or :data:`GLUED`.
    """

    side: str
    key: str
    plainness: int


def node_name(name: str) -> str:
    """Last part of a path, without its namespaces: "LeftArm" of "|rig|char:LeftArm"."""
    return name.rsplit("|", 1)[-1].rsplit(":", 1)[-1]


def words_of(name: str) -> tuple[str, ...]:
    """Lower-case words of a name, split at capitals, digits and punctuation.

    Parameters
    ----------
    name : str
        Without path and namespace.

    Returns
    -------
    tuple of str
        ``("left", "fore", "arm")`` of "LeftForeArm", ``("index", "01", "l")`` of "index_01_l".
    """
    return tuple(word.lower() for word in _WORD.findall(name))


@lru_cache(maxsize=4096)
def side_readings(name: str) -> tuple[SideReading, ...]:
    """All readings of the side in a joint's name.

    Parameters
    ----------
    name : str
        A short name or a full path, with or without namespaces.

    Returns
    -------
    tuple of SideReading
        One where the side is a separate word; candidates where it may be attached to a word; none
        otherwise.
    """
    spoken = _spoken(name)
    if spoken is not None:
        return (spoken,)
    words = words_of(node_name(name))
    found = []
    for place, word in enumerate(words if len(words) <= MOST_WORDS else ()):
        for side, rest in _glued(word):
            key = "_".join((*words[:place], rest, *words[place + 1 :]))
            found.append(SideReading(side, key, GLUED))
    return tuple(found)


def _spoken(name: str) -> SideReading | None:
    """Reading of a side that is a separate word, in any part of the path.

    The last such word decides. Earlier ones, of parents in the path, are reduced to whether they
    are on the same side: the partner of "L_arm|L_hand" is "R_arm|R_hand".
    """
    parts: list[tuple[str, str | None]] = []
    for node in name.split("|"):
        namespace, _, short = node.rpartition(":")
        parts += [("|" + namespace, None)]
        parts += [(word, _SIDE_OF_WORD.get(word)) for word in words_of(short)]
    sides = [side for _, side in parts if side is not None]
    if not sides:
        return None
    last = sides[-1]
    marks = [
        word if side is None else "<same>" if side == last else "<other>" for word, side in parts
    ]
    return SideReading(last, "_".join(marks), SPOKEN)


def _glued(word: str) -> list[tuple[str, str]]:
    """Sides that a word may begin or end with, each with the rest of the word."""
    found: list[tuple[str, str]] = []
    for letters, side in _GLUED:
        longer = len(word) > len(letters)
        if longer and word.startswith(letters):
            found.append((side, "<side>" + word[len(letters) :]))
        if longer and word.endswith(letters):
            found.append((side, word[: -len(letters)] + "<side>"))
    return found
