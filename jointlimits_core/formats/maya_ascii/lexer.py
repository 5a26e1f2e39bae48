"""Statements and tokens of a Maya ASCII scene, which is read statement by statement.

A scene is a list of commands, each ending with a semicolon; nothing is executed. No regular
expression repeats a group, so long lines and strings cost no memory.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import NamedTuple, Union

from ...base.errors import MayaAsciiError
from ...io.input import DEFAULT_LIMITS, ReadLimits
from ..text import BYTE_ORDER_MARK, whole_file

PathLike = Union[str, "os.PathLike[str]"]
Keep = Callable[[bytes], bool]

ADVICE = "give the path of a .ma scene"
HEAD_BYTES = 256

_BLANK = re.compile(rb"[ \t\r\n\f\v]*")
_HEADER = re.compile(rb"//[ \t]*Maya ASCII|^[ \t]*requires[^;]{0,512}?\bmaya\b", re.MULTILINE)
_SPECIAL = re.compile(rb'"[^"\\\0]*"|[;"{}()\[\]\0]|/[/*]')
"""A plain string, or a character that may have a special meaning."""
_IN_STRING = re.compile(rb'["\\\0]')
_LINE_END = re.compile(rb"[\r\n]")
_BLOCK_END = re.compile(rb"\*/")
_WORD = re.compile(rb'[^ \t\r\n\f\v";/]+')
_TOKEN = re.compile(rb'"([^"\\\0]*)"|(' + _WORD.pattern + rb'|/(?![/*]))|"|/[/*]')
"""A plain string or a word, as a group; or the beginning of any other string or of a comment."""
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_WORDS = "words in one statement"
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
"""Meaning of a character after a backslash in MEL; other characters stand for themselves."""


class Token(NamedTuple):
    """A word or a string of a statement.

    `text`: without quotes and escapes; bytes that are not UTF-8 are surrogate-escaped. `start`,
    `end`: byte offsets in the file, quotes included. `quoted`: True for a string.
    """

    text: str
    start: int
    end: int
    quoted: bool


@dataclass(frozen=True)
class Statement:
    """One statement.

    `raw`: its bytes, including the semicolon. `line`, `column`: of its first byte, from 1.
    `start`, `end`: byte offsets in the file; `end` is after the semicolon. `path`: for messages.
    """

    raw: bytes
    line: int
    start: int
    end: int
    column: int = 1
    path: str = field(default="", repr=False)
    limits: ReadLimits = field(default=DEFAULT_LIMITS, repr=False)

    def __iter__(self) -> Iterator[Token]:
        """Tokens one by one, so that callers can stop before bulk data."""
        raw, place = self.raw, 0
        while (match := _TOKEN.search(raw, place)) is not None:
            first, place = match.span()
            if match.lastindex:
                text = match[match.lastindex].decode("utf-8", "surrogateescape")
                yield Token(text, self.start + first, self.start + place, match.lastindex == 1)
                continue
            step = _string_end if place == first + 1 else _comment_end
            place = step(raw, first, len(raw))
            # In statements from a file, strings are closed; in other text, they may not be.
            place = place if place > 0 else len(raw)
            if step is _string_end:
                inside = raw[first + 1 : place - 1].decode("utf-8", "surrogateescape")
                text = _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), inside)
                yield Token(text, self.start + first, self.start + place, True)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """All tokens; MayaAsciiError if there are more than :attr:`.ReadLimits.max_words`."""
        found = tuple(islice(self, self.limits.max_words + 1))
        if len(found) > self.limits.max_words:
            raise self.error(self.limits.refusal("max_words", _WORDS), found[-1])
        return found

    @property
    def command(self) -> str:
        """Text of the first token, "" if there is none."""
        word = _WORD.match(self.raw)
        if word is not None:
            return word.group().decode("utf-8", "surrogateescape")
        return next((token.text for token in self), "")

    def error(self, message: str, token: Token | None = None) -> MayaAsciiError:
        """Return an error at this statement, or at one of its tokens, for the caller to raise."""
        ahead = self.raw[: (token.start if token else self.start) - self.start]
        line = self.line + ahead.count(b"\n")
        column = len(ahead) - ahead.rfind(b"\n") if b"\n" in ahead else self.column + len(ahead)
        return MayaAsciiError(self.path, message, line, column)


def _string_end(buffer: bytes, quote: int, end: int) -> int:
    """Offset after the closing quote of the string that opens at `quote`; -1 if unclosed."""
    place = quote + 1
    while True:
        match = _IN_STRING.search(buffer, place, end)
        if match is None:
            return -1
        sign = match.group()
        if sign == b'"':
            return match.end()
        # A backslash escapes the next byte; the caller reports a NUL.
        place = match.end() + (sign == b"\\")
        if sign == b"\0" or place > end:
            return -1


def _comment_end(buffer: bytes, place: int, end: int) -> int:
    """Offset after the comment that opens at `place`; -1 if unclosed."""
    if buffer[place + 1 : place + 2] == b"/":
        match = _LINE_END.search(buffer, place, end)
        return end if match is None else match.start()
    match = _BLOCK_END.search(buffer, place + 2, end)
    return -1 if match is None else match.end()


class _Scanner:
    """Search for the start, end and line of statements."""

    def __init__(self, path: str, buffer: bytes, limits: ReadLimits) -> None:
        self.path, self.buffer, self.limits = path, buffer, limits
        self.size = len(buffer)
        self.place = 3 if buffer.startswith(BYTE_ORDER_MARK) else 0
        self._line, self._newline, self._counted = 1, -1, 0

    def line_and_column(self, place: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1; offsets must not decrease."""
        self._line += self.buffer.count(b"\n", self._counted, place)
        newline = self.buffer.rfind(b"\n", self._counted, place)
        self._newline = newline if newline >= 0 else self._newline
        self._counted = max(place, self._counted)
        return self._line, place - self._newline

    def error(self, place: int, message: str) -> MayaAsciiError:
        return MayaAsciiError(self.path, message, *self.line_and_column(place))

    def next_start(self) -> int:
        """Offset of the next statement, after blanks and comments; the file's end if none."""
        place = self.place
        while True:
            blank = _BLANK.match(self.buffer, place, self.size)
            place = blank.end() if blank else place
            if self.buffer[place : place + 2] not in (b"//", b"/*"):
                return place
            stop = _comment_end(self.buffer, place, self.size)
            if stop < 0:
                raise self.error(place, "this comment is never closed; the file may be truncated")
            place = stop

    def statement_end(self, start: int, bound: str) -> int:
        """Offset after the semicolon, or the brace of a block, that ends a statement.

        `bound`: name of the limit on the length.
        """
        longest: int = getattr(self.limits, bound)
        end, place, depth = min(self.size, start + longest), start, 0
        while True:
            match = _SPECIAL.search(self.buffer, place, end)
            if match is None:
                raise self._endless_error(start, end, bound)
            sign, place = match.group(), match.end()
            if sign.startswith(b'"') and len(sign) > 1:
                continue
            if sign == b";":
                if depth == 0:
                    return place
            elif sign in (b'"', b"//", b"/*"):
                step = _string_end if sign == b'"' else _comment_end
                stop = step(self.buffer, match.start(), end)
                nul = self.buffer.find(b"\0", match.start(), end) if stop < 0 else -1
                if nul >= 0:
                    raise self.error(nul, "a NUL byte: this is not a text file")
                if stop < 0 and end < self.size:
                    raise self._endless_error(start, end, bound)
                if stop < 0:
                    message = "this string or comment is never closed; the file may be truncated"
                    raise self.error(match.start(), message)
                place = stop
            elif sign == b"\0":
                raise self.error(match.start(), "a NUL byte: this is not a text file")
            elif sign in b"{[(":
                depth += 1
                if depth > self.limits.max_nesting:
                    message = self.limits.refusal("max_nesting", "open braces")
                    raise self.error(match.start(), message)
            else:
                depth = max(0, depth - 1)
                if sign == b"}" and depth == 0:
                    return place

    def _endless_error(self, start: int, end: int, bound: str) -> MayaAsciiError:
        message = "this statement never ends; the file may be truncated"
        if end < self.size:
            message = self.limits.refusal(bound, "bytes", subject="this statement has")
        return self.error(start, message)


