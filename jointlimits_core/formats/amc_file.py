"""Acclaim motion file (AMC), with a line-by-line reader for irregular frames."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ..arrays import Booleans
from ..errors import AcclaimError
from ..progress import Progress
from .amc_alike import AlikeFrames, alike_frames, is_frame_number
from .amc_frames import AmcFrames
from .asf_file import without_comment
from .clip_size import too_many_frames
from .number_rows import bad_line, split_numbers
from .read_limits import ReadLimits
from .source import FilePath
from .text import open_clip


class AmcFile:
    """An AMC file: its settings and its frames.

    Parameters
    ----------
    path : path-like or str
    names : sequence of str
        Bones of the skeleton, including the root.
    widths : sequence of int
        Number of values per bone and frame.
    progress : callable, optional

    Attributes
    ----------
    text : TextFile
    frames : AmcFrames
    radians : bool or None
        None if the file does not state it.
    frame_rate : float or None
        From `:SAMPLES-PER-SECOND`, which some writers add.

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
        self.frames = AmcFrames(widths)
        self.radians: bool | None = None
        self.frame_rate: float | None = None
        self.names = names
        self._widths, self._limits = widths, limits
        self._joints = self._joints_by_bytes()
        for first, lines in self.text.blocks():
            self._read_block(first, lines)
        self.frames.put_away()

    def present(self) -> Booleans:
        """Which frame has which joint, shape (frames, joints).

        Raises
        ------
        AcclaimError
            If a bone is in a frame twice.
        """
        if self.frames.twice_line:
            raise self.text.fail("this bone appears twice in the frame", self.frames.twice_line)
        return self.frames.present

    def check_finite(self) -> None:
        """Reject numbers that are not finite.

        Raises
        ------
        AcclaimError
            With the place of the first.
        """
        bad = self.frames.bad_line
        if bad:
            _, line = next(itertools.islice(self.text.lines(), bad - 1, None))
            raise bad_line(self.text, bad, line, skip_words=1)

    def _read_block(self, first: int, lines: list[bytes]) -> None:
        """Read lines: in bulk where frames are alike, the rest one by one."""
        is_head = (is_frame_number(line, self._joints) for line in lines)
        begin = next(itertools.compress(itertools.count(), is_head), len(lines))
        self._read_lines(first, lines[:begin])
        alike = alike_frames(lines[begin:], self._joints, self._widths)
        if alike is not None and self._has_room(alike):
            self.frames.add_alike(alike, first + begin)
            begin += len(alike.numbers) * alike.step
        self._read_lines(first + begin, lines[begin:])

    def _has_room(self, alike: AlikeFrames) -> bool:
        """Whether frames are within the budget; if not, the first line beyond it is located."""
        count = self.frames.count + len(alike.numbers)
        size = self.frames.size + alike.values.size
        within = size <= self._limits.max_clip_numbers
        return within and not too_many_frames(count, len(self.names), self._limits)

    def _read_lines(self, first: int, lines: list[bytes]) -> None:
        for number, line in enumerate(lines, first):
            word, *rest = without_comment(line).split(None, 1) or (b"",)
            joint = self._joints.get(word)
            if joint is not None:
                self._read_bone(number, line, joint, rest[0] if rest else b"")
            elif word.startswith(b":"):
                self._read_keyword(number, word[1:].lower(), rest)
            elif word and not rest and is_frame_number(word, self._joints):
                self._begin_frame(number, word)
            elif word:
                shown = ascii(word[:40].decode("latin-1"))
                message = f"{shown} is neither a frame number nor a bone of the skeleton"
                raise self.text.fail(f"{message}; is this the right ASF file?", number)

    def _joints_by_bytes(self) -> dict[bytes, int]:
        """Index of each bone by its name in UTF-8 and, where possible, in Latin-1."""
        joints: dict[bytes, int] = {}
        for joint, name in enumerate(self.names):
            joints[name.encode("utf-8", "replace")] = joint
            if max(name) <= "\xff":
                joints.setdefault(name.encode("latin-1"), joint)
        return joints

    def _begin_frame(self, line: int, word: bytes) -> None:
        self.frames.begin(float(word), line)
        refusal = too_many_frames(self.frames.count, len(self.names), self._limits)
        if refusal:
            raise self.text.fail(refusal, line)

    def _read_bone(self, number: int, line: bytes, joint: int, rest: bytes) -> None:
        values = split_numbers(rest)
        if values is None:
            raise bad_line(self.text, number, line, skip_words=1)
        if len(values) != self._widths[joint]:
            message = (
                f"bone {self.names[joint]!a} has {len(values)} values in this frame, expected "
                f"{self._widths[joint]} (its degrees of freedom in the skeleton)"
            )
            raise self.text.fail(message, number)
        if not self.frames.count:
            raise self.text.fail("a bone comes before the first frame number", number)
        self.frames.add_bone(joint, values, number)
        if self.frames.size > self._limits.max_clip_numbers:
            message = f"has {self._limits.refusal('max_clip_numbers', 'numbers')}"
            raise self.text.fail(message, number)
        if self.frames.is_overfull:
            self.frames.put_away()
            self.present()  # a bone appears twice: stop reading the frame

    def _read_keyword(self, number: int, keyword: bytes, rest: list[bytes]) -> None:
        """Read a keyword; `:FULLY-SPECIFIED` and program-specific ones are ignored."""
        if keyword in (b"degrees", b"radians"):
            self.radians = keyword == b"radians"
        elif keyword in (b"samples-per-second", b"samples"):
            values = split_numbers(rest[0]) if rest else None
            if not values or not 1e-9 <= values[0] <= 1e9:
                raise self.text.fail("must be a number of samples per second", number)
            self.frame_rate = values[0]
