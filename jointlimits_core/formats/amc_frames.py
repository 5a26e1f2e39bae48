"""Frames of an Acclaim motion while it is read: bone by bone, or many frames in bulk.

Consecutive frames with the same lines in the same order, as programs write them, are parsed in
bulk. Any deviation, be it a comment or an error, is left to the line-by-line reader.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..geometry import Booleans, Floats, Integers
from ..motion import FrameColumns
from .asf import without_comment
from .tokens import CHUNK_NUMBERS, LARGEST, number_grid

_FRAME_NUMBER = re.compile(rb"[+-]?\d{1,15}")


@dataclass(frozen=True)
class AlikeFrames:
    """Consecutive frames with the same bones.

    Parameters
    ----------
    numbers : array, shape (frames,)
        Frame numbers.
    step : int
        Lines per frame.
    joints : tuple of int
        Joint of each line.
    values : array, shape (frames, width)
        For all joints of the skeleton; zero for those not in the file.
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
    """Parse frames from the first line on that are followed by another frame.

    Parameters
    ----------
    lines : list of bytes
        The first is a frame number; the others may be anything.
    joints : mapping of bytes to int
        Joints by bone name.
    widths : sequence of int
        Number of values per joint and frame.

    Returns
    -------
    AlikeFrames or None
        All complete frames but the last; None if any of them differs from the first.
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
    """Lines up to the next frame; 0 if there is none within a plausible distance."""
    near = range(1, min(len(lines), len(joints) + 2))
    return next((number for number in near if is_frame_number(lines[number], joints)), 0)


def _first_word(line: bytes) -> bytes:
    return (without_comment(line).split(None, 1) or [b""])[0]


def _of_one_bone(lines: list[bytes], name: bytes, width: int) -> Floats | None:
    """Values of lines that all start with the name and the separator of the first."""
    if not lines[0].startswith(name):
        return None
    start = b"\n" + lines[0][: len(name) + 1]
    text = b"\n" + b"".join(lines)
    numbers = text.replace(start, b"\n")
    if len(text) - len(numbers) != len(lines) * (len(start) - 1):
        return None
    grid = number_grid(numbers[1:], width)
    return grid if grid is not None and len(grid) == len(lines) else None


class AmcFrames:
    """Frame numbers, values and present bones of the frames read so far.

    Parameters
    ----------
    widths : sequence of int
        Number of values per joint and frame.

    Attributes
    ----------
    columns : FrameColumns
        Values of every frame, joint after joint; zero for missing bones.
    size : int
        Number of values so far.
    twice_line, bad_line : int
        First line that repeats a bone in its frame, and first line with a number that is not
        finite, among frames already in the table; 0 if none.
    """

    def __init__(self, widths: Sequence[int]) -> None:
        self.columns = FrameColumns(sum(widths))
        self.size = self.twice_line = self.bad_line = 0
        self._widths = np.asarray(widths, np.int64)
        self._present = [np.zeros((0, len(widths)), dtype=bool)]
        self._numbers, self._number_lines = array("d"), array("q")
        # Bones not yet moved to the table.
        self._values, self._lines = array("d"), array("q")
        self._of_frame, self._of_joint = array("q"), array("q")
        self._frame_row = 0  # start of the current frame

    @property
    def count(self) -> int:
        """Number of frames begun."""
        return len(self._numbers)

    @property
    def is_overfull(self) -> bool:
        """Whether the frame has more bones than the skeleton, so that one is repeated."""
        return len(self._lines) - self._frame_row > len(self._widths)

    @property
    def numbers(self) -> Floats:
        """Frame numbers, shape (frames,)."""
        return np.array(self._numbers, dtype=np.float64)

    @property
    def number_lines(self) -> Integers:
        """Line of each frame number, shape (frames,)."""
        return np.array(self._number_lines, dtype=np.int64)

    @property
    def present(self) -> Booleans:
        """Which frame of the table has which joint, shape (frames, joints)."""
        return np.concatenate(self._present)

    def begin(self, number: float, line: int) -> None:
        """Begin a frame."""
        waiting = (self.count - self.columns.frames) * len(self._widths)
        # Lines of bones take about four times the memory of their numbers.
        if 4 * max(len(self._values), waiting) >= CHUNK_NUMBERS:
            self.put_away()
        self._frame_row = len(self._lines)
        self._numbers.append(number)
        self._number_lines.append(line)

    def add_bone(self, joint: int, values: list[float], line: int) -> None:
        """Add a bone to the current frame."""
        self._values.extend(values)
        self._lines.append(line)
        self._of_frame.append(self.count - 1)
        self._of_joint.append(joint)
        self.size += len(values)

    def add_alike(self, alike: AlikeFrames, line: int) -> None:
        """Add complete frames; the first starts at `line`."""
        self.put_away()
        count, joints = len(alike.numbers), list(alike.joints)
        self._numbers.extend(alike.numbers.tolist())
        self._number_lines.extend(range(line, line + count * alike.step, alike.step))
        present = np.zeros(len(self._widths), dtype=bool)
        present[joints] = True
        self._present.append(np.broadcast_to(present, (count, len(present))))
        self.columns.add(alike.values)
        self.size += count * int(self._widths[joints].sum())

    def put_away(self) -> None:
        """Move the bones of all frames to the table, and record errors in them."""
        begin, count = self.columns.frames, self.count - self.columns.frames
        joints, lines = np.array(self._of_joint, np.int64), np.array(self._lines, np.int64)
        frames, values = np.array(self._of_frame, np.int64) - begin, np.array(self._values)
        ends = np.cumsum(self._widths[joints])
        self._note_twice(frames * len(self._widths) + joints, count, lines)
        self._note_bad(values, ends, lines)
        table = np.zeros((count, self.columns.width))
        starts = np.cumsum(self._widths) - self._widths
        targets = frames * self.columns.width + starts[joints] - (ends - self._widths[joints])
        places = np.repeat(targets, self._widths[joints]) + np.arange(len(values))
        table.reshape(-1)[places] = values
        self.columns.add(table)
        for held in (self._values, self._lines, self._of_frame, self._of_joint):
            del held[:]

    def _note_twice(self, cells: Integers, count: int, lines: Integers) -> None:
        joints = len(self._widths)
        times = np.bincount(cells, minlength=count * joints).reshape(count, joints)
        self._present.append(times > 0)
        if not self.twice_line and (times > 1).any():
            _, first = np.unique(cells, return_index=True)
            self.twice_line = int(lines[np.setdiff1d(np.arange(len(cells)), first)[0]])

    def _note_bad(self, values: Floats, ends: Integers, lines: Integers) -> None:
        finite = np.abs(values) < LARGEST
        if not (self.bad_line or finite.all()):
            self.bad_line = int(lines[np.searchsorted(ends, np.argmin(finite), side="right")])
