"""The lines of an Acclaim motion file (AMC), with their values in a table."""

from __future__ import annotations

import itertools
import re
from array import array
from collections.abc import Sequence

import numpy as np

from ..arrays import Booleans, Floats, Integers
from ..errors import AcclaimError
from ..progress import Progress
from .asf_file import without_comment
from .clip_size import too_many_frames
from .frame_columns import FrameColumns
from .number_rows import CHUNK_NUMBERS, LARGEST, bad_line, split_numbers
from .read_limits import ReadLimits
from .source import FilePath
from .text import open_clip

_FRAME_NUMBER = re.compile(rb"[+-]?\d{1,15}")


class AmcFile:
    """An AMC file: frame numbers, and a table of the values of each frame.

    Parameters
    ----------
    path : path-like or str
    names : sequence of str
        Bones of the skeleton, the root included.
    widths : sequence of int
        How many values each of them has in a frame.
    limits : ReadLimits
    progress : callable, optional

    Attributes
    ----------
    columns : FrameColumns
        The values of every frame, joint after joint; zero for bones that are not in it.
    radians : bool or None
        None if the file does not say.
    frame_rate : float or None
        Some writers add it (`:SAMPLES-PER-SECOND`).

    Raises
    ------
    AcclaimError
        With the line.
    """

    def __init__(
        self,
        path: FilePath,
        names: Sequence[str],
        widths: Sequence[int],
        limits: ReadLimits,
        progress: Progress | None = None,
    ) -> None:
        self.text = open_clip(path, limits, AcclaimError, progress)
        self.columns = FrameColumns(sum(widths))
        self.radians: bool | None = None
        self.frame_rate: float | None = None
        self.names = names
        self._widths, self._limits, self._most = widths, limits, limits.max_clip_numbers
        self._size, self._present = 0, [np.zeros((0, len(names)), dtype=bool)]
        self._frame_numbers, self._frame_lines = array("d"), array("q")
        # Of the lines that are not in the table yet.
        self._values, self._lines = array("d"), array("q")
        self._row_frames, self._row_joints = array("q"), array("q")
        self._frame_row = 0  # the first of this frame
        self._twice_line = self._bad_line = 0
        self._read()
        self._put_away()

    @property
    def frame_numbers(self) -> Floats:
        """Frame numbers, shape (frames,)."""
        return np.array(self._frame_numbers, dtype=np.float64)

    @property
    def frame_lines(self) -> Integers:
        """Line of each frame number, shape (frames,)."""
        return np.array(self._frame_lines, dtype=np.int64)

    def present(self) -> Booleans:
        """Tell which frame has which joint, shape (frames, joints).

        Raises
        ------
        AcclaimError
            If a bone is in a frame twice.
        """
        if self._twice_line:
            raise self.text.fail("this bone is in the frame twice", self._twice_line)
        return np.concatenate(self._present)

    def check_finite(self) -> None:
        """Refuse numbers that are not finite.

        Raises
        ------
        AcclaimError
            With the place of the first.
        """
        if self._bad_line:
            _, line = next(itertools.islice(self.text.lines(), self._bad_line - 1, None))
            raise bad_line(self.text, self._bad_line, line, skip_words=1)

    def _read(self) -> None:
        joints = self._joints_by_bytes()
        for number, line in self.text.lines():
            word, *rest = without_comment(line).split(None, 1) or (b"",)
            joint = joints.get(word)
            if joint is not None:
                self._read_bone(number, line, joint, rest[0] if rest else b"")
            elif _FRAME_NUMBER.fullmatch(word) and not rest:
                self._begin_frame(number, word)
            elif word.startswith(b":"):
                self._read_keyword(number, word[1:].lower(), rest)
            elif word:
                shown = ascii(word[:40].decode("latin-1"))
                message = f"{shown} is neither a frame number nor a bone of the skeleton"
                raise self.text.fail(f"{message}; is this the right ASF file?", number)

    def _joints_by_bytes(self) -> dict[bytes, int]:
        """Index of each bone by its name in UTF-8 and, where it fits, in Latin-1."""
        joints: dict[bytes, int] = {}
        for joint, name in enumerate(self.names):
            joints[name.encode("utf-8", "replace")] = joint
            if max(name) <= "\xff":
                joints.setdefault(name.encode("latin-1"), joint)
        return joints

    def _begin_frame(self, line: int, word: bytes) -> None:
        begun = len(self._frame_numbers) - self.columns.frames
        # The lines of bones take some four times the memory of their numbers.
        if 4 * max(len(self._values), begun * len(self.names)) >= CHUNK_NUMBERS:
            self._put_away()
        self._frame_row = len(self._lines)
        self._frame_numbers.append(float(word))
        self._frame_lines.append(line)
        refusal = too_many_frames(len(self._frame_numbers), len(self.names), self._limits)
        if refusal:
            raise self.text.fail(refusal, line)

    def _read_bone(self, number: int, line: bytes, joint: int, rest: bytes) -> None:
        values = split_numbers(rest)
        if values is None:
            raise bad_line(self.text, number, line, skip_words=1)
        if len(values) != self._widths[joint]:
            message = (
                f"bone {self.names[joint]!a} has {len(values)} values in this frame and "
                f"{self._widths[joint]} degrees of freedom in the skeleton"
            )
            raise self.text.fail(message, number)
        if not self._frame_numbers:
            raise self.text.fail("a bone stands before the first frame number", number)
        self._size += len(values)
        if self._size > self._most:
            message = f"has {self._limits.refusal('max_clip_numbers', 'numbers')}"
            raise self.text.fail(message, number)
        self._values.extend(values)
        self._lines.append(number)
        self._row_frames.append(len(self._frame_numbers) - 1)
        self._row_joints.append(joint)
        if len(self._lines) - self._frame_row > len(self.names):
            self._put_away()
            self.present()  # some bone is in the frame twice: no more of it is taken in

    def _put_away(self) -> None:
        """Move the values of whole frames to the table, and note what is wrong with them."""
        begin, joints = self.columns.frames, len(self._widths)
        count = len(self._frame_numbers) - begin
        frames = np.array(self._row_frames, np.int64) - begin
        of_joint, values = np.array(self._row_joints, np.int64), np.array(self._values, np.float64)
        cells = frames * joints + of_joint
        times = np.bincount(cells, minlength=count * joints).reshape(count, joints)
        self._present.append(times > 0)
        widths = np.asarray(self._widths, np.int64)
        counts = widths[of_joint]
        ends = np.cumsum(counts)
        if not self._twice_line and (times > 1).any():
            _, first = np.unique(cells, return_index=True)
            self._twice_line = self._lines[np.setdiff1d(np.arange(len(cells)), first)[0]]
        finite = np.abs(values) < LARGEST
        if not (self._bad_line or finite.all()):
            row = np.searchsorted(ends, np.argmin(finite), side="right")
            self._bad_line = self._lines[int(row)]
        starts = np.cumsum(widths) - widths
        targets = frames * self.columns.width + starts[of_joint]
        table = np.zeros((count, self.columns.width))
        table.reshape(-1)[np.repeat(targets - (ends - counts), counts) + np.arange(len(values))] = (
            values
        )
        self.columns.add(table)
        for held in (self._values, self._lines, self._row_frames, self._row_joints):
            del held[:]

    def _read_keyword(self, number: int, keyword: bytes, rest: list[bytes]) -> None:
        """`:FULLY-SPECIFIED` and keywords of single programs need nothing done."""
        if keyword in (b"degrees", b"radians"):
            self.radians = keyword == b"radians"
        elif keyword in (b"samples-per-second", b"samples"):
            values = split_numbers(rest[0]) if rest else None
            if not values or not 1e-9 <= values[0] <= 1e9:
                raise self.text.fail("needs a number of samples per second", number)
            self.frame_rate = values[0]
