"""How wide the columns of the joint list are, and which of them there is room for."""

from __future__ import annotations

from .joint_model import FINDINGS, JOINT, LAYER, RANGE, SURE, TYPE

LETTERS: dict[int, float] = {
    JOINT: 16,
    TYPE: 10.5,
    RANGE: 10,
    SURE: 11,
    FINDINGS: 5.5,
    LAYER: 9,
}
"""Widths of the columns in letters of the font; what is left is the range's."""
_GIVING_WAY: tuple[tuple[int, float], ...] = (
    (SURE, 6.0),
    (LAYER, 7.0),
    (RANGE, 8.0),
    (LAYER, 0.0),
    (FINDINGS, 0.0),
    (TYPE, 4.3),
    (RANGE, 5.0),
    (SURE, 0.0),
)
"""What becomes narrower, or goes at 0, one after the other; what stays has room for its heading."""


def fitting(room: int, letter: int, name: int) -> dict[int, int]:
    """Widths of the columns that there is room for.

    Parameters
    ----------
    room : int
        Pixels of all columns together.
    letter, name : int
        Pixels of a letter, and those that the names of the joints need.

    Returns
    -------
    dict of int to int
        Column to pixels. The names give way last, and never below a third of the room.
    """
    letters = dict(LETTERS)
    for column, less in (*_GIVING_WAY, (JOINT, letters[JOINT])):
        if _total(letters, letter, name) <= room:
            break
        letters[column] = less
    widths = {c: int(many * letter) for c, many in letters.items() if many and c != JOINT}
    widths[JOINT] = max(min(name, room - sum(widths.values())), room // 3)
    return widths


def _total(letters: dict[int, float], letter: int, name: int) -> int:
    return name + sum(int(many * letter) for c, many in letters.items() if c != JOINT)
