"""Untrusted text files: read in pieces, checked on the way, within the input budget."""

from __future__ import annotations

import hashlib
import io
import itertools
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..base.errors import InputError
from ..base.progress import Progress, report_progress, share, was_read
from ..base.text import byte_words
from ..io.input import PIECE, FilePath, ReadLimits, SourceFile, open_regular, read_error_reason

OTHER = "name a motion file in it"
"""Advice for a directory."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_RETURN, _FEED = b"\r\n"

HELD_BYTES = 64 << 20
"""Size up to which a clip's file is held in memory; larger ones are read twice, once to check
and hash, once to parse."""

CHECKING, READING, COLUMNS, TURNING = (0.0, 0.07), (0.07, 0.66), (0.66, 0.8), (0.8, 1.0)
"""Shares of the steps in the time to read a long clip."""


@dataclass(frozen=True)
class TextFile:
    """The bytes of a text file with line feeds as line ends and without a byte order mark.

    `path`: as given by the caller. `source`: hash of the bytes on disk. `error`: exception for this
    format.
    """

    path: FilePath
    source: SourceFile
    data: bytes
    error: type[InputError]

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Number (from 1) and bytes of each line, without building a list."""
        lines = (piece.splitlines(keepends=True) for piece in self.pieces())
        return enumerate(itertools.chain.from_iterable(lines), start=1)

    def pieces(self) -> Iterator[bytes]:
        """Whole lines of one piece of the file at a time."""
        begin = 0
        while begin < len(self.data):
            end = self.data.find(b"\n", begin + PIECE - 1) + 1 or len(self.data)
            yield self.data[begin:end]
            begin = end

    def fail(self, message: str, line: int | None = None, column: int | None = None) -> InputError:
        """Return an error of this file, for the caller to raise."""
        return self.error(self.path, message, line, column)


@dataclass(frozen=True)
class StreamedText(TextFile):
    """A text file whose lines come from disk; `data` is empty.

    `size`: bytes on disk. `most`: longest line found by the check, or an upper bound. `progress`:
    receives the progress of reading.
    """

    size: int = 0
    most: int = 0
    progress: Progress | None = None

    def pieces(self) -> Iterator[bytes]:
        """Whole lines of each piece, read on demand.

        Raises InputError at the end, if the bytes differ from those hashed.
        """
        rest = b""
        for piece in _one_line_end(self._pieces()):
            rest += piece
            end = rest.rfind(b"\n") + 1
            yield rest[:end]
            rest = rest[end:]
            if len(rest) > self.most:
                raise self._changed()
        if rest:
            yield rest

    def _pieces(self) -> Iterator[bytes]:
        """Pieces of the file, hashed again to ensure that the recorded hash matches."""
        digest, done, label = hashlib.sha256(), 0, f"reading {Path(self.path).name}"
        try:
            with open_regular(self.path, self.error, OTHER) as stream:
                for piece in iter(lambda: stream.read(PIECE), b""):
                    digest.update(piece)
                    yield piece
                    done += len(piece)
                    report_progress(share(self.progress, *READING), done, self.size, label)
        except OSError as problem:
            raise self.error(self.path, read_error_reason(problem)) from None
        if digest.hexdigest() != self.source.sha256:
            raise self._changed()

    def _changed(self) -> InputError:
        message = "changed while it was read; try again when nothing writes to it"
        return self.error(self.path, message)


