"""Output files that are written completely or not at all, and owners of temporary files."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import stat
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from ..base.progress import was_written

OWNER = r"[0-9a-f]{8}-[0-9]{1,10}"
"""Pattern for the names that :func:`owner` returns."""
MAX_WORK_SECONDS = 24 * 3600.0
"""Seconds after which a file from another computer counts as abandoned."""
_CAN_ASK = os.name == "posix"
"""Whether ``os.kill(pid, 0)`` is safe; on Windows it would terminate the process."""


def owner() -> str:
    """Name of this process, unique among all computers that share a folder."""
    return f"{_computer()}-{os.getpid()}"


def is_abandoned(path: Path, whose: str) -> bool:
    """Whether the owner of a temporary file (``.part``) or folder has abandoned it.

    `whose`: as returned by :func:`owner`. If the owner ran since the last boot of this computer,
    its process must have ended; otherwise the file or folder must be unchanged for
    :data:`MAX_WORK_SECONDS`. A link never counts as abandoned.
    """
    try:
        status = path.lstat()
    except OSError:
        return False  # its owner has removed it
    is_right_kind = stat.S_ISREG if path.name.endswith(".part") else stat.S_ISDIR
    computer, _, number = whose.partition("-")
    if computer != _computer() or not _CAN_ASK:
        is_old = time.time() - status.st_mtime > MAX_WORK_SECONDS
        return is_old and is_right_kind(status.st_mode)
    try:
        os.kill(int(number), 0)
        # A zombie has ended; in a container it may never be reaped.
        text = Path(f"/proc/{number}/stat").read_bytes()
        return is_right_kind(status.st_mode) and text.rpartition(b")")[2].split()[:1] == [b"Z"]
    except (ProcessLookupError, OverflowError):
        return is_right_kind(status.st_mode)
    except OSError:  # the process belongs to another user, or its state is unknown
        return False


@lru_cache(maxsize=1)
def _computer() -> str:
    """Hash of this boot and process namespace, within which process ids are unique."""
    import platform

    parts = [platform.node()]
    with contextlib.suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"))
    with contextlib.suppress(OSError):
        parts.append(os.readlink("/proc/self/ns/pid"))
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:8]


_NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO)
"""Errors of a full or failing disk, for which the system does not name the file."""
_MAX_NAME_BYTES = 255 - 36
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
MAX_LINKS = 40
"""Maximum number of links followed in a row, as in Linux."""
READER_SECONDS = 5.0
"""Maximum time in seconds to wait for the reader of a pipe."""
_OPEN_FILES = re.compile(r"/proc/\d+(/task/\d+)?/fd|/dev/fd")
_PART = rf"({OWNER})\.[a-z0-9_]{{8}}\.part"


@contextlib.contextmanager
def atomic_output(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file whose content goes to `path` when the block succeeds.

    A file at `path`, or the target of a link, is replaced by a temporary file next to it with the
    same permissions; a pipe or a character device is written to. If the block raises, even on
    Ctrl-C, the temporary file is removed and `path` is left unchanged. Temporary files for `path`
    that a killed process left behind are also removed. Raises OSError for folders, sockets, disks,
    and pipes without a reader.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    if _is_stream(target):
        with _streamed_output(target) as stream:
            yield stream
    else:
        # The system follows links to folders, so only a link to the file is followed here.
        real = Path(os.path.realpath(target)) if target.is_symlink() else target
        with _replacing_output(target, real) as stream:
            yield stream
    was_written(target)


def _is_stream(target: Path) -> bool:
    """Whether to write to an output instead of replacing it; OSError if neither is possible."""
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:  # a new file, or the missing target of a link
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(target))
    if stat.S_ISSOCK(mode) or stat.S_ISBLK(mode):
        kind = "a socket" if stat.S_ISSOCK(mode) else "a disk"
        text = f"expected a file, found {kind}; choose another path"
        raise OSError(errno.EINVAL, text, os.fspath(target))
    for _ in range(MAX_LINKS):
        # A file that a process holds open, such as /dev/stdout.
        if not stat.S_ISREG(mode) or _OPEN_FILES.fullmatch(os.path.realpath(target.parent)):
            return True
        if not target.is_symlink():
            break
        target = target.parent / os.readlink(target)
    return False


@contextlib.contextmanager
def _streamed_output(target: Path) -> Iterator[BinaryIO]:
    """Collect the content, and write it to a pipe or device when the block succeeds."""
    import shutil
    import tempfile

    flags = os.O_WRONLY | os.O_APPEND | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_NONBLOCK", 0)
    with tempfile.TemporaryFile() as whole:
        yield whole
        whole.seek(0)
        last = time.monotonic() + READER_SECONDS
        while True:
            try:
                handle = os.open(target, flags)
                break
            except OSError as error:
                if error.errno != errno.ENXIO or not target.is_fifo():
                    raise
                if time.monotonic() > last:
                    text = "nothing reads this pipe; start its reader first"
                    raise OSError(errno.ENXIO, text, os.fspath(target)) from None
                time.sleep(0.05)
        if hasattr(os, "set_blocking"):
            os.set_blocking(handle, True)
        try:
            with os.fdopen(handle, "wb") as stream:
                shutil.copyfileobj(whole, stream)
        except OSError as error:
            error.filename = os.fspath(target)
            raise


@contextlib.contextmanager
def _replacing_output(target: Path, real: Path) -> Iterator[BinaryIO]:
    """Temporary file next to `real`, which it then replaces; `target`: `real`, or a link to it."""
    # Most systems allow names of 255 bytes; the temporary name adds some.
    start = real.name.encode("utf-8", "surrogateescape")[:_MAX_NAME_BYTES].decode("utf-8", "ignore")
    ours = re.compile(rf"\.{re.escape(start)}\.{_PART}")
    for found in filter(None, map(ours.fullmatch, _parts(real.parent))):
        if is_abandoned(real.with_name(found[0]), found[1]):
            with contextlib.suppress(OSError):
                real.with_name(found[0]).unlink()
    try:
        # `tempfile` is slow to import.
        part = f".{start}.{owner()}.{os.urandom(4).hex()}.part"
        name = os.path.join(real.parent, part)
        handle = os.open(name, _NEW, 0o600)
    except OSError as error:
        error.filename = os.fspath(target)  # instead of the temporary name
        if isinstance(error, FileNotFoundError) and real != target:
            error.strerror = f"the link leads to a folder that does not exist, {real.parent}"
        raise
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        # Use the permissions of the replaced file, or the default for a new file.
        mask = os.umask(0)
        os.umask(mask)
        mode = real.lstat().st_mode if real.exists() and not real.is_symlink() else 0o666 & ~mask
        os.chmod(name, mode & 0o777)
        os.replace(name, real)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(name)
        if isinstance(error, OSError) and (
            error.filename == name or (error.filename is None and error.errno in _NO_ROOM)
        ):
            error.filename, error.filename2 = os.fspath(target), None
        raise


def move_to_output(made: Path, path: Path) -> None:
    """Move a finished file to `path`, which must be on the same file system unless it is a link."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_symlink():
        os.replace(made, path)
        return
    import shutil

    with atomic_output(path) as stream, open(made, "rb") as source:
        shutil.copyfileobj(source, stream)
    made.unlink()


@lru_cache(maxsize=1)
def _parts(folder: Path) -> tuple[str, ...]:
    """Names of the temporary files in a folder when this process first writes to it."""
    with contextlib.suppress(OSError):
        return tuple(name for name in os.listdir(folder) if name.endswith(".part"))
    return ()


def write_text_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Write text as UTF-8, with line endings unchanged, completely or not at all."""
    with atomic_output(path) as stream:
        stream.write(text.encode("utf-8"))
