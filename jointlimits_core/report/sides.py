"""Comparison of left and right: how much further one side of each pair goes than the other."""

from __future__ import annotations

from collections.abc import Callable

from ..limits.symmetry import TELL_DEG
from ..limits.symmetry_record import PairSymmetry, SymmetryRecord
from ..table_notes import most_different
from ..wording import channel_letter, names_words
from .bars import share_bar
from .markup import Html, element
from .words import degrees

_HEADINGS = ("left", "right", "differ by", "", "where most", "in a mirrored pose")


def sides_section(record: SymmetryRecord | None, link: Callable[[str], Html]) -> Html | None:
    """Left and right pairs of a character, the most different first.

    Parameters
    ----------
    record : SymmetryRecord, optional
    link : callable
        Turns a joint's name into a link.

    Returns
    -------
    Html or None
        None where left and right were not compared.
    """
    if record is None or not record.pairs:
        return None
    pairs = sorted(record.pairs, key=lambda pair: pair.asymmetry_deg or 0.0, reverse=True)
    most = max(pairs[0].asymmetry_deg or 0.0, TELL_DEG)
    words = "How much further one side goes than the other, on the channel that differs most."
    if any(pair.pooled for pair in pairs):
        words += " The limits are pooled: both sides use the wider range."
    unpaired = names_words(record.unpaired, 12)
    head = element("tr", *(element("th", text) for text in _HEADINGS))
    rows = [_row(pair, most, link) for pair in pairs]
    return element(
        "section",
        element("h2", "Left and right"),
        element("p", words),
        element("table", element("thead", head), element("tbody", *rows), class_="sides"),
        element("p", f"Without a partner: {unpaired}.", class_="note") if unpaired else None,
    )


def _row(pair: PairSymmetry, most: float, link: Callable[[str], Html]) -> Html:
    by = pair.asymmetry_deg
    shown = None if by is None else share_bar(by / most, by > TELL_DEG)
    return element(
        "tr",
        element("th", link(pair.left)),
        element("td", link(pair.right)),
        element("td", "not compared" if by is None else degrees(by), class_="n"),
        element("td", shown, class_="share-cell"),
        element("td", _where(pair)),
        element("td", mirror_words(pair), class_="where"),
    )


def _where(pair: PairSymmetry) -> str:
    most = most_different(pair)
    if most is None or most[2] < 0.05:
        return "" if pair.asymmetry_deg is None else "the same on both sides"
    channel, joint, _ = most
    return f"{joint} goes further on {channel_letter(channel.channel)}"


def mirror_words(pair: PairSymmetry) -> str:
    """Relation between the channels of the two sides: "X the same way, Y and Z opposite"."""
    if pair.signs_from == "doubtful":
        return "doubtful, so nothing is carried over"
    ways = {"the same way": "", "opposite": ""}
    for letter, sign in zip("XYZ", pair.signs):
        ways["the same way" if sign > 0 else "opposite"] += letter
    return ", ".join(
        f"{' and '.join([', '.join(letters[:-1]), letters[-1]]) if letters[1:] else letters} {way}"
        for way, letters in ways.items()
        if letters
    )
