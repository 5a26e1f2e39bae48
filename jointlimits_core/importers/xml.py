"""Strict XML reader for untrusted files, and numbers in the attributes of elements.

There are no document types, entities or fetching, and the size is bounded. Only elements with
requested names are kept, so a model full of meshes needs little memory.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat

import numpy as np

from ..base import Finding, InputError
from ..formats import TextFile, read_text
from ..geometry import Floats
from ..io import FilePath, ReadLimits

ELEMENTS_PER_JOINT = 20
"""Elements kept per allowed joint."""
PIECE = 1 << 16


class ModelError(InputError):
    """A robot model whose limits cannot be read or written."""


@dataclass
class XmlElement:
    """One element.

    `text`: file that contains it; a model may have several. `line`, `column`: counted from 1;
    `start`: its place in the bytes of `text`. `children`: only those with requested names.
    """

    tag: str
    attributes: dict[str, str]
    text: TextFile
    line: int
    column: int
    start: int
    children: list[XmlElement] = field(default_factory=list)

    def all(self, tag: str) -> list[XmlElement]:
        """Children with that name."""
        return [child for child in self.children if child.tag == tag]

    def fail(self, message: str) -> InputError:
        """Return an error at this element, for the caller to raise."""
        return self.text.fail(message, self.line, self.column)


def read_xml(
    path: FilePath, limits: ReadLimits, error: type[InputError], kept: Collection[str]
) -> XmlElement:
    """Read the elements of an XML file; returns the outermost one.

    `limits`: `max_depth` limits the nesting of elements, `max_joints` their number. `kept`: names
    of the elements to keep; the content of others is skipped. Raises InputError of the given type,
    with line and column: not XML, a document type or an own entity, too deep, too many elements, an
    attribute twice.
    """
    return _Reader(read_text(path, limits, error), limits, kept).read()


class _Reader:
    def __init__(self, text: TextFile, limits: ReadLimits, kept: Collection[str]) -> None:
        self._text, self._limits, self._kept = text, limits, kept
        self._parser: Any = expat.ParserCreate()
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._reject_doctype
        self._parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self._open: list[XmlElement] = []
        self._root: XmlElement | None = None
        self._passing = 0
        self._count = 0

    def read(self) -> XmlElement:
        data = self._text.data
        try:
            for start in range(0, len(data), PIECE):
                self._parser.Parse(data[start : start + PIECE], False)
            self._parser.Parse(b"", True)
        except expat.ExpatError as wrong:
            message = f"is not valid XML: {expat.ErrorString(wrong.code)}"
            raise self._text.fail(message, wrong.lineno, wrong.offset + 1) from None
        except InputError:
            raise
        except (LookupError, ValueError):
            # From Python's decoder, if the file names its encoding.
            raise self._fail("has an unknown encoding; save it as UTF-8") from None
        assert self._root is not None
        return self._root

    def _fail(self, message: str) -> InputError:
        line, column = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
        return self._text.fail(message, line, column)

    def _reject_doctype(self, *_: Any) -> None:
        raise self._fail(
            "has a document type, which could declare entities; models do not need one: delete "
            "the <!DOCTYPE ...> part"
        )

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._open) + self._passing >= self._limits.max_depth:
            raise self._fail(self._limits.refusal("max_depth", "nested elements", subject="has"))
        if self._passing or (self._root is not None and tag not in self._kept):
            self._passing += 1
            return
        self._count += 1
        if self._count > ELEMENTS_PER_JOINT * self._limits.max_joints:
            refusal = self._limits.refusal(
                "max_joints",
                "joints",
                subject=f"has more than {self._count - 1:,} elements, enough for",
            )
            raise self._fail(refusal)
        line, column = self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1
        start = self._parser.CurrentByteIndex
        element = XmlElement(tag, attributes, self._text, line, column, start)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)

    def _end(self, _: str) -> None:
        if self._passing:
            self._passing -= 1
        else:
            self._open.pop()


INCLUDE = "include"


class Includes:
    """Included files of one model, in its folder or below.

    ``<include>`` stands for the content of that file's outermost element; a file counts once.

    `limits`: `max_reference_depth` limits the depth of nested includes. `kept`: names of the
    elements to keep.
    """

    def __init__(self, limits: ReadLimits, kept: Collection[str]) -> None:
        self._limits, self._kept = limits, kept
        self._folder, self._taken = "", set[str]()
        self.findings: list[Finding] = []

    def resolve(self, root: XmlElement) -> None:
        """Insert the included parts into the tree.

        Raises ModelError with its place, for a file included twice, an include without a name, a
        broken file.
        """
        self._folder = os.path.realpath(os.path.dirname(os.fspath(root.text.path)) or ".")
        self._taken = {os.path.realpath(root.text.path)}
        self._within(root, 0)

    def _within(self, top: XmlElement, depth: int) -> None:
        waiting = [top]
        while waiting:
            element = waiting.pop()
            children: list[XmlElement] = []
            for child in element.children:
                if child.tag == INCLUDE:
                    children += self._part(child, depth)
                else:
                    children.append(child)
                    waiting.append(child)
            element.children = children

    def _part(self, include: XmlElement, depth: int) -> list[XmlElement]:
        """Elements of an included file; none, with a finding, if it is not available."""
        named = include.attributes.get("file", "")
        if not named:
            raise include.fail("<include> needs a file name")
        path = os.path.realpath(os.path.join(self._folder, named))
        why = self._left_out(path, depth)
        if why:
            text = f"{named!a} {why}; its content is missing"
            self.findings.append(Finding(INCLUDE, f"line {include.line}: {text}"))
            return []
        if path in self._taken:
            raise include.fail(f"{named!a} is included twice; include it once")
        self._taken.add(path)
        part = read_xml(path, self._limits, ModelError, self._kept)
        # Relative to the folder of the model, not of the part.
        self._within(part, depth + 1)
        return part.children

    def _left_out(self, path: str, depth: int) -> str:
        """Why a file is not read; empty if it is."""
        if Path(self._folder) not in Path(path).parents:
            return "is outside the model's folder and is not read"
        if depth >= self._limits.max_reference_depth:
            how = self._limits.refusal("max_reference_depth", "nested includes")
            return f"is not read: {how}"
        return "" if os.path.isfile(path) else "was not found in the model's folder"


_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
LARGEST = 1e12
"""Largest number accepted in a model, so that products cannot overflow."""


def numbers(element: XmlElement, name: str, count: int, default: str | None = None) -> Floats:
    """Read a fixed count of finite numbers from an attribute.

    `default`: text used if the attribute is missing. Returns shape (count,). Raises InputError with
    line and column.
    """
    text = element.attributes.get(name, default)
    words = [] if text is None else text.split()
    bad = [word for word in words[: count + 1] if not _is_number(word)]
    if len(words) != count or bad:
        found = f"{bad[0]!a:.40}" if bad else f"{len(words)}"
        what = "a number" if count == 1 else f"{count} numbers"
        raise element.fail(f"{element.tag}: {name} must be {what}, found {found}")
    return np.array([float(word) for word in words])


def _is_number(word: str) -> bool:
    if not _NUMBER.fullmatch(word) or len(word) > 400:
        return False
    value = float(word)
    return math.isfinite(value) and abs(value) <= LARGEST


def direction(element: XmlElement, name: str, count: int = 3, default: str | None = None) -> Floats:
    """Unit vector or quaternion from an attribute, shape (count,).

    Raises InputError, also for zero length.
    """
    vector = numbers(element, name, count, default)
    length = float(np.linalg.norm(vector))
    if length < 1e-10:
        raise element.fail(f"{element.tag}: {name} has zero length")
    return np.asarray(vector / length)