def check_header(path: PathLike, buffer: bytes) -> None:
    """Raise MayaAsciiError unless a file is a Maya ASCII scene, naming its kind if known."""
    name, head = os.fspath(path), buffer[:16384]
    if head.startswith((b"FOR4", b"FOR8")):
        raise MayaAsciiError(name, "this is a Maya binary scene; save it as Maya ASCII (.ma)")
    if _HEADER.search(head) is not None:
        return
    if b"\0" in head:
        raise MayaAsciiError(name, "this is a binary file, not a Maya ASCII scene")
    raise MayaAsciiError(
        name,
        "not a Maya ASCII scene: expected '//Maya ASCII' or 'requires maya' near "
        "the start; save the scene as Maya ASCII (.ma)",
    )


def statements(
    path: PathLike, limits: ReadLimits = DEFAULT_LIMITS, keep: Keep | None = None
) -> Iterator[Statement]:
    """Statements of a scene in file order.

    `path`: a path or a :class:`.WholeFile`. `keep`: called with the first :data:`HEAD_BYTES` bytes
    of each statement, in order; if it returns False, the statement is skipped without being stored
    or split. By default, none are skipped. Raises MayaAsciiError with line and column for a file
    that is not a Maya ASCII scene, is truncated, or exceeds `limits`.
    """
    name = os.fspath(path)
    buffer = whole_file(path, limits, MayaAsciiError, ADVICE).data
    check_header(path, buffer)
    scanner = _Scanner(name, buffer, limits)
    while True:
        start = scanner.next_start()
        if start >= scanner.size:
            return
        wanted = keep is None or keep(buffer[start : start + HEAD_BYTES])
        bound = "max_statement_bytes" if wanted else "max_skipped_bytes"
        end = scanner.place = scanner.statement_end(start, bound)
        if wanted:
            line, column = scanner.line_and_column(start)
            yield Statement(buffer[start:end], line, start, end, column, name, limits)
