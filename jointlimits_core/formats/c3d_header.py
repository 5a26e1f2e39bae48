"""First block of a C3D file, checked against the file size before parsing."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..errors import C3dError
from ..regular_file import FilePath, open_regular, read_start
from .c3d_counts import analog_values
from .c3d_parameters import DEC, C3dParameter, checked_parameters
from .read_limits import ReadLimits
from .text import OTHER

BLOCK_BYTES = 512
_MAGIC = 0x50
_MOST_BLOCKS = 255
"""Largest number of parameter blocks that fits into its one-byte count."""
_MANY_FRAMES = 65535
"""Stored last frame of files that are longer than the header can state."""
_PROCESSORS = {84: ("<", 3), DEC: ("<", 1), 86: (">", 0)}
"""Intel, DEC, MIPS: byte order of integers, and the byte with a float's sign."""


@dataclass(frozen=True)
class C3dHeader:
    """Content of the first block.

    Parameters
    ----------
    points : int
        Markers per frame.
    analog_samples : int
        Analog values per frame.
    first_frame, last_frame : int
        As stored; a long file has 65535 as last frame.
    bytes_per_value : int
        4 for floating-point files, 2 for integers.
    data_offset : int
        Bytes before the first frame, 0 if not stated.
    """

    points: int
    analog_samples: int
    first_frame: int
    last_frame: int
    bytes_per_value: int
    data_offset: int

    @property
    def frames(self) -> int:
        """Number of frames, 0 if the header cannot state it."""
        return max(0, self.last_frame - self.first_frame + 1)

    @property
    def data_bytes(self) -> int:
        """Size of the frames in bytes."""
        return self.frames * (4 * self.points + self.analog_samples) * self.bytes_per_value


def checked_header(path: FilePath, limits: ReadLimits) -> C3dHeader:
    """Read the first block and compare it with the file size.

    Parameters
    ----------
    path : path-like or str

    Raises
    ------
    C3dError
        If this is not a C3D file, is too large or truncated, or its parameters point outside of
        their section.
    """
    head, size = read_start(path, BLOCK_BYTES, C3dError, OTHER)
    if size > limits.max_file_bytes:
        raise C3dError(path, f"has {limits.refusal('max_file_bytes', 'bytes', size)}")
    if not head:
        raise C3dError(path, "is empty")
    if len(head) < BLOCK_BYTES or head[1] != _MAGIC:
        raise C3dError(path, "is not a C3D file: it does not start with a header block")
    section = _section(path, head[0], size)
    order, sign_byte = _processor(path, section)
    header = _parsed(head, order, sign_byte)
    numbers = header.frames * header.points * 4
    if numbers > limits.max_numbers:
        raise C3dError(path, f"has {limits.refusal('max_numbers', 'numbers', numbers)}")
    parameters = checked_parameters(path, section, order)
    frames = header.frames if header.last_frame < _MANY_FRAMES else None
    counts = (header.points, frames, header.analog_samples)
    header = replace(header, analog_samples=analog_values(path, counts, parameters))
    if header.data_offset and header.data_offset + header.data_bytes > size:
        raise C3dError(
            path,
            f"is truncated: {header.frames} frames of {header.points} markers need "
            f"{header.data_offset + header.data_bytes} bytes, found {size}; copy it again",
        )
    _check_rotations(path, header, parameters, size)
    return header


def _check_rotations(
    path: FilePath,
    header: C3dHeader,
    parameters: Mapping[tuple[str, str], C3dParameter],
    size: int,
) -> None:
    """Check the size of rotation data, sixteen numbers and a residual each."""
    keys = [("ROTATION", name) for name in ("USED", "RATIO", "DATA_START")]
    found = [parameters.get(key) for key in (*keys, ("POINT", "FRAMES"))]
    used, ratio, block, frames = (0 if one is None else int(one.first) for one in found)
    needed = max(header.frames, frames) * used * max(ratio, 1) * 17 * 4
    if used and max(0, block - 1) * BLOCK_BYTES + needed > size:
        raise C3dError(path, f"is truncated: {used} rotations per frame need {needed} bytes")


def _section(path: FilePath, block: int, size: int) -> bytes:
    """Parameter section and what follows, up to its largest size or the file's end."""
    start = (block - 1) * BLOCK_BYTES
    if block < 2 or start + 4 > size:
        raise C3dError(path, f"is truncated: its parameters start at block {block}, beyond its end")
    with open_regular(path, C3dError, OTHER) as stream:
        stream.seek(start)
        return stream.read(_MOST_BLOCKS * BLOCK_BYTES)


def _processor(path: FilePath, section: bytes) -> tuple[str, int]:
    """Number format, as stated at the start of the parameters."""
    if section[3] not in _PROCESSORS:
        raise C3dError(path, f"has the unknown processor type {section[3]}")
    return _PROCESSORS[section[3]]


def _parsed(head: bytes, order: str, sign_byte: int) -> C3dHeader:
    points, analog, first, last = struct.unpack_from(f"{order}4H", head, 2)
    (block,) = struct.unpack_from(f"{order}H", head, 16)
    # A negative scale means floating-point values.
    size = 4 if head[12 + sign_byte] & 0x80 else 2
    offset = max(0, block - 1) * BLOCK_BYTES
    return C3dHeader(points, analog, first, last, size, offset)
