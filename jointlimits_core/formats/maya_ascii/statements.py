"""Words in ``setAttr`` and other statements, independent of the scene."""

from __future__ import annotations

import math
import re
from itertools import islice
from typing import NamedTuple

import numpy as np

from ...geometry.arrays import Floats
from ...rig.limit_plan import TRIPLES, PlugStates, Triple
from .lexer import Statement, Token

LimitPlug = tuple[Triple, "int | None"]

PLUGS: dict[str, LimitPlug] = {
    name: (triple, axis)
    for triple in TRIPLES
    for axis in (None, 0, 1, 2)
    for name in (triple.name(axis), triple.name(axis, short=True))
    if name
}
"""Limit attribute and axis (None for the compound) by long and by short name."""

_VALUED_FLAGS = {
    "-l": "lock",
    "-k": "keyable",
    "-cb": "channelBox",
    "-ca": "caching",
    "-s": "size",
    "-ch": "capacityHint",
    "-typ": "type",
}
_VALUED_FLAGS.update({f"-{meaning}": meaning for meaning in _VALUED_FLAGS.values()})
"""Meaning of each ``setAttr`` flag that takes an argument, by its short and its long name."""
_BARE_FLAGS = frozenset({"-av", "-alteredValue", "-c", "-clamp"})
_SWITCHES = {b"yes": 1.0, b"on": 1.0, b"true": 1.0, b"no": 0.0, b"off": 0.0, b"false": 0.0}
_NOT_A_NUMBER = rb"(?i)[-+]?\d*\.?\d*#(?:IND|QNAN|SNAN|INF)\d*|[-+]?nan\(.*\)"
FILE_FLAGS_WITH_VALUE = frozenset({"-ns", "-rfn", "-rpr", "-typ", "-op", "-dr", "-rdi", "-shd"})
SHORT_FLAGS = {
    "-name": "-n",
    "-parent": "-p",
    "-linear": "-l",
    "-angle": "-a",
    "-time": "-t",
    "-reference": "-r",
    "-namespace": "-ns",
    "-referenceNode": "-rfn",
    "-renamingPrefix": "-rpr",
    "-type": "-typ",
    "-options": "-op",
    "-deferReference": "-dr",
    "-referenceDepthInfo": "-rdi",
    "-world": "-w",
    "-addObject": "-add",
    "-longName": "-ln",
    "-shortName": "-sn",
    "-defaultValue": "-dv",
}


class LimitAssignment(NamedTuple):
    """Location in a file where a limit attribute is set, locked or unlocked.

    `axis`: None for the compound. `values`: in the file's own unit, switches as 0 and 1; empty if
    no value is set. `locked`: None if the lock is not mentioned. `start`, `end`: byte offsets of
    the value. `flags`: flags to repeat before a new value.
    """

    triple: Triple
    axis: int | None
    values: tuple[float, ...]
    locked: bool | None
    start: int
    end: int
    flags: str = ""

    def change(self, states: PlugStates, degrees_per_unit: float) -> None:
        """Change the states of a joint's attributes as Maya does: the last assignment wins."""
        state, axes = states[self.triple], axes_of(self.axis)
        if len(self.values) == len(axes):
            scale = degrees_per_unit if self.triple.is_angle else 1.0
            for axis, value in zip(axes, self.values):
                state.values[axis] = value * scale
        if self.locked is not None:
            change = state.locked.add if self.locked else state.locked.discard
            change(self.axis)


def axes_of(axis: int | None) -> tuple[int, ...]:
    """Axes of an attribute: all three for a compound, whose axis is None."""
    return (0, 1, 2) if axis is None else (axis,)


def number_from_word(word: str) -> float:
    """Value of a number or a switch; NaN for anything else."""
    try:
        return _number(word.encode("utf-8", "surrogateescape"))
    except ValueError:
        return math.nan


class Assignment(NamedTuple):
    """Content of a ``setAttr``.

    `plug`: ".rotateX", or "node.rotateX". `locked`: None if the lock is not mentioned.
    `data_type`: "double3", "matrix", "string" ...; "" for a number. `values`: everything after the
    flags, stripped but not parsed. `flags`: all words before the values, except plug and type.
    """

    plug: Token
    locked: bool | None
    data_type: str
    values: bytes
    flags: tuple[str, ...]

    def limit(self, name: str, start: int, end: int) -> LimitAssignment:
        """Assignment to an attribute of :data:`PLUGS`; `start`, `end`: offsets of the value."""
        words = Statement(self.values, 1, 0, len(self.values))
        values = tuple(number_from_word(token.text) for token in islice(words, 4))
        flags = "".join(f" {flag}" for flag in self.flags)
        return LimitAssignment(*PLUGS[name], values, self.locked, start, end, flags)


def parse_set_attr(statement: Statement) -> Assignment | None:
    """Parse a ``setAttr``; None if it names no attribute.

    Flags may precede or follow the attribute; only the words up to the first value are read.
    """
    flags: dict[str, str] = {}
    kept: list[str] = []
    plug: Token | None = None
    pending = ""
    tokens = iter(statement)
    last = next(tokens, None)
    for token in tokens:
        if pending:
            kept += [token.text] if pending != "type" else []
            flags[pending], pending = token.text, ""
        elif not token.quoted and token.text in _VALUED_FLAGS:
            pending = _VALUED_FLAGS[token.text]
            kept += [token.text] if pending != "type" else []
        elif not token.quoted and token.text in _BARE_FLAGS:
            kept.append(token.text)
        elif plug is None:
            plug = token
        else:
            break
        last = token
    if plug is None or last is None:
        return None
    locked = number_from_word(flags["lock"]) == 1.0 if "lock" in flags else None
    values = statement.raw[last.end - statement.start :].removesuffix(b";").strip()
    return Assignment(plug, locked, flags.get("type", ""), values, tuple(kept))


def numbers(values: bytes) -> Floats:
    """Numbers in a list of values separated by white space.

    Yes, on and true are 1; no, off and false are 0. Invalid numbers, as C's printf writes them
    (``-1.#IND``, ``1.#QNAN``), are NaN. Raises ValueError, with the first word that is not a
    number.
    """
    words = values.split()
    try:
        return np.fromiter(map(float, words), dtype=np.float64, count=len(words))
    except ValueError:
        return np.fromiter(map(_number, words), dtype=np.float64, count=len(words))


def _number(word: bytes) -> float:
    if word in _SWITCHES:
        return _SWITCHES[word]
    try:
        return float(word)
    except ValueError:
        if re.match(_NOT_A_NUMBER, word):
            return float("nan")
        text = word[:40].decode("utf-8", "replace")
        raise ValueError(f"{text!r} is not a number") from None


def plain_words(statement: Statement) -> list[str]:
    """Words of a statement, without the command and its flags."""
    return [token.text for token in statement.tokens[1:] if not token.text.startswith("-")]


def flags_of(statement: Statement, valued: frozenset[str] | None = None) -> dict[str, str]:
    """Flags by short name, each with the word that follows it.

    `valued`: flags that take a value, by default all; other flags get "".
    """
    words = [token.text for token in statement.tokens[1:]]
    flags = [(SHORT_FLAGS.get(word, word), after) for word, after in zip(words, [*words[1:], ""])]
    return {
        flag: after if valued is None or flag in valued else ""
        for flag, after in flags
        if flag.startswith("-")
    }
