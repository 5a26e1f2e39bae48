"""The attributes of a joint that the writer may change, and what scenes say about them.

Attributes come in threes, one per axis; most threes have a compound attribute around them that can
be set at once, and then a scene may say the same thing in either way.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from .lexer import Token

AXES = ("X", "Y", "Z")


@dataclass(frozen=True)
class Triple:
    """Three attributes of a joint, one per axis.

    Parameters
    ----------
    pattern, short_pattern : str
        Long and short name of the attribute of one axis, with ``{}`` for the axis.
    compound, short_compound : str
        Names of the attribute that holds the three; "" if there is none.
    is_angle : bool
        Angles are in the scene's unit, the others are switches.
    default : float
        Of each attribute, in degrees, or 0 and 1.
    """

    pattern: str
    short_pattern: str
    compound: str
    short_compound: str
    is_angle: bool
    default: float

    def name(self, axis: int | None, short: bool = False) -> str:
        """Name of the attribute of an axis, or of the compound."""
        if axis is None:
            return self.short_compound if short else self.compound
        if short:
            return self.short_pattern.format(AXES[axis].lower())
        return self.pattern.format(AXES[axis])


MINIMUM = Triple("minRot{}Limit", "mr{}l", "minRotLimit", "mnrl", True, -45.0)
MAXIMUM = Triple("maxRot{}Limit", "xr{}l", "maxRotLimit", "mxrl", True, 45.0)
MINIMUM_ON = Triple("minRot{}LimitEnable", "mr{}e", "minRotLimitEnable", "mrle", False, 0.0)
MAXIMUM_ON = Triple("maxRot{}LimitEnable", "xr{}e", "maxRotLimitEnable", "xrle", False, 0.0)
JOINT_TYPE = Triple("jointType{}", "jt{}", "", "", False, 1.0)
PREFERRED_ANGLE = Triple("preferredAngle{}", "pa{}", "preferredAngle", "pa", True, 0.0)

#: In the order in which scenes have them.
TRIPLES = (MINIMUM, MAXIMUM, MINIMUM_ON, MAXIMUM_ON, JOINT_TYPE, PREFERRED_ANGLE)

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
    triple : Triple
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


@dataclass
class TripleState:
    """What is known of three attributes: values in degrees or 0 and 1, None where never set."""

    values: list[float | None] = field(default_factory=lambda: [None] * 3)
    locked: list[bool] = field(default_factory=lambda: [False] * 3)
    compound_locked: bool = False
    connected: list[bool] = field(default_factory=lambda: [False] * 3)

    def obstacle(self, axis: int) -> str | None:
        """Why the attribute of an axis must not be set: "locked", "connected" or None."""
        if self.compound_locked or self.locked[axis]:
            return "locked"
        return "connected" if self.connected[axis] else None


class PlugStates:
    """State of every attribute of one joint, from what scenes say in order."""

    def __init__(self) -> None:
        self._states = {triple: TripleState() for triple in TRIPLES}

    def __getitem__(self, triple: Triple) -> TripleState:
        return self._states[triple]

    def assign(self, assignments: Sequence[Assignment], degrees_per_unit: float) -> None:
        """Take over assignments, the later ones over the earlier."""
        for one in assignments:
            state = self._states[one.triple]
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
                self._states[triple].connected[index] = True
