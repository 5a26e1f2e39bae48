"""Small C3D files of our own: markers alone, and markers beside bodies that turn."""

from __future__ import annotations

import struct
from collections.abc import Sequence

BLOCK_BYTES = 512
INTEL_CODE = 84
_FRAMES, _RATE = 3, 30.0
_MARKERS = ("RTHI", "RKNE")
_IDENTITY = (1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0, 5.0, 6.0, 7.0, 1.0)
"""Column by column, with a place in the last."""


def whole_c3d(*, turning: bool, names: Sequence[str] = _MARKERS) -> bytes:
    """Two markers or more, the second with a gap; and a body if wanted.

    Parameters
    ----------
    turning : bool
    names : sequence of str
    """
    first_block, blocks = 5, 3
    section = (
        bytes([1, 0x50, blocks, INTEL_CODE]) + _parameters(first_block, turning, names) + b"\0\0"
    )
    frames = b"".join(
        struct.pack("<8f", index, 2, 3, 0, 4, 5, 6 + index, -1.0 if index == 1 else 0.0)
        + struct.pack("<4f", 7, 8, 9, 0) * (len(names) - 2)
        for index in range(_FRAMES)
    )
    turns = b"".join(struct.pack("<17f", *_IDENTITY, 0.0) for _ in range(_FRAMES))
    head = _header(len(names), _FRAMES, first_block) + section.ljust(blocks * BLOCK_BYTES, b"\0")
    return (
        head
        + frames.ljust(BLOCK_BYTES, b"\0")
        + (turns.ljust(BLOCK_BYTES, b"\0") if turning else b"")
    )


def _header(markers: int, frames: int, data_block: int) -> bytes:
    head = struct.pack(
        "<BBHHHHHfHHf", 2, 0x50, markers, 0, 1, frames, 10, -1.0, data_block, 0, _RATE
    )
    return head.ljust(BLOCK_BYTES, b"\0")


def _parameters(first_block: int, turning: bool, names: Sequence[str]) -> bytes:
    made = record(-1, "POINT", b"\0") + record(-2, "ANALOG", b"\0")
    made += record(1, "USED", whole(len(names))) + record(1, "FRAMES", whole(_FRAMES))
    made += record(1, "DATA_START", whole(first_block))
    made += record(1, "SCALE", real(-1.0)) + record(1, "RATE", real(_RATE))
    made += record(1, "LABELS", texts(names)) + record(1, "DESCRIPTIONS", texts(("",) * len(names)))
    made += record(1, "UNITS", texts(("mm",))) + record(1, "Y_SCREEN", texts(("+Z",)))
    made += record(2, "USED", whole(0)) + record(2, "RATE", real(_RATE))
    if turning:
        made += (
            record(-3, "ROTATION", b"\0")
            + record(3, "USED", whole(1))
            + record(3, "RATIO", whole(1))
        )
        made += record(3, "DATA_START", whole(first_block + 1)) + record(3, "RATE", real(_RATE))
        made += record(3, "LABELS", texts(("chest_4X4",)))
    return made


def record(group: int, name: str, content: bytes) -> bytes:
    """A parameter, or a group if the number of it is negative."""
    head = struct.pack("<bb", len(name), group) + name.encode()
    return head + struct.pack("<h", len(content) + 2) + content


def whole(*numbers: int) -> bytes:
    """Content of a parameter of two-byte integers."""
    sizes = (1, len(numbers)) if len(numbers) > 1 else (0,)
    return struct.pack(f"<b{len(sizes)}B{len(numbers)}HB", 2, *sizes, *numbers, 0)


def real(number: float) -> bytes:
    """Content of a parameter of one float."""
    return struct.pack("<bBfB", 4, 0, number, 0)


def texts(given: Sequence[str]) -> bytes:
    """Content of a parameter of texts of one width."""
    width = max((len(text) for text in given), default=0) or 1
    values = b"".join(text.ljust(width).encode("ascii") for text in given)
    return struct.pack("<bBBB", -1, 2, width, len(given)) + values + b"\0"
