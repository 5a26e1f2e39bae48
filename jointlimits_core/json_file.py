"""The text of a JSON file of others: no more of it than was agreed."""

from __future__ import annotations

import os

from .errors import InputError
from .formats.read_limits import DEFAULT_LIMITS, ReadLimits
from .regular_file import FilePath, file_trouble, open_regular


def json_text(
    path: FilePath,
    error: type[InputError],
    advice: str,
    limits: ReadLimits = DEFAULT_LIMITS,
    too_large: str = "",
) -> str:
    """Read a JSON file as text.

    Parameters
    ----------
    path : path-like or str
    error : type of InputError
        What is raised.
    advice : str
        What to do about something else in its place, as "name a limit set".
    limits : ReadLimits
        Of which `max_json_bytes` matters.
    too_large : str
        What else can be done about one that is too large, as ", or make several".

    Raises
    ------
    InputError
        Of the given type: missing, a directory, a device or a pipe, too large, not text.
    """
    most = limits.max_json_bytes
    with open_regular(path, error, advice) as stream:
        size = os.fstat(stream.fileno()).st_size
        try:
            # The size is believed only where it speaks against the file.
            data = b"" if size > most else stream.read(most + 1)
        except OSError as problem:
            raise error(path, file_trouble(problem)) from None
    size = max(size, len(data))
    if size > most:
        raise error(path, f"has {limits.refusal('max_json_bytes', 'bytes', size)}{too_large}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise error(path, f"is no text file; {advice}") from None
