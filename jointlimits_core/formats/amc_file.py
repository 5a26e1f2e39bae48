"""The lines of an Acclaim motion file (AMC), with their values in one flat array."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence

import numpy as np

from ..arrays import Floats, Integers
from ..errors import AcclaimError
from .asf_file import without_comment
from .number_rows import NumberRows, split_numbers
from .read_limits import ReadLimits
from .source import FilePath
from .text import read_text

_FRAME_NUMBER = re.compile(rb"[+-]?\d{1,15}")


class AmcFile:
    """An AMC file: frame numbers, and rows of values that belong to a frame and a joint.

    Parameters
    ----------
    path : path-like or str
    names : sequence of str
        Bones of the skeleton, the root included.
    widths : sequence of int
        How many values each of them has in a frame.
    limits : ReadLimits

    Attributes
    ----------
    rows : NumberRows
        The values of each bone line.
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
        self, path: FilePath, names: Sequence[str], widths: Sequence[int], limits: ReadLimits
    ) -> None:
        self.text = read_text(path, limits, AcclaimError)
        self.rows = NumberRows(self.text, limits, skip_words=1)
        self.radians: bool | None = None
        self.frame_rate: float | None = None
        self.names = names
        self._widths, self._most = widths, limits.max_numbers
        self._frame_numbers, self._frame_lines = array("d"), array("q")
        self._row_frames, self._row_joints = array("q"), array("q")
        self._read()

    @property
    def frame_numbers(self) -> Floats:
        """Frame numbers, shape (frames,)."""
        return np.array(self._frame_numbers, dtype=np.float64)

    @property
    def frame_lines(self) -> Integers:
        """Line of each frame number, shape (frames,)."""
        return np.array(self._frame_lines, dtype=np.int64)

    @property
    def row_frames(self) -> Integers:
        """Position of the frame that each row belongs to, shape (rows,)."""
        return np.array(self._row_frames, dtype=np.int64)

    @property
    def row_joints(self) -> Integers:
        """Index of the joint that each row belongs to, shape (rows,)."""
        return np.array(self._row_joints, dtype=np.int64)

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
        self._frame_numbers.append(float(word))
        self._frame_lines.append(line)
        if len(self._frame_numbers) > self._most:
            raise self.text.fail(f"has more frames than max_numbers = {self._most}", line)

    def _read_bone(self, number: int, line: bytes, joint: int, rest: bytes) -> None:
        values = split_numbers(rest)
        if values is None:
            raise self.rows.bad_line(number, line)
        if len(values) != self._widths[joint]:
            message = (
                f"bone {self.names[joint]!a} has {len(values)} values in this frame and "
                f"{self._widths[joint]} degrees of freedom in the skeleton"
            )
            raise self.text.fail(message, number)
        if not self._frame_numbers:
            raise self.text.fail("a bone stands before the first frame number", number)
        self.rows.add(number, values)
        self._row_frames.append(len(self._frame_numbers) - 1)
        self._row_joints.append(joint)

    def _read_keyword(self, number: int, keyword: bytes, rest: list[bytes]) -> None:
        """`:FULLY-SPECIFIED` and keywords of single programs need nothing done."""
        if keyword in (b"degrees", b"radians"):
            self.radians = keyword == b"radians"
        elif keyword in (b"samples-per-second", b"samples"):
            values = split_numbers(rest[0]) if rest else None
            if not values or not 1e-9 <= values[0] <= 1e9:
                raise self.text.fail("needs a number of samples per second", number)
            self.frame_rate = values[0]
