"""Frames of an Acclaim motion that have the same lines in the same order, read all at once.

That is what programs write. Whatever differs, in a comment or a number, is left to be read line by
line, and so is what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from .asf_file import without_comment
from .number_grid import number_grid

_FRAME_NUMBER = re.compile(rb"[+-]?\d{1,15}")


@dataclass(frozen=True)
class AlikeFrames:
    """Frames that have the same bones.

    Parameters
    ----------
    numbers : array, shape (frames,)
        Frame numbers.
    step : int
        Lines of a frame.
    joints : tuple of int
        Whose lines they are.
    values : array, shape (frames, width)
        Of all joints of the skeleton; zero for those that are not there.
    """

    numbers: Floats
    step: int
    joints: tuple[int, ...]
    values: Floats


def is_frame_number(line: bytes, joints: Mapping[bytes, int]) -> bool:
    """Whether a line is a frame number alone, and not the name of a bone."""
    word = line.strip()
    return _FRAME_NUMBER.fullmatch(word) is not None and word not in joints


def alike_frames(
    lines: list[bytes], joints: Mapping[bytes, int], widths: Sequence[int]
) -> AlikeFrames | None:
    """Read frames from the first line on that are followed by another frame.

    Parameters
    ----------
    lines : list of bytes
        The first is a frame number; the others may be anything.
    joints : mapping of bytes to int
        By the names of their bones.
    widths : sequence of int
        How many values each of them has in a frame.

    Returns
    -------
    AlikeFrames or None
        All whole frames but the last; None if any of them is not like the first.
    """
    step = _lines_of_frame(lines, joints)
    if step == 0:
        return None
    stop = (len(lines) - 1) // step * step
    heads = lines[: stop + 1 : step]
    if not all(is_frame_number(line, joints) for line in heads):
        return None
    ends = np.cumsum(widths)
    values, found = np.zeros((len(heads) - 1, int(ends[-1]))), []
    for place in range(1, step):
        name = _first_word(lines[place])
        joint = joints.get(name)
        if joint is None or joint in found:
            return None
        bone = _of_one_bone(lines[place:stop:step], name, widths[joint])
        if bone is None:
            return None
        values[:, ends[joint] - widths[joint] : ends[joint]] = bone
        found.append(joint)
    numbers = np.array([float(line) for line in heads[:-1]])
    return AlikeFrames(numbers, step, tuple(found), values)


def _lines_of_frame(lines: list[bytes], joints: Mapping[bytes, int]) -> int:
    """Lines up to the next frame; 0 if it is too far for a frame."""
    near = range(1, min(len(lines), len(joints) + 2))
    return next((number for number in near if is_frame_number(lines[number], joints)), 0)


def _first_word(line: bytes) -> bytes:
    return (without_comment(line).split(None, 1) or [b""])[0]


def _of_one_bone(lines: list[bytes], name: bytes, width: int) -> Floats | None:
    """Values of lines that all begin with the name and the separator that the first one has."""
    if not lines[0].startswith(name):
        return None
    start = b"\n" + lines[0][: len(name) + 1]
    text = b"\n" + b"".join(lines)
    numbers = text.replace(start, b"\n")
    if len(text) - len(numbers) != len(lines) * (len(start) - 1):
        return None
    grid = number_grid(numbers[1:], width)
    return grid if grid is not None and len(grid) == len(lines) else None
