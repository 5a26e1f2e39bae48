"""Attribute assignments that the limit writer changes, as found in a scene's text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ...applying.joint_attributes import TRIPLES, PlugStates, Triple
from .lexer import Statement, Token

Plug = tuple[Triple, "int | None"]

PLUGS: dict[str, Plug] = {
    name: (triple, axis)
    for triple in TRIPLES
    for axis in (None, 0, 1, 2)
    for name in (triple.name(axis), triple.name(axis, short=True))
    if name
}
"""Attribute and axis (None for the compound) by long and by short name."""


@dataclass(frozen=True)
class Assignment:
    """One place that sets, locks or unlocks an attribute.

    Parameters
    ----------
    axis : int or None
        None for the compound.
    values : tuple of float
        In the file's own unit, switches as 0 and 1; empty if the place sets no value.
    locked : bool, optional
        What the place says about the lock; None if nothing.
    start, end : int
        Byte offsets of what has to be replaced for another value.
    flags : str
        What must be kept in front of the value.
    """

    triple: Triple
    axis: int | None
    values: tuple[float, ...]
    locked: bool | None
    start: int
    end: int
    flags: str = ""


_ONE_ARGUMENT = {
    **dict.fromkeys(("-l", "-lock"), "lock"),
    **dict.fromkeys(("-typ", "-type"), "type"),
    **dict.fromkeys(("-k", "-keyable", "-cb", "-channelBox"), "other"),
    **dict.fromkeys(("-s", "-size", "-ca", "-caching"), "other"),
}
_SWITCHES = {"yes": 1.0, "on": 1.0, "true": 1.0, "no": 0.0, "off": 0.0, "false": 0.0}


def number_from_word(word: str) -> float:
    """Value of a number or a switch; NaN for anything else."""
    if word in _SWITCHES:
        return _SWITCHES[word]
    try:
        return float(word)
    except ValueError:
        return math.nan


@dataclass
class SetAttrWords:
    """The words of one setAttr, sorted."""

    attribute: Token | None = None
    values: list[float] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    locked: bool | None = None


def sorted_words(tokens: Iterable[Token], attribute: Token | None = None) -> SetAttrWords:
    """Sort the words behind ``setAttr``; the first that is no flag is the attribute, if not given.

    At most four values are kept: what the writer changes has three.
    """
    found = SetAttrWords(attribute)
    words: Iterator[Token] = iter(tokens)
    for token in words:
        text = token.text
        if not token.quoted and text[:1] == "-" and text[1:2].isalpha():
            meaning = _ONE_ARGUMENT.get(text)
            argument = next(words, None) if meaning else None
            if meaning == "lock" and argument is not None:
                found.locked = number_from_word(argument.text) == 1.0
            if meaning != "type":
                found.flags += [text] + ([argument.text] if argument else [])
        elif found.attribute is None:
            found.attribute = token
        elif len(found.values) < 4:
            found.values.append(number_from_word(text))
    return found


def set_attr_words(statement: Statement) -> SetAttrWords:
    """Sort the words of a whole ``setAttr`` statement."""
    return sorted_words(islice(statement, 1, None))


class SaidStates(PlugStates):
    """State of every attribute of one joint, from what scenes say in order."""

    def assign(self, assignments: Sequence[Assignment], degrees_per_unit: float) -> None:
        """Take over assignments, the later ones over the earlier."""
        for one in assignments:
            state = self[one.triple]
            axes = range(3) if one.axis is None else (one.axis,)
            if len(one.values) == len(axes):
                scale = degrees_per_unit if one.triple.is_angle else 1.0
                for axis, value in zip(axes, one.values):
                    state.values[axis] = value * scale
            if one.locked is not None and one.axis is None:
                state.compound_locked = one.locked
            elif one.locked is not None and one.axis is not None:
                state.locked[one.axis] = one.locked

    def connect(self, plugs: Iterable[Plug]) -> None:
        """Take over connections into attributes."""
        for triple, axis in plugs:
            for index in range(3) if axis is None else (axis,):
                self[triple].connected[index] = True
