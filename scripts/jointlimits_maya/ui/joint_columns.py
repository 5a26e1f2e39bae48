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
LEAST = 12
"""Letters that are left for names in any case."""
_GIVING_WAY: tuple[tuple[int, float], ...] = (
    (SURE, 6.0),
    (LAYER, 7.0),
    (RANGE, 8.0),
    (JOINT, 0.0),
    (RANGE, 6.0),
    (TYPE, 4.3),
    (RANGE, 5.0),
    (LAYER, 0.0),
    (FINDINGS, 0.0),
    (SURE, 0.0),
)
"""What becomes narrower, or goes at 0, one after the other; what stays has room for its heading.

At their turn the names make do with the least; they never go.
"""


def fitting(room: int, letter: int, name: int, least: int) -> dict[int, int]:
    """Widths of the columns that there is room for.

    Parameters
    ----------
    room : int
        Pixels of all columns together.
    letter : int
        Pixels of a letter.
    name, least : int
        Pixels that the names of the joints need, and those that they can do with.

    Returns
    -------
    dict of int to int
        Column to pixels. What is left over is the range's, then the names', then the range's.
    """
    widths = {column: int(many * letter) for column, many in LETTERS.items()}
    widths[JOINT] = name
    for column, less in _GIVING_WAY:
        if sum(widths.values()) <= room:
            break
        widths[column] = least if column == JOINT else int(less * letter)
    left = room - sum(widths.values())
    wider = min(max(left, 0), int(LETTERS[RANGE] * letter) - widths[RANGE])
    widths[RANGE] += wider
    widths[JOINT] = min(max(widths[JOINT] + left - wider, min(room // 3, least)), name)
    return {column: wide for column, wide in widths.items() if wide}
