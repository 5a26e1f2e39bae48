"""Grades of bounds as marks and words: a shape for each, so that no one needs the colour."""

from __future__ import annotations

from ..limits.limit_set import BoundSource
from ..wording import GRADES, LAYERS, is_graded, plural
from .markup import Html, element, joined
from .words import degrees

MEANINGS = {
    "firm": "reached again and again, in several clips",
    "seen": "reached, and the motion stopped there",
    "open": "the motion may well go much further",
    "untested": "the channel hardly moves",
    "prior": "from published ranges, not from the motion",
    "artist": "set by the artist, whatever the motion says",
}
"""What each grade, and each other layer that a bound may come from, says."""

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
    "turned": ", and turned round there",
    "cut": "; the clip was cut off while moving there",
}


def mark(word: str) -> Html:
    """Shape and word of a grade or of a layer."""
    glyph = element(
        "svg", Html(_GLYPHS.get(word, "")), viewBox="0 0 16 16", class_="glyph", aria_hidden="true"
    )
    known = word if word in _GLYPHS else "untested"
    return element("span", glyph, word, class_=f"grade grade-{known}", title=MEANINGS.get(word))


def bound_mark(bound: BoundSource | None) -> Html | None:
    """Mark of a bound; None where nobody graded it."""
    if bound is None:
        return None
    if bound.kind in LAYERS:
        return mark(bound.kind)
    return mark(bound.grade) if is_graded(bound) else None


def reach_words(bound: BoundSource) -> str:
    """How the motion reached a bound.

    Returns
    -------
    str
        "reached 3 times in 2 clips, and turned round there"; "" where it is not known, and for a
        channel that hardly moves.
    """
    if not is_graded(bound) or bound.grade == "untested":
        return ""
    often = {1: "once", 2: "twice"}.get(bound.visits, f"{bound.visits} times")
    where = f" in {plural(bound.clips, 'clip')}" if bound.visits > 1 else ""
    return f"reached {often}{where}{_STOPS.get(bound.stop or '', '')}"


def band_words(bound: BoundSource) -> str:
    """Where the bound would be with more motion: "90 % band −142.1° to −97.5°", or ""."""
    if bound.band_deg is None or bound.grade == "untested":
        return ""
    low, high = (degrees(end) for end in bound.band_deg)
    return f"90 % band {low} to {high}"


def grades_legend() -> Html:
    """All grades with their meanings, in one sentence."""
    parts: list[object] = ["Every bound has a grade: "]
    for grade in reversed(GRADES):
        parts += [mark(grade), f" – {MEANINGS[grade]}; "]
    return joined(
        [
            *parts,
            "the pale ends of a range go as far as more motion of the same kind may take the bound "
            "(90 % band). A grade is about a bound, “how sure” is about the type.",
        ]
    )
