"""Untrusted input files: opened safely, hashed, and read within a budget."""

from __future__ import annotations

import argparse
import contextlib
import errno
import hashlib
import io
import json
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Union

from ..base import errors, options, progress
from ..base.text import byte_words, foreign_path_advice, printable, suggestion
from .process import memory_bytes

FilePath = Union[str, "os.PathLike[str]"]

FOLDER_ADVICE = "choose a file in it"
"""Default advice if the path is a directory."""


def check_regular(
    path: FilePath, error: type[errors.InputError], advice: str = FOLDER_ADVICE
) -> None:
    """Reject anything but a regular file: missing files, directories, devices, pipes.

    `error`: exception type to raise. `advice`: what to do instead of naming a directory.
    """
    if not os.fspath(path).strip():
        raise error(ascii(os.fspath(path)), "is an empty path; give a file")
    try:
        status = os.stat(path)
    except OSError as problem:
        raise error(path, read_error_reason(problem)) from None
    except ValueError as problem:  # a zero byte or a lone surrogate in the name
        raise error(ascii(os.fspath(path)), f"not a valid path: {problem}") from None
    _reject_irregular(path, status, error, advice)


@contextlib.contextmanager
def open_regular(
    path: FilePath, error: type[errors.InputError], advice: str = FOLDER_ADVICE
) -> Iterator[io.BufferedReader]:
    """Open a file for reading; a system error in the block is raised as an `error`.

    `path`, `error`, `advice`: as in :func:`check_regular`. The file is checked before it is opened,
    since opening a device may have side effects, and again once it is open, since it may have been
    replaced.
    """

    def open_unblocked(name: str, flags: int) -> int:
        try:
            return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))  # never wait for a pipe
        except BlockingIOError:  # another client of a file server has a lease, and now returns it
            return os.open(name, flags)

    check_regular(path, error, advice)
    try:
        with open(path, "rb", opener=open_unblocked) as stream:
            _reject_irregular(path, os.fstat(stream.fileno()), error, advice)
            yield stream
    except OSError as problem:
        raise error(path, read_error_reason(problem)) from None


def read_start(
    path: FilePath,
    most: int,
    error: type[errors.InputError],
    advice: str = FOLDER_ADVICE,
    whole: bool = False,
) -> tuple[bytes, int]:
    """Read the beginning of a file, or a short file to its end.

    `path`, `error`, `advice`: as in :func:`check_regular`. `most`: maximum number of bytes to read,
    independent of the reported file size. `whole`: read nothing if the reported size exceeds
    `most`. Returns the data and the size of the file.
    """
    with open_regular(path, error, advice) as stream:
        size = os.fstat(stream.fileno()).st_size
        data = b"" if whole and size > most else stream.read(most)
        return data, max(len(data), size)


READ_ADVICE = {
    **dict.fromkeys((errno.EACCES, errno.EPERM), "; give this user permission to read it"),
    errno.ELOOP: "; a link leads back to itself: give the path of the file",
    errno.EIO: "; copy it to another disk, or restore it",
}
"""Advice for system errors when reading files, by error number."""
MAX_NAMES = 2000
"""Maximum number of names in a folder that are compared with the name of a missing file."""


def read_error_reason(problem: OSError) -> str:
    """Reason why a file cannot be read; for a missing file, it includes a similar existing name."""
    if not isinstance(problem, FileNotFoundError):
        advice = READ_ADVICE.get(problem.errno or 0, "")
        return f"cannot be read: {problem.strerror or problem}{advice}"
    if not isinstance(problem.filename, (str, os.PathLike)):
        return "file not found"
    folder, name = os.path.split(os.fspath(problem.filename))
    advice = "; check the path"
    if not folder and not name:
        return "an empty path; is a variable unset?"
    if os.path.islink(problem.filename):
        target = printable(os.readlink(os.fsdecode(problem.filename)))
        return f"is a link to {target!r}, which does not exist; renew it or give another file"
    if not folder and name == "-":
        advice = "; standard input cannot be used here: give a file"
    elif name.startswith("--") and not folder:
        advice = "; options come before --, files after it"
    elif folder == "/" and "." not in name:
        advice = f"; an option begins with two hyphens: --{printable(name)}"
    elif foreign := foreign_path_advice(os.path.join(folder, name)):
        advice = f"; {foreign}"
    elif re.match(r"[a-z]{2,8}:", folder):
        advice = "; this is a URL: download the file and give the path of the copy"
    elif "*" in name:
        advice = "; either nothing matches or this shell does not expand *: give the files by name"
    elif folder and not os.path.isdir(folder):
        advice = f": no folder {printable(folder)!r}{advice}"
    else:
        with contextlib.suppress(OSError, ValueError), os.scandir(folder or ".") as entries:
            names = [entry.name for entry in islice(entries, MAX_NAMES)]
            longer = [one for one in names if one.startswith(f"{name} ")]
            near = f"; put a name with spaces in quotes: {longer[0]!r}" if longer else ""
            advice = printable(near or suggestion(name, names)) or advice
    return f"file not found{advice}"


