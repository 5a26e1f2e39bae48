"""New values for attributes of a node, in the file's style and in their existing places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...arrays import ArrayLike, Booleans, Floats
from .attributes import family_of
from .edits import Edit
from .lexer import Buffer
from .node_places import NodePlaces, Setting

_LINE_START = re.compile(rb"(\r\n|\r|\n)[ \t]*\Z")
_REST_OF_LINE = re.compile(rb"[ \t]*(//[^\r\n]*)?(?=\r|\n)")
_LINE_BREAK = re.compile(rb"[ \t]*(\r\n|\r|\n)")
_NUMBERS_IN_LINE = 12
_XFORM_SWITCH = 36


def number_text(value: float) -> str:
    """Shortest text that reads back as the same number, without a needless fraction."""
    text = repr(float(value) + 0.0)
    return text[:-2] if text.endswith(".0") else text


def numbers_text(values: ArrayLike) -> str:
    """Numbers, wrapped into lines as Maya does."""
    words = [number_text(value) for value in np.asarray(values, np.float64).reshape(-1).tolist()]
    lines = [words[n : n + _NUMBERS_IN_LINE] for n in range(0, len(words), _NUMBERS_IN_LINE)]
    return "\n\t\t ".join(" ".join(line) for line in lines)


@dataclass(frozen=True)
class Pen:
    """Writes statements in the style of one file.

    Parameters
    ----------
    buffer : bytes-like
        The file.
    """

    buffer: Buffer
    short_names: bool

    def name(self, node_type: str, long: str) -> str:
        """Name of an attribute as the file would have it."""
        if not self.short_names:
            return long
        names = family_of(node_type).long_names
        return next((name for name, whole in names.items() if whole == long != name), long)

    def newline(self, place: int) -> bytes:
        """Line end that the file uses, looked up from a place on, or else before it."""
        after = self.buffer.find(b"\n", place)
        after = after if after >= 0 else self.buffer.rfind(b"\n", 0, place)
        if after < 0:
            return b"\r" if self.buffer.find(b"\r") >= 0 else b"\n"
        return b"\r\n" if self.buffer[after - 1 : after] == b"\r" else b"\n"

    def encoded(self, text: str, place: int) -> bytes:
        """Text as bytes, with the file's line ends."""
        raw = text.encode("utf-8", "surrogateescape")
        newline = self.newline(place)
        return raw if newline == b"\n" else raw.replace(b"\n", newline)

    def inserted(self, place: int, lines: Sequence[str]) -> Edit:
        """Lines of their own behind the line that a statement ends on."""
        rest = _REST_OF_LINE.match(self.buffer, place)
        there = rest.end() if rest else place
        return Edit(there, there, self.encoded("".join("\n" + line for line in lines), place))

    def replaced(self, setting: Setting, value: str) -> Edit:
        """Another value behind the name of an attribute; the semicolon is added."""
        return Edit(setting.name_end, setting.end, self.encoded(f"{value};", setting.start))

    def removed(self, start: int, end: int) -> Edit:
        """Take statements out, with their lines where they have those for themselves.

        The line break that goes is the one in front: what is put behind the statements, before the
        next break, then has a place of its own.
        """
        ahead = bytes(self.buffer[max(0, start - 256) : start])
        line = _LINE_START.search(ahead)
        alone = line is not None and _LINE_BREAK.match(self.buffer, end) is not None
        return Edit(start - len(line.group()) if alone and line else start, end, b"")

    def scalar(self, node_type: str, places: NodePlaces, name: str, value: int) -> list[Edit]:
        """Edits that give a plain attribute a value."""
        found = list(places.of(name))
        if not found:
            line = f'\tsetAttr ".{self.name(node_type, name)}" {value};'
            return [self.inserted(places.last_end, [line])]
        return [self.replaced(one, f" {value}") for one in found if one.values != (value,)]

    def triple(
        self, node_type: str, places: NodePlaces, name: str, values: Floats, needed: Booleans
    ) -> list[Edit]:
        """Edits that give the three parts of a compound their values.

        Parameters
        ----------
        name : str
            Long name of the compound.
        values : array, shape (3,)
            In the file's unit.
        needed : array of bool, shape (3,)
            Parts that must be said; the others only where the file says them already.
        """
        children = family_of(node_type).children[name]
        covered, edits = np.zeros(3, dtype=bool), []
        for one in places.settings:
            if not one.values or one.name not in (name, *children):
                continue
            axes = (0, 1, 2) if one.name == name else (children.index(one.name),)
            covered[list(axes)] = True
            words = " ".join(number_text(values[axis]) for axis in axes)
            kind = ' -type "double3"' if len(axes) == 3 else ""
            if one.values != tuple(float(values[axis]) for axis in axes):
                edits.append(self.replaced(one, f"{kind} {words}{' ' if kind else ''}"))
        missing = needed & ~covered & (values != 0.0)
        if missing.any() and not covered.any():
            words = " ".join(number_text(value) for value in np.where(needed, values, 0.0))
            line = f'\tsetAttr ".{self.name(node_type, name)}" -type "double3" {words} ;'
            return [*edits, self.inserted(places.last_end, [line])]
        lines = [
            f'\tsetAttr ".{self.name(node_type, children[axis])}" {number_text(values[axis])};'
            for axis in np.flatnonzero(missing)
        ]
        return [*edits, self.inserted(places.last_end, lines)] if lines else edits

    def matrix(
        self, node_type: str, places: NodePlaces, name: str, index: int | None, values: Floats
    ) -> list[Edit]:
        """Edits that give a matrix attribute its sixteen numbers, or a record its 37."""
        value = f' -type "matrix" {_matrix_text(values)}'
        found = [
            one
            for one in places.of(name)
            if one.values and one.index == (None if index is None else (index, index))
        ]
        if found:
            return [self.replaced(one, value) for one in found]
        plug = self.name(node_type, name) + ("" if index is None else f"[{index}]")
        return [self.inserted(places.last_end, [f'\tsetAttr ".{plug}"{value};'])]


def _matrix_text(values: Floats) -> str:
    if len(values) <= _XFORM_SWITCH:
        return numbers_text(values)
    switch = "yes" if values[_XFORM_SWITCH] else "no"
    return f'"xform" {numbers_text(values[:_XFORM_SWITCH])} {switch}'
