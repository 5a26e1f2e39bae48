"""Page of a library: what to check first, then every joint over all characters.

The page lies beside the limits files, so its links are relative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import quote

from ...base import NOTES, channel_letter, frames_words, names_words, number, plural
from ...base.version import __version__
from ..figures import bar_segments
from .dials import angle_bar, bar_part, type_badge
from .document import (
    Html,
    cell,
    document,
    element,
    find_tools,
    joined,
    section,
    table,
    table_row,
    wide,
)

OPEN_ROWS = 12
"""Rows that are open at first; further ones fold out."""
MOST_LISTED = 2_000
"""Most characters in the list; further ones are only in the data."""
MOST_ROWS = 100
"""Most rows of a table; further ones are only in the data."""
Item = TypeVar("Item")
Link = Callable[[str], object]
"""Turns a character's name into the contents of a cell."""


def _row(heads: Sequence[str], cells: Sequence[object]) -> Html:
    first, *rest = cells
    kinds = ("right" if head in _NUMBERS else None for head in heads[1:])
    return table_row(element("th", first, scope="row"), *map(cell, rest, kinds))


def _folded(items: Sequence[Item], shown: Callable[[Sequence[Item]], Html]) -> Html:
    """The first items open, the others folded."""
    if len(items) <= OPEN_ROWS:
        return shown(items)
    further = items[OPEN_ROWS:]
    fold = element("details", element("summary", f"{len(further)} more"), shown(further))
    return joined([shown(items[:OPEN_ROWS]), fold])


def _more_in(data: str, count: int, most: int = MOST_ROWS) -> Html | None:
    """Where the rows are that do not fit on the page; None if it shows all."""
    hidden = count - most
    return element("p", f"{hidden} more in {data}.", class_="note") if hidden > 0 else None


def links_to(limit_sets: Mapping[str, str]) -> Link:
    """Names linked to limits files; a character without a file gets a name without a link."""

    def link(name: str) -> object:
        file = limit_sets.get(name)
        # The leading "./" keeps a name from being read as another protocol.
        return name if file is None else element("a", name, href=f"./{quote(file)}")

    return link


def seen_in(seen: Mapping[str, Any] | None) -> Html | None:
    """Clip and frame, with the findings there: "walk, frame 9: spike".

    From a :class:`jointlimits_core.batch.library.Seen`; None for a value that no motion reached.
    """
    if seen is None or seen["clip"] is None:
        return None
    frame = seen["frame"]
    place = seen["clip"] if frame is None else f"{seen['clip']}, {frames_words([(frame, frame)])}"
    rules = ", ".join(seen["findings"])
    return element("span", place, element("b", f": {rules}", class_="warn") if rules else None)


def with_place(value: object, seen: Mapping[str, Any] | None) -> Html:
    """A value with clip and frame in small type below it."""
    place = seen_in(seen)
    return element("span", value, None if place is None else element("small", place, class_="seen"))


KEY = "findings"
MOST_CHARACTERS = 12
"""Characters named per rule; the others are in the data."""
MOST_RULES = 100
"""Most rules of a table: far more than exist."""
REPORTED, ROUTINE = "In files and clips", "In motion and rig"
MEANINGS = {
    REPORTED: "Frames, references, joints or values that were lost, left out or reinterpreted: "
    "check the file. Batch output names these rules.",
    ROUTINE: "Normal with any kind of motion. Batch output does not name these rules.",
}
HEADS = ("rule", "characters", "findings", "with", "for example")
Row = Mapping[str, Any]


def findings_section(rows: Sequence[Row], link: Link, data: str) -> Html | None:
    """The section; None without findings.

    The rows are those of :class:`jointlimits_core.batch.library.FindingsByRule`; `data` is the name
    of the file with all data.
    """
    if not rows:
        return None
    reported = [row for row in rows if row["told"]]
    routine = [row for row in rows if not row["told"]]
    parts = [element("h3", REPORTED), *_part(REPORTED, reported, link, data)] if reported else []
    if routine:
        heading = element("summary", f"{ROUTINE}: {plural(len(routine), 'rule')}")
        parts.append(element("details", heading, *_part(ROUTINE, routine, link, data)))
    return section(NOTES, *parts, id=KEY)


