"""Exceptions: each message names the location, the problem and the remedy.

An option has several names: one in Python and in files, a flag on the command line, a flag in Maya
and a label in the window. A message that names an option is an :class:`OptionText` (a string in
which options are marked); a rejected value raises :class:`OptionError`. Both hold the Python name;
to show the text, call :func:`reader_words`, which inserts the names that the reader knows.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from .text import printable, shorten

MAX_MESSAGE_CHARS = 1000
"""Maximum length of a message, since text quoted from a file may be very long."""
OptionNaming = Callable[[str], str]
"""Function that returns the wording for an option, such as its flag; "" means "the option NAME"."""


class OptionText(str):
    """Text that names options: "raise the option max_joints to read it".

    `*parts`: alternating text and options: ``OptionText("raise ", "max_joints", " to read it")``.
    """

    parts: tuple[str, ...]

    def __new__(cls, *parts: str) -> OptionText:
        """Join the parts, writing options as "the option NAME"."""
        words = [f"the option {part}" if at % 2 else part for at, part in enumerate(parts)]
        text = super().__new__(cls, "".join(words))
        text.parts = parts
        return text

    def __getnewargs__(self) -> tuple[str, ...]:  # type: ignore[override]
        return self.parts

    def surround(self, before: str = "", after: str = "") -> OptionText:
        """Return a copy with text added before and after."""
        parts = [before + self.parts[0], *self.parts[1:]]
        if len(parts) % 2 == 0:  # it ends with an option
            parts.append("")
        parts[-1] += after
        return OptionText(*parts)

    def reader_words(self, naming: OptionNaming) -> str:
        """Return the text with the option names that its reader knows."""
        return "".join(
            (naming(part) or f"the option {part}") if at % 2 else part
            for at, part in enumerate(self.parts)
        )


class OptionError(ValueError):
    """A value that an option does not accept.

    `option`: name of the option. `message`: text that follows the name, such as "must be a number
    from 0, not -1".
    """

    def __init__(self, option: str, message: str) -> None:
        self.option, self.message = option, message
        super().__init__(option, message)

    def __str__(self) -> str:
        return f"{self.option} {self.message}"


def text_of(error: BaseException) -> str:
    """Message of an exception, in which options are still marked for :func:`reader_words`."""
    if isinstance(error, OptionError):
        return OptionText("", error.option, f" {error.message}")
    text = error.args[0] if error.args else ""
    return text if isinstance(text, OptionText) else str(error)


def reader_words(message: str | BaseException, naming: OptionNaming) -> str:
    """Text of a message or an exception, with the option names that its reader knows."""
    if isinstance(message, OptionError):
        return f"{naming(message.option) or message.option} {message.message}"
    text = message.args[0] if isinstance(message, BaseException) and message.args else message
    return text.reader_words(naming) if isinstance(text, OptionText) else str(message)


Found = TypeVar("Found", bound="InputError")


class InputError(ValueError):
    """A file that cannot be used; the message names the location and the remedy.

    Parameters
    ----------
    path : path-like or str
        The file, or a name for text that is not from a file.
    message : str
        The problem and its remedy; an :class:`OptionText` if it names options.
    line, column : int, optional
        Counted from 1.

    Notes
    -----
    The message may quote the file, so it is reduced to one printable line.
    """

    lacks_skeleton = False
    """Whether the file is valid but has no skeleton."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        message: str,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        self.path, self.line, self.column = os.fspath(path), line, column
        # Shortened before escaping, to limit the work, and after it, since escapes are longer.
        shown = printable(shorten(message, MAX_MESSAGE_CHARS))
        self.message = shorten(shown, MAX_MESSAGE_CHARS)
        places = (printable(self.path), line, column)
        where = ":".join(str(part) for part in places if part is not None)
        text = f"{where}: {self.message}"
        if isinstance(message, OptionText) and self.message == message:
            text = message.surround(f"{where}: ")
        super().__init__(text)


def without_skeleton(error: Found) -> Found:
    """Mark an error as being about a valid file without a skeleton, which a batch skips."""
    error.lacks_skeleton = True
    return error


class MayaAsciiError(InputError):
    """A Maya ASCII scene that cannot be read or written."""


class LimitSetError(InputError):
    """A limits document that violates the schema; the message names the location in it."""


class SummaryError(InputError):
    """A clip summary that cannot be read."""


class ManifestError(InputError):
    """A manifest that cannot be used; the message names the location in it."""


class ExportError(ValueError):
    """Limits that cannot be exported as requested; the message says what to do."""


class MissingPackageError(ImportError):
    """A missing optional package; the message says how to install it."""


class EstimationError(ValueError):
    """Motion from which no limits can be estimated."""


class NoMotionError(EstimationError):
    """A character without animation: not an error, but there is nothing to estimate."""


ADVICE = {
    **dict.fromkeys(
        (errno.ENOSPC, errno.EDQUOT), "free some space there, or choose another folder"
    ),
    errno.EFBIG: "allow larger files, or choose another folder",
    errno.EROFS: "choose another folder",
    **dict.fromkeys(
        (errno.EACCES, errno.EPERM), "give this user write permission, or choose another folder"
    ),
}
"""Advice for system errors when writing files, by error number."""
FILE_AS_FOLDER = "expected a folder, found a file; choose another folder"
FOLDER_AS_FILE = "expected a file, found a folder; move it or choose another path"


def system_words(error: OSError) -> str:
    """Text of a system error with advice, without the errno that Python prepends."""
    where = f"{error.filename}: " if error.filename else ""
    if isinstance(error, (FileExistsError, NotADirectoryError)):
        # The system names the path, not the file that blocks it.
        if isinstance(error.filename, (str, os.PathLike)):
            places = (Path(error.filename), *Path(error.filename).parents)
            where = next((f"{place}: " for place in places if place.is_file()), where)
        return f"{where}{FILE_AS_FOLDER}"
    if isinstance(error, IsADirectoryError):
        return f"{where}{FOLDER_AS_FILE}"
    advice = f"; {ADVICE[error.errno]}" if error.errno in ADVICE else ""
    return f"{where}{error.strerror or error}{advice}"
