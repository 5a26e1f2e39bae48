"""Column widths of the joint list, and the columns that fit."""

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
"""Widths of the columns in characters; the remaining width goes to the range."""
LEAST = 12
"""Minimum width of the names, in characters."""
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
"""Columns that shrink, or disappear at 0, in this order; those that remain fit their headings.

At its turn the name column shrinks to its minimum; it never disappears.
"""


def fitting(room: int, letter: int, name: int, least: int) -> dict[int, int]:
    """Widths of the columns that fit.

    Parameters
    ----------
    room : int
        Width of all columns together.
    letter : int
        Width of a character.
    name, least : int
        Preferred and minimum width of the names of the joints.

    Returns
    -------
    dict of int to int
        Column to pixels. Spare width goes to the range, then to the names, then to the range.
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