def findings_line(rows: Sequence[Row]) -> Html | None:
    """Line on findings for the head of the page; None if none is reported."""
    reported = [row for row in rows if row["told"]]
    if not reported:
        return None
    link = element("a", f"{NOTES} about files and clips", href=f"#{KEY}")
    characters = {one["name"] for row in reported for one in row["characters"]}
    rules = names_words([row["rule"] for row in reported], noun="rule")
    return element("li", link, f": {plural(len(characters), 'character')}: {rules}")


def _part(title: str, rows: Sequence[Row], link: Link, data: str) -> list[Html]:
    """Meaning and table of some rules."""
    body = [_row(HEADS, _cells(row, link, data)) for row in rows[:MOST_RULES]]
    return [
        element("p", MEANINGS[title], class_="note"),
        wide(table(body, "still found", HEADS, _NUMBERS)),
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


MOST_JOINTS = 400
"""Most joints whose ranges are shown: those of the most common rigs."""
MOST_NAMES = 3
DATA = "library.json"
HOW_TO_READ = (
    "Bars are on a scale from -180 to 180 degrees. The dark part lies between the medians of all "
    "minima and of all maxima; the pale part is the widest that any character goes."
)
SIDES = "Left and right were not compared; set the option symmetry to report to compare them."
LINKS = (
    "Names of characters link to their limits files; jointlimits show FILE prints one, with its "
    "findings. A value comes from the clip and frame beside it, shown with the findings at that "
    "frame; jointlimits gui CLIP opens it."
)
AXES = "Joints of the same name with different orientations have separate rows."
Table = tuple[str, str, str, Sequence[str], Callable[[Row, Link], Sequence[object]]]
"""Key in the data, title, meaning, column heads, and the cells of a row."""

_TABLES: tuple[Table, ...] = (
    (
        "outliers",
        "Outliers",
        "A limit more than 15° from the median, and more than 3.5 times the usual spread of the "
        "characters. A wider one may come from a broken clip, or from a better athlete.",
        ("character", "joint", "bound", "value", "median of all", "", "seen in"),
        lambda row, link: (
            *(link(row["character"]), row["joint"], _bound(row)),
            *(_degrees(row["value_deg"]), _degrees(row["usual_deg"])),
            "goes further" if row["further"] else "moves less",
            seen_in(row["seen"]),
        ),
    ),
    (
        "other_types",
        "Unusual joint type",
        "The type is sure, and differs from that of most characters.",
        ("character", "joint", "type", "usual type"),
        lambda row, link: (
            *(link(row["character"]), row["joint"]),
            *(type_badge(row["type"]), type_badge(row["usual"])),
        ),
    ),
    (
        "sides_apart",
        "Left and right differ",
        "Pairs of joints with one side going more than 10° further. If most characters have it, "
        "check the rig, otherwise the performer or the clip.",
        ("left", "right", "characters", "apart in", "median", "worst", "with", "seen in"),
        lambda row, link: (
            *(row["left"], row["right"], row["characters"], row["apart"]),
            *(_degrees(row["usual_deg"]), _degrees(row["worst_deg"]), link(row["worst_by"])),
            with_place(_worst(row), row["worst_seen"]),
        ),
    ),
    (
        "performers_apart",
        "Differs between performers",
        "Limits at which at least two characters stopped (grade “reached once” or “confirmed”), "
        "with 90 % bands more than 10° apart: these bodies, rigs or activities stop at different "
        "places.",
        ("joint", "bound", "apart", "least", "by", "most", "by"),
        lambda row, link: (
            *(row["joint"], _bound(row), _degrees(row["apart_deg"])),
            *(_degrees(row["least_deg"]), with_place(link(row["least_by"]), row["least_seen"])),
            *(_degrees(row["most_deg"]), with_place(link(row["most_by"]), row["most_seen"])),
        ),
    ),
)
_NUMBERS = frozenset(
    (
        *("value", "median of all", "characters", "apart in", "median", "worst", "apart"),
        *("least", "most", "minimum", "maximum", "findings"),
    )
)
"""Heads of columns with numbers."""


def library_page(data: Mapping[str, Any]) -> str:
    """Self-contained HTML page of a library, the same for the same data.

    The data is that of :func:`jointlimits_core.batch.library.library_document`.
    """
    count = len(data["characters"])
    title = f"Joint limits of {plural(count, 'character')}"
    link = links_to(data["limit_sets"])
    found = findings_section(data["findings"], link, DATA)
    sections = [found, *(_odd(odd, data, link) for odd in _TABLES)]
    return document(
        title,
        _header(title, data),
        _characters(data, link),
        *sections,
        _joints(data),
        version=__version__,
        sheets=("library.css",),
        scripts=("tables.js",),
        form=data["format"],
    )


def _header(title: str, data: Mapping[str, Any]) -> Html:
    odd = [_line(key, name, data[key]) for key, name, *_ in _TABLES if data[key]]
    lines = [line for line in (findings_line(data["findings"]), *odd) if line is not None]
    found = element("ul", *lines)
    return element(
        "header",
        element("h1", title),
        found if lines else element("p", "Nothing stands out.", class_="verdict-passed"),
        None if data["sides_compared"] else element("p", SIDES, class_="note"),
        element("p", LINKS, class_="note") if data["limit_sets"] else None,
        _left_out(data["left_out"]),
    )


def _characters(data: Mapping[str, Any], link: Link) -> Html | None:
    """All characters in a list that is searched, sorted and filtered; None if there are none."""
    outlying = Counter(row["character"] for row in data["outliers"])
    unusual = Counter(row["character"] for row in data["other_types"])
    notes: Counter[str] = Counter()
    for row in data["findings"]:
        for one in row["characters"]:
            notes[one["name"]] += one["findings"] if row["told"] else 0
    skipped = {row["name"]: row["reason"] for row in data["left_out"]}
    names = [*data["characters"], *skipped]
    if not names:
        return None
    counted = {"outliers": outlying, "unusual types": unusual, "notes": notes}
    shown = {head: count for head, count in counted.items() if any(count.values())}
    rows = []
    for name in names[:MOST_LISTED]:
        counts = zip(("outliers", "types", "notes"), counted.values())
        kinds = [kind for kind, count in counts if count[name]]
        words = ("skipped" if name in skipped else "look" if kinds else "", *kinds)
        rows.append(
            element(
                "tr",
                element("th", link(name), scope="row"),
                *(
                    element("td", count[name] or "", class_="right", data_sort=count[name])
                    for count in shown.values()
                ),
                element("td", skipped.get(name, "")) if skipped else None,
                data_kinds=" ".join(words),
            )
        )
    heads = ("character", *shown, *(("skipped",) if skipped else ()))
    listed = table(rows, "characters sortable still", heads, [*shown], tools="find-character")
    return section(
        "Characters",
        find_tools("find-character", "Search characters", _CHARACTER_KINDS),
        element("div", listed, class_="scroll", tabindex=0, role="group", aria_label="Characters"),
        _more_in(DATA, len(names), MOST_LISTED),
        id="characters",
    )


_CHARACTER_KINDS = (
    *(("", "all characters"), ("look", "to look at"), ("outliers", "with outliers")),
    *(("types", "with unusual types"), ("notes", "with notes"), ("skipped", "skipped")),
)


def _line(key: str, title: str, rows: Sequence[Row]) -> Html:
    """Number of rows of a kind, and the characters with most of them."""
    link = element("a", title, href=f"#{key}")
    counts = Counter(row["character"] for row in rows if "character" in row)
    most = counts.most_common(MOST_NAMES)
    words = ", ".join(f"{name} ({count})" for name, count in most if count > 1)
    return element("li", link, f": {len(rows)}", f", most of {words}" if words else "")


def _left_out(rows: Sequence[Row]) -> Html | None:
    if not rows:
        return None
    shown = [element("li", element("b", row["name"]), ": ", row["reason"]) for row in rows]
    heading = f"{plural(len(rows), 'character')} skipped"
    names = _folded(shown[:MOST_ROWS], lambda some: element("ul", *some))
    return element("div", element("h2", heading, class_="bad"), names, _more_in(DATA, len(rows)))


def _odd(odd: Table, data: Mapping[str, Any], link: Link) -> Html | None:
    """One table of things to check; None if it is empty."""
    key, title, meaning, heads, cells = odd
    rows = data[key]
    if not rows:
        return None
    body = [_row(heads, cells(row, link)) for row in rows[:MOST_ROWS]]
    shown = _folded(body, lambda some: wide(table(some, "still", heads, _NUMBERS)))
    return section(title, shown, _more_in(DATA, len(rows)), note=meaning, id=key)


def _joints(data: Mapping[str, Any]) -> Html:
    heads = ("joint", "characters", "types", "channel", "", "minimum", "maximum")
    joints = _commonest(data["joints"])
    rows = [row for joint in joints for row in _joint(joint)]
    return section(
        "Ranges of all joints",
        wide(table(rows, "library", heads, _NUMBERS)),
        _more_in(DATA, len(data["joints"]), MOST_JOINTS),
        note=f"{HOW_TO_READ} {AXES}",
    )


def _commonest(joints: Sequence[Row]) -> list[Row]:
    """Joints that most characters have, as many as the page holds, in their own order."""
    ranked = sorted(range(len(joints)), key=lambda place: -joints[place]["characters"])
    return [joints[place] for place in sorted(ranked[:MOST_JOINTS])]


def _joint(joint: Row) -> list[Html]:
    """Rows of a joint, one per channel; the joint's own cells span them."""
    types = (element("div", type_badge(kind), f" {n}") for kind, n in joint["types"].items())
    own = [
        element("th", joint["joint"], scope="rowgroup", rowspan=len(joint["channels"])),
        element("td", joint["characters"], class_="right", rowspan=len(joint["channels"])),
        element("td", *types, rowspan=len(joint["channels"])),
    ]
    rows = []
    for channel, ranges in joint["channels"].items():
        rows.append(element("tr", *own, *_channel(channel, ranges)))
        own = []
    return rows


def _channel(channel: str, ranges: Row) -> list[Html]:
    letter = element("td", channel_letter(channel))
    if ranges["min"] is None or ranges["max"] is None:
        return [letter, element("td", "free in all", colspan=3, class_="note")]
    free = f" ({ranges['free']} free)" if ranges["free"] else ""
    return [
        letter,
        cell(_spread_bar(ranges["min"], ranges["max"])),
        cell(_spread(ranges["min"]), "right"),
        element("td", _spread(ranges["max"]), free, class_="right"),
    ]


def _spread_bar(low: Row, high: Row) -> Html:
    parts = []
    spans = (("band", low["least"], high["most"]), ("range", low["median"], high["median"]))
    for kind, least, most in spans:
        for segment in bar_segments(least, max(least, most), 0.6):
            parts.append(bar_part(kind, *segment))
    return angle_bar(parts)


def _spread(side: Row) -> Html:
    """Median with the extremes over all characters."""
    ends = f"{number(side['least'])} … {number(side['most'])}"
    return element("span", f"{number(side['median'])} ", element("small", ends))


def _worst(row: Row) -> str:
    """The limit that goes further, as "LeftKnee X maximum"."""
    if row["worst_joint"] is None:
        return ""
    bound = {"channel": row["worst_channel"], "side": row["worst_side"]}
    return f"{row['worst_joint']} {_bound(bound)}"


def _bound(row: Row) -> str:
    return f"{channel_letter(row['channel'])} {'minimum' if row['side'] == 'min' else 'maximum'}"


def _degrees(value: float) -> str:
    return f"{number(value)}°"