def _one_line_end(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Pieces without a byte order mark and with line feeds as line ends."""
    import numpy as np  # here, as a batch hands out work without it

    held = b""
    for number, piece in enumerate(pieces):
        if number == 0 and piece.startswith(BYTE_ORDER_MARK):
            piece = piece[len(BYTE_ORDER_MARK) :]
        if held or b"\r" in piece:
            piece = held + piece
            # The other half of a line end may be in the next piece.
            held = b"\r" if piece.endswith(b"\r") else b""
            signs = np.frombuffer(piece[: len(piece) - len(held)], np.uint8).copy()
            signs[:-1][(signs[:-1] == _RETURN) & (signs[1:] != _FEED)] = _FEED
            piece = signs.tobytes().translate(None, b"\r")
        yield piece
    if held:
        yield b"\n"


def read_text(
    path: FilePath,
    limits: ReadLimits,
    error: type[InputError],
    longest_line: int = ReadLimits.max_line_bytes,
) -> TextFile:
    """Read a text file with any line ends.

    `error`: exception for this format. `longest_line`: in bytes. Raises InputError of the given
    type: missing, a directory, unreadable, empty, binary, UTF-16, too large, or with too long a
    line. Holds at most `max_bytes` and a piece.
    """
    return _read(path, limits, error, longest_line, limits.max_bytes, None)


def open_clip(
    path: FilePath, limits: ReadLimits, error: type[InputError], progress: Progress | None = None
) -> TextFile:
    """Open the text of a clip; a large file is read from disk line by line.

    Both kinds have the same lines. `error`: exception for this format. `progress` receives the
    progress of large files, as the first shares of reading a clip. Raises InputError, as
    :func:`read_text`, with `max_bytes`. Holds at most :data:`HELD_BYTES`. Raises Cancelled if
    `progress` returned False.
    """
    return _read(path, limits, error, limits.max_line_bytes, HELD_BYTES, progress)


def _read(
    path: FilePath,
    limits: ReadLimits,
    error: type[InputError],
    longest_line: int,
    most_held: int,
    progress: Progress | None,
) -> TextFile:
    size, held, blank = 0, list[bytes](), True
    label = f"checking {Path(path).name}"
    try:
        with open_regular(path, error, OTHER) as stream:
            total = os.fstat(stream.fileno()).st_size
            digest = hashlib.sha256()
            for piece in _checked(stream, path, limits, error, longest_line):
                digest.update(piece)
                blank = blank and piece.isspace()
                if size <= most_held:
                    held.append(piece)
                size += len(piece)
                if size > most_held:
                    held.clear()
                    report_progress(share(progress, *CHECKING), size, total, label)
    except OSError as problem:
        raise error(path, read_error_reason(problem)) from None
    source = SourceFile(Path(path).as_posix(), digest.hexdigest())
    was_read(path, source.sha256)
    if size > most_held:
        if blank:
            raise error(path, "is empty; copy or export it again")
        return StreamedText(path, source, b"", error, size, longest_line, progress)
    data = b"".join(_one_line_end(iter(held)))
    if not data or data.isspace():
        raise error(path, "is empty; copy or export it again")
    return TextFile(path, source, data, error)


def _checked(
    stream: io.BufferedReader,
    path: FilePath,
    limits: ReadLimits,
    error: type[InputError],
    longest_line: int,
) -> Iterator[bytes]:
    """Pieces of a stream, checked against the budget."""
    import numpy as np  # here, as a batch hands out work without it

    size = open_line = 0  # bytes; since the last line end
    feeds = returns = 0
    # A line inside one piece is then never longer than the limit.
    for piece in iter(lambda: stream.read(min(PIECE, longest_line)), b""):
        if not size and piece.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise error(path, "is UTF-16 text; save it as UTF-8 or ASCII")
        if b"\0" in piece:
            raise error(path, "is a binary file, not text")
        size += len(piece)
        if size > limits.max_bytes:
            raise error(path, limits.refusal("max_bytes", "bytes", subject="has"))
        first = min((at for at in map(piece.find, (b"\n", b"\r")) if at >= 0), default=len(piece))
        if open_line + first > longest_line:
            message = f"a line has more than {byte_words(longest_line)}, the most that are read"
            raise error(path, message, 1 + (feeds or returns))
        yield piece
        signs = np.frombuffer(piece, np.uint8)
        feeds += int(np.count_nonzero(signs == _FEED))
        returns += int(np.count_nonzero(signs == _RETURN))
        last = max(map(piece.rfind, (b"\n", b"\r")))
        open_line = len(piece) - last - 1 if last >= 0 else open_line + len(piece)
