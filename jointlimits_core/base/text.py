"""Readable text: safe and unique names, numbers, lists, frames, columns and grouped findings."""

from __future__ import annotations

import contextlib
import math
import os
import re
import sys
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .removed import REMOVED

if TYPE_CHECKING:
    from ..limits.limit_set import LimitSet
    from .findings import Finding


def short_paths(paths: Iterable[str]) -> dict[str, str]:
    """Shortest ending of each path, in whole names, that distinguishes it from the others."""
    parts = {path: re.split(r"[\\/]", path) for path in paths}
    endings = {
        path: ["/".join(names[at:]) for at in range(len(names) - 1, -1, -1)]
        for path, names in parts.items()
    }
    times = Counter(ending for found in endings.values() for ending in found)
    return {
        path: next((ending for ending in found if times[ending] == 1), path)
        for path, found in endings.items()
    }


def file_name(name: str) -> str:
    """File name for a character, without path separators or shell characters."""
    return re.sub(r"[^\w.+-]+", "_", name).strip(".") or "character"


class FreeNames:
    """Supplier of unused names: the wanted name or, if it is taken, the name with a number.

    `taken`: names already in use. `pattern`: format that joins a name and a number, from 2. `key`:
    names with equal keys count as the same.
    """

    def __init__(
        self, taken: Iterable[str] = (), pattern: str = "{}_{}", key: Callable[[str], str] = str
    ) -> None:
        self._pattern, self._key = pattern, key
        self._taken = {key(name) for name in taken}
        # Next number to try for each name, so that many equal names do not take quadratic time.
        self._next: dict[str, int] = {}

    def reserve(self, wanted: str) -> str:
        """Reserve a name."""
        free, number = wanted, self._next.get(wanted, 2)
        while self._key(free) in self._taken:
            free = self._pattern.format(wanted, number)
            number += 1
        self._next[wanted] = number
        self._taken.add(self._key(free))
        return free


def identifier(name: str, also: str = "") -> str:
    """Name of ASCII letters, digits, ``_`` and `also` only, which does not start with a digit."""
    plain = re.sub(rf"[^\w{also}]", "_", name, flags=re.ASCII)
    return f"_{plain}" if plain[:1].isdigit() else plain


def unique_names(names: Iterable[str], clean: Callable[[str], str]) -> list[str]:
    """Cleaned names, with numbers appended to duplicates.

    `clean`: makes a name safe; an empty result becomes "joint". Returns one name per input, all
    different.
    """
    free = FreeNames()
    return [free.reserve(clean(name) or "joint") for name in names]


MAX_MESSAGE_CHARS = 400
"""Maximum length of a finding's message in a list of findings."""

UNKNOWN = "?"
"""Text shown in place of an unknown number."""

_LETTERS = {"rotateX": "X", "rotateY": "Y", "rotateZ": "Z"}
_HIDDEN_CATEGORIES = frozenset(["Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"])


def printable(text: str, ascii_only: bool = False) -> str:
    r"""Text that is safe to display: invisible and control characters are escaped as ``\x1b``.

    `text`: may contain lone surrogates. `ascii_only`: escape everything beyond ASCII too. Returns
    one line without control, format or unassigned characters.
    """

    def escape(character: str) -> str:
        plain = character.isascii() or not ascii_only
        if plain and unicodedata.category(character) not in _HIDDEN_CATEGORIES:
            return character
        return character.encode("unicode_escape").decode("ascii")

    is_safe = text.isprintable() and (text.isascii() or not ascii_only)
    return text if is_safe else "".join(map(escape, text))


