"""Findings in the clips of a library, by rule, with the characters affected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..wording import names_words, plural
from .library_places import Link
from .long_table import table, table_row
from .markup import Html, element, joined

KEY = "findings"
MOST_CHARACTERS = 12
"""Characters named per rule; the others are in the data."""
MOST_RULES = 100
"""Most rules of a table: far more than exist."""
TOLD, QUIET = "In files and clips", "In motion and rig"
MEANINGS = {
    TOLD: "Frames, references, joints or values that were lost, left out or reinterpreted: check "
    "the file. Batch output names these rules.",
    QUIET: "Normal with any kind of motion. Batch output does not name these rules.",
}
HEADS = ("rule", "characters", "findings", "with", "for example")
NUMBERS = ("characters", "findings")
Row = Mapping[str, Any]


def findings_section(rows: Sequence[Row], link: Link, data: str) -> Html | None:
    """The section; None without findings.

    Parameters
    ----------
    rows : sequence of mapping
        As :class:`jointlimits_core.library.findings_by_rule.FindingsByRule` gives them.
    link : callable
        Turns a character's name into the contents of a cell.
    data : str
        Name of the file with all data.
    """
    if not rows:
        return None
    loud = [row for row in rows if row["told"]]
    quiet = [row for row in rows if not row["told"]]
    parts = _part(TOLD, loud, link, data) if loud else []
    if quiet:
        heading = element("summary", f"{QUIET}: {plural(len(quiet), 'rule')}")
        parts.append(element("details", heading, *_part(QUIET, quiet, link, data)[1:]))
    return element("section", element("h2", "Findings"), *parts, id=KEY)


def findings_line(rows: Sequence[Row]) -> Html | None:
    """Line on findings for the head of the page; None if none is reported."""
    loud = [row for row in rows if row["told"]]
    if not loud:
        return None
    link = element("a", "Findings in files and clips", href=f"#{KEY}")
    characters = {one["name"] for row in loud for one in row["characters"]}
    rules = names_words([row["rule"] for row in loud], noun="rule")
    return element("li", link, f": {plural(len(characters), 'character')}: {rules}")


def _part(title: str, rows: Sequence[Row], link: Link, data: str) -> list[Html]:
    """Heading, meaning and table of some rules."""
    body = [table_row(HEADS, _cells(row, link, data), NUMBERS) for row in rows[:MOST_RULES]]
    return [
        element("h3", title),
        element("p", MEANINGS[title], class_="note"),
        table(HEADS, body, NUMBERS, "still found"),
    ]


def _cells(row: Row, link: Link, data: str) -> Sequence[object]:
    names = _names(row["characters"], link, data)
    counts = len(row["characters"]), row["findings"]
    return (row["rule"], *counts, names, element("small", _example(row["example"])))


def _names(characters: Sequence[Row], link: Link, data: str) -> Html:
    """Characters affected, most findings first: "anna (3), bob"."""
    parts: list[object] = []
    for one in characters[:MOST_CHARACTERS]:
        count = f" ({one['findings']})" if one["findings"] > 1 else ""
        parts += [", " if parts else "", link(one["name"]), count]
    hidden = len(characters) - MOST_CHARACTERS
    if hidden > 0:
        parts.append(f" and {hidden} more, see {data}")
    return joined(parts)


def _example(example: Row) -> str:
    about = " of ".join(part for part in (example["joint"], example["character"]) if part)
    place = f" ({example['place']})" if example["place"] else ""
    return f"{about}: {example['message']}{place}"
