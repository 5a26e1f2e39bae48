"""Frames of an Acclaim motion while it is read: bone by bone, or many frames in bulk.

Consecutive frames with the same lines in the same order, as programs write them, are parsed in
bulk. Any deviation, be it a comment or an error, is left to the line-by-line reader.
"""

from __future__ import annotations

import itertools
import re
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..geometry import Booleans, Floats
from ..motion import FrameColumns
from .asf import without_comment
from .tokens import CHUNK_NUMBERS, number_grid

_FRAME_NUMBER = re.compile(rb"[+-]?\d{1,15}")


@dataclass(frozen=True)
class AlikeFrames:
    """Consecutive frames with the same bones.

    `numbers`, shape (frames,): frame numbers. `step`: lines per frame. `joints`: joint of each
    line. `values`, shape (frames, width): for all joints of the skeleton; zero for those not in the
    file.
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

    The first of `lines` is a frame number; the others may be anything. `joints`: joint of each bone
    name; `widths`: number of values per joint and frame. Returns all complete frames but the last;
    None if any of them differs from the first.
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

    `widths`: number of values per joint and frame. `columns`: values of the frames put away, joint
    after joint; zero for missing bones. `size`: number of values so far. `numbers`, `number_lines`:
    number of each frame, and its line.
    """

    def __init__(self, widths: Sequence[int]) -> None:
        self.columns = FrameColumns(sum(widths))
        self.size = 0
        self.numbers, self.number_lines = array("d"), array("q")
        self._widths = np.asarray(widths, np.int64)
        self._starts = [0, *itertools.accumulate(widths)]
        # Frames not yet put away: their values, and which joints they have.
        self._values, self._has = array("d"), bytearray()
        self._present = [np.zeros((0, len(widths)), dtype=bool)]

    def present(self) -> Booleans:
        """Which frame has which joint, shape (frames, joints); puts all frames away."""
        self._put_away()
        return np.concatenate(self._present)

    def begin(self, number: float, line: int) -> None:
        """Begin a frame."""
        if len(self._values) >= CHUNK_NUMBERS:
            self._put_away()
        self.numbers.append(number)
        self.number_lines.append(line)
        self._values.frombytes(bytes(8 * self.columns.width))
        self._has += bytes(len(self._widths))

    def has_bone(self, joint: int) -> bool:
        """Whether the current frame already has a joint."""
        return bool(self._has[joint - len(self._widths)])

    def add_bone(self, joint: int, values: list[float]) -> None:
        """Add a bone to the current frame."""
        start = len(self._values) - self.columns.width + self._starts[joint]
        self._values[start : start + len(values)] = array("d", values)
        self._has[joint - len(self._widths)] = True
        self.size += len(values)

    def add_alike(self, alike: AlikeFrames, line: int) -> None:
        """Add complete frames; the first starts at `line`."""
        self._put_away()
        count, joints = len(alike.numbers), list(alike.joints)
        self.numbers.extend(alike.numbers.tolist())
        self.number_lines.extend(range(line, line + count * alike.step, alike.step))
        present = np.zeros(len(self._widths), dtype=bool)
        present[joints] = True
        self._present.append(np.broadcast_to(present, (count, len(present))))
        self.columns.add(alike.values)
        self.size += count * int(self._widths[joints].sum())

    def _put_away(self) -> None:
        """Move the values of complete frames to the columns."""
        count = len(self.numbers) - self.columns.frames
        self.columns.add(np.array(self._values, np.float64).reshape(count, self.columns.width))
        has = np.frombuffer(bytes(self._has), dtype=bool)
        self._present.append(has.reshape(count, len(self._widths)))
        self._values, self._has = array("d"), bytearray()