def shorten(text: str, length: int) -> str:
    """Text shortened to at most `length` characters, with "..." in place of its middle."""
    if len(text) <= length:
        return text
    kept = max(length - 3, 2)
    return text[: kept // 2] + "..." + text[len(text) - (kept - kept // 2) :]


def plural(count: int, noun: str) -> str:
    """Count and noun: "1 frame", "2 frames", "3 bodies", "4 joints and controls"."""
    return f"{count} {noun if count == 1 else plural_noun(noun)}"


def plural_noun(noun: str) -> str:
    """Plural of a noun; "joint or control" becomes "joints and controls"."""
    if " or " in noun:
        return " and ".join(map(plural_noun, noun.split(" or ")))
    ends_in_y = noun.endswith("y") and noun[-2:-1] not in "aeiou"
    return f"{noun[:-1]}ies" if ends_in_y else f"{noun}s"


def byte_words(count: int) -> str:
    """A size in bytes: "100 bytes", "16 MB", "2.3 GB"; a kilobyte is 1024 bytes."""
    value, unit = float(count), "bytes"
    for larger in ("KB", "MB", "GB", "TB"):
        if value < 1024.0:
            break
        value, unit = value / 1024.0, larger
    return f"{value:.0f} {unit}" if value == int(value) else f"{value:.1f} {unit}"


def number(value: float, digits: int = 1) -> str:
    """A number with `digits` decimals, never "-0.0"."""
    text = f"{value:.{digits}f}"
    return text[1:] if text.startswith("-") and float(text) == 0.0 else text


def millimetres(meters: float, digits: int = 1) -> str:
    """A length in millimetres: "12.3"; "?" if unknown."""
    return number(1000.0 * meters, digits) if math.isfinite(meters) else UNKNOWN


def channel_letter(channel: str) -> str:
    """Short name of a channel: "X" for rotateX; ZYZ angles keep their names."""
    return _LETTERS.get(channel, channel)


def list_words(parts: Sequence[str]) -> str:
    """List in a sentence: "a", "a and b", "a, b and c"."""
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


MAX_COMMAS = 20
"""Maximum number of commas in a name that is part of a list."""


def listed_parts(text: str, is_whole: Callable[[str], bool], separator: str = ",") -> list[str]:
    """Parts of a list separated by commas or similar characters, which names may also contain.

    `is_whole`: returns whether a text is a single part; the longest such text wins.
    """
    pieces, parts, at = text.split(separator), [], 0
    while at < len(pieces):
        ends = [len(pieces), *range(min(len(pieces), at + MAX_COMMAS + 1), at, -1)]
        joined = ((separator.join(pieces[at:end]), end) for end in (ends if at == 0 else ends[1:]))
        either = ((part, end) for given, end in joined for part in (given, given.strip()))
        part, at = next(
            ((part, end) for part, end in either if is_whole(part)), (pieces[at].strip(), at + 1)
        )
        parts += [part] if part else []
    return parts


def names_words(names: Sequence[str], most: int = 4, noun: str = "joint") -> str:
    """List of names: "LeftKnee, RightKnee", "a, b, c, d and 3 more joints"."""
    words = ", ".join(printable(name) for name in names[:most])
    if len(names) > most:
        words += f" and {plural(len(names) - most, f'more {noun}')}"
    return words


def frames_words(ranges: Sequence[tuple[float, float]], most: int = 6) -> str:
    """Frame numbers: "frame 7" or "frames 1-20, 31 and 4 more"."""
    if not ranges:
        return ""
    parts = [f"{a:.10g}" if a == b else f"{a:.10g}-{b:.10g}" for a, b in ranges[:most]]
    more = f" and {len(ranges) - most} more" if len(ranges) > most else ""
    single = len(ranges) == 1 and ranges[0][0] == ranges[0][1]
    return f"{'frame' if single else 'frames'} {', '.join(parts)}{more}"


def place_words(finding: Finding) -> str:
    """Clip and frames of a finding: "clip walk, frames 1-20", or ""."""
    clip = "" if finding.clip is None else f"clip {printable(finding.clip)}"
    return ", ".join(part for part in (clip, frames_words(finding.frame_ranges)) if part)


def all_findings(limit_set: LimitSet) -> list[Finding]:
    """All findings: those about clips, then those about joints, parents first."""
    joints = limit_set.joints.values()
    return [*limit_set.findings, *(item for joint in joints for item in joint.findings)]


class FindingGroup(NamedTuple):
    """Findings of one rule. `number`: footnote number, from 1. `findings`: at least one."""

    number: int
    rule: str
    findings: tuple[Finding, ...]

    @property
    def joints(self) -> tuple[str, ...]:
        """Joints concerned, without repetition."""
        return tuple(dict.fromkeys(item.joint for item in self.findings if item.joint is not None))

    @property
    def left_out(self) -> int:
        """Number of findings that excluded frames from the estimate."""
        return sum(item.left_out for item in self.findings)

    def sentence(self, most_joints: int = 4, noun: str = "joint") -> str:
        """One paragraph: rule, joints, first message, number of further findings."""
        where, count = names_words(self.joints, most_joints, noun), len(self.findings)
        first = self.findings[0]
        place = place_words(first)
        message = shorten(printable(first.message).removesuffix("."), MAX_MESSAGE_CHARS)
        text = f"{printable(self.rule)}{': ' + where if where else ''}: {message}"
        text += f" ({place})" if place else ""
        if count > 1:
            same = all(item.message == first.message for item in self.findings)
            text += f"; {'the same' if same else 'similar'} in {count - 1} more"
        if self.left_out and "excluded" not in message:
            part = f" in {self.left_out} of them" if self.left_out < count else ""
            text += f"; excluded{part}"
        return text + "."


def group_findings(findings: Iterable[Finding]) -> list[FindingGroup]:
    """Group findings by rule, in order of first appearance."""
    rules: dict[str, list[Finding]] = {}
    for item in findings:
        rules.setdefault(item.rule, []).append(item)
    numbered = enumerate(rules.items(), start=1)
    return [FindingGroup(number, rule, tuple(items)) for number, (rule, items) in numbered]


def wrapped_lines(text: str, width: int, indent: str) -> list[str]:
    """Lines of a paragraph; all but the first start with `indent`."""
    wrapper = textwrap.TextWrapper(max(width, 20), subsequent_indent=indent, break_on_hyphens=False)
    return wrapper.wrap(text) or [""]


NOTES, NO_NOTES = "Notes", "No notes."
MAX_FINDING_LINES = 15
"""Maximum number of lines of findings; further findings are only in the JSON."""
PARAGRAPH_CHARS = 100


def finding_lines(groups: list[FindingGroup], width: int, noun: str = "joint") -> list[str]:
    """Findings as footnotes, one per rule, as many as fit; `noun`: word for a joint."""
    if not groups:
        return ["", NO_NOTES]
    lines: list[str] = []
    counts = [len(group.findings) for group in groups]
    for at, group in enumerate(groups):
        mark = f"[{group.number}] "
        words = wrapped_lines(mark + group.sentence(noun=noun), width, " " * len(mark))
        if lines and len(lines) + len(words) > MAX_FINDING_LINES:
            return ["", NOTES, *lines, *rest_in_json(sum(counts), sum(counts[:at]))]
        lines += words
    return ["", NOTES, *lines]


def suggestion(given: str, known: Iterable[str]) -> str:
    """Advice about an unknown word: its replacement, "; did you mean X?", or nothing."""
    from difflib import get_close_matches

    if given in REMOVED:
        return f"; {REMOVED[given]}"
    # Leading dashes would make all flags seem similar.
    names = {name.lstrip("-"): name for name in known}
    near = get_close_matches(given.lstrip("-"), names, n=1)
    return f"; did you mean {names[near[0]]}?" if near else ""


_UNITS = {
    **dict.fromkeys(("%", "°", "deg", "degrees", "fps", "m"), 1.0),
    "rad": math.degrees(1.0),
    "cm": 0.01,
    "mm": 0.001,
}
"""Units that users may write after an option's number; angles become degrees, lengths metres."""


def number_advice(text: str) -> str:
    """Advice about a number in another notation: "; write 2.5" for "2,5"; else empty."""
    units = "|".join(map(re.escape, _UNITS))
    found = re.fullmatch(rf"([+-]?\d+)(?:[.,](\d+))?\s*({units}|)", text)
    plain = "" if found is None else ".".join(filter(None, found.groups()[:2]))
    if found and _UNITS.get(found[3], 1.0) != 1.0:
        plain = f"{_UNITS[found[3]] * float(plain):.6g}"
    return f"; write {plain}" if plain not in ("", text) else ""


def foreign_path_advice(path: str) -> str:
    """Advice about a path written for another system or shell; empty for any other path."""
    if "\\" in path and os.sep == "/":
        plain = printable(path.replace("\\", "/"))
        is_absolute = re.match(r"[A-Za-z]:|//", plain)
        other = "this is a Windows path: give the path on this computer"
        return other if is_absolute else f"use forward slashes: {plain}"
    if path.startswith(("~", "$", "%")):
        return "the shell does not expand ~, $NAME or %NAME% here: write out the folder"
    return ""


COLUMN_GAP = "  "


def terminal_columns() -> int:
    """Width of the terminal in columns, or the value of ``COLUMNS`` if set; 80 if unknown."""
    with contextlib.suppress(ValueError):
        return int(os.environ.get("COLUMNS", "")) or 80
    with contextlib.suppress(AttributeError, ValueError, OSError):
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    return 80


def columns_of(text: str) -> int:
    """Terminal columns that a text takes: two per wide character, none per combining one."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def column_sizes(rows: Sequence[Sequence[str]]) -> list[int]:
    """Width of every column; a heading may extend over empty headings to its right."""
    heads, *body = rows
    sizes = [max((columns_of(row[n]) for row in body), default=0) for n in range(len(heads))]
    for n, head in enumerate(heads):
        if n + 1 == len(heads) or heads[n + 1]:
            sizes[n] = max(sizes[n], columns_of(head))
    return sizes


def in_columns(
    rows: Sequence[Sequence[str]], right: Collection[int] = (), indent: str = ""
) -> list[str]:
    """Lines of a table whose first row is the heading; `right`: right-aligned columns."""
    sizes = column_sizes(rows)

    def line(row: Sequence[str]) -> str:
        text, start = "", 0
        for n, (cell, size) in enumerate(zip(row, sizes)):
            before = start + (size - columns_of(cell) if n in right else 0)
            text += " " * (before - columns_of(text)) + cell if cell else ""
            start += size + len(COLUMN_GAP)
        return text

    heading, *body = map(line, rows)
    wide = sum(sizes) + len(COLUMN_GAP) * (len(sizes) - 1)
    rule = "-" * max(wide, columns_of(heading))
    return [f"{indent}{one}".rstrip() for one in (heading, rule, *body)]


def rest_in_json(total: int, shown: int, indent: str = "") -> list[str]:
    """A line with the number of items that are not shown; no line if all are shown."""
    return [f"{indent}... and {total - shown} more in the JSON"] if total > shown else []
