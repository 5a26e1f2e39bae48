"""Output files, written completely or not at all, and who owns a temporary one."""

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
"""Pattern of the names that :func:`owner` returns."""
LONGEST_WORK = 24 * 3600.0
"""Seconds after which a file of another computer counts as abandoned."""
_CAN_ASK = os.name == "posix"
"""On Windows ``os.kill(pid, 0)`` would terminate the process."""


def owner() -> str:
    """Name of this process, unique among all computers that share a folder."""
    return f"{_computer()}-{os.getpid()}"


def is_abandoned(whose: str, age: float) -> bool:
    """Whether the owner of a temporary file has abandoned it.

    `whose`: as returned by :func:`owner`. `age`: seconds since it was last changed. On this
    computer since its last start: whether the process has ended; otherwise whether `age` exceeds
    :data:`LONGEST_WORK`.
    """
    computer, _, number = whose.partition("-")
    if computer != _computer() or not _CAN_ASK:
        return age > LONGEST_WORK
    return not _is_there(int(number))


@lru_cache(maxsize=1)
def _computer() -> str:
    """Hash of this boot and process namespace, within which process ids are unique."""
    import platform

    parts = [platform.node()]
    with contextlib.suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"))
    with contextlib.suppress(OSError):
        parts.append(os.readlink("/proc/self/ns/pid"))
    digest = hashlib.sha256()
    digest.update("\n".join(parts).encode("utf-8", "surrogateescape"))
    return str(digest.hexdigest()[:8])


def _is_there(number: int) -> bool:
    try:
        os.kill(number, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # exists, but belongs to another user
        return True
    try:
        text = Path(f"/proc/{number}/stat").read_bytes()
    except OSError:
        return True
    # A zombie has ended; in a container it may never be reaped.
    return text.rpartition(b")")[2].split()[:1] != [b"Z"]


_NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO)
"""Errors of a full or broken disk; the system does not name the file."""
_NAME_BYTES = 255 - 36
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
MOST_LINKS = 40
"""Links from one to the next that are followed, as many as Linux follows."""
READER_SECONDS = 5.0
"""Longest wait for the reader of a pipe."""
_OPEN_FILES = re.compile(r"/proc/\d+(/task/\d+)?/fd|/dev/fd")
_PART = rf"({OWNER})\.[a-z0-9_]{{8}}\.part"


@contextlib.contextmanager
def atomic_output(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file whose content goes to `path` when the block succeeds.

    `path`: output path. A file is replaced by a temporary one beside it, which gets its
    permissions; of a link, that is the file it leads to. A pipe or a character device is written
    into. If the block raises, Ctrl-C included, the temporary file is removed and `path` is
    untouched; temporary files of `path` that a killed process left are removed, too. Raises OSError
    for folders, sockets, disks, and pipes that nobody reads.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    if _takes_a_stream(target):
        with _streamed_output(target) as stream:
            yield stream
    else:
        # A folder with links is left to the system; only the last part is replaced.
        real = Path(os.path.realpath(target)) if target.is_symlink() else target
        with _replacing_output(target, real) as stream:
            yield stream
    was_written(target)


def _takes_a_stream(target: Path) -> bool:
    """Whether an output is written into, not replaced; OSError where it can be neither."""
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:  # new, or where a link will lead
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(target))
    if stat.S_ISSOCK(mode) or stat.S_ISBLK(mode):
        kind = "a socket" if stat.S_ISSOCK(mode) else "a disk"
        text = f"expected a file, found {kind}; name another path"
        raise OSError(errno.EINVAL, text, os.fspath(target))
    return not stat.S_ISREG(mode) or _is_open_file(target)


def _is_open_file(target: Path) -> bool:
    """Whether a path names a file that a process has open, as /dev/stdout does."""
    for _ in range(MOST_LINKS):
        if _OPEN_FILES.fullmatch(os.path.realpath(target.parent)):
            return True
        if not target.is_symlink():
            return False
        target = target.parent / os.readlink(target)
    return False


@contextlib.contextmanager
def _streamed_output(target: Path) -> Iterator[BinaryIO]:
    """Collect the content, and write it to a pipe or a device when the block succeeds."""
    import shutil
    import tempfile

    with tempfile.TemporaryFile() as whole:
        yield whole
        whole.seek(0)
        try:
            with os.fdopen(_opened_stream(target), "wb") as stream:
                shutil.copyfileobj(whole, stream)
        except OSError as error:
            error.filename = os.fspath(target)
            raise


def _opened_stream(target: Path) -> int:
    """Open a pipe or a device for writing, without waiting forever for a reader."""
    flags = os.O_WRONLY | os.O_APPEND | getattr(os, "O_NOCTTY", 0)
    last = time.monotonic() + READER_SECONDS
    while True:
        try:
            handle = os.open(target, flags | getattr(os, "O_NONBLOCK", 0))
        except OSError as error:
            if error.errno != errno.ENXIO or not target.is_fifo():
                raise
            if time.monotonic() > last:
                text = "nothing reads this pipe; start its reader first"
                raise OSError(errno.ENXIO, text, os.fspath(target)) from None
            time.sleep(0.05)
        else:
            if hasattr(os, "set_blocking"):
                os.set_blocking(handle, True)
            return handle


@contextlib.contextmanager
def _replacing_output(target: Path, real: Path) -> Iterator[BinaryIO]:
    """Temporary file beside `real`, the file that `target` leads to, which it replaces."""
    _clear_leftovers(real)
    try:
        # `tempfile` is slow to import.
        part = f".{_beginning(real.name)}.{owner()}.{os.urandom(4).hex()}.part"
        name = os.path.join(real.parent, part)
        handle = os.open(name, _NEW, 0o600)
    except OSError as error:
        error.filename = os.fspath(target)  # not the temporary name
        if isinstance(error, FileNotFoundError) and real != target:
            error.strerror = f"the link leads to a folder that does not exist, {real.parent}"
        raise
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, _mode(real))
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
    """Move a finished file to an output path, on the same file system unless `path` is a link."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_symlink():
        os.replace(made, path)
        return
    import shutil

    with atomic_output(path) as stream, open(made, "rb") as source:
        shutil.copyfileobj(source, stream)
    made.unlink()


def _beginning(name: str) -> str:
    """Name truncated to leave room for prefix and suffix; most systems allow 255 bytes."""
    return name.encode("utf-8", "surrogateescape")[:_NAME_BYTES].decode("utf-8", "ignore")


def _mode(target: Path) -> int:
    """Permissions of a new file: those of the file that it replaces, or of any new one."""
    with contextlib.suppress(OSError):
        found = target.lstat().st_mode
        if stat.S_ISREG(found):
            return found & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _clear_leftovers(target: Path) -> None:
    beginning = f".{_beginning(target.name)}."
    for name in _parts(target.parent):
        found = re.fullmatch(_PART, name[len(beginning) :]) if name.startswith(beginning) else None
        if found is None:
            continue
        with contextlib.suppress(OSError):
            part = target.with_name(name)
            status = part.lstat()
            if stat.S_ISREG(status.st_mode) and is_abandoned(
                found[1], time.time() - status.st_mtime
            ):
                part.unlink()


@lru_cache(maxsize=1)
def _parts(folder: Path) -> tuple[str, ...]:
    """Names of temporary files in a folder when this process first writes there."""
    with contextlib.suppress(OSError):
        return tuple(name for name in os.listdir(folder) if name.endswith(".part"))
    return ()


def write_text_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Write UTF-8 text with Unix line endings, completely or not at all."""
    with atomic_output(path) as stream:
        stream.write(text.encode("utf-8"))
