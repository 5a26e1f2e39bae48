"""Inputs that are nearly right: seeds with bytes, words, lines, values or members changed."""

from __future__ import annotations

import copy
import io
import json
import random
import re
import zipfile
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

MOST_BYTES = 1 << 17
"""Longest input that is made; larger ones are tests of their own."""

NUMBERS = (
    *("0", "-0", "1", "-1", "3", "4294967296", "2147483648", "-2147483649", "18446744073709551616"),
    *("nan", "-nan", "inf", "-inf", "Infinity", "1.#IND", "-1.#QNAN", "1e308", "-1e308", "1e309"),
    *("1e-320", "1e200", "1e30", "9" * 400, "0." + "0" * 300 + "1", "1,5", "1.5.2", "0x10", "1_0"),
    *("1e", "--1", "+", ".", "1-2", "1d5", "360", "-180.0000001", "1e5", "007", "true", "null"),
)
WORDS = (
    *("", "\x1b[2J", "\x07", "<script>", "&lt;", "${HOME}", "../../../etc/passwd", "/etc/passwd"),
    *("C:/x.ma", "//host/share/x.ma", "%s%n", "\u202e", "\u0000", "\ufeff", "é", "\ud7ff", "{}"),
    *("a" * 2000, "#", "//", "/*", "*/", '"', "'", "\\", "{", "}", "[", "]", "(", ")", ";", ","),
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2**31, 2**63, 2**70, 10**305, 1e308, -1e308, 1e-320, 0.5, 360.0),
    *("", "x", "../x", "\x1b[31m", "rotateX", "limited", "free", "hinge", [], {}, [[]], [0, 1, 2]),
    *([None], {"x": 1}, [1e300] * 3, float("nan"), float("inf"), "9" * 400, -0.0, 1.5, "1"),
)
_TOKEN = re.compile(rb"\s+|[^\s\"<>{}()\[\]=;:,]+|[\"<>{}()\[\]=;:,]")
_NUMBER = re.compile(rb"[-+]?\d[\d.eE+-]*")

Mutator = Callable[[random.Random, bytes, Sequence[bytes]], bytes]


