"""Byte-exact edits of a file, written as a copy and moved into place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import BinaryIO

from ...atomic import atomic_output
from ...errors import MayaAsciiError
from ...regular_file import open_regular

_PIECE = 1 << 20


@dataclass(frozen=True, order=True)
class Edit:
    """New bytes for a range of a file.

    Parameters
    ----------
    start, end : int
        Byte offsets; equal to insert.
    """

    start: int
    end: int
    text: bytes


def write_edited(source: str, target: str, edits: Iterable[Edit]) -> None:
    """Write a copy of a file with some ranges replaced.

    The copy is complete or absent, and the source is read in pieces.

    Parameters
    ----------
    source, target : str
        Paths.
    edits : iterable of Edit
        In any order; insertions at one place keep the order given. Ranges must not overlap.

    Raises
    ------
    MayaAsciiError
        If the target cannot be written or the source cannot be read.
    ValueError
        If ranges overlap.
    """
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    for earlier, later in zip(ordered, ordered[1:]):
        if later.start < earlier.end:
            raise ValueError(f"edits overlap at byte {later.start}")
    try:
        with atomic_output(target) as stream, open_regular(source, MayaAsciiError) as original:
            _copy_with(ordered, original, stream)
    except OSError as error:
        reason = error.strerror or str(error)
        raise MayaAsciiError(target, f"cannot be written ({reason}); choose another path") from None


def _copy_with(ordered: list[Edit], original: BinaryIO, stream: BinaryIO) -> None:
    place = 0
    for edit in ordered:
        _copy_bytes(original, stream, edit.start - place)
        stream.write(edit.text)
        original.seek(edit.end)
        place = edit.end
    _copy_bytes(original, stream, None)


def _copy_bytes(original: BinaryIO, stream: BinaryIO, count: int | None) -> None:
    """Copy so many bytes, or all that are left."""
    while count is None or count > 0:
        piece = original.read(_PIECE if count is None else min(_PIECE, count))
        if not piece:
            return
        stream.write(piece)
        count = None if count is None else count - len(piece)
