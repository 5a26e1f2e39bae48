"""Grades of limits as marks and words; every grade has its own shape, not only a colour."""

from __future__ import annotations

from ..limits.limit_set import BoundSource
from ..wording import GRADES, LAYERS, is_graded, plural
from .markup import Html, element, joined
from .words import degrees

MEANINGS = {
    "firm": "reached repeatedly, in several clips",
    "seen": "reached, and the motion stopped there",
    "open": "more motion may well go much further",
    "untested": "the channel hardly moves",
    "prior": "from published ranges, not from the motion",
    "artist": "set by the artist, overriding the motion",
}
"""Meaning of each grade, and of each other layer that a limit may come from."""

_GLYPHS = {
    "firm": '<circle cx="8" cy="8" r="6" class="full"/>',
    "seen": '<circle cx="8" cy="8" r="6"/><path d="M2 8A6 6 0 0 0 14 8Z" class="full"/>',
    "open": '<circle cx="8" cy="8" r="6"/>',
    "untested": '<circle cx="8" cy="8" r="6" stroke-dasharray="2 3.5"/>',
    "prior": '<path d="M3 2H13V14H3ZM6 6H10M6 10H10"/>',
    "artist": '<path d="M2 14L3 10L11 2L14 5L6 13Z"/>',
}
_STOPS = {
    "held": ", and held there",
    "turned": ", and turned back there",
    "cut": "; the clip ends while moving there",
}


def mark(word: str) -> Html:
    """Shape and name of a grade or a layer."""
    glyph = element(
        "svg", Html(_GLYPHS.get(word, "")), viewBox="0 0 16 16", class_="glyph", aria_hidden="true"
    )
    known = word if word in _GLYPHS else "untested"
    return element("span", glyph, word, class_=f"grade grade-{known}", title=MEANINGS.get(word))


def bound_mark(bound: BoundSource | None) -> Html | None:
    """Mark of a limit; None for one without a grade."""
    if bound is None:
        return None
    if bound.kind in LAYERS:
        return mark(bound.kind)
    return mark(bound.grade) if is_graded(bound) else None


def reach_words(bound: BoundSource) -> str:
    """How the motion reached a limit.

    Returns
    -------
    str
        "reached 3 times in 2 clips, and turned back there"; "" where unknown, and for a channel
        that hardly moves.
    """
    if not is_graded(bound) or bound.grade == "untested":
        return ""
    often = {1: "once", 2: "twice"}.get(bound.visits, f"{bound.visits} times")
    where = f" in {plural(bound.clips, 'clip')}" if bound.visits > 1 else ""
    return f"reached {often}{where}{_STOPS.get(bound.stop or '', '')}"


def band_words(bound: BoundSource) -> str:
    """Where more motion would put the limit: "90 % band −142.1° to −97.5°", or ""."""
    if bound.band_deg is None or bound.grade == "untested":
        return ""
    low, high = (degrees(end) for end in bound.band_deg)
    return f"90 % band {low} to {high}"


def grades_legend() -> Html:
    """All grades with their meanings, in one sentence."""
    parts: list[object] = ["Every limit has a grade: "]
    for grade in reversed(GRADES):
        parts += [mark(grade), f" – {MEANINGS[grade]}; "]
    return joined(
        [
            *parts,
            "the pale ends of a range show how far more motion of the same kind may move the limit "
            "(90 % band). Grades are about limits, “how sure” is about the joint type.",
        ]
    )
