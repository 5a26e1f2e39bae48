"""Table of a joint's limits: value, source, grade, and the orientation they hold in."""

from __future__ import annotations

from ..limits.limit_set import AxisLimit, BoundSource, JointLimit
from ..wording import channel_letter
from .bars import range_bar
from .frame_words import advice_words, frame_words
from .grades import band_words, bound_mark, reach_words
from .markup import Html, element
from .words import bound_words, degrees

_HEADINGS = ("channel", "min", "how it was reached", "max", "how it was reached")


def limits_table(limit: JointLimit) -> Html:
    """Limits of every channel, their orientation, and the advice on it."""
    head = element(
        "tr",
        *(element("th", text) for text in _HEADINGS),
        element("th", "empty gap", title="Largest stretch of the circle without a sample"),
    )
    rows = [_row(channel, axis) for channel, axis in limit.limits.items()]
    advice = advice_words(limit)
    return element(
        "div",
        element("h3", "Limits"),
        element("table", element("thead", head), element("tbody", *rows), class_="numbers"),
        element("p", frame_words(limit.frame), class_="note"),
        element("p", element("b", "Orient advice: "), advice) if advice else None,
    )


def _row(channel: str, axis: AxisLimit) -> Html:
    return element(
        "tr",
        element("th", channel_letter(channel), range_bar(axis)),
        *_bound_cells(axis.min_deg, axis.source.min),
        *_bound_cells(axis.max_deg, axis.source.max),
        element("td", "–" if axis.gap_deg is None else degrees(axis.gap_deg), class_="n"),
    )


def _bound_cells(value_deg: float | None, source: BoundSource | None) -> tuple[Html, Html]:
    """The value with its grade, and its source."""
    value = "no limit" if value_deg is None else degrees(value_deg)
    lines = [bound_words(source)]
    if source is not None:
        lines += [reach_words(source), band_words(source)]
    return (
        element("td", value, bound_mark(source), class_="n"),
        element("td", *(element("span", line) for line in lines if line), class_="where"),
    )
