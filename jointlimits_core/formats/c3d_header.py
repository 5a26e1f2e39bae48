"""The first block of a C3D file, checked against the size of the file before anything reads it."""

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
"""Blocks of parameters that can be counted in the one byte that there is for it."""
_MANY_FRAMES = 65535
"""Of a last frame: the file is longer than the header can say."""
_PROCESSORS = {84: ("<", 3), DEC: ("<", 1), 86: (">", 0)}
"""Intel, DEC, MIPS: byte order of integers, and the byte of a float that its sign is in."""


@dataclass(frozen=True)
class C3dHeader:
    """What the first block says.

    Parameters
    ----------
    points : int
        Markers in a frame.
    analog_samples : int
        Analog values in a frame.
    first_frame, last_frame : int
        As stored; a long file has 65535 for the last.
    bytes_per_value : int
        4 for floating-point files, 2 for integers.
    data_offset : int
        Bytes before the first frame, 0 if the file does not say.
    """

    points: int
    analog_samples: int
    first_frame: int
    last_frame: int
    bytes_per_value: int
    data_offset: int

    @property
    def frames(self) -> int:
        """Number of frames, 0 where the header cannot say."""
        return max(0, self.last_frame - self.first_frame + 1)

    @property
    def data_bytes(self) -> int:
        """Bytes that the frames take."""
        return self.frames * (4 * self.points + self.analog_samples) * self.bytes_per_value


def checked_header(path: FilePath, limits: ReadLimits) -> C3dHeader:
    """Read the first block and hold it against the size of the file.

    Parameters
    ----------
    path : path-like or str

    Raises
    ------
    C3dError
        If this is no C3D file, the file is too large, it ends before its last frame, or its
        parameters lead outside of themselves.
    """
    head, size = read_start(path, BLOCK_BYTES, C3dError, OTHER)
    if size > limits.max_file_bytes:
        raise C3dError(path, f"has {limits.refusal('max_file_bytes', 'bytes', size)}")
    if not head:
        raise C3dError(path, "is empty")
    if len(head) < BLOCK_BYTES or head[1] != _MAGIC:
        raise C3dError(path, "is no C3D file: it does not begin with a header block")
    section = _section(path, head[0], size)
    order, sign_byte = _processor(path, section)
    header = _parsed(head, order, sign_byte)
    numbers = header.frames * header.points * 4
    if numbers > limits.max_numbers:
        raise C3dError(path, f"has {limits.refusal('max_numbers', 'numbers', numbers)}")
    parameters = checked_parameters(path, section, order)
    frames = header.frames if header.last_frame < _MANY_FRAMES else None
    said = (header.points, frames, header.analog_samples)
    header = replace(header, analog_samples=analog_values(path, said, parameters))
    if header.data_offset and header.data_offset + header.data_bytes > size:
        raise C3dError(
            path,
            f"is cut short: {header.frames} frames of {header.points} markers need "
            f"{header.data_offset + header.data_bytes} bytes, it has {size}; copy it again",
        )
    _check_rotations(path, header, parameters, size)
    return header


def _check_rotations(
    path: FilePath,
    header: C3dHeader,
    parameters: Mapping[tuple[str, str], C3dParameter],
    size: int,
) -> None:
    """Rotation channels have blocks of their own: sixteen numbers and a residual each."""
    keys = [("ROTATION", name) for name in ("USED", "RATIO", "DATA_START")]
    found = [parameters.get(key) for key in (*keys, ("POINT", "FRAMES"))]
    used, ratio, block, frames = (0 if one is None else int(one.first) for one in found)
    needed = max(header.frames, frames) * used * max(ratio, 1) * 17 * 4
    if used and max(0, block - 1) * BLOCK_BYTES + needed > size:
        raise C3dError(path, f"is cut short: {used} rotations a frame need {needed} bytes")


def _section(path: FilePath, block: int, size: int) -> bytes:
    """The parameters and perhaps what follows, up to their largest size or the file's end."""
    start = (block - 1) * BLOCK_BYTES
    if block < 2 or start + 4 > size:
        raise C3dError(path, f"is cut short: its parameters begin at block {block}, beyond its end")
    with open_regular(path, C3dError, OTHER) as stream:
        stream.seek(start)
        return stream.read(_MOST_BLOCKS * BLOCK_BYTES)


def _processor(path: FilePath, section: bytes) -> tuple[str, int]:
    """How numbers are stored: the head of the parameters says so."""
    if section[3] not in _PROCESSORS:
        raise C3dError(path, f"was written by an unknown type of processor ({section[3]})")
    return _PROCESSORS[section[3]]


def _parsed(head: bytes, order: str, sign_byte: int) -> C3dHeader:
    points, analog, first, last = struct.unpack_from(f"{order}4H", head, 2)
    (block,) = struct.unpack_from(f"{order}H", head, 16)
    # A negative scale says that values are floating-point.
    size = 4 if head[12 + sign_byte] & 0x80 else 2
    offset = max(0, block - 1) * BLOCK_BYTES
    return C3dHeader(points, analog, first, last, size, offset)
