"""Text about dependencies between channels."""

from __future__ import annotations

from ..limits.dependency import Dependency
from ..limits.in_force import why_not_in_force
from ..limits.limit_set import LimitSet
from ..wording import channel_letter, number, printable

MOST_LINES = 12
"""Maximum number of lines in a terminal; the JSON has all."""
INWARD = 0.15
"""Share of the range at which each end is described; the very ends are single poses."""


def dependency_words(dependency: Dependency) -> str:
    """Range of the limited channel near both ends of the other, and how much that narrows it."""
    low, high = dependency.on_range_deg()
    ends = (low + INWARD * (high - low), high - INWARD * (high - low))
    own, other = channel_letter(dependency.channel), channel_letter(dependency.on_channel)
    spans = ", ".join(f"{_span(dependency, end)} at {other} {number(end, 0)}" for end in ends)
    return (
        f"{printable(dependency.joint)} {own} depends on {printable(dependency.on_joint)} {other}: "
        f"{spans} degrees ({100 * dependency.gain:.0f} % less room{_trust(dependency)})"
    )


def dependency_told(limit_set: LimitSet, dependency: Dependency) -> str:
    """Text of a dependency, with the reason if it is not applied."""
    why = why_not_in_force(limit_set, dependency)
    return dependency_words(dependency) + (f"; not applied: {why}" if why else "")


def _span(dependency: Dependency, on_deg: float) -> str:
    span = dependency.range_at_deg(on_deg)
    assert span is not None  # both ends are inside the range
    return f"{number(span[0], 0)} to {number(span[1], 0)}"


def _trust(dependency: Dependency) -> str:
    if dependency.held_out is None:
        return "; one clip"
    return f"; holds for {100 * dependency.held_out:.0f} % of the frames of other clips"


def dependency_lines(limit_set: LimitSet) -> list[str]:
    """Lines for a terminal; none if no channel depends on another."""
    found = limit_set.dependencies
    if not found:
        return []
    lines = ["", "Ranges that depend on another channel (enforced by project and check --shapes):"]
    lines += [f"  {dependency_told(limit_set, item)}" for item in found[:MOST_LINES]]
    more = len(found) - MOST_LINES
    return lines + ([f"  ... and {more} more in the JSON"] if more > 0 else [])
