"""Dependencies between channels, in words."""

from __future__ import annotations

from ..limits.dependency import Dependency
from ..limits.in_force import why_not_in_force
from ..limits.limit_set import LimitSet
from ..wording import channel_letter, number, printable

MOST_LINES = 12
"""Lines in a terminal before the rest is left to the JSON."""
INWARD = 0.15
"""Where the two ends are told: this share of the range inside, as the very ends are one pose."""


def dependency_words(dependency: Dependency) -> str:
    """Say what a dependency means.
    Returns
    -------
    str
        The range of the limited channel at both ends of the other, and how much that narrows.
    """
    low, high = dependency.on_range_deg()
    ends = (low + INWARD * (high - low), high - INWARD * (high - low))
    parts = [f"{_span(dependency, end)} at {number(end, 0)}" for end in ends]
    name = f"{printable(dependency.on_joint)} {channel_letter(dependency.on_channel)}"
    return (
        f"{name} limits how far {printable(dependency.joint)} "
        f"{channel_letter(dependency.channel)} goes: {parts[0]} degrees, {parts[1]}"
        f" ({100 * dependency.gain:.0f} % less room{_trust(dependency)})"
    )


def dependency_told(limit_set: LimitSet, dependency: Dependency) -> str:
    """Say what a dependency means, and why nothing keeps to it where that is so."""
    why = why_not_in_force(limit_set, dependency)
    return dependency_words(dependency) + (f"; not kept to, as {why}" if why else "")


def _span(dependency: Dependency, on_deg: float) -> str:
    span = dependency.range_at_deg(on_deg)
    assert span is not None  # both ends are inside the range
    return f"{number(span[0], 0)} to {number(span[1], 0)}"


def _trust(dependency: Dependency) -> str:
    if dependency.held_out is None:
        return "; one clip"
    return f"; holds for {100 * dependency.held_out:.0f} % of other clips' frames"


def dependency_lines(limit_set: LimitSet) -> list[str]:
    """Lines for a terminal; none if no channel depends on another."""
    found = limit_set.dependencies
    if not found:
        return []
    lines = ["", "Ranges that depend on another channel (project and check --shapes keep to them):"]
    lines += [f"  {dependency_told(limit_set, item)}" for item in found[:MOST_LINES]]
    more = len(found) - MOST_LINES
    return lines + ([f"  ... and {more} more in the JSON"] if more > 0 else [])
