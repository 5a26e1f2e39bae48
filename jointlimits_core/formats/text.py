"""Text files from other people: read in pieces, checked on the way, never more than was agreed."""

from __future__ import annotations

import hashlib
import io
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError
from ..motion import SourceFile
from .read_limits import ReadLimits
from .source import PIECE, FilePath


@dataclass(frozen=True)
class TextFile:
    """The bytes of a text file with line feeds alone at the line ends, without a byte order mark.

    Parameters
    ----------
    path : path-like or str
        As the caller gave it.
    source : SourceFile
        Hash of the bytes as they are on disk.
    data : bytes
    error : type of InputError
        What is raised for this format.
    """

    path: FilePath
    source: SourceFile
    data: bytes
    error: type[InputError]

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Number (from 1) and bytes of each line; no list of all lines is made."""
        return enumerate(io.BytesIO(self.data), 1)

    def fail(self, message: str, line: int | None = None, column: int | None = None) -> InputError:
        """Error of this file, to be raised by the caller."""
        return self.error(self.path, message, line, column)


def _reason(problem: OSError) -> str:
    if isinstance(problem, FileNotFoundError):
        return "there is no such file"
    return f"cannot be read: {problem.strerror or problem}"


def check_regular(path: FilePath, error: type[InputError]) -> None:
    """Refuse what cannot be read to its end: nothing, directories, devices, pipes."""
    try:
        status = os.stat(path)
    except OSError as problem:
        raise error(path, _reason(problem)) from None
    except ValueError as problem:  # a zero byte or a lone surrogate in the name
        raise error(ascii(os.fspath(path)), f"is not a usable path: {problem}") from None
    if stat.S_ISDIR(status.st_mode):
        raise error(path, "is a directory; name a motion file in it")
    if not stat.S_ISREG(status.st_mode):
        raise error(path, "is not a regular file")


def read_head(path: FilePath, size: int = 4096) -> bytes:
    """First bytes of a file.

    Raises
    ------
    InputError
        If there is no such file, it is a directory or a device, or it cannot be read.
    """
    check_regular(path, InputError)
    try:
        with open(path, "rb") as stream:
            return stream.read(size)
    except OSError as problem:
        raise InputError(path, _reason(problem)) from None


def read_text(path: FilePath, limits: ReadLimits, error: type[InputError]) -> TextFile:
    """Read a text file of any line ends.

    Parameters
    ----------
    path : path-like or str
    limits : ReadLimits
    error : type of InputError
        Raised for this format.

    Returns
    -------
    TextFile

    Raises
    ------
    InputError
        Of the given type: missing, a directory, unreadable, empty, binary, UTF-16, too large, or
        with too long a line. At most `max_file_bytes` and a piece are held.
    """
    check_regular(path, error)
    try:
        with open(path, "rb") as stream:
            data = _checked(stream, path, limits, error)
    except OSError as problem:
        raise error(path, _reason(problem)) from None
    source = SourceFile(Path(path).as_posix(), hashlib.sha256(data).hexdigest())
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if not data.strip():
        raise error(path, "is empty")
    return TextFile(path, source, data, error)


def _checked(
    stream: io.BufferedReader,
    path: FilePath,
    limits: ReadLimits,
    error: type[InputError],
) -> bytes:
    """All bytes of a stream, unless they break a limit."""
    whole = bytearray()
    open_line = 0  # bytes since the last line end
    # A line that lies inside one piece is then never longer than the limit.
    for piece in iter(lambda: stream.read(min(PIECE, limits.max_line_bytes)), b""):
        if not whole and piece.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise error(path, "is UTF-16 text; save it as UTF-8 or ASCII")
        if b"\0" in piece:
            raise error(path, "is a binary file, not text")
        whole += piece
        if len(whole) > limits.max_file_bytes:
            raise error(path, f"is larger than max_file_bytes = {limits.max_file_bytes}")
        first = min((at for at in map(piece.find, (b"\n", b"\r")) if at >= 0), default=len(piece))
        if open_line + first > limits.max_line_bytes:
            before = len(whole) - len(piece)
            line = 1 + (whole.count(b"\n", 0, before) or whole.count(b"\r", 0, before))
            message = f"a line is longer than max_line_bytes = {limits.max_line_bytes}"
            raise error(path, message, line)
        last = max(map(piece.rfind, (b"\n", b"\r")))
        open_line = len(piece) - last - 1 if last >= 0 else open_line + len(piece)
    return bytes(whole)
