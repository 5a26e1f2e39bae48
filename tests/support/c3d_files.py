"""Small C3D files of our own: markers alone, and markers beside bodies that turn."""

from __future__ import annotations

import struct
from collections.abc import Sequence

BLOCK = 512
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
    head = _header(len(names), _FRAMES, first_block) + section.ljust(blocks * BLOCK, b"\0")
    return head + frames.ljust(BLOCK, b"\0") + (turns.ljust(BLOCK, b"\0") if turning else b"")


def _header(markers: int, frames: int, data_block: int) -> bytes:
    head = struct.pack(
        "<BBHHHHHfHHf", 2, 0x50, markers, 0, 1, frames, 10, -1.0, data_block, 0, _RATE
    )
    return head.ljust(BLOCK, b"\0")


def _parameters(first_block: int, turning: bool, names: Sequence[str]) -> bytes:
    made = _group(1, b"POINT") + _group(2, b"ANALOG")
    made += _whole(1, b"USED", len(names)) + _whole(1, b"FRAMES", _FRAMES)
    made += _whole(1, b"DATA_START", first_block)
    made += _float(1, b"SCALE", -1.0) + _float(1, b"RATE", _RATE)
    made += _texts(1, b"LABELS", names) + _texts(1, b"DESCRIPTIONS", ("",) * len(names))
    made += _texts(1, b"UNITS", ("mm",)) + _texts(1, b"Y_SCREEN", ("+Z",))
    made += _whole(2, b"USED", 0) + _float(2, b"RATE", _RATE)
    if turning:
        made += _group(3, b"ROTATION") + _whole(3, b"USED", 1) + _whole(3, b"RATIO", 1)
        made += _whole(3, b"DATA_START", first_block + 1) + _float(3, b"RATE", _RATE)
        made += _texts(3, b"LABELS", ("chest_4X4",))
    return made


def _record(group: int, name: bytes, content: bytes) -> bytes:
    head = struct.pack("<bb", len(name), group) + name
    return head + struct.pack("<h", len(content) + 2) + content


def _group(number: int, name: bytes) -> bytes:
    return _record(-number, name, b"\0")


def _whole(group: int, name: bytes, value: int) -> bytes:
    return _record(group, name, struct.pack("<bBhB", 2, 0, value, 0))


def _float(group: int, name: bytes, value: float) -> bytes:
    return _record(group, name, struct.pack("<bBfB", 4, 0, value, 0))


def _texts(group: int, name: bytes, texts: Sequence[str]) -> bytes:
    width = max(1, *(len(text) for text in texts)) if texts else 1
    values = b"".join(text.ljust(width).encode("ascii") for text in texts)
    return _record(group, name, struct.pack("<bBBB", -1, 2, width, len(texts)) + values + b"\0")
