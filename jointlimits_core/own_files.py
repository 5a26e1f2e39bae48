"""Only a file that this program wrote for the same purpose is replaced unasked."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import InputError
from .formats.read_limits import DEFAULT_LIMITS, ReadLimits
from .json_file import json_text
from .regular_file import read_start
from .strict_json import parsed_json
from .system_words import FOLDER_AS_FILE

PAGE_MARK = '<meta name="generator" content="{}">'
"""How a page says what it is, as the "format" of a document does."""
HEAD_BYTES = 4096
"""Of a page; its mark stands at its beginning."""


def refuse_foreign(
    path: str | os.PathLike[str],
    form: str,
    what: str,
    advice: str,
    max_bytes: int = DEFAULT_LIMITS.max_json_bytes,
) -> None:
    """Refuse to replace a file that is there, unless it is one of ours.

    Parameters
    ----------
    path : path-like
        ``.html`` for a page, else JSON.
    form : str
        Format of what will be written, as ``jointlimits.manifest``.
    what : str
        The same for people, as "manifest".
    advice : str
        What to do instead.
    max_bytes : int
        Larger files are not looked into, and so are not ours.

    Raises
    ------
    InputError
        For anything else that is there: a file of somebody else, a folder, a device, a link that
        leads nowhere.
    """
    place = Path(path)
    if not os.path.lexists(place):
        return
    if place.is_dir():
        raise InputError(path, FOLDER_AS_FILE)
    if not place.is_file() or not _is_ours(place, form, max_bytes):
        raise InputError(path, f"is there and is no {what}, so it is left as it is; {advice}")


def _is_ours(path: Path, form: str, max_bytes: int) -> bool:
    try:
        if path.suffix.lower() == ".html":
            return PAGE_MARK.format(form).encode() in read_start(path, HEAD_BYTES, InputError)[0]
        text = json_text(path, InputError, "", ReadLimits(max_json_bytes=max_bytes))
        document = parsed_json(text, str(path), InputError, "document")
    except InputError:
        return False
    return isinstance(document, dict) and document.get("format") == form
