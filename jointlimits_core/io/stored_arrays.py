"""Arrays in ``.npz`` files of our own: uncompressed, of known types, nothing executable.

Numpy's own reader would accept any Python literal as a header, and unpack whatever size it states.
"""

from __future__ import annotations

import math
import os
import re
import zipfile
from typing import IO, Any

import numpy as np

from ..base.errors import InputError
from ..geometry.arrays import AnyArray
from .input import ReadLimits

REAL, BYTE = np.dtype("<f8"), np.dtype("|u1")
MAX_NUMBER = 1e15
"""Largest number in a file; sums over all frames of a library are far smaller."""
_HEADER = re.compile(
    rb"\x93NUMPY\x01\x00[\x00-\xff]{2}\{'descr': '([<|]\w\d)', 'fortran_order': False, "
    rb"'shape': \(((?:\d{1,12},? ?){0,3})\), \} *\n"
)
"""Header of an array file as written here."""


def check_stored(
    packed: zipfile.ZipFile,
    path: str | os.PathLike[str],
    stream: IO[bytes],
    limits: ReadLimits,
    error: type[InputError],
    what: str,
) -> None:
    """Reject a file that would need more memory than its size.

    `stream`: the open file. `error`: exception type. `what`: expected content, such as "summary".
    """
    members, size = packed.infolist(), os.fstat(stream.fileno()).st_size
    if size > limits.max_summary_bytes:
        raise error(path, limits.refusal("max_summary_bytes", "bytes", size, subject="has"))
    if any(item.compress_type != zipfile.ZIP_STORED or item.flag_bits & 1 for item in members):
        raise error(path, f"has compressed or encrypted members, so it is not a {what}")
    # The reader trusts the compressed length, and a false length would allocate memory.
    if any(item.compress_size != item.file_size for item in members):
        raise error(path, f"has members with two lengths, so it is not a {what}")
    if sum(item.file_size for item in members) > size:
        raise error(path, "has members that are larger than the file")


def read_array(packed: zipfile.ZipFile, name: str, kind: np.dtype[Any]) -> AnyArray:
    """One array from the file; ValueError if its header does not match its bytes."""
    held = packed.read(f"{name}.npy")
    header = _HEADER.match(held)
    if header is None or header[1].decode() != kind.str:
        raise ValueError(f"{name} is not an array of type {kind.str}")
    shape = [int(length) for length in header[2].split(b",") if length.strip()]
    if math.prod(shape) * kind.itemsize != len(held) - header.end():
        raise ValueError(f"{name} does not have as many values as shape {tuple(shape)} needs")
    values = np.frombuffer(held, dtype=kind, offset=header.end()).reshape(shape)
    if not np.isfinite(values).all():
        raise ValueError(f"{name} has non-finite values")
    if kind.kind == "f" and np.abs(values).max(initial=0.0) > MAX_NUMBER:
        raise ValueError(f"{name} has a value beyond {MAX_NUMBER:g}")
    return values