def _reject_irregular(
    path: FilePath, status: os.stat_result, error: type[errors.InputError], advice: str
) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise error(path, f"is a directory; {advice}")
    if not stat.S_ISREG(status.st_mode):
        raise error(path, "is a pipe or a device, not a file; save its content as a file first")


class SourceFile(NamedTuple):
    """Path and hash of the file that a motion came from."""

    path: str
    sha256: str


PIECE_BYTES = 1 << 20
"""Number of bytes that are read or processed in one step."""


def source_file(path: FilePath) -> SourceFile:
    """Path of a file as given, with forward slashes, and its SHA-256 in hexadecimal.

    Raises InputError if the file cannot be read to its end.
    """
    sha256 = file_sha256(path)
    progress.was_read(path, sha256)
    return SourceFile(Path(path).as_posix(), sha256)


def file_sha256(path: FilePath) -> str:
    """SHA-256 of a file in hexadecimal; raises InputError if it is unreadable."""
    digest = hashlib.sha256()
    with open_regular(path, errors.InputError) as stream:
        for piece in iter(lambda: stream.read(PIECE_BYTES), b""):
            digest.update(piece)
    return digest.hexdigest()


def file_state(path: FilePath) -> tuple[int, ...] | None:
    """Device, inode, size and modification time of a file; None if it is missing."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def is_below(path: FilePath, folder: FilePath) -> bool:
    """Whether a file or folder is below a folder, with all links resolved."""
    return Path(os.path.realpath(folder)) in Path(os.path.realpath(path)).parents


MAX_BUDGET_BYTES = 1 << 16
"""Maximum size of a budget file."""


@dataclass(frozen=True)
class ReadLimits:
    """Input budget for a file; real files stay far below it.

    Parameters
    ----------
    max_bytes : int
        Maximum file size in bytes; a file that is read whole takes about as much memory.
    max_joints : int
        Maximum number of joints in a skeleton, or of bodies in a table.
    max_numbers : int
        Maximum number of values in a motion or a table; :func:`too_many_numbers` may lower it.
    references_below : path-like or str, optional
        Folder that must contain the files that a Maya scene references, after links are followed;
        other references become findings. By default, any folder.

    The class variables are further limits, which are the same for every file.

    Raises
    ------
    ValueError
        If a number is below 1, or is 2**53 or more.
    """

    max_bytes: int = options.default_field("max_bytes")
    max_joints: int = options.default_field("max_joints")
    max_numbers: int = options.default_field("max_numbers")
    references_below: FilePath | None = None

    max_line_bytes: ClassVar[int] = 16 << 20
    """Maximum length of a line in a text file."""
    max_json_bytes: ClassVar[int] = 256 << 20
    """Maximum size of a limit set or a manifest."""
    max_summary_bytes: ClassVar[int] = 8 << 30
    """Maximum size of a summary of clips."""
    max_depth: ClassVar[int] = 1000
    """Maximum nesting depth of joints (in scenes: nodes; in XML: elements)."""
    max_unkeyed_samples: ClassVar[int] = 1_000_000
    """Maximum joints times frames to read between sparse keys; if there are more, only the keys are
    read, with a finding."""
    max_statement_bytes: ClassVar[int] = 32 << 20
    """Maximum length of a statement of a Maya scene."""
    max_skipped_bytes: ClassVar[int] = 256 << 20
    """Maximum length of a statement of a Maya scene that is skipped unread."""
    max_words: ClassVar[int] = 1_000_000
    """Maximum number of words in a statement of a Maya scene."""
    max_nesting: ClassVar[int] = 64
    """Maximum nesting of braces, brackets and parentheses in a statement of a Maya scene."""
    max_reference_depth: ClassVar[int] = 16
    """Maximum nesting of references in a Maya scene; deeper references become findings."""

    @property
    def max_samples(self) -> int:
        """Maximum joints times frames in a file with keys, at three numbers each."""
        return max(self.max_numbers // 3, 1)

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if name != "references_below":
                options.option(name).check(value)

    def refusal(
        self, name: str, noun: str, found: int | None = None, subject: str = ""
    ) -> errors.OptionText:
        """Message that a file exceeds the budget, and how to raise the budget if possible.

        `name`: name of the setting or class variable. `noun`: word for the things counted, such as
        "joints"; "bytes" for sizes. `found`: actual count, if known. `subject`: words to put first,
        such as "the skeleton has". Returns "51 joints, more than 50; raise the option max_joints to
        read it", or "more than 64 open braces, the maximum".
        """
        most: int = getattr(self, name)
        is_size = name.endswith("_bytes")
        words = [byte_words(n) if is_size else f"{n:,} {noun}" for n in (found or 0, most)]
        if is_size and words[0].replace(".0 ", " ") == words[1]:
            words = [f"{n:,} bytes" for n in (found or 0, most)]
        if not is_size and found is not None:
            words[1] = f"{most:,}"
        text = f"more than {words[1]}" if found is None else f"{words[0]}, more than {words[1]}"
        text = f"{subject} {text}".lstrip()
        if name not in vars(self):
            return errors.OptionText(f"{text}, the maximum")
        return errors.OptionText(f"{text}; raise ", name, " to read it")


DEFAULT_LIMITS = ReadLimits()
OF_SCENES = ("max_numbers",)
"""Settings that can change a result, since parts of a scene that exceed them may be dropped with a
finding. Other settings only cause files to be rejected."""
MIN_CHANNELS = 60
"""Minimum number of channels counted per frame, since every frame takes memory."""
NUMBER_BYTES = 60
"""Memory in bytes that each number of a clip takes during the estimate: as read, as a channel, in a
rotation, and each of these again on one Euler branch or without broken frames."""


def too_many_numbers(count: int, limits: ReadLimits, noun: str = "numbers") -> str:
    """Message if a clip exceeds the budget or the memory of this computer; empty if it does not."""
    most = min(limits.max_numbers, memory_bytes() // NUMBER_BYTES)
    if count <= most:
        return ""
    if most == limits.max_numbers:
        return limits.refusal("max_numbers", noun, subject="has")
    memory = byte_words(memory_bytes())
    return f"has more than {most:,} {noun}, the most that fit into {memory} of memory; split it"


def too_many_frames(frames: int, joints: int, limits: ReadLimits) -> str:
    """Message if a clip has too many frames; empty if it does not."""
    channels = frames * max(3 * joints, MIN_CHANNELS)
    return too_many_numbers(channels, limits, "channel values in all frames")


ENVIRONMENT = "JOINTLIMITS_INPUT_BUDGET"
"""Environment variable that sets the default budget for commands."""
BUDGET_HELP = (
    "raise or lower the size limits of input files: NAME=VALUE,..., or a JSON file of names and "
    f"values; by default ${ENVIRONMENT}"
)
_SETTING = re.compile(r",(?=\w+=)")


def add_reading(parser: argparse._ActionsContainer) -> None:
    """Add the option ``budget`` for the input budget."""

    def budget(text: str) -> ReadLimits:
        try:
            return input_budget(text)
        except ValueError as error:  # including InputError
            raise argparse.ArgumentTypeError(str(error)) from None

    parser.add_argument(
        "--input-budget",
        dest="budget",
        type=budget,
        default=os.environ.get(ENVIRONMENT, ""),
        metavar="BUDGET",
        help=BUDGET_HELP,
    )


def input_budget(text: str) -> ReadLimits:
    """Input budget from text: ``max_joints=50000,max_bytes=10G``, or the path of a JSON file.

    Raises ValueError for a setting that does not exist or an invalid value; InputError for a file
    that cannot be read.
    """
    known, settings = {item.name: item for item in options.options_of("reading")}, {}
    if text.lower().endswith(".json"):
        data = read_start(text, MAX_BUDGET_BYTES, errors.InputError)[0]
        settings = json.loads(data.decode("utf-8", "replace"))
        if not isinstance(settings, dict):
            raise ValueError(f"{text}: must be a JSON object of names and values")
    else:
        for part in _SETTING.split(text) if text else ():
            name, equals, given = part.partition("=")
            if not equals:
                raise ValueError(f"{part!r} is neither NAME=VALUE nor a JSON file")
            settings[name.strip().replace("-", "_")] = given.strip()
    values: dict[str, Any] = {}
    for name, given in settings.items():
        if name not in known:
            words = suggestion(name, known) or f"; settings are {', '.join(known)}"
            raise ValueError(f"the input budget has no setting {name!r}{words}")
        item, values[name] = known[name], given
        if name == "references_below":
            if not (isinstance(given, str) and os.path.isdir(given)):
                raise ValueError(f"{name} must be an existing folder, not {given!r}")
            continue
        try:
            values[name] = item.check(item.from_text(given) if isinstance(given, str) else given)
        except ValueError:
            raise ValueError(f"{name} must be {item.accepts()}, not {given!r}") from None
    return ReadLimits(**values)


def reading_flags(limits: ReadLimits) -> list[str]:
    """Arguments that pass the budget on to another process."""
    default = vars(DEFAULT_LIMITS)
    given = [f"{name}={value}" for name, value in vars(limits).items() if value != default[name]]
    # Without an argument, the other process would take the budget from its environment.
    needed = given or os.environ.get(ENVIRONMENT)
    return ["--input-budget", ",".join(given)] if needed else []
