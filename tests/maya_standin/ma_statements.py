"""Statements of a Maya ASCII scene: words and strings up to a semicolon, nothing run.

Sources: maya.md 8 and the scenes themselves. Written without the program's own lexer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
    (?P<space> \s+ | //[^\n]* | /\*.*?\*/ )
  | "(?P<string> (?: [^"\\] | \\. )* )"
  | (?P<end> ; )
  | (?P<word> [^\s";]+ )
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}


class Word(NamedTuple):
    """One word or string of a statement."""

    text: str
    quoted: bool


class Statement(NamedTuple):
    """A command with its words, and the line where it begins."""

    command: str
    words: tuple[Word, ...]
    line: int


class SyntaxProblem(Exception):  # noqa: N818  (what Maya prints is a warning or an error elsewhere)
    """What cannot be read as a statement."""


_MOST_KEPT = 8
_kept: dict[str, tuple[Statement, ...]] = {}
"""Statements of the texts that were read last: tests open the same scenes again and again."""


def statements(text: str) -> Iterator[Statement]:
    """Statements of a scene in order."""
    if text in _kept:
        yield from _kept[text]
        return
    found = []
    for statement in _read_statements(text):
        found.append(statement)
        yield statement
    if len(_kept) >= _MOST_KEPT:
        _kept.pop(next(iter(_kept)), None)
    _kept[text] = tuple(found)


def _read_statements(text: str) -> Iterator[Statement]:
    words: list[Word] = []
    place, line, start, counted = 0, 1, 1, 0
    for match in _TOKEN.finditer(text):
        if match.start() != place:
            break
        place = match.end()
        kind = match.lastgroup
        if kind == "word" or kind == "string":
            if not words:
                line += text.count("\n", counted, match.start())
                start, counted = line, match.start()
            found = match[kind]
            words.append(Word(unescape(found), True) if kind == "string" else Word(found, False))
        elif kind == "end":
            if words:
                yield Statement(words[0].text, tuple(words[1:]), start)
            words = []
    if place < len(text):
        line += text.count("\n", counted, place)
        raise SyntaxProblem(f"line {line}: a string does not end")
    if words:
        raise SyntaxProblem(f"line {start}: the file ends inside a statement")


def unescape(text: str) -> str:
    """Text of a string from what stands between its quotes."""
    return _ESCAPE.sub(_unescape, text) if "\\" in text else text


def _unescape(match: re.Match[str]) -> str:
    return _ESCAPED.get(match[1], match[1])


def quote(text: str) -> str:
    """String as a scene writes it."""
    for plain, escape in (
        ("\\", "\\\\"),
        ('"', '\\"'),
        ("\n", "\\n"),
        ("\t", "\\t"),
        ("\r", "\\r"),
    ):
        text = text.replace(plain, escape)
    return f'"{text}"'


class Flags(NamedTuple):
    """Flags of a statement by their long names, each with its words, and the other words."""

    flags: dict[str, tuple[Word, ...]]
    rest: tuple[Word, ...]

    def text(self, name: str, default: str = "") -> str:
        """First word of a flag."""
        words = self.flags.get(name)
        return words[0].text if words else default

    def is_on(self, name: str) -> bool:
        """Whether a flag is given and not off."""
        words = self.flags.get(name)
        return words is not None and (not words or is_yes(words[0].text))


def is_yes(text: str) -> bool:
    """Truth as scenes write it."""
    return text in ("yes", "on", "true", "1")


def flags_of(words: tuple[Word, ...], known: Mapping[str, tuple[str, int]]) -> Flags:
    """Sort the words of a statement.

    Parameters
    ----------
    words : tuple of Word
    known : mapping of short or long flag name to (long name, number of words that follow)
        Words that look like flags and are not known are left among the rest, as are numbers.
    """
    flags: dict[str, tuple[Word, ...]] = {}
    rest: list[Word] = []
    place = 0
    while place < len(words):
        word = words[place]
        place += 1
        name = word.text[1:] if not word.quoted and word.text.startswith("-") else ""
        if name in known:
            long, count = known[name]
            flags[long] = words[place : place + count]
            place += count
        else:
            rest.append(word)
    return Flags(flags, tuple(rest))


def flag_table(text: str) -> dict[str, tuple[str, int]]:
    """Table for :func:`flags_of` from "long short number-of-words, ..."."""
    table = {}
    for row in text.split(", "):
        long, short, count = row.split()
        table[long] = table[short] = (long, int(count))
    return table
