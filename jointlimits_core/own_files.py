"""Protection of foreign files: only own files of the same kind are replaced."""

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
"""Format marker of an HTML page, like "format" in a JSON document."""
HEAD_BYTES = 4096
"""Bytes of a page searched for the marker."""


def refuse_foreign(
    path: str | os.PathLike[str],
    form: str,
    what: str,
    advice: str,
    max_bytes: int = DEFAULT_LIMITS.max_json_bytes,
) -> None:
    """Refuse to replace an existing file that this program did not write.

    Parameters
    ----------
    path : path-like
        A page if ``.html``, else JSON.
    form : str
        Format to be written, as ``jointlimits.manifest``.
    what : str
        Its name in messages, as "manifest".
    advice : str
        What to do instead.
    max_bytes : int
        Larger files are not read and count as foreign.

    Raises
    ------
    InputError
        For a foreign file, a folder, a device or a broken link.
    """
    place = Path(path)
    if not os.path.lexists(place):
        return
    if place.is_dir():
        raise InputError(path, FOLDER_AS_FILE)
    if not place.is_file() or not _is_ours(place, form, max_bytes):
        raise InputError(path, f"already exists and is not a {what}; left unchanged; {advice}")


def _is_ours(path: Path, form: str, max_bytes: int) -> bool:
    try:
        if path.suffix.lower() == ".html":
            return PAGE_MARK.format(form).encode() in read_start(path, HEAD_BYTES, InputError)[0]
        text = json_text(path, InputError, "", ReadLimits(max_json_bytes=max_bytes))
        document = parsed_json(text, str(path), InputError, "document")
    except InputError:
        return False
    return isinstance(document, dict) and document.get("format") == form