def mutated_bytes(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Change, drop, repeat or exchange bytes."""
    changed = bytearray(data)
    for _ in range(_few(chance)):
        at = chance.randrange(len(changed) + 1)
        length = 1 + int(chance.expovariate(0.05))
        kind = chance.randrange(8)
        if kind == 0 and at < len(changed):
            changed[at] ^= 1 << chance.randrange(8)
        elif kind == 1 and at < len(changed):
            changed[at] = chance.choice((0, 1, 9, 10, 13, 32, 34, 127, 128, 255))
        elif kind == 2:
            del changed[at : at + length]
        elif kind == 3:
            changed[at:at] = changed[at : at + length]
        elif kind == 4:
            changed[at:at] = chance.randbytes(min(length, 64))
        elif kind == 5:
            other = chance.choice(seeds)
            start = chance.randrange(len(other) + 1)
            changed[at : at + length] = other[start : start + length]
        elif kind == 6:
            number = chance.choice((0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF))
            changed[at : at + 2] = number.to_bytes(2, chance.choice(("little", "big")))
        else:
            del changed[at:]
    return bytes(changed[:MOST_BYTES])


def mutated_text(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Change numbers, words and lines, and now and then bytes."""
    if chance.random() < 0.25:
        return mutated_bytes(chance, data, seeds)
    changed = data
    for _ in range(_few(chance)):
        kind = chance.randrange(5)
        changed = _with_lines(chance, changed, seeds) if kind == 0 else _with_word(chance, changed)
        if len(changed) > MOST_BYTES:
            break
    return changed[:MOST_BYTES]


def _with_word(chance: random.Random, data: bytes) -> bytes:
    """Exchange, repeat or drop the word at a place of the text."""
    start = chance.randrange(len(data) + 1)
    match = _TOKEN.search(data, max(0, start - 1))
    if match is None:
        return data + b" 1"
    kind, word = chance.randrange(6), match.group()
    if kind <= 1:
        number = _NUMBER.search(data, start)
        match = number or match
        word = chance.choice(NUMBERS).encode()
    elif kind == 2:
        word = chance.choice(WORDS).encode("utf-8", "surrogatepass")
    elif kind == 3:
        word = b""
    elif kind == 4:
        word = (word + b" ") * chance.choice((2, 2, 3, 100, 5000 // (len(word) + 1)))
    else:
        other = _TOKEN.search(data, chance.randrange(len(data)))
        word = other.group() if other else b""
    return data[: match.start()] + word + data[match.end() :]


def _with_lines(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Drop, repeat, move, nest or bring in lines."""
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    length = chance.choice((1, 1, 1, 2, 5, 20))
    part, kind = lines[at : at + length], chance.randrange(6)
    if kind == 0:
        del lines[at : at + length]
    elif kind == 1:
        lines[at:at] = part
    elif kind == 2:
        lines[at:at] = part * chance.choice((3, 30, 600))
    elif kind == 3:
        del lines[at : at + length]
        to = chance.randrange(len(lines) + 1)
        lines[to:to] = part
    elif kind == 4:
        other = chance.choice(seeds).split(b"\n")
        start = chance.randrange(len(other))
        lines[at:at] = other[start : start + length]
    else:
        del lines[at:]
    return chance.choice((b"\n", b"\n", b"\n", b"\r\n", b"\r")).join(lines)


def mutated_json(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Change values in the document, and now and then the text."""
    if chance.random() < 0.25:
        return mutated_text(chance, data, seeds)
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return mutated_text(chance, data, seeds)
    for _ in range(_few(chance)):
        document = _with_value(chance, document)
    text = json.dumps(document)
    if chance.random() < 0.1:
        return mutated_text(chance, text.encode(), seeds)
    return text.encode()[:MOST_BYTES]


def _with_value(chance: random.Random, document: Any) -> Any:
    """Exchange, drop, repeat or nest one value somewhere inside."""
    place = _place(chance, document)
    if place is None:
        return copy.deepcopy(chance.choice(VALUES))
    _change(chance, *place)
    # A value that now stands in two places must not hold itself.
    return json.loads(json.dumps(document))


def _place(chance: random.Random, document: Any) -> tuple[Any, Any] | None:
    """A dict or list somewhere inside, and a key or index of it; None if there is none."""
    place, value = None, document
    while isinstance(value, (dict, list)) and value and (place is None or chance.random() < 0.85):
        keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
        place = value, chance.choice(keys)
        value = value[place[1]]
    return place


def _change(chance: random.Random, holder: Any, key: Any) -> None:
    """Change the value at a place."""
    value = holder[key]
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    kind = 3 if is_number and chance.random() < 0.5 else chance.randrange(7)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, dict):
        holder[chance.choice(WORDS[:-1])] = value
    elif kind == 1:
        holder.insert(key, value)
    elif kind == 2 and isinstance(value, list) and value:
        holder[key] = value * chance.choice((0, 2, 50))
    elif kind == 3 and is_number:
        factor = chance.choice((-1, 0, 0.5, 2, 1.0000001, 1e6, 1e-9, 1e150))
        with suppress(OverflowError):  # an integer that no float can hold stays as it is
            holder[key] = value * factor
    elif kind == 4:
        holder[key] = {"deep": value} if chance.random() < 0.5 else [value]
    elif kind == 5:
        holder[key] = holder[chance.choice(list(holder)) if isinstance(holder, dict) else key]
    else:
        holder[key] = chance.choice(VALUES)


def mutated_members(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Change a member of a zip archive with its checksum right again, or the archive's bytes."""
    if chance.random() < 0.2:
        return mutated_bytes(chance, data, seeds)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            members = {name: packed.read(name) for name in packed.namelist()}
    except (zipfile.BadZipFile, zlib.error, ValueError, KeyError, RuntimeError, EOFError, OSError):
        return mutated_bytes(chance, data, seeds)
    for _ in range(_few(chance)):
        name = chance.choice(list(members) or ["document.npy"])
        held = members.get(name, b"")
        if name.startswith("document") and chance.random() < 0.8:
            head, _, text = held.partition(b"\n")
            text = mutated_json(chance, text, [text])
            shape = re.sub(rb"\(\d+,\)", b"(%d,)" % len(text), head)
            members[name] = shape + b"\n" + text
        elif chance.random() < 0.1:
            members.pop(name, None)
        else:
            members[name] = _with_floats(chance, held) or mutated_bytes(chance, held, [held])
    made = io.BytesIO()
    method = zipfile.ZIP_DEFLATED if chance.random() < 0.02 else zipfile.ZIP_STORED
    with zipfile.ZipFile(made, "w", method) as packed:
        for name, held in members.items():
            packed.writestr(name, held)
    return made.getvalue()


def _with_floats(chance: random.Random, held: bytes) -> bytes | None:
    """Array file with one of its eight-byte values changed; None if it has none."""
    start = held.find(b"\n") + 1
    count = (len(held) - start) // 8
    if start == 0 or count == 0 or chance.random() < 0.3:
        return None
    import struct

    at = start + 8 * chance.randrange(count)
    value = chance.choice((0.0, -1.0, 1e308, 1e-320, float("nan"), float("inf"), 2.0, 0.5, 1e9))
    packed = struct.pack("<d", value)
    if chance.random() < 0.3:
        packed = struct.pack("<q", chance.choice((0, 1, -1, 2, 2**62, -(2**63), 100)))
    return held[:at] + packed + held[at + 8 :]


def _few(chance: random.Random) -> int:
    return 1 + min(int(chance.expovariate(0.9)), 12)
