"""Inputs made to harm, each for one reader: ``python -m tests.fuzz.attacks`` says how they end.

They are read under the same guard as the fuzzer's: bounds of time and memory, and no program, no
connection and no file elsewhere.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import re
import struct
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz.c3d_seeds import c3d_track_seeds
from tests.fuzz.guard import Guard
from tests.fuzz.run import Fuzzer
from tests.fuzz.seeds import SEEDS
from tests.fuzz.targets import targets
from tests.fuzz.texts import AMC, MARKERS
from tests.support.fbx_files import ascii_text, binary, leg

SCENE = '//Maya ASCII 2024 scene\ncreateNode joint -n "a";\n'
CURVE = 'createNode animCurveTA -n "c";\nconnectAttr "c.o" "a.rx";\nselect c;\n'
DEEP = 200_000


class _Trap:
    """Runs a program where it is unpickled."""

    def __reduce__(self) -> Any:
        return os.system, ("exit 1",)


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
    return re.sub(pattern, lambda found: found[1] + new, SEEDS["limits"]()[0].decode(), count=1)


def _c3d(change: Callable[[bytearray], None]) -> bytes:
    made = bytearray(c3d_track_seeds()[0])
    change(made)
    return bytes(made)


def _dimensions(made: bytearray) -> None:
    at = made.index(b"LABELS") + 8
    made[at + 1 : at + 9] = b"\x07" + b"\xff" * 7


def _loop(links: str) -> str:
    joint = '<joint name="{0}{1}" type="revolute"><parent link="{0}"/><child link="{1}"/>'
    joint += '<axis xyz="1 0 0"/><limit lower="-1" upper="1"/></joint>'
    parts = "".join(f'<link name="{name}"/>' for name in sorted(set(links)))
    return f'<robot name="r">{parts}' + "".join(map(joint.format, links, links[1:])) + "</robot>"


_ENTITIES = "".join(
    f'<!ENTITY {b} "' + f"&{a};" * 10 + '">' for a, b in zip("abcdefgh", "bcdefghi")
)
LAUGHS = f'<!DOCTYPE r [<!ENTITY a "ha">{_ENTITIES}]><robot name="&i;"><link name="a"/></robot>'
_READ = "accepted"
_NEXT = '<include file="part{0}.xml"/>'
_FAN = "".join(f"<!-- file part{k}.xml -->\n<a>{_NEXT.format(k + 1) * 4}</a>\n" for k in range(12))
ATTACKS: dict[str, tuple[str, Callable[[], bytes | str], str]] = {
    "100,000 channels": (
        "bvh",
        lambda: _bvh("50000 " + "Xrotation " * 50_000, row="1 " * 50_000),
        _READ,
    ),
    "2^63 channels": ("bvh", lambda: _bvh(f"{1 << 63} Xrotation"), "must start with their number"),
    "1e18 frames": ("bvh", lambda: _bvh(frames="1" + "0" * 18), _READ),
    "5,000 digits": ("bvh", lambda: _bvh(frames="9" * 5000), _READ),
    "a frame time of 5e-324": ("bvh", lambda: _bvh(time="5e-324"), "must be a time in seconds"),
    "zeros": ("bvh", lambda: bytes(4_000_000), "binary file"),
    "a line of statements": ("ma", lambda: SCENE + 'setAttr ".rx" 1; ' * 20_000, _READ),
    "a key 2^31": ("ma", lambda: SCENE + CURVE + 'setAttr ".ktv[2147483647]" 1 2;\n', _READ),
    "keys 1e15 apart": (
        "ma",
        lambda: SCENE + CURVE + 'setAttr -s 2 ".ktv[0:1]" 0 2 1e15 3;\n',
        _READ,
    ),
    "parents in a loop": (
        "ma",
        lambda: SCENE + 'createNode joint -n "b" -p "a";\nparent "a" "b";\nparent "b" "a";\n',
        _READ,
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
    "braces": ("fbx_text", lambda: "; FBX 7.4.0 project file\n" + "A: {\n" * DEEP, "never closed"),
    "an array of 1e12": (
        "fbx_text",
        lambda: ascii_text(leg(), 7400).replace(b"KeyTime: *", b"KeyTime: *99999999999"),
        "has an array of",
    ),
    "not a number": (
        "limits",
        lambda: _limits(r'("min_deg": )-?[\d.]+', "NaN"),
        "NaN is not a valid number",
    ),
    "1e400": (
        "limits",
        lambda: _limits(r'("max_deg": )-?[\d.]+', "1e400"),
        "is not a valid number",
    ),
    "a million digits": (
        "limits",
        lambda: _limits(r'("min_deg": )-?[\d.]+', "9" * 1_000_000),
        "is not a valid number",
    ),
    "a name twice": ("limits", lambda: _limits('()"joints":', '"joints": {}, "joints":'), "duplic"),
    "arrays in arrays": ("limits", lambda: "[" * 1_000_000, "nested too deeply"),
    "half a character": ("limits", lambda: _limits('()"hips"', '"\\ud800"'), "."),
    "a file elsewhere": (
        "manifest",
        lambda: json.dumps(
            {
                "format": "jointlimits.manifest",
                "version": 1,
                "characters": [{"name": "a", "clips": ["../../../etc/passwd"]}],
            }
        ),
        "leaves the manifest's folder",
    ),
    "a pattern of stars": (
        "markers",
        lambda: MARKERS.replace(b'"LTHI*"', b'"' + b"*a" * 2000 + b'b"'),
        _READ,
    ),
    "a cell without end": ("listed", lambda: 'a,"' + "x\n" * 100_000, "field larger than"),
    "patterns of stars": ("listed", lambda: ("*" * 40 + ",c\n") * 1000, _READ),
    "a million columns": (
        "bodies",
        lambda: "time," + ",".join(f"b{k}.px" for k in range(200_000)) + "\n",
        "columns|known table",
    ),
    "255 blocks of parameters": (
        "c3d_tracks",
        lambda: _c3d(lambda c: c.__setitem__(514, 255)),
        ".",
    ),
    "parameters behind the end": (
        "c3d_tracks",
        lambda: _c3d(lambda c: c.__setitem__(0, 255)),
        "beyond its end",
    ),
    "32,767 markers": (
        "c3d_tracks",
        lambda: _c3d(lambda c: struct.pack_into("<hh", c, 2, 32767, 32767)),
        "markers by its header",
    ),
    "255^7 labels": ("c3d_tracks", lambda: _c3d(_dimensions), "damaged parameters"),
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
    "a billion laughs": ("urdf", lambda: LAUGHS, "has a document type"),
    "laughs in UTF-16": (
        "urdf",
        lambda: f'<?xml version="1.0" encoding="utf-16"?>{LAUGHS}'.encode("utf-16"),
        "has no limits that can be imported|document type|UTF-16",
    ),
    "an entity of a file": (
        "urdf",
        lambda: '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><robot name="&a;"/>',
        "has a document type",
    ),
    "links in a loop": ("urdf", lambda: _loop("aba"), "the links form a loop"),
    "elements in elements": ("urdf", lambda: "<robot>" + "<a>" * DEEP, "nested elements"),
    "a part that includes itself": (
        "mjcf_parts",
        lambda: (
            '<mujoco><include file="part1.xml"/></mujoco>\n'
            '<!-- file part1.xml -->\n<a><include file="part1.xml"/></a>\n'
        ),
        "included twice",
    ),
    "parts that include the next four times": (
        "mjcf_parts",
        lambda: f'<mujoco><include file="part0.xml"/></mujoco>\n{_FAN}',
        "included twice",
    ),
    "frames again and again": (
        "amc",
        lambda: AMC.decode().split("\n1\n")[0] + "\n1\nroot 0 0 0 0 0 0" * 20_000 + "\n",
        "appears twice",
    ),
}
"""Reader, input, and what the sentence about it has in it."""


def main() -> int:
    """Print how each ends, and what is wrong with that, as JSON."""
    made = {name: attack() for name, (_, attack, _) in ATTACKS.items()}
    endings = {}
    with tempfile.TemporaryDirectory() as folder:
        guard = Guard(Path(folder))
        for number, (name, (reader, _, _)) in enumerate(ATTACKS.items()):
            own = Path(folder) / f"{number}"
            own.mkdir()
            fuzzer = Fuzzer(targets()[reader], [], own, own / "finds", guard)
            text = made[name]
            found = fuzzer.one(text if isinstance(text, bytes) else text.encode())
            endings[name] = (*fuzzer.tally.messages, found)
        guard.end()
    print(json.dumps(endings))
    return 0


if __name__ == "__main__":
    sys.exit(main())
