"""Text of an untrusted JSON file, within the size limit."""

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
        Type to raise.
    advice : str
        What to do if it is not a text file, as "name a limits file".
    limits : ReadLimits
        `max_json_bytes` applies.
    too_large : str
        Further advice for a file that is too large, as ", or make several".

    Raises
    ------
    InputError
        Of that type, for a missing file, directory, device or pipe, too large, or not text.
    """
    most = limits.max_json_bytes
    with open_regular(path, error, advice) as stream:
        size = os.fstat(stream.fileno()).st_size
        try:
            # The reported size is trusted only to reject the file.
            data = b"" if size > most else stream.read(most + 1)
        except OSError as problem:
            raise error(path, file_trouble(problem)) from None
    size = max(size, len(data))
    if size > most:
        raise error(path, f"has {limits.refusal('max_json_bytes', 'bytes', size)}{too_large}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise error(path, f"not a text file; {advice}") from None
