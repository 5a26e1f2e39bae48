"""Files made to harm, each for one reader."""

from __future__ import annotations

import io
import pickle
import re
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.support.c3d_files import whole_c3d
from tests.support.fbx_files import ascii_text, binary, leg
from tests.support.limit_set_examples import limit_set
from tests.support.small_files import AMC, MARKERS

SCENE = '//Maya ASCII 2024 scene\ncreateNode joint -n "a";\n'
CURVE = 'createNode animCurveTA -n "c";\nconnectAttr "c.o" "a.rx";\nselect c;\n'
DEPTH = 200_000


class _Trap:
    """Ends the process where it is unpickled."""

    def __reduce__(self) -> Any:
        return sys.exit, ("unpickled",)


def _bvh(channels: str = "1 Xrotation", frames: str = "2", row: str = "1", time: str = ".1") -> str:
    head = f"HIERARCHY\nROOT a\n{{\nOFFSET 0 0 0\nCHANNELS {channels}\nEnd Site\n{{\nOFFSET 0 1 0\n"
    return f"{head}}}\n}}\nMOTION\nFrames: {frames}\nFrame Time: {time}\n{row}\n{row}\n"


def _fbx(count: int | None = None, encoding: int | None = None, size: int | None = None) -> bytes:
    """Heads of all arrays changed."""

    def head(found: re.Match[bytes]) -> bytes:
        own = struct.unpack("<III", found[2])
        if own[1] > 1 or not 0 < own[0] < 1000 or not 0 < own[2] < 8001:
            return found[0]
        asked = (count, encoding, size)
        return found[1] + struct.pack("<III", *(a if b is None else b for a, b in zip(own, asked)))

    made = re.sub(rb"([fl])(.{12})", head, binary(leg(), packed=False), flags=re.DOTALL)
    assert made != binary(leg(), packed=False)
    return made


def _fbx_bomb() -> bytes:
    """Every array is a gigabyte of zeros in a megabyte."""
    squeezed = zlib.compressobj(9)
    head = squeezed.compress(bytes(1 << 20)) + squeezed.flush(zlib.Z_FULL_FLUSH)
    block = squeezed.compress(bytes(1 << 20)) + squeezed.flush(zlib.Z_FULL_FLUSH)
    plain, zlib.compress = zlib.compress, lambda *_, **__: head + 1023 * block
    try:
        return binary(leg())
    finally:
        zlib.compress = plain


def _fbx_nested(depth: int) -> bytes:
    end = 27 + 13 * depth + 13
    nodes = struct.pack("<IIIB", end, 0, 0, 0) * depth
    return b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", 7400) + nodes + bytes(13)


def _npz(poses: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("poses.npy", poses)
        archive.writestr("mocap_framerate.npy", _npy(np.array(60.0)))
    return made.getvalue()


def _npy(array: Any) -> bytes:
    made = io.BytesIO()
    np.save(made, array, allow_pickle=True)
    return made.getvalue()


def _header(text: str) -> bytes:
    padded = text.ljust(117) + "\n"
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(padded)) + padded.encode() + bytes(528)


def _limits(pattern: str, new: str) -> str:
    return re.sub(pattern, lambda found: found[1] + new, limit_set().to_json(), count=1)


def _c3d(change: Callable[[bytearray], None]) -> bytes:
    made = bytearray(whole_c3d(turning=True))
    change(made)
    return bytes(made)


