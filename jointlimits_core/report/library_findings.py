"""What was found in the clips of a library, by rule, with the characters that have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..wording import names_words, plural
from .library_places import Link
from .markup import Html, element, joined

KEY = "findings"
MOST_CHARACTERS = 12
"""Characters that are named at a rule; the others are in the data."""
MOST_RULES = 100
"""Rules of a table: far more than there are."""
TOLD, QUIET = "Of files and clips", "Of the motion and the rig"
MEANINGS = {
    TOLD: "Frames, references, joints or values that were lost, left out, or not read as they "
    "stand: look at the file. Lines of a batch name these rules.",
    QUIET: "What one sees with every kind of motion. Lines of a batch do not name these rules.",
}
HEADS = ("rule", "characters", "findings", "with", "for example")
Row = Mapping[str, Any]


def findings_section(rows: Sequence[Row], link: Link, data: str) -> Html | None:
    """The section; nothing if nothing was found.

    Parameters
    ----------
    rows : sequence of mapping
        As :class:`jointlimits_core.library.findings_by_rule.FindingsByRule` gives them.
    link : callable
        Gives the name of a character as what stands in a cell.
    data : str
        Name of the file that holds all of it.
    """
    if not rows:
        return None
    loud = [row for row in rows if row["told"]]
    quiet = [row for row in rows if not row["told"]]
    parts = [
        part
        for title, some in ((TOLD, loud), (QUIET, quiet))
        if some
        for part in _table(title, some, link, data)
    ]
    return element("section", element("h2", "Findings"), *parts, id=KEY)


def findings_line(rows: Sequence[Row]) -> Html | None:
    """What the head of the page says of them; nothing if there is none that is told."""
    loud = [row for row in rows if row["told"]]
    if not loud:
        return None
    link = element("a", "Findings of files and clips", href=f"#{KEY}")
    characters = {one["name"] for row in loud for one in row["characters"]}
    rules = names_words([row["rule"] for row in loud], noun="rule")
    return element("li", link, f": with {plural(len(characters), 'character')}: {rules}")


def _table(title: str, rows: Sequence[Row], link: Link, data: str) -> list[Html]:
    numbers = ("characters", "findings")
    heads = [element("th", head, class_="right" if head in numbers else None) for head in HEADS]
    body = [_row(row, link, data) for row in rows[:MOST_RULES]]
    table = (element("thead", element("tr", *heads)), element("tbody", *body))
    return [
        element("h3", title),
        element("p", MEANINGS[title], class_="note"),
        element("div", element("table", *table, class_="still found"), class_="wide"),
    ]


def _row(row: Row, link: Link, data: str) -> Html:
    return element(
        "tr",
        element("th", row["rule"]),
        element("td", len(row["characters"]), class_="right"),
        element("td", row["findings"], class_="right"),
        element("td", _names(row["characters"], link, data)),
        element("td", _example(row["example"]), class_="where"),
    )


def _names(characters: Sequence[Row], link: Link, data: str) -> Html:
    """Who has it, those with most first: "anna (3), bob"."""
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
