"""Parser of one ``setAttr`` or ``addAttr`` statement, independent of the scene."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from ...arrays import Booleans, Floats
from .lexer import Statement, Token

_VALUED_FLAGS = {
    "-l": "lock",
    "-lock": "lock",
    "-k": "keyable",
    "-keyable": "keyable",
    "-cb": "channelBox",
    "-channelBox": "channelBox",
    "-ca": "caching",
    "-caching": "caching",
    "-s": "size",
    "-size": "size",
    "-ch": "capacityHint",
    "-capacityHint": "capacityHint",
    "-typ": "type",
    "-type": "type",
}
_BARE_FLAGS = frozenset({"-av", "-alteredValue", "-c", "-clamp"})
_SWITCHES = {b"yes": 1.0, b"on": 1.0, b"true": 1.0, b"no": 0.0, b"off": 0.0, b"false": 0.0}
_NOT_A_NUMBER = re.compile(
    rb"[-+]?\d*\.?\d*#(?:IND|QNAN|SNAN|INF)\d*|[-+]?nan\(.*\)", re.IGNORECASE
)
_BEYOND_MEASURE = 1e30
_PLUG_PART = re.compile(r"(\w+)(?:\[(-?\d{1,9})(?::(-?\d{1,9}))?\])?\Z")


@dataclass(frozen=True)
class Assignment:
    """Content of a ``setAttr``.

    Parameters
    ----------
    plug : str
        ".rotateX", or "node.rotateX".
    locked : bool or None
        None if the lock is not mentioned.
    data_type : str
        "double3", "matrix", "string" ...; "" for a number.
    values : bytes
        Everything after the flags, not yet parsed.
    """

    plug: str
    locked: bool | None
    data_type: str
    values: bytes


def parse_set_attr(statement: Statement) -> Assignment | None:
    """Parse a ``setAttr``; None if it names no attribute.

    Flags stand before or behind the attribute; only the words up to the first value are read.
    """
    flags: dict[str, str] = {}
    plug: str | None = None
    pending = ""
    last: Token | None = None
    for position, token in enumerate(statement):
        if position == 0:
            last = token
            continue
        if pending:
            flags[pending], pending = token.text, ""
        elif not token.quoted and token.text in _VALUED_FLAGS:
            pending = _VALUED_FLAGS[token.text]
        elif not token.quoted and token.text in _BARE_FLAGS:
            pass
        elif plug is None:
            plug = token.text
        else:
            break
        last = token
    if plug is None or last is None:
        return None
    locked = flags["lock"] in ("on", "yes", "true", "1") if "lock" in flags else None
    return Assignment(plug, locked, flags.get("type", ""), statement.after(last))


def numbers(values: bytes) -> Floats:
    """Numbers of a value list.

    Parameters
    ----------
    values : bytes
        Separated by white space; yes, no, on, off, true and false are 1 and 0; what C's printf
        writes for numbers that are none (``-1.#IND``, ``1.#QNAN``) is NaN.

    Returns
    -------
    array, shape (numbers,)

    Raises
    ------
    ValueError
        With the first word that is not a number.
    """
    words = values.split()
    try:
        return np.fromiter(map(float, words), dtype=np.float64, count=len(words))
    except ValueError:
        return np.fromiter(map(_number, words), dtype=np.float64, count=len(words))


def sensible(values: Floats) -> Booleans:
    """True for numbers that can be computed with: finite, and not too large."""
    return np.asarray(np.abs(values) < _BEYOND_MEASURE)


def _number(word: bytes) -> float:
    if word in _SWITCHES:
        return _SWITCHES[word]
    if _NOT_A_NUMBER.match(word):
        return float("nan")
    try:
        return float(word)
    except ValueError:
        text = word[:40].decode("utf-8", "replace")
        raise ValueError(f"{text!r} is not a number") from None


def split_plug(plug: str) -> tuple[str, str]:
    """Node path and attribute of "node.attribute"; the node is "" for ".attribute"."""
    node, _, attribute = plug.partition(".")
    return node, attribute


def attribute_parts(attribute: str) -> list[tuple[str, int | None, int | None]]:
    """Names and index ranges of "a.b[2:5].c"; empty if it is not of that form.

    Returns
    -------
    list of (name, first index or None, last index or None)
    """
    parts = []
    for piece in attribute.split("."):
        match = _PLUG_PART.match(piece)
        if match is None:
            return []
        first, last = match[2], match[3]
        start = None if first is None else int(first)
        parts.append((match[1], start, start if last is None else int(last)))
    return parts


def parse_add_attr(statement: Statement) -> tuple[str, str, float | None]:
    """Long name, short name and default value of an ``addAttr``; "" and None where not given."""
    found = {"-ln": "", "-sn": "", "-dv": ""}
    names = {"-longName": "-ln", "-shortName": "-sn", "-defaultValue": "-dv"}
    words = [token.text for token in statement.tokens]
    for flag, value in zip(words, words[1:]):
        key = names.get(flag, flag)
        if key in found:
            found[key] = value
    try:
        default = float(found["-dv"]) if found["-dv"] else None
    except ValueError:
        default = None
    return found["-ln"], found["-sn"], default