ACCEPTED = "accepted"
HOSTILE_INPUTS: dict[str, tuple[str, Callable[[], bytes | str], str]] = {
    "100,000 channels": (
        "bvh",
        lambda: _bvh("50000 " + "Xrotation " * 50_000, row="1 " * 50_000),
        ACCEPTED,
    ),
    "2^63 channels": ("bvh", lambda: _bvh(f"{1 << 63} Xrotation"), "followed by their number"),
    "1e18 frames": ("bvh", lambda: _bvh(frames="1" + "0" * 18), ACCEPTED),
    "5,000 digits": ("bvh", lambda: _bvh(frames="9" * 5000), ACCEPTED),
    "a frame time of 5e-324": ("bvh", lambda: _bvh(time="5e-324"), "must be seconds per frame"),
    "zeros": ("bvh", lambda: bytes(4_000_000), "binary file"),
    "a line of statements": ("ma", lambda: SCENE + 'setAttr ".rx" 1; ' * 20_000, ACCEPTED),
    "a key 2^31": ("ma", lambda: SCENE + CURVE + 'setAttr ".ktv[2147483647]" 1 2;\n', ACCEPTED),
    "keys 1e15 apart": (
        "ma",
        lambda: SCENE + CURVE + 'setAttr -s 2 ".ktv[0:1]" 0 2 1e15 3;\n',
        ACCEPTED,
    ),
    "parents in a loop": (
        "ma",
        lambda: SCENE + 'createNode joint -n "b" -p "a";\nparent "a" "b";\nparent "b" "a";\n',
        ACCEPTED,
    ),
    "a string without end": (
        "ma",
        lambda: SCENE + 'createNode joint -n "' + '\\"' * 1_000_000,
        "never closed",
    ),
    "an array of 4e9 numbers": ("fbx", lambda: _fbx(count=0xFFFFFFFF), "numbers|array|damaged"),
    "a packed array of 4e9": ("fbx", lambda: _fbx(0xFFFFFFFF, 1), "numbers|array|damaged"),
    "an array of 4 GB": ("fbx", lambda: _fbx(size=0xFFFFFFFF), "beyond its node"),
    "an array packed otherwise": ("fbx", lambda: _fbx(encoding=7), "unknown encoding"),
    "a bomb of zlib": ("fbx", _fbx_bomb, "array|damaged"),
    "nodes in nodes": ("fbx", lambda: _fbx_nested(60_000), "is not an FBX file|nested"),
    "braces": ("fbx_text", lambda: "; FBX 7.4.0 project file\n" + "A: {\n" * DEPTH, "never closed"),
    "an array of 1e12": (
        "fbx_text",
        lambda: ascii_text(leg(), 7400).replace(b"KeyTime: *", b"KeyTime: *99999999999"),
        "has an array of",
    ),
    "a million digits": (
        "limits",
        lambda: _limits(r'("min_deg": )-?[\d.]+', "9" * 1_000_000),
        "is not a valid number",
    ),
    "arrays in arrays": ("limits", lambda: "[" * 1_000_000, "nested too deeply"),
    "a pattern of stars": (
        "markers",
        lambda: MARKERS.replace(b'"LTHI*"', b'"' + b"*a" * 2000 + b'b"'),
        ACCEPTED,
    ),
    "a cell without end": ("listed", lambda: 'a,"' + "x\n" * 100_000, "field larger than"),
    "patterns of stars": ("listed", lambda: ("*" * 40 + ",c\n") * 1000, ACCEPTED),
    "a million columns": (
        "bodies",
        lambda: "time," + ",".join(f"b{k}.px" for k in range(200_000)) + "\n",
        "columns|known table",
    ),
    "255 blocks of parameters": ("c3d", lambda: _c3d(lambda c: c.__setitem__(514, 255)), "."),
    "parameters behind the end": (
        "c3d",
        lambda: _c3d(lambda c: c.__setitem__(0, 255)),
        "beyond its end",
    ),
    "an array of objects": ("amass", lambda: _npz(_npy(np.array([[_Trap()]]))), "never opened"),
    "a pickle": ("amass", lambda: _npz(pickle.dumps(_Trap())), "not a plain array"),
    "a header that calls": (
        "amass",
        lambda: _npz(_header("{'descr': exit(), 'fortran_order': False, 'shape': (1, 66), }")),
        "not a plain array",
    ),
    "6.6e12 numbers": (
        "amass",
        lambda: _npz(
            _header("{'descr': '<f8', 'fortran_order': False, 'shape': (100000000000, 66), }")
        ),
        "raise the option max_numbers",
    ),
    "a bomb of zip": (
        "amass",
        lambda: _npz(
            _header("{'descr': '<f8', 'fortran_order': False, 'shape': (700000, 66), }")
            + bytes(100_000_000)
        ),
        ".",
    ),
    "frames again and again": (
        "amc",
        lambda: AMC.decode().split("\n1\n")[0] + "\n1\nroot 0 0 0 0 0 0" * 20_000 + "\n",
        "appears twice",
    ),
}
"""Reader, input, and what the sentence about it has in it."""
