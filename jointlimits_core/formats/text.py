"""Files that are read once, in full, and lines of untrusted text."""

from __future__ import annotations

import hashlib
import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..base import errors, text
from ..base.findings import Finding
from ..base.progress import Progress, report_progress, share, was_read
from ..io.input import (
    DEFAULT_LIMITS,
    PIECE_BYTES,
    FilePath,
    ReadLimits,
    SourceFile,
    file_state,
    open_regular,
)

DIRECTORY_ADVICE = "choose a motion file in it"
"""Advice if the path is a directory."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

READING, COLUMNS, TURNING = (0.0, 0.66), (0.66, 0.8), (0.8, 1.0)
"""Start and end of each step of reading a long clip, as shares of the total time."""


class WholeFile(os.PathLike[str]):
    """A file whose bytes are read once, on first use; it can be passed instead of its path.

    `error`: exception type to raise. `advice`: what to do instead of naming a directory.
    """

    def __init__(
        self,
        path: FilePath,
        limits: ReadLimits = DEFAULT_LIMITS,
        error: type[errors.InputError] = errors.InputError,
        advice: str = DIRECTORY_ADVICE,
    ) -> None:
        self.path, self.limits, self._error, self._advice = os.fspath(path), limits, error, advice

    def __fspath__(self) -> str:
        return self.path

    @cached_property
    def data(self) -> bytes:
        """The bytes; raises InputError if the file is empty or exceeds the budget."""
        return self._read[0]

    @cached_property
    def source(self) -> SourceFile:
        """Path and hash of the file."""
        source = SourceFile(Path(self.path).as_posix(), hashlib.sha256(self.data).hexdigest())
        was_read(self.path, source.sha256)
        return source

    @property
    def is_unchanged(self) -> bool:
        """Whether the file on disk is still the one that was read."""
        return file_state(self.path) == self._read[1]

    @cached_property
    def _read(self) -> tuple[bytes, tuple[int, ...] | None]:
        before = file_state(self.path)
        with open_regular(self.path, self._error, self._advice) as stream:
            # A read allocates the requested size, even for a short file.
            size = os.fstat(stream.fileno()).st_size
            data = b"" if size > self.limits.max_bytes else stream.read(size + 1)
        if max(size, len(data)) > self.limits.max_bytes:
            refusal = self.limits.refusal("max_bytes", "bytes", subject="has")
            raise self._error(self.path, refusal)
        if not data or data.isspace():
            raise self._error(self.path, "is empty; copy or export it again")
        if file_state(self.path) != before:
            message = "changed while it was being read; try again when nothing is writing to it"
            raise self._error(self.path, message)
        return data, before


def whole_file(
    path: FilePath,
    limits: ReadLimits,
    error: type[errors.InputError],
    advice: str = DIRECTORY_ADVICE,
) -> WholeFile:
    """Return `path` itself if it is a :class:`WholeFile`, or else the file at that path."""
    return path if isinstance(path, WholeFile) else WholeFile(path, limits, error, advice)


@dataclass(frozen=True)
class TextFile:
    """The bytes of a text file, with line feeds as line ends and without a byte order mark.

    `path`: as the caller gave it. `source`: path, and hash of the bytes on disk. `error`: exception
    for this format. `progress`: receives progress as the lines are read.
    """

    path: FilePath
    source: SourceFile
    data: bytes
    error: type[errors.InputError]
    progress: Progress | None = None

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Number (from 1) and bytes of each line, without building a list."""
        lines = (piece.splitlines(keepends=True) for piece in self.pieces())
        return enumerate(itertools.chain.from_iterable(lines), start=1)

    def pieces(self) -> Iterator[bytes]:
        """Pieces of the file, each ending at the end of a line."""
        begin, label = 0, f"reading {Path(self.path).name}"
        while begin < len(self.data):
            end = self.data.find(b"\n", begin + PIECE_BYTES - 1) + 1 or len(self.data)
            yield self.data[begin:end]
            begin = end
            report_progress(share(self.progress, *READING), begin, len(self.data), label)

    def fail(
        self, message: str, line: int | None = None, column: int | None = None
    ) -> errors.InputError:
        """Return an error about this file, for the caller to raise."""
        return self.error(self.path, message, line, column)


def repeated_names(names: Sequence[str], clip: str | None = None) -> list[Finding]:
    """Finding about names that several joints of a file share; none if there are no such names."""
    if not names:
        return []
    shown = ", ".join(repr(name) for name in names[:5])
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    message = f"joint names are used more than once ({shown}{more}); full paths are used instead"
    return [Finding("duplicate-names", message, clip=clip)]


def read_text(
    path: FilePath,
    limits: ReadLimits,
    error: type[errors.InputError],
    longest_line: int | None = None,
    progress: Progress | None = None,
) -> TextFile:
    """Read a text file with any line ends.

    `error`: exception for this format. `longest_line`: maximum length of a line in bytes; by
    default that of the budget. `progress`: receives progress as the lines are read. Raises an
    `error` if the file is missing, a directory, unreadable, empty, binary, UTF-16, or larger than
    `max_bytes`, or has too long a line.
    """
    file = whole_file(path, limits, error)
    data = file.data
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise error(path, "is UTF-16 text; save it as UTF-8 or ASCII")
    if b"\0" in data:
        raise error(path, "is a binary file, not text")
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    data = data.removeprefix(BYTE_ORDER_MARK)
    if not data or data.isspace():
        raise error(path, "is empty; copy or export it again")
    begin, longest_line = 0, longest_line or limits.max_line_bytes
    while len(data) - begin > longest_line:
        end = data.rfind(b"\n", begin, begin + longest_line + 1) + 1
        if not end:
            most = text.byte_words(longest_line)
            message = f"a line has more than {most}, the maximum"
            raise error(path, message, data.count(b"\n", 0, begin) + 1)
        begin = end
    return TextFile(path, file.source, data, error, progress)
